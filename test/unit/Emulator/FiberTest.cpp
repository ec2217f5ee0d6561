//===- FiberTest.cpp - context switches -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fiber.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace pruner::emulator;

namespace {
struct Counter {
  FiberPool *pool;
  unsigned fiber;
  unsigned steps = 0;
  double sum = 0;
};
} // namespace

/// Uses callee-saved registers and the stack across a switch.
[[noreturn]] static void count(void *argument) {
  auto *counter = static_cast<Counter *>(argument);
  volatile char stack[4096];
  double sum = 0;
  for (unsigned n = 0;; ++n) {
    stack[n % sizeof(stack)] = static_cast<char>(n + counter->fiber);
    sum += std::sqrt(double(n + counter->fiber));
    counter->steps = n + 1;
    counter->sum = sum;
    counter->pool->suspend(counter->fiber);
    if (stack[n % sizeof(stack)] != static_cast<char>(n + counter->fiber))
      counter->sum = -1;
  }
}

TEST(FiberTest, KeepsStateAcrossSwitches) {
  constexpr unsigned fibers = 100, steps = 50;
  auto pool = FiberPool::create(fibers, 16 << 10);
  ASSERT_TRUE(bool(pool));
  std::vector<Counter> counters;
  for (unsigned n = 0; n != fibers; ++n)
    counters.push_back({pool->get(), n});
  for (unsigned n = 0; n != fibers; ++n)
    (*pool)->start(n, count, &counters[n]);
  for (unsigned step = 0; step != steps; ++step)
    for (unsigned n = 0; n != fibers; ++n)
      (*pool)->resume((n * 37) % fibers);
  for (unsigned n = 0; n != fibers; ++n) {
    double sum = 0;
    for (unsigned step = 0; step != steps; ++step)
      sum += std::sqrt(double(step + n));
    EXPECT_EQ(counters[n].steps, steps);
    EXPECT_EQ(counters[n].sum, sum);
  }
}

TEST(FiberTest, RestartDropsTheOldState) {
  auto pool = FiberPool::create(1, 16 << 10);
  ASSERT_TRUE(bool(pool));
  Counter counter{pool->get(), 0};
  for (unsigned run = 0; run != 3; ++run) {
    (*pool)->start(0, count, &counter);
    (*pool)->resume(0);
    EXPECT_EQ(counter.steps, 1u);
    (*pool)->resume(0);
    EXPECT_EQ(counter.steps, 2u);
  }
}

TEST(FiberDeathTest, OverflowHitsTheGuardPage) {
  auto pool = FiberPool::create(2, 16 << 10);
  ASSERT_TRUE(bool(pool));
  (*pool)->start(
      1,
      [](void *) {
        volatile char large[64 << 10];
        for (size_t n = sizeof(large); n-- > 0;)
          large[n] = 1;
      },
      nullptr);
  EXPECT_DEATH((*pool)->resume(1), "");
}
