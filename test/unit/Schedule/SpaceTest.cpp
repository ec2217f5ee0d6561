//===- SpaceTest.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskFixtures.h"

#include "pruner/Analysis/Legality.h"
#include "pruner/Analysis/Psa.h"
#include "pruner/Machine/KnownMachines.h"
#include "pruner/Schedule/Space.h"

#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <cmath>
#include <set>

using namespace pruner;
using namespace pruner::test;

static std::vector<TaskDesc> tasks() {
  std::vector<TaskDesc> all;
  for (int64_t n : {1, 7, 17, 127})
    all.push_back(matmul(n, n, n));
  all.push_back(matmul(511, 513, 509));
  all.push_back(matmul(1, 1000, 2048));
  all.push_back(matmul(128, 96, 200, true, false));
  all.push_back(matmul(128, 96, 200, false, true));
  all.push_back(matmul(128, 128, 64, true, true, 12));
  all.push_back(matmul(64, 48, 96, false, false, 0, ElementType::F16));
  all.push_back(withBiasRelu(matmul(65, 1024, 1024)));
  all.push_back(withPrologue(withBiasRelu(matmul(33, 70, 129))));
  all.push_back(elementwise(37, 1001));
  all.push_back(elementwise(1, 1));
  all.push_back(conv2d(14, 64, 96, 3));
  all.push_back(conv2d(7, 32, 32, 3, 2, /*depthwise=*/true));
  all.push_back(fullReduction(1000));
  return all;
}

static std::vector<Machine> machines() {
  return {cpu(16, 16), cpu(32, 16, 4), cpu(64, 32, 2), gpu()};
}

/// Products of narrow numbers, a batch, and a convolution with the channels
/// last, which tensor cores multiply.
static std::vector<TaskDesc> tensorTasks() {
  std::vector<TaskDesc> all;
  auto add = [&](TaskDesc task, ElementType type) {
    StatementDesc &anchor = task.statements[task.anchor];
    for (const OperandDesc &input : anchor.inputs)
      task.tensors[input.tensor].type = type;
    bool bytes = type == ElementType::I8;
    task.tensors[anchor.output.tensor].type =
        bytes ? ElementType::I32 : ElementType::F32;
    anchor.product = {true, true};
    all.push_back(std::move(task));
  };
  add(matmul(512, 512, 512), ElementType::F16);
  add(matmul(100, 60, 70), ElementType::BF16);
  add(matmul(256, 128, 192, true, false), ElementType::I8);
  add(matmul(64, 64, 64, false, true, 12), ElementType::F16);
  add(conv2d(28, 64, 96, 3), ElementType::F16);
  return all;
}

static std::string message(const std::optional<Violation> &violation) {
  return violation ? violation->message : "legal";
}

static ProgramSummary summaryOf(const TaskDesc &task, const Schedule &s) {
  return summarize(task, buildTiledProgram(task, s));
}

// 2,000 draws for every machine: all are legal, and the closed-form resources
// equal those of the program.
TEST(ScheduleSpace, SamplesAreLegal) {
  Random random(1);
  for (const Machine &machine : machines())
    for (const TaskDesc &task : tasks()) {
      ScheduleSpace space(task, machine);
      for (unsigned i = 0; i < 130; ++i) {
        std::optional<Schedule> s = space.sample(random);
        ASSERT_TRUE(s);
        ASSERT_EQ(message(checkSchedule(task, *s, machine)), "legal");
        ProgramSummary summary = summaryOf(task, *s);
        ScheduleResources used = resourcesOf(task, *s);
        ASSERT_NO_FATAL_FAILURE(assertEqual(used, summary.kernels[0]));
        double seconds = psaSeconds(summary, machine);
        ASSERT_TRUE(std::isfinite(seconds) && seconds > 0)
            << task.name << " " << scheduleKey(*s);
      }
    }
}

