//===- Protocol.h - the messages of a measurement worker --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tuner and `pruner-worker` exchange JSON objects, one per line;
// docs/reference/WorkerProtocol.md is the reference. This file declares these
// messages as plain data, with their conversion to and from JSON. It has no
// MLIR, because the tuner's side of the protocol compiles nothing.

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

/// Raised whenever an older tuner or worker would misread a message.
inline constexpr int64_t workerProtocolVersion = 2;

/// The longest line that either side accepts, in bytes.
inline constexpr size_t workerMaxLineBytes = size_t(64) << 20;

/// First arguments with which a tuner starts pruner-worker: to put a guard
/// between them, to put a guard before a shell command that speaks the
/// protocol, and to remove a directory when the tuner has died.
inline constexpr llvm::StringLiteral workerGuardedFlag = "--guarded";
inline constexpr llvm::StringLiteral workerGuardedCommandFlag =
    "--guarded-command";
inline constexpr llvm::StringLiteral workerKeepFlag = "--keep";

/// The exit code of a worker that reached its address space limit.
inline constexpr int workerOutOfMemoryExit = 77;

/// The reply of a worker that identifies it.
struct HelloReply {
  int64_t protocol = 0;
  std::string pruner; ///< Version of the tool.
  std::string llvm;   ///< Version of LLVM and MLIR.
  std::string host;   ///< Host name.
  std::string cpu;    ///< LLVM's name of the CPU.
  int64_t pid = 0;
  /// Key of the machine that measures; empty if the worker does not report it.
  std::string machine;
  /// Identity of Pruner's code generator if the worker builds with it; empty
  /// for other compilers.
  std::string generator;
  /// The worker is a relay to workers on other machines. It ends them at their
  /// deadlines and reports their failures by `failed` (see WorkerFailure).
  bool relay = false;

  /// The code generator: the identity of Pruner's, or the name of another
  /// compiler.
  const std::string &codeGenerator() const {
    return generator.empty() ? pruner : generator;
  }
};

/// Why a request has no reply.
enum class WorkerFailure {
  CannotStart, ///< No such program, or it did not greet.
  Died,        ///< By a signal, or it exited.
  Timeout,
  OutOfMemory,
  BadReply, ///< Not JSON, not a reply to this request, or too long.
  Stopped,  ///< The tuner was asked to stop first.
  Lost,     ///< The machine or the connection is lost, independently of the
            ///< candidate.
  NoWorker, ///< A relay has no machine at present.
};

/// The failures that a relay may report, by their names in messages: `died`,
/// `timeout`, `out-of-memory`, `bad-reply`, `lost` and `no-worker`.
std::optional<WorkerFailure> symbolizeReportedFailure(llvm::StringRef name);

/// Registers a task under its key. Builders parse it. With `reference`, the
/// worker also computes the reference results, which a `run` requires.
struct TaskRequest {
  int64_t id = 0;
  std::string key;  ///< The name that later requests use.
  std::string text; ///< A module with one function on tensors.
  bool reference = false;
  int64_t seed = 0; ///< Of the inputs for verification and timing.
};

struct TaskReply {
  int64_t id = 0;
  MeasureStatus status = MeasureStatus::Ok;
  std::string reason;
  /// Results for integer inputs of this task can be compared bit for bit.
  bool exact = false;
  /// The reason if they cannot.
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
  bool ptx = false;     ///< Reply with the PTX of a cubin as well.
};

