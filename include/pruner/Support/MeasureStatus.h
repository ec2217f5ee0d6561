//===- MeasureStatus.h - how a measurement ended ----------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_SUPPORT_MEASURESTATUS_H
#define PRUNER_SUPPORT_MEASURESTATUS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace pruner {

/// How the measurement of one candidate ended. The list is closed: whoever
/// measures maps every failure to one of these and tells the rest in words.
/// It stands in Support because the rooms that measure and that record are on
/// one level and may not include each other.
enum class MeasureStatus {
  Ok,           ///< Built, ran, and nothing contradicts the result.
  BuildError,   ///< The compiler refused the candidate.
  BuildTimeout, ///< The compiler did not finish in time.
  BuildCrash,   ///< The compiler died: a signal, or an abort.
  RunError,     ///< The program or the device reported an error.
  RunTimeout,   ///< The program did not finish in time.
  RunCrash,     ///< The program died of a signal.
  OutOfMemory,  ///< Host or device memory, while building or running.
  WrongResult,  ///< It ran, and its output differs from the reference.
  Unmeasured,   ///< Predicted only, never built.
};

/// Every status, in the order of the enumeration.
llvm::ArrayRef<MeasureStatus> allMeasureStatuses();

/// The stable name ("ok", "build-error", ...) that databases and exports hold.
llvm::StringRef stringifyMeasureStatus(MeasureStatus status);

/// The inverse of stringifyMeasureStatus; nothing for any other text.
std::optional<MeasureStatus> symbolizeMeasureStatus(llvm::StringRef name);

} // namespace pruner

#endif // PRUNER_SUPPORT_MEASURESTATUS_H
