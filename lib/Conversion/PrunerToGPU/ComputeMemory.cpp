//===- ComputeMemory.cpp - loads and stores of statements -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GpuComputeLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace pruner;

/// `form`, but at most `extent` - 1 and at least 0.
IndexForm GpuComputeLowering::clampTo(const IndexForm &form, int64_t extent) {
  bool tooLarge = form.mayReach(extent), negative = form.mayBeNegative();
  if (!tooLarge && !negative)
    return form;
  Value value = memory.address(loc, form);
  if (tooLarge)
    value = memory.atMost(loc, value, extent - 1);
  if (negative)
    value = memory.atLeast(loc, value, 0);
  return IndexForm(IndexTerm{value, 1, extent, {}});
}

/// Element address of operand `n`. With `clamp`, the coordinates stay inside of
/// the tensor for every place.
IndexForm GpuComputeLowering::address(unsigned n, ArrayRef<int64_t> place,
                                      const Forms &offset, bool clamp) {
  const FlatBuffer &buffer = parent.buffers.find(operand(n))->second;
  Forms at;
  for (unsigned dim = 0; dim < kernel.getNumDims(); ++dim)
    at.push_back(operandBase[n][dim] + offset[dim] + place[dim]);
  Forms coords = applyMap(op.getMap(n), at);
  if (operand(n).getDefiningOp<StageOp>()) {
    // The constant of the map is part of the start of the box.
    Forms zero(kernel.getNumDims());
    for (auto [coord, constant] :
         llvm::zip_equal(coords, applyMap(op.getMap(n), zero)))
      coord = coord + -constant.getConstant();
  } else if (clamp && isInArgument(operand(n))) {
    ArrayRef<int64_t> shape = buffer.shape;
    if (auto packed = operand(n).getDefiningOp<PackedOp>())
      shape = packed.getShape();
    for (auto [coord, extent] : llvm::zip_equal(coords, shape))
      coord = clampTo(coord, extent);
  }
  SmallVector<int64_t> still(coords.size(), 0);
  IndexBuilder indices(builder, loc);
  return getAddress(indices, buffer, coords, still, 1).address;
}

FailureOr<Value *> GpuComputeLowering::localElement(Value buffer,
                                                    const IndexForm &address) {
  auto &elements = parent.locals[buffer];
  if (!address.isConstant() || address.getConstant() < 0 ||
      address.getConstant() >= int64_t(elements.size())) {
    op.emitOpError(
        "addresses a local buffer by values that are not constant, but "
        "registers have no addresses");
    return failure();
  }
  return &elements[address.getConstant()];
}

FailureOr<SmallVector<Value>> GpuComputeLowering::accumulators() {
  const Values &elements = parent.locals[op.getOutput()];
  if (llvm::all_of(elements,
                   [&](Value element) { return parent.isWritten(element); }))
    return elements;
  op.emitOpError(
      "accumulates in a local buffer that is not completely written");
  return failure();
}

FailureOr<SmallVector<Value>> GpuComputeLowering::load(unsigned n,
                                                       ArrayRef<unsigned> which,
                                                       const Forms &offset) {
  Value buffer = operand(n);
  SmallVector<IndexForm> addresses;
  for (unsigned p : which)
    addresses.push_back(address(n, places[p], offset, !knownInside));
  if (!parent.locals.contains(buffer))
    return memory.load(loc, parent.buffers.find(buffer)->second.memref,
                       addresses);
  Values values;
  for (const IndexForm &form : addresses) {
    FailureOr<Value *> element = localElement(buffer, form);
    if (failed(element))
      return failure();
    if (!parent.isWritten(**element)) {
      op.emitOpError("reads an element of a local buffer that was not written");
      return failure();
    }
    values.push_back(**element);
  }
  return values;
}

LogicalResult GpuComputeLowering::store(ArrayRef<unsigned> which,
                                        ArrayRef<Value> values) {
  unsigned output = op.getInputs().size();
  Forms still(kernel.getNumDims());
  SmallVector<IndexForm> addresses;
  for (unsigned p : which)
    addresses.push_back(address(output, places[p], still, /*clamp=*/false));
  if (!parent.locals.contains(op.getOutput())) {
    memory.store(loc, parent.buffers.find(op.getOutput())->second.memref,
                 addresses, values);
    return success();
  }
  for (auto [form, value] : llvm::zip_equal(addresses, values)) {
    FailureOr<Value *> element = localElement(op.getOutput(), form);
    if (failed(element))
      return failure();
    **element = value;
  }
  return success();
}
