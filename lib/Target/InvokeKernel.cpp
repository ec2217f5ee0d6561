//===- InvokeKernel.cpp - call a kernel by its address --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Target/InvokeKernel.h"

#include <cassert>
#include <utility>

using llvm::ArrayRef;
using namespace pruner;

template <size_t... I>
static void call(void *function, void *const *a, std::index_sequence<I...>) {
  using Pointer = void (*)(decltype((void)I, (void *)nullptr)...);
  reinterpret_cast<Pointer>(function)(a[I]...);
}

template <size_t N>
static void callWith(void *function, void *const *arguments) {
  call(function, arguments, std::make_index_sequence<N>());
}

template <size_t... N>
static void dispatch(void *function, ArrayRef<void *> arguments,
                     std::index_sequence<N...>) {
  using Caller = void (*)(void *, void *const *);
  static constexpr Caller callers[] = {&callWith<N>...};
  callers[arguments.size()](function, arguments.data());
}

void pruner::invokeKernel(void *function, ArrayRef<void *> arguments) {
  assert(arguments.size() <= maxKernelArguments && "checked by the callers");
  dispatch(function, arguments,
           std::make_index_sequence<maxKernelArguments + 1>());
}
