//===- Choice.h - choose a schedule by the records --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fastest of many noisy measurements is often only the luckiest. A tuning
// run therefore ends with a head-to-head comparison: it times the few best
// schedules interleaved, together with the untuned default if it is not much
// slower. These times are stored as records, too. The choice depends only on
// the records.

#ifndef PRUNER_RECORD_CHOICE_H
#define PRUNER_RECORD_CHOICE_H

#include "pruner/Program/ScheduleText.h"
#include "pruner/Record/Record.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pruner {

/// The strategy of the records of head-to-head comparisons. The records of one
/// comparison share a run id of their own; times[i] was measured in turn i.
inline constexpr llvm::StringLiteral kFinalStrategy = "final";

/// The strategy of comparisons inside the compiled network; times are seconds
/// of one call there.
inline constexpr llvm::StringLiteral kNetworkFinalStrategy = "network-final";

/// Whether the record belongs to a head-to-head comparison of either kind.
bool isOfFinal(const Record &record);

/// The schedule to apply to a task.
struct Choice {
  /// The chosen record, which is verified; std::nullopt if the default is kept
  /// or nothing is known.
  std::optional<Record> record;
  /// Seconds of the chosen record, or of the default if it is kept.
  std::optional<double> seconds;
  /// Seconds of the untuned default in the measurement that `seconds` is
  /// compared with; std::nullopt if there is none.
  std::optional<double> defaultSeconds;
  /// True if a verified schedule was not faster than the default.
  bool keptDefault = false;
};

/// Returns true if `times` are faster than `others` by more than noise; both
/// were taken in the same turns. The medians must differ by more than 3 % (the
/// smallest difference that is reproducible on a shared machine), and `times`
/// must be faster in at least three quarters of the turns. If one side has a
/// single time, only the first condition applies.
bool clearlyFaster(llvm::ArrayRef<double> times, llvm::ArrayRef<double> others);

/// Chooses a schedule, given all records of one task in one environment in the
/// order in which they were stored.
///
/// A schedule with even one wrong result is excluded, and so is the default if
/// it has one; a schedule that was not verified is never chosen. If there was a
/// head-to-head comparison, the latest one of either kind (by time stamp, then
/// by order) decides: its fastest schedule is chosen if it is clearly faster
/// than the default, provided that the default took part. Otherwise the fastest
/// verified record is chosen, if it is clearly faster than the default of its
/// own run (of any run, if its own has none).
Choice chooseRecord(llvm::ArrayRef<Record> records);

/// The seconds of one call of a task. Only times of the same place may be
/// compared with those of other tasks.
struct CallTimes {
  /// Of the schedule that chooseRecord would choose without comparisons inside
  /// networks, or of the default if it chooses none; infinity if unknown.
  double alone = std::numeric_limits<double>::infinity();
  /// Of the schedule that chooseRecord chooses: the run id of each comparison
  /// inside a network in which it took part, and its time there; the latest
  /// comparison first.
  std::vector<std::pair<std::string, double>> inNetworks;
};

/// The times of a call, by the records of the task.
CallTimes callTimes(llvm::ArrayRef<Record> records);

/// The schedules for a head-to-head comparison, fastest first: the three best
/// of the records, up to five that are within a tenth of the best, and the one
/// that chooseRecord would return. The default is last if it takes at most
/// twice as long as the fastest.
std::vector<std::string> finalists(llvm::ArrayRef<Record> records);

/// The latest comparison of that strategy, in the order of the records; empty
/// if there was none.
std::vector<Record> latestFinal(llvm::ArrayRef<Record> records,
                                llvm::StringRef strategy);

/// Whether the latest comparison of that strategy included all these schedules.
bool hadFinal(llvm::ArrayRef<Record> records, llvm::StringRef strategy,
              llvm::ArrayRef<std::string> schedules);

} // namespace pruner

#endif // PRUNER_RECORD_CHOICE_H
