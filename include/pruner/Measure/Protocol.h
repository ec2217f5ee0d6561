//===- Protocol.h - the messages of a measurement worker --------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Line-delimited JSON between a tuner and `pruner-worker`, one object a line;
// docs/reference/WorkerProtocol.md is the reference. These are the same
// messages as plain data, with their conversion to and from JSON. No MLIR here:
// the tuner's side of the protocol compiles nothing.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_MEASURE_PROTOCOL_H
#define PRUNER_MEASURE_PROTOCOL_H

#include "pruner/Program/CacheState.h"
#include "pruner/Support/MeasureStatus.h"
#include "llvm/Support/JSON.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pruner {

/// Changes whenever an older tuner or worker would misread a message.
inline constexpr int64_t workerProtocolVersion = 2;

/// The longest line either side accepts, in bytes.
inline constexpr size_t workerMaxLineBytes = size_t(64) << 20;

/// First arguments of pruner-worker when a tuner starts it: a guard stands
/// between them; the same before a shell command that speaks the protocol; and
/// a process that removes a directory when the tuner is gone.
inline constexpr llvm::StringLiteral workerGuardedFlag = "--guarded";
inline constexpr llvm::StringLiteral workerGuardedCommandFlag =
    "--guarded-command";
inline constexpr llvm::StringLiteral workerKeepFlag = "--keep";

/// The exit code of a worker that ran into its address space limit.
inline constexpr int workerOutOfMemoryExit = 77;

/// Who answers at the other end.
struct HelloReply {
  int64_t protocol = 0;
  std::string pruner; ///< Version of the tool.
  std::string llvm;   ///< Version of LLVM and MLIR.
  std::string host;   ///< Host name.
  std::string cpu;    ///< LLVM's name of the CPU.
  int64_t pid = 0;
  /// Key of the machine that measures; empty where the worker does not say.
  std::string machine;
  /// Identity of Pruner's code generator, of a worker that builds with it;
  /// empty for other compilers.
  std::string generator;
  /// It stands before workers elsewhere, ends them at their deadlines and tells
  /// of their failures by `failed` (see WorkerFailure).
  bool relay = false;

  /// Who builds: Pruner's code generator by its identity, another compiler by
  /// its name.
  const std::string &codeGenerator() const {
    return generator.empty() ? pruner : generator;
  }
};

/// What became of a request that has no reply.
enum class WorkerFailure {
  CannotStart, ///< No such program, or no greeting from it.
  Died,        ///< By a signal, or it exited.
  Timeout,
  OutOfMemory,
  BadReply, ///< Not JSON, not a reply to this request, or too long.
  Stopped,  ///< A stop was asked for first.
  Lost,     ///< Its machine went, or the way to it: it says nothing about what
            ///< was asked.
  NoWorker, ///< A relay has none now, and nobody knows when there will be one.
};

/// The failures that a relay may tell, by their names on the wire: `died`,
/// `timeout`, `out-of-memory`, `bad-reply`, `lost` and `no-worker`.
std::optional<WorkerFailure> symbolizeToldFailure(llvm::StringRef name);

/// Registers a task under its key. Builders parse it; with `reference` the
/// reference results are computed too, which a `run` needs.
struct TaskRequest {
  int64_t id = 0;
  std::string key;  ///< The name that later requests use.
  std::string text; ///< A module with one function on tensors.
  bool reference = false;
  int64_t seed = 0; ///< Of the inputs that are verified and timed.
};

struct TaskReply {
  int64_t id = 0;
  MeasureStatus status = MeasureStatus::Ok;
  std::string reason;
  /// Integer inputs of this task can be compared to the last bit.
  bool exact = false;
  /// Why not, if not.
  std::string inexactBecause;
  double seconds = 0; ///< Time spent.
};

/// Compiles one candidate.
struct BuildRequest {
  int64_t id = 0;
  std::string task;     ///< Key of a registered task.
  std::string schedule; ///< `#pruner.schedule<...>`, or `plain` or `default`.
  std::string target;   ///< `cpu`, `cpu:<LLVM CPU>` or `nvidia:<chip>`.
  int64_t threads = 1;  ///< More than one lowers parallel loops to threads.
};

