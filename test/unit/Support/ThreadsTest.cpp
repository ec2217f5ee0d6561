//===- ThreadsTest.cpp - threads, and work without threads ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Support/Threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace pruner;

static bool eachOnce(size_t count) {
  std::vector<std::atomic<int>> calls(count);
  parallelFor(count, [&](size_t n) { ++calls[n]; });
  for (auto &number : calls)
    if (number != 1)
      return false;
  return true;
}

TEST(Threads, EachNumberOnce) {
  for (size_t count : {0, 1, 2, 1000})
    EXPECT_TRUE(eachOnce(count)) << count;
}

// Nested loops do not multiply threads.
TEST(Threads, NestedLoopsShareThreads) {
  std::atomic<int> calls = 0;
  parallelFor(20, [&](size_t) {
    parallelFor(20, [&](size_t) { parallelFor(20, [&](size_t) { ++calls; }); });
  });
  EXPECT_EQ(calls, 8000);
  EXPECT_TRUE(eachOnce(100));
}

TEST(Threads, StartAgainAfterTheirEnd) {
  Thread thread;
  EXPECT_FALSE(thread.isRunning());
  for (int turn = 1; turn <= 3; ++turn) {
    int done = 0;
    ASSERT_TRUE(thread.start([&] { done = turn; }));
    thread.join();
    EXPECT_EQ(done, turn);
  }
}

// No memory for a stack has the same effect as no thread.
TEST(Threads, WithoutThreadsTheCallerWorks) {
  std::fflush(nullptr);
  pid_t child = fork();
  if (child == 0) {
    pthread_attr_t large;
    pthread_attr_init(&large);
    pthread_attr_setstacksize(&large, size_t(1) << 46);
    if (pthread_setattr_default_np(&large))
      _exit(2);
    Thread thread;
    if (thread.start([] {}) || thread.isRunning())
      _exit(3);
    _exit(eachOnce(100) ? 0 : 4);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}
