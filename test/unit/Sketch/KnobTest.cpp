//===- KnobTest.cpp -------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskFixtures.h"

#include "pruner/Sketch/Knob.h"
#include "pruner/Sketch/Sketch.h"

#include "gtest/gtest.h"

#include <set>

using namespace pruner;
using namespace pruner::test;

TEST(Sketch, AreFoundByNameAndId) {
  EXPECT_EQ(allSketches().size(), 7u);
  for (auto [number, sketch] : llvm::enumerate(allSketches())) {
    EXPECT_EQ(unsigned(sketch->id), number);
    EXPECT_EQ(findSketch(sketch->name), sketch);
    Schedule s;
    s.sketch = sketch->id;
    EXPECT_EQ(&sketchOf(s), sketch);
  }
  EXPECT_EQ(findSketch("cpu"), nullptr);
}

TEST(Sketch, OneOfEachKindFitsATask) {
  for (const TaskDesc &task : {matmul(8, 8, 8), elementwise(4, 8)})
    for (bool gpu : {false, true}) {
      unsigned fitting = 0;
      for (const Sketch *sketch : allSketches())
        fitting += sketch->gpu == gpu && !sketch->fits(task);
      EXPECT_EQ(fitting, gpu && task.hasReduction() ? 2u : 1u);
    }
}

TEST(Knob, ValuesRoundTrip) {
  TaskDesc task = matmul(64, 64, 4096);
  task.tensors[1].constant = true;
  unsigned chosen = 0;
  for (const Sketch *sketch : allSketches()) {
    Machine machine = sketch->gpu ? gpu() : cpu();
    for (const Knob *knob : allKnobs())
      for (unsigned p = 0; p < (knob->perInput() ? 2u : 1u); ++p) {
        std::set<std::string> keys;
        std::set<size_t> hashes;
        auto values = knob->values({task, machine, *sketch}, p);
        ASSERT_FALSE(values.empty());
        for (const Knob::Value &value : values) {
          Schedule s, again;
          s.sketch = again.sketch = sketch->id;
          knob->choose(s, p, value);
          EXPECT_TRUE(keys.insert(scheduleKey(s)).second) << knob->name().str();
          EXPECT_TRUE(hashes.insert(hash_value(s)).second)
              << knob->name().str();
          knob->set(again, knob->get(s));
          EXPECT_TRUE(again == s);
          EXPECT_EQ(size_t(hash_value(again)), size_t(hash_value(s)));
          EXPECT_EQ(knob->isDefault(s), knob->get(s) == knob->get(Schedule()));
          ++chosen;
        }
      }
  }
  EXPECT_GT(chosen, 80u);
}

// Copying a knob changes only that knob.
TEST(Knob, CopiesNothingElse) {
  Schedule from;
  from.stages = {StageLevel::Outer, StageLevel::Inner};
  from.vector = 4, from.vectorDim = 1, from.unroll = 2, from.pad = 3;
  from.order = {1, 0}, from.split = {2}, from.prefetch = 1;
  from.raster = 0, from.stream = 1, from.pipeline = 3;
  for (const Knob *knob : allKnobs()) {
    Schedule to;
    to.stages = {StageLevel::None, StageLevel::None};
    const Schedule before = to;
    for (unsigned p = 0; p < (knob->perInput() ? 2u : 1u); ++p)
      knob->copy(to, from, p);
    for (const Knob *other : allKnobs())
      EXPECT_EQ(other->get(to), other->get(other == knob ? from : before))
          << knob->name().str() << " " << other->name().str();
  }
}

// Every mutation belongs to at most one knob, and most of them change tiles.
TEST(Knob, SharesOfMutationsDoNotOverlap) {
  for (const Sketch *sketch : allSketches()) {
    std::set<unsigned> taken;
    for (const Knob *knob : allKnobs()) {
      MutationShare share = knob->mutations(*sketch);
      for (unsigned n = 0; n < share.count; ++n)
        EXPECT_TRUE(taken.insert(share.first + n).second)
            << knob->name().str() << " of " << sketch->name.str();
      EXPECT_FALSE(share.count && knob->mutatesWith());
    }
    EXPECT_LE(taken.size(), 150u);
    EXPECT_TRUE(taken.empty() || *taken.rbegin() < 1000);
  }
}

