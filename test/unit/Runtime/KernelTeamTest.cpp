//===- KernelTeamTest.cpp - the threads of parallel kernels ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Runtime/KernelTeam.h"

#include "gtest/gtest.h"

#include <atomic>
#include <thread>

using namespace pruner;

TEST(KernelTeam, EachThreadWorksOnce) {
  for (unsigned threads : {1u, 3u, 2u, 1u}) {
    setKernelThreads(threads);
    for (int region = 0; region < 100; ++region) {
      std::atomic<int> calls[4] = {};
      std::thread::id where[4];
      runOnKernelThreads([&](unsigned thread) {
        ASSERT_LT(thread, threads);
        ++calls[thread];
        where[thread] = std::this_thread::get_id();
      });
      for (unsigned n = 0; n < 4; ++n)
        EXPECT_EQ(calls[n], n < threads ? 1 : 0);
      EXPECT_EQ(where[0], std::this_thread::get_id());
      for (unsigned n = 1; n < threads; ++n)
        EXPECT_NE(where[n], where[n - 1]);
    }
  }
  setKernelThreads(0);
}

// Loaded code refers to all of them by name.
TEST(KernelTeam, NamesAreThoseOfOpenMP) {
  auto symbols = kernelThreadSymbols();
  EXPECT_EQ(symbols.size(), 8u);
  for (auto [name, address] : symbols) {
    EXPECT_TRUE(name.starts_with("__kmpc_")) << name.str();
    EXPECT_NE(address, nullptr);
  }
}
