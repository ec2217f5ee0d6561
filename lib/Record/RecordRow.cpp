//===- RecordRow.cpp - records and tasks as rows --------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecordRow.h"

#include "pruner/Support/JsonLines.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace pruner;

const char *const pruner::kInsertRecord =
    "INSERT INTO records (measurement, identity, task_key, schedule, target,"
    " machine_key, pipeline_options, toolchain, run_id, trial, strategy, seed,"
    " round, status, reason, times, median, verified, score, psa_latency,"
    " build_seconds, run_seconds, facts, timestamp, host, pruner_version)"
    " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
    " ON CONFLICT (measurement) DO NOTHING";

const char *const pruner::kRecordColumns =
    "id, task_key, schedule, target, machine_key, pipeline_options, toolchain,"
    " run_id, trial, strategy, seed, round, status, reason, times, verified,"
    " score, psa_latency, build_seconds, run_seconds, facts, timestamp, host,"
    " pruner_version";

/// As text, so that the file can be read with the sqlite3 shell.
static std::string timesToText(ArrayRef<double> times) {
  std::string text;
  raw_string_ostream os(text);
  os << json::Value(json::Array(times));
  return text;
}

static bool textToTimes(StringRef text, std::vector<double> &times) {
  Expected<json::Value> value = parseJson(text);
  if (!value) {
    consumeError(value.takeError());
    return false;
  }
  const json::Array *array = value->getAsArray();
  if (!array)
    return false;
  for (const json::Value &element : *array) {
    std::optional<double> time = element.getAsNumber();
    if (!time)
      return false;
    times.push_back(*time);
  }
  return true;
}

void pruner::bindRecord(Statement &statement, const Record &record) {
  statement.bind(measurementHash(record))
      .bind(identityHash(record))
      .bind(record.taskKey)
      .bind(record.schedule)
      .bind(record.target)
      .bind(record.machineKey)
      .bind(record.pipelineOptions)
      .bind(record.toolchain)
      .bind(record.runId)
      .bind(record.trial)
      .bind(record.strategy)
      .bind(static_cast<int64_t>(record.seed))
      .bind(record.round)
      .bind(stringifyMeasureStatus(record.status))
      .bind(record.reason)
      .bind(timesToText(record.times))
      .bind(medianTime(record))
      .bind(static_cast<int64_t>(record.verified))
      .bind(record.score)
      .bind(record.psaLatency)
      .bind(record.buildSeconds)
      .bind(record.runSeconds)
      .bind(record.facts)
      .bind(record.timestamp)
      .bind(record.host)
      .bind(record.prunerVersion);
}

Expected<Record> pruner::readRecord(const Statement &statement,
                                    StringRef path) {
  Record record;
  int column = 0;
  int64_t id = statement.integer(column++);
  record.taskKey = statement.text(column++);
  record.schedule = statement.text(column++);
  record.target = statement.text(column++);
  record.machineKey = statement.text(column++);
  record.pipelineOptions = statement.text(column++);
  record.toolchain = statement.text(column++);
  record.runId = statement.text(column++);
  record.trial = statement.integer(column++);
  record.strategy = statement.text(column++);
  record.seed = static_cast<uint64_t>(statement.integer(column++));
  record.round = statement.integer(column++);
  std::string status = statement.text(column++);
  record.reason = statement.text(column++);
  std::string times = statement.text(column++);
  record.verified = statement.integer(column++) != 0;
  record.score = statement.optionalReal(column++);
  record.psaLatency = statement.optionalReal(column++);
  record.buildSeconds = statement.real(column++);
  record.runSeconds = statement.real(column++);
  record.facts = statement.text(column++);
  record.timestamp = statement.text(column++);
  record.host = statement.text(column++);
  record.prunerVersion = statement.text(column++);
  auto fail = [&](const Twine &what) {
    return createStringError("'" + path + "': record " + Twine(id) +
                             " cannot be read: " + what +
                             "; the database was changed by another program");
  };
  std::optional<MeasureStatus> known = symbolizeMeasureStatus(status);
  if (!known)
    return fail("'" + status + "' is no status");
  record.status = *known;
  if (!textToTimes(times, record.times))
    return fail("'" + times + "' is no list of times");
  if (Error error = normalizeRecord(record))
    return fail(toString(std::move(error)));
  return record;
}