static const Knob *knobNamed(llvm::StringRef name) {
  return *llvm::find_if(allKnobs(),
                        [&](const Knob *knob) { return knob->name() == name; });
}

// The order of tiles is searched only if the inputs exceed the cache.
TEST(Knob, RasterHasAChoiceBeyondTheCache) {
  const Knob *raster = knobNamed("raster");
  auto choices = [&](const TaskDesc &task, const Machine &machine,
                     const char *sketch) {
    return raster->values({task, machine, *findSketch(sketch)}, 0).size();
  };
  TaskDesc small = matmul(64, 64, 64), large = matmul(8192, 8192, 8192);
  EXPECT_EQ(choices(small, cpu(), "cpu_tile"), 1u);
  EXPECT_EQ(choices(large, cpu(), "cpu_tile"), 2u);
  EXPECT_EQ(choices(large, gpu(), "simt_tile"), 2u);
  EXPECT_EQ(choices(large, gpu(), "simt_row"), 1u);
}

// Copies run further ahead than one slice only by asynchronous copies.
TEST(Knob, PipelineDependsOnTheDevice) {
  auto choices = [&](const char *arch, const char *sketch) {
    Machine machine = gpu();
    machine.arch = arch;
    return knobNamed("pipeline")
        ->values({matmul(64, 64, 64), machine, *findSketch(sketch)}, 0)
        .size();
  };
  EXPECT_EQ(choices("sm_80", "simt_tile"), 5u);
  EXPECT_EQ(choices("sm_120a", "simt_tile"), 5u);
  EXPECT_EQ(choices("sm_75", "simt_tile"), 2u);
  EXPECT_EQ(choices("gfx906", "simt_tile"), 2u);
  EXPECT_EQ(choices("sm_80", "simt_row"), 1u);
  EXPECT_EQ(choices("sm_80", "cpu_tile"), 1u);
}

// The knob follows tiles that leave fewer steps.
TEST(Knob, PipelineIsRepaired) {
  TaskDesc task = matmul(64, 64, 64);
  Schedule s;
  s.sketch = SketchId::SimtTile;
  s.tiles = {{1, 8, 1, 1}, {1, 8, 1, 4}, {8, 2}};
  s.stages = {StageLevel::Inner, StageLevel::Inner};
  s.vector = 4;
  auto repaired = [&](int64_t buffers) {
    Schedule changed(s);
    changed.pipeline = buffers;
    knobNamed("pipeline")->repair(task, changed);
    return changed.pipeline;
  };
  EXPECT_EQ(repaired(3), 3);
  EXPECT_EQ(repaired(5), 4);
  s.split = {2};
  EXPECT_EQ(repaired(5), 2);
  s.split = {};
  s.stages[1] = StageLevel::None;
  EXPECT_EQ(repaired(5), 2);
  s.stages[0] = StageLevel::Outer;
  EXPECT_EQ(repaired(5), 1);
}

// Results are stored around the caches only if they exceed them, on x86.
TEST(Knob, StreamHasAChoiceBeyondTheCache) {
  auto choices = [&](const TaskDesc &task, Machine machine,
                     const char *sketch) {
    if (!findSketch(sketch)->gpu)
      machine.arch = "znver4";
    return knobNamed("stream")
        ->values({task, machine, *findSketch(sketch)}, 0)
        .size();
  };
  TaskDesc small = elementwise(1024, 8192), large = elementwise(1025, 8192);
  EXPECT_EQ(choices(small, cpu(), "cpu_map"), 1u);
  EXPECT_EQ(choices(large, cpu(), "cpu_map"), 2u);
  EXPECT_EQ(choices(matmul(2048, 8192, 64), cpu(), "cpu_tile"), 2u);
  EXPECT_EQ(choices(large, gpu(), "simt_map"), 1u);
  EXPECT_EQ(
      knobNamed("stream")->values({large, cpu(), *findSketch("cpu_map")}, 0),
      std::vector<Knob::Value>{{0}});
}
