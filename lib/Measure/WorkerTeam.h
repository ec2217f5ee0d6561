//===- WorkerTeam.h - workers that share work out ---------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_MEASURE_WORKERTEAM_H
#define PRUNER_LIB_MEASURE_WORKERTEAM_H

#include "WorkerThread.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <chrono>
#include <vector>

namespace pruner {

/// Workers of the same command. One that could get no worker rests for a while,
/// in which the others do its part.
class WorkerTeam {
public:
  WorkerTeam(const WorkerCommand &command, unsigned count);

  size_t size() const { return members.size(); }
  /// The first one, whether it rests or not.
  WorkerThread &front() { return *members.front().thread; }
  /// How often workers were started.
  unsigned starts() const;

  /// Calls `work` for each of `items`, in order, on as many members as there
  /// are items; several at a time. It returns false where there was no worker:
  /// the item is another member's then. A member that finds nothing left does
  /// `afterwards`, if that is anything. Returns the items for which no member
  /// had a worker.
  std::vector<size_t>
  share(const std::vector<size_t> &items,
        llvm::function_ref<bool(WorkerProcess &, size_t)> work,
        llvm::function_ref<void(WorkerProcess &)> afterwards = nullptr);

  /// Begins `work` on up to `most` members that do not rest, of all if all do.
  /// It is told which of them, from 0, and returns false where there was no
  /// worker. The futures are to be waited for before anything else is asked.
  std::vector<std::future<void>>
  startEach(size_t most,
            const std::function<bool(WorkerProcess &, size_t)> &work);

  /// Calls `work` on one member after the other, those that rest last, and
  /// round again, until it returns true, `attempts` times at most.
  void inTurn(size_t attempts, llvm::function_ref<bool(WorkerProcess &)> work);

private:
  using Clock = std::chrono::steady_clock;
  struct Member {
    std::unique_ptr<WorkerThread> thread;
    Clock::time_point restsUntil; ///< Touched by its thread while that works.

    void note(bool hadWorker);
  };
  /// All, those that rest last, and how many do not.
  std::pair<std::vector<Member *>, size_t> inOrder();

  std::vector<Member> members;
};

} // namespace pruner

#endif // PRUNER_LIB_MEASURE_WORKERTEAM_H
