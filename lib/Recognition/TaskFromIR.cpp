//===- TaskFromIR.cpp - read a task from its ops --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskReader.h"

#include "pruner/Dialect/Pruner/IR/Combiner.h"
#include "pruner/Dialect/Pruner/IR/ElementTypes.h"
#include "pruner/Recognition/Operands.h"
#include "pruner/Recognition/ScalarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace pruner;

//===----------------------------------------------------------------------===//
// Shared by all readers
//===----------------------------------------------------------------------===//

TaskReader::TaskReader(const TaskGroup &group, Obstacle &obstacle)
    : group(group), obstacle(obstacle) {
  for (auto [n, argument] : llvm::enumerate(group.arguments)) {
    TensorDesc &tensor = task.desc.tensors[addTensor(argument, n)];
    tensor.constant = isConstantTensor(argument);
  }
  for (Operation *op : group.ops)
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      ops.push_back(linalgOp);
}

LogicalResult TaskReader::refuse(Operation *op, const Twine &reason) {
  obstacle = {op, "task", reason.str()};
  return failure();
}

int TaskReader::addTensor(Value value, int argument) {
  auto [it, inserted] = numbers.try_emplace(value, task.desc.tensors.size());
  if (!inserted)
    return it->second;
  auto type = cast<RankedTensorType>(value.getType());
  TensorDesc tensor;
  tensor.shape.assign(type.getShape().begin(), type.getShape().end());
  tensor.type = *toElementType(type.getElementType());
  tensor.argument = argument;
  tensor.name = argument >= 0 ? "arg" + std::to_string(argument)
                              : "value" + std::to_string(numbers.size());
  task.desc.tensors.push_back(std::move(tensor));
  return it->second;
}

FailureOr<int> TaskReader::findTensor(OpOperand &operand, Value value) {
  bool isOwn = llvm::is_contained(ops, value.getDefiningOp());
  if (!isOwn && !llvm::is_contained(group.arguments, value))
    return refuse(operand.getOwner(),
                  "operand #" + Twine(operand.getOperandNumber()) +
                      " is neither an argument of the function nor the result "
                      "of an op of the task");
  return addTensor(value);
}

LogicalResult pruner::readOwnLoops(
    TaskReader &reader, linalg::LinalgOp op,
    function_ref<LogicalResult(OpOperand &, OperandDesc &)> addInput) {
  StatementDesc statement;
  for (auto [extent, iterator] :
       llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray()))
    statement.dims.push_back(
        {extent, iterator == utils::IteratorType::reduction});
  SmallVector<unsigned, 4> operands;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    if (!isRead(*operand))
      continue;
    operands.push_back(operand->getOperandNumber());
    if (failed(addInput(*operand, statement.inputs.emplace_back())))
      return failure();
  }
  statement.output = {reader.addTensor(op->getResult(0)),
                      *toAccessMap(outputMapOf(op))};
  statement.ops = countOps(op);
  TaskIR &task = reader.task;
  task.ops.push_back(op);
  task.operands.push_back(std::move(operands));
  task.initValues.push_back(op.getNumReductionLoops() > 0
                                ? fillValueOf(op.getDpsInits()[0])
                                : TypedAttr());
  task.desc.statements.push_back(std::move(statement));
  return success();
}

//===----------------------------------------------------------------------===//
// Anchors with their prologues and epilogue
//===----------------------------------------------------------------------===//

namespace {

class AnchorReader {
public:
  explicit AnchorReader(TaskReader &reader)
      : reader(reader), task(reader.task) {}

  LogicalResult read() {
    if (failed(findAnchor()) || failed(assignRoles()))
      return failure();
    return addStatements();
  }

private:
  LogicalResult findAnchor() {
    for (linalg::LinalgOp op : reader.ops) {
      if (op.getNumReductionLoops() == 0)
        continue;
      if (anchor)
        return reader.refuse(
            op, "a task must have one reduction, but this is a second one");
      anchor = op;
    }
    if (!anchor) {
      if (reader.ops.size() != 1)
        return reader.refuse(
            reader.ops[1],
            "a task without a reduction must be one linalg op, but this is a "
            "second one");
      anchor = reader.ops.front();
    }
    if (anchor.getNumLoops() == 0)
      return reader.refuse(anchor, "an op without loops cannot be tuned");
    return success();
  }

