//===- Module.h - modules, from text to a library -----------------*- C -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The options of passes are strings, `name=value` and a space between; those of
// `pruner-tune` and the others are described by `pruner-opt --help` and in
// docs/guides/Tuning.md. Values with spaces stand in single quotes. Null is the same
// as an empty string.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_C_MODULE_H
#define PRUNER_C_MODULE_H

#include "pruner-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct PrunerModule {
  void *ptr;
} PrunerModule;

/// From a file or from memory: text of MLIR, or bytecode of this LLVM. The
/// module is verified. `name` stands in locations.
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

/// Runs passes on the module, as `pruner-opt --pass-pipeline` without its
/// "builtin.module(...)": "pruner-normalize,pruner-hoist-constants". After a
/// failure the module may be destroyed and nothing else.
PRUNER_CAPI_EXPORTED PrunerStatus prunerModuleRunPasses(PrunerModule module,
                                                        const char *passes);

/// `pruner-apply-best`: the best verified schedules of a database. The options
/// begin with `lower=false`: tasks get their schedules as attributes.
PRUNER_CAPI_EXPORTED PrunerStatus prunerModuleApplyBest(PrunerModule module,
                                                        const char *options);
/// `pruner-draft`: the schedules that the analytical model takes for the
/// fastest, with nothing measured. `lower=false` as well.
PRUNER_CAPI_EXPORTED PrunerStatus prunerModuleDraft(PrunerModule module,
                                                    const char *options);
/// Lowers the tasks that have a schedule to upstream dialects. `target` and
/// `threads` are those of the passes: "cpu", and 0 for as many as there are
/// cores.
PRUNER_CAPI_EXPORTED PrunerStatus prunerModuleLower(PrunerModule module,
                                                    const char *target,
                                                    unsigned threads);

/// What prunerModuleCompile() may be told; null is the default.
typedef struct PrunerCompileOptions {
  const char *header;   ///< Where a C header goes.
  const char *entry;    ///< The network's function; the only public one.
  const char *names;    ///< JSON file with the names of arguments and results.
  const char *linker;   ///< The first of cc, gcc, clang, ld.lld and ld.
  const char *cpu;      ///< LLVM's name of the CPU; this one.
  const char *features; ///< "+a,-b"
} PrunerCompileOptions;

/// A shared library of a network (docs/guides/Deploying.md) in the file `output`. The
/// module stays as it is. `options` may be null.
PRUNER_CAPI_EXPORTED PrunerStatus
prunerModuleCompile(PrunerModule module, const char *output,
                    const PrunerCompileOptions *options);

#ifdef __cplusplus
}
#endif

#endif // PRUNER_C_MODULE_H
