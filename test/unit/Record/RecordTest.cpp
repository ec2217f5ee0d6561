//===- RecordTest.cpp - single records ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Common.h"

#include <cmath>
#include <limits>

using namespace llvm;
using namespace pruner;
using namespace pruner::test;
using namespace std::string_literals;

static std::string problemOf(Record record) {
  Error error = normalizeRecord(record);
  return error ? toString(std::move(error)) : "";
}

TEST(Record, Median) {
  Record record;
  EXPECT_EQ(medianTime(record), std::nullopt);
  record.times = {3, 1, 2};
  EXPECT_EQ(medianTime(record), 2.0);
  record.times = {4, 1, 2, 3};
  EXPECT_EQ(medianTime(record), 2.5);
  record.times = {1e300, 1e300};
  EXPECT_EQ(medianTime(record), 1e300);
}

TEST(Record, Spread) {
  Record record;
  EXPECT_EQ(timeSpread(record), std::nullopt);
  record.times = {3};
  EXPECT_EQ(timeSpread(record), std::nullopt);
  record.times = {4, 2, 3};
  EXPECT_EQ(timeSpread(record), 1.5);
}

TEST(Record, IdentityIsSixFields) {
  Record base = makeRecord(1, 1);
  std::string Record::*fields[] = {
      &Record::taskKey,    &Record::schedule,        &Record::target,
      &Record::machineKey, &Record::pipelineOptions, &Record::toolchain};
  for (std::string Record::*field : fields) {
    Record other = base;
    other.*field += "x";
    EXPECT_NE(identityHash(other), identityHash(base));
    EXPECT_NE(measurementHash(other), measurementHash(base));
  }
  Record other = makeFailure(1, MeasureStatus::RunCrash, "SIGSEGV");
  other.host = "another CPU";
  other.timestamp = "later";
  EXPECT_EQ(identityHash(other), identityHash(base));
  // The same trial of the same run, with any result.
  EXPECT_EQ(measurementHash(other), measurementHash(base));
  other.runId = "other";
  EXPECT_EQ(identityHash(other), identityHash(base));
  EXPECT_NE(measurementHash(other), measurementHash(base));
  // Without a run, everything counts.
  base.runId = other.runId = "";
  EXPECT_NE(measurementHash(other), measurementHash(base));
  EXPECT_EQ(measurementHash(base), measurementHash(base));
}

