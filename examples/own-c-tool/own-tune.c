//===- own-tune.c - tune and compile a network ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     own-tune net.mlir 'trials=100 threads=1 db=net.db' net.so

#include "pruner-c/Task.h"
#include "pruner-c/Tune.h"

#include <stdio.h>

static bool tell(const PrunerTuneStatus *status, void *userData) {
  printf("%s %u of %u %s\n", status->phase, status->done, status->total,
         status->task);
  return true; // Returning false ends the run.
}

/// Compiles a network to a library.
static PrunerStatus make(PrunerModule module, const char *options,
                         const char *library) {
  PrunerStatus status = prunerModuleTune(module, options, tell, NULL, NULL);
  if (status != PrunerStatusSuccess)
    return status;
  PrunerTasks tasks = prunerModuleExtractTasks(module);
  for (size_t n = 0; n < prunerTasksGetSize(tasks); ++n)
    printf("%s: %s\n", prunerTaskGetName(prunerTasksGet(tasks, n)),
           prunerTaskGetSchedule(prunerTasksGet(tasks, n)));
  prunerTasksDestroy(tasks);
  status = prunerModuleLower(module, "cpu", 1);
  if (status != PrunerStatusSuccess)
    return status;
  return prunerModuleCompile(module, library, NULL);
}

int main(int argc, char **argv) {
  if (argc != 4 || prunerAbiVersion() != PRUNER_C_ABI_VERSION)
    return 2;
  PrunerContext context = prunerContextCreate();
  PrunerModule module = prunerModuleParseFile(context, argv[1]);
  PrunerStatus status =
      module.ptr ? make(module, argv[2], argv[3]) : PrunerStatusFailure;
  if (status != PrunerStatusSuccess)
    fprintf(stderr, "%s\n", prunerContextGetError(context));
  prunerModuleDestroy(module);
  prunerContextDestroy(context);
  return status;
}
