//===- Cloner.cpp - clone a function with static shapes -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Cloner.h"

#include "pruner/Dialect/Pruner/Utils/DecomposeAggregate.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace pruner;

InFlightDiagnostic Cloner::fail(Operation *op) {
  InFlightDiagnostic error = op->emitError();
  if (calls.size() == 1)
    error << "cannot be specialized for " << range.getName() << " = ";
  else
    error << "cannot be padded along " << range.getName() << " to ";
  error << size() << ": ";
  return error;
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

SizeTable Cloner::largerCalls(RangeAttr range, int64_t size) {
  SizeTable sizes = llvm::to_vector(
      llvm::seq_inclusive(size + 1, std::max<int64_t>(size, range.getMax())));
  // Calls may be larger than the range.
  const int64_t last = sizes.empty() ? size : sizes.back();
  for (int64_t factor : {2, 16, 1024, 1 << 20})
    sizes.push_back(factor * last + 1);
  return sizes;
}

const SizeTable *Cloner::tableOf(Value number) {
  if (auto known = tables.find(number); known != tables.end())
    return known->second ? &*known->second : nullptr;
  // Evaluation may add tables and move existing ones.
  std::optional<SizeTable> table = evaluate(number);
  tables[number] = table;
  if (table)
    checkLarger(number, *table);
  std::optional<SizeTable> &kept = tables[number];
  return kept ? &*kept : nullptr;
}

/// The result of `op`, which is an integer, for these operands. `scratch` is a
/// clone, because folding may rewrite an op in place.
static std::optional<int64_t> foldInteger(Operation *op, Operation *scratch,
                                          ArrayRef<int64_t> operands) {
  SmallVector<Attribute> constants;
  for (auto [operand, value] : llvm::zip_equal(op->getOperands(), operands))
    constants.push_back(IntegerAttr::get(operand.getType(), value));
  SmallVector<OpFoldResult> folded;
  Attribute value;
  if (matchPattern(scratch->getResult(0), m_Constant(&value)))
    folded.push_back(value);
  else if (failed(scratch->fold(constants, folded)) || folded.size() != 1)
    return std::nullopt;
  // Otherwise the value is one of the operands.
  auto known = dyn_cast_if_present<Attribute>(folded.front());
  if (auto same = dyn_cast_if_present<Value>(folded.front()))
    for (auto [operand, constant] :
         llvm::zip_equal(scratch->getOperands(), constants))
      if (operand == same)
        known = constant;
  auto integer = dyn_cast_if_present<IntegerAttr>(known);
  if (!integer)
    return std::nullopt;
  return integer.getType().isInteger(1)
             ? int64_t(integer.getValue().getZExtValue())
             : integer.getValue().getSExtValue();
}

static std::optional<SizeTable>
foldTable(Operation *op, ArrayRef<SizeTable> operands, size_t numCalls) {
  Operation *scratch = op->clone();
  SizeTable table;
  for (size_t n = 0; n < numCalls; ++n) {
    auto value = foldInteger(
        op, scratch, llvm::map_to_vector(operands, [&](const SizeTable &each) {
          return each[n];
        }));
    if (!value)
      break;
    table.push_back(*value);
  }
  scratch->destroy();
  if (table.size() != numCalls)
    return std::nullopt;
  return table;
}

std::optional<SizeTable> Cloner::evaluate(Value number) {
  Operation *op = number.getDefiningOp();
  if (!op || op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      !number.getType().isIntOrIndex() || !blocks.contains(op->getBlock()))
    return std::nullopt;
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    std::optional<int64_t> index = dim.getConstantIndex();
    if (!index || !map.contains(dim.getSource()) || *index < 0 ||
        *index >= int64_t(dimsOf(dim.getSource()).size()))
      return std::nullopt;
    return dimsOf(dim.getSource())[*index].extents;
  }
  SmallVector<SizeTable> operands;
  for (Value operand : op->getOperands()) {
    const SizeTable *table = tableOf(operand);
    if (!table)
      return std::nullopt;
    operands.push_back(*table);
  }
  return foldTable(op, operands, calls.size());
}

std::optional<SizeTable> Cloner::evaluateLarger(Value number) {
  if (auto known = largerTables.find(number); known != largerTables.end())
    return known->second;
  const SizeTable *table = tableOf(number);
  Operation *op = number.getDefiningOp();
  std::optional<SizeTable> values;
  if (table && isa<tensor::DimOp>(op)) {
    // Extents that are constant or multiples were checked before.
    if (isConstant(*table))
      values = SizeTable(larger.size(), table->front());
    else if (auto dim = prefixDim(*table, calls); succeeded(dim))
      values = llvm::map_to_vector(
          larger, [&](int64_t size) { return size * dim->strides.front(); });
  } else if (table) {
    SmallVector<SizeTable> operands;
    for (Value operand : op->getOperands()) {
      std::optional<SizeTable> each = evaluateLarger(operand);
      if (!each)
        break;
      operands.push_back(std::move(*each));
    }
    if (operands.size() == op->getNumOperands())
      values = foldTable(op, operands, larger.size());
  }
  largerTables[number] = values;
  return values;
}

