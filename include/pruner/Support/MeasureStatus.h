//===- MeasureStatus.h - the status of a measurement ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_SUPPORT_MEASURESTATUS_H
#define PRUNER_SUPPORT_MEASURESTATUS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace pruner {

/// How the measurement of one candidate ended. The list is closed: every
/// failure maps to one of these, and a text gives the details. It is in Support
/// because Measure and Record are on the same level and may not include each
/// other.
enum class MeasureStatus {
  Ok,           ///< Built and ran; nothing contradicts the result.
  BuildError,   ///< The compiler rejected the candidate.
  BuildTimeout, ///< The compiler did not finish in time.
  BuildCrash,   ///< The compiler died of a signal or aborted.
  RunError,     ///< The program or the device reported an error.
  RunTimeout,   ///< The program did not finish in time.
  RunCrash,     ///< The program died of a signal.
  OutOfMemory,  ///< Host or device memory, in building or running.
  WrongResult,  ///< It ran, but its output is wrong.
  Unmeasured,   ///< Only predicted, never built.
};

/// Every status, in the order of the enumeration.
llvm::ArrayRef<MeasureStatus> allMeasureStatuses();

/// The stable name ("ok", "build-error", ...) in databases and exports.
llvm::StringRef stringifyMeasureStatus(MeasureStatus status);

/// The inverse of stringifyMeasureStatus; std::nullopt for other text.
std::optional<MeasureStatus> symbolizeMeasureStatus(llvm::StringRef name);

} // namespace pruner

#endif // PRUNER_SUPPORT_MEASURESTATUS_H
