//===- TaskFromIR.cpp - reading a task function ---------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowChain.h"

#include "pruner/Dialect/Pruner/IR/Combiner.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace pruner;

std::optional<ElementType> pruner::toElementType(Type type) {
  if (type.isF64())
    return ElementType::F64;
  if (type.isF32())
    return ElementType::F32;
  if (type.isF16())
    return ElementType::F16;
  if (type.isBF16())
    return ElementType::BF16;
  if (type.isSignlessInteger(64))
    return ElementType::I64;
  if (type.isSignlessInteger(32))
    return ElementType::I32;
  if (type.isSignlessInteger(16))
    return ElementType::I16;
  if (type.isSignlessInteger(8))
    return ElementType::I8;
  if (type.isSignlessInteger(1))
    return ElementType::I1;
  return std::nullopt;
}

/// Adds `factor * expr` to `out`.
static bool addLinear(AffineExpr expr, int64_t factor, LinearExpr &out) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    out.coeffs[dim.getPosition()] += factor;
    return true;
  }
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    out.constant += factor * constant.getValue();
    return true;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return false;
  if (binary.getKind() == AffineExprKind::Add)
    return addLinear(binary.getLHS(), factor, out) &&
           addLinear(binary.getRHS(), factor, out);
  auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (binary.getKind() == AffineExprKind::Mul && constant)
    return addLinear(binary.getLHS(), factor * constant.getValue(), out);
  return false;
}

std::optional<AccessMap> pruner::toAccessMap(AffineMap map) {
  AccessMap result;
  for (AffineExpr expr : map.getResults()) {
    LinearExpr linear;
    linear.coeffs.assign(map.getNumDims(), 0);
    if (!addLinear(expr, 1, linear))
      return std::nullopt;
    result.push_back(std::move(linear));
  }
  return result;
}

AffineMap pruner::toAffineMap(const AccessMap &map, unsigned numDims,
                              MLIRContext *context) {
  SmallVector<AffineExpr> results;
  for (const LinearExpr &linear : map) {
    AffineExpr expr = getAffineConstantExpr(linear.constant, context);
    for (unsigned d = 0; d < linear.coeffs.size(); ++d)
      if (linear.coeffs[d] != 0)
        expr = expr + getAffineDimExpr(d, context) * linear.coeffs[d];
    results.push_back(expr);
  }
  return AffineMap::get(numDims, 0, results, context);
}

void pruner::countOp(Operation &op, OpCounts &counts) {
  // Constants, and other values that nothing is computed for.
  if (op.getNumResults() != 1 || op.getNumOperands() == 0 ||
      matchPattern(&op, m_Constant()))
    return;
  bool isFloat = isa<FloatType>(op.getOperand(0).getType());
  StringRef name = op.getName().stripDialect();
  StringRef dialect = op.getName().getDialectNamespace();
  auto pick = [&](int64_t &f, int64_t &i) { ++(isFloat ? f : i); };
  if (isa<arith::SelectOp>(op)) {
    ++counts.select;
  } else if (dialect == "math") {
    pick(counts.floatMath, counts.intMath);
  } else if (isa<arith::CmpFOp, arith::CmpIOp, arith::MaximumFOp,
                 arith::MaxNumFOp, arith::MinimumFOp, arith::MinNumFOp,
                 arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp,
                 arith::MinUIOp>(op)) {
    pick(counts.floatCmp, counts.intCmp);
  } else if (name.starts_with("add") || name.starts_with("sub")) {
    pick(counts.floatAddSub, counts.intAddSub);
  } else if (name.starts_with("mul")) {
    pick(counts.floatMul, counts.intMul);
  } else if (name.starts_with("div") || name.starts_with("rem")) {
    pick(counts.floatDivMod, counts.intDivMod);
  } else if (isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op)) {
    ++counts.boolOps;
  } else if (isa<CastOpInterface>(op)) {
    return; // A change of representation, not arithmetic.
  } else {
    pick(counts.floatOther, counts.intOther);
  }
}

OpCounts pruner::countOps(Block &body) {
  OpCounts counts;
  for (Operation &op : body.without_terminator())
    countOp(op, counts);
  return counts;
}

