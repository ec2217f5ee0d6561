//===- LegalityTest.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskFixtures.h"

#include "pruner/Analysis/Legality.h"
#include "pruner/Machine/KnownMachines.h"
#include "pruner/Program/MatrixInstruction.h"
#include "pruner/Program/Summary.h"
#include "pruner/Sketch/BuildProgram.h"

#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace pruner;
using namespace pruner::test;

/// Cache tile 4x4 register tiles of 6x16, 128 reduction steps at a time.
static Schedule cpuTile() {
  Schedule s;
  s.sketch = SketchId::CpuTile;
  s.tiles = {{2, 4, 6}, {2, 4, 16}, {128}};
  s.stages = {StageLevel::Inner, StageLevel::None};
  s.vector = 8;
  s.unroll = 4;
  s.order = {1, 0};
  return s;
}

/// 64x64 block tiles of 256 threads, 4x4 each.
static Schedule simtTile() {
  Schedule s;
  s.sketch = SketchId::SimtTile;
  s.tiles = {{1, 16, 2, 2}, {2, 16, 1, 2}, {4, 2}};
  s.stages = {StageLevel::Inner, StageLevel::Inner};
  s.vector = 4;
  s.unroll = 64;
  s.pad = 4;
  return s;
}

static TaskDesc task() { return matmul(512, 512, 512); }

/// The message for `schedule`, or "legal".
static std::string check(const TaskDesc &task, const Schedule &schedule,
                         const Machine &machine) {
  if (std::optional<Violation> violation =
          checkSchedule(task, schedule, machine)) {
    EXPECT_EQ(violation->message.rfind(violation->rule + ": ", 0), 0u);
    return violation->message;
  }
  return "legal";
}

template <typename Change>
static std::string cpuAfter(Change change, TaskDesc t = task()) {
  Schedule s = cpuTile();
  change(s);
  return check(t, s, cpu());
}

template <typename Change>
static std::string gpuAfter(Change change, TaskDesc t = task()) {
  Schedule s = simtTile();
  change(s);
  return check(t, s, gpu());
}

TEST(Legality, SensibleSchedulesAreLegal) {
  EXPECT_EQ(cpuAfter([](Schedule &) {}), "legal");
  EXPECT_EQ(gpuAfter([](Schedule &) {}), "legal");
}

TEST(Legality, VariantMustFitMachineAndTask) {
  EXPECT_EQ(check(task(), cpuTile(), gpu()),
            "R1: variant cpu_tile is for CPUs, the machine is a GPU");
  EXPECT_EQ(check(elementwise(8, 8), cpuTile(), cpu()),
            "R1: variant cpu_tile needs an anchor with reduction dimensions, "
            "but the task has none");
  Schedule map;
  map.sketch = SketchId::CpuMap;
  EXPECT_EQ(check(task(), map, cpu()),
            "R1: variant cpu_map needs an anchor without reduction dimensions, "
            "but the task has some");
  TaskDesc fused = elementwise(8, 8);
  fused.epilogue = 0;
  EXPECT_EQ(check(fused, map, cpu()),
            "R1: variant cpu_map runs one statement, the task has 1");
}

TEST(Legality, TileLists) {
  EXPECT_EQ(cpuAfter([](Schedule &s) { s.tiles.pop_back(); }),
            "R2: 2 lists of tile factors, the anchor has 3 dimensions");
  EXPECT_EQ(cpuAfter([](Schedule &s) { s.tiles[1].pop_back(); }),
            "R3: dimension 1 has 2 tile factors, cpu_tile takes 3");
  EXPECT_EQ(cpuAfter([](Schedule &s) { s.tiles[2][0] = 0; }),
            "R3: dimension 2 has the tile factor 0, the least is 1");
}

