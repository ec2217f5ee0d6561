//===- FaultInjection.h - injected faults of workers ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_MEASURE_FAULTINJECTION_H
#define PRUNER_MEASURE_FAULTINJECTION_H

#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace pruner {

/// The ways in which a worker can be made to fail, to test its users.
enum class Fault {
  Crash,       ///< Writes through a null pointer.
  Illegal,     ///< Executes an illegal instruction.
  Abort,       ///< abort(), as by a failed assertion or a fatal error.
  Exit,        ///< exit(3).
  Hang,        ///< Spins.
  Burn,        ///< Uses a second of CPU time, then answers normally.
  Sleep,       ///< Sleeps forever with all signals except SIGKILL blocked.
  Allocate,    ///< Allocates without end.
  Overflow,    ///< Recurses without end.
  Garbage,     ///< Answers with a line that is not JSON.
  Flood,       ///< Writes to stdout and stderr without end.
  Fork,        ///< Starts 32 processes that hang, and hangs.
  Mute,        ///< Closes stdout and hangs.
  WrongId,     ///< Answers another request.
  WrongResult, ///< Changes one element of the first result (run only).
  WriteAfter,  ///< Writes past the end of the last argument (run only).
  WriteInput,  ///< Changes an input (run only).
};

/// The request at which a fault occurs.
enum class FaultStage { Task, Build, Run };

/// A list of `<fault>@<stage>:<ids>`, separated by commas. The ids are one id,
/// `*`, or `<remainder>%<modulus>`: `crash@build:3`, `hang@run:1%7`. Faults
/// also occur after a restart of the worker, because ids continue.
class FaultPlan {
public:
  static llvm::Expected<FaultPlan> parse(llvm::StringRef text);

  /// The fault for this request, if there is one.
  std::optional<Fault> at(FaultStage stage, int64_t id) const;

private:
  struct Entry {
    Fault fault;
    FaultStage stage;
    int64_t remainder, modulus; ///< modulus 0: only this id.
  };
  std::vector<Entry> entries;
};

/// Executes `fault`. Returns for faults that only concern the reply or the
/// buffers of the kernel. `replyFd` is the descriptor for replies.
void commitFault(Fault fault, int replyFd);

} // namespace pruner

#endif // PRUNER_MEASURE_FAULTINJECTION_H
