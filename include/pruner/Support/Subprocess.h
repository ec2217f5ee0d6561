//===- Subprocess.h - a child process spoken to by lines --------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

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

/// What to start and under which limits.
struct SubprocessOptions {
  /// The program's path, or a name to look up in PATH.
  std::string program;
  /// Its arguments, without argv[0].
  std::vector<std::string> arguments;
  /// Environment variables set on top of the inherited ones.
  std::vector<std::pair<std::string, std::string>> environment;
  /// The program calls becomeGuarded() (Support/Guard.h): ending it is asked of
  /// its guard, which also ends what left the process group.
  bool guarded = false;
  /// Limit of the address space in bytes (RLIMIT_AS), 0 for none. Where this
  /// process is under a lower limit itself, that stays, here and below.
  uint64_t addressSpaceBytes = 0;
  /// Limit of CPU time in seconds (RLIMIT_CPU), 0 for none. A last resort that
  /// holds even if this process stops watching.
  uint64_t cpuSeconds = 0;
  /// The CPUs that the child may run on; empty for the inherited set.
  std::vector<unsigned> cpus;
  /// Where its stderr goes; if empty, the last `stderrBytes` of it are kept.
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
  /// "exit code 3" or "SIGSEGV".
  std::string text() const;
};

/// The name of a signal ("SIGSEGV"), or "signal N" for one without a name.
std::string signalName(int signal);

/// A child process with pipes on stdin and stdout, spoken to by lines.
///
/// The child leads its own process group; whenever it ends or is killed, the
/// rest of the group goes with it, so nothing that it started outlives it
/// (unless it left the group on purpose; a guarded child's cannot). It is
/// killed by the kernel (PR_SET_PDEATHSIG) when the *thread* that started it
/// ends: start children from a thread that outlives them. It inherits no file
/// descriptors but 0 to 2, no blocked or ignored signals, and leaves no core
/// files.
///
/// No call blocks past its deadline, is disturbed by signals, or raises
/// SIGPIPE. While a call waits, everything that the child writes is taken from
/// it, so that neither side can wait for the other. Not thread safe.
class Subprocess {
public:
  using Clock = std::chrono::steady_clock;
  using Deadline = Clock::time_point;

  /// The deadline `seconds` from now.
  static Deadline in(double seconds);

  /// Starts the child. A program that cannot be executed, or a limit that
  /// cannot be set, is an error that names it.
  static llvm::Expected<Subprocess> start(const SubprocessOptions &options);

  Subprocess(Subprocess &&);
  Subprocess &operator=(Subprocess &&);
  /// Kills the child's group if it still runs.
  ~Subprocess();

  enum class IoStatus {
    Ok,
    Eof,     ///< The child closed its end; usually it is dead.
    Timeout, ///< The deadline passed first.
    TooLong, ///< More than maxLineBytes without a newline; kill the child.
    Error,   ///< The system refused, see `line`.
  };
  struct ReadResult {
    IoStatus status;
    /// The line without its newline; with Eof an unfinished last line, with
    /// Error the reason.
    std::string line;
  };

  /// Sends `line` and a newline. After a Timeout part of it may be sent, and
  /// the stream is of no more use.
  IoStatus writeLine(llvm::StringRef line, Deadline deadline);

  /// Receives the next line.
  ReadResult readLine(Deadline deadline);

  /// Closes the child's stdin, the polite way to ask it to end.
  void closeInput();

  /// Kills the whole process group with SIGKILL, or asks the guard to. Does not
  /// wait.
  void kill();

  /// Waits for the child to end and returns how; nothing if the deadline passed
  /// first. Can be asked again after the end.
  std::optional<ExitStatus> wait(Deadline deadline);

  /// kill() and wait(): never returns nothing, since SIGKILL cannot be refused.
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