TEST(Record, InvalidRecordsAreReported) {
  auto broken = [](auto change) {
    Record record = makeRecord(1, 1);
    change(record);
    return problemOf(record);
  };
  EXPECT_EQ(broken([](Record &) {}), "");
  EXPECT_EQ(broken([](Record &r) { r.taskKey = "XYZ"; }),
            "the task key must be 32 hex digits, but is 'XYZ'");
  EXPECT_EQ(broken([](Record &r) { r.schedule = ""; }),
            "a record must have a schedule");
  EXPECT_EQ(broken([](Record &r) { r.target = ""; }),
            "a record must have a target");
  EXPECT_EQ(broken([](Record &r) { r.machineKey = ""; }),
            "a record must have a machine key");
  EXPECT_EQ(broken([](Record &r) { r.times[1] = 0; }),
            "a time must be finite and positive, but is 0 s");
  EXPECT_EQ(broken([](Record &r) { r.times[1] = std::nan(""); }),
            "a time must be finite and positive, but is nan s");
  EXPECT_EQ(broken([](Record &r) { r.times[0] = HUGE_VAL; }),
            "a time must be finite and positive, but is inf s");
  EXPECT_EQ(broken([](Record &r) { r.times = {}; }),
            "a record with status 'ok' must have times");
  EXPECT_EQ(broken([](Record &r) { r.status = MeasureStatus::RunCrash; }),
            "a record with status 'run-crash' must not have times, but has "
            "3");
  EXPECT_EQ(broken([](Record &r) { r.status = MeasureStatus::WrongResult; }),
            "a record with status 'wrong-result' must not be verified");
  EXPECT_EQ(broken([](Record &r) { r = makeDetailed(1, 1); }), "");
  EXPECT_EQ(broken([](Record &r) { r.runsPerSample = 0; }),
            "a sample must have at least 1 run, but has 0");
  EXPECT_EQ(broken([](Record &r) { r.repeats = -1; }),
            "the number of repeats must not be negative, but is -1");
  EXPECT_EQ(
      broken([](Record &r) { r.errorOverBound = HUGE_VAL; }),
      "the error over its bound must be finite and not negative, but is inf");
  std::optional<bool> Record::*const flags[] = {&Record::censored,
                                                &Record::noisy};
  for (auto flag : flags) {
    Record failed = makeFailure(1, MeasureStatus::RunCrash, "SIGSEGV");
    failed.*flag = false;
    EXPECT_EQ(problemOf(failed),
              "a record without times must not have details of them");
  }
  for (auto change : {+[](Record &r) { r.exact = false; },
                      +[](Record &r) { r.errorOverBound = 0; }})
    EXPECT_EQ(broken([&](Record &r) {
                r.verified = false;
                change(r);
              }),
              "a record that is not verified must not have a margin");
  EXPECT_EQ(broken([](Record &r) { r.buildSeconds = -1; }),
            "the build time must be finite and not negative, but is -1");
  EXPECT_EQ(broken([](Record &r) { r.psaLatency = HUGE_VAL; }),
            "the PSA latency must be finite and not negative, but is inf");
  EXPECT_EQ(broken([](Record &r) { r.facts = "[]"; }),
            "the static facts are not a JSON object");
  EXPECT_EQ(
      broken([](Record &r) { r.facts = "{\"a\":" + std::string(100000, '['); }),
      "the static facts are more than 64 nested arrays and objects");
}

TEST(Record, NormalizationKeepsValidData) {
  Record record = makeRecord(1, 1);
  record.score = std::nan("");
  record.facts = " { \"b\" : 1, \"a\" : [ ] } ";
  record.reason = "bad \xff byte";
  record.buildSeconds = -0.0;
  ASSERT_EQ(problemOf(record), "");
  consumeError(normalizeRecord(record));
  EXPECT_EQ(record.score, std::nullopt);
  EXPECT_EQ(record.facts, "{\"a\":[],\"b\":1}");
  EXPECT_EQ(record.reason, "bad \xef\xbf\xbd byte");
  EXPECT_FALSE(std::signbit(record.buildSeconds));
  record.facts = "";
  consumeError(normalizeRecord(record));
  EXPECT_EQ(record.facts, "{}");
}

// The names of the T4 results schema, and its required fields.
TEST(Record, JsonHasTheNamesOfT4) {
  json::Object object = toJson(makeRecord(7, 0.25));
  for (StringRef field : {"timestamp", "configuration", "objectives", "times",
                          "invalidity", "correctness", "measurements"})
    EXPECT_TRUE(object.get(field)) << field.str();
  EXPECT_EQ(*object.getString("invalidity"), "correct");
  EXPECT_EQ(*object.getNumber("correctness"), 1);
  EXPECT_EQ(*object.getObject("times")->getNumber("compilation_time"), 100);
  EXPECT_EQ(
      *(*object.getObject("times")->getArray("runtimes"))[2].getAsNumber(),
      250);
  EXPECT_EQ(*object.getObject("configuration")->getString("schedule"),
            "#pruner.schedule<tiles = [7]>");
  const std::pair<MeasureStatus, StringRef> words[] = {
      {MeasureStatus::BuildError, "compile"},
      {MeasureStatus::BuildTimeout, "timeout"},
      {MeasureStatus::BuildCrash, "compile"},
      {MeasureStatus::RunError, "runtime"},
      {MeasureStatus::RunTimeout, "timeout"},
      {MeasureStatus::RunCrash, "runtime"},
      {MeasureStatus::OutOfMemory, "runtime"},
      {MeasureStatus::WrongResult, "correctness"},
      {MeasureStatus::Unmeasured, "constraints"}};
  for (auto [status, word] : words) {
    json::Object failure = toJson(makeFailure(1, status, ""));
    EXPECT_EQ(*failure.getString("invalidity"), word);
    EXPECT_EQ(*failure.getNumber("correctness"), 0);
  }
}

