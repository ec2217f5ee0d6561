//===- Prefetch.cpp - software prefetching --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KnobKinds.h"

#include "pruner/Sketch/BuildProgram.h"

using namespace pruner;
using detail::broken;
using detail::text;

namespace {
class Prefetch final : public NumberKnob {
public:
  Prefetch() : NumberKnob("prefetch", 0, &Schedule::prefetch) {}

  std::vector<Value> values(const KnobContext &context,
                            unsigned position) const override {
    if (most(context.task, context.sketch) > 0)
      return numbers({0, 1});
    return numbers({0});
  }
  const Knob *mutatesWith() const override { return &unrollKnob(); }
  MaybeViolation check(const TaskDesc &task, const Schedule &s) const override {
    if (isDefault(s))
      return std::nullopt;
    const Sketch &sketch = sketchOf(s);
    int64_t limit = most(task, sketch);
    if (s.prefetch >= 0 && s.prefetch <= limit) {
      if (!sketch.tilesReduction() || panelDimension(task, s))
        return std::nullopt;
      return broken(23,
                    "panels are prefetched, but no input is packed in panels");
    }
    return broken(23, "inputs are prefetched " + text(s.prefetch) +
                          " steps ahead, " + sketch.name.str() +
                          " allows 0 to " + text(limit));
  }
  void repair(const TaskDesc &task, Schedule &s) const override {
    if (s.prefetch && sketchOf(s).tilesReduction() && !panelDimension(task, s))
      s.prefetch = 0;
  }
  void drawAny(const TaskDesc &task, Schedule &s,
               Random &random) const override {
    if (int64_t limit = most(task, sketchOf(s)))
      s.prefetch = random.uniform(std::min<int64_t>(limit, 2) + 1);
    repair(task, s);
  }

private:
  /// Groups of rows of a chain, or one panel.
  static int64_t most(const TaskDesc &task, const Sketch &sketch) {
    if (sketch.gpu)
      return 0;
    if (task.rows)
      return sketch.tilesReduction() ? 0 : 8;
    return sketch.tilesReduction() ? 1 : 0;
  }
};
} // namespace

const Knob &pruner::prefetchKnob() {
  static const Prefetch knob;
  return knob;
}
