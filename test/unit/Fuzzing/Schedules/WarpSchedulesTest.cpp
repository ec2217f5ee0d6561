//===- WarpSchedulesTest.cpp - random schedules with tensor cores ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random products of random extents run in the PTX machine with random
// schedules that use an instruction of warps.

#include "Fuzzing/Schedules/Differential.h"
#include "Fuzzing/Schedules/ScheduleFuzz.h"

#include "pruner/Builder/Candidate.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Machine/CodeTarget.h"
#include "pruner/Machine/KnownMachines.h"
#include "pruner/Support/Random.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace pruner;

namespace {

/// c[i][j] += a * b, where each operand has its coordinates in either order.
std::string product(Random &random) {
  const char *type = random.uniform(2) ? "f16" : "bf16";
  int64_t m = 9 + random.uniform(60), n = 8 + random.uniform(60),
          k = 1 + random.uniform(100);
  // Multiples let copies move whole chunks.
  if (random.uniform(2)) {
    m = m / 8 * 8 + 8;
    n = n / 8 * 8;
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
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : {2}
  %f = linalg.fill ins(%z : f32) outs(%e : {2}) -> {2}
  %r = linalg.generic {{indexing_maps = [affine_map<(i, j, k) -> ({3})>,
      affine_map<(i, j, k) -> ({4})>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : {0}, {1}) outs(%f : {2}) {{
  ^bb0(%x: {5}, %y: {5}, %s: f32):
    %p = arith.extf %x : {5} to f32
    %q = arith.extf %y : {5} to f32
    %m = arith.mulf %p, %q : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  } -> {2}
  return %r : {2}
})",
             tensor(m, k, swapsA, type), tensor(k, n, swapsB, type),
             tensor(m, n, false, "f32"), swapsA ? "k, i" : "i, k",
             swapsB ? "j, k" : "k, j", type)
      .str();
}

TEST(WarpSchedules, ComputeTheReference) {
  mlir::DialectRegistry registry;
  registerBuilderDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  unsigned ran = 0;
  for (unsigned seed = 0; seed != 12; ++seed) {
    Random random(uint64_t(seed) + 100);
    const char *chips[] = {"sm_80", "sm_75", "sm_80", "sm_90"};
    Machine machine = llvm::cantFail(knownMachine(chips[random.uniform(4)]));
    std::string text = product(random);
    auto task = DifferentialTask::create(context, text, seed);
    ASSERT_TRUE(bool(task)) << llvm::toString(task.takeError()) << text;
    for (unsigned n = 0; n != 2; ++n) {
      std::optional<Schedule> schedule;
      for (unsigned draw = 0; draw != 20; ++draw) {
        schedule = randomGpuSchedule((*task)->desc(), machine, random);
        if (schedule && schedule->instruction)
          break;
      }
      if (!schedule || !schedule->instruction)
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
  EXPECT_GE(ran, 12u);
}

} // namespace
