//===- EdgeSchedulesTest.cpp - schedules at the edges --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//
// Tasks and schedules that a search would not propose, one per corner case of
// the lowering.
//
//===----------------------------------------------------------------------===//

#include "MatmulText.h"

#include "Fuzzing/Schedules/Differential.h"
#include "pruner/Analysis/Legality.h"
#include "pruner/Builder/Candidate.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Sketch/Sketch.h"

#include "mlir/AsmParser/AsmParser.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <ctime>

using namespace pruner;

namespace {

class EdgeSchedules : public ::testing::Test {
protected:
  EdgeSchedules() {
    mlir::DialectRegistry registry;
    registerBuilderDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  void expectRight(llvm::StringRef task,
                   llvm::ArrayRef<std::string> schedules) {
    auto made = DifferentialTask::create(context, task, /*seed=*/1);
    ASSERT_TRUE(bool(made)) << llvm::toString(made.takeError());
    EXPECT_TRUE((*made)->isExact());
    for (const std::string &text : schedules) {
      auto attribute = llvm::dyn_cast_or_null<ScheduleAttr>(
          mlir::parseAttribute("#pruner.schedule<" + text + ">", &context));
      ASSERT_TRUE(bool(attribute)) << text;
      const Schedule &schedule = attribute.getValue();
      auto broken = checkScheduleShape((*made)->desc(), schedule);
      ASSERT_FALSE(broken) << text << ": " << broken->message;
      // Two shares end at the end of a page, whatever the size.
      for (unsigned threads : {1, 2, 3}) {
        EXPECT_EQ((*made)->check(schedule, {threads, threads == 2 ? 0u : 64u}),
                  std::nullopt)
            << text << ", threads " << threads;
        if (sketchOf(schedule).gpu) // The sketch has no threads.
          break;
      }
    }
  }

  static std::string matmulSchedule(const char *tiles, const char *rest) {
    return std::string("cpu_tile, tiles = ") + tiles + ", " + rest;
  }

  mlir::MLIRContext context;
};

TEST_F(EdgeSchedules, OneLane) {
  // Stores of single lanes beyond the edge need a guard.
  expectRight(
      test::matmulText(11, 13, 6),
      {matmulSchedule("[[4, 1, 3], [2, 2, 3], [3]]",
                      "stages = [inner, outer], vector = 1, unroll = 1"),
       matmulSchedule("[[1, 1, 1], [1, 1, 1], [1]]",
                      "stages = [none, none], vector = 1, unroll = 1"),
       matmulSchedule("[[1, 3, 4], [3, 1, 5], [6]]",
                      "stages = [outer, none], vector = 1, unroll = 2")});
}

// Whole and cut vectors, at addresses that are aligned to a vector or not.
TEST_F(EdgeSchedules, NonTemporalStores) {
  for (int64_t columns : {32, 45, 67})
    expectRight(
        test::matmulText(13, columns, 6),
        {matmulSchedule("[[4, 1, 3], [2, 1, 16], [3]]",
                        "stages = [inner, outer], vector = 8, unroll = 1, "
                        "stream = 1"),
         matmulSchedule("[[1, 3, 4], [3, 1, 4], [6]]",
                        "stages = [none, none], vector = 4, unroll = 2, "
                        "stream = 1"),
         matmulSchedule("[[1, 3, 4], [3, 1, 2], [6]]",
                        "stages = [none, none], vector = 2, unroll = 2, "
                        "stream = 1")});
}

TEST_F(EdgeSchedules, EverythingInOneTile) {
  expectRight(
      test::matmulText(7, 24, 9),
      {matmulSchedule("[[1, 1, 7], [1, 1, 24], [9]]",
                      "stages = [none, none], vector = 8, unroll = 1"),
       matmulSchedule("[[7, 1, 1], [3, 1, 8], [9]]",
                      "stages = [inner, inner], vector = 8, unroll = 4"),
       matmulSchedule("[[1, 7, 1], [1, 3, 8], [9]]",
                      "stages = [outer, outer], vector = 8, "
                      "unroll = 64, order = [1, 0]")});
}

TEST_F(EdgeSchedules, UnrollBeyondTheTrips) {
  expectRight(
      test::matmulText(6, 16, 7),
      {matmulSchedule("[[1, 1, 6], [1, 1, 16], [7]]",
                      "stages = [none, inner], vector = 8, unroll = 16"),
       matmulSchedule("[[1, 1, 6], [1, 1, 16], [2]]",
                      "stages = [inner, inner], vector = 8, unroll = 8"),
       matmulSchedule("[[1, 1, 6], [1, 1, 16], [5]]",
                      "stages = [outer, outer], vector = 8, unroll = 4"),
       matmulSchedule("[[1, 1, 6], [1, 1, 16], [1]]",
                      "stages = [none, outer], vector = 8, unroll = 4")});
}

TEST_F(EdgeSchedules, EveryStagingOfEveryOperand) {
  std::vector<std::string> schedules;
  for (const char *a : {"none", "inner", "outer"})
    for (const char *b : {"none", "inner", "outer"})
      schedules.push_back(matmulSchedule(
          "[[2, 2, 3], [1, 2, 16], [10]]",
          llvm::formatv("stages = [{0}, {1}], vector = 8, unroll = 2, "
                        "order = [1, 0]",
                        a, b)
              .str()
              .c_str()));
  expectRight(test::matmulText(25, 45, 23), schedules);
}

TEST_F(EdgeSchedules, VectorsWiderThanAnyRegister) {
  expectRight(
      test::matmulText(5, 67, 4),
      {matmulSchedule("[[1, 1, 2], [1, 1, 64], [4]]",
                      "stages = [none, none], vector = 64, unroll = 1"),
       matmulSchedule("[[1, 1, 5], [1, 1, 32], [3]]",
                      "stages = [inner, inner], vector = 32, unroll = 1")});
}

TEST_F(EdgeSchedules, OneElementDimensions) {
  std::string rows =
      matmulSchedule("[[1, 1, 1], [1, 1, 16], [8]]",
                     "stages = [inner, inner], vector = 8, unroll = 2");
  expectRight(test::matmulText(1, 37, 19), {rows});
  expectRight(
      test::matmulText(1, 1, 1),
      {matmulSchedule("[[1, 1, 1], [1, 1, 8], [1]]",
                      "stages = [inner, outer], vector = 8, unroll = 1")});
  expectRight(
      test::matmulText(37, 1, 19),
      {matmulSchedule("[[1, 2, 6], [1, 1, 8], [8]]",
                      "stages = [inner, outer], vector = 8, unroll = 1"),
       matmulSchedule("[[1, 2, 6], [1, 1, 1], [19]]",
                      "stages = [none, none], vector = 1, unroll = 1")});
  expectRight(
      test::matmulText(2, 5, 3),
      {matmulSchedule("[[1, 1, 2], [1, 1, 8], [3]]",
                      "stages = [outer, inner], vector = 8, unroll = 1")});
}

/// Memory holds a byte per mask element, LLVM's vectors of i1 a bit.
TEST_F(EdgeSchedules, MasksInAndOut) {
  std::vector<std::string> schedules;
  for (const char *vector : {"1", "2", "8", "16"})
    schedules.push_back(std::string("cpu_map, tiles = [[2, 1], [1, 16]], "
                                    "stages = [none, none], vector = ") +
                        vector + ", unroll = 1");
  const char *header = R"(
    #all = affine_map<(d0, d1) -> (d0, d1)>
    #row = affine_map<(d0, d1) -> (d1)>
    func.func @task(%x: tensor<7x37xf32>, )";
  expectRight(std::string(header) + R"(%y: tensor<37xf32>) -> tensor<7x37xi1> {
      %e = tensor.empty() : tensor<7x37xi1>
      %r = linalg.generic {indexing_maps = [#all, #row, #all],
          iterator_types = ["parallel", "parallel"]}
          ins(%x, %y : tensor<7x37xf32>, tensor<37xf32>)
          outs(%e : tensor<7x37xi1>) {
      ^bb0(%a: f32, %b: f32, %o: i1):
        %c = arith.cmpf olt, %a, %b : f32
        linalg.yield %c : i1
      } -> tensor<7x37xi1>
      return %r : tensor<7x37xi1>
    })",
              schedules);
  expectRight(std::string(header) + R"(%m: tensor<37xi1>) -> tensor<7x37xf32> {
      %e = tensor.empty() : tensor<7x37xf32>
      %z = arith.constant 0.0 : f32
      %r = linalg.generic {indexing_maps = [#all, #row, #all],
          iterator_types = ["parallel", "parallel"]}
          ins(%x, %m : tensor<7x37xf32>, tensor<37xi1>)
          outs(%e : tensor<7x37xf32>) {
      ^bb0(%a: f32, %b: i1, %o: f32):
        %c = arith.select %b, %a, %z : f32
        linalg.yield %c : f32
      } -> tensor<7x37xf32>
      return %r : tensor<7x37xf32>
    })",
              schedules);
}

