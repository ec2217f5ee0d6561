//===- Record.h - one trial of one schedule ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_RECORD_RECORD_H
#define PRUNER_RECORD_RECORD_H

#include "pruner/Support/MeasureStatus.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pruner {

/// A task as stored in a database, once for all its records: text and numbers,
/// no IR.
struct StoredTask {
  std::string key;  ///< Structural hash of the task, 32 hex digits.
  std::string name; ///< Readable name, such as "matmul_512x512x512".
  std::string text; ///< The task's IR before scheduling.
  double flops = 0; ///< FLOP of one execution, as in `pruner.task`.
  double bytes = 0; ///< Bytes of one execution, as in `pruner.task`.
};

/// One trial: a schedule of a task, and the result of measuring (or predicting)
/// it.
///
/// The first group of fields is the *identity*: everything that can change the
/// result. Two records with the same identity are two measurements of the same
/// thing. The last group is *provenance*, which cannot change the result.
struct Record {
  // Identity.
  std::string taskKey;         ///< Key of the task.
  std::string schedule;        ///< Text of the `#pruner.schedule<...>`.
  std::string target;          ///< "cpu", "nvidia:sm_80", ...
  std::string machineKey;      ///< The machine that runs it.
  std::string pipelineOptions; ///< Of the lowering pipeline.
  std::string toolchain;       ///< Versions of LLVM and Pruner.
  /// The code generator (Pipelines/GeneratorIdentity.h), 32 hex digits; empty
  /// in records older than this field.
  std::string generator;
  /// The cache state in which it was timed (Program/CacheState.h); empty for
  /// warm.
  std::string cacheState;

  // The trial.
  std::string runId; ///< Unique to a tuning run; a resumed run keeps it.
  int64_t trial = 0; ///< Index within the run.
  std::string strategy;
  uint64_t seed = 0;
  int64_t round = 0;

  // Result.
  MeasureStatus status = MeasureStatus::Unmeasured;
  std::string reason; ///< Description, for statuses other than Ok.
  /// Seconds per run for each sample, in the order in which they were taken.
  /// For a head-to-head comparison, the median of each turn.
  std::vector<double> times;
  // Details of the times. Empty if unknown: the runner did not report them, or
  // the record is older than the field.
  std::optional<int64_t> runsPerSample; ///< Consecutive runs of a sample.
  std::optional<int64_t> repeats; ///< Noisier measurements that were dropped.
  std::optional<bool> censored;   ///< Too slow; only the first runs' time.
  std::optional<bool> noisy;      ///< The spread stayed above the limit.
  /// Compared with the reference and equal within its bound.
  bool verified = false;
  /// The method of that comparison, by the name that the runner reports; empty
  /// if it reports none.
  std::string verification;
  std::optional<bool> exact; ///< For integer inputs, bit for bit.
  /// The largest error of the comparison as a fraction of its bound.
  std::optional<double> errorOverBound;
  std::optional<double> score; ///< By the learned model; larger is faster.
  /// Seconds predicted by the analytical model.
  std::optional<double> psaLatency;
  double buildSeconds = 0;
  double runSeconds = 0;
  /// Static facts about the compiled code, as the text of a JSON object such as
  /// {"registers":128,"spills":0}. Empty means {}.
  std::string facts;

  // Provenance.
  std::string timestamp;     ///< UTC, "2026-01-31T12:00:00Z".
  std::string host;          ///< Name of the host's CPU.
  std::string prunerVersion; ///< Version or commit of Pruner.
};

/// The median of `times` in seconds (for an even number, the mean of the middle
/// two); std::nullopt if there are none.
std::optional<double> medianTime(const Record &record);

/// The median of `times` divided by their minimum, at least 1; std::nullopt for
/// fewer than two.
std::optional<double> timeSpread(const Record &record);

/// The hash of the identity fields. An empty generator does not enter the hash,
/// so records without one keep their hashes.
std::string identityHash(const Record &record);

/// The hash that identifies a measurement. With a runId it is that of (runId,
/// trial, identity), so that a trial reported twice counts once. Without one it
/// is that of the whole record, so that importing a file twice adds nothing.
std::string measurementHash(const Record &record);

/// Converts a record to the form in which it is stored: invalid UTF-8 is
/// replaced, `facts` become compact with sorted keys, a score that is not
/// finite is dropped. Returns an error if the record cannot be stored: an
/// invalid task key; no schedule, target or machine key; times that are not
/// positive and finite; status Ok without times; times (or their details) of
/// something that never ran; a generator that is not a hash; a verified record
/// whose status is not Ok; or a margin without verification.
llvm::Error normalizeRecord(Record &record);
llvm::Error normalizeTask(StoredTask &task);

/// The current time in the form of Record::timestamp.
std::string currentTimestamp();

/// The given time, seconds since 1970, in the same form.
std::string formatTimestamp(int64_t seconds);

/// Seconds since 1970 of a time stamp in exactly that form; std::nullopt for
/// another form or a date that does not exist (February 30).
std::optional<int64_t> parseTimestamp(llvm::StringRef text);

/// Why a time stamp is impossible at `now`, seconds since 1970; empty if it is
/// possible. It must have that form, and be at most a day in the future,
/// because clocks differ.
std::string timestampProblem(llvm::StringRef text, int64_t now);

} // namespace pruner

#endif // PRUNER_RECORD_RECORD_H
