//===- Unroll.cpp - copies of the innermost reduction ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KnobKinds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace pruner;
using detail::broken;
using detail::text;

/// Ansor's auto_unroll_max_step on GPUs.
static constexpr int64_t kMaxSteps[] = {0, 16, 64, 512, 1024};

namespace {
class Unroll final : public NumberKnob {
public:
  Unroll() : NumberKnob("unroll", Spelled | AlwaysDrawn, &Schedule::unroll) {}

  /// On GPUs a row of a chain is always unrolled completely.
  std::vector<Value> values(const KnobContext &context,
                            unsigned position) const override {
    bool reduces = context.task.hasReduction();
    if (context.sketch.gpu)
      return reduces && !context.task.rows ? numbers(kMaxSteps) : numbers({0});
    return reduces ? numbers({1, 2, 4, 8}) : numbers({1});
  }
  MutationShare mutations(const Sketch &sketch) const override {
    return {900, 40};
  }
  MaybeViolation checkOn(const Machine &machine, const TaskDesc &task,
                         const Schedule &s) const override {
    if (machine.isGpu() && !llvm::is_contained(kMaxSteps, s.unroll))
      return broken(9, "unroll " + text(s.unroll) +
                           " is not one of 0, 16, 64, 512, 1024");
    if (machine.isCpu() &&
        (s.unroll < 1 || s.unroll > 64 || !llvm::isPowerOf2_64(s.unroll)))
      return broken(9, "unroll " + text(s.unroll) +
                           " is not a power of two from 1 to 64");
    return std::nullopt;
  }
  void drawAny(const TaskDesc &task, Schedule &s,
               Random &random) const override {
    const Sketch &sketch = sketchOf(s);
    if (!sketch.gpu)
      s.unroll = int64_t(1) << random.uniform(6);
    else if (sketch.tilesReduction())
      s.unroll = drawOf({0, 0, 16, 64, 512, 1024}, random);
    else if (task.hasReduction())
      s.unroll = drawOf({0, 0, 16, 64}, random);
    else
      s.unroll = 0;
  }
};
} // namespace

const Knob &pruner::unrollKnob() {
  static const Unroll knob;
  return knob;
}
