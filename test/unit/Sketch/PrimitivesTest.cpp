//===- PrimitivesTest.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Analysis/SummaryProperty tests that random schedules of every kind of task
// survive the round trip. This file tests the text and its errors.

#include "TaskFixtures.h"

#include "pruner/Sketch/Knob.h"
#include "pruner/Sketch/Primitives.h"
#include "pruner/Sketch/Sketch.h"
#include "pruner/Support/Random.h"

#include "gtest/gtest.h"

#include <set>

using namespace pruner;
using namespace pruner::test;

static std::string toText(const PrimitiveSequence &sequence) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printPrimitives(sequence, os);
  return text;
}

/// Why a text is not a valid schedule; empty if it is.
static std::string problem(const std::string &text) {
  auto sequence = parsePrimitives(text);
  if (!sequence)
    return llvm::toString(sequence.takeError());
  auto schedule = scheduleOf(*sequence);
  return schedule ? "" : llvm::toString(schedule.takeError());
}

static Schedule tiled() {
  Schedule s;
  s.sketch = SketchId::SimtTile;
  s.tiles = {{1, 16, 2, 2}, {1, 16, 1, 4}, {8, 2}};
  s.stages = {StageLevel::Inner, StageLevel::None};
  s.vector = 4;
  s.unroll = 64;
  s.split = {2};
  return s;
}

static const std::string kNest = "nest simt_tile 2 1 4\n";
static const std::string kRows = "tile 0 parallel 512 1 0 [1, 16, 2, 2]\n";
static const std::string kColumns = "tile 1 parallel 256 2 2 [1, 16, 1, 4]\n";
static const std::string kReduced = "tile 2 reduction 1024 3 1 [8, 2]\n";
static const std::string kTiles = kRows + kColumns + kReduced;

// Names of knobs must differ from those of primitives with a special form.
TEST(Primitives, NamesAreDifferent) {
  std::set<std::string> names;
  for (unsigned type = 0; type < primitiveTypeCount(); ++type)
    EXPECT_TRUE(names.insert(primitiveName(type).str()).second)
        << primitiveName(type).str();
  EXPECT_EQ(primitiveTypeCount(), 3 + allKnobs().size());
}

TEST(Primitives, AProductMatchesTheManual) {
  PrimitiveSequence sequence = PrimitiveWriter(matmul(512, 256, 1024))(tiled());
  EXPECT_EQ(toText(sequence), kNest + "compute 0 anchor 1 2 2 0\n" + kTiles +
                                  "stages [inner, none]\n"
                                  "vector 4\n"
                                  "unroll 64\n"
                                  "split [2]\n");
  auto parsed = parsePrimitives(toText(sequence));
  ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
  EXPECT_EQ(*parsed, sequence);
  auto schedule = scheduleOf(*parsed);
  ASSERT_TRUE(bool(schedule)) << llvm::toString(schedule.takeError());
  EXPECT_TRUE(*schedule == tiled());
}

// Fused statements are part of it, and reused memory leaves no traces.
TEST(Primitives, StatementsHaveRoles) {
  PrimitiveWriter writer(withPrologue(withBiasRelu(matmul(512, 256, 1024))));
  PrimitiveSequence sequence;
  Schedule longer = tiled();
  longer.pad = 1;
  writer.write(longer, sequence);
  writer.write(tiled(), sequence);
  EXPECT_EQ(sequence, writer(tiled()));
  std::string text = toText(sequence);
  EXPECT_NE(text.find(" anchor "), std::string::npos) << text;
  EXPECT_NE(text.find(" prologue "), std::string::npos) << text;
  EXPECT_NE(text.find(" epilogue "), std::string::npos) << text;
}

// Each knob alone, with any value that the rules allow.
TEST(Primitives, NoKnobIsLost) {
  TaskDesc task = matmul(64, 64, 4096);
  task.tensors[1].constant = true;
  PrimitiveWriter writer(task);
  Random random(1);
  for (const Sketch *sketch : allSketches())
    for (const Knob *knob : allKnobs())
      for (unsigned n = 0; n < 20; ++n) {
        Schedule s;
        s.sketch = sketch->id;
        for (unsigned d = 0; d < task.dims().size(); ++d)
          s.tiles.emplace_back(sketch->levels(task.kindOf(d)).size(),
                               1 + random.uniform(9));
        knob->drawAny(task, s, random);
        auto parsed = parsePrimitives(toText(writer(s)));
        ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
        auto schedule = scheduleOf(*parsed);
        ASSERT_TRUE(bool(schedule)) << llvm::toString(schedule.takeError());
        EXPECT_TRUE(*schedule == s) << toText(*parsed);
      }
}

