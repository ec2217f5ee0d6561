//===- Record.h - what is known about one trial of one schedule -*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

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

/// A task as a database keeps it, once however many records speak of it: text
/// and numbers, no IR.
struct StoredTask {
  std::string key;  ///< Structural hash of the task, 32 hex digits.
  std::string name; ///< For people, such as "matmul_512x512x512".
  std::string text; ///< The task's IR before scheduling.
  double flops = 0; ///< As in `pruner.task`, of one execution.
  double bytes = 0; ///< The same.
};

/// One trial: a schedule of a task, and how measuring (or predicting) it went.
///
/// The first group of fields is the *identity*: everything that can change the
/// answer. Two records with the same identity are two measurements of the same
/// thing. The last group is *provenance*, which must not change the answer.
struct Record {
  // Identity.
  std::string taskKey;         ///< Key of the task.
  std::string schedule;        ///< Text of the `#pruner.schedule<...>`.
  std::string target;          ///< "cpu", "nvidia:sm_80", ...
  std::string machineKey;      ///< Identifies the machine that runs it.
  std::string pipelineOptions; ///< Of the pipeline that lowers it.
  std::string toolchain;       ///< Versions of LLVM and Pruner.
  /// What generated the code (Pipelines/GeneratorIdentity.h), 32 hex digits;
  /// empty in records that were made before this was noted.
  std::string generator;
  /// In which state of the caches it was timed (Program/CacheState.h); empty:
  /// warm.
  std::string cacheState;

  // Which trial this is.
  std::string runId; ///< Unique to a tuning run, kept when it resumes.
  int64_t trial = 0; ///< Index within the run.
  std::string strategy;
  uint64_t seed = 0;
  int64_t round = 0;

  // Outcome.
  MeasureStatus status = MeasureStatus::Unmeasured;
  std::string reason; ///< In words, for statuses other than Ok.
  /// Seconds per run, one for each sample, in the order in which they were
  /// taken; of a final, the median of each turn.
  std::vector<double> times;
  // What stands beside the times; nothing where it is not known, as of runners
  // that do not say it and of records made before it was kept.
  std::optional<int64_t> runsPerSample; ///< Runs that a sample times in a row.
  std::optional<int64_t> repeats; ///< Noisier measurements that were dropped.
  std::optional<bool> censored;   ///< Too slow to go on: the first run's time.
  std::optional<bool> noisy;      ///< The spread stayed above the limit.
  /// Compared with the reference and found equal within its bound.
  bool verified = false;
  /// The method of that comparison, by the name that the runner gives it; empty
  /// if it gives none.
  std::string verification;
  std::optional<bool> exact; ///< That of integers was bit for bit.
  /// The check's margin: the largest error as a fraction of its bound.
  std::optional<double> errorOverBound;
  std::optional<double> score;      ///< Of the cost model; larger is faster.
  std::optional<double> psaLatency; ///< Seconds, by the analytical model.
  double buildSeconds = 0;
  double runSeconds = 0;
  /// Static facts of the compiled code as the text of a JSON object, such as
  /// {"registers":128,"spills":0}; empty is the same as {}.
  std::string facts;

  // Provenance.
  std::string timestamp;     ///< UTC, "2026-01-31T12:00:00Z".
  std::string host;          ///< Name of the host's CPU.
  std::string prunerVersion; ///< Version or commit of Pruner.
};

/// The median of `times` in seconds (of an even number, the mean of the middle
/// two); nothing if there are none.
std::optional<double> medianTime(const Record &record);

/// The median of `times` over the least of them, at least 1; nothing of fewer
/// than two.
std::optional<double> timeSpread(const Record &record);

/// The hash of the identity fields. Without a generator it is what it was
/// before records had one.
std::string identityHash(const Record &record);

/// The hash that tells measurements apart: with a runId, of (runId, trial,
/// identity), so that a trial reported twice is one; without, of the whole
/// record, so that importing a file twice adds nothing.
std::string measurementHash(const Record &record);

/// Brings a record into the form that is stored: invalid UTF-8 replaced,
/// `facts` compact with sorted keys, a score that is not finite dropped. An
/// error says what is wrong with a record that cannot be stored: a task key
/// that is none, no schedule, target or machine key, times that are not
/// positive and finite, a status Ok without times, times (or what stands beside
/// them) of something that never ran, a generator that is no hash, a record
/// marked as verified whose status is not Ok, or a margin of a check that was
/// not passed.
llvm::Error normalizeRecord(Record &record);
llvm::Error normalizeTask(StoredTask &task);

/// Now, in the form of Record::timestamp.
std::string currentTimestamp();

/// The same of a moment, seconds since 1970.
std::string formatTimestamp(int64_t seconds);

/// Seconds since 1970 of a timestamp in exactly that form; nothing if it is in
/// another, or no such moment exists (February 30).
std::optional<int64_t> parseTimestamp(llvm::StringRef text);

/// Why a time stamp is impossible at `now`, seconds since 1970, as a sentence;
/// empty if it is possible: in that form, and no more than a day ahead (clocks
/// differ).
std::string timestampProblem(llvm::StringRef text, int64_t now);

} // namespace pruner

#endif // PRUNER_RECORD_RECORD_H
