//===- InstructionUse.cpp - how schedules use matrix instructions ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ResourceCounter.h"
#include "WindowView.h"

#include "pruner/Program/WarpInstruction.h"
#include "pruner/Sketch/BuildProgram.h"
#include "pruner/Sketch/Sketch.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>
#include <tuple>

using namespace pruner;

/// The coordinate of `operand` that moves with `dim`, one by one, if no other
/// depends on `dim`.
static std::optional<unsigned> coordinateAlong(const OperandDesc &operand,
                                               unsigned dim) {
  std::optional<unsigned> found;
  for (auto [r, expr] : llvm::enumerate(operand.map)) {
    if (!expr.uses(dim))
      continue;
    if (found || expr.coeffs[dim] != 1)
      return std::nullopt;
    found = r;
  }
  return found;
}

/// Whether one coordinate of `operand` is `dim`, and no other depends on it.
static bool isCoordinate(const OperandDesc &operand, unsigned dim) {
  std::optional<unsigned> r = coordinateAlong(operand, dim);
  return r && operand.map[*r].singleDim() == dim;
}

/// Whether one coordinate of `operand` depends on `dim`, by any distance and
/// together with any other dimension.
static bool movesOneCoordinate(const OperandDesc &operand, unsigned dim) {
  return llvm::count_if(operand.map, [&](const LinearExpr &expr) {
           return expr.uses(dim);
         }) == 1;
}

static bool isLast(const OperandDesc &operand, unsigned dim) {
  return coordinateAlong(operand, dim) == operand.map.size() - 1;
}

/// The terms that an instruction adds up at once along reduction dimension
/// `dim`. Tiles may have fewer than `sums`, but as few of them as possible
/// shall cover the extent. In a chain between products the number of terms
/// divides the extent, if that takes no more tiles, and along the rows also the
/// vectors of the first product, or is divided by them. Otherwise it is the
/// largest one, so that the tiles of both products have the same shape.
static int64_t chooseSums(const MatrixInstruction &instruction,
                          const TaskDesc &task, unsigned dim) {
  if (!instruction.isTile())
    return instruction.sums;
  int64_t extent = task.dims()[dim].extent;
  int64_t steps = llvm::divideCeil(extent, instruction.sums);
  int64_t fewest =
      llvm::alignTo(llvm::divideCeil(extent, steps), instruction.group);
  if (!task.joinsProducts())
    return fewest;
  bool alongRows = task.kindOf(dim) == DimKind::Reduction;
  int64_t lanes =
      instruction.widths.front().bytes / byteWidth(instruction.accumulators);
  for (int64_t sums = instruction.sums; sums >= fewest;
       sums -= instruction.group)
    if (extent % sums == 0 &&
        (!alongRows || sums % lanes == 0 || lanes % sums == 0))
      return sums;
  return instruction.sums;
}

/// Whether an instruction can add up along the reduction dimension `dim`.
static bool canSum(const InstructionUse &use, const TaskDesc &task,
                   const StatementDesc &product, unsigned dim) {
  const MatrixInstruction &instruction = *use.instruction;
  const OperandDesc &a = product.inputs[use.aInput],
                    &b = product.inputs[use.bInput];
  int64_t extent = product.dims[dim].extent;
  // Windows share a coordinate with the dimension along which they move. Groups
  // of neighbors then begin at any element, so they must be contiguous. A
  // padded window that does not move has neither.
  bool alone = isCoordinate(a, dim);
  bool slides =
      isLast(a, dim) &&
      llvm::count_if(a.map.back().coeffs, [](auto c) { return c != 0; }) > 1;
  if (!isCoordinate(b, dim) || !(alone || slides))
    return false;
  if (extent % chooseSums(instruction, task, dim) == 0)
    return true;
  // A chain holds no windows in its buffers.
  if (task.joinsProducts())
    return !b.padded && alone;
  // Beyond the extent b is zero, and a is zero or belongs to other windows. For
  // floats it must be zero, so that windows are copied apart.
  return !b.padded && (alone || !addsFloats(instruction) ||
                       windowView(task, use.aInput, dim));
}

/// The reduction dimension along which an instruction adds up: the one that
/// takes the fewest steps. Of several, one that is contiguous in the operands
/// is best, because they need no packing then.
static std::optional<unsigned> chooseSumDim(const InstructionUse &use,
                                            const TaskDesc &task,
                                            const StatementDesc &product) {
  std::optional<unsigned> best;
  std::tuple<double, unsigned, int64_t> bestRank;
  for (auto [d, dim] : llvm::enumerate(product.dims)) {
    if (!dim.reduction || !canSum(use, task, product, d))
      continue;
    int64_t steps =
        llvm::divideCeil(dim.extent, chooseSums(*use.instruction, task, d));
    std::tuple rank(double(-steps) / double(dim.extent),
                    2 * unsigned(isLast(product.inputs[use.aInput], d)) +
                        isLast(product.inputs[use.bInput], d),
                    dim.extent);
    if (!best || rank > bestRank) {
      best = d;
      bestRank = rank;
    }
  }
  return best;
}