FailureOr<int> TensorNumbers::add(Value value, int argument, Operation *where) {
  auto [it, inserted] = numbers.try_emplace(value, task.tensors.size());
  if (!inserted)
    return it->second;
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return where->emitError("operand type ")
           << value.getType() << " is not a ranked tensor";
  if (!type.hasStaticShape())
    return where->emitError("dynamic shape ") << type << " cannot be tuned";
  if (type.getEncoding())
    return where->emitError("encoding of ") << type << " cannot be tuned";
  std::optional<ElementType> element = toElementType(type.getElementType());
  if (!element)
    return where->emitError("element type ")
           << type.getElementType() << " is not supported";
  TensorDesc tensor;
  tensor.shape.assign(type.getShape().begin(), type.getShape().end());
  tensor.type = *element;
  tensor.argument = argument;
  if (auto block = dyn_cast<BlockArgument>(value))
    if (auto func =
            dyn_cast<FunctionOpInterface>(block.getOwner()->getParentOp()))
      tensor.constant = bool(func.getArgAttr(
          block.getArgNumber(), PrunerDialect::getConstantAttrName()));
  tensor.name = argument >= 0 ? "arg" + std::to_string(argument)
                              : "value" + std::to_string(numbers.size());
  task.tensors.push_back(std::move(tensor));
  return it->second;
}

/// Bodies are copied into the kernel: they compute with elements of the
/// operands and constants only.
LogicalResult pruner::checkTaskBody(Block &body) {
  for (Operation &op : body) {
    if (op.getNumRegions() != 0 || !isMemoryEffectFree(&op))
      return op.emitError("'") << op.getName() << "' in a body cannot be tuned";
    for (auto [n, operand] : llvm::enumerate(op.getOperands()))
      if (operand.getParentBlock() != &body &&
          !matchPattern(operand, m_Constant()))
        return op.emitError("operand #")
               << n << " of '" << op.getName()
               << "' in a body comes from outside and is not a constant";
  }
  return success();
}

LogicalResult pruner::readFill(linalg::FillOp fill, TypedAttr &value) {
  if (!matchPattern(fill.getInputs()[0], m_Constant(&value)))
    return fill.emitError("the fill value is not a constant");
  return success();
}

namespace {

class Reader {
public:
  explicit Reader(func::FuncOp func) : func(func) {}

  FailureOr<TaskIR> read() {
    if (!func.getBody().hasOneBlock())
      return func.emitError("a task function has exactly one block");
    if (func.getNumResults() != 1)
      return func.emitError("a task function returns one tensor, not ")
             << func.getNumResults() << " values";
    task.desc.name = func.getName().str();
    for (BlockArgument argument : func.getArguments())
      if (failed(addTensor(argument, argument.getArgNumber(), func)))
        return failure();
    if (failed(collect()))
      return failure();
    if (isRowChain(found)) {
      if (failed(readRowChain(func, found, numbers, task)))
        return failure();
      return std::move(task);
    }
    if (failed(findAnchor()) || failed(placeOthers()) ||
        failed(addStatements()))
      return failure();
    return std::move(task);
  }

private:
  FailureOr<int> addTensor(Value value, int argument, Operation *where) {
    return numbers.add(value, argument, where);
  }

  LogicalResult collect() {
    for (Operation &op : func.getBody().front().without_terminator()) {
      if (isa<linalg::FillOp, tensor::EmptyOp, arith::ConstantOp>(op))
        continue;
      if (auto pad = dyn_cast<tensor::PadOp>(op)) {
        if (failed(checkPad(pad)))
          return failure();
        continue;
      }
      auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
      if (!linalgOp)
        return op.emitError("'")
               << op.getName() << "' does not belong in a task function";
      if (linalgOp.getNumDpsInits() != 1 || op.getNumResults() != 1)
        return op.emitError("an op of a task has one result, not ")
               << op.getNumResults();
      if (linalgOp.hasDynamicShape())
        return op.emitError("dynamic shapes cannot be tuned");
      if (linalgOp.hasIndexSemantics())
        return op.emitError("a body that reads its position (linalg.index) "
                            "cannot be tuned");
      if (std::optional<std::string> reason = whyTooLarge(linalgOp))
        return op.emitError(*reason);
      if (failed(checkTaskBody(*linalgOp.getBlock())))
        return failure();
      found.push_back(linalgOp);
    }
    if (found.empty())
      return func.emitError("the function contains no linalg op to tune");
    return success();
  }

