//===- ReplyTest.cpp - checks of replies ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CheckReply.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace pruner;

namespace {

RunReply goodReply(std::vector<double> times) {
  RunReply reply;
  reply.id = 1;
  reply.times = std::move(times);
  reply.verified = true;
  reply.exact = true;
  reply.errorOverBound = 0.5;
  return reply;
}

/// The reply after the checks of the tuner.
RunReply checked(RunReply reply, double leastSeconds = 1e-9) {
  MeasureJob job;
  job.leastSeconds = leastSeconds;
  RunReply read =
      cantFail(parseMessage<RunReply>(json::Value(toJSON(reply)), "reply"));
  checkReply(read, job);
  return read;
}

TEST(Reply, SummariesAreComputedFromTimes) {
  RunReply said = goodReply({4e-3, 1e-3, 3e-3, 2e-3});
  said.median = 7;
  said.minimum = said.p90 = said.spread = -1;
  said.samples = 99;
  RunReply reply = checked(said);
  EXPECT_EQ(reply.status, MeasureStatus::Ok) << reply.reason;
  EXPECT_EQ(reply.times, said.times); // In the order taken.
  EXPECT_EQ(reply.median, 2.5e-3);
  EXPECT_EQ(reply.minimum, 1e-3);
  EXPECT_EQ(reply.p90, 4e-3);
  EXPECT_EQ(reply.spread, 2.5);
  EXPECT_EQ(reply.samples, 4);
}

TEST(Reply, TheMedianAloneIsEnough) {
  RunReply said = goodReply({});
  said.median = 2e-3;
  said.samples = 5;
  RunReply reply = checked(said);
  EXPECT_EQ(reply.status, MeasureStatus::Ok) << reply.reason;
  EXPECT_EQ(reply.median, 2e-3);
  EXPECT_EQ(reply.samples, 5);
  EXPECT_TRUE(reply.times.empty());
  // Fields that were not reported stay empty.
  EXPECT_FALSE(reply.noisy || reply.censored || reply.repeats ||
               reply.runsPerSample);
}

TEST(Reply, OneBadTimeIsEnough) {
  const std::pair<double, std::string> cases[] = {
      {0, "a run took 0.00e+00 s"},
      {-1e-3, "a run took -1.00e-03 s"},
      {1e301, "a run took 1.00e+301 s"},
      {1e-6, "a run took 1.00e-06 s, but this kind of machine needs at least "
             "1.00e-05 s"}};
  for (const auto &[time, problem] : cases) {
    RunReply said = goodReply({2e-3, time, 2e-3, 2e-3});
    said.median = 2e-3;
    RunReply reply = checked(said, 1e-5);
    EXPECT_EQ(reply.status, MeasureStatus::RunCrash) << time;
    EXPECT_EQ(reply.reason, "the worker's reply is implausible: " + problem);
    EXPECT_FALSE(reply.verified || reply.exact || reply.errorOverBound);
  }
  EXPECT_EQ(checked(goodReply(std::vector<double>(100000, 1e-3))).status,
            MeasureStatus::Ok);
  EXPECT_EQ(checked(goodReply(std::vector<double>(100001, 1e-3))).reason,
            "the worker's reply is implausible: expected at most 100000 times, "
            "but got 100001");
}

TEST(Reply, DetailsOfTimesAreChecked) {
  RunReply said = goodReply({1e-3});
  said.runsPerSample = 0;
  EXPECT_EQ(checked(said).reason, "the worker's reply is implausible: "
                                  "'runs_per_sample' is 0");
  said = goodReply({1e-3});
  said.repeats = -1;
  EXPECT_EQ(checked(said).reason, "the worker's reply is implausible: "
                                  "'repeats' is -1.00e+00");
  said = goodReply({1e-3});
  said.errorOverBound = -0.5;
  EXPECT_EQ(checked(said).reason, "the worker's reply is implausible: "
                                  "'error_over_bound' is -5.00e-01");
  said = goodReply({1e-3});
  said.spent = RunCosts{0, 0, -2, 0};
  EXPECT_EQ(checked(said).reason, "the worker's reply is implausible: "
                                  "'spent.check' is -2.00e+00");
  said.spent = RunCosts{1, 2, 3, 4};
  ASSERT_TRUE(checked(said).spent);
  EXPECT_EQ(checked(said).spent->timing, 4);
  // A margin without a comparison is meaningless.
  said = goodReply({1e-3});
  said.verified = false;
  RunReply reply = checked(said);
  EXPECT_EQ(reply.status, MeasureStatus::Ok);
  EXPECT_FALSE(reply.exact || reply.errorOverBound);
}

} // namespace