TEST(Legality, TilesMayPadButNotExceedTheExtent) {
  // 17 = 3 register tiles of 6 (one of them partly outside).
  TaskDesc odd = matmul(17, 512, 512);
  EXPECT_EQ(cpuAfter([](Schedule &s) { s.tiles[0] = {1, 3, 6}; }, odd),
            "legal");
  EXPECT_EQ(cpuAfter([](Schedule &s) { s.tiles[0] = {1, 4, 6}; }, odd),
            "R4: factor 4 at level 1 of dimension 0 runs past the end: extent "
            "17 holds 3 tiles of 6");
  EXPECT_EQ(cpuAfter([](Schedule &s) { s.tiles[2] = {513}; }),
            "R4: factor 513 at level 0 of dimension 2 runs past the end: "
            "extent 512 holds 512 tiles of 1");
  // Vectors round up: 7 columns are one vector of 8, not two.
  TaskDesc narrow = matmul(512, 7, 512);
  EXPECT_EQ(cpuAfter([](Schedule &s) { s.tiles[1] = {1, 1, 8}; }, narrow),
            "legal");
  EXPECT_EQ(cpuAfter([](Schedule &s) { s.tiles[1] = {1, 1, 16}; }, narrow),
            "R4: factor 16 at level 2 of dimension 1 runs past the end: extent "
            "7 holds 8 tiles of 1");
  // Products of warps round up, too: 9 rows and 5 columns are one of 16 x 8.
  TaskDesc few = matmul(9, 5, 64, false, false, 0, ElementType::F16);
  few.tensors[2].type = ElementType::F32;
  few.statements[0].product = {true, true};
  Schedule warp = simtTile();
  warp.tiles = {{1, 8, 2, 1}, {1, 4, 1, 2}, {1, 16}};
  warp.pad = 8;
  warp.instruction =
      1 + (llvm::find(allMatrixInstructions(),
                      findMatrixInstruction("mma_m16n8k16_f16")) -
           allMatrixInstructions().begin());
  Machine ampere = llvm::cantFail(knownMachine("sm_80"));
  EXPECT_EQ(check(few, warp, ampere), "legal");
  warp.tiles[0] = {1, 16, 2, 1};
  EXPECT_EQ(check(few, warp, ampere),
            "R4: factor 16 at level 1 of dimension 0 runs past the end: extent "
            "16 holds 8 tiles of 2");
}

TEST(Legality, Stages) {
  EXPECT_EQ(cpuAfter([](Schedule &s) { s.stages.pop_back(); }),
            "R5: 1 stage levels, the anchor has 2 inputs");
  Schedule map;
  map.sketch = SketchId::CpuMap;
  map.tiles = {{1, 4}, {4, 16}};
  map.stages = {StageLevel::Inner, StageLevel::None};
  map.vector = 8;
  EXPECT_EQ(check(elementwise(64, 64), map, cpu()),
            "R5: input 0 is staged, cpu_map reads its inputs in place");
  EXPECT_EQ(cpuAfter([](Schedule &s) { s.stages[0] = StageLevel::None; },
                     withPrologue(task())),
            "R6: input 0 is computed by statement 1 and must be staged, but it "
            "is read in place");
  EXPECT_EQ(cpuAfter([](Schedule &) {}, withPrologue(task())), "legal");
}

TEST(Legality, PaddedInputsInPlace) {
  TaskDesc padded = task();
  padded.statements[padded.anchor].inputs[0].padded = true;
  EXPECT_EQ(cpuAfter([](Schedule &) {}, padded), "legal");
  auto inPlace = [](Schedule &s) { s.stages[0] = StageLevel::None; };
  EXPECT_EQ(cpuAfter(inPlace, padded), "legal");
  EXPECT_EQ(
      gpuAfter(inPlace, padded),
      "R6: input 0 is padded and must be staged, but it is read in place");
}

TEST(Legality, LocalBuffersFitTheOutermostCache) {
  // A whole 4096 x 4096 operand packed at once: 64 MiB of 32.
  EXPECT_EQ(cpuAfter(
                [](Schedule &s) {
                  s.tiles = {{2, 4, 6}, {64, 4, 16}, {128}};
                  s.stages[1] = StageLevel::Outer;
                },
                matmul(4096, 4096, 4096)),
            "R7: local buffers take 67127296 bytes, the outermost cache of a "
            "core has 33554432");
}

TEST(Legality, Vectors) {
  EXPECT_EQ(cpuAfter([](Schedule &s) { s.vector = 16; }),
            "R8: vector 16 is not a power of two from 1 to 8, the elements of "
            "a register");
  EXPECT_EQ(cpuAfter([](Schedule &s) { s.vector = 0; }),
            "R8: vector 0 is not a power of two from 1 to 8, the elements of "
            "a register");
  EXPECT_EQ(cpuAfter([](Schedule &s) { s.tiles[1][2] = 12; }),
            "R8: vector 8 does not divide the register tile 12 of dimension 1");
  Schedule sum;
  sum.tiles = {{64}};
  sum.stages = {StageLevel::None};
  EXPECT_EQ(check(fullReduction(1024), sum, cpu()), "legal");
  sum.vector = 2;
  EXPECT_EQ(check(fullReduction(1024), sum, cpu()),
            "R8: vector 2 is not a power of two from 1 to 1, the elements of "
            "a register");
}

