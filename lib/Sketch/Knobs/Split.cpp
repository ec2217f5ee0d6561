//===- Split.cpp - reductions that blocks share ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KnobKinds.h"
#include "pruner/Support/Sizes.h"

#include <algorithm>

using namespace pruner;
using detail::broken;
using detail::text;

/// A reduction is split only below this number of output elements per thread of
/// the machine. Then the minimum number of elements of a part, and the maximum
/// number of parts.
static constexpr int64_t kOutputsPerThread = 8;
static constexpr int64_t kOutputsPerThreadOfWarps = 32;
static constexpr int64_t kLeastPart = 8;
static constexpr int64_t kMostParts = 256;

namespace {
class Split final : public ListKnob {
public:
  Split() : ListKnob("split", 0, &Schedule::split) {}

  std::vector<Value> values(const KnobContext &context,
                            unsigned position) const override;
  MutationShare mutations(const Sketch &sketch) const override {
    return {0, 20};
  }
  MaybeViolation check(const TaskDesc &task, const Schedule &s) const override;
  void guide(const KnobContext &context, Schedule &s, unsigned position,
             llvm::ArrayRef<Value> values, Random &random) const override;
  void repair(const TaskDesc &task, Schedule &s) const override;
  void drawAny(const TaskDesc &task, Schedule &s,
               Random &random) const override;
  std::string describe(const Value &value) const override {
    std::string result;
    for (int64_t parts : value)
      result += (result.empty() ? "" : "x") + text(parts);
    return value.empty() ? "none" : result;
  }
};
} // namespace

/// Steps of each reduction dimension.
static Knob::Value stepsOf(const TaskDesc &task, const Schedule &s) {
  Knob::Value steps;
  const auto &dims = task.anchorStatement().dims;
  for (unsigned d = 0; d < dims.size(); ++d)
    if (dims[d].reduction)
      steps.push_back(ceilDiv(dims[d].extent, s.tileSize(d)));
  return steps;
}

/// Parts of one reduction dimension at a time, if the output is too small to
/// occupy every thread of the machine. Parts have at least kLeastPart elements.
std::vector<Knob::Value> Split::values(const KnobContext &context,
                                       unsigned position) const {
  std::vector<Value> splits = {{}};
  const TaskDesc &task = context.task;
  const StatementDesc &anchor = task.anchorStatement();
  if (!context.sketch.gpu || task.rows || !anchor.associative)
    return splits;
  // A thread of a warp that multiplies matrices has up to 128 elements.
  bool multiplies = instructionKnob().values(context, 0).size() > 1;
  int64_t most =
      (multiplies ? kOutputsPerThreadOfWarps : kOutputsPerThread) *
      context.machine.units *
      std::max<int64_t>(1, context.machine.maxThreadsPerUnit) /
      std::max<int64_t>(1, task.tensors[anchor.output.tensor].elements());
  unsigned reductions = 0, next = 0;
  for (const IterDim &dim : anchor.dims)
    reductions += dim.reduction;
  for (const IterDim &dim : anchor.dims) {
    if (!dim.reduction)
      continue;
    unsigned number = next++;
    int64_t limit = std::min({most, dim.extent / kLeastPart, kMostParts});
    for (int64_t parts = 2; parts <= limit; parts *= 2) {
      splits.emplace_back(reductions, 1)[number] = parts;
      // Tiles of warps are few, so that other numbers fill the last wave.
      if (multiplies && parts / 2 * 3 <= limit)
        splits.emplace_back(reductions, 1)[number] = parts / 2 * 3;
    }
  }
  return splits;
}

/// Splits mostly if there are fewer tiles than units, and then into up to as
/// many parts as give each unit a few.
void Split::guide(const KnobContext &context, Schedule &s, unsigned position,
                  llvm::ArrayRef<Value> values, Random &random) const {
  if (values.size() < 2)
    return;
  double blocks = 1;
  const auto &dims = context.task.anchorStatement().dims;
  for (unsigned d = 0; d < dims.size(); ++d)
    if (!dims[d].reduction)
      blocks *= double(ceilDiv(dims[d].extent, s.tileSize(d)));
  double wanted = 4 * double(context.machine.units) / blocks;
  if (random.uniform(100) >= (wanted > 4 ? 60 : 10))
    return;
  s.split = values[random.uniform(values.size())];
  for (int64_t &parts : s.split)
    while (parts > 2 && double(parts) > wanted)
      parts /= 2;
  repair(context.task, s);
}

/// There cannot be more parts than steps.
void Split::repair(const TaskDesc &task, Schedule &s) const {
  if (s.split.empty())
    return;
  for (auto [parts, steps] : llvm::zip(s.split, stepsOf(task, s)))
    parts = std::min(parts, steps);
  if (!s.splitsReduction())
    s.split.clear();
}

/// A few parts for each reduction dimension with more than one step.
void Split::drawAny(const TaskDesc &task, Schedule &s, Random &random) const {
  if (!sketchOf(s).gpu || !task.hasReduction() || task.rows ||
      random.uniform(3) != 0)
    return;
  for (int64_t steps : stepsOf(task, s))
    s.split.push_back(1 + random.uniform(std::min<int64_t>(steps, 5)));
}

MaybeViolation Split::check(const TaskDesc &task, const Schedule &s) const {
  if (s.split.empty())
    return std::nullopt;
  const auto &dims = task.anchorStatement().dims;
  Value steps = stepsOf(task, s);
  if (s.split.size() != steps.size())
    return broken(22, "the reduction is split along " + text(s.split.size()) +
                          " dimensions, the anchor has " + text(steps.size()) +
                          " to reduce");
  for (unsigned d = 0, n = 0; d < dims.size(); ++d) {
    if (!dims[d].reduction)
      continue;
    if (s.split[n] < 1 || s.split[n] > steps[n])
      return broken(22, "dimension " + text(d) + " is split into " +
                            text(s.split[n]) + " parts, it has " +
                            text(steps[n]) +
                            (steps[n] == 1 ? " step" : " steps"));
    ++n;
  }
  if (!s.splitsReduction())
    return std::nullopt;
  const Sketch &sketch = sketchOf(s);
  if (!sketch.gpu || task.rows)
    return broken(22, "the reduction is split, " + sketch.name.str() +
                          (task.rows ? " along the rows of a chain" : "") +
                          " leaves each to one " +
                          (sketch.gpu ? "block" : "core"));
  if (!task.anchorStatement().associative)
    return broken(22, "the reduction is split, but the anchor does not "
                      "accumulate by one associative operation");
  return std::nullopt;
}

const Knob &pruner::splitKnob() {
  static const Split knob;
  return knob;
}