TEST(Record, JsonRoundTripsExactly) {
  Record record = makeRecord(3, 1.0 / 3);
  record.times = {std::numeric_limits<double>::denorm_min(), 0.1 + 0.2, 3.0,
                  1e22, 123456789012345678.0};
  record.reason = "nul \0 \"quoted\" \n \xf0\x9f\x98\x80"s;
  record.seed = ~uint64_t(0);
  record.trial = std::numeric_limits<int64_t>::min();
  consumeError(normalizeRecord(record));
  std::string line = toJsonLine(seal(toJson(record)));
  auto parsed = fromJson(get(parseJsonObject(line)));
  auto entry = get(std::move(parsed));
  ASSERT_TRUE(std::holds_alternative<Record>(entry));
  const Record &back = std::get<Record>(entry);
  EXPECT_EQ(back.times, record.times);
  EXPECT_EQ(back.seed, record.seed);
  EXPECT_EQ(back.reason, record.reason);
  EXPECT_EQ(toJsonLine(seal(toJson(back))), line);
}

TEST(Record, DetailsOfTimesRoundTrip) {
  for (int64_t trial = 0; trial < 6; ++trial) {
    Record record = makeDetailed(trial, 1);
    std::string line = toJsonLine(seal(toJson(record)));
    Record back = std::get<Record>(get(fromJson(get(parseJsonObject(line)))));
    EXPECT_EQ(back.runsPerSample, record.runsPerSample);
    EXPECT_EQ(back.repeats, record.repeats);
    EXPECT_EQ(back.censored, record.censored);
    EXPECT_EQ(back.noisy, record.noisy);
    EXPECT_EQ(back.exact, record.exact);
    EXPECT_EQ(back.errorOverBound, record.errorOverBound);
    EXPECT_EQ(identityHash(record), identityHash(makeRecord(trial, 1)));
    EXPECT_EQ(measurementHash(record), measurementHash(makeRecord(trial, 1)));
    // A line written by hand has no check.
    json::Object plain = toJson(record);
    EXPECT_EQ(errorOf(fromJson(std::move(plain))), "no error");
  }
}

TEST(Record, JsonErrorsNameTheField) {
  auto broken = [](auto change) {
    json::Object object = toJson(makeRecord(1, 1));
    change(object, *object.getObject("pruner"));
    return errorOf(fromJson(std::move(object)));
  };
  using Object = json::Object;
  EXPECT_EQ(broken([](Object &, Object &) {}), "no error");
  EXPECT_EQ(broken([](Object &o, Object &) { o.erase("pruner"); }),
            "not a line of an export: the object 'pruner' is missing");
  EXPECT_EQ(broken([](Object &, Object &p) { p["format"] = 2; }),
            "the line has format 2, this version reads format 1");
  EXPECT_EQ(broken([](Object &, Object &p) { p["kind"] = "x"; }),
            "the field 'pruner.kind' must be 'task' or 'record', but is 'x'");
  EXPECT_EQ(broken([](Object &o, Object &) { o.erase("configuration"); }),
            "the field 'configuration' is missing; it must be an object");
  EXPECT_EQ(broken([](Object &o, Object &) {
              o["configuration"] = Object{{"schedule", 3}};
            }),
            "the field 'configuration.schedule' is not a string");
  EXPECT_EQ(broken([](Object &, Object &p) { p.erase("seed"); }),
            "the field 'pruner.seed' is missing; it must be an integer");
  EXPECT_EQ(broken([](Object &, Object &p) { p["seed"] = -1; }),
            "the field 'pruner.seed' is not an unsigned integer");
  EXPECT_EQ(broken([](Object &, Object &p) { p["times"] = json::Array{"1"}; }),
            "the field 'pruner.times' is not a number");
  EXPECT_EQ(broken([](Object &, Object &p) { p["status"] = "fine"; }),
            "the field 'pruner.status' is 'fine', which is not a status");
  EXPECT_EQ(broken([](Object &, Object &p) { p["verified"] = 1; }),
            "the field 'pruner.verified' is not true or false");
  EXPECT_EQ(broken([](Object &, Object &p) { p["noisy"] = 1; }),
            "the field 'pruner.noisy' is not true or false");
  EXPECT_EQ(broken([](Object &, Object &p) { p["repeats"] = 1.5; }),
            "the field 'pruner.repeats' is not an integer");
  EXPECT_EQ(broken([](Object &, Object &p) { p["error_over_bound"] = "0"; }),
            "the field 'pruner.error_over_bound' is not a number");
  EXPECT_EQ(broken([](Object &, Object &p) { p["facts"] = 1; }),
            "the field 'pruner.facts' is not an object");
}

