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

/// The upstream dialects that Pruner reads or writes, with the interface
/// extensions that bufferization and translation need, and Pruner's own.
void registerDialects(mlir::DialectRegistry &registry);

/// Pruner's passes and pipelines and the upstream passes used beside them.
void registerPasses();

} // namespace pruner

#endif // PRUNER_TOOLS_PRUNEROPT_REGISTRATION_H
