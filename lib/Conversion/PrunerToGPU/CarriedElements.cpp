//===- CarriedElements.cpp - elements that regions pass on ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CarriedElements.h"

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Program/WarpInstruction.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace pruner;

/// Neighbors in `buffer` that one register of a matrix instruction holds. They
/// are contiguous: neighboring columns of a lane are the innermost elements.
static size_t elementsPerRegister(Value buffer) {
  for (Operation *user : buffer.getUsers()) {
    auto compute = dyn_cast<ComputeOp>(user);
    if (!compute || compute.getOutput() != buffer || !compute.getInstruction())
      continue;
    const auto *instruction =
        WarpInstruction::of(findMatrixInstruction(*compute.getInstruction()));
    if (instruction)
      return instruction->laneElements() / instruction->cRegisters();
  }
  return 1;
}

/// Calls `use` with the range of the elements of each value that is passed on.
static void forEachValue(Value buffer, MutableArrayRef<Value> elements,
                         llvm::function_ref<void(MutableArrayRef<Value>)> use) {
  size_t together = elementsPerRegister(buffer);
  if (elements.size() % together != 0)
    together = 1;
  for (; !elements.empty(); elements = elements.drop_front(together))
    use(elements.take_front(together));
}

CarriedElements::Elements CarriedElements::elements() const {
  Elements all;
  for (Value buffer : buffers)
    llvm::append_range(all, locals[buffer]);
  return all;
}

CarriedElements::Elements CarriedElements::pack() const {
  Elements values;
  for (Value buffer : buffers)
    forEachValue(buffer, locals[buffer], [&](MutableArrayRef<Value> elements) {
      if (elements.size() == 1) {
        values.push_back(elements.front());
        return;
      }
      auto type =
          VectorType::get(int64_t(elements.size()), elements.front().getType());
      values.push_back(
          vector::FromElementsOp::create(builder, loc, type, elements));
    });
  return values;
}

ValueRange CarriedElements::unpack(ValueRange values) {
  for (Value buffer : buffers)
    forEachValue(buffer, locals[buffer], [&](MutableArrayRef<Value> elements) {
      Value value = values.front();
      values = values.drop_front();
      if (elements.size() == 1) {
        elements.front() = value;
        return;
      }
      for (auto [n, element] : llvm::enumerate(elements))
        element = vector::ExtractOp::create(builder, loc, value,
                                            ArrayRef<int64_t>{int64_t(n)});
    });
  return values;
}