// A program covers every iteration point, with few extra points.
// Draws for chips with tensor cores use them, and every change of a schedule
// with or without them is legal.
TEST(ScheduleSpace, TensorSchedulesAreDrawn) {
  Random random(4);
  for (const char *chip : {"sm_75", "sm_80", "sm_90", "sm_120"}) {
    unsigned changed = 0;
    for (const TaskDesc &task : tensorTasks()) {
      Machine machine = llvm::cantFail(knownMachine(chip));
      bool hasOne = machine.arch != "sm_75" ||
                    task.tensors[0].type == ElementType::F16 ||
                    task.tensors[0].type == ElementType::I8;
      ScheduleSpace space(task, machine);
      unsigned with = 0;
      for (unsigned i = 0; i < 60; ++i) {
        std::optional<Schedule> s = space.sample(random);
        ASSERT_TRUE(s);
        with += s->instruction != 0;
        for (unsigned step = 0; step < 10; ++step) {
          std::optional<Schedule> next = space.mutate(*s, random);
          if (!next)
            continue;
          changed += next->instruction != s->instruction;
          s = next;
          ASSERT_EQ(message(checkSchedule(task, *s, machine)), "legal");
        }
      }
      EXPECT_EQ(with > 0, hasOne) << chip << " " << task.name;
      if (hasOne)
        EXPECT_GE(with, 15u) << chip << " " << task.name;
    }
    EXPECT_GE(changed, 1u) << chip;
  }
}

// A machine that does not state the rate gets no such schedules.
TEST(ScheduleSpace, TensorSchedulesNeedARate) {
  Machine machine = llvm::cantFail(knownMachine("sm_80"));
  machine.sm.halfTensorRate = 0;
  ScheduleSpace space(tensorTasks().front(), machine);
  Random random(5);
  for (unsigned i = 0; i < 100; ++i)
    EXPECT_EQ(space.sample(random)->instruction, 0);
}

TEST(ScheduleSpace, ProgramsCoverTheDomain) {
  Random random(2);
  for (const Machine &machine : machines())
    for (const TaskDesc &task : tasks()) {
      ScheduleSpace space(task, machine);
      double points = 1;
      for (const IterDim &dim : task.anchorStatement().dims)
        points *= double(dim.extent);
      for (unsigned i = 0; i < 20; ++i) {
        ProgramSummary summary = summaryOf(task, *space.sample(random));
        for (const StatementSummary &statement : summary.statements)
          // A second kernel only combines the results of the first.
          if (statement.kernel == 0 &&
              (statement.kind == StatementKind::Update ||
               (statement.kind == StatementKind::Map && !task.hasReduction())))
            EXPECT_GE(double(statement.totalTrips()), points);
      }
    }
}

TEST(ScheduleSpace, SameSeedSameSchedules) {
  TaskDesc task = matmul(511, 513, 509);
  ScheduleSpace a(task, cpu()), b(task, cpu());
  Random ra(7), rb(7), rc(8);
  unsigned different = 0;
  for (unsigned i = 0; i < 100; ++i) {
    Schedule s = *a.sample(ra), t = *b.sample(rb);
    ASSERT_EQ(scheduleKey(s), scheduleKey(t));
    ASSERT_EQ(scheduleKey(*a.mutate(s, ra)), scheduleKey(*b.mutate(t, rb)));
    different += scheduleKey(s) != scheduleKey(*a.sample(rc));
  }
  EXPECT_GT(different, 90u);
}

TEST(ScheduleSpace, MutationsAreLegalAndSmall) {
  Random random(3);
  for (const Machine &machine : machines())
    for (const TaskDesc &task : {matmul(511, 513, 509), conv2d(14, 64, 96, 3),
                                 elementwise(37, 1001)}) {
      ScheduleSpace space(task, machine);
      Schedule s = *space.sample(random);
      unsigned tiles = 0;
      for (unsigned i = 0; i < 200; ++i) {
        std::optional<Schedule> next = space.mutate(s, random);
        ASSERT_TRUE(next);
        ASSERT_FALSE(*next == s);
        ASSERT_EQ(message(checkSchedule(task, *next, machine)), "legal");
        tiles += next->tiles != s.tiles;
        s = *next;
      }
      EXPECT_GT(tiles, 150u);
    }
}

TEST(ScheduleSpace, CrossoverMixesParents) {
  Random random(4);
  TaskDesc task = matmul(256, 256, 256);
  ScheduleSpace space(task, gpu());
  for (unsigned i = 0; i < 50; ++i) {
    Schedule a = *space.sample(random), b = *space.sample(random);
    std::optional<Schedule> child = space.crossover(a, b, random);
    ASSERT_TRUE(child);
    ASSERT_EQ(message(checkSchedule(task, *child, gpu())), "legal");
    for (unsigned d = 0; d < 3; ++d)
      EXPECT_TRUE(child->tiles[d] == a.tiles[d] ||
                  child->tiles[d] == b.tiles[d]);
  }
}

