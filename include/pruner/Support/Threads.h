//===- Threads.h - threads whose creation may fail --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Limits of a user, a container or the address space can make the creation of a
// thread fail at any time. std::thread, std::async and LLVM's thread pools then
// throw, which ends the process because exceptions are disabled. The functions
// here report the failure instead, and the caller does the work itself.

#ifndef PRUNER_SUPPORT_THREADS_H
#define PRUNER_SUPPORT_THREADS_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstddef>
#include <functional>
#include <pthread.h>

namespace pruner {

/// A thread, or no thread yet.
class Thread {
public:
  Thread() = default;
  Thread(const Thread &) = delete;
  Thread &operator=(const Thread &) = delete;
  /// Waits for the thread.
  ~Thread() { join(); }

  /// Runs `work` on a new thread. Returns false, without running it, if no
  /// thread can be created. Must not be called while a thread is running.
  bool start(std::function<void()> work);
  bool isRunning() const { return running; }
  /// Waits for the thread, if it is running.
  void join();

private:
  pthread_t handle{};
  bool running = false;
};

/// Calls `work` with each number below `count`, in any order. Uses as many
/// threads as there are cores, or as many as can be created, including the
/// calling one. Nested and concurrent calls share these threads.
void parallelFor(size_t count, llvm::function_ref<void(size_t)> work);

} // namespace pruner

#endif // PRUNER_SUPPORT_THREADS_H