/// A number that is constant, or a multiple of the size, in all calls of the
/// function may be another one in a larger call: the lesser of the size and a
/// limit, for example. Pieces of such a call would compute with a wrong number.
void Cloner::checkLarger(Value number, const SizeTable &table) {
  Operation *op = number.getDefiningOp();
  if (!result.independent || isa<tensor::DimOp>(op) ||
      llvm::all_of(op->getOperands(), [&](Value operand) {
        return isConstant(*tableOf(operand));
      }))
    return;
  SizeTable all = table, sizes = llvm::to_vector(calls);
  std::optional<SizeTable> values = evaluateLarger(number);
  if (values) {
    llvm::append_range(all, *values);
    llvm::append_range(sizes, larger);
  }
  FailureOr<PaddedDim> known = prefixDim(table, calls);
  if (succeeded(known) && (!values || failed(prefixDim(all, sizes))))
    result.independent = false;
}

bool Cloner::isNegative(Operation *op, const SizeTable &extents) {
  for (auto [extent, size] : llvm::zip_equal(extents, calls))
    if (extent < 0) {
      fail(op) << "an extent is " << extent << " in a call of size " << size;
      return true;
    }
  return false;
}

std::optional<SizeTable> Cloner::evaluate(OpFoldResult number) {
  if (auto constant = getConstantIntValue(number))
    return SizeTable(calls.size(), *constant);
  const SizeTable *table = tableOf(cast<Value>(number));
  return table ? std::optional(*table) : std::nullopt;
}

Value Cloner::sizeOfCall() {
  if (callSize)
    return callSize;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&copy.front());
  Value last = copy.front().getArguments().back();
  Value number =
      tensor::ExtractOp::create(builder, copy.getLoc(), last, ValueRange());
  result.takesSize = true;
  return callSize = arith::IndexCastOp::create(builder, copy.getLoc(),
                                               builder.getIndexType(), number);
}

Value Cloner::numberInCall(const SizeTable &table, Location loc) {
  FailureOr<PaddedDim> dim = prefixDim(table, calls);
  if (failed(dim))
    return {};
  if (!dim->isPadded())
    return arith::ConstantIndexOp::create(builder, loc, table.back());
  if (dim->strides.front() == 1)
    return sizeOfCall();
  Value stride =
      arith::ConstantIndexOp::create(builder, loc, dim->strides.front());
  return arith::MulIOp::create(builder, loc, sizeOfCall(), stride);
}

Value Cloner::numberInCall(Value number) {
  if (Value known = inCall.lookup(number))
    return known;
  Operation *op = number.getDefiningOp();
  Value made;
  const SizeTable *table = tableOf(number);
  if (table && isConstant(*table)) {
    made = arith::ConstantOp::create(
        builder, number.getLoc(),
        IntegerAttr::get(number.getType(), table->front()));
  } else if (table && isa<tensor::DimOp>(op)) {
    result.independent = false;
    made = numberInCall(*table, number.getLoc());
  } else if (map.contains(number)) {
    made = map.lookup(number);
  } else if (op && isPure(op) && op->getNumRegions() == 0) {
    IRMapping operands;
    for (Value operand : op->getOperands()) {
      Value mapped = isa<ShapedType>(operand.getType())
                         ? map.lookupOrNull(operand)
                         : numberInCall(operand);
      if (!mapped)
        return {};
      operands.map(operand, mapped);
    }
    Operation *cloned = builder.clone(*op, operands);
    made = cloned->getResult(cast<OpResult>(number).getResultNumber());
  }
  return inCall[number] = made;
}

OpFoldResult Cloner::numberInCall(OpFoldResult number) {
  if (isa<Attribute>(number))
    return number;
  Value made = numberInCall(cast<Value>(number));
  if (auto constant = getConstantIntValue(made))
    return builder.getIndexAttr(*constant);
  return made;
}

