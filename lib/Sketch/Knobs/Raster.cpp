//===- Raster.cpp - the order of outermost tiles --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KnobKinds.h"

#include <algorithm>

using namespace pruner;
using detail::broken;
using detail::text;

namespace {
class Raster final : public NumberKnob {
public:
  Raster() : NumberKnob("raster", 0, &Schedule::raster) {}

  /// Neighboring tiles share what they read along the other dimensions. This
  /// does not matter if all inputs stay in the cache of cores or blocks.
  std::vector<Value> values(const KnobContext &context,
                            unsigned position) const override {
    std::vector<Value> values = numbers({-1});
    const Machine &machine = context.machine;
    double cache = double(std::max(machine.l2Bytes, machine.l3Bytes));
    if (!context.sketch.tilesReduction() || context.task.bytes() <= cache)
      return values;
    for (auto [d, dim] : llvm::enumerate(context.task.dims()))
      if (context.task.kindOf(d) == DimKind::Parallel && dim.extent > 1)
        values.push_back({int64_t(d)});
    if (values.size() > 1)
      values.pop_back(); // The last one is the default.
    return values;
  }
  MutationShare mutations(const Sketch &sketch) const override {
    return {20, 5};
  }
  MaybeViolation check(const TaskDesc &task, const Schedule &s) const override {
    const Sketch &sketch = sketchOf(s);
    if (isDefault(s) || (sketch.tilesReduction() && s.raster >= 0 &&
                         s.raster < int64_t(task.dims().size()) &&
                         task.kindOf(s.raster) == DimKind::Parallel))
      return std::nullopt;
    return broken(24,
                  "tiles follow one another along dimension " + text(s.raster) +
                      ", " + sketch.name.str() + " takes " +
                      (sketch.tilesReduction() ? "a parallel one" : "none"));
  }
  void drawAny(const TaskDesc &task, Schedule &s,
               Random &random) const override {
    if (!sketchOf(s).tilesReduction() || random.uniform(4) != 0)
      return;
    unsigned d = random.uniform(task.dims().size());
    if (task.kindOf(d) == DimKind::Parallel)
      s.raster = d;
  }
  std::string describe(const Value &value) const override {
    return value.front() < 0 ? "last" : "d" + text(value.front());
  }
};
} // namespace

const Knob &pruner::rasterKnob() {
  static const Raster knob;
  return knob;
}
