//===- RegionNetwork.c - parallel regions written by hand -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls the runtime of networks like generated code: one input and one output
// of COUNT floats, output = 4 * input, in two loops with a barrier between
// them. The second loop reads what other threads wrote.
#include "Network.h"

#include <stdatomic.h>

enum { COUNT = 4096, REGIONS = 8 };

const int64_t pruner_network_facts[5] = {1, 1, COUNT * sizeof(float), 8, 1};

void __kmpc_fork_call(void *location, int32_t count, void *task, ...);
void __kmpc_barrier(void *location, int32_t id);
void __kmpc_for_static_init_8u(void *location, int32_t id, int32_t kind,
                               int32_t *last, uint64_t *low, uint64_t *high,
                               int64_t *stride, int64_t step, int64_t chunk);

typedef struct {
  const float *input;
  float *output, *between;
} Region;

static void share(int32_t id, uint64_t *low, uint64_t *high) {
  int32_t last;
  int64_t stride;
  *low = 0, *high = COUNT - 1;
  __kmpc_for_static_init_8u(0, id, 34, &last, low, high, &stride, 1, 0);
}

static void region(int32_t *global, int32_t *bound, void *argument) {
  (void)bound;
  const Region *r = argument;
  uint64_t low, high;
  share(*global, &low, &high);
  for (uint64_t n = low; n <= high; ++n)
    r->between[n] = 2 * r->input[n];
  __kmpc_barrier(0, *global);
  for (uint64_t n = low; n <= high; ++n)
    r->output[COUNT - 1 - n] = 2 * r->between[COUNT - 1 - n];
}

void pruner_network_entry(const void *const *inputs, void *const *outputs,
                          void *workspace) {
  Region r = {inputs[0], outputs[0], workspace};
  for (int n = 0; n < REGIONS; ++n) {
    __kmpc_fork_call(0, 1, (void *)region, &r);
    if (__atomic_load_n(&pruner_network_profiled, __ATOMIC_RELAXED))
      pruner_network_mark(0);
  }
}
