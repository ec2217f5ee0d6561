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
#include <functional>
#include <memory>
#include <optional>
#include <set>
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
  /// For the directory of temporary files of the worker and all it starts;
  /// empty for this process's.
  std::string temporaryDirectory;
  /// The key of the machine that is to measure, which the worker is told of.
  /// Its greeting must say the same, if it says anything, and a relay's must.
  /// Empty: anything.
  std::string machine;
  /// HelloReply::codeGenerator() of a builder. Empty: anything.
  std::string generator;
  /// With `exec` a connection may have to be made first.
  double helloSeconds = 20, helloSecondsExec = 60;
  /// A worker that cannot be started, or dies before it greeted, is started
  /// again, so often in all, after startPause seconds, 3 * startPause, and so
  /// on.
  unsigned startAttempts = 4;
  double startPause = 0.1;
  /// When this becomes true, the request under way gets stopSeconds more, and
  /// no other is made. Called from the thread that uses the worker.
  std::function<bool()> stopAsked;
  double stopSeconds = 2;
  /// A worker that waits for a core on a busy machine gets that time on top of
  /// its deadline, up to this times the deadline in all. Not used with `exec`.
  double starvedFactor = 10;
  /// A relay ends its workers at the deadlines; how much longer one that does
  /// not say so is waited for, seconds.
  double relaySeconds = 10;
};

/// Parses the seam for runners and builders: `local` or `exec:<command>`.
/// `what` it is for stands in the error.
llvm::Expected<WorkerCommand> parseRunner(llvm::StringRef text,
                                          WorkerCommand local,
                                          llvm::StringRef what = "runner");

/// Starts a worker, under a guard (Support/Guard.h), when it is needed, and
/// again after it died, hung or answered nonsense; knows which tasks the living
/// one was told of. Not thread safe, and to be used by one thread only (see
/// Subprocess).
class WorkerProcess {
public:
  explicit WorkerProcess(WorkerCommand command) : command(std::move(command)) {}
  ~WorkerProcess();

  using Failure = WorkerFailure;
  struct Result {
    /// The reply, if there is one; it has the request's type and id.
    std::optional<llvm::json::Value> reply;
    Failure failure = Failure::Died;
    std::string reason;
  };

  /// Sends `request` (with `type` and `id`) and waits for its reply. What the
  /// worker said before, and further replies to earlier requests, are no reply
  /// and are left out. After a failure the worker is dead, and everything that
  /// it started with it; where a relay tells the failure that one lives on.
  /// What a relay does not do in time, or dies of, is `Lost`.
  Result call(const llvm::json::Object &request, double deadlineSeconds);

  /// Tells the worker of a task if it does not know it yet; of one with a
  /// reference again where it was told of another in between, so that a
  /// reference which was dropped is made with this deadline.
  Result ensureTask(TaskRequest request, double deadlineSeconds);

  /// Starts a worker where none lives; its greeting, or why there is none.
  llvm::Expected<HelloReply> greet();
  /// Who greeted us last.
  const std::optional<HelloReply> &hello() const { return greeting; }
  /// How often a worker was started.
  unsigned starts() const { return numStarts; }
  /// How often a relay, or the worker behind it, was lost.
  unsigned losses() const { return numLost; }
  /// Ends the worker politely; the next call starts another.
  void stop();
  /// The worker asked to be replaced. A relay does that itself, and lives on.
  void retire();

private:
  std::optional<Result> start();
  std::optional<Result> startOnce();
  bool stopAsked() const { return command.stopAsked && command.stopAsked(); }
  bool discardExtraReplies();
  Subprocess::ReadResult read(Subprocess::Deadline deadline);
  std::optional<Result> takeReply(const llvm::json::Object &request,
                                  llvm::StringRef line);
  Result failedRead(const Subprocess::ReadResult &read, double deadlineSeconds);
  Result tooLate(double deadlineSeconds);
  Result exchange(const llvm::json::Object &request, double deadlineSeconds);
  Result exchangeWithRelay(llvm::json::Object request, double deadlineSeconds);
  Result exchangeOnce(const llvm::json::Object &request,
                      double deadlineSeconds);
  std::optional<Result> takeFailure(const llvm::json::Object &request,
                                    const llvm::json::Object &told);
  Result fail(Failure failure, std::string reason);
  void forgetTasks();

  WorkerCommand command;
  std::optional<Subprocess> process;
  std::optional<HelloReply> greeting;
  std::vector<std::string> tasks;
  std::string lastTask; ///< With a reference.
  /// Type and id of what the living worker has answered.
  std::set<std::pair<std::string, int64_t>> answered;
  unsigned numStarts = 0, numLost = 0;
};

} // namespace pruner

#endif // PRUNER_MEASURE_WORKERPROCESS_H
