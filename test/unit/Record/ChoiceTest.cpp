//===- ChoiceTest.cpp - choose a schedule by the records ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Record/Choice.h"
#include "Common.h"

using namespace pruner;
using namespace pruner::test;

/// A trial of run `run` with one time.
static Record trial(int64_t number, double seconds, const char *run = "run") {
  Record record = makeRecord(number, seconds);
  record.runId = run;
  record.times = {seconds};
  return record;
}

static Record untuned(double seconds, const char *run = "run") {
  Record record = trial(-1, seconds, run);
  record.schedule = "default";
  return record;
}

/// An entry of a head-to-head comparison for the schedule that `of` tried.
static Record entry(const Record &of, std::vector<double> times,
                    const char *run,
                    const char *timestamp = "2026-02-01T12:00:00Z") {
  Record record = of;
  record.strategy = kFinalStrategy.str();
  record.runId = run;
  record.timestamp = timestamp;
  record.times = std::move(times);
  return record;
}

static std::string chosen(const std::vector<Record> &records) {
  Choice choice = chooseRecord(records);
  return choice.record ? choice.record->schedule : "";
}

// The samples of two measurements were not interleaved, and their numbers may
// differ, so only their medians are compared.
TEST(Choice, SamplesOfTrialsAreNotInterleaved) {
  Record fast = trial(1, 0.5), base = untuned(0.7, fast.runId.c_str());
  fast.times = {0.9, 0.9, 0.5, 0.5, 0.5};
  base.times = {0.7, 0.7, 0.7};
  EXPECT_EQ(chosen({base, fast}), fast.schedule);
  base.times = {0.51, 0.51, 0.51}; // Within noise, whatever the turns show.
  fast.times = {0.5, 0.5, 0.5};
  EXPECT_EQ(chosen({base, fast}), "");
  // In a head-to-head comparison they were.
  std::vector<Record> records{base, fast,
                              entry(base, {.7, .7, .7, .7, .7}, "f"),
                              entry(fast, {.9, .9, .5, .5, .5}, "f")};
  EXPECT_EQ(chosen(records), "");
  records.back().times = {.9, .5, .5, .5, .5};
  EXPECT_EQ(chosen(records), fast.schedule);
}

TEST(Choice, ClearlyFasterNeedsThreePerCentInMostTurns) {
  std::vector<double> base(8, 1.0);
  EXPECT_TRUE(clearlyFaster({0.9}, {1.0}));
  EXPECT_FALSE(clearlyFaster({0.98}, {1.0}));
  EXPECT_FALSE(clearlyFaster({}, {1.0}));
  EXPECT_TRUE(clearlyFaster(std::vector<double>(8, 0.96), base));
  EXPECT_FALSE(clearlyFaster(std::vector<double>(8, 0.98), base));
  // A median of 0.9 that lost three turns of eight may be luck.
  EXPECT_FALSE(clearlyFaster({.9, .9, .9, .9, .9, 1.1, 1.1, 1.1}, base));
  EXPECT_TRUE(clearlyFaster({.9, .9, .9, .9, .9, .9, 1.1, 1.1}, base));
  // A drift that affects both sides alike makes no difference, and hides none.
  std::vector<double> drift, faster;
  for (int i = 0; i < 8; ++i) {
    drift.push_back(1 + i);
    faster.push_back(0.9 * (1 + i));
  }
  EXPECT_TRUE(clearlyFaster(faster, drift));
  EXPECT_FALSE(clearlyFaster(drift, faster));
}

TEST(Choice, WithoutFinalTheFastestAgainstTheDefaultOfItsRun) {
  Record fast = trial(1, 0.50, "a"), slow = trial(2, 0.60, "a");
  EXPECT_EQ(chosen({slow, fast}), fast.schedule);
  EXPECT_EQ(chosen({slow, fast, untuned(0.51, "a")}), ""); // Within noise.
  EXPECT_EQ(chosen({slow, fast, untuned(0.70, "a")}), fast.schedule);
  // The default of another run, on another day, does not count...
  EXPECT_EQ(chosen({untuned(0.70, "a"), fast, untuned(0.40, "b")}),
            fast.schedule);
  EXPECT_EQ(chosen({untuned(0.40, "a"), fast, untuned(0.70, "b")}), "");
  // ... unless there is no other.
  EXPECT_EQ(chosen({fast, untuned(0.40, "b")}), "");
}