// Known good register tiles are drawn often for any SIMD width, from the
// machine's numbers alone.
TEST(ScheduleSpace, GoodRegisterTilesAreDrawnOften) {
  struct Case {
    Machine machine;
    int64_t rows, columns;
  };
  for (const Case &c : {Case{cpu(32, 16), 6, 16}, Case{cpu(64, 32), 14, 32},
                        Case{cpu(64, 32), 12, 32}, Case{cpu(16, 32), 7, 12}}) {
    ScheduleSpace space(matmul(1008, 1024, 1024), c.machine);
    Random random(5);
    unsigned hits = 0, nearlyFull = 0;
    for (unsigned i = 0; i < 2000; ++i) {
      Schedule s = *space.sample(random);
      hits += s.tiles[0][2] == c.rows && s.tiles[1][2] == c.columns;
      ScheduleResources used = resourcesOf(space.task(), s);
      nearlyFull += used.accumulatorRegisters + used.operandRegisters >=
                    3 * c.machine.vectorRegisters / 4;
    }
    EXPECT_GT(hits, 10u) << c.rows << "x" << c.columns;
    EXPECT_GT(nearlyFull, 600u);
  }
}

TEST(ScheduleSpace, NeighborsDifferInOneKnob) {
  TaskDesc task = matmul(17, 24, 9);
  ScheduleSpace space(task, cpu());
  Schedule s = *space.defaultSchedule();
  std::vector<Schedule> near = space.neighbors(s);
  EXPECT_GT(near.size(), 10u);
  std::set<std::string> keys;
  for (const Schedule &n : near) {
    EXPECT_EQ(message(checkSchedule(task, n, cpu())), "legal");
    EXPECT_TRUE(keys.insert(scheduleKey(n)).second);
    unsigned dims = 0;
    for (unsigned d = 0; d < 3; ++d)
      dims += n.tiles[d] != s.tiles[d];
    unsigned others = (n.stages != s.stages) + (n.unroll != s.unroll) +
                      (n.order != s.order) + (n.vector != s.vector) +
                      (n.prefetch != s.prefetch);
    // A new vector width changes the tile along it, too.
    EXPECT_LE(dims + others, n.vector != s.vector ? 2u : 1u);
    EXPECT_GE(dims + others, 1u);
  }
}

// A legal schedule of one task is legal for a similar one after adopt(), or is
// rejected. Factors that fit stay unchanged.
TEST(ScheduleSpace, AdoptedSchedulesAreLegal) {
  Random random(11);
  const std::pair<TaskDesc, TaskDesc> pairs[] = {
      {matmul(511, 513, 509), matmul(17, 17, 17)},
      {matmul(128, 96, 200), matmul(65, 1024, 1024)},
      {conv2d(14, 64, 96, 3), conv2d(7, 32, 32, 3, 2)},
      {elementwise(37, 1001), elementwise(1, 1)}};
  for (const Machine &machine : machines())
    for (const auto &[from, to] : pairs) {
      ScheduleSpace lender(from, machine), space(to, machine);
      unsigned adopted = 0;
      for (unsigned n = 0; n < 200; ++n) {
        Schedule s = *lender.sample(random);
        EXPECT_EQ(lender.adopt(s), s);
        std::optional<Schedule> fitted = space.adopt(s);
        if (!fitted)
          continue;
        ++adopted;
        EXPECT_EQ(message(checkSchedule(to, *fitted, machine)), "legal");
        EXPECT_EQ(fitted->sketch, s.sketch);
        EXPECT_EQ(fitted->vector, s.vector);
      }
      EXPECT_GT(adopted, 20u) << from.name << " to " << to.name;
    }
  // Other dimensions, or another sketch.
  ScheduleSpace product(matmul(32, 32, 32), cpu()),
      map(elementwise(32, 32), cpu());
  EXPECT_EQ(product.adopt(*map.defaultSchedule()), std::nullopt);
  EXPECT_EQ(map.adopt(*product.defaultSchedule()), std::nullopt);
}

