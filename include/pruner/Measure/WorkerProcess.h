//===- WorkerProcess.h - the tuner's side of one worker ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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
  /// If empty, run `program` directly. Otherwise a shell command line that
  /// speaks the protocol, such as `ssh host pruner-worker`.
  std::string exec;
  std::string program = "pruner-worker";
  std::vector<std::string> arguments;
  /// Limit of the worker's address space, bytes; 0 for none. Not used with
  /// `exec`, because it would limit the wrong process.
  uint64_t addressSpaceBytes = 0;
  std::vector<unsigned> cpus;
  /// Directory for temporary files of the worker and its children; if empty,
  /// that of this process.
  std::string temporaryDirectory;
  /// The key of the machine that is to measure, which is sent to the worker. If
  /// the greeting names a machine it must be this one; the greeting of a relay
  /// must name it. Empty: any machine.
  std::string machine;
  /// HelloReply::codeGenerator() of a builder. Empty: any.
  std::string generator;
  /// With `exec` the command may first have to connect.
  double helloSeconds = 20, helloSecondsExec = 60;
  /// A worker that cannot be started, or dies before its greeting, is started
  /// again, up to this many times in total, after startPause seconds, 3 *
  /// startPause, and so on.
  unsigned startAttempts = 4;
  double startPause = 0.1;
  /// When this returns true, the current request gets stopSeconds more, and no
  /// other is made. Called from the thread that uses the worker.
  std::function<bool()> stopAsked;
  double stopSeconds = 2;
  /// The time that a worker waits for a core on a busy machine extends its
  /// deadline, up to this factor in total. Not used with `exec`.
  double starvedFactor = 10;
  /// A relay ends its workers at their deadlines. This is the additional time
  /// to wait for a relay that does not report it, seconds.
  double relaySeconds = 10;
};

/// Parses the option for runners and builders: `local` or `exec:<command>`.
/// `what` names the option in the error.
llvm::Expected<WorkerCommand> parseRunner(llvm::StringRef text,
                                          WorkerCommand local,
                                          llvm::StringRef what = "runner");

/// One worker. It is started on demand, under a guard (Support/Guard.h), and
/// again after it died, hung or sent an invalid reply. The class remembers
/// which tasks the current worker has. Not thread safe; all calls must come
/// from one thread (see Subprocess).
class WorkerProcess {
public:
  explicit WorkerProcess(WorkerCommand command) : command(std::move(command)) {}
  ~WorkerProcess();

  using Failure = WorkerFailure;
  struct Result {
    /// The reply, if there is one, with the type and id of the request.
    std::optional<llvm::json::Value> reply;
    Failure failure = Failure::Died;
    std::string reason;
  };

  /// Sends `request` (with `type` and `id`) and waits for its reply. Earlier
  /// lines of the worker, and further replies to earlier requests, are ignored.
  /// After a failure the worker is dead, with everything that it started. If a
  /// relay reports the failure, the relay lives on. If the relay itself dies or
  /// misses its deadline, the failure is `Lost`.
  Result call(const llvm::json::Object &request, double deadlineSeconds);

  /// Registers the task with the worker unless it is known. A task with a
  /// reference is registered again if another one was registered in between, so
  /// that a dropped reference is computed again within this deadline.
  Result ensureTask(TaskRequest request, double deadlineSeconds);

  /// Starts a worker if none is running. Returns its greeting, or why there is
  /// none.
  llvm::Expected<HelloReply> greet();
  /// The greeting of the last worker.
  const std::optional<HelloReply> &hello() const { return greeting; }
  /// How often a worker was started.
  unsigned starts() const { return numStarts; }
  /// How often a relay, or its worker, was lost.
  unsigned losses() const { return numLost; }
  /// Asks the worker to end; the next call starts another.
  void stop();
  /// Replaces the worker, which asked for it. A relay replaces its worker
  /// itself and lives on.
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
  /// Type and id of the requests that the current worker has answered.
  std::set<std::pair<std::string, int64_t>> answered;
  unsigned numStarts = 0, numLost = 0;
};

} // namespace pruner

#endif // PRUNER_MEASURE_WORKERPROCESS_H
