//===- WorkerTeam.h - workers that share work -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_MEASURE_WORKERTEAM_H
#define PRUNER_LIB_MEASURE_WORKERTEAM_H

#include "WorkerThread.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <chrono>
#include <vector>

namespace pruner {

/// Workers of the same command. A member that could not get a worker rests for
/// a while, and the others do its part.
class WorkerTeam {
public:
  WorkerTeam(const WorkerCommand &command, unsigned count);

  size_t size() const { return members.size(); }
  /// The first member, whether it rests or not.
  WorkerThread &front() { return *members.front().thread; }
  /// How often workers were started.
  unsigned starts() const;

  /// Calls `work` for each of `items`, in order, on as many members as there
  /// are items, several at a time. `work` returns false if there was no worker;
  /// another member then takes the item. A member that finds nothing left calls
  /// `afterwards`, if it is set. Returns the items for which no member had a
  /// worker.
  std::vector<size_t>
  share(const std::vector<size_t> &items,
        llvm::function_ref<bool(WorkerProcess &, size_t)> work,
        llvm::function_ref<void(WorkerProcess &)> afterwards = nullptr);

  /// Starts `work` on up to `most` members that do not rest, or among all if
  /// all rest. `work` gets the number of the member, from 0, and returns false
  /// if there was no worker. Wait for the futures before any other call.
  std::vector<std::future<void>>
  startEach(size_t most,
            const std::function<bool(WorkerProcess &, size_t)> &work);

  /// Calls `work` on one member after the other, resting ones last, and repeats
  /// until it returns true, at most `attempts` times.
  void tryMembers(size_t attempts,
                  llvm::function_ref<bool(WorkerProcess &)> work);

private:
  using Clock = std::chrono::steady_clock;
  struct Member {
    std::unique_ptr<WorkerThread> thread;
    Clock::time_point restsUntil; ///< Only its thread accesses it during work.

    void note(bool hadWorker);
  };
  /// All members, resting ones last, and the number of those that do not rest.
  std::pair<std::vector<Member *>, size_t> inOrder();

  std::vector<Member> members;
};

} // namespace pruner

#endif // PRUNER_LIB_MEASURE_WORKERTEAM_H