TEST(Choice, KeepingTheDefaultIsReported) {
  Choice choice = chooseRecord({trial(1, 0.50), untuned(0.45)});
  EXPECT_FALSE(choice.record);
  EXPECT_TRUE(choice.keptDefault);
  EXPECT_EQ(choice.seconds, 0.45);
  EXPECT_EQ(choice.defaultSeconds, 0.45);
  choice = chooseRecord({untuned(0.45)});
  EXPECT_FALSE(choice.record || choice.keptDefault || choice.seconds);
  EXPECT_EQ(choice.defaultSeconds, 0.45);
}

TEST(Choice, WrongAndUnverifiedSchedulesAreExcluded) {
  Record fast = trial(1, 0.5), slow = trial(2, 0.6), wrong = fast;
  wrong.status = MeasureStatus::WrongResult;
  wrong.verified = false;
  EXPECT_EQ(chosen({fast, slow, wrong}), slow.schedule);
  fast.verified = false;
  EXPECT_EQ(chosen({fast, slow}), slow.schedule);
  fast.verified = true;
  fast.schedule = "plain";
  EXPECT_EQ(chosen({fast, slow}), slow.schedule);
}

TEST(Choice, TheLatestFinalDecides) {
  Record lucky = trial(1, 0.5), good = trial(2, 0.6);
  std::vector<Record> records{lucky, good, untuned(2)};
  records.push_back(entry(lucky, {.80, .80, .80}, "f1"));
  records.push_back(entry(good, {.70, .70, .70}, "f1"));
  EXPECT_EQ(chosen(records), good.schedule);
  EXPECT_EQ(chooseRecord(records).seconds, 0.70);
  // Faster trials outside of the comparison do not win by luck.
  records.push_back(trial(3, 0.1));
  EXPECT_EQ(chosen(records), good.schedule);
  // A merge may append an older comparison later.
  std::vector<Record> merged = records;
  merged.push_back(entry(lucky, {.10, .10, .10}, "f0", "2026-01-01T12:00:00Z"));
  EXPECT_EQ(chosen(merged), good.schedule);
  records.push_back(
      entry(lucky, {.10, .10, .10}, "f2", "2026-03-01T12:00:00Z"));
  EXPECT_EQ(chosen(records), lucky.schedule);
}

TEST(Choice, TheDefaultMayWinAFinal) {
  Record a = trial(1, 0.5), b = trial(2, 0.6), base = untuned(0.8);
  std::vector<Record> records{base, a, b};
  records.push_back(entry(a, {.79, .81, .79, .81}, "f"));
  records.push_back(entry(b, {.90, .90, .90, .90}, "f"));
  records.push_back(entry(base, {.80, .80, .80, .80}, "f"));
  Choice choice = chooseRecord(records);
  EXPECT_TRUE(choice.keptDefault);
  EXPECT_EQ(choice.seconds, 0.80);
  records.back().times = {.99, .99, .99, .99};
  EXPECT_EQ(chosen(records), a.schedule);
  EXPECT_EQ(chooseRecord(records).defaultSeconds, 0.99);
}

TEST(Choice, FinalistsAreTheBestThreeAndTheirEquals) {
  std::vector<Record> records{untuned(3)};
  for (int i = 0; i < 10; ++i)
    records.push_back(trial(i, 1 + 0.2 * i));
  std::vector<std::string> names = finalists(records);
  ASSERT_EQ(names.size(), 3u);
  EXPECT_EQ(names[0], records[1].schedule);
  EXPECT_EQ(names[2], records[3].schedule);
  // At most five, if the others are near.
  for (int i = 10; i < 20; ++i)
    records.push_back(trial(i, 1.05));
  EXPECT_EQ(finalists(records).size(), 5u);
  // The default, if it could be the best.
  records.push_back(untuned(1.9));
  names = finalists(records);
  ASSERT_EQ(names.size(), 6u);
  EXPECT_EQ(names.back(), "default");
  EXPECT_TRUE(finalists({untuned(1)}).empty());
}

TEST(Choice, TheWinnerOfAFinalIsAFinalist) {
  Record old = trial(0, 2);
  std::vector<Record> records{untuned(9), old, entry(old, {2, 2}, "f")};
  EXPECT_TRUE(hadFinal(records, kFinalStrategy, {old.schedule}));
  for (int i = 1; i < 5; ++i)
    records.push_back(trial(i, 1));
  std::vector<std::string> names = finalists(records);
  EXPECT_EQ(names.size(), 5u);
  EXPECT_EQ(names.back(), old.schedule);
  EXPECT_FALSE(hadFinal(records, kFinalStrategy, names));
  for (const std::string &name : names) {
    records.push_back(entry(old, {1.5, 1.5}, "g"));
    records.back().schedule = name;
  }
  EXPECT_TRUE(hadFinal(records, kFinalStrategy, finalists(records)));
}