TEST(Legality, Unroll) {
  EXPECT_EQ(cpuAfter([](Schedule &s) { s.unroll = 3; }),
            "R9: unroll 3 is not a power of two from 1 to 64");
  EXPECT_EQ(gpuAfter([](Schedule &s) { s.unroll = 1; }),
            "R9: unroll 1 is not one of 0, 16, 64, 512, 1024");
}

TEST(Legality, Order) {
  EXPECT_EQ(cpuAfter([](Schedule &s) { s.order = {0}; }),
            "R10: an order of 1 dimensions, the anchor has 2 parallel ones");
  EXPECT_EQ(cpuAfter([](Schedule &s) { s.order = {0, 2}; }),
            "R10: the order names dimension 2, which is not a parallel one of "
            "the 3");
  EXPECT_EQ(cpuAfter([](Schedule &s) { s.order = {1, 1}; }),
            "R10: the order names dimension 1 2 times, once is allowed");
  EXPECT_EQ(gpuAfter([](Schedule &s) { s.order = {0, 1}; }),
            "R10: an order of 2 dimensions, simt_tile takes none");
}

TEST(Legality, RegisterTileFitsTheVectorRegisters) {
  // 6x16 on 16 registers of 8 lanes: 12 accumulators, 2 for B, 1 for A.
  EXPECT_EQ(cpuAfter([](Schedule &s) { s.tiles[0][2] = 7; }),
            "R11: register tile 7x16 needs 14 + 3 vector registers, the "
            "machine has 16");
  // 14x32 fits 32 registers of 16 lanes: 28 + 2 + 1.
  Schedule wide = cpuTile();
  wide.tiles[0] = {2, 4, 14};
  wide.tiles[1] = {2, 4, 32};
  wide.vector = 16;
  EXPECT_EQ(check(task(), wide, cpu(64, 32)), "legal");
}

TEST(Legality, UnrolledCodeSize) {
  Schedule map;
  map.sketch = SketchId::CpuMap;
  map.tiles = {{1, 64}, {1, 64}};
  map.stages = {StageLevel::None, StageLevel::None};
  map.vector = 8;
  EXPECT_EQ(check(elementwise(64, 64), map, cpu()),
            "R12: register tile 64x64 unrolls to 2560 vector operations, "
            "the limit is 1024");
  // 4 for a vector and the addition; a function counts as 16.
  map.tiles = {{1, 32}, {1, 48}};
  EXPECT_EQ(check(elementwise(64, 64), map, cpu()), "legal");
  TaskDesc function = elementwise(64, 64);
  function.statements[0].ops.floatMath = 1;
  map.tiles = {{1, 8}, {1, 48}};
  EXPECT_EQ(check(function, map, cpu()), "legal");
  map.tiles = {{1, 8}, {1, 56}};
  EXPECT_EQ(check(function, map, cpu()),
            "R12: register tile 8x56 unrolls to 1176 vector operations, "
            "the limit is 1024");
}

TEST(Legality, GpuLimits) {
  EXPECT_EQ(gpuAfter([](Schedule &s) { s.tiles[0][1] = 128; }),
            "R13: a block has 2048 threads, the machine allows 1024");
  EXPECT_EQ(gpuAfter([](Schedule &s) {
              s.tiles[0] = {4, 8, 2, 2};
              s.tiles[1] = {4, 8, 2, 2};
            }),
            "R14: a thread has 16 virtual threads, the machine allows 8");
  EXPECT_EQ(gpuAfter([](Schedule &s) { s.tiles[2] = {64, 2}; }), "legal");
  EXPECT_EQ(gpuAfter([](Schedule &s) { s.tiles[2] = {64, 8}; }),
            "R15: staged buffers take 278528 bytes of shared memory, a block "
            "has 166912");
  EXPECT_EQ(gpuAfter([](Schedule &s) {
              s.tiles[0] = {1, 8, 1, 16};
              s.tiles[1] = {1, 8, 1, 16};
            }),
            "R16: register tile 16x16 needs 256 + 32 registers, a thread has "
            "255");
  EXPECT_EQ(gpuAfter([](Schedule &s) { s.vector = 3; }),
            "R17: vector 3 is not one of 1, 2, 4, 8, 16");
  EXPECT_EQ(gpuAfter([](Schedule &s) { s.vector = 8; }),
            "R17: copies of input 0 move 32 bytes at a time, the widest access "
            "is 16");
  EXPECT_EQ(gpuAfter([](Schedule &s) { s.pad = -1; }),
            "R18: rows are padded by -1 elements, simt_tile allows 0 to 64");
}

