//===- RecordRow.cpp - records and tasks as rows --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RecordRow.h"

#include "pruner/Support/JsonLines.h"

#include <charconv>

using namespace llvm;
using namespace pruner;

/// In the order in which bindRecord binds them, after `id`.
static constexpr RecordColumn kColumns[] = {{"measurement", "t"},
                                            {"identity", "t"},
                                            {"task_key", "t"},
                                            {"schedule", "t"},
                                            {"target", "t"},
                                            {"machine_key", "t"},
                                            {"pipeline_options", "t"},
                                            {"toolchain", "t"},
                                            {"run_id", "t"},
                                            {"trial", "i"},
                                            {"strategy", "t"},
                                            {"seed", "i"},
                                            {"round", "i"},
                                            {"status", "t"},
                                            {"reason", "t"},
                                            {"times", "t"},
                                            {"median", "rn"},
                                            {"verified", "i"},
                                            {"score", "rn"},
                                            {"psa_latency", "rn"},
                                            {"build_seconds", "r"},
                                            {"run_seconds", "r"},
                                            {"facts", "t"},
                                            {"timestamp", "t"},
                                            {"host", "t"},
                                            {"pruner_version", "t"},
                                            {"generator", "t", 2},
                                            {"verification", "t", 2},
                                            {"runs_per_sample", "in", 3},
                                            {"repeats", "in", 3},
                                            {"censored", "in", 3},
                                            {"noisy", "in", 3},
                                            {"exact", "in", 3},
                                            {"error_over_bound", "rn", 3},
                                            {"cache_state", "t", 4},
                                            {"place", "i", 5,
                                             "pruner_key(task_key, target,"
                                             " machine_key)"},
                                            {"setting", "i", 5,
                                             "pruner_key(task_key, target,"
                                             " machine_key, pipeline_options,"
                                             " toolchain, @generator,"
                                             " @verification, @cache_state)"}};

ArrayRef<RecordColumn> pruner::recordColumns() { return kColumns; }

int64_t pruner::placeKey(const Record &record) {
  return indexKey({record.taskKey, record.target, record.machineKey});
}

int64_t pruner::settingKey(const Record &record) {
  return indexKey({record.taskKey, record.target, record.machineKey,
                   record.pipelineOptions, record.toolchain, record.generator,
                   record.verification, record.cacheState});
}

/// The columns, each with `prefix`, separated by commas.
static std::string columnList(StringRef prefix = "") {
  std::string text;
  for (const RecordColumn &column : kColumns)
    text += (text.empty() ? prefix : ", " + prefix).str() + column.name.str();
  return text;
}

std::string pruner::insertRecordSql() {
  std::string values, parameters;
  for (size_t i = 0; i < std::size(kColumns); ++i)
    parameters += ", ?" + std::to_string(i + 2);
  return "INSERT INTO records (id, " + columnList() + ", row_hash) VALUES (?1" +
         parameters + ", pruner_row_hash(?1" + parameters +
         ")) ON CONFLICT (measurement) DO UPDATE SET (" + columnList() +
         ", row_hash) = (" + columnList("excluded.") +
         ", pruner_row_hash(records.id, " + columnList("excluded.") +
         ")) WHERE records.row_hash IS NOT pruner_row_hash(records.id, " +
         columnList("records.") + ")";
}

std::string pruner::selectRecordColumns() {
  return "id, " + columnList() + ", row_hash";
}

std::string pruner::insertTaskSql() {
  return ("INSERT INTO tasks (" + kTaskColumns +
          ") VALUES (?1, ?2, ?3, ?4, ?5, pruner_row_hash(?1, ?2, ?3, ?4, ?5))"
          " ON CONFLICT (key) DO UPDATE SET name = excluded.name,"
          " text = excluded.text, flops = excluded.flops,"
          " bytes = excluded.bytes, row_hash = excluded.row_hash"
          " WHERE (tasks.text = '' AND excluded.text <> '') OR tasks.row_hash"
          " IS NOT pruner_row_hash(tasks.key, tasks.name, tasks.text,"
          " tasks.flops, tasks.bytes)")
      .str();
}

void pruner::bindTask(Statement &statement, const StoredTask &task) {
  statement.bind(task.key)
      .bind(task.name)
      .bind(task.text)
      .bind(task.flops)
      .bind(task.bytes);
}

static Error checkSound(const Statement &statement, int count) {
  if (statement.isSound(count))
    return Error::success();
  return createStringError("the content does not match the hash of the row: it "
                           "was changed after it was written");
}

static Error checkKind(const Statement &statement, int number, StringRef name,
                       StringRef kinds) {
  if (kinds.contains(statement.kind(number)))
    return Error::success();
  StringRef found = statement.kind(number) == 'i'   ? "an integer"
                    : statement.kind(number) == 'r' ? "a real number"
                    : statement.kind(number) == 't' ? "a text"
                    : statement.kind(number) == 'b' ? "bytes"
                                                    : "nothing";
  return createStringError("the column '" + name + "' holds " + found);
}

