//===- Bodies.cpp - what the ops of tasks compute -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Bodies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace pruner;

/// The op that makes a value; empty for the argument of a block.
static constexpr llvm::StringLiteral kMakerOf = "maker_of";

std::string pruner::conditionsOf(transform::NamedSequenceOp sequence) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (Operation &op : sequence.getBody().front())
    op.print(os, OpPrintingFlags().useLocalScope());
  return text;
}

/// The ops that `value` is made of, users before what they use.
static void collect(Value value, llvm::SetVector<Operation *> &ops) {
  Operation *op = value.getDefiningOp();
  if (!op || !ops.insert(op))
    return;
  for (Value operand : op->getOperands())
    collect(operand, ops);
}

static llvm::SetVector<Operation *> opsOf(linalg::LinalgOp op) {
  llvm::SetVector<Operation *> ops;
  for (Value value : op.getBlock()->getTerminator()->getOperands())
    collect(value, ops);
  return ops;
}

llvm::Error Bodies::check(linalg::LinalgOp op) {
  size_t inside = 0;
  for (Operation *inner : opsOf(op)) {
    bool isInside = inner->getBlock() == op.getBlock();
    inside += isInside;
    if (!isInside && !isa<arith::ConstantOp>(inner))
      return llvm::createStringError("its body reads the result of a '" +
                                     inner->getName().getStringRef() +
                                     "' outside of it");
    // Others have regions, or any number of operands.
    if (inner->getNumRegions() ||
        (!isa<linalg::IndexOp>(inner) &&
         !isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
             inner->getDialect())))
      return llvm::createStringError("its body has a '" +
                                     inner->getName().getStringRef() + "'");
    for (Value operand : inner->getOperands())
      if (auto argument = dyn_cast<BlockArgument>(operand);
          argument && argument.getOwner() != op.getBlock())
        return llvm::createStringError(
            "its body reads an argument from outside of it");
  }
  for (Value value : op.getBlock()->getTerminator()->getOperands())
    if (auto argument = dyn_cast<BlockArgument>(value);
        argument && argument.getOwner() != op.getBlock())
      return llvm::createStringError(
          "its body yields an argument from outside of it");
  if (inside + 1 != op.getBlock()->getOperations().size())
    return llvm::createStringError(
        "its body has ops that its result does not depend on");
  return llvm::Error::success();
}

/// Requires that `handle` refers to `wanted` ops or values.
static void demandCount(Steps &steps, Value handle, int64_t wanted) {
  Value found = transform::NumAssociationsOp::create(steps.builder, steps.loc,
                                                     steps.param(), handle);
  transform::MatchParamCmpIOp::create(steps.builder, steps.loc, found,
                                      steps.constant(wanted),
                                      transform::MatchCmpIPredicate::eq);
}

namespace {

/// Writes the conditions on one body.
class Writer {
public:
  Writer(Steps &steps, Value op, linalg::LinalgOp like)
      : steps(steps), builder(steps.builder), loc(steps.loc), op(op),
        like(like) {}

  void write();

private:
  Type anyValue() const {
    return transform::AnyValueType::get(builder.getContext());
  }
  void count(Value handle, int64_t wanted) {
    demandCount(steps, handle, wanted);
  }
  /// `handles` are all the same, or all different.
  void compare(ArrayRef<Value> handles, bool same) {
    if (handles.size() > 1)
      count(transform::MergeHandlesOp::create(
                builder, loc, handles.front().getType(), handles,
                /*deduplicate=*/true),
            same ? 1 : int64_t(handles.size()));
  }
  /// The ops in `root`, or it, that are like this one but for their operands.
  Value find(Operation &one, Value root);
  void operands(Operation &user, Value handle);

  Steps &steps;
  OpBuilder &builder;
  const Location loc;
  const Value op;
  linalg::LinalgOp like;
  /// In the order in which they were found.
  llvm::MapVector<Operation *, Value> makers;
  llvm::MapVector<Value, Value> arguments;
};

} // namespace

/// The attributes that define how an op computes, without discardable ones.
static SmallVector<NamedAttribute> inherentAttributes(Operation &op) {
  SmallVector<NamedAttribute> attributes;
  for (StringAttr name : op.getName().getAttributeNames())
    if (!llvm::is_contained({"operandSegmentSizes", "doc", "library_call"},
                            name.getValue()))
      if (Attribute value = op.getAttr(name))
        attributes.emplace_back(name, value);
  return attributes;
}

Value Writer::find(Operation &one, Value root) {
  SmallVector<NamedAttribute> attributes = inherentAttributes(one);
  SmallVector<Type> types(one.getOperandTypes());
  return transform::MatchOp::create(
      builder, loc, steps.anyOp(), root,
      steps.names({one.getName().getStringRef()}),
      transform::MatchInterfaceEnumAttr(),
      attributes.empty() ? DictionaryAttr()
                         : builder.getDictionaryAttr(attributes),
      one.getNumResults() == 1 ? TypeAttr::get(one.getResult(0).getType())
                               : TypeAttr(),
      types.empty() ? ArrayAttr() : builder.getTypeArrayAttr(types));
}

