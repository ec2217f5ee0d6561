//===- Registration.h - dialects and passes of the tools --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TOOLS_PRUNEROPT_REGISTRATION_H
#define PRUNER_TOOLS_PRUNEROPT_REGISTRATION_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace pruner {

/// Registers Pruner's dialect, and the interface extensions of upstream
/// dialects that its passes need for bufferization and translation. The passes
/// load the dialects themselves.
void registerOwnDialect(mlir::DialectRegistry &registry);

/// Also registers all upstream dialects.
void registerDialects(mlir::DialectRegistry &registry);

/// Registers Pruner's passes and pipelines.
void registerOwnPasses();

/// Also registers the upstream passes that are used with them.
void registerPasses();

} // namespace pruner

#endif // PRUNER_TOOLS_PRUNEROPT_REGISTRATION_H