/// bf16 that is rounded, broadcast and gathered must not call a library
/// function.
TEST_F(EdgeSchedules, Bf16Producer) {
  expectRight(
      R"(
    #a = affine_map<(m, n, k) -> (m, k)>
    #b = affine_map<(m, n, k) -> (n, k)>
    #c = affine_map<(m, n, k) -> (m, n)>
    func.func @task(%a: tensor<9x12xbf16>, %b: tensor<21x12xbf16>,
                    %s: tensor<12xbf16>) -> tensor<9x21xf32> {
      %e = tensor.empty() : tensor<21x12xbf16>
      %p = linalg.generic {indexing_maps = [
          affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>,
          affine_map<(d0, d1) -> (d0, d1)>],
          iterator_types = ["parallel", "parallel"]}
          ins(%b, %s : tensor<21x12xbf16>, tensor<12xbf16>)
          outs(%e : tensor<21x12xbf16>) {
      ^bb0(%x: bf16, %y: bf16, %o: bf16):
        %m = arith.mulf %x, %y : bf16
        linalg.yield %m : bf16
      } -> tensor<21x12xbf16>
      %z = arith.constant 0.0 : f32
      %t = tensor.empty() : tensor<9x21xf32>
      %f = linalg.fill ins(%z : f32) outs(%t : tensor<9x21xf32>)
        -> tensor<9x21xf32>
      %r = linalg.generic {indexing_maps = [#a, #b, #c],
          iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%a, %p : tensor<9x12xbf16>, tensor<21x12xbf16>)
          outs(%f : tensor<9x21xf32>) {
      ^bb0(%x: bf16, %y: bf16, %o: f32):
        %u = arith.extf %x : bf16 to f32
        %v = arith.extf %y : bf16 to f32
        %m = arith.mulf %u, %v : f32
        %q = arith.addf %o, %m : f32
        linalg.yield %q : f32
      } -> tensor<9x21xf32>
      return %r : tensor<9x21xf32>
    })",
      {matmulSchedule("[[1, 1, 3], [1, 1, 16], [4]]",
                      "stages = [none, inner], vector = 8, unroll = 1"),
       matmulSchedule("[[1, 1, 3], [1, 2, 8], [12]]",
                      "stages = [inner, outer], vector = 4, unroll = 2")});
}

