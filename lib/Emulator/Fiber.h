//===- Fiber.h - threads of a block as fibers -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_EMULATOR_FIBER_H
#define PRUNER_LIB_EMULATOR_FIBER_H

#include "llvm/Support/Error.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace pruner::emulator {

/// Stacks and saved contexts of `count` fibers that run inside one thread of
/// the operating system. An inaccessible page is below each stack.
class FiberPool {
public:
  using Body = void (*)(void *);

  static llvm::Expected<std::unique_ptr<FiberPool>> create(unsigned count,
                                                           uint64_t stackBytes);
  ~FiberPool();
  FiberPool(const FiberPool &) = delete;
  FiberPool &operator=(const FiberPool &) = delete;

  unsigned size() const { return count; }

  /// Prepares fiber `n` to call `body(argument)` at the next resume; its
  /// previous state is lost. `body` must end with `suspend` and not return.
  void start(unsigned n, Body body, void *argument);

  /// Runs fiber `n` until it suspends. Must be called outside of fibers.
  void resume(unsigned n);

  /// Returns from the `resume` of fiber `n`. Must be called inside that fiber.
  void suspend(unsigned n);

private:
  FiberPool() = default;

  struct Contexts;
  std::unique_ptr<Contexts> contexts;
  char *memory = nullptr;
  uint64_t memoryBytes = 0, strideBytes = 0, pageBytes = 0;
  unsigned count = 0;
};

} // namespace pruner::emulator

#endif // PRUNER_LIB_EMULATOR_FIBER_H
