//===- KernelTeam.cpp - the threads of parallel kernels -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Runtime/KernelTeam.h"

#include <cstdint>

using namespace llvm;
using namespace pruner;

extern "C" {
// Defined in Threads.c, with the names that compiled code uses.
using Task = void (*)(int32_t *, int32_t *, void *);
void __kmpc_fork_call(void *location, int32_t count, Task task, ...);
int32_t __kmpc_global_thread_num(void *location);
void __kmpc_barrier(void *location, int32_t id);
void __kmpc_for_static_init_4();
void __kmpc_for_static_init_4u();
void __kmpc_for_static_init_8();
void __kmpc_for_static_init_8u();
void __kmpc_for_static_fini(void *location, int32_t id);
void pruner_set_threads(int threads);

/// Facts about the network of a library (Network.h). Here they only state that
/// any number of threads is useful.
extern const int64_t pruner_network_facts[5];
const int64_t pruner_network_facts[5] = {0, 0, 0, INT32_MAX, 0};
}

void pruner::setKernelThreads(unsigned threads) {
  pruner_set_threads(int(threads));
}

void pruner::runOnKernelThreads(function_ref<void(unsigned)> work) {
  auto task = [](int32_t *thread, int32_t *, void *work) {
    (*static_cast<function_ref<void(unsigned)> *>(work))(unsigned(*thread));
  };
  __kmpc_fork_call(nullptr, 1, task, &work);
}

ArrayRef<std::pair<StringLiteral, void *>> pruner::kernelThreadSymbols() {
  auto address = [](auto *function) {
    return reinterpret_cast<void *>(function);
  };
  static const std::pair<StringLiteral, void *> symbols[] = {
      {"__kmpc_fork_call", address(&__kmpc_fork_call)},
      {"__kmpc_global_thread_num", address(&__kmpc_global_thread_num)},
      {"__kmpc_barrier", address(&__kmpc_barrier)},
      {"__kmpc_for_static_init_4", address(&__kmpc_for_static_init_4)},
      {"__kmpc_for_static_init_4u", address(&__kmpc_for_static_init_4u)},
      {"__kmpc_for_static_init_8", address(&__kmpc_for_static_init_8)},
      {"__kmpc_for_static_init_8u", address(&__kmpc_for_static_init_8u)},
      {"__kmpc_for_static_fini", address(&__kmpc_for_static_fini)},
  };
  return symbols;
}
