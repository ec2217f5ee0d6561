//===- Prefetch.cpp - rows fetched ahead ----------------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KnobKinds.h"

using namespace pruner;
using detail::broken;
using detail::text;

namespace {
class Prefetch final : public NumberKnob {
public:
  Prefetch() : NumberKnob("prefetch", 0, &Schedule::prefetch) {}

  std::vector<Value> values(const KnobContext &context,
                            unsigned position) const override {
    if (alongRows(context.task, context.sketch))
      return numbers({0, 1});
    return numbers({0});
  }
  const Knob *mutatesWith() const override { return &unrollKnob(); }
  MaybeViolation check(const TaskDesc &task, const Schedule &s) const override {
    if (isDefault(s))
      return std::nullopt;
    const Sketch &sketch = sketchOf(s);
    int64_t limit = alongRows(task, sketch) ? 8 : 0;
    if (s.prefetch >= 0 && s.prefetch <= limit)
      return std::nullopt;
    return broken(23, "rows are fetched " + text(s.prefetch) +
                          " steps ahead, " + sketch.name.str() +
                          " allows 0 to " + text(limit));
  }
  void drawAny(const TaskDesc &task, Schedule &s,
               Random &random) const override {
    if (alongRows(task, sketchOf(s)))
      s.prefetch = random.uniform(3);
  }

private:
  static bool alongRows(const TaskDesc &task, const Sketch &sketch) {
    return !sketch.gpu && task.rows;
  }
};
} // namespace

const Knob &pruner::prefetchKnob() {
  static const Prefetch knob;
  return knob;
}
