//===- Subprocess.h - a child process that exchanges lines ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_SUPPORT_SUBPROCESS_H
#define PRUNER_SUPPORT_SUBPROCESS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pruner {

/// The program to start, and its limits.
struct SubprocessOptions {
  /// A path, or a name to look up in PATH.
  std::string program;
  /// The arguments, without argv[0].
  std::vector<std::string> arguments;
  /// Environment variables to set in addition to the inherited ones.
  std::vector<std::pair<std::string, std::string>> environment;
  /// The program calls becomeGuarded() (Support/Guard.h). Killing it then sends
  /// a request to its guard, which also kills processes that left the process
  /// group.
  bool guarded = false;
  /// Limit of the address space in bytes (RLIMIT_AS); 0 for none. If this
  /// process has a lower limit itself, that one applies, here and below. Builds
  /// with AddressSanitizer do not set it.
  uint64_t addressSpaceBytes = 0;
  /// Limit of CPU time in seconds (RLIMIT_CPU); 0 for none. A last resort that
  /// holds even if this process stops supervising the child.
  uint64_t cpuSeconds = 0;
  /// The CPUs that the child may run on; empty for the inherited set.
  std::vector<unsigned> cpus;
  /// The file for its stderr. If empty, the last `stderrBytes` are kept.
  std::string stderrFile;
  size_t stderrBytes = size_t(64) << 10;
  /// A longer line on its stdout is an error (see ReadStatus::TooLong).
  size_t maxLineBytes = size_t(16) << 20;
};

/// How a process ended.
struct ExitStatus {
  int code = 0;   ///< The exit code, if `signal` is 0.
  int signal = 0; ///< The signal that killed it, or 0.

  bool success() const { return !code && !signal; }
  /// "exit code 3" or "SIGSEGV", for example.
  std::string text() const;
};

/// The name of a signal ("SIGSEGV"), or "signal N" for one without a name.
std::string signalName(int signal);

/// A child process with pipes on stdin and stdout that exchanges lines.
///
/// The child leads its own process group. When it ends or is killed, the rest
/// of the group is killed too, so nothing that it started outlives it, except
/// processes that left the group on purpose; with a guard, not even those. The
/// kernel kills the child (PR_SET_PDEATHSIG) when the *thread* that started it
/// ends, so start children from a thread that outlives them. The child inherits
/// only the file descriptors 0 to 2, no blocked or ignored signals, and writes
/// no core files.
///
/// No call blocks past its deadline, is disturbed by signals, or raises
/// SIGPIPE. While a call waits, it reads everything that the child writes, so
/// the two processes cannot block each other. Not thread safe.
class Subprocess {
public:
  using Clock = std::chrono::steady_clock;
  using Deadline = Clock::time_point;

  /// The deadline `seconds` from now.
  static Deadline in(double seconds);

  /// Starts the child. Fails if the program cannot be executed or a limit
  /// cannot be set; the error names it.
  static llvm::Expected<Subprocess> start(const SubprocessOptions &options);

  Subprocess(Subprocess &&);
  Subprocess &operator=(Subprocess &&);
  /// Kills the group of the child if the child still runs.
  ~Subprocess();

  enum class IoStatus {
    Ok,
    Eof,     ///< The child closed its end; it is usually dead.
    Timeout, ///< The deadline passed first.
    TooLong, ///< More than maxLineBytes without a newline; kill the child.
    Error,   ///< A system error; see `line`.
  };
  struct ReadResult {
    IoStatus status;
    /// The line without its newline. With Eof an incomplete last line, with
    /// Error the reason.
    std::string line;
  };

  /// Sends `line` and a newline. After a Timeout a part of it may have been
  /// sent, and the stream is unusable.
  IoStatus writeLine(llvm::StringRef line, Deadline deadline);

  /// Receives the next line.
  ReadResult readLine(Deadline deadline);

  /// Closes stdin of the child, which asks it to end.
  void closeInput();

  /// Kills the whole process group with SIGKILL, or asks the guard to do so.
  /// Does not wait.
  void kill();

  /// Waits for the child to end and returns how it ended; std::nullopt if the
  /// deadline passed first. May be called again after the end.
  std::optional<ExitStatus> wait(Deadline deadline);

  /// kill() and wait(). Always returns a status, because SIGKILL cannot be
  /// ignored.
  ExitStatus killAndWait();

  /// The last bytes of the child's stderr so far.
  llvm::StringRef stderrTail();

  int pid() const;

private:
  struct State;
  explicit Subprocess(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

} // namespace pruner

#endif // PRUNER_SUPPORT_SUBPROCESS_H
