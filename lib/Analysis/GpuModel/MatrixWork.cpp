//===- MatrixWork.cpp - what a warp executes on tensor cores --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts the instructions that Conversion/PrunerToGPU/MatrixProducts.cpp makes
// of an update. A thread has its elements of c two rows and two columns at a
// time. For each step of the sum it loads the fragments of all rows once, and
// those of the columns once, two groups of 8 with each ldmatrix. Where ldmatrix
// cannot transpose, each register is a load.
//
//===----------------------------------------------------------------------===//

#include "GpuModel.h"

#include "pruner/Machine/Instructions.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace pruner;
using namespace pruner::detail;

/// Cycles from a product to the next one with the same accumulators: 33 in all
/// types on an A100 that eight warps keep busy, 25 for one warp alone
/// (Sun et al., "Dissecting Tensor Cores via Microbenchmarks", arXiv
/// 2206.02874, table 3). Between independent products nothing waits: on an H200
/// one warp alone has 0.91 of the rate of its scheduler (`calibrate`).
static constexpr double kProductLatency = 33;
/// Fragments of the next step of the sum are loaded before those of the current
/// one are used up. Numbers of the current one that are rounded to tf32 have a
/// register before and one after.
static constexpr double kHeldSteps = 2, kHeldRoundedSteps = 3;
/// ptxas 13.0 rounds to tf32 by a comparison, which keeps NaN, and an addition.
static constexpr double kConversionInstructions = 2;

double detail::productCycles(const WarpInstruction &instruction,
                             const Machine &machine) {
  double rate = tensorRate(machine, instruction);
  // A machine that states no rate is taken to multiply on its f32 lanes.
  if (rate <= 0)
    rate = multiplyAddLanes(machine);
  return double(instruction.multiplyAdds() * machine.schedulersPerUnit) / rate;
}

namespace {
/// The matrices that a warp loads of one input.
class Fragments {
public:
  /// `lanes` is the loop over lanes along the input's dimension, in which a
  /// lane has `step` elements, and `dot` that over the terms of an instruction.
  Fragments(const Nest &nest, const AccessSummary &access, unsigned lanes,
            int64_t step, unsigned dot)
      : nest(nest), access(access), dim(nest.statement.loops[lanes].dim),
        stride(access.strides[lanes] / step), sumStride(access.strides[dot]) {}

  /// The places of a thread along the input's dimension.
  double places() const {
    return product([&](const LoopSummary &loop) { return loop.dim == dim; });
  }
  /// The places along others that the input has, at which it is loaded again.
  double grids(int otherDim) const {
    double count = 1;
    for (unsigned l : nest.moving(access, Role::Copy, Role::Unrolled)) {
      const LoopSummary &loop = nest.statement.loops[l];
      if (!loop.reduction && loop.dim != dim && loop.dim != otherDim)
        count *= double(loop.extent);
    }
    return count;
  }
  /// The passes of shared memory for one matrix of 8 rows of a chunk each. A
  /// row lies along the sum; if the load transposes, along the dimension.
  double passes(const Machine &machine) const {
    int64_t bytes = nest.bufferOf(access).elementBytes;
    int64_t apart = sumStride == 1 ? stride : sumStride;
    Addresses rows;
    for (int64_t row = 0; row < WarpInstruction::kRowLanes; ++row)
      rows.push_back(row * apart * bytes);
    return bankPasses(rows, double(WarpInstruction::kChunkBytes),
                      machine.sm.sharedBytesPerCycle);
  }

  /// The places along dimensions that the input has not. Its matrices stay in
  /// registers between them, because compilers load the same matrix only once.
  double reuses(int otherDim) const {
    return product([&](const LoopSummary &loop) {
             return !loop.reduction && loop.dim != dim && loop.dim != otherDim;
           }) /
           grids(otherDim);
  }

  /// Windows that overlap, along dimensions without lanes, share matrices: row
  /// y + k of an image is that of other rows y at other positions k of the
  /// window. Compilers load such a matrix once, and it stays in registers from
  /// one unrolled position to the next. Returns the number of places at which
  /// matrices are held for that.
  double heldWindows() const {
    double held = 0;
    for (unsigned r = 0; r < nest.bufferOf(access).tensorShape.size(); ++r)
      for (unsigned q = 0; q < nest.roles.size(); ++q) {
        if (nest.roles[q] != Role::Unrolled || !isReduction(q))
          continue;
        double window = extentAlong(q, r);
        for (unsigned p = 0; p < nest.roles.size(); ++p) {
          if (isReduction(p) || nest.statement.loops[p].dim == dim ||
              (nest.roles[p] != Role::Copy && nest.roles[p] != Role::Unrolled))
            continue;
          double copies = extentAlong(p, r);
          if (window == 1 || copies == 1)
            continue;
          double distinct =
              1 + moveOf(q, r) * (window - 1) + moveOf(p, r) * (copies - 1);
          double shared = std::max(0.0, window * copies - distinct);
          held = std::max(held, shared / (window - 1) * stepsInside(q));
        }
      }
    return held;
  }

  /// Whether lanes load their elements alone, because the rows of a matrix in
  /// shared memory are terms of the sum.
  bool areElements(const WarpInstruction &instruction) const {
    return instruction.loadsElements() && sumStride != 1;
  }
  /// The passes of shared memory for one element of each lane.
  double elementPasses(const Machine &machine) const {
    int64_t bytes = nest.bufferOf(access).elementBytes;
    Addresses lanes;
    for (int64_t row = 0; row < WarpInstruction::kRowLanes; ++row)
      for (int64_t term = 0; term < WarpInstruction::kColumnLanes; ++term)
        lanes.push_back((row * stride + term * sumStride) * bytes);
    return bankPasses(lanes, double(bytes), machine.sm.sharedBytesPerCycle);
  }

