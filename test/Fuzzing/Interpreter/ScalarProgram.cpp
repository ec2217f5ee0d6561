//===- ScalarProgram.cpp - scalar code of operations ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScalarProgram.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace llvm;
using namespace pruner;
namespace arith = mlir::arith;

Error pruner::unsupported(mlir::Operation *op, const Twine &what) {
  return createStringError("the interpreter does not support " +
                           op->getName().getStringRef() + what);
}

unsigned ScalarProgram::define(mlir::Value value) {
  unsigned slot = initial.size();
  initial.emplace_back();
  slots[value] = slot;
  return slot;
}

Expected<unsigned> ScalarProgram::slotOf(mlir::Value value) {
  if (auto found = slots.find(value); found != slots.end())
    return found->second;
  // Scalars of the function are tensors without dimensions.
  RangeTensorRef known = interpreter.get(value);
  if (!known)
    return createStringError("a value from outside is not known");
  unsigned slot = define(value);
  initial[slot] = known->cells[0];
  return slot;
}

static Expected<Cell> constantCell(mlir::TypedAttr attribute) {
  if (auto number = dyn_cast<mlir::FloatAttr>(attribute))
    return Cell(RealRange::exactly(number.getValueAsDouble()));
  if (auto number = dyn_cast<mlir::IntegerAttr>(attribute)) {
    unsigned width = integerWidth(number.getType());
    return Cell(IntegerRange::exactly(
        wrapInteger(number.getValue().getSExtValue(), width)));
  }
  return createStringError("a constant that is not a number");
}

Error ScalarProgram::add(mlir::Operation *op, bool anyOrder) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto cell = constantCell(constant.getValue());
    if (!cell)
      return cell.takeError();
    initial[define(constant)] = *cell;
    return Error::success();
  }
  Apply apply = otherOperation(op);
  if (!apply)
    apply = realOperation(op, anyOrder);
  if (!apply)
    apply = integerOperation(op);
  if (!apply)
    return unsupported(op);
  Step step;
  step.apply = std::move(apply);
  for (mlir::Value operand : op->getOperands()) {
    if (isa<mlir::RankedTensorType>(operand.getType()))
      continue;
    auto slot = slotOf(operand);
    if (!slot)
      return slot.takeError();
    step.operands.push_back(*slot);
  }
  if (op->getNumResults() > 1)
    return unsupported(op);
  step.result =
      op->getNumResults() ? define(op->getResult(0)) : define(mlir::Value());
  steps.push_back(std::move(step));
  return Error::success();
}

Error ScalarProgram::addBlock(mlir::Block &block,
                              ArrayRef<mlir::Operation *> anyOrder) {
  for (mlir::Value argument : block.getArguments())
    define(argument);
  for (mlir::Operation &op : block.without_terminator())
    if (Error error = add(&op, is_contained(anyOrder, &op)))
      return error;
  return Error::success();
}

ScalarProgram::State ScalarProgram::start() const {
  State state;
  state.slots = initial;
  return state;
}

bool ScalarProgram::run(State &state) const {
  for (const Step &step : steps) {
    step.apply(state, step.operands.data(), state.slots[step.result],
               state.failure);
    if (!state.failure.empty())
      return false;
  }
  return true;
}

/// Joins the elements of `tensor` that may be read; returns false if the index
/// may be out of bounds.
static bool joinElements(const RangeTensor &tensor, bool isReal,
                         const ScalarProgram::State &state,
                         const unsigned *operands, Cell &result) {
  // If an index may be several numbers, try each of them.
  size_t rank = tensor.shape.size();
  SmallVector<int64_t, 6> index(rank);
  for (size_t d = 0; d < rank; ++d) {
    IntegerRange range = state.slots[operands[d]].integer;
    if (range.lo < 0 || range.hi >= tensor.shape[d])
      return false;
    index[d] = range.lo;
  }
  for (bool first = true;; first = false) {
    int64_t offset = 0;
    for (size_t d = 0; d < rank; ++d)
      offset = offset * tensor.shape[d] + index[d];
    const Cell &cell = tensor.cells[offset];
    if (first)
      result = cell;
    else if (isReal)
      result.real = result.real.join(cell.real);
    else
      result.integer = result.integer.join(cell.integer);
    size_t d = rank;
    while (d > 0 && index[d - 1] == state.slots[operands[d - 1]].integer.hi) {
      --d;
      index[d] = state.slots[operands[d]].integer.lo;
    }
    if (d == 0)
      return true;
    ++index[d - 1];
  }
}