Expected<StoredTask> pruner::readTask(const Statement &statement) {
  if (Error error = checkSound(statement, 5))
    return error;
  constexpr RecordColumn columns[] = {{"key", "t"},
                                      {"name", "t"},
                                      {"text", "t"},
                                      {"flops", "r"},
                                      {"bytes", "r"}};
  for (auto [number, column] : enumerate(columns))
    if (Error error = checkKind(statement, number, column.name, column.kinds))
      return error;
  StoredTask task;
  task.key = statement.text(0);
  task.name = statement.text(1);
  task.text = statement.text(2);
  task.flops = statement.real(3);
  task.bytes = statement.real(4);
  if (Error error = normalizeTask(task))
    return error;
  return task;
}

/// The times as a JSON array, each as the shortest text that reads back equal.
static std::string timesToText(ArrayRef<double> times) {
  std::string text = "[";
  for (double time : times) {
    char digits[32];
    auto *end = std::to_chars(digits, std::end(digits), time).ptr;
    text += text.size() > 1 ? "," : "";
    text.append(digits, end);
  }
  return text + "]";
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

static std::optional<int64_t> toInteger(std::optional<bool> truth) {
  if (truth)
    return *truth;
  return std::nullopt;
}

static std::optional<bool> toTruth(std::optional<int64_t> number) {
  if (number)
    return *number != 0;
  return std::nullopt;
}

void pruner::bindRecord(Statement &statement, int64_t id,
                        const Record &record) {
  statement.bind(id)
      .bind(measurementHash(record))
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
      .bind(record.prunerVersion)
      .bind(record.generator)
      .bind(record.verification)
      .bind(record.runsPerSample)
      .bind(record.repeats)
      .bind(toInteger(record.censored))
      .bind(toInteger(record.noisy))
      .bind(toInteger(record.exact))
      .bind(record.errorOverBound)
      .bind(record.cacheState)
      .bind(placeKey(record))
      .bind(settingKey(record));
}

/// Checks the columns that hold 0 or 1.
static Error checkTruths(const Statement &statement) {
  for (auto [number, column] : enumerate(kColumns)) {
    StringRef name = column.name;
    if (!is_contained({"verified", "censored", "noisy", "exact"}, name))
      continue;
    std::optional<int64_t> value = statement.optionalInteger(1 + number);
    if (value && *value != 0 && *value != 1)
      return createStringError("'" + name + "' is " + Twine(*value));
  }
  return Error::success();
}

Expected<Record> pruner::readRecord(const Statement &statement) {
  if (Error error = checkSound(statement, 1 + std::size(kColumns)))
    return error;
  for (auto [number, column] : enumerate(kColumns))
    if (Error error =
            checkKind(statement, 1 + number, column.name, column.kinds))
      return error;
  if (Error error = checkTruths(statement))
    return error;
  Record record;
  int column = 1; // After the id.
  std::string measurement = statement.text(column++);
  std::string identity = statement.text(column++);
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
  std::optional<double> median = statement.optionalReal(column++);
  record.verified = statement.integer(column++) != 0;
  record.score = statement.optionalReal(column++);
  record.psaLatency = statement.optionalReal(column++);
  record.buildSeconds = statement.real(column++);
  record.runSeconds = statement.real(column++);
  record.facts = statement.text(column++);
  record.timestamp = statement.text(column++);
  record.host = statement.text(column++);
  record.prunerVersion = statement.text(column++);
  record.generator = statement.text(column++);
  record.verification = statement.text(column++);
  record.runsPerSample = statement.optionalInteger(column++);
  record.repeats = statement.optionalInteger(column++);
  record.censored = toTruth(statement.optionalInteger(column++));
  record.noisy = toTruth(statement.optionalInteger(column++));
  record.exact = toTruth(statement.optionalInteger(column++));
  record.errorOverBound = statement.optionalReal(column++);
  record.cacheState = statement.text(column++);
  int64_t place = statement.integer(column++);
  int64_t setting = statement.integer(column++);
  std::optional<MeasureStatus> known = symbolizeMeasureStatus(status);
  if (!known)
    return createStringError("unknown status '" + status + "'");
  record.status = *known;
  if (!textToTimes(times, record.times))
    return createStringError("invalid list of times '" + times + "'");
  if (Error error = normalizeRecord(record))
    return error;
  // Queries use the derived columns, so they must match the others.
  if (median != medianTime(record))
    return createStringError("the median does not match the times");
  if (identity != identityHash(record))
    return createStringError("the identity does not match the other columns");
  if (place != placeKey(record) || setting != settingKey(record))
    return createStringError(
        "the place or setting does not match the other columns");
  if (!record.runId.empty() && measurement != measurementHash(record))
    return createStringError(
        "the measurement does not match the other columns");
  return record;
}