// Times of one call in the network decide over times of the task alone, until
// the task has another comparison.
TEST(Choice, AFinalInTheNetworkDecides) {
  Record a = trial(0, 1), b = trial(1, 1.01), base = untuned(9);
  std::vector<Record> records{base, a, b, entry(a, {1, 1}, "f"),
                              entry(b, {1.01, 1.01}, "f")};
  EXPECT_EQ(chosen(records), a.schedule);
  for (auto [of, seconds] : {std::pair(a, 1.3), std::pair(b, 1.2)}) {
    records.push_back(entry(of, {seconds, seconds}, "n"));
    records.back().strategy = kNetworkFinalStrategy.str();
    EXPECT_TRUE(isOfFinal(records.back()));
  }
  EXPECT_EQ(chosen(records), b.schedule);
  EXPECT_EQ(chooseRecord(records).seconds, 1.2);
  EXPECT_FALSE(chooseRecord(records).keptDefault);
  EXPECT_EQ(finalists(records).size(), 2u); // Trials, each once.
  // Each kind is held only once.
  EXPECT_TRUE(hadFinal(records, kFinalStrategy, {a.schedule, b.schedule}));
  EXPECT_TRUE(
      hadFinal(records, kNetworkFinalStrategy, {a.schedule, b.schedule}));
  EXPECT_EQ(latestFinal(records, kNetworkFinalStrategy).size(), 2u);
  records.push_back(
      entry(a, {0.9, 0.9}, "g", /*timestamp=*/"2026-02-01T13:00:00Z"));
  EXPECT_EQ(chosen(records), a.schedule);
}

// Times in a network count for the schedule that is applied, by comparison.
TEST(Choice, TimesOfACall) {
  Record a = trial(0, 1), b = trial(1, 1.01), base = untuned(9);
  std::vector<Record> records{base, a, b, entry(a, {1, 1}, "f"),
                              entry(b, {1.01, 1.01}, "f")};
  EXPECT_EQ(callTimes({}).alone, std::numeric_limits<double>::infinity());
  EXPECT_EQ(callTimes(records).alone, 1);
  EXPECT_TRUE(callTimes(records).inNetworks.empty());
  auto compare = [&](double ofA, double ofB, const char *run,
                     const char *timestamp) {
    for (auto [of, seconds] : {std::pair(a, ofA), std::pair(b, ofB)}) {
      records.push_back(entry(of, {seconds, seconds}, run, timestamp));
      records.back().strategy = kNetworkFinalStrategy.str();
    }
  };
  using Times = std::vector<std::pair<std::string, double>>;
  compare(1.3, 1.2, "n", "2026-02-02T13:00:00Z");
  EXPECT_EQ(callTimes(records).inNetworks, (Times{{"n", 1.2}}));
  compare(1.5, 1.4, "m", "2026-02-03T13:00:00Z");
  EXPECT_EQ(callTimes(records).inNetworks, (Times{{"m", 1.4}, {"n", 1.2}}));
  EXPECT_EQ(callTimes(records).alone, 1);
  compare(1.1, 1.4, "o", "2026-02-04T13:00:00Z");
  EXPECT_EQ(callTimes(records).inNetworks,
            (Times{{"o", 1.1}, {"m", 1.5}, {"n", 1.3}}));
  // The latest comparison is one alone, whose winner was in each network.
  records.push_back(
      entry(b, {0.9, 0.9}, "g", /*timestamp=*/"2026-02-05T13:00:00Z"));
  EXPECT_EQ(callTimes(records).inNetworks,
            (Times{{"o", 1.4}, {"m", 1.4}, {"n", 1.2}}));
  EXPECT_EQ(callTimes(records).alone, 0.9);
}

// If a library runs the default, neither a wrong default nor an unverified one
// can win.
TEST(Choice, AWrongDefaultIsExcluded) {
  Record best = trial(1, 0.5, "a"), base = untuned(0.1, "a");
  EXPECT_TRUE(chooseRecord({best, base}).keptDefault);
  Record unverified = base;
  unverified.verified = false;
  EXPECT_EQ(chosen({best, unverified}), best.schedule);
  Record wrong = base;
  wrong.status = MeasureStatus::WrongResult;
  wrong.times.clear();
  EXPECT_EQ(chosen({best, base, wrong}), best.schedule);
  EXPECT_EQ(chooseRecord({best, base, wrong}).defaultSeconds, std::nullopt);
  EXPECT_EQ(finalists({best, base}).size(), 2u);
  EXPECT_EQ(finalists({best, base, wrong}).size(), 1u);
}
