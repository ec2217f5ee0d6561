//===- WarpSchedulesTest.cpp - random schedules with tensor cores ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random products and convolutions of random extents run in the PTX machine
// with random schedules that use an instruction of warps.

#include "Fuzzing/Schedules/Differential.h"
#include "Fuzzing/Schedules/ScheduleFuzz.h"

#include "pruner/Builder/Candidate.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Machine/CodeTarget.h"
#include "pruner/Machine/KnownMachines.h"
#include "pruner/Schedule/Space.h"
#include "pruner/Support/Random.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace pruner;

namespace {

/// The operations of `tf32-products`.
std::string roundToTensorFloat(const char *result, const char *factor) {
  return llvm::formatv(
             R"(%r{0} = arith.truncf %{1} to_nearest_away : f32 to tf32
    %{0} = arith.extf %r{0} : tf32 to f32)",
             result, factor)
      .str();
}

/// c[i][j] += a * b, where each operand has its coordinates in either order.
std::string product(Random &random) {
  const char *types[] = {"f16", "bf16", "f32", "i8"};
  unsigned kind = random.uniform(4);
  const char *type = types[kind];
  bool isFloat = kind < 3, rounds = kind == 2;
  std::string sum = isFloat ? "f32" : "i32";
  auto extension = [&](const char *result, const char *factor) {
    if (rounds)
      return roundToTensorFloat(result, factor);
    const char *op = isFloat ? "extf" : random.uniform(2) ? "extsi" : "extui";
    return llvm::formatv("%{0} = arith.{1} %{2} : {3} to {4}", result, op,
                         factor, type, sum)
        .str();
  };
  int64_t m = 2 + random.uniform(67), n = 2 + random.uniform(66),
          k = 1 + random.uniform(100);
  // Multiples let copies move whole chunks.
  if (random.uniform(2)) {
    m = m / 8 * 8 + 8;
    n = n / 8 * 8 + 8;
    k = k / 8 * 8 + 8;
  }
  bool swapsA = random.uniform(2), swapsB = random.uniform(2);
  auto tensor = [&](int64_t x, int64_t y, bool swaps, const char *type) {
    return llvm::formatv("tensor<{0}x{1}x{2}>", swaps ? y : x, swaps ? x : y,
                         type)
        .str();
  };
  return llvm::formatv(
             R"(func.func @t(%a: {0}, %b: {1}) -> {2} {{
  %z = arith.constant {6} : {7}
  %e = tensor.empty() : {2}
  %f = linalg.fill ins(%z : {7}) outs(%e : {2}) -> {2}
  %r = linalg.generic {{indexing_maps = [affine_map<(i, j, k) -> ({3})>,
      affine_map<(i, j, k) -> ({4})>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : {0}, {1}) outs(%f : {2}) {{
  ^bb0(%x: {5}, %y: {5}, %s: {7}):
    {8}
    {9}
    %m = arith.mul{10} %p, %q : {7}
    %t = arith.add{10} %s, %m : {7}
    linalg.yield %t : {7}
  } -> {2}
  return %r : {2}
})",
             tensor(m, k, swapsA, type), tensor(k, n, swapsB, type),
             tensor(m, n, false, sum.c_str()), swapsA ? "k, i" : "i, k",
             swapsB ? "j, k" : "k, j", type, isFloat ? "0.0" : "0", sum,
             extension("p", "x"), extension("q", "y"), isFloat ? "f" : "i")
      .str();
}

/// A batch of products, or a convolution with the channels last, and the filter
/// in the order of either layout.
std::string batchOrWindow(Random &random) {
  auto dim = [&](int64_t least, unsigned more) {
    return int64_t(least + random.uniform(more));
  };
  if (random.uniform(2)) {
    int64_t b = dim(1, 4), m = dim(15, 40), n = dim(8, 40), k = dim(1, 60);
    return llvm::formatv(R"(func.func @t(%a: tensor<{0}x{1}x{3}xf16>,
    %b: tensor<{0}x{3}x{2}xf16>) -> tensor<{0}x{1}x{2}xf32> {{
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<{0}x{1}x{2}xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<{0}x{1}x{2}xf32>) -> tensor<{0}x{1}x{2}xf32>
  %r = linalg.batch_matmul ins(%a, %b : tensor<{0}x{1}x{3}xf16>, tensor<{0}x{3}x{2}xf16>)
      outs(%f : tensor<{0}x{1}x{2}xf32>) -> tensor<{0}x{1}x{2}xf32>
  return %r : tensor<{0}x{1}x{2}xf32>
})",
                         b, m, n, k)
        .str();
  }
  bool rounds = random.uniform(2);
  std::string type = rounds ? "f32" : "f16";
  int64_t size = dim(3, 24), stride = dim(1, 2), window = 1 + 2 * dim(0, 2),
          channels = 8 * dim(1, 5), filters = 8 * dim(1, 5);
  bool filtersFirst = random.uniform(2);
  int64_t height = dim(1, 4), in = (size - 1) * stride + window,
          inHeight = (height - 1) * stride + window;
  auto extension = [&](const char *result, const char *factor) {
    return rounds ? roundToTensorFloat(result, factor)
                  : llvm::formatv("%{0} = arith.extf %{1} : f16 to f32", result,
                                  factor)
                        .str();
  };
  std::string filter =
      llvm::formatv(filtersFirst ? "tensor<{2}x{1}x{0}x{0}x{3}>"
                                 : "tensor<{0}x{0}x{1}x{2}x{3}>",
                    window, channels, filters, type)
          .str();
  return llvm::formatv(R"(func.func @t(%x: tensor<2x{0}x{1}x{2}x{8}>,
    %w: {11}) -> tensor<2x{5}x{6}x{4}xf32> {{
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x{5}x{6}x{4}xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x{5}x{6}x{4}xf32>) -> tensor<2x{5}x{6}x{4}xf32>
  %r = linalg.generic {{indexing_maps = [affine_map<(n, h, w, f, i, j, c) -> (n, h * {7} + i, w * {7} + j, c)>,
      affine_map<(n, h, w, f, i, j, c) -> ({12})>, affine_map<(n, h, w, f, i, j, c) -> (n, h, w, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x{0}x{1}x{2}x{8}>, {11})
      outs(%f : tensor<2x{5}x{6}x{4}xf32>) {{
  ^bb0(%a: {8}, %b: {8}, %s: f32):
    {9}
    {10}
    %m = arith.mulf %p, %q : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  } -> tensor<2x{5}x{6}x{4}xf32>
  return %r : tensor<2x{5}x{6}x{4}xf32>
})",
                       inHeight, in, channels, window, filters, height, size,
                       stride, type, extension("p", "a"), extension("q", "b"),
                       filter, filtersFirst ? "f, c, i, j" : "i, j, c, f")
      .str();
}

/// A schedule with an instruction as tests draw them, or as search does.
std::optional<Schedule> warpSchedule(const TaskDesc &task,
                                     const Machine &machine, Random &random) {
  bool searched = random.uniform(2);
  std::optional<ScheduleSpace> space;
  if (searched)
    space.emplace(task, machine);
  for (unsigned draw = 0; draw != 20; ++draw) {
    std::optional<Schedule> schedule =
        searched ? space->sample(random)
                 : randomGpuSchedule(task, machine, random);
    if (searched && schedule && random.uniform(2))
      schedule = space->mutate(*schedule, random);
    if (schedule && schedule->instruction)
      return schedule;
  }
  return std::nullopt;
}

TEST(WarpSchedules, ComputeTheReference) {
  mlir::DialectRegistry registry;
  registerBuilderDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  unsigned ran = 0;
  uint64_t drawn = testing::UnitTest::GetInstance()->random_seed();
  for (unsigned seed = 0; seed != 12; ++seed) {
    // --gtest_shuffle --gtest_repeat=1000 draws other cases each time.
    Random random(uint64_t(seed) + 100 + 12 * drawn);
    const char *chips[] = {"sm_80", "sm_75", "sm_80", "sm_90"};
    Machine machine = llvm::cantFail(knownMachine(chips[random.uniform(4)]));
    std::string text =
        random.uniform(3) ? product(random) : batchOrWindow(random);
    auto task = DifferentialTask::create(context, text, int64_t(seed));
    ASSERT_TRUE(bool(task)) << llvm::toString(task.takeError()) << text;
    for (unsigned n = 0; n != 2; ++n) {
      std::optional<Schedule> schedule =
          warpSchedule((*task)->desc(), machine, random);
      if (!schedule)
        continue;
      limitUnrolling((*task)->desc(), *schedule);
      DifferentialOptions options;
      options.ptxChip = CodeTarget::of(machine).chip();
      options.asyncCopies = machine.copiesAsynchronously();
      std::string name;
      llvm::raw_string_ostream(name) << ScheduleAttr::get(&context, *schedule);
      EXPECT_EQ((*task)->check(*schedule, options).value_or(""), "")
          << machine.arch << " " << name << "\n"
          << text;
      ++ran;
    }
  }
  RecordProperty("schedules", int(ran));
  EXPECT_GE(ran, 8u);
}

} // namespace
