//===- WorkerThread.h - a thread with its worker ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_MEASURE_WORKERTHREAD_H
#define PRUNER_LIB_MEASURE_WORKERTHREAD_H

#include "pruner/Measure/WorkerProcess.h"
#include "pruner/Support/Threads.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>

namespace pruner {

/// A thread with its own worker. Children die with the thread that started
/// them, so the thread lives as long as the pool. If no thread can be created,
/// the submitting thread runs the jobs.
class WorkerThread {
public:
  explicit WorkerThread(WorkerCommand command) : worker(std::move(command)) {
    thread.start([this] { loop(); });
  }
  ~WorkerThread() {
    if (hasThread()) {
      post(nullptr);
      thread.join();
    } else {
      worker.stop();
    }
  }

  bool hasThread() const { return thread.isRunning(); }

  using Job = std::function<void(WorkerProcess &)>;
  std::future<void> submit(Job job) {
    auto done = std::make_shared<std::promise<void>>();
    std::future<void> future = done->get_future();
    if (!hasThread()) {
      job(worker);
      done->set_value();
      return future;
    }
    post([job = std::move(job), done](WorkerProcess &worker) {
      job(worker);
      done->set_value();
    });
    return future;
  }

  WorkerProcess worker; ///< Other threads use it only while no job runs.

private:
  void post(Job job) {
    std::lock_guard<std::mutex> lock(mutex);
    jobs.push_back(std::move(job));
    wake.notify_one();
  }
  void loop() {
    while (true) {
      std::unique_lock<std::mutex> lock(mutex);
      wake.wait(lock, [this] { return !jobs.empty(); });
      Job job = std::move(jobs.front());
      jobs.pop_front();
      lock.unlock();
      if (!job)
        return worker.stop();
      job(worker);
    }
  }

  std::mutex mutex;
  std::condition_variable wake;
  std::deque<Job> jobs;
  Thread thread; ///< Last, because it uses all members above.
};

} // namespace pruner

#endif // PRUNER_LIB_MEASURE_WORKERTHREAD_H
