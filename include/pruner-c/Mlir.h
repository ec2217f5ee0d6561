//===- Mlir.h - the same objects in the C interface of MLIR -------*- C -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For programs that use MLIR's C interface as well. Both must stand on the same
// shared libMLIR: two copies of MLIR in one process share no objects.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_C_MLIR_H
#define PRUNER_C_MLIR_H

#include "mlir-c/IR.h"
#include "pruner-c/Module.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A context of Pruner on one that is there, which must outlive it and all that
/// belongs to it. All dialects are registered there.
PRUNER_CAPI_EXPORTED PrunerContext prunerContextFromMlir(MlirContext context);
/// Owned by `context`, and there as long as anything belongs to it.
PRUNER_CAPI_EXPORTED MlirContext prunerContextGetMlir(PrunerContext context);
/// Takes the module over. Null with an error if it is of another context.
PRUNER_CAPI_EXPORTED PrunerModule prunerModuleFromMlir(PrunerContext context,
                                                       MlirModule module);
/// Owned by `module`.
PRUNER_CAPI_EXPORTED MlirModule prunerModuleGetMlir(PrunerModule module);

#ifdef __cplusplus
}
#endif

#endif // PRUNER_C_MLIR_H
