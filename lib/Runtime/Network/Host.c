//===- Host.c - runs of a network on the CPU ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Network.h"

#include <stdatomic.h>
#include <stdlib.h>

/// The workspace of the last call, kept for the next one, because fresh pages
/// cost more than a small network. Concurrent calls allocate their own.
static _Atomic(void *) spare;

static void *take_workspace(void) {
  void *kept = atomic_exchange(&spare, NULL);
  if (kept)
    return kept;
  size_t bytes = (size_t)pruner_network_facts[2];
  bytes = (bytes + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
  return aligned_alloc(ALIGNMENT, bytes);
}

static void give_back(void *workspace) {
  free(atomic_exchange(&spare, workspace));
}

__attribute__((constructor)) static void request_tiles(void) {
  (void)pruner_network_request_tiles();
}

__attribute__((destructor)) static void free_spare(void) {
  free(atomic_exchange(&spare, NULL));
}

int pruner_network_call(void (*body)(void *call, void *workspace), void *call) {
  void *workspace = take_workspace();
  if (!workspace)
    return pruner_network_set_error(NO_MEMORY,
                                    "no memory for a workspace of %lld bytes",
                                    (long long)pruner_network_facts[2]);
  int status = pruner_network_guard(body, call, workspace);
  give_back(workspace);
  return status;
}

typedef struct {
  const void *const *inputs;
  void *const *outputs;
} Call;

static void run(void *call, void *workspace) {
  const Call *given = call;
  pruner_network_entry(given->inputs, given->outputs, workspace);
}

PRUNER_EXPORT int pruner_run(const void *const *inputs, void *const *outputs) {
  int status = pruner_network_check(inputs, outputs);
  Call call = {inputs, outputs};
  return status == OK ? pruner_network_call(run, &call) : status;
}