LogicalResult Cloner::mapNumbers(Operation *op) {
  llvm::SetVector<Value> read(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), read);
  for (Value value : read) {
    if (isa<ShapedType>(value.getType())) {
      if (!map.contains(value))
        return fail(op) << "it reads an unknown tensor";
      continue;
    }
    Value made = numberInCall(value);
    if (!made)
      return fail(op) << "it computes with a number that does not follow from "
                         "the size";
    map.map(value, made);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

void Cloner::define(Value from, Value to, Dims known) {
  map.map(from, to);
  dims[to] = std::move(known);
}

SmallVector<int64_t> Cloner::shapeOf(ArrayRef<PaddedDim> known) {
  return llvm::map_to_vector(known,
                             [](const PaddedDim &dim) { return dim.extent(); });
}

RankedTensorType Cloner::typeOf(Type like, ArrayRef<PaddedDim> known) {
  return RankedTensorType::get(shapeOf(known),
                               cast<RankedTensorType>(like).getElementType());
}

LogicalResult Cloner::cloneReturn(func::ReturnOp op) {
  SmallVector<Value> values;
  for (auto [n, operand] : llvm::enumerate(op.getOperands())) {
    if (!isa<RankedTensorType>(operand.getType()) || !map.contains(operand))
      return fail(op) << "result " << n << " is not a ranked tensor";
    unsigned padded = 0;
    auto type = cast<RankedTensorType>(operand.getType());
    for (auto [extent, dim] :
         llvm::zip_equal(type.getShape(), dims[map.lookup(operand)])) {
      if (ShapedType::isDynamic(extent) && !llvm::equal(dim.extents, calls))
        return fail(op) << "a dynamic extent of result " << n
                        << " is not the size";
      FailureOr<PaddedDim> known = resolve(dim, calls);
      if (failed(known) || !known->isPrefix(size()) ||
          (known->isPadded() && known->strides.front() != 1))
        return fail(op) << "the elements of result " << n
                        << " are not before the padding";
      padded += known->isPadded();
    }
    result.independent &= padded == 1;
    values.push_back(map.lookup(operand));
  }
  func::ReturnOp::create(builder, op.getLoc(), values);
  return success();
}

LogicalResult Cloner::cloneOther(Operation &op) {
  if (auto check = dyn_cast<cf::AssertOp>(op)) {
    const SizeTable *holds = tableOf(check.getArg());
    if (holds && llvm::all_of(*holds, [](int64_t bit) { return bit != 0; }))
      return success();
  }
  // Scalars are recreated where they are read.
  auto isNumber = [](Type type) { return type.isIntOrIndexOrFloat(); };
  if (isPure(&op) && op.getNumRegions() == 0 && op.getNumResults() > 0 &&
      llvm::all_of(op.getResultTypes(), isNumber) &&
      llvm::all_of(op.getOperandTypes(), isNumber))
    return success();
  if (isa<tensor::DimOp>(op))
    return success();
  if (failed(mapNumbers(&op)))
    return failure();
  const Dims *like = nullptr;
  llvm::SetVector<Value> read(op.operand_begin(), op.operand_end());
  getUsedValuesDefinedAbove(op.getRegions(), read);
  for (Value value : read)
    if (isa<RankedTensorType>(value.getType())) {
      const Dims &known = dimsOf(value);
      // All operands of an elementwise op have the shape of the result.
      if (!like && OpTrait::hasElementwiseMappableTraits(&op))
        like = &known;
      if (llvm::any_of(known, [](const PaddedDim &dim) {
            return dim.uniform || !isConstant(dim.extents);
          })) {
        if (!OpTrait::hasElementwiseMappableTraits(&op) ||
            (like && *like != known))
          return fail(&op) << "'" << op.getName()
                           << "' may compute any of its elements from "
                              "padding";
        like = &known;
      }
    }
  if (isa<CallOpInterface>(op) &&
      llvm::any_of(op.getOperandTypes(), [](Type type) {
        auto tensor = dyn_cast<RankedTensorType>(type);
        return tensor && !tensor.hasStaticShape();
      }))
    return fail(&op)
           << "it calls a function of dynamic shape; run the pass inline first";
  std::optional<Dims> shape = like ? std::optional(*like) : std::nullopt;
  Operation *cloned = builder.clone(op, map);
  for (auto [from, to] :
       llvm::zip_equal(op.getResults(), cloned->getResults())) {
    auto type = dyn_cast<RankedTensorType>(from.getType());
    if (!type)
      continue;
    if (shape) {
      to.setType(typeOf(type, *shape));
      define(from, to, *shape);
      continue;
    }
    if (!type.hasStaticShape())
      return fail(&op) << "the shape " << type << " of a result does not "
                       << "follow from the size";
    Dims known;
    for (int64_t extent : type.getShape())
      known.push_back({SizeTable(calls.size(), extent), {}, false});
    define(from, to, std::move(known));
  }
  return success();
}

LogicalResult Cloner::clone(Operation &op) {
  if (auto exit = dyn_cast<func::ReturnOp>(op))
    return cloneReturn(exit);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return cloneLinalg(linalgOp);
  if (isControlFlow(op))
    return cloneControlFlow(op);
  if (isa<tensor::TensorDialect>(op.getDialect()))
    return cloneTensor(op);
  return cloneOther(op);
}

FailureOr<StaticFunction> Cloner::run(StringRef name) {
  if (!original.getBody().hasOneBlock())
    return fail(original)
           << "it has several blocks; run pruner-lift-branches first";
  StringRef attr = PrunerDialect::getRangeAttrName();
  SmallVector<Dims> arguments;
  SmallVector<Type> types, results;
  result.independent = calls.size() > 1;
  for (unsigned n = 0; n < original.getNumArguments(); ++n) {
    auto type = dyn_cast<RankedTensorType>(original.getArgument(n).getType());
    if (!type)
      return fail(original) << "argument " << n << " is not a ranked tensor";
    Dims &known = arguments.emplace_back();
    unsigned numDynamic = 0;
    for (int64_t extent : type.getShape()) {
      PaddedDim &dim = known.emplace_back();
      dim.extents.assign(calls.size(), extent);
      if (!ShapedType::isDynamic(extent))
        continue;
      ++numDynamic;
      dim.extents.assign(calls.begin(), calls.end());
      if (calls.size() > 1)
        dim.strides.push_back(1);
    }
    // Only a single dimension can be divided into pieces.
    result.independent &= numDynamic <= 1;
    types.push_back(typeOf(type, known));
  }
  types.push_back(RankedTensorType::get({}, builder.getI64Type()));

  builder.setInsertionPointAfter(original);
  copy = func::FuncOp::create(builder, original.getLoc(), name,
                              builder.getFunctionType(types, {}));
  Block *body = copy.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  for (unsigned n = 0; n < original.getNumArguments(); ++n) {
    define(original.getArgument(n), body->getArgument(n), arguments[n]);
    if (DictionaryAttr attrs = original.getArgAttrDict(n)) {
      NamedAttrList kept(attrs);
      kept.erase(attr);
      copy.setArgAttrs(n, kept);
    }
  }
  blocks.insert(&original.front());
  for (Operation &op : original.front())
    if (failed(clone(op))) {
      copy.erase();
      return failure();
    }
  if (!result.takesSize) {
    if (failed(copy.eraseArgument(types.size() - 1)))
      return failure();
    types.pop_back();
  }
  for (Type type : body->getTerminator()->getOperandTypes())
    results.push_back(type);
  copy.setFunctionType(builder.getFunctionType(types, results));
  for (unsigned n = 0; n < original.getNumResults(); ++n)
    if (DictionaryAttr attrs = original.getResultAttrDict(n))
      copy.setResultAttrs(n, attrs);
  if (result.takesSize)
    copy.setArgAttr(types.size() - 1, PrunerDialect::getNameAttrName(),
                    builder.getStringAttr(range.getName()));
  result.function = copy;
  return result;
}

/// Moves the sizes that regions read to the block of the tensor, where they are
/// known.
static void hoistSizes(func::FuncOp function) {
  SmallVector<tensor::DimOp> sizes;
  function.walk([&](tensor::DimOp dim) {
    if (dim.getConstantIndex() &&
        dim.getSource().getParentBlock() != dim->getBlock())
      sizes.push_back(dim);
  });
  IRRewriter rewriter(function.getContext());
  for (tensor::DimOp dim : sizes) {
    Block *block = dim.getSource().getParentBlock();
    rewriter.setInsertionPoint(block->findAncestorOpInBlock(*dim));
    rewriter.replaceOpWithNewOp<tensor::DimOp>(dim, dim.getSource(),
                                               *dim.getConstantIndex());
  }
}

FailureOr<StaticFunction> pruner::specializeFunction(func::FuncOp function,
                                                     RangeAttr range,
                                                     int64_t size,
                                                     ArrayRef<int64_t> calls) {
  // An unused result, such as the position of a maximum, could not be masked.
  RewritePatternSet patterns(function.getContext());
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  (void)applyPatternsGreedily(function, std::move(patterns));
  hoistSizes(function);
  // In the body of a linalg op, padding can be guarded.
  RewritePatternSet elementwise(function.getContext());
  linalg::populateElementwiseToLinalgConversionPatterns(elementwise);
  (void)applyPatternsGreedily(function, std::move(elementwise));
  // The padding of a softmax is handled after it is decomposed into loops.
  IRRewriter rewriter(function.getContext());
  (void)decomposeAggregates(rewriter, function);
  std::string name =
      (function.getName() + "_" + range.getName() + Twine(size)).str();
  return Cloner(function, range, calls).run(name);
}
