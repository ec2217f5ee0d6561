//===- Choice.h - which schedule the records speak for ----------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The fastest of many noisy measurements is often the luckiest one. So a tuner
// ends with a final: the few best schedules, and the untuned default where it
// comes near them, are timed in turns. The times of a final are records like
// others; what is chosen follows from the records alone, whoever reads them.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_RECORD_CHOICE_H
#define PRUNER_RECORD_CHOICE_H

#include "pruner/Record/Record.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace pruner {

/// The strategy of the records of finals. Those of one final have a run id of
/// their own in common; times[i] was measured in turn i.
inline constexpr llvm::StringLiteral kFinalStrategy = "final";

/// The same of finals that were held in a network: seconds of one call there.
inline constexpr llvm::StringLiteral kNetworkFinalStrategy = "network-final";

/// Whether the record is of a final of either kind.
bool isOfFinal(const Record &record);

/// The schedule of the untuned default.
inline constexpr llvm::StringLiteral kDefaultSchedule = "default";

/// True for text that starts like a schedule attribute.
bool isScheduleText(llvm::StringRef text);

/// What to apply to a task.
struct Choice {
  /// The chosen record, verified; nothing if the default is kept or nothing is
  /// known.
  std::optional<Record> record;
  /// Seconds of the chosen record, or of the default if that is kept.
  std::optional<double> seconds;
  /// Seconds of the untuned default by the measurement that `seconds` compares
  /// with; nothing if there is none.
  std::optional<double> defaultSeconds;
  /// True if a verified schedule was not faster than the default.
  bool keptDefault = false;
};

/// True if `times` beat `others` by more than noise, both taken in the same
/// turns: their medians by more than 3 % (the least difference that a shared
/// machine reproduces), and in at least three quarters of the turns. Where one
/// side has a single time only the first condition applies.
bool clearlyFaster(llvm::ArrayRef<double> times, llvm::ArrayRef<double> others);

/// What to apply, given all records of one task in one environment in the order
/// in which they were stored.
///
/// Schedules with a wrong result even once are out, and so is the default; one
/// that was not verified is kept in no case. If there was a final, the
/// latest one of either kind (by its time stamps, then by the order) decides:
/// its fastest schedule if that is clearly faster than the default, where the
/// default took part. Without a final it is the fastest verified record, if it
/// is clearly faster than the default of its own run (of any run, if its own
/// has none).
Choice chooseRecord(llvm::ArrayRef<Record> records);

/// The schedules that a final should compare, fastest first, and the default at
/// the end if it is not out of reach (within twice the fastest): the three best
/// of the records, up to five that are within a tenth of the best, and the one
/// that chooseRecord would return.
std::vector<std::string> finalists(llvm::ArrayRef<Record> records);

/// The latest final of that strategy, in the order of the records; none if
/// there was none.
std::vector<Record> latestFinal(llvm::ArrayRef<Record> records,
                                llvm::StringRef strategy);

/// Whether the latest final of that strategy had all these schedules.
bool hadFinal(llvm::ArrayRef<Record> records, llvm::StringRef strategy,
              llvm::ArrayRef<std::string> schedules);

} // namespace pruner

#endif // PRUNER_RECORD_CHOICE_H