  static LogicalResult checkPad(tensor::PadOp pad) {
    if (!pad.getLow().empty() || !pad.getHigh().empty() ||
        !pad.getResultType().hasStaticShape())
      return pad.emitError("padding by amounts that are not constants cannot "
                           "be tuned");
    if (llvm::any_of(pad.getStaticLow(), [](int64_t n) { return n < 0; }) ||
        llvm::any_of(pad.getStaticHigh(), [](int64_t n) { return n < 0; }))
      return pad.emitError("padding by negative amounts cannot be tuned");
    Value value = pad.getConstantPaddingValue();
    if (!value || !matchPattern(value, m_Constant()))
      return pad.emitError("padding with something else than a constant cannot "
                           "be tuned");
    return success();
  }

  /// The value behind `value`, which may be padded.
  static Value unpadded(Value value) {
    auto pad = value.getDefiningOp<tensor::PadOp>();
    return pad ? pad.getSource() : value;
  }

  LogicalResult findAnchor() {
    for (linalg::LinalgOp op : found) {
      if (op.getNumReductionLoops() == 0)
        continue;
      if (anchor)
        return op.emitError("a task has one reduction, this is a second one");
      anchor = op;
    }
    if (!anchor) {
      if (found.size() != 1)
        return found[1].emitError(
            "a task without a reduction is one linalg op, this is a second");
      anchor = found.front();
    }
    if (anchor.getNumLoops() == 0)
      return anchor.emitError("an op without dimensions has nothing to tune");
    // Every parallel dimension must be a coordinate of the output.
    AffineMap map = anchor.getMatchingIndexingMap(anchor.getDpsInitOperand(0));
    if (!map.isProjectedPermutation() ||
        map.getNumResults() != anchor.getNumParallelLoops())
      return anchor.emitError("output map ")
             << AffineMapAttr::get(map)
             << " is not a permutation of the parallel dimensions";
    return success();
  }

  /// Which op is a prologue of which input, and which is the epilogue.
  LogicalResult placeOthers() {
    prologues.assign(anchor.getNumDpsInputs(), {});
    for (linalg::LinalgOp op : found) {
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
        return op.emitError("the op is neither the producer of one input of "
                            "the anchor nor the consumer of its result");
      AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
      if (!map.isPermutation())
        return op.emitError("output map ")
               << AffineMapAttr::get(map)
               << " of a producer is not a permutation";
      prologues[input] = op;
    }
    Operation *terminator = func.getBody().front().getTerminator();
    linalg::LinalgOp last = epilogue ? epilogue : anchor;
    if (terminator->getOperand(0) != last->getResult(0))
      return terminator->emitError(
          "the task must return the result of its last op");
    if (epilogue) {
      AffineMap out =
          epilogue.getMatchingIndexingMap(epilogue.getDpsInitOperand(0));
      if (!out.isPermutation())
        return epilogue.emitError("output map ")
               << AffineMapAttr::get(out)
               << " of the consumer is not a permutation";
      for (OpOperand *operand : epilogue.getDpsInputOperands())
        if (operand->get() == anchor->getResult(0) &&
            !epilogue.getMatchingIndexingMap(operand).isIdentity())
          return epilogue.emitError(
              "the consumer must read the anchor's result by the identity");
    }
    return success();
  }