struct BuildReply {
  int64_t id = 0;
  MeasureStatus status = MeasureStatus::Ok;
  std::string reason;
  std::string format;   ///< `object`, `ptx` or `cubin`.
  std::string artifact; ///< Raw bytes here, base64 on the wire.
  std::string entry;    ///< Symbol to call or launch.
  std::string ptx;      ///< Of a cubin, on request.
  /// Milliseconds of each stage.
  llvm::json::Object stages;
  /// Static facts about the code, as far as the target provides them.
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
  /// What the launch requires in addition to the arguments (`facts` of the
  /// build).
  llvm::json::Object facts;
  int64_t threads = 1;
  bool verify = true;
  /// Do not time further if the first runs are slower than this, seconds; 0 for
  /// never.
  double censorAbove = 0;
  /// Time and samples to reach, see TimingOptions.
  double minSeconds = 0.010;
  int64_t minSamples = 5;
  /// Stop taking samples after about this time even if there are fewer,
  /// seconds; 0 for never.
  double maxSeconds = 0;
  /// The reuse distance of each input and then of each output at the start of a
  /// run; empty for warm caches. Only for host code.
  std::vector<ReuseDistance> reuseDistances;
  /// Run PTX in the PTX machine instead of a device, for at most about this
  /// many instructions of warps, and do not time it; 0: run it on a device.
  int64_t emulate = 0;
};

/// How the wall time of run requests was spent, seconds.
struct RunCosts {
  double reference = 0; ///< The reference results: computed or read back.
  double load = 0;      ///< Loading the code, allocating its buffers.
  double check = 0;     ///< Runs for verification, and comparisons.
  double timing = 0;    ///< Timed runs, and the work between them.

  RunCosts &operator+=(const RunCosts &other) {
    reference += other.reference;
    load += other.load;
    check += other.check;
    timing += other.timing;
    return *this;
  }
};

/// Times are seconds per run. Optional fields are empty if the runner does not
/// report them.
struct RunReply {
  int64_t id = 0;
  MeasureStatus status = MeasureStatus::Ok;
  std::string reason;
  double median = 0, minimum = 0, p90 = 0, spread = 1;
  int64_t samples = 0;
  /// Each sample, in the order in which they were taken. If there are any, the
  /// five fields above are computed from them, whatever the reply states. Empty
  /// if only those are known.
  std::vector<double> times;
  std::optional<int64_t> runsPerSample, repeats;
  std::optional<bool> censored, noisy;
  /// Compared with the reference and equal within its bounds.
  bool verified = false;
  /// The verification method; empty if nothing was compared, or if the worker
  /// reports none.
  std::string method;
  /// The comparison for integer inputs was bit for bit.
  std::optional<bool> exact;
  /// Largest error of the random comparison as a fraction of its bound.
  std::optional<double> errorOverBound;
  /// The share of its blocks that ran in the PTX machine, with results within
  /// the bounds; empty if none did.
  std::optional<double> emulated;
  /// The worker no longer trusts its memory or device and asks to be replaced.
  bool retire = false;
  /// How the time was spent; empty if the runner does not report it.
  std::optional<RunCosts> spent;
  /// The machine that ran it, of several of the same kind; empty if the runner
  /// does not report it.
  std::string place;
};

llvm::json::Object toJSON(const HelloReply &message);
llvm::json::Object toJSON(const TaskRequest &message);
llvm::json::Object toJSON(const TaskReply &message);
llvm::json::Object toJSON(const BuildRequest &message);
llvm::json::Object toJSON(const BuildReply &message);
llvm::json::Object toJSON(const RunRequest &message);
llvm::json::Object toJSON(const RunReply &message);

/// Unknown fields are ignored; a missing or ill-typed field is reported with
/// its path.
bool fromJSON(const llvm::json::Value &v, HelloReply &m, llvm::json::Path p);
bool fromJSON(const llvm::json::Value &v, TaskRequest &m, llvm::json::Path p);
bool fromJSON(const llvm::json::Value &v, TaskReply &m, llvm::json::Path p);
bool fromJSON(const llvm::json::Value &v, BuildRequest &m, llvm::json::Path p);
bool fromJSON(const llvm::json::Value &v, BuildReply &m, llvm::json::Path p);
bool fromJSON(const llvm::json::Value &v, RunRequest &m, llvm::json::Path p);
bool fromJSON(const llvm::json::Value &v, RunReply &m, llvm::json::Path p);

/// fromJSON with an error such as "expected string at reply.reason".
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