TEST(Primitives, SemicolonsSeparateAsLinesDo) {
  EXPECT_EQ(problem("nest cpu_map 1 0 4; tile 0 parallel 8 1 1 [2, 4];\n\n"
                    "stages []; vector 1"),
            "");
}

TEST(Primitives, InvalidWordsAreRejected) {
  EXPECT_EQ(problem("nest gpu 1 0 4"),
            "primitive 1: unknown name 'gpu'; expected one of cpu_tile, "
            "cpu_map, cpu_row, "
            "simt_tile, simt_map, simt_row, cpu_chain");
  EXPECT_EQ(problem("fuse 1"), "primitive 1: unknown primitive 'fuse'");
  EXPECT_EQ(problem(kNest + "vector four"),
            "primitive 2: expected a number, but got 'four'");
  EXPECT_EQ(problem(kNest + "vector 99999999999999999999"),
            "primitive 2: expected a number, but got '99999999999999999999'");
  EXPECT_EQ(problem(kNest + "stages inner"),
            "primitive 2: expected a list in brackets");
  EXPECT_EQ(problem(kNest + "tile 0 parallel [1, 16, 2, 2]"),
            "primitive 2: expected 5 parameters before the list, but got 2");
  EXPECT_EQ(problem(kNest + "vector [4]"),
            "primitive 2: unexpected list in brackets");
  EXPECT_EQ(problem(kNest + "stages [inner"),
            "primitive 2: expected ']' at the end of the list");
  EXPECT_EQ(problem(kNest + "stages [inner, deep]"),
            "primitive 2: unknown name 'deep'; expected one of none, inner, "
            "outer, ahead");
  std::string many = "order [0";
  for (unsigned n = 0; n < 300; ++n)
    many += ", 0";
  EXPECT_EQ(problem(kNest + many + "]"),
            "primitive 2: more than 256 parameters");
}

TEST(Primitives, InvalidSequencesAreRejected) {
  EXPECT_EQ(problem(kNest + kTiles), "");
  EXPECT_EQ(problem(""), "expected nest as first primitive");
  EXPECT_EQ(problem("vector 4"),
            "primitive 1: expected nest as first primitive");
  EXPECT_EQ(problem(kNest + kNest), "primitive 2: nest occurs twice");
  EXPECT_EQ(problem("nest simt_tile 2 1"),
            "primitive 1: nest expects 4 parameters, but has 3");
  EXPECT_EQ(problem(kNest + kColumns),
            "primitive 2: expected dimension 0, but got 1");
  EXPECT_EQ(
      problem(kNest + "tile 0 parallel 512 1 0 [16, 2, 2]"),
      "primitive 2: expected 4 factors, one per level of simt_tile, but got 3");
  EXPECT_EQ(problem(kNest + "tile 0 parallel 512 1 0 [1, 16, 0, 2]"),
            "primitive 2: extents and factors must be at least 1");
  EXPECT_EQ(problem(kNest + kRows + kReduced),
            "primitive 3: expected dimension 1, but got 2");
  EXPECT_EQ(problem(kNest + kRows + kColumns),
            "the tiled dimensions do not match the counts of nest");
  EXPECT_EQ(problem(kNest + "compute 1 anchor 1 2 2 0"),
            "primitive 2: expected statement 0, but got 1");
  EXPECT_EQ(problem(kNest + kTiles + "vector 4; vector 4"),
            "primitive 6: vector occurs twice");
  EXPECT_EQ(problem(kNest + kTiles + "vector 4 4"),
            "primitive 5: vector expects 1 parameter, but has 2");
}

// Not from text: types and tokens out of range.
TEST(Primitives, InvalidTokensAreRejected) {
  PrimitiveSequence sequence = PrimitiveWriter(matmul(512, 256, 1024))(tiled());
  auto problemWith = [&](size_t n, auto change) {
    PrimitiveSequence other = sequence;
    change(other[n]);
    auto schedule = scheduleOf(other);
    return schedule ? "" : llvm::toString(schedule.takeError());
  };
  EXPECT_EQ(problemWith(0, [](Primitive &p) { p.parameters[0] = 8; }),
            "primitive 1: unknown sketch 8");
  EXPECT_EQ(problemWith(1, [](Primitive &p) { p.parameters[1] = 0; }),
            "primitive 2: unknown role 0");
  EXPECT_EQ(problemWith(2, [](Primitive &p) { p.parameters[1] = 5; }),
            "primitive 3: unknown kind of dimension 5");
  EXPECT_EQ(problemWith(5, [](Primitive &p) { p.parameters[0] = 5; }),
            "primitive 6: unknown stage level 5");
  EXPECT_EQ(problemWith(5, [](Primitive &p) { p.type = 99; }),
            "primitive 6: unknown primitive type 99");
}
