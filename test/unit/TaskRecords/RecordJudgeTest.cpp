//===- RecordJudgeTest.cpp - records that cannot be true ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RecordFixtures.h"

#include "pruner/TaskRecords/RecordJudge.h"

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
  EXPECT_TRUE(
      speaksOf(judge.problemOf(other), "expected a module with one function"));
  other.text = std::string(100000, '[');
  EXPECT_TRUE(
      speaksOf(judge.problemOf(other), "expected a module with one function"));
  other = sound;
  other.flops *= 2;
  EXPECT_TRUE(
      speaksOf(judge.problemOf(other), "but its record states other counts"));
  EXPECT_EQ(judge.problemOf(sound), "");
}

/// Older versions did not count integer operations, and counted whole tensors
/// for slices.
TEST_F(JudgeTest, CountsOfOlderVersions) {
  auto integers = mlir::parseSourceString<mlir::ModuleOp>(R"mlir(
      func.func @main(%a: tensor<2x32x48xi8>, %b: tensor<48x64xi8>,
                      %c: tensor<32x64xi32>) -> tensor<32x64xi32> {
        %0 = linalg.generic {
          indexing_maps = [affine_map<(m, n, k) -> (1, m, k)>,
                           affine_map<(m, n, k) -> (k, n)>,
                           affine_map<(m, n, k) -> (m, n)>],
          iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%a, %b : tensor<2x32x48xi8>, tensor<48x64xi8>)
          outs(%c : tensor<32x64xi32>) {
        ^bb0(%x: i8, %y: i8, %z: i32):
          %p = arith.extsi %x : i8 to i32
          %q = arith.extsi %y : i8 to i32
          %r = arith.muli %p, %q : i32
          %s = arith.addi %r, %z : i32
          linalg.yield %s : i32
        } -> tensor<32x64xi32>
        return %0 : tensor<32x64xi32>
      })mlir",
                                                          context.get());
  ASSERT_TRUE(integers);
  auto collected = collectTasks(*integers);
  ASSERT_TRUE(mlir::succeeded(collected));
  ASSERT_EQ(collected->size(), 1u);
  StoredTask now = collected->front().stored();
  EXPECT_EQ(now.flops, 2 * 32 * 64 * 48);
  EXPECT_EQ(now.bytes, 32 * 48 + 48 * 64 + 2 * 4 * 32 * 64);
  EXPECT_EQ(judge.problemOf(now), "");
  StoredTask former = now;
  former.flops = 0;
  former.bytes += 32 * 48;
  EXPECT_EQ(judge.problemOf(former), "");
  former.flops = now.flops;
  EXPECT_TRUE(
      speaksOf(judge.problemOf(former), "but its record states other counts"));
}

/// A virtual machine may show a CPU under the name of an older one, whose
/// features do not include the instructions that it has.
TEST_F(JudgeTest, InstructionsThatTheNameOfTheCpuDoesNotImply) {
  auto product = mlir::parseSourceString<mlir::ModuleOp>(R"mlir(
      func.func @main(%a: tensor<64x64xi8>, %b: tensor<64x64xi8>,
                      %c: tensor<64x64xi32>) -> tensor<64x64xi32> {
        %0 = linalg.matmul
          ins(%a, %b : tensor<64x64xi8>, tensor<64x64xi8>)
          outs(%c : tensor<64x64xi32>) -> tensor<64x64xi32>
        return %0 : tensor<64x64xi32>
      })mlir",
                                                         context.get());
  ASSERT_TRUE(product);
  auto collected = collectTasks(*product);
  ASSERT_TRUE(mlir::succeeded(collected));
  const TaskDesc &desc = collected->front().desc;
  Environment here = environment;
  Machine &machine = here.machine;
  machine.name = "cpu:rocketlake";
  machine.arch = "rocketlake";
  machine.vectorBytes = 64;
  machine.lanes = 16;
  machine.vectorRegisters = 32;
  machine.registersPerThread = machine.maxRegistersPerThread =
      machine.registersPerUnit = 512;
  machine.features = "+avx512f,+amx-tile,+amx-int8";
  here.target = CodeTarget::of(machine);

  ScheduleSpace space(desc, machine);
  Random random(1);
  std::string tiles;
  for (int n = 0; n < 1000 && tiles.empty(); ++n)
    if (std::optional<Schedule> drawn = space.sample(random))
      if (drawn->instruction &&
          allMatrixInstructions()[drawn->instruction - 1]->name == "tdpbssd")
        llvm::raw_string_ostream(tiles)
            << ScheduleAttr::get(context.get(), *drawn);
  ASSERT_FALSE(tiles.empty());
  Record record = makeRecord(tiles, 1e-3);
  auto problem = [&](const Environment *known) {
    record.machineKey = machine.key();
    record.target = here.target.str();
    return RecordCheck(*context, known).problemOf(record, desc);
  };
  EXPECT_EQ(problem(&here), "");
  EXPECT_EQ(problem(nullptr), "");
  machine.features = "+avx512f,-amx-tile,-amx-int8";
  EXPECT_TRUE(speaksOf(problem(&here), "'rocketlake' has no tdpbssd"));
  EXPECT_EQ(problem(nullptr), ""); // The key does not say.
}

TEST_F(JudgeTest, Records) {
  EXPECT_EQ(after([](Record &) {}), "");
  EXPECT_EQ(after([](Record &r) { r.schedule = "default"; }), "");
  EXPECT_EQ(after([](Record &r) { r.timestamp = "2999-01-01T00:00:00Z"; }),
            "the time stamp 2999-01-01T00:00:00Z is in the future");
  EXPECT_TRUE(speaksOf(after([](Record &r) { r.timestamp = ""; }),
                       "invalid time stamp ''"));
  EXPECT_TRUE(speaksOf(after([](Record &r) { r.machineKey = "a machine"; }),
                       "invalid machine key 'a machine'"));
  EXPECT_TRUE(speaksOf(after([](Record &r) { r.machineKey += ";lanes=7"; }),
                       "invalid machine key"));
  EXPECT_TRUE(speaksOf(after([](Record &r) { r.target = "nvidia:sm_80"; }),
                       "for this machine, but got 'nvidia:sm_80'"));
  EXPECT_TRUE(
      speaksOf(after([](Record &r) { r.pipelineOptions = "threads=0"; }),
               "invalid pipeline options 'threads=0'"));
  EXPECT_TRUE(
      speaksOf(after([](Record &r) { r.pipelineOptions = "threads=9999"; }),
               "threads, the cores of the machine, but got 9999"));
  EXPECT_TRUE(speaksOf(after([](Record &r) { r.schedule = "plain"; }),
                       "cannot parse the schedule: plain"));
  EXPECT_TRUE(speaksOf(after([](Record &r) { r.times = {1e-3, 1e-12}; }),
                       "a time is 1e-12 s, but no code runs this task"));
  Record record = makeRecord(schedules[0], 1e-3);
  StoredTask unknown;
  unknown.key = task().key;
  EXPECT_TRUE(speaksOf(judge.problemOf(record, unknown), "is unknown"));
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