TEST(Legality, SplitReductions) {
  auto after = [](auto change) {
    TaskDesc t = task();
    Schedule s = simtTile();
    change(t, s);
    return check(t, s, gpu());
  };
  auto split = [&](llvm::SmallVector<int64_t, 4> parts) {
    return after([&](TaskDesc &, Schedule &s) { s.split = parts; });
  };
  EXPECT_EQ(split({1}), "legal");
  EXPECT_EQ(split({4}), "legal");
  EXPECT_EQ(split({4, 1}), "R22: the reduction is split along 2 dimensions, "
                           "the anchor has 1 to reduce");
  EXPECT_EQ(split({0}),
            "R22: dimension 2 is split into 0 parts, it has 64 steps");
  EXPECT_EQ(split({65}),
            "R22: dimension 2 is split into 65 parts, it has 64 steps");
  EXPECT_EQ(after([](TaskDesc &t, Schedule &s) {
              t.statements[0].associative = false;
              s.split = {2};
            }),
            "R22: the reduction is split, but the anchor does not accumulate "
            "by one associative operation");
  EXPECT_EQ(cpuAfter([](Schedule &s) { s.split = {2}; }),
            "R22: the reduction is split, cpu_tile leaves each to one core");
  TaskDesc large = matmul(8192, 8192, 512);
  Schedule s = simtTile();
  s.split = {2};
  EXPECT_EQ(check(large, s, gpu()),
            "R22: the parts of a split reduction take 536870912 bytes, the "
            "limit is 67108864");
}

TEST(Legality, Prefetching) {
  EXPECT_EQ(cpuAfter([](Schedule &s) { s.prefetch = 1; }), "legal");
  EXPECT_EQ(cpuAfter([](Schedule &s) { s.prefetch = 2; }),
            "R23: inputs are prefetched 2 steps ahead, cpu_tile allows 0 to 1");
  EXPECT_EQ(cpuAfter([](Schedule &s) {
              s.prefetch = 1, s.stages[0] = StageLevel::None;
            }),
            "R23: panels are prefetched, but no input is packed in panels");
  EXPECT_EQ(
      gpuAfter([](Schedule &s) { s.prefetch = -1; }),
      "R23: inputs are prefetched -1 steps ahead, simt_tile allows 0 to 0");
}

TEST(Legality, RasterIsAParallelDimension) {
  EXPECT_EQ(cpuAfter([](Schedule &s) { s.raster = 0; }), "legal");
  for (int64_t dim : {-2, 2, 3})
    EXPECT_EQ(cpuAfter([&](Schedule &s) { s.raster = dim; }),
              "R24: tiles follow one another along dimension " +
                  std::to_string(dim) + ", cpu_tile takes a parallel one");
}

TEST(Legality, NonTemporalStoresAreForX86) {
  auto on = [](const char *arch, int64_t stream) {
    Machine machine = cpu();
    machine.arch = arch;
    Schedule s = cpuTile();
    s.stream = stream;
    return check(task(), s, machine);
  };
  EXPECT_EQ(on("znver4", 1), "legal");
  EXPECT_EQ(on("x86-64", 1), "legal");
  for (const char *arch : {"generic", "apple-m1", "pentium4"})
    EXPECT_EQ(on(arch, 1), std::string("R25: stream is 1, but '") + arch +
                               "' is not an x86-64 CPU");
  EXPECT_EQ(on("apple-m1", 0), "legal");
  EXPECT_EQ(on("znver4", 2), "R25: stream is 2, cpu_tile allows 0 and 1");
  EXPECT_EQ(gpuAfter([](Schedule &s) { s.stream = 1; }),
            "R25: stream is 1, simt_tile allows 0");
}