void Writer::operands(Operation &user, Value handle) {
  for (OpOperand &operand : user.getOpOperands()) {
    unsigned number = operand.getOperandNumber();
    Value value = operand.get();
    if (Operation *maker = value.getDefiningOp()) {
      Value found = steps.makerOf(handle, number);
      auto [known, isNew] = makers.insert({maker, found});
      if (!isNew) {
        compare({known->second, found}, /*same=*/true);
        continue;
      }
      count(find(*maker, found), 1);
      operands(*maker, found);
      continue;
    }
    Value found = transform::GetOperandOp::create(builder, loc, anyValue(),
                                                  handle, int64_t(number));
    auto [known, isNew] = arguments.insert({value, found});
    if (!isNew) {
      compare({known->second, found}, /*same=*/true);
      continue;
    }
    auto maker = transform::IncludeOp::create(
        builder, loc, TypeRange(steps.anyOp()),
        SymbolRefAttr::get(builder.getContext(), kMakerOf),
        transform::FailurePropagationMode::Suppress, ValueRange(found),
        ArrayAttr(), ArrayAttr());
    transform::MatchOperationEmptyOp::create(builder, loc, maker.getResult(0));
  }
}

void Writer::write() {
  // The op and the ops of its body, but no others.
  Value all =
      transform::MatchOp::create(builder, loc, steps.anyOp(), op, ArrayAttr(),
                                 transform::MatchInterfaceEnumAttr(),
                                 DictionaryAttr(), TypeAttr(), ArrayAttr());
  count(all, int64_t(like.getBlock()->getOperations().size()) + 1);
  // How it is applied: maps, permutations, strides, signs.
  SmallVector<NamedAttribute> attributes = inherentAttributes(*like);
  if (!attributes.empty())
    count(transform::MatchOp::create(
              builder, loc, steps.anyOp(), op,
              steps.names({like->getName().getStringRef()}),
              transform::MatchInterfaceEnumAttr(),
              builder.getDictionaryAttr(attributes), TypeAttr(), ArrayAttr()),
          1);
  Operation &yield = *like.getBlock()->getTerminator();
  Value found = find(yield, op);
  count(found, 1);
  operands(yield, found);
  auto handlesOf = [](const auto &map) {
    return llvm::map_to_vector(map, [](auto &entry) { return entry.second; });
  };
  compare(handlesOf(makers), /*same=*/false);
  compare(handlesOf(arguments), /*same=*/false);
}

void Bodies::writeMakerOf() {
  if (std::exchange(hasMakerOf, true))
    return;
  OpBuilder &builder = steps.builder;
  OpBuilder::InsertionGuard guard(builder);
  Type anyValue = transform::AnyValueType::get(builder.getContext());
  Attribute reads = builder.getDictionaryAttr(
      builder.getNamedAttr(transform::TransformDialect::kArgReadOnlyAttrName,
                           builder.getUnitAttr()));
  auto sequence = transform::NamedSequenceOp::create(
      builder, steps.loc, builder.getStringAttr(kMakerOf),
      TypeAttr::get(builder.getFunctionType(anyValue, steps.anyOp())),
      StringAttr(), builder.getArrayAttr(reads), ArrayAttr());
  Block *body =
      builder.createBlock(&sequence.getBody(), {}, anyValue, steps.loc);
  Value maker = transform::GetDefiningOp::create(
      builder, steps.loc, steps.anyOp(), body->getArgument(0));
  transform::YieldOp::create(builder, steps.loc, maker);
}

transform::NamedSequenceOp Bodies::write(linalg::LinalgOp like) {
  return makeSequence(steps, "computes_" + std::to_string(entries.size()), 1, 0,
                      /*consumes=*/false,
                      [&](ValueRange arguments) -> SmallVector<Value> {
                        Writer(steps, arguments[0], like).write();
                        return {};
                      });
}

void Bodies::match(Value op, linalg::LinalgOp like) {
  OpBuilder &builder = steps.builder;
  std::string name;
  {
    // Before the sequence that is being written.
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(builder.getInsertionBlock()->getParentOp());
    writeMakerOf();
    transform::NamedSequenceOp sequence = write(like);
    std::string conditions = conditionsOf(sequence);
    auto same = llvm::find_if(entries, [&](const Entry &entry) {
      return entry.conditions == conditions;
    });
    if (same != entries.end()) {
      sequence.erase();
      name = same->name;
    } else {
      name = sequence.getSymName().str();
      entries.push_back({name, std::move(conditions)});
    }
  }
  transform::IncludeOp::create(builder, steps.loc, TypeRange(),
                               SymbolRefAttr::get(builder.getContext(), name),
                               transform::FailurePropagationMode::Propagate,
                               ValueRange(op), ArrayAttr(), ArrayAttr());
}
