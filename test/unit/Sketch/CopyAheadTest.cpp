//===- CopyAheadTest.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskFixtures.h"

#include "pruner/Sketch/BuildProgram.h"

#include "gtest/gtest.h"

using namespace pruner;
using namespace pruner::test;

/// 32x32 block tiles of 64 threads; slices of 8.
static Schedule tiles() {
  Schedule s;
  s.sketch = SketchId::SimtTile;
  s.tiles = {{1, 8, 1, 4}, {1, 8, 1, 4}, {8, 1}};
  s.stages = {StageLevel::Inner, StageLevel::Inner};
  s.vector = 4;
  s.pipeline = 3;
  return s;
}

/// "3 async" or "2", for each staged input.
static std::string ahead(const TaskDesc &task, const Schedule &schedule) {
  std::string text;
  for (unsigned i = 0; i < schedule.stages.size(); ++i) {
    CopyAhead copy = copyAhead(task, schedule, i);
    text += (i ? ", " : "") + std::to_string(copy.buffers) +
            (copy.async ? " async" : "");
  }
  return text;
}

template <typename Change>
static std::string after(Change change, const TaskDesc &task) {
  Schedule s = tiles();
  change(s);
  return ahead(task, s);
}
static void nothing(Schedule &) {}

// Parallel coordinates are innermost in shared memory: rows of B and of a
// transposed A remain rows, others become columns.
TEST(CopyAhead, TransposedCopiesGoThroughRegisters) {
  EXPECT_EQ(after(nothing, matmul(64, 64, 64)), "2, 3 async");
  EXPECT_EQ(after(nothing, matmul(64, 64, 64, /*transposeA=*/true)),
            "3 async, 3 async");
  EXPECT_EQ(after(nothing, matmul(64, 64, 64, false, /*transposeB=*/true)),
            "2, 2");
  EXPECT_EQ(after(nothing, matmul(64, 64, 64, true, false, /*batch=*/0)),
            "3 async, 3 async");
}

TEST(CopyAhead, OnlyInsideTheOuterReduction) {
  TaskDesc task = matmul(64, 64, 64);
  EXPECT_EQ(after([](Schedule &s) { s.pipeline = 1; }, task), "1, 1");
  EXPECT_EQ(after([](Schedule &s) { s.stages[1] = StageLevel::Outer; }, task),
            "2, 1");
  EXPECT_EQ(after([](Schedule &s) { s.stages[0] = StageLevel::None; }, task),
            "1, 3 async");
}

// No more buffers than steps.
TEST(CopyAhead, StepsLimitTheBuffers) {
  Schedule s = tiles();
  EXPECT_EQ(reductionSteps(matmul(64, 64, 64), s), 8);
  EXPECT_EQ(ahead(matmul(64, 64, 16), s), "2, 2 async");
  EXPECT_EQ(ahead(matmul(64, 64, 9), s), "2, 2 async");
  EXPECT_EQ(ahead(matmul(64, 64, 8), s), "1, 1");
  EXPECT_EQ(ahead(matmul(64, 64, 1), s), "1, 1");
  s.split = {4};
  EXPECT_EQ(reductionSteps(matmul(64, 64, 64), s), 2);
  EXPECT_EQ(ahead(matmul(64, 64, 64), s), "2, 2 async");
  s.split = {8};
  EXPECT_EQ(ahead(matmul(64, 64, 64), s), "1, 1");
}

// Chunks of 4, 8 or 16 bytes: of f16 at least two elements, of i8 four.
TEST(CopyAhead, ChunksHaveFourToSixteenBytes) {
  auto product = [](ElementType type, int64_t n) {
    return matmul(64, n, 64, false, false, 0, type);
  };
  auto vector = [](int64_t elements) {
    return [=](Schedule &s) { s.vector = elements; };
  };
  for (ElementType type : {ElementType::F16, ElementType::BF16}) {
    EXPECT_EQ(after(vector(8), product(type, 64)), "2, 3 async");
    EXPECT_EQ(after(vector(2), product(type, 64)), "2, 3 async");
    EXPECT_EQ(after(vector(1), product(type, 64)), "2, 2");
    // Every second row of an odd number of elements begins at 2 bytes.
    EXPECT_EQ(after(vector(8), product(type, 63)), "2, 2");
  }
  EXPECT_EQ(after(vector(8), product(ElementType::I8, 64)), "2, 3 async");
  EXPECT_EQ(after(vector(4), product(ElementType::I8, 60)), "2, 3 async");
  EXPECT_EQ(after(vector(4), product(ElementType::I8, 62)), "2, 2");
  EXPECT_EQ(after(vector(8), product(ElementType::I1, 64)), "2, 2");
  EXPECT_EQ(after(vector(1), product(ElementType::F32, 63)), "2, 3 async");
  EXPECT_EQ(after(vector(4), product(ElementType::F32, 63)), "2, 3 async");
  EXPECT_EQ(after(vector(1), product(ElementType::F64, 63)), "2, 3 async");
}

// Padded rows must keep the alignment of both memories.
TEST(CopyAhead, PaddedRows) {
  TaskDesc half = matmul(64, 64, 64, false, false, 0, ElementType::F16);
  auto pad = [](int64_t elements) {
    return [=](Schedule &s) { s.pad = elements; };
  };
  EXPECT_EQ(after(pad(4), half), "2, 3 async");
  EXPECT_EQ(after(pad(2), half), "2, 3 async");
  EXPECT_EQ(after(pad(1), half), "2, 2");
  EXPECT_EQ(after(pad(1), matmul(64, 64, 64)), "2, 3 async");
}

TEST(CopyAhead, ComputedInputsGoThroughRegisters) {
  EXPECT_EQ(after(nothing, withPrologue(matmul(64, 64, 64, true))),
            "2, 3 async");
}

// Channels are contiguous in a window, where the block has a single image; the
// filters of the weights always are.
TEST(CopyAhead, Windows) {
  Schedule s;
  s.sketch = SketchId::SimtTile;
  s.tiles = {{1, 1, 1, 1}, {1, 2, 1, 1}, {1, 8, 1, 2}, {1, 8, 1, 4},
             {1, 1},       {1, 3},       {8, 1}};
  s.stages = {StageLevel::Inner, StageLevel::Inner};
  s.vector = 4;
  s.pipeline = 4;
  TaskDesc task = conv2d(16, 32, 64, 3);
  EXPECT_EQ(ahead(task, s), "4 async, 4 async");
  s.pad = 4;
  EXPECT_EQ(ahead(task, s), "2, 4 async");
}