  LogicalResult addStatements() {
    linalg::LinalgOp last = epilogue ? epilogue : anchor;
    if (failed(addTensor(last->getResult(0), func.getNumArguments(), last)))
      return failure();
    for (auto [n, op] : llvm::enumerate(prologues)) {
      if (!anchor.payloadUsesValueFromOperand(&anchor->getOpOperand(n)))
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

  LogicalResult addStatement(linalg::LinalgOp op) {
    StatementDesc statement;
    bool isAnchor = op == anchor;
    auto iterators = op.getIteratorTypesArray();
    for (auto [extent, iterator] :
         llvm::zip_equal(op.getStaticLoopRanges(), iterators))
      statement.dims.push_back(
          {extent, iterator == utils::IteratorType::reduction});
    for (const IterDim &dim : statement.dims)
      if (dim.extent < 1)
        return op.emitError("an iteration domain with extent ")
               << dim.extent << " cannot be tuned";
    auto access = [&](OpOperand *operand, Value value,
                      OperandDesc &out) -> LogicalResult {
      if (!isa<BlockArgument>(value) &&
          llvm::none_of(found, [&](linalg::LinalgOp other) {
            return other.getOperation() == value.getDefiningOp();
          }))
        return op.emitError("operand #")
               << operand->getOperandNumber()
               << " is neither an argument of the function nor the result of "
                  "an op of the task";
      FailureOr<int> tensor = addTensor(value, -1, op);
      if (failed(tensor))
        return failure();
      AffineMap map = op.getMatchingIndexingMap(operand);
      std::optional<AccessMap> linear = toAccessMap(map);
      if (!linear)
        return op.emitError("indexing map ")
               << AffineMapAttr::get(map) << " is not linear";
      out = {*tensor, std::move(*linear)};
      return success();
    };
    SmallVector<unsigned, 4> operands;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      Value value = operand->get();
      if (!op.payloadUsesValueFromOperand(operand))
        continue;
      auto pad = value.getDefiningOp<tensor::PadOp>();
      if (pad && (!isAnchor || op.getNumReductionLoops() == 0))
        return op.emitError("operand #")
               << operand->getOperandNumber()
               << " is padded, which only inputs of a reduction may be";
      OperandDesc &input = statement.inputs.emplace_back();
      if (failed(access(operand, unpadded(value), input)))
        return failure();
      operands.push_back(operand->getOperandNumber());
      if (isAnchor)
        task.padValues.push_back(pad ? foldPad(pad, input) : TypedAttr());
    }
    task.operands.push_back(std::move(operands));
    OpOperand *init = op.getDpsInitOperand(0);
    if (failed(access(init, op->getResult(0), statement.output)))
      return failure();
    if (op.getNumReductionLoops() == 0 && op.payloadUsesValueFromOperand(init))
      return op.emitError("an elementwise op that reads its output operand "
                          "cannot be tuned");
    statement.ops = countOps(*op.getBlock());
    if (op.getNumReductionLoops() > 0)
      if (Operation *combiner = getCombiner(*op.getBlock())) {
        statement.associative = true;
        countOp(*combiner, statement.combiner);
      }
    task.ops.push_back(op);
    task.desc.statements.push_back(std::move(statement));
    return success();
  }

  /// Takes the padding into the map: the tensor is the one inside.
  static TypedAttr foldPad(tensor::PadOp pad, OperandDesc &input) {
    for (auto [linear, low] : llvm::zip_equal(input.map, pad.getStaticLow()))
      linear.constant -= low;
    input.padded = true;
    TypedAttr value;
    matchPattern(pad.getConstantPaddingValue(), m_Constant(&value));
    return value;
  }

  /// What the accumulator starts from.
  LogicalResult readInit() {
    if (anchor.getNumReductionLoops() == 0)
      return success();
    Value init = anchor.getDpsInits()[0];
    if (auto fill = init.getDefiningOp<linalg::FillOp>())
      return readFill(fill, task.initValue);
    if (!isa<BlockArgument>(init))
      return anchor.emitError("the accumulator starts neither from a filled "
                              "tensor nor from an argument");
    FailureOr<int> tensor = addTensor(init, -1, anchor);
    if (failed(tensor))
      return failure();
    task.desc.initTensor = *tensor;
    return success();
  }

  func::FuncOp func;
  TaskIR task;
  TensorNumbers numbers{task.desc};
  SmallVector<linalg::LinalgOp> found;
  linalg::LinalgOp anchor, epilogue;
  SmallVector<linalg::LinalgOp> prologues;
};

} // namespace

FailureOr<TaskIR> pruner::readTask(func::FuncOp func) {
  return Reader(func).read();
}