TEST(Record, EmptyNewFieldsKeepHashes) {
  Record base = makeRecord(1, 1), other = base;
  other.generator = key("a generator");
  EXPECT_NE(identityHash(other), identityHash(base));
  other = base;
  other.verification = "another method";
  EXPECT_EQ(identityHash(other), identityHash(base));
  // Older records do not have these fields.
  json::Object object = toJson(base);
  EXPECT_FALSE(object.getObject("pruner")->get("generator"));
  EXPECT_FALSE(object.getObject("pruner")->get("verification"));
  for (StringRef name : {"runs_per_sample", "repeats", "censored", "noisy",
                         "exact", "error_over_bound", "cache_state"})
    EXPECT_FALSE(object.getObject("pruner")->get(name)) << name.str();
  // The line that version 0.1.0 wrote for this record.
  EXPECT_EQ(contentHash(StringRef(toJsonLine(object))),
            "1e2d906614ecb1c44c6d9c5535e71cd6");
  other.generator = key("a generator");
  Record back = std::get<Record>(
      get(fromJson(get(parseJsonObject(toJsonLine(toJson(other)))))));
  EXPECT_EQ(back.generator, other.generator);
  EXPECT_EQ(back.verification, "another method");
  other = base;
  other.cacheState = "16M 0 512K";
  EXPECT_NE(identityHash(other), identityHash(base));
  back = std::get<Record>(
      get(fromJson(get(parseJsonObject(toJsonLine(toJson(other)))))));
  EXPECT_EQ(back.cacheState, other.cacheState);
  other.cacheState = "16M 3";
  EXPECT_EQ(problemOf(other), "invalid cache state '16M 3'");
  other.cacheState = "";
  other.generator = "0.1.0";
  EXPECT_EQ(problemOf(other),
            "the generator must be 32 hex digits, but is '0.1.0'");
}

TEST(Record, Timestamps) {
  EXPECT_EQ(parseTimestamp("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(parseTimestamp("2026-01-31T12:00:00Z"), 1769860800);
  EXPECT_EQ(parseTimestamp("2024-02-29T23:59:59Z"), 1709251199);
  EXPECT_TRUE(parseTimestamp(currentTimestamp()));
  for (StringRef text :
       {"", "zzzz", "2026-01-31T12:00:00", "2026-01-31 12:00:00Z",
        "2026-02-30T12:00:00Z", "2025-02-29T12:00:00Z", "2026-13-01T12:00:00Z",
        "2026-00-01T12:00:00Z", "2026-01-31T24:00:00Z", "2026-01-31T12:60:00Z",
        "2026-01-31T12:00:60Z", "2026-01-31T12:00:00Z ",
        "+026-01-31T12:00:00Z"})
    EXPECT_EQ(parseTimestamp(text), std::nullopt) << text.str();
}