/// The rows of a tile that cover `extent` in the shortest time: those that a
/// product takes, and a share of loads.
static int64_t chooseRows(int64_t most, int64_t extent) {
  auto cost = [&](int64_t rows) {
    return double(llvm::divideCeil(extent, rows)) *
           (std::max(double(rows), MatrixInstruction::kLeastTileRows) + 2);
  };
  int64_t best = std::min(most, extent);
  for (int64_t rows = best; rows > 1; --rows)
    if (cost(rows) < cost(best))
      best = rows;
  return best;
}

/// The parallel dimension along the rows of tiles: it moves one coordinate of
/// a, and not b. The last one is best, because its rows are closest.
static std::optional<unsigned> chooseRowDim(const StatementDesc &anchor,
                                            const OperandDesc &a,
                                            const OperandDesc &b,
                                            unsigned vectorDim) {
  std::optional<unsigned> best;
  for (auto [d, dim] : llvm::enumerate(anchor.dims)) {
    unsigned uses =
        llvm::count_if(a.map, [dim = unsigned(d)](const LinearExpr &expr) {
          return expr.uses(dim);
        });
    if (dim.reduction || dim.extent < 2 || d == vectorDim || uses != 1 ||
        ResourceCounter::uses(b, d))
      continue;
    constexpr int64_t kEnough = 7;
    if (!best || std::min(dim.extent, kEnough) >=
                     std::min(anchor.dims[*best].extent, kEnough))
      best = d;
  }
  return best;
}

/// The same for the rows of a warp's product. Of dimensions that fill three
/// quarters of the rows the last one is best, and else the one that fills most.
static std::optional<unsigned>
chooseWarpRowDim(const StatementDesc &anchor, const OperandDesc &a,
                 const OperandDesc &b, unsigned columnDim, int64_t rows) {
  constexpr double kEnough = 0.75;
  std::optional<unsigned> best;
  double most = 0;
  for (auto [d, dim] : llvm::enumerate(anchor.dims)) {
    unsigned uses =
        llvm::count_if(a.map, [dim = unsigned(d)](const LinearExpr &expr) {
          return expr.uses(dim);
        });
    if (dim.reduction || dim.extent < 2 || d == columnDim || uses != 1 ||
        ResourceCounter::uses(b, d))
      continue;
    double share = double(dim.extent) /
                   (double(llvm::divideCeil(dim.extent, rows)) * double(rows));
    share = std::min(share, kEnough);
    if (best && share < most)
      continue;
    best = d;
    most = share;
  }
  return best;
}

/// How a warp multiplies, if `use` has the roles. The lanes are threads along
/// the rows, so a tile has none of its own.
static std::optional<InstructionUse>
useOfWarp(const TaskDesc &task, InstructionUse use, unsigned columnDim) {
  const StatementDesc &anchor = task.anchorStatement();
  const OperandDesc &a = anchor.inputs[use.aInput],
                    &b = anchor.inputs[use.bInput];
  use.sums = use.instruction->sums;
  use.reachesBehind = anchor.dims[use.sumDim].extent % use.sums != 0;
  std::optional<unsigned> rowDim =
      chooseWarpRowDim(anchor, a, b, columnDim, use.instruction->rows);
  if (!rowDim || !isCoordinate(a, use.sumDim) ||
      (use.reachesBehind && a.padded))
    return std::nullopt;
  use.rowDim = *rowDim;
  use.rows = 1;
  return use;
}

/// How `instruction` computes the statement `product` of a task.
static std::optional<InstructionUse>
useOfProduct(const MatrixInstruction &instruction, const TaskDesc &task,
             const StatementDesc &product, std::optional<unsigned> vectorDim) {
  if (!product.product || product.inputs.size() != 2 ||
      task.tensors[product.output.tensor].type != instruction.accumulators ||
      instruction.multipliesTensorFloats() != product.tensorFloats ||
      !vectorDim || product.dims[*vectorDim].reduction)
    return std::nullopt;
  for (const OperandDesc &input : product.inputs)
    if (task.tensors[input.tensor].type != instruction.operands)
      return std::nullopt;
  bool first = ResourceCounter::uses(product.inputs[0], *vectorDim);
  if (first == ResourceCounter::uses(product.inputs[1], *vectorDim))
    return std::nullopt;
  InstructionUse use = {};
  use.instruction = &instruction;
  use.bInput = first ? 0 : 1;
  use.aInput = 1 - use.bInput;
  const OperandDesc &a = product.inputs[use.aInput],
                    &b = product.inputs[use.bInput];
  // Neighboring lanes of b are neighbors in its buffer. A warp loads the terms
  // of each column from any address, such as that of a pixel of a window.
  bool ofWarp = WarpInstruction::of(&instruction);
  if (!(ofWarp ? movesOneCoordinate(b, *vectorDim)
               : isCoordinate(b, *vectorDim)))
    return std::nullopt;
  auto factors = instruction.factorsOf((*product.product)[use.aInput],
                                       (*product.product)[use.bInput]);
  if (!factors)
    return std::nullopt;
  use.shiftsA = factors->shiftsA;
  std::optional<unsigned> sumDim = chooseSumDim(use, task, product);
  if (!sumDim)
    return std::nullopt;
  use.sumDim = *sumDim;
  if (ofWarp)
    return useOfWarp(task, use, *vectorDim);
  use.sums = chooseSums(instruction, task, *sumDim);
  use.reachesBehind = product.dims[*sumDim].extent % use.sums != 0;
  if (!instruction.isTile())
    return use;
  std::optional<unsigned> rowDim = chooseRowDim(product, a, b, *vectorDim);
  if (!rowDim)
    return std::nullopt;
  use.rowDim = *rowDim;
  use.rows = chooseRows(instruction.rows, product.dims[*rowDim].extent);
  return use;
}

