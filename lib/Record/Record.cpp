//===- Record.cpp - one trial of one schedule -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Record/Record.h"
#include "pruner/Program/CacheState.h"
#include "pruner/Record/RecordJson.h"
#include "pruner/Support/Hashing.h"
#include "pruner/Support/JsonLines.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cmath>
#include <ctime>

using namespace llvm;
using namespace pruner;

/// In an exported line, whose depth is limited, facts are nested two objects
/// deep.
static constexpr unsigned kMaxFactsDepth = 64;

std::optional<double> pruner::medianTime(const Record &record) {
  if (record.times.empty())
    return std::nullopt;
  std::vector<double> sorted = record.times;
  llvm::sort(sorted);
  size_t middle = sorted.size() / 2;
  if (sorted.size() % 2)
    return sorted[middle];
  return sorted[middle - 1] + (sorted[middle] - sorted[middle - 1]) / 2;
}

std::optional<double> pruner::timeSpread(const Record &record) {
  if (record.times.size() < 2)
    return std::nullopt;
  return *medianTime(record) / *llvm::min_element(record.times);
}

std::string pruner::identityHash(const Record &record) {
  SmallVector<StringRef> parts = {record.taskKey,         record.schedule,
                                  record.target,          record.machineKey,
                                  record.pipelineOptions, record.toolchain};
  if (!record.generator.empty())
    parts.push_back(record.generator);
  if (!record.cacheState.empty())
    parts.push_back(record.cacheState);
  return contentHash(parts);
}

std::string pruner::measurementHash(const Record &record) {
  if (record.runId.empty())
    return contentHash(StringRef(toJsonLine(toJson(record))));
  std::string trial = std::to_string(record.trial);
  std::string identity = identityHash(record);
  return contentHash(
      {StringRef(record.runId), StringRef(trial), StringRef(identity)});
}

static void fixText(std::string &text) {
  if (!json::isUTF8(text))
    text = json::fixUTF8(text);
}

/// Far above any real value, and small enough for conversion to other units.
static constexpr double kLargest = 1e300;

/// Checks a number that must be finite and not negative. Replaces -0 by 0,
/// because the database and JSON do not keep its sign.
static Error checkAmount(double &value, const char *name) {
  if (!(value >= 0 && value <= kLargest))
    return createStringError("%s must be finite and not negative, but is %g",
                             name, value);
  value += 0.0;
  return Error::success();
}

static Error checkKey(StringRef key) {
  if (isContentHash(key))
    return Error::success();
  return createStringError("the task key must be 32 hex digits, but is '" +
                           key.take_front(64) + "'");
}

static Error checkTimes(const Record &record) {
  for (double time : record.times)
    if (!(time > 0 && time <= kLargest))
      return createStringError(
          "a time must be finite and positive, but is %g s", time);
  bool ran = record.status == MeasureStatus::Ok ||
             record.status == MeasureStatus::WrongResult;
  StringRef name = stringifyMeasureStatus(record.status);
  if (record.status == MeasureStatus::Ok && record.times.empty())
    return createStringError("a record with status 'ok' must have times");
  if (!ran && !record.times.empty())
    return createStringError("a record with status '" + name +
                             "' must not have times, but has " +
                             Twine(record.times.size()));
  if (record.verified && record.status != MeasureStatus::Ok)
    return createStringError("a record with status '" + name +
                             "' must not be verified");
  return Error::success();
}

/// Checks the details of the times and the verification result.
static Error checkDetails(Record &record) {
  if (record.runsPerSample && *record.runsPerSample < 1)
    return createStringError("a sample must have at least 1 run, but has " +
                             Twine(*record.runsPerSample));
  if (record.repeats && *record.repeats < 0)
    return createStringError(
        "the number of repeats must not be negative, but is " +
        Twine(*record.repeats));
  if (record.times.empty() && (record.runsPerSample || record.repeats ||
                               record.censored || record.noisy))
    return createStringError(
        "a record without times must not have details of them");
  if (!record.verified && (record.exact || record.errorOverBound))
    return createStringError(
        "a record that is not verified must not have a margin");
  if (!record.errorOverBound)
    return Error::success();
  return checkAmount(*record.errorOverBound, "the error over its bound");
}