ScalarProgram::Apply ScalarProgram::otherOperation(mlir::Operation *op) {
  using Operands = const unsigned *;
  if (auto index = dyn_cast<mlir::linalg::IndexOp>(op)) {
    uint64_t dim = index.getDim();
    return [dim](const State &state, Operands, Cell &result, std::string &) {
      result.integer = IntegerRange::exactly(state.position[dim]);
    };
  }
  // Sizes of pads that relaxations of accuracy compose.
  if (auto apply = dyn_cast<mlir::affine::AffineApplyOp>(op)) {
    mlir::AffineMap map = apply.getAffineMap();
    return [map](const State &state, Operands operands, Cell &result,
                 std::string &failure) {
      mlir::Type index = mlir::IndexType::get(map.getContext());
      SmallVector<mlir::Attribute> values, results;
      for (unsigned n = 0; n < map.getNumInputs(); ++n) {
        IntegerRange value = state.slots[operands[n]].integer;
        if (!value.isPoint())
          failure = "an operand of affine.apply may have several values";
        values.push_back(mlir::IntegerAttr::get(index, value.lo));
      }
      if (failed(map.constantFold(values, results)))
        failure = "affine.apply is undefined";
      else
        result.integer = IntegerRange::exactly(
            cast<mlir::IntegerAttr>(results.front()).getInt());
    };
  }
  if (auto extract = dyn_cast<mlir::tensor::ExtractOp>(op)) {
    RangeTensorRef tensor = interpreter.get(extract.getTensor());
    if (!tensor)
      return nullptr;
    bool isReal = isa<mlir::FloatType>(extract.getType());
    return [=](const State &state, Operands operands, Cell &result,
               std::string &failure) {
      if (!joinElements(*tensor, isReal, state, operands, result))
        failure = "an index may be out of bounds";
    };
  }
  if (auto dim = dyn_cast<mlir::tensor::DimOp>(op)) {
    RangeTensorRef tensor = interpreter.get(dim.getSource());
    if (!tensor)
      return nullptr;
    return [=](const State &state, Operands operands, Cell &result,
               std::string &failure) {
      IntegerRange at = state.slots[operands[0]].integer;
      if (!at.isPoint() || at.lo < 0 || at.lo >= int64_t(tensor->shape.size()))
        failure = "an index may be out of bounds";
      else
        result.integer = IntegerRange::exactly(tensor->shape[at.lo]);
    };
  }
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    bool isReal = isa<mlir::FloatType>(select.getType());
    if (!select.getCondition().getType().isInteger(1))
      return nullptr;
    return [=](const State &state, Operands operands, Cell &result,
               std::string &) {
      const Cell &chosen = state.slots[operands[1]],
                 &other = state.slots[operands[2]];
      IntegerRange condition = state.slots[operands[0]].integer;
      if (condition.isPoint())
        result = condition.lo ? chosen : other;
      else if (isReal)
        result.real = chosen.real.join(other.real);
      else
        result.integer = chosen.integer.join(other.integer);
    };
  }
  if (isa<mlir::cf::AssertOp>(op))
    return [](const State &state, Operands operands, Cell &,
              std::string &failure) {
      if (state.slots[operands[0]].integer.lo == 0)
        failure = "a check of the program may fail";
    };
  return nullptr;
}