TEST(ScheduleSpace, SmallSpacesCanBeListed) {
  TaskDesc task = elementwise(4, 8);
  ScheduleSpace space(task, cpu());
  std::set<std::string> keys;
  for (uint64_t i = 0; i < uint64_t(space.size()); ++i)
    if (std::optional<Schedule> s = space.at(i)) {
      EXPECT_EQ(message(checkSchedule(task, *s, cpu())), "legal");
      EXPECT_TRUE(keys.insert(scheduleKey(*s)).second);
    }
  EXPECT_FALSE(space.at(uint64_t(space.size())));
  // Every uniform sample is in the list.
  SpaceOptions options;
  options.guidedShare = 0;
  ScheduleSpace uniform(task, cpu(), options);
  Random random(6);
  std::set<std::string> drawn;
  for (unsigned i = 0; i < 20000; ++i)
    drawn.insert(scheduleKey(*uniform.sample(random)));
  for (const std::string &key : drawn)
    EXPECT_TRUE(keys.count(key)) << key;
  EXPECT_EQ(drawn.size(), keys.size());
}

TEST(ScheduleSpace, RejectionsAreCountedByRule) {
  ScheduleSpace space(matmul(512, 512, 512), gpu());
  Random random(9);
  RejectionStats stats;
  for (unsigned i = 0; i < 500; ++i)
    space.sample(random, &stats);
  EXPECT_EQ(stats.accepted, 500u);
  EXPECT_GT(stats.rejected["R13"] + stats.rejected["R15"], 0u);
  // Fewer than 20 draws per schedule.
  uint64_t rejected = 0;
  for (const auto &[rule, count] : stats.rejected)
    rejected += count;
  EXPECT_LT(rejected, 500u * 20);
}

TEST(ScheduleSpace, DefaultScheduleIsFixedAndGood) {
  for (const Machine &machine : machines()) {
    TaskDesc task = matmul(512, 512, 512);
    ScheduleSpace space(task, machine);
    std::optional<Schedule> s = space.defaultSchedule();
    ASSERT_TRUE(s);
    EXPECT_TRUE(*s == *ScheduleSpace(task, machine).defaultSchedule());
    double roof = task.flops() / (machine.peakFlops *
                                  double(machine.isCpu() ? machine.units : 1));
    EXPECT_LT(psaSeconds(summaryOf(task, *s), machine),
              roof * (machine.isCpu() ? 2 : 4));
  }
}

TEST(ScheduleSpace, Describe) {
  std::string text = ScheduleSpace(matmul(64, 64, 64), cpu()).describe();
  EXPECT_NE(text.find("space cpu_tile of matmul on cpu:test: "),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\n  tile d1 register: 8 16 24 32 40 48 56 64\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\n  stage of input 0: none inner outer\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\n  order: natural d1,d0\n"), std::string::npos) << text;
}

// In a small space any requested number of schedules ends, with all or almost
// all of the space.
TEST(ScheduleSpace, DistinctSamplesEndWithTheSpace) {
  auto draw = [](const TaskDesc &task, const Machine &machine, uint64_t count) {
    ScheduleSpace space(task, machine);
    Random random(3);
    std::set<std::string> seen;
    size_t handed = 0;
    space.sampleDistinct(count, random, [&](const Schedule &s) {
      std::string text;
      llvm::raw_string_ostream os(text);
      for (const auto &factors : s.tiles) {
        for (int64_t factor : factors)
          os << factor << ' ';
        os << ';';
      }
      os << s.vector << ' ' << s.vectorDim << ' ' << s.unroll << ' '
         << s.prefetch << ' ' << s.raster << ' ' << s.pad;
      for (StageLevel level : s.stages)
        os << ' ' << int(level);
      for (int64_t dim : s.order)
        os << ' ' << dim;
      seen.insert(text);
      ++handed;
    });
    EXPECT_EQ(seen.size(), handed);
    return handed;
  };
  size_t all = draw(elementwise(1, 4), cpu(), UINT64_MAX);
  EXPECT_GE(all, 2u);
  EXPECT_LE(all, 1000u);
  EXPECT_LE(draw(elementwise(1, 4), cpu(), all - 1), all - 1);
  EXPECT_EQ(draw(matmul(511, 513, 509), cpu(), 300), 300u);
  EXPECT_EQ(draw(matmul(511, 513, 509), cpu(), 0), 0u);
}