TEST(Legality, CopiesRunAhead) {
  Machine ampere = gpu();
  ampere.name = "nvidia:a100-40", ampere.arch = "sm_80";
  auto after = [&](auto change, const TaskDesc &t = task()) {
    Schedule s = simtTile();
    change(s);
    return check(t, s, ampere);
  };
  auto buffers = [](int64_t n) { return [=](Schedule &s) { s.pipeline = n; }; };
  for (int64_t n = 1; n <= 5; ++n)
    EXPECT_EQ(after(buffers(n)), "legal");
  for (int64_t n : {-1, 0, 6})
    EXPECT_EQ(after(buffers(n)), "R26: copies run ahead with " +
                                     std::to_string(n) +
                                     " buffers, expected 1 to 5");
  EXPECT_EQ(after(
                [](Schedule &s) {
                  s.stages = {StageLevel::Outer, StageLevel::None};
                  s.tiles[2] = {8, 8};
                  s.pipeline = 2;
                },
                matmul(512, 512, 64)),
            "R26: copies run ahead with 2 buffers, but no input is staged "
            "inside the outer reduction");
  // The number of steps, of all blocks or of each part.
  EXPECT_EQ(after(buffers(4), matmul(512, 512, 25)), "legal");
  EXPECT_EQ(after(buffers(5), matmul(512, 512, 25)),
            "R26: copies run ahead with 5 buffers, the reduction has 4 steps");
  EXPECT_EQ(after(buffers(2), matmul(512, 512, 8)),
            "R26: copies run ahead with 2 buffers, the reduction has 1 step");
  EXPECT_EQ(after([](Schedule &s) { s.split = {32}, s.pipeline = 3; }),
            "R26: copies run ahead with 3 buffers, the reduction has 2 steps");
  // Only the rows of B are contiguous in shared memory as well.
  EXPECT_EQ(after([](Schedule &s) {
              s.stages[1] = StageLevel::None;
              s.pipeline = 3;
            }),
            "R26: copies run ahead with 3 buffers, copies through registers "
            "use 2");
  EXPECT_EQ(after([](Schedule &s) {
              s.stages[0] = StageLevel::None;
              s.pipeline = 3;
            }),
            "legal");
  EXPECT_EQ(cpuAfter(buffers(2)),
            "R26: copies run ahead with 2 buffers, cpu_tile allows 1");
  ampere.name = "nvidia:t4", ampere.arch = "sm_75";
  EXPECT_EQ(after(buffers(2)), "legal");
  EXPECT_EQ(after(buffers(3)),
            "R26: copies run ahead with 3 buffers, which needs asynchronous "
            "copies, but nvidia:t4 (sm_75) has none");
}

TEST(Resources, CountEachBuffer) {
  // 8 rows of 64 + 4 floats each.
  Schedule s = simtTile();
  for (int64_t n = 1; n <= 5; ++n) {
    s.pipeline = n;
    // A goes through registers.
    EXPECT_EQ(resourcesOf(task(), s).sharedBytes,
              2176 * (n + std::min<int64_t>(n, 2)));
  }
  // Every buffer begins at a multiple of 16 bytes.
  s.pad = 1;
  s.tiles[2] = {3, 1};
  s.stages[0] = StageLevel::None;
  s.pipeline = 1;
  EXPECT_EQ(resourcesOf(task(), s).sharedBytes, 780);
  s.pipeline = 3;
  EXPECT_EQ(resourcesOf(task(), s).sharedBytes, 3 * 784);
}

TEST(Legality, InvalidNumbersAreDiagnosed) {
  const int64_t huge = INT64_MAX;
  for (int64_t number : {huge, huge / 2 + 1, -huge - 1}) {
    EXPECT_NE(cpuAfter([&](Schedule &s) { s.tiles[1][2] = number; }), "legal");
    EXPECT_NE(cpuAfter([&](Schedule &s) { s.vector = number; }), "legal");
    EXPECT_NE(cpuAfter([&](Schedule &s) {
                s.vector = number;
                s.tiles[1][2] = number;
              }),
              "legal");
    EXPECT_NE(cpuAfter([&](Schedule &s) { s.unroll = number; }), "legal");
    EXPECT_NE(cpuAfter([&](Schedule &s) { s.order = {number, 0}; }), "legal");
    EXPECT_NE(gpuAfter([&](Schedule &s) { s.pad = number; }), "legal");
    EXPECT_NE(gpuAfter([&](Schedule &s) { s.vector = number; }), "legal");
    EXPECT_NE(gpuAfter([&](Schedule &s) { s.pipeline = number; }), "legal");
    EXPECT_NE(gpuAfter([&](Schedule &s) {
                s.vector = number;
                s.pipeline = 3;
              }),
              "legal");
    EXPECT_NE(gpuAfter([&](Schedule &s) { s.split = {number}; }), "legal");
    EXPECT_NE(gpuAfter([&](Schedule &s) { s.tiles[2][0] = number; }), "legal");
  }
}

TEST(Resources, EqualTheSummary) {
  for (bool onGpu : {false, true}) {
    Schedule s = onGpu ? simtTile() : cpuTile();
    ScheduleResources used = resourcesOf(task(), s);
    ProgramSummary summary = summarize(task(), buildTiledProgram(task(), s));
    assertEqual(used, summary.kernels[0]);
  }
}
