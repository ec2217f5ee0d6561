//===- Vector.cpp - the length of vectors ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KnobKinds.h"
#include "pruner/Sketch/BuildProgram.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace pruner;
using detail::broken;
using detail::text;

/// Draws one of the widths of the instruction, which was drawn before. Drops it
/// if it does not fit the dimension along vectors.
static void drawForInstruction(const TaskDesc &task, Schedule &s,
                               Random &random) {
  if (s.instruction == 0)
    return;
  auto use = instructionUse(task, s);
  if (!use) {
    s.instruction = 0;
    return;
  }
  auto widths = use->instruction->widths;
  s.vector = widths[random.uniform(widths.size())].bytes /
             byteWidth(use->instruction->accumulators);
}

/// GPU: the elements of the widest access to every input.
static int64_t widestCopy(const TaskDesc &task) {
  int64_t widest = 16;
  for (const OperandDesc &input : task.anchorStatement().inputs)
    widest = std::min(widest, 16 / byteWidth(task.tensors[input.tensor].type));
  return widest;
}

namespace {
class Vector final : public NumberKnob {
public:
  Vector()
      : NumberKnob("vector", Spelled | BeforeTiles | AlwaysDrawn,
                   &Schedule::vector) {}

  std::vector<Value> values(const KnobContext &context,
                            unsigned position) const override;
  MutationShare mutations(const Sketch &sketch) const override {
    return sketch.gpu ? MutationShare{940, 20} : MutationShare{995, 5};
  }
  MaybeViolation checkOn(const Machine &machine, const TaskDesc &task,
                         const Schedule &s) const override;
  void drawAny(const TaskDesc &task, Schedule &s,
               Random &random) const override {
    const Sketch &sketch = sketchOf(s);
    if (!sketch.gpu)
      s.vector = vectorDimension(task, s) ? int64_t(1) << random.uniform(6) : 1;
    drawForInstruction(task, s, random);
    if (sketch.gpu && sketch.tilesReduction())
      s.vector = int64_t(1) << random.uniform(widestCopy(task) > 8 ? 5 : 4);
  }
};
} // namespace

/// On CPUs at most the first power of two that covers a whole extent; on GPUs
/// at most the widest access.
std::vector<Knob::Value> Vector::values(const KnobContext &context,
                                        unsigned position) const {
  const TaskDesc &task = context.task;
  const StatementDesc &anchor = task.anchorStatement();
  int64_t longest = 1;
  if (context.sketch.gpu && context.sketch.tilesReduction()) {
    longest = widestCopy(task);
  } else if (!context.sketch.gpu) {
    ElementType type = task.tensors[anchor.output.tensor].type;
    longest = context.machine.vectorElements(byteWidth(type));
    int64_t most = 1;
    for (const IterDim &dim : task.dims())
      most = std::max(most, dim.extent);
    while (longest > 1 && longest / 2 >= most)
      longest /= 2;
  }
  std::vector<Value> values = numbers({1});
  for (int64_t lanes = 2; lanes <= longest; lanes *= 2)
    values.push_back({lanes});
  return values;
}

/// R17: copies of staged inputs.
static MaybeViolation checkCopies(const TaskDesc &task, const Schedule &s) {
  if (!llvm::is_contained({1, 2, 4, 8, 16}, s.vector))
    return broken(17,
                  "vector " + text(s.vector) + " is not one of 1, 2, 4, 8, 16");
  const StatementDesc &anchor = task.anchorStatement();
  for (unsigned i = 0; i < anchor.inputs.size(); ++i) {
    int64_t bytes = byteWidth(task.tensors[anchor.inputs[i].tensor].type);
    if (s.stages[i] != StageLevel::None && s.vector * bytes > 16)
      return broken(17, "copies of input " + text(i) + " move " +
                            text(s.vector * bytes) +
                            " bytes at a time, the widest access is 16");
  }
  return std::nullopt;
}

/// R8 on CPUs.
MaybeViolation Vector::checkOn(const Machine &machine, const TaskDesc &task,
                               const Schedule &s) const {
  if (machine.isGpu())
    return checkCopies(task, s);
  const StatementDesc &anchor = task.anchorStatement();
  std::optional<unsigned> along = vectorDimension(task, s);
  int64_t bytes = byteWidth(task.tensors[anchor.output.tensor].type);
  int64_t longest =
      along ? std::max<int64_t>(1, machine.vectorElements(bytes)) : 1;
  if (s.vector < 1 || !llvm::isPowerOf2_64(s.vector) || s.vector > longest)
    return broken(8, "vector " + text(s.vector) +
                         " is not a power of two from 1 to " + text(longest) +
                         ", the elements of a register");
  for (unsigned d = 0; d < s.tiles.size(); ++d) {
    if (!runsAlongVectors(task, s, d) || s.tiles[d].back() % s.vector == 0)
      continue;
    // The innermost factor: the register tile or the inner reduction.
    bool inner = !task.joinsProducts() && anchor.dims[d].reduction;
    return broken(8, "vector " + text(s.vector) + " does not divide the " +
                         (inner ? "inner reduction " : "register tile ") +
                         text(s.tiles[d].back()) + " of dimension " + text(d));
  }
  return std::nullopt;
}

const Knob &pruner::vectorKnob() {
  static const Vector knob;
  return knob;
}
