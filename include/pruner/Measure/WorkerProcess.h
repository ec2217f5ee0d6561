//===- WorkerProcess.h - one worker, seen by the tuner ----------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_MEASURE_WORKERPROCESS_H
#define PRUNER_MEASURE_WORKERPROCESS_H

#include "pruner/Measure/Protocol.h"
#include "pruner/Support/Subprocess.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pruner {

/// How to start a worker.
struct WorkerCommand {
  /// Empty: run `program` directly. Otherwise a shell command line that speaks
  /// the protocol, such as `ssh host pruner-worker`.
  std::string exec;
  std::string program = "pruner-worker";
  std::vector<std::string> arguments;
  /// Limit of the worker's address space, bytes; 0 none. Not used with `exec`,
  /// where it would limit the wrong process.
  uint64_t addressSpaceBytes = 0;
  std::vector<unsigned> cpus;
  double helloSeconds = 20;
  /// A worker that waits for a core on a busy machine gets that time on top of
  /// its deadline, up to this times the deadline in all. Not used with `exec`.
  double starvedFactor = 10;
};

/// Parses the runner seam: `local` or `exec:<command>`.
llvm::Expected<WorkerCommand> parseRunner(llvm::StringRef text,
                                          WorkerCommand local);

/// Starts a worker when it is needed, and again after it died, hung or answered
/// nonsense; knows which tasks the living one was told of. Not thread safe, and
/// to be used by one thread only (see Subprocess).
class WorkerProcess {
public:
  explicit WorkerProcess(WorkerCommand command) : command(std::move(command)) {}
  ~WorkerProcess();

  enum class Failure {
    CannotStart, ///< No such program, or no greeting from it.
    Died,        ///< By a signal, or it exited.
    Timeout,
    OutOfMemory,
    BadReply, ///< Not JSON, not a reply to this request, or too long.
  };
  struct Result {
    /// The reply, if there is one; it has the request's type and id.
    std::optional<llvm::json::Value> reply;
    Failure failure = Failure::Died;
    std::string reason;
  };

  /// Sends `request` (with `type` and `id`) and waits for its reply. After a
  /// failure the worker is dead and its whole process group with it.
  Result call(const llvm::json::Object &request, double deadlineSeconds);

  /// Tells the worker of a task if it does not know it yet.
  Result ensureTask(const TaskRequest &request, double deadlineSeconds);

  /// Who greeted us last.
  const std::optional<HelloReply> &hello() const { return greeting; }
  /// How often a worker was started.
  unsigned starts() const { return numStarts; }
  /// Ends the worker politely; the next call starts another.
  void stop();

private:
  std::optional<Result> start();
  Result exchange(const llvm::json::Object &request, double deadlineSeconds);
  Result fail(Failure failure, std::string reason);

  WorkerCommand command;
  std::optional<Subprocess> process;
  std::optional<HelloReply> greeting;
  std::vector<std::string> tasks;
  unsigned numStarts = 0;
};

} // namespace pruner

#endif // PRUNER_MEASURE_WORKERPROCESS_H
