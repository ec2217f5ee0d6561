//===- InstructionProfit.cpp - when narrow products are faster ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InstructionProfit.h"
#include "PixelWindows.h"

#include "pruner/Dialect/Pruner/IR/ElementTypes.h"
#include "pruner/Machine/Instructions.h"
#include "pruner/Program/WarpInstruction.h"
#include "pruner/Recognition/TaskFromIR.h"
#include "pruner/Sketch/BuildProgram.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/TypeUtilities.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace pruner;

/// Products with fewer points take less than a microsecond.
static constexpr double kLeastPoints = 65536;
/// Operations on vectors of f32 that convert an element: load, round, store.
static constexpr double kConversion = 3;
/// The largest share of the time of f32 that is a profit.
static constexpr double kProfit = 2.0 / 3;

/// `op` as a task with two factors; none if it is not one.
static std::optional<TaskDesc> describe(linalg::LinalgOp op) {
  Obstacle obstacle;
  FailureOr<TaskIR> task =
      recognizeTask(TaskGroup(op.getOperation()), obstacle);
  if (failed(task) || task->desc.rows ||
      task->desc.anchorStatement().inputs.size() != 2)
    return std::nullopt;
  return std::move(task->desc);
}

/// The same with factors of type `type`.
static std::optional<TaskDesc> describe(linalg::LinalgOp op, ElementType type) {
  std::optional<TaskDesc> desc = describe(op);
  if (!desc)
    return std::nullopt;
  StatementDesc &anchor = desc->statements[desc->anchor];
  for (const OperandDesc &input : anchor.inputs)
    desc->tensors[input.tensor].type = type;
  anchor.product = {true, true};
  return desc;
}

/// The cost of an instruction in vector multiply-adds of f32. A product of
/// tiles with few rows takes as long as one of 10 or 11.
static double costOf(const CoreModel &core, const InstructionUse &use) {
  if (!use.instruction->isTile())
    return core.brainFloatDotCost;
  return core.tileCost *
         std::max(MatrixInstruction::kLeastTileRows, double(use.rows)) /
         double(use.instruction->rows);
}

namespace {
/// A use of an instruction, and the cost of the anchor with it in vector
/// multiply-adds of f32.
struct CostOfUse {
  double cost = std::numeric_limits<double>::infinity();
  InstructionUse use = {};
};
} // namespace

/// Whether the result has most of the elements of a product of a warp, so that
/// tensor cores are faster.
static bool fillsWarp(const StatementDesc &anchor, const InstructionUse &use,
                      unsigned columnDim) {
  return 2 * anchor.dims[use.rowDim].extent > use.instruction->rows &&
         2 * anchor.dims[columnDim].extent > WarpInstruction::kColumns;
}

/// The cheapest use of an instruction of `machine` in which input `shared`, if
/// given, is the one that all lanes share; of infinite cost if none fits.
static CostOfUse cheapestUse(const TaskDesc &task, const Machine &machine,
                             std::optional<unsigned> shared = std::nullopt) {
  const StatementDesc &anchor = task.anchorStatement();
  CostOfUse least;
  int64_t bytes = byteWidth(task.tensors[anchor.output.tensor].type);
  for (const MatrixInstruction *instruction : allMatrixInstructions())
    for (const MatrixInstruction::Width &width : instruction->widths) {
      if (!hasInstruction(machine, *instruction, width.bytes) ||
          (machine.isGpu() && tensorRate(machine, *instruction) <= 0))
        continue;
      for (unsigned vectorDim = 0; vectorDim < anchor.dims.size();
           ++vectorDim) {
        std::optional<InstructionUse> use =
            useOf(*instruction, task, vectorDim);
        if (!use || use->aInput != shared.value_or(use->aInput) ||
            (machine.isGpu() && !fillsWarp(anchor, *use, vectorDim)))
          continue;
        double count = 1;
        for (auto [d, dim] : llvm::enumerate(anchor.dims)) {
          int64_t unit = d == vectorDim     ? width.bytes / bytes
                         : d == use->sumDim ? use->sums
                                            : 1;
          if (instruction->isTile() && d == use->rowDim)
            unit = use->rows;
          count *= double(llvm::divideCeil(dim.extent, unit));
        }
        double cost =
            count * (machine.isGpu() ? 1 : costOf(machine.core, *use));
        if (cost < least.cost)
          least = {cost, *use};
      }
    }
  return least;
}

static double elementsOf(const TensorDesc &tensor) {
  double elements = 1;
  for (int64_t extent : tensor.shape)
    elements *= double(extent);
  return elements;
}

/// The cost of the anchor in multiply-adds of vectors of f32.
static double wideCost(const StatementDesc &anchor, const Machine &machine) {
  return anchor.points() / double(std::max<int64_t>(machine.lanes, 1));
}

bool pruner::profitsFromProducts(linalg::LinalgOp op, ElementType type,
                                 ArrayRef<Machine> machines) {
  std::optional<TaskDesc> task = describe(op, type);
  if (!task)
    return false;
  if (machines.empty())
    return true;
  const StatementDesc &anchor = task->anchorStatement();
  if (anchor.points() < kLeastPoints)
    return false;
  double converted = 0;
  for (auto [input, operand] :
       llvm::zip_equal(anchor.inputs, op.getDpsInputs()))
    if (const TensorDesc &tensor = task->tensors[input.tensor];
        !tensor.constant &&
        toElementType(getElementTypeOrSelf(operand.getType())) != type)
      converted += elementsOf(tensor);
  return llvm::all_of(machines, [&](const Machine &machine) {
    return machine.isCpu() &&
           cheapestUse(*task, machine).cost +
                   converted * kConversion /
                       double(std::max<int64_t>(machine.lanes, 1)) <=
               kProfit * wideCost(anchor, machine);
  });
}