struct BuildReply {
  int64_t id = 0;
  MeasureStatus status = MeasureStatus::Ok;
  std::string reason;
  std::string format;   ///< `object`, `ptx` or `cubin`.
  std::string artifact; ///< Raw bytes here, base64 on the wire.
  std::string entry;    ///< Symbol to call or launch.
  /// Milliseconds by stage.
  llvm::json::Object stages;
  /// Static facts of the code, whatever the target can tell.
  llvm::json::Object facts;
};

/// Verifies and times one artifact.
struct RunRequest {
  int64_t id = 0;
  std::string task;
  std::string target;
  std::string format;
  std::string artifact;
  std::string entry;
  /// What the launch needs besides the arguments (`facts` of the build).
  llvm::json::Object facts;
  int64_t threads = 1;
  bool verify = true;
  /// Give up timing when the first run is slower than this, seconds; 0 never.
  double censorAbove = 0;
  /// Time and samples to reach, see TimingOptions.
  double minSeconds = 0.010;
  int64_t minSamples = 5;
  /// Stop taking samples about here even if they are fewer, seconds; 0 never.
  double maxSeconds = 0;
  /// Of each input and then of each output how far away it is to be when a run
  /// begins; none: warm caches. Of host code only.
  std::vector<ReuseDistance> reuseDistances;
};

/// Where the wall time of run requests went, seconds.
struct RunCosts {
  double reference = 0; ///< What the task should compute: made or read back.
  double load = 0;      ///< The code, its buffers.
  double check = 0;     ///< Verifying runs and comparisons.
  double timing = 0;    ///< Timed runs, and what is done between them.

  RunCosts &operator+=(const RunCosts &other) {
    reference += other.reference;
    load += other.load;
    check += other.check;
    timing += other.timing;
    return *this;
  }
};

/// Times are seconds per run. What a runner may leave unsaid is nothing then.
struct RunReply {
  int64_t id = 0;
  MeasureStatus status = MeasureStatus::Ok;
  std::string reason;
  double median = 0, minimum = 0, p90 = 0, spread = 1;
  int64_t samples = 0;
  /// Each sample, in the order in which they were taken; then the five above
  /// follow from them, whatever is said. Empty where only those are known.
  std::vector<double> times;
  std::optional<int64_t> runsPerSample, repeats;
  std::optional<bool> censored, noisy;
  /// Compared with the reference and equal within its bounds.
  bool verified = false;
  /// By which method; empty if nothing was compared, or the worker names none.
  std::string method;
  /// The comparison with integers was bit for bit.
  std::optional<bool> exact;
  /// Largest error of the random comparison as a fraction of its bound.
  std::optional<double> errorOverBound;
  /// The worker no longer trusts its own memory or device: replace it.
  bool retire = false;
  /// Where the time went; nothing where the runner does not say.
  std::optional<RunCosts> spent;
  /// The one of several machines of the same kind that ran it; empty where the
  /// runner does not say.
  std::string place;
};

llvm::json::Object toJSON(const HelloReply &message);
llvm::json::Object toJSON(const TaskRequest &message);
llvm::json::Object toJSON(const TaskReply &message);
llvm::json::Object toJSON(const BuildRequest &message);
llvm::json::Object toJSON(const BuildReply &message);
llvm::json::Object toJSON(const RunRequest &message);
llvm::json::Object toJSON(const RunReply &message);

/// Unknown fields are ignored; a missing or ill-typed one is reported at its
/// path.
bool fromJSON(const llvm::json::Value &v, HelloReply &m, llvm::json::Path p);
bool fromJSON(const llvm::json::Value &v, TaskRequest &m, llvm::json::Path p);
bool fromJSON(const llvm::json::Value &v, TaskReply &m, llvm::json::Path p);
bool fromJSON(const llvm::json::Value &v, BuildRequest &m, llvm::json::Path p);
bool fromJSON(const llvm::json::Value &v, BuildReply &m, llvm::json::Path p);
bool fromJSON(const llvm::json::Value &v, RunRequest &m, llvm::json::Path p);
bool fromJSON(const llvm::json::Value &v, RunReply &m, llvm::json::Path p);

/// fromJSON with the failure as an error: "expected string at reply.reason".
template <typename T>
llvm::Expected<T> parseMessage(const llvm::json::Value &value,
                               llvm::StringRef what) {
  T message;
  llvm::json::Path::Root root(what);
  if (!fromJSON(value, message, root))
    return root.getError();
  return message;
}

} // namespace pruner

#endif // PRUNER_MEASURE_PROTOCOL_H
