//===- InstructionProfit.cpp - when narrow products are faster ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InstructionProfit.h"

#include "pruner/Dialect/Pruner/IR/ElementTypes.h"
#include "pruner/Machine/Instructions.h"
#include "pruner/Recognition/TaskFromIR.h"
#include "pruner/Sketch/BuildProgram.h"

#include "mlir/IR/TypeUtilities.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>

using namespace mlir;
using namespace pruner;

/// Products with fewer points take less than a microsecond.
static constexpr double kLeastPoints = 65536;
/// Operations on vectors of f32 that convert an element: load, round, store.
static constexpr double kConversion = 3;
/// The largest share of the time of f32 that is a profit.
static constexpr double kProfit = 2.0 / 3;

/// `op` as a task with factors of type `type`; none if it is not a task.
static std::optional<TaskDesc> describe(linalg::LinalgOp op, ElementType type) {
  Obstacle obstacle;
  FailureOr<TaskIR> task =
      recognizeTask(TaskGroup(op.getOperation()), obstacle);
  if (failed(task) || task->desc.rows)
    return std::nullopt;
  TaskDesc desc = std::move(task->desc);
  StatementDesc &anchor = desc.statements[desc.anchor];
  if (anchor.inputs.size() != 2)
    return std::nullopt;
  for (const OperandDesc &input : anchor.inputs)
    desc.tensors[input.tensor].type = type;
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

/// The least cost of the anchor with an instruction of `machine`, in vector
/// multiply-adds; infinite if none fits.
static double leastCost(const TaskDesc &task, const Machine &machine) {
  const StatementDesc &anchor = task.anchorStatement();
  double least = std::numeric_limits<double>::infinity();
  int64_t bytes = byteWidth(task.tensors[anchor.output.tensor].type);
  for (const MatrixInstruction *instruction : allMatrixInstructions())
    for (const MatrixInstruction::Width &width : instruction->widths) {
      if (!hasInstruction(machine, *instruction, width.bytes))
        continue;
      for (unsigned vectorDim = 0; vectorDim < anchor.dims.size();
           ++vectorDim) {
        std::optional<InstructionUse> use =
            useOf(*instruction, task, vectorDim);
        if (!use)
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
        least = std::min(least, count * costOf(machine.core, *use));
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
  if (!task || machines.empty())
    return false;
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
           leastCost(*task, machine) +
                   converted * kConversion /
                       double(std::max<int64_t>(machine.lanes, 1)) <=
               kProfit * wideCost(anchor, machine);
  });
}