/// How `instruction` computes the second product of a chain, along the vectors
/// of its columns. The sum runs along the rows, which a buffer holds.
static std::optional<InstructionUse>
useOfSecond(const MatrixInstruction &instruction, const TaskDesc &task) {
  const StatementDesc &product = task.statements[task.secondProduct()];
  std::optional<InstructionUse> use =
      useOfProduct(instruction, task, product, lastColumn(task));
  if (!use)
    return std::nullopt;
  auto isArgument = [&](unsigned input) {
    return task.tensors[product.inputs[input].tensor].argument >= 0;
  };
  // The buffer of the rows is read in place.
  if (!isArgument(use->bInput) || isArgument(use->aInput) ||
      !isLast(product.inputs[use->aInput], use->sumDim))
    return std::nullopt;
  return use;
}

std::optional<InstructionUse>
pruner::useOf(const MatrixInstruction &instruction, const TaskDesc &task,
              std::optional<unsigned> vectorDim) {
  if (task.rows && !task.joinsProducts())
    return std::nullopt;
  std::optional<InstructionUse> use =
      useOfProduct(instruction, task, task.anchorStatement(), vectorDim);
  if (!use || !task.joinsProducts())
    return use;
  // The rows of a chain are those of both products, and so are their tiles.
  std::optional<InstructionUse> second = useOfSecond(instruction, task);
  if (!second || WarpInstruction::of(&instruction) ||
      (instruction.isTile() &&
       (use->rowDim != second->rowDim || use->rows != second->rows)))
    return std::nullopt;
  return use;
}

std::optional<InstructionUse> pruner::instructionUse(const TaskDesc &task,
                                                     const Schedule &schedule) {
  if (schedule.instruction == 0)
    return std::nullopt;
  return useOf(*allMatrixInstructions()[schedule.instruction - 1], task,
               vectorDimension(task, schedule));
}

std::optional<InstructionUse>
pruner::instructionUseOfSecond(const TaskDesc &task, const Schedule &schedule) {
  if (!task.joinsProducts() || !instructionUse(task, schedule))
    return std::nullopt;
  return useOfSecond(*allMatrixInstructions()[schedule.instruction - 1], task);
}

int64_t pruner::innermostUnit(const TaskDesc &task, const Schedule &schedule,
                              const std::optional<InstructionUse> &use,
                              const std::optional<InstructionUse> &second,
                              unsigned dim) {
  int64_t unit =
      !sketchOf(schedule).gpu && runsAlongVectors(task, schedule, dim)
          ? schedule.vector
          : 0;
  for (const auto *each : {&use, &second})
    if (int64_t own = *each ? (*each)->unitAlong(dim) : 0)
      unit = unit ? std::lcm(unit, own) : own;
  return unit;
}

int64_t pruner::innermostUnit(const TaskDesc &task, const Schedule &schedule,
                              unsigned dim) {
  return innermostUnit(task, schedule, instructionUse(task, schedule),
                       instructionUseOfSecond(task, schedule), dim);
}

void pruner::stageForInstruction(const TaskDesc &task, Schedule &schedule) {
  std::optional<InstructionUse> use = instructionUse(task, schedule);
  if (!use)
    return;
  const StatementDesc &anchor = task.anchorStatement();
  bool ofWarp = WarpInstruction::of(use->instruction);
  bool cutsRows = use->instruction->isTile() &&
                  anchor.dims[use->rowDim].extent % use->rows != 0;
  for (unsigned input : {use->bInput, use->aInput}) {
    StageLevel &level = schedule.stages[input];
    if (level == StageLevel::None &&
        (input == use->bInput || ofWarp || use->reachesBehind || cutsRows ||
         anchor.inputs[input].padded ||
         !isLast(anchor.inputs[use->aInput], use->sumDim)))
      level = StageLevel::Inner;
  }
}
