//===- Threads.cpp - threads whose creation may fail ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Support/Threads.h"

#include "llvm/Support/Threading.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <memory>

using namespace pruner;

static void *runWork(void *argument) {
  std::unique_ptr<std::function<void()>> work(
      static_cast<std::function<void()> *>(argument));
  (*work)();
  return nullptr;
}

bool Thread::start(std::function<void()> work) {
  auto own = std::make_unique<std::function<void()>>(std::move(work));
  running = pthread_create(&handle, nullptr, runWork, own.get()) == 0;
  if (running)
    (void)own.release(); // The new thread owns it.
  return running;
}

void Thread::join() {
  if (running)
    pthread_join(handle, nullptr);
  running = false;
}

/// Threads of parallelFor in addition to its callers: as many as there are
/// cores, also for nested loops.
static std::atomic<size_t> helpers = 0;

void pruner::parallelFor(size_t count, llvm::function_ref<void(size_t)> work) {
  std::atomic<size_t> next = 0;
  auto take = [&] {
    for (size_t n; (n = next++) < count;)
      work(n);
  };
  size_t most = llvm::hardware_concurrency().compute_thread_count();
  std::deque<Thread> others;
  while (others.size() + 1 < std::min(count, most)) {
    if (++helpers >= most || !others.emplace_back().start(take)) {
      --helpers;
      break;
    }
  }
  take();
  for (Thread &thread : others) {
    if (!thread.isRunning())
      continue;
    thread.join();
    --helpers;
  }
}
