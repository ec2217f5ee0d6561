//===- PsaTensorCoresTest.cpp - the cycle model of tensor cores -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PsaGpuFixtures.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace pruner;
using namespace pruner::test;

/// 1024^3 of f16 in 64 blocks of four warps, each with 64x64 elements; 32 steps
/// of 32.
static Analysis onTensorCores(PsaOptions options = {}, int64_t pad = 8,
                              int64_t columns = 1024, int64_t rowThreads = 16,
                              int64_t vector = 8) {
  TaskDesc task =
      matmul(1024, columns, 1024, false, false, 0, ElementType::F16);
  task.tensors[2].type = ElementType::F32;
  task.statements[0].product = {true, true};
  Schedule s = tiles();
  s.tiles = {{1, rowThreads, 8, 1}, {1, 8, 8, 2}, {1, 32}};
  s.vector = vector;
  s.pad = pad;
  s.instruction = 1 + (llvm::find(allMatrixInstructions(),
                                  findMatrixInstruction("mma_m16n8k16_f16")) -
                       allMatrixInstructions().begin());
  Machine machine = sixtyFourLanes();
  machine.sm.halfTensorRate = 1024;
  return Analysis(task, s, machine, options);
}

/// The registers that a thread with 248 is expected to spill if it needs 200
/// and `addresses` more, of which `givenUp` are computed again, and the
/// deviation of the latter is `spread`.
static double spilledOf(double addresses, double givenUp = 0,
                        double spread = 0) {
  double missing = 128 + 2 * (16 + 4) + 24 + 8 + addresses - givenUp - 248;
  double deviation = std::hypot(24, spread), z = missing / deviation;
  double density = std::exp(-z * z / 2) / std::sqrt(2 * std::acos(-1.0));
  double below = std::erfc(-z / std::sqrt(2.0)) / 2;
  return z > 3 ? missing : deviation * (density + z * below);
}

/// Seven tenths of the addresses are computed again if they do not fit.
static double spilledBeside(double addresses) {
  return std::min(spilledOf(addresses),
                  spilledOf(addresses, 0.7 * addresses, 0.3 * addresses));
}

TEST(PsaTensorCores, ByHand) {
  const SmCycles c = onTensorCores().of(StatementKind::Update).cycles;
  double spilled = onTensorCores().of(StatementKind::Update).occupancy.spilled;
  EXPECT_DOUBLE_EQ(spilled, spilledBeside(2 * 3));
  // A warp has 64 steps of 4 x 8 products of 16 x 8 x 16. A block on an SM.
  EXPECT_EQ(c.multiplyAdds, 0);
  EXPECT_DOUBLE_EQ(c.tensor, 4 * 64 * 32 * (16 * 8 * 16) / 1024.0);
  // Four loads of rows and four of columns, with four matrices each. A spilled
  // register is loaded and stored twice, in four passes each.
  EXPECT_DOUBLE_EQ(c.loadStore, 4 * 64 * (8 * 4 + 4 * 4 * spilled));
  EXPECT_DOUBLE_EQ(c.issue,
                   (4 * 64 * (32 + 8 + 4 * spilled) + 4 * 32 * 23) / 4.0);
  // The end of the products of a step, a load, and the barriers.
  EXPECT_DOUBLE_EQ(c.wait,
                   32 * (33 + 25 + 25 + 4 * 4.0) + 64 * 2 * 4 * spilled);
  // Rows of 64 bytes begin at two groups of banks, those of 256 bytes at one.
  EXPECT_DOUBLE_EQ(
      onTensorCores({}, 0).of(StatementKind::Update).cycles.loadStore,
      4 * 64 * (4 * (4 * 4 + 4 * 8) + 4 * 4 * spilled));
  // 128 accumulators, the fragments of two steps: 4 x 4 and 2 x 2, and the
  // addresses of two copies. Eight registers are allocated at once.
  EXPECT_EQ(onTensorCores().of(StatementKind::Update).occupancy.registers,
            (128 + 2 * (16 + 4) + 24 + 8 + 2 * 3) / 8 * 8 + 8);
  // Columns of which the last block has only a part are compared with a bound.
  EXPECT_EQ(
      onTensorCores({}, 8, 1000).of(StatementKind::Update).occupancy.registers,
      (128 + 2 * (16 + 4) + 24 + 8 + 2 * 3 + 2) / 8 * 8);
  PsaOptions options;
  options.withoutTerm = findTerm(gpuTerms(), "tensor");
  EXPECT_EQ(onTensorCores(options).of(StatementKind::Update).cycles.tensor, 0);
  EXPECT_LT(onTensorCores(options).report.seconds,
            onTensorCores().report.seconds);
}

TEST(PsaTensorCores, AddressesThatDoNotFitAreComputedAgain) {
  // Six warps copy single elements of B in 22 turns without constant distances.
  // The last block of rows is a part, and in one case that of columns.
  auto product = [](int64_t columns) {
    return onTensorCores({}, 8, columns, /*rowThreads=*/24, /*vector=*/1);
  };
  Analysis one = product(1024), both = product(1000);
  // The registers for addresses of B that are missing; a thread has 248.
  auto lost = [](double ofB) {
    double addresses = 3 + 2 + ofB;
    double missing = spilledOf(addresses) - spilledBeside(addresses);
    return missing * ofB / addresses;
  };
  const StatementPsa &update = both.of(StatementKind::Update);
  EXPECT_EQ(update.occupancy.registers, 248);
  double spilled = spilledBeside(3 + 2 + 1 + 22 * 4);
  EXPECT_NEAR(update.occupancy.spilled, spilled, 1e-9);
  EXPECT_DOUBLE_EQ(update.cycles.loadStore, 6 * 64 * (8 * 4 + 4 * 4 * spilled));
  // Two instructions for each of them in each of 32 steps, on 64 lanes.
  double more = both.of(StatementKind::Stage, 1).cycles.integer -
                one.of(StatementKind::Stage, 1).cycles.integer;
  EXPECT_NEAR(more, 6 * 32 * (lost(1 + 22 * 4) - lost(1 + 22 * 2)), 1e-6);
}