/// Whether tensor cores of `machine` compute `op`, which is `task`, as it is,
/// or with the channels moved last. A constant factor permits this, but results
/// of the function keep their order.
static bool fitsTensorCores(linalg::LinalgOp op, const TaskDesc &task,
                            const Machine &machine) {
  const StatementDesc &anchor = task.anchorStatement();
  std::optional<unsigned> columns = defaultVectorDimension(task);
  for (const MatrixInstruction *instruction : allMatrixInstructions()) {
    if (!hasInstruction(machine, *instruction,
                        instruction->widths.front().bytes))
      continue;
    std::optional<InstructionUse> use = useOf(*instruction, task, columns);
    if (use && fillsWarp(anchor, *use, *columns))
      return true;
  }
  auto isConstant = [&](unsigned n) {
    return task.tensors[anchor.inputs[n].tensor].constant;
  };
  return isConstant(0) != isConstant(1) &&
         llvm::none_of(op->getUsers(), llvm::IsaPred<func::ReturnOp>) &&
         std::isfinite(cheapestUse(task, machine, isConstant(0) ? 1 : 0).cost);
}

bool pruner::profitsFromTensorFloats(linalg::LinalgOp op,
                                     ArrayRef<Machine> machines) {
  std::optional<TaskDesc> task = describe(op, ElementType::F32);
  if (!task)
    return false;
  StatementDesc &anchor = task->statements[task->anchor];
  anchor.tensorFloats = true;
  if (machines.empty())
    return true;
  return anchor.points() >= kLeastPoints &&
         llvm::all_of(machines, [&](const Machine &machine) {
           double plain = machine.peakFlops /
                          (2e6 * double(machine.units) * machine.clockMHz);
           return machine.isGpu() &&
                  plain <= kProfit * machine.sm.tf32TensorRate &&
                  fitsTensorCores(op, *task, machine);
         });
}

bool pruner::profitsFromHalfSums(linalg::LinalgOp op,
                                 ArrayRef<Machine> machines) {
  std::optional<TaskDesc> task = describe(op);
  if (!task)
    return false;
  StatementDesc &anchor = task->statements[task->anchor];
  double terms = 1;
  for (const IterDim &dim : anchor.dims)
    terms *= dim.reduction ? double(dim.extent) : 1;
  if (terms > double(kMostHalfSumTerms))
    return false;
  ElementType &sums = task->tensors[anchor.output.tensor].type;
  bool isWide = sums == ElementType::F32;
  sums = ElementType::F16;
  anchor.product = {true, true};
  if (machines.empty())
    return true;
  return anchor.points() >= kLeastPoints &&
         llvm::all_of(machines, [&](const Machine &machine) {
           double rate = machine.sm.halfSumTensorRate;
           return machine.isGpu() && rate > 0 &&
                  (!isWide || machine.sm.halfTensorRate <= kProfit * rate) &&
                  fitsTensorCores(op, *task, machine);
         });
}

/// The cost with one loop over the channels of all pixels in a row of a window,
/// which the loop over channels becomes; of infinite cost if that is not
/// possible on `machine`.
static CostOfUse costOfPixelWindows(linalg::LinalgOp op, TaskDesc task,
                                    const Machine &machine, unsigned shared) {
  std::optional<PixelWindows> windows = matchPixelWindows(op);
  if (!windows || windows->image != shared || !machine.isCpu())
    return {};
  MutableArrayRef<IterDim> dims = task.statements[task.anchor].dims;
  dims[windows->channel].extent *= dims[windows->window].extent;
  dims[windows->window].extent = 1;
  CostOfUse cost = cheapestUse(task, machine, shared);
  return cost.use.sumDim == windows->channel ? cost : CostOfUse();
}

std::optional<InputLoop> pruner::sharedFactor(linalg::LinalgOp op,
                                              ArrayRef<Machine> machines) {
  if (op.getNumDpsInputs() != 2 || op.getNumReductionLoops() == 0 ||
      !op.hasPureTensorSemantics())
    return std::nullopt;
  std::optional<TaskDesc> task = describe(op);
  if (!task || machines.empty() ||
      task->anchorStatement().dims.size() != op.getNumLoops())
    return std::nullopt;
  auto isConstant = [&](const OperandDesc &input) {
    return task->tensors[input.tensor].constant;
  };
  ArrayRef<OperandDesc> inputs = task->anchorStatement().inputs;
  if (isConstant(inputs[0]) == isConstant(inputs[1]))
    return std::nullopt;
  unsigned shared = isConstant(inputs[0]) ? 1 : 0;
  std::optional<unsigned> sumDim;
  for (const Machine &machine : machines) {
    CostOfUse best = cheapestUse(*task, machine, shared);
    CostOfUse pixels = costOfPixelWindows(op, *task, machine, shared);
    if (pixels.cost <= kProfit * best.cost)
      best = pixels;
    if (!std::isfinite(best.cost) ||
        sumDim.value_or(best.use.sumDim) != best.use.sumDim)
      return std::nullopt;
    sumDim = best.use.sumDim;
  }
  return InputLoop{shared, *sumDim};
}