  /// Finds the prologue of each input and the epilogue.
  LogicalResult assignRoles() {
    prologues.assign(anchor.getNumDpsInputs(), {});
    for (linalg::LinalgOp op : reader.ops) {
      if (op == anchor)
        continue;
      Value result = op->getResult(0);
      bool reads = llvm::is_contained(op->getOperands(), anchor->getResult(0));
      if (reads && !epilogue) {
        epilogue = op;
        continue;
      }
      int input = -1;
      for (auto [n, operand] : llvm::enumerate(anchor.getDpsInputs()))
        if (unpadded(operand) == result)
          input = n;
      if (input < 0 || !result.hasOneUse())
        return reader.refuse(
            op, "the op is neither the producer of one input of the anchor nor "
                "the consumer of its result");
      prologues[input] = op;
    }
    if (reader.group.result != last()->getResult(0))
      return reader.refuse(last(),
                           "the task must return the result of its last op");
    if (epilogue)
      for (OpOperand *operand : epilogue.getDpsInputOperands())
        if (operand->get() == anchor->getResult(0) &&
            !epilogue.getMatchingIndexingMap(operand).isIdentity())
          return reader.refuse(
              epilogue,
              "the consumer must read the anchor's result by the identity");
    return success();
  }

  linalg::LinalgOp last() { return epilogue ? epilogue : anchor; }

  /// The pad of the group that computes `value`, or null.
  tensor::PadOp padOf(Value value) const {
    auto pad = value.getDefiningOp<tensor::PadOp>();
    return llvm::is_contained(reader.group.ops, pad) ? pad : nullptr;
  }

  /// The source of the pad that computes `value`, or `value` itself.
  Value unpadded(Value value) const {
    tensor::PadOp pad = padOf(value);
    return pad ? pad.getSource() : value;
  }

  LogicalResult addStatements() {
    reader.addTensor(last()->getResult(0), reader.group.arguments.size());
    for (auto [n, op] : llvm::enumerate(prologues)) {
      if (!isRead(anchor->getOpOperand(n)))
        continue;
      task.desc.prologues.push_back(op ? int(task.ops.size()) : -1);
      if (op && failed(addStatement(op)))
        return failure();
    }
    task.desc.anchor = task.ops.size();
    if (failed(addStatement(anchor)) || failed(readInit()))
      return failure();
    if (epilogue) {
      task.desc.epilogue = task.ops.size();
      return addStatement(epilogue);
    }
    return success();
  }

  /// Whether all padding values are finite, so that zero times each is zero.
  bool padsFinite() const {
    return llvm::none_of(task.padValues, [](TypedAttr pad) {
      auto value = dyn_cast_or_null<FloatAttr>(pad);
      return value && !value.getValue().isFinite();
    });
  }

  LogicalResult addStatement(linalg::LinalgOp op) {
    auto add = [&](OpOperand &operand, OperandDesc &input) {
      return addInput(op, operand, input);
    };
    if (failed(readOwnLoops(reader, op, add)))
      return failure();
    StatementDesc &statement = task.desc.statements.back();
    if (op.getNumReductionLoops() > 0)
      if (Operation *combiner = getCombiner(*op.getBlock())) {
        statement.associative = true;
        countOp(*combiner, statement.combiner);
        if (statement.inputs.size() == 2 && padsFinite()) {
          statement.product = matchProduct(*op.getBlock());
          statement.tensorFloats = multipliesTensorFloats(*op.getBlock());
        }
      }
    return success();
  }

  LogicalResult addInput(linalg::LinalgOp op, OpOperand &operand,
                         OperandDesc &input) {
    tensor::PadOp pad = padOf(operand.get());
    if (pad && (op != anchor || op.getNumReductionLoops() == 0))
      return reader.refuse(
          op, "operand #" + Twine(operand.getOperandNumber()) +
                  " is padded, but only inputs of a reduction may be padded");
    FailureOr<int> tensor = reader.findTensor(operand, unpadded(operand.get()));
    if (failed(tensor))
      return failure();
    input = {*tensor, *toAccessMap(op.getMatchingIndexingMap(&operand))};
    if (op != anchor)
      return success();
    TypedAttr value = pad ? foldPad(pad, input) : TypedAttr();
    input.zeroOutside =
        value && isZero(value) &&
        addsMultiplesOf(*op.getBlock(), operand.getOperandNumber());
    task.padValues.push_back(value);
    return success();
  }

