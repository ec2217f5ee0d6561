//===- CopyAhead.cpp - copies that run ahead of their use -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ProgramBuilder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace pruner;

int64_t pruner::reductionSteps(const TaskDesc &task, const Schedule &schedule) {
  const auto &dims = task.anchorStatement().dims;
  int64_t steps = 1;
  for (unsigned d = 0; d < dims.size(); ++d)
    if (dims[d].reduction)
      steps = mulSizes(steps, outerLevel(task, schedule, d).steps);
  return steps;
}

namespace {
/// Decides which chunks of a staged input an asynchronous copy can move. A
/// chunk is a number of elements along the tensor's innermost coordinate of
/// which the box has more than one element.
class AsyncChunks {
public:
  AsyncChunks(const TaskDesc &task, const Schedule &schedule, unsigned input)
      : task(task), schedule(schedule), anchor(task.anchorStatement()),
        operand(anchor.inputs[input]), tensor(task.tensors[operand.tensor]),
        memory(stageLayout(task, schedule, input)) {
    for (unsigned r = 0; r < memory.box.size(); ++r)
      if (memory.box[r] > 1)
        along = r;
    inTensor = stridesOf(tensor.shape);
    // On GPUs each dimension of the memory is a coordinate of the tensor.
    inMemory.assign(memory.box.size(), 0);
    llvm::SmallVector<int64_t, 4> strides = stridesOf(memory.shape);
    for (auto [term, stride] : llvm::zip_equal(memory.layout, strides))
      inMemory[term.coord] = stride;
  }

  /// Whether the chunks of some width can be copied.
  bool exist() const {
    if (tensor.type == ElementType::I1 || memory.box.empty())
      return false;
    int64_t bytes = byteWidth(tensor.type);
    int64_t widest = std::clamp<int64_t>(schedule.vector, 1, 16);
    for (int64_t width = llvm::bit_floor(uint64_t(widest)); width > 0;
         width /= 2)
      if (llvm::is_contained({4, 8, 16}, width * bytes) && canMove(width))
        return true;
    return false;
  }

private:
  static llvm::SmallVector<int64_t, 4>
  stridesOf(llvm::ArrayRef<int64_t> shape) {
    llvm::SmallVector<int64_t, 4> strides(shape.size(), 1);
    for (unsigned r = shape.size(); r-- > 1;)
      strides[r - 1] = mulSizes(strides[r], shape[r]);
    return strides;
  }

  /// True if chunks of `width` elements are contiguous and aligned in both
  /// memories, and are inside or outside of the tensor as a whole.
  bool canMove(int64_t width) const {
    if (memory.box[along] > 1 && inMemory[along] != 1)
      return false;
    if (width == 1)
      return true;
    auto divides = [&](int64_t value) { return value % width == 0; };
    if (!divides(memory.box[along]) || inTensor[along] != 1 || !startsAt(width))
      return false;
    for (unsigned r = 0; r < memory.box.size(); ++r)
      if (r != along && ((tensor.shape[r] > 1 && !divides(inTensor[r])) ||
                         (memory.box[r] > 1 && !divides(inMemory[r]))))
        return false;
    return true;
  }

  /// True if every box starts at a multiple of `width` and none ends within a
  /// chunk.
  bool startsAt(int64_t width) const {
    const LinearExpr &expr = operand.map[along];
    int64_t last = expr.constant;
    if (expr.constant % width != 0)
      return false;
    for (unsigned d = 0; d < anchor.dims.size(); ++d) {
      int64_t step = schedule.tileSize(d);
      auto [parts, steps] = outerLevel(task, schedule, d);
      int64_t moves = mulSizes(parts, steps) - 1;
      if (!expr.uses(d) || moves == 0)
        continue;
      if (mulSizes(std::abs(expr.coeffs[d]), step) % width != 0)
        return false;
      last = addSizes(
          last, mulSizes(mulSizes(std::abs(expr.coeffs[d]), step), moves));
    }
    return addSizes(last, memory.box[along]) <= tensor.shape[along] ||
           tensor.shape[along] % width == 0;
  }

  const TaskDesc &task;
  const Schedule &schedule;
  const StatementDesc &anchor;
  const OperandDesc &operand;
  const TensorDesc &tensor;
  StageLayout memory;
  unsigned along = 0;
  /// Elements between neighbors along each coordinate of the tensor.
  llvm::SmallVector<int64_t, 4> inTensor, inMemory;
};
} // namespace

CopyAhead pruner::copyAhead(const TaskDesc &task, const Schedule &schedule,
                            unsigned input) {
  if (schedule.pipeline <= 1 || !sketchOf(schedule).gpu ||
      schedule.stages[input] != StageLevel::Inner)
    return {};
  int64_t steps = reductionSteps(task, schedule);
  if (steps == 1)
    return {};
  if (task.prologues[input] < 0 && AsyncChunks(task, schedule, input).exist())
    return {std::min(schedule.pipeline, steps), /*async=*/true};
  return {/*buffers=*/2, /*async=*/false};
}
