//===- Registration.h - dialects and passes of the tools --------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_TOOLS_PRUNEROPT_REGISTRATION_H
#define PRUNER_TOOLS_PRUNEROPT_REGISTRATION_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace pruner {

/// Pruner's dialect, and the interface extensions of upstream dialects that its
/// passes need for bufferization and translation. The dialects themselves are
/// loaded by the passes that make their operations.
void registerOwnDialect(mlir::DialectRegistry &registry);

/// That, and all upstream dialects.
void registerDialects(mlir::DialectRegistry &registry);

/// Pruner's passes and pipelines.
void registerOwnPasses();

/// These, and the upstream passes used beside them.
void registerPasses();

} // namespace pruner

#endif // PRUNER_TOOLS_PRUNEROPT_REGISTRATION_H