  static bool isZero(TypedAttr value) {
    return matchPattern(value, m_AnyZeroFloat()) ||
           matchPattern(value, m_Zero());
  }

  /// Adds the offset of the padding to the map, which then addresses the
  /// source.
  static TypedAttr foldPad(tensor::PadOp pad, OperandDesc &input) {
    for (auto [linear, low] : llvm::zip_equal(input.map, pad.getStaticLow()))
      linear.constant -= low;
    input.padded = true;
    TypedAttr value;
    matchPattern(pad.getConstantPaddingValue(), m_Constant(&value));
    return value;
  }

  /// Reads the initial value of the accumulator.
  LogicalResult readInit() {
    Value init = anchor.getDpsInits()[0];
    if (anchor.getNumReductionLoops() == 0 || task.initValues.back())
      return success();
    if (!llvm::is_contained(reader.group.arguments, init))
      return reader.refuse(anchor,
                           "the accumulator starts neither from a filled "
                           "tensor nor from an argument");
    task.desc.initTensor = reader.addTensor(init);
    return success();
  }

  TaskReader &reader;
  TaskIR &task;
  linalg::LinalgOp anchor, epilogue;
  SmallVector<linalg::LinalgOp> prologues;
};

} // namespace

//===----------------------------------------------------------------------===//
// Groups and functions
//===----------------------------------------------------------------------===//

FailureOr<TaskIR> pruner::recognizeTask(const TaskGroup &group,
                                        Obstacle &obstacle) {
  for (Operation *op : group.ops) {
    auto pad = dyn_cast<tensor::PadOp>(op);
    if (std::optional<Obstacle> why =
            pad ? findObstacle(pad)
                : findObstacle(cast<linalg::LinalgOp>(op))) {
      obstacle = std::move(*why);
      return failure();
    }
  }
  TaskReader reader(group, obstacle);
  LogicalResult read = !isRowChain(reader.ops)     ? AnchorReader(reader).read()
                       : joinsProducts(reader.ops) ? readJoinedProducts(reader)
                                                   : readRowChain(reader);
  if (failed(read))
    return failure();
  return std::move(reader.task);
}

/// The ops of `func`, if it has the form of a task function.
static FailureOr<TaskGroup> groupOf(func::FuncOp func, Obstacle &obstacle) {
  auto refuse = [&](Operation *op, const Twine &reason) {
    obstacle = {op, "function", reason.str()};
    return failure();
  };
  if (!func.getBody().hasOneBlock())
    return refuse(func, "a task function must have exactly one block");
  if (func.getNumResults() != 1)
    return refuse(func, "a task function must return one tensor, not " +
                            Twine(func.getNumResults()) + " values");
  for (Type type : func.getArgumentTypes())
    if (std::optional<Obstacle> why = findObstacle(type, func)) {
      obstacle = std::move(*why);
      return failure();
    }
  TaskGroup group;
  llvm::append_range(group.arguments, func.getArguments());
  Block &body = func.getBody().front();
  group.result = body.getTerminator()->getOperand(0);
  bool anyLinalg = false;
  for (Operation &op : body.without_terminator()) {
    if (isa<linalg::FillOp, tensor::EmptyOp, arith::ConstantOp>(op))
      continue;
    if (!isa<linalg::LinalgOp, tensor::PadOp>(op))
      return refuse(&op, "'" + op.getName().getStringRef() +
                             "' is not allowed in a task function");
    group.ops.push_back(&op);
    anyLinalg |= isa<linalg::LinalgOp>(op);
  }
  if (!anyLinalg)
    return refuse(func, "the function contains no linalg op to tune");
  return group;
}

FailureOr<TaskIR> pruner::recognizeTask(func::FuncOp func, Obstacle &obstacle) {
  FailureOr<TaskGroup> group = groupOf(func, obstacle);
  if (failed(group))
    return failure();
  FailureOr<TaskIR> task = recognizeTask(*group, obstacle);
  if (succeeded(task))
    task->desc.name = func.getName().str();
  return task;
}

FailureOr<TaskIR> pruner::readTask(func::FuncOp func) {
  Obstacle obstacle;
  FailureOr<TaskIR> task = recognizeTask(func, obstacle);
  if (failed(task))
    obstacle.op->emitError(obstacle.reason);
  return task;
}