/// A kernel for GPUs with all loops expanded. LLVM's usual scheduler takes a
/// minute for its block.
TEST_F(EdgeSchedules, LongBlocks) {
  std::clock_t begin = std::clock();
  expectRight(R"(
    #a = affine_map<(b, m, n, k) -> (b, k, m)>
    #b = affine_map<(b, m, n, k) -> (b, k, n)>
    #c = affine_map<(b, m, n, k) -> (b, n, m)>
    #id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
    func.func @task(%x: tensor<5x192x2xf32>, %y: tensor<5x192x3xf32>,
                    %z: tensor<5x3x2xf32>) -> tensor<5x3x2xf16> {
      %p = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types =
          ["parallel", "parallel", "parallel", "reduction"]}
          ins(%x, %y : tensor<5x192x2xf32>, tensor<5x192x3xf32>)
          outs(%z : tensor<5x3x2xf32>) {
      ^bb0(%u: f32, %v: f32, %o: f32):
        %m = arith.mulf %u, %v : f32
        %s = arith.addf %o, %m : f32
        linalg.yield %s : f32
      } -> tensor<5x3x2xf32>
      %e = tensor.empty() : tensor<5x3x2xf16>
      %r = linalg.generic {indexing_maps = [#id, #id], iterator_types =
          ["parallel", "parallel", "parallel"]}
          ins(%p : tensor<5x3x2xf32>) outs(%e : tensor<5x3x2xf16>) {
      ^bb0(%u: f32, %o: f16):
        %t = arith.truncf %u : f32 to f16
        linalg.yield %t : f16
      } -> tensor<5x3x2xf16>
      return %r : tensor<5x3x2xf16>
    })",
              {"simt_tile, tiles = [[1, 2, 2, 1], [1, 1, 2, 1], [1, 1, 1, 1], "
               "[4, 1]], stages = [inner, inner], vector = 2, unroll = 512, "
               "pad = 4"});
  EXPECT_LT(double(std::clock() - begin) / CLOCKS_PER_SEC, 20);
}

} // namespace