Error pruner::normalizeRecord(Record &record) {
  for (std::string *text :
       {&record.schedule, &record.target, &record.machineKey,
        &record.pipelineOptions, &record.toolchain, &record.runId,
        &record.strategy, &record.reason, &record.timestamp, &record.host,
        &record.prunerVersion, &record.verification, &record.cacheState})
    fixText(*text);
  if (Error error = checkKey(record.taskKey))
    return error;
  const std::pair<const std::string *, const char *> required[] = {
      {&record.schedule, "schedule"},
      {&record.target, "target"},
      {&record.machineKey, "machine key"}};
  for (auto [text, name] : required)
    if (text->empty())
      return createStringError("a record must have a %s", name);
  if (!CacheState::parse(record.cacheState))
    return createStringError("invalid cache state '" +
                             StringRef(record.cacheState).take_front(64) + "'");
  if (!record.generator.empty() && !isContentHash(record.generator))
    return createStringError("the generator must be 32 hex digits, but is '" +
                             StringRef(record.generator).take_front(64) + "'");
  if (Error error = checkTimes(record))
    return error;
  if (Error error = checkDetails(record))
    return error;
  if (Error error = checkAmount(record.buildSeconds, "the build time"))
    return error;
  if (Error error = checkAmount(record.runSeconds, "the run time"))
    return error;
  if (record.psaLatency)
    if (Error error = checkAmount(*record.psaLatency, "the PSA latency"))
      return error;
  // The measurement is kept even if a model diverged.
  if (record.score && !std::isfinite(*record.score))
    record.score.reset();
  if (record.score)
    *record.score += 0.0;
  if (record.facts.empty())
    record.facts = "{}";
  JsonLinesLimits limits;
  limits.maxDepth = kMaxFactsDepth;
  Expected<json::Object> facts = parseJsonObject(record.facts, limits);
  if (!facts)
    return createStringError("the static facts are " +
                             toString(facts.takeError()));
  record.facts = toJsonLine(*facts);
  return Error::success();
}

Error pruner::normalizeTask(StoredTask &task) {
  fixText(task.name);
  fixText(task.text);
  if (Error error = checkKey(task.key))
    return error;
  if (Error error = checkAmount(task.flops, "the number of operations"))
    return error;
  return checkAmount(task.bytes, "the number of bytes");
}

std::string pruner::currentTimestamp() {
  return formatTimestamp(std::time(nullptr));
}

std::string pruner::formatTimestamp(int64_t seconds) {
  std::time_t time = seconds;
  std::tm utc = {};
  ::gmtime_r(&time, &utc);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

std::optional<int64_t> pruner::parseTimestamp(StringRef text) {
  constexpr StringLiteral form = "0000-00-00T00:00:00Z";
  if (text.size() != form.size())
    return std::nullopt;
  for (auto [c, f] : zip_equal(text, form))
    if (f == '0' ? !isDigit(c) : c != f)
      return std::nullopt;
  auto number = [&](size_t from, size_t count) {
    int value = 0;
    text.substr(from, count).getAsInteger(10, value);
    return value;
  };
  std::tm utc = {};
  utc.tm_year = number(0, 4) - 1900;
  utc.tm_mon = number(5, 2) - 1;
  utc.tm_mday = number(8, 2);
  utc.tm_hour = number(11, 2);
  utc.tm_min = number(14, 2);
  utc.tm_sec = number(17, 2);
  // timegm turns February 30 into March, so the two forms differ for a date
  // that does not exist.
  std::tm normal = utc;
  std::time_t seconds = ::timegm(&normal);
  if (normal.tm_mon != utc.tm_mon || normal.tm_mday != utc.tm_mday ||
      normal.tm_hour != utc.tm_hour || normal.tm_min != utc.tm_min ||
      normal.tm_sec != utc.tm_sec)
    return std::nullopt;
  return int64_t(seconds);
}

std::string pruner::timestampProblem(StringRef text, int64_t now) {
  constexpr int64_t kClockSkew = 24 * 3600; // Between two machines.
  std::optional<int64_t> seconds = parseTimestamp(text);
  if (!seconds)
    return ("invalid time stamp '" + text.take_front(64) +
            "'; expected the form 2026-01-31T12:00:00Z")
        .str();
  if (*seconds > now + kClockSkew)
    return ("the time stamp " + text + " is in the future").str();
  return "";
}
