//===- Threads.h - threads that the system may refuse -----------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Limits of a user, of a container or of address space leave a process without
// another thread at any time. std::thread, std::async and LLVM's pools end the
// process then: they throw, where exceptions are off. What is started here says
// so, and its caller does the work itself.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_SUPPORT_THREADS_H
#define PRUNER_SUPPORT_THREADS_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstddef>
#include <functional>
#include <pthread.h>

namespace pruner {

/// A thread, or none yet.
class Thread {
public:
  Thread() = default;
  Thread(const Thread &) = delete;
  Thread &operator=(const Thread &) = delete;
  /// Waits for it.
  ~Thread() { join(); }

  /// Runs `work` on a new thread. False if the system has none left; then
  /// nothing was run. Not while one is running.
  bool start(std::function<void()> work);
  bool isRunning() const { return running; }
  /// Waits for its end, if it runs.
  void join();

private:
  pthread_t handle{};
  bool running = false;
};

/// Calls `work` with each number below `count`, in no order, on as many threads
/// as there are cores, or as the system grants; the calling one is among them.
/// Calls from inside of `work`, or from other threads, share these threads.
void parallelFor(size_t count, llvm::function_ref<void(size_t)> work);

} // namespace pruner

#endif // PRUNER_SUPPORT_THREADS_H
