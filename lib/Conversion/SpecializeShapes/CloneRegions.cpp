//===- CloneRegions.cpp - clone control flow with static shapes -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The regions of control flow are cloned op by op, like the body of the
// function. A tensor that a region yields, or that a loop carries, has the same
// dimensions on every path.
//
//===----------------------------------------------------------------------===//

#include "Cloner.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace pruner;

/// Values that were created inside a region do not dominate the ops after it.
class Cloner::RegionScope {
public:
  explicit RegionScope(Cloner &cloner)
      : cloner(cloner), map(cloner.map), inCall(cloner.inCall),
        masks(cloner.masks), maskedTensors(cloner.maskedTensors),
        guard(cloner.builder) {}
  ~RegionScope() {
    cloner.map = std::move(map);
    cloner.inCall = std::move(inCall);
    cloner.masks = std::move(masks);
    cloner.maskedTensors = std::move(maskedTensors);
  }

private:
  Cloner &cloner;
  IRMapping map;
  decltype(Cloner::inCall) inCall;
  decltype(Cloner::masks) masks;
  decltype(Cloner::maskedTensors) maskedTensors;
  OpBuilder::InsertionGuard guard;
};

bool Cloner::isControlFlow(Operation &op) {
  return isa<scf::IfOp, scf::IndexSwitchOp, scf::ExecuteRegionOp, scf::ForOp,
             scf::WhileOp>(op);
}

LogicalResult Cloner::mapOperands(Operation &op, SmallVector<Value> &values) {
  for (Value operand : op.getOperands()) {
    if (isa<ShapedType>(operand.getType())) {
      if (!map.contains(operand))
        return fail(&op) << "it reads an unknown tensor";
      values.push_back(map.lookup(operand));
      continue;
    }
    Value number = numberInCall(operand);
    if (!number)
      return fail(&op) << "it computes with a number that does not follow from "
                          "the size";
    values.push_back(number);
  }
  return success();
}

SmallVector<Cloner::Dims> Cloner::dimsOfAll(ValueRange cloned) {
  return llvm::map_to_vector(cloned, [&](Value value) {
    return isa<RankedTensorType>(value.getType()) ? dims[value] : Dims();
  });
}

LogicalResult Cloner::join(Operation &op, Dims &known, const Dims &other) {
  for (auto [dim, next] : llvm::zip_equal(known, other)) {
    if (dim == next || (next.uniform && dim.extents == next.extents))
      continue;
    if (!dim.uniform || dim.extents != next.extents)
      return fail(&op) << "a tensor is padded differently on two paths";
    dim = next;
  }
  return success();
}

LogicalResult Cloner::cloneBlock(Region &from, Region &to,
                                 ArrayRef<Dims> arguments,
                                 SmallVector<Value> &yielded) {
  Operation &parent = *from.getParentOp();
  if (!from.hasOneBlock())
    return fail(&parent)
           << "a region has several blocks; run pruner-lift-branches first";
  Block &source = from.front();
  blocks.insert(&source);
  RegionScope scope(*this);
  Block *block = builder.createBlock(&to);
  for (auto [argument, known] :
       llvm::zip_equal(source.getArguments(), arguments)) {
    Type type = argument.getType();
    if (isa<RankedTensorType>(type))
      type = typeOf(type, known);
    Value made = block->addArgument(type, argument.getLoc());
    map.map(argument, made);
    if (isa<RankedTensorType>(type))
      dims[made] = known;
  }
  for (Operation &op : source.without_terminator())
    if (failed(clone(op)))
      return failure();
  Operation *exit = source.getTerminator();
  if (failed(mapOperands(*exit, yielded)))
    return failure();
  builder.create(OperationState(exit->getLoc(), exit->getName(), yielded,
                                TypeRange(), exit->getAttrs()));
  return success();
}

LogicalResult Cloner::cloneControlFlow(Operation &op) {
  SmallVector<Value> operands;
  if (failed(mapOperands(op, operands)))
    return failure();
  OperationState state(op.getLoc(), op.getName(), operands, TypeRange(),
                       op.getAttrs());
  for (unsigned n = 0; n < op.getNumRegions(); ++n)
    state.addRegion();
  FailureOr<SmallVector<Dims>> results =
      isa<scf::ForOp, scf::WhileOp>(op) ? cloneLoop(op, operands, state.regions)
                                        : cloneBranches(op, state.regions);
  if (failed(results))
    return failure();
  for (auto [value, known] : llvm::zip_equal(op.getResults(), *results))
    state.addTypes(isa<RankedTensorType>(value.getType())
                       ? typeOf(value.getType(), known)
                       : value.getType());
  Operation *made = builder.create(state);
  for (auto [from, to, known] :
       llvm::zip_equal(op.getResults(), made->getResults(), *results))
    if (isa<RankedTensorType>(to.getType()))
      define(from, to, std::move(known));
    else
      map.map(from, to);
  return success();
}

FailureOr<SmallVector<Cloner::Dims>> Cloner::cloneBranches(Operation &op,
                                                           Regions made) {
  SmallVector<Dims> results;
  bool first = true;
  for (auto [from, to] : llvm::zip_equal(op.getRegions(), made)) {
    // An scf.if without results may have no else.
    if (from.empty())
      continue;
    SmallVector<Value> yielded;
    if (failed(cloneBlock(from, *to, {}, yielded)))
      return failure();
    SmallVector<Dims> next = dimsOfAll(yielded);
    if (std::exchange(first, false)) {
      results = std::move(next);
      continue;
    }
    for (auto [known, other] : llvm::zip_equal(results, next))
      if (failed(join(op, known, other)))
        return failure();
  }
  return results;
}

FailureOr<SmallVector<Cloner::Dims>>
Cloner::cloneLoop(Operation &op, ValueRange operands, Regions made) {
  // After the bounds of an scf.for are the initial values. Its body has one
  // more argument, the induction variable.
  const bool counts = isa<scf::ForOp>(op);
  SmallVector<Dims> carried = dimsOfAll(operands.drop_front(counts ? 3 : 0));
  for (Dims &each : carried)
    for (PaddedDim &dim : each) {
      // Iterations fill the tensor.
      FailureOr<PaddedDim> known = resolve(dim, calls);
      if (failed(known))
        return fail(&op) << "a carried tensor is not a multiple of the size";
      dim = *known;
    }
  SmallVector<Dims> arguments = carried;
  if (counts)
    arguments.insert(arguments.begin(), Dims());
  SmallVector<Value> yielded;
  if (failed(cloneBlock(op.getRegion(0), *made[0], arguments, yielded)))
    return failure();
  SmallVector<Dims> results = carried;
  if (!counts) {
    // The condition is followed by the results and arguments of the body.
    results = dimsOfAll(ArrayRef(yielded).drop_front());
    yielded.clear();
    if (failed(cloneBlock(op.getRegion(1), *made[1], results, yielded)))
      return failure();
  }
  for (auto [known, next] : llvm::zip_equal(carried, dimsOfAll(yielded))) {
    Dims before = known;
    if (failed(join(op, known, next)))
      return failure();
    if (known != before)
      return fail(&op) << "a carried tensor is padded differently in the next "
                          "iteration";
  }
  return results;
}
