//===- RecordJudgeTest.cpp - what cannot be true --------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Common.h"

#include "pruner/Tune/RecordJudge.h"

using namespace pruner;
using namespace pruner::test;

namespace {

struct JudgeTest : TuneFixture {
  RecordJudge judge;

  template <typename Change> std::string after(Change change) {
    Record record = makeRecord(schedules[0], 1e-3);
    change(record);
    return judge.problemOf(record, task().stored());
  }
  bool speaksOf(const std::string &problem, llvm::StringRef what) {
    return llvm::StringRef(problem).contains(what);
  }
};

TEST_F(JudgeTest, Tasks) {
  StoredTask sound = task().stored();
  EXPECT_EQ(judge.problemOf(sound), "");
  StoredTask other = sound;
  other.text = tasks[1].text;
  EXPECT_EQ(judge.problemOf(other), "the key of the task is " + tasks[0].key +
                                        ", but its text hashes to " +
                                        tasks[1].key);
  other = sound;
  other.text = "module {";
  EXPECT_TRUE(speaksOf(judge.problemOf(other), "the text of the task is none"));
  other.text = std::string(100000, '[');
  EXPECT_TRUE(speaksOf(judge.problemOf(other), "the text of the task is none"));
  other = sound;
  other.flops *= 2;
  EXPECT_TRUE(speaksOf(judge.problemOf(other), "not what is said of it"));
  EXPECT_EQ(judge.problemOf(sound), "");
}

TEST_F(JudgeTest, Records) {
  EXPECT_EQ(after([](Record &) {}), "");
  EXPECT_EQ(after([](Record &r) { r.schedule = "default"; }), "");
  EXPECT_EQ(after([](Record &r) { r.timestamp = "2999-01-01T00:00:00Z"; }),
            "the time stamp 2999-01-01T00:00:00Z is in the future");
  EXPECT_TRUE(speaksOf(after([](Record &r) { r.timestamp = ""; }),
                       "the time stamp '' is none"));
  EXPECT_TRUE(speaksOf(after([](Record &r) { r.machineKey = "a machine"; }),
                       "the machine key 'a machine' is none"));
  EXPECT_TRUE(speaksOf(after([](Record &r) { r.machineKey += ";lanes=7"; }),
                       "the machine key"));
  EXPECT_TRUE(speaksOf(after([](Record &r) { r.target = "nvidia:sm_80"; }),
                       "the target 'nvidia:sm_80' is not that of the machine"));
  EXPECT_TRUE(
      speaksOf(after([](Record &r) { r.pipelineOptions = "threads=0"; }),
               "the pipeline options 'threads=0' are none"));
  EXPECT_TRUE(
      speaksOf(after([](Record &r) { r.pipelineOptions = "threads=9999"; }),
               "9999 threads are more than the machine's"));
  EXPECT_TRUE(speaksOf(after([](Record &r) { r.schedule = "plain"; }),
                       "the schedule does not parse: plain"));
  EXPECT_TRUE(speaksOf(after([](Record &r) { r.times = {1e-3, 1e-12}; }),
                       "a time is 1e-12 s, but no code runs this task"));
  Record record = makeRecord(schedules[0], 1e-3);
  StoredTask unknown;
  unknown.key = task().key;
  EXPECT_TRUE(speaksOf(judge.problemOf(record, unknown), "is not known"));
}

TEST_F(JudgeTest, KeysNameTheirMachines) {
  Machine machine = environment.machine;
  auto again = Machine::fromKey(machine.key());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->vectorBytes, machine.vectorBytes);
  EXPECT_EQ(again->units, machine.units);
  EXPECT_EQ(again->l1Bytes, machine.l1Bytes);
  Machine gpu = get(Environment::create("nvidia:sm_80", 0)).machine;
  again = Machine::fromKey(gpu.key());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->peakFlops, gpu.peakFlops);
  EXPECT_EQ(again->maxVirtualThreads, gpu.maxVirtualThreads);
  for (const char *key :
       {"", "x", "cpu:x;y", "cpu:x;y;lanes=16", "cpu:x;y;lanes=z;units=1"})
    EXPECT_FALSE(Machine::fromKey(key)) << key;
}

} // namespace
