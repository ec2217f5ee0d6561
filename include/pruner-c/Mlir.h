//===- Mlir.h - the same objects in the C interface of MLIR -------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions for programs that also use MLIR's C interface. Both must use the
// same shared libMLIR: two copies of MLIR in one process share no objects.

#ifndef PRUNER_C_MLIR_H
#define PRUNER_C_MLIR_H

#include "mlir-c/IR.h"
#include "pruner-c/Module.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Creates a context on an existing MLIR context, which must outlive it and
/// everything that belongs to it. Registers all dialects.
PRUNER_CAPI_EXPORTED PrunerContext prunerContextFromMlir(MlirContext context);
/// Owned by `context`. Valid as long as anything belongs to `context`.
PRUNER_CAPI_EXPORTED MlirContext prunerContextGetMlir(PrunerContext context);
/// Takes ownership of the module. Returns null with an error if the module
/// belongs to another context.
PRUNER_CAPI_EXPORTED PrunerModule prunerModuleFromMlir(PrunerContext context,
                                                       MlirModule module);
/// Owned by `module`.
PRUNER_CAPI_EXPORTED MlirModule prunerModuleGetMlir(PrunerModule module);

#ifdef __cplusplus
}
#endif

#endif // PRUNER_C_MLIR_H
