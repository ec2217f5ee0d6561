//===- Module.h - modules, from text to a library -----------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options of passes are strings of the form `name=value`, separated by spaces.
// `pruner-opt --help` and docs/guides/Tuning.md describe them. Put values with
// spaces in single quotes. Null is the same as an empty string.

#ifndef PRUNER_C_MODULE_H
#define PRUNER_C_MODULE_H

#include "pruner-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct PrunerModule {
  void *ptr;
} PrunerModule;

/// Reads a module from a file or from memory: MLIR text, or bytecode of this
/// LLVM version. Verifies the module. `name` is used in locations.
PRUNER_CAPI_EXPORTED PrunerModule prunerModuleParseFile(PrunerContext context,
                                                        const char *path);
PRUNER_CAPI_EXPORTED PrunerModule prunerModuleParse(PrunerContext context,
                                                    const char *data,
                                                    size_t length,
                                                    const char *name);
PRUNER_CAPI_EXPORTED PrunerModule prunerModuleClone(PrunerModule module);
PRUNER_CAPI_EXPORTED void prunerModuleDestroy(PrunerModule module);

PRUNER_CAPI_EXPORTED PrunerStatus prunerModulePrint(
    PrunerModule module, PrunerStringCallback callback, void *userData);
PRUNER_CAPI_EXPORTED PrunerStatus prunerModuleWriteBytecode(
    PrunerModule module, PrunerStringCallback callback, void *userData);

/// Runs passes on the module like `pruner-opt --pass-pipeline`, without
/// "builtin.module(...)": "pruner-normalize,pruner-hoist-constants". After a
/// failure the module can only be destroyed.
PRUNER_CAPI_EXPORTED PrunerStatus prunerModuleRunPasses(PrunerModule module,
                                                        const char *passes);

/// Runs `pruner-apply-best`, which applies the best verified schedules of a
/// database. `lower=false` is prepended to the options, so tasks get their
/// schedules as attributes.
PRUNER_CAPI_EXPORTED PrunerStatus prunerModuleApplyBest(PrunerModule module,
                                                        const char *options);
/// Runs `pruner-draft`, which applies the schedules that the analytical model
/// predicts to be fastest. Measures nothing. Prepends `lower=false`, too.
PRUNER_CAPI_EXPORTED PrunerStatus prunerModuleDraft(PrunerModule module,
                                                    const char *options);
/// Lowers the tasks that have a schedule to upstream dialects. `target` and
/// `threads` are as in the passes: for example "cpu", and 0 for all cores.
PRUNER_CAPI_EXPORTED PrunerStatus prunerModuleLower(PrunerModule module,
                                                    const char *target,
                                                    unsigned threads);

/// Weights that are part of a library. While a network is tuned and lowered,
/// its weights are arguments marked `pruner.constant`, whose values the module
/// keeps. Lifting turns the constants of the network into such arguments;
/// networks with a dimension of several sizes keep theirs.
PRUNER_CAPI_EXPORTED PrunerStatus
prunerModuleLiftConstants(PrunerModule module);
/// Passes the type of an argument that prunerModuleSetConstant() takes, such as
/// "tensor<8x4xf32>", to `callback`.
PRUNER_CAPI_EXPORTED PrunerStatus prunerModuleGetConstantType(
    PrunerModule module, const char *name, PrunerStringCallback callback,
    void *userData);
/// Sets the value of the argument with the `pruner.name` `name`, which is
/// marked `pruner.constant`: `size` bytes with its elements in row-major order,
/// which are copied.
PRUNER_CAPI_EXPORTED PrunerStatus prunerModuleSetConstant(PrunerModule module,
                                                          const char *name,
                                                          const void *data,
                                                          size_t size);
/// For a lowered module: computes what depends on known constants alone, such
/// as packed weights, and makes these arguments constants. The code that
/// computes it is compiled with `linker` (null: the default) and runs in this
/// process. Does nothing if no constant is known.
PRUNER_CAPI_EXPORTED PrunerStatus
prunerModuleEmbedConstants(PrunerModule module, const char *linker);

/// Options of prunerModuleCompile(); null means the default.
typedef struct PrunerCompileOptions {
  const char *header; ///< File for a C header; default: none.
  const char *entry;  ///< The network's function; default: the public one.
  const char *names;  ///< JSON file with names of arguments and results.
  /// Default: the wheel's ld.lld, or the first of cc, gcc, clang, ld.lld, ld.
  const char *linker;
  const char *cpu;      ///< LLVM's name of the CPU; default: the host.
  const char *features; ///< "+a,-b"
} PrunerCompileOptions;

/// Writes a shared library of a network (docs/guides/Deploying.md) to the file
/// `output`. The module stays unchanged. `options` may be null.
PRUNER_CAPI_EXPORTED PrunerStatus
prunerModuleCompile(PrunerModule module, const char *output,
                    const PrunerCompileOptions *options);

#ifdef __cplusplus
}
#endif

#endif // PRUNER_C_MODULE_H