  int dimension() const { return dim; }

private:
  bool isReduction(unsigned l) const {
    return nest.statement.loops[l].reduction;
  }
  double moveOf(unsigned l, unsigned coordinate) const {
    return std::abs(double(nest.movesOf(access, l)[coordinate]));
  }
  /// The extent of loop `l` if it moves along the coordinate, else 1.
  double extentAlong(unsigned l, unsigned coordinate) const {
    return moveOf(l, coordinate) == 0 ? 1
                                      : double(nest.statement.loops[l].extent);
  }
  /// Unrolled steps of reductions inside of loop `l`.
  double stepsInside(unsigned l) const {
    double steps = 1;
    while (++l < nest.roles.size())
      if (nest.roles[l] == Role::Unrolled && isReduction(l) &&
          nest.statement.loops[l].level != LoopLevel::Dot)
        steps *= double(nest.statement.loops[l].extent);
    return steps;
  }
  template <typename Pred> double product(Pred pred) const {
    double count = 1;
    for (auto [role, loop] : llvm::zip_equal(nest.roles, nest.statement.loops))
      if ((role == Role::Copy || role == Role::Unrolled) && pred(loop))
        count *= double(loop.extent);
    return count;
  }

  const Nest &nest;
  const AccessSummary &access;
  int dim;
  int64_t stride, sumStride;
};
} // namespace

MatrixCounts detail::countMatrices(const Nest &nest, const Machine &machine) {
  const StatementSummary &statement = nest.statement;
  const auto &instruction = *WarpInstruction::of(statement.instruction);
  // The lanes are the last loops of threads, first along rows.
  llvm::SmallVector<unsigned, 4> threads;
  double perStep = 1;
  MatrixCounts counts;
  counts.steps = 1;
  unsigned dot = 0;
  for (auto [l, loop] : llvm::enumerate(statement.loops)) {
    if (nest.roles[l] == Role::Thread)
      threads.push_back(l);
    else if (loop.level == LoopLevel::Dot)
      dot = l;
    else if (loop.reduction && nest.roles[l] != Role::Block)
      counts.steps *= double(loop.extent);
    else if (nest.roles[l] != Role::Block)
      perStep *= double(loop.extent);
  }
  counts.products = counts.steps * perStep / double(instruction.laneElements());
  unsigned rowLanes = threads[threads.size() - 2], columnLanes = threads.back();
  bool aFirst = statement.accesses[0].strides[columnLanes] == 0;
  Fragments a(nest, statement.accesses[aFirst ? 0 : 1], rowLanes, 1, dot),
      b(nest, statement.accesses[aFirst ? 1 : 0], columnLanes,
        WarpInstruction::kLaneColumns, dot);
  double rows = a.places() / double(instruction.rowParts()),
         columns = b.places() / double(WarpInstruction::kLaneColumns);
  double aGrids = counts.steps * a.grids(b.dimension()),
         bGrids = counts.steps * b.grids(a.dimension());
  double aFragments = aGrids * rows, bFragments = bGrids * columns,
         aRegisters = aFragments * double(instruction.aRegisters()),
         bRegisters = bFragments * double(instruction.bRegisters());
  // `loads` of `matrices`, or of elements for `registers`.
  auto addLoads = [&](const Fragments &of, double loads, double matrices,
                      double registers) {
    bool elements = of.areElements(instruction);
    counts.loads += elements ? registers : loads;
    counts.passes += elements ? registers * of.elementPasses(machine)
                              : matrices * of.passes(machine);
  };
  addLoads(a, aFragments, aFragments * double(instruction.aMatrices()),
           aRegisters);
  addLoads(b, bGrids * std::ceil(columns / 2),
           bFragments * double(instruction.bMatrices()), bRegisters);
  if (instruction.multipliesTensorFloats())
    counts.conversions = aRegisters + bRegisters;
  double bHeld = b.reuses(a.dimension()) > 1 ? std::max(2.0, columns) : 2;
  double held =
      instruction.multipliesTensorFloats() ? kHeldRoundedSteps : kHeldSteps;
  counts.registers =
      (held + a.heldWindows()) * rows * double(instruction.aRegisters()) +
      (held * bHeld + b.heldWindows() * columns) *
          double(instruction.bRegisters());
  return counts;
}

WarpWork detail::matrixWork(const Nest &nest, const MatrixCounts &counts,
                            const Machine &machine) {
  const auto &instruction = *WarpInstruction::of(nest.statement.instruction);
  double cycles = productCycles(instruction, machine);
  WarpWork work;
  work.tensor = counts.products * cycles / double(machine.schedulersPerUnit);
  work.integer = counts.conversions;
  work.issue = counts.products * double(instruction.deviceInstructions()) +
               counts.loads + kConversionInstructions * counts.conversions;
  work.passes = counts.passes;
  // Each iteration begins with loads and ends with products.
  double iterations = nest.trips(Role::Step, Role::Loop);
  work.wait =
      iterations * kProductLatency +
      counts.steps * std::max(0.0, kProductLatency -
                                       counts.products / counts.steps * cycles);
  return work;
}
