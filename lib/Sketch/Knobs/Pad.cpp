//===- Pad.cpp - padding of the rows of staged buffers --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../WarpTiles.h"
#include "KnobKinds.h"

#include "llvm/Support/MathExtras.h"

using namespace pruner;
using detail::broken;
using detail::text;

namespace {
class Pad final : public NumberKnob {
public:
  Pad() : NumberKnob("pad", AlwaysDrawn, &Schedule::pad) {}

  std::vector<Value> values(const KnobContext &context,
                            unsigned position) const override {
    if (context.sketch.gpu && context.sketch.tilesReduction())
      return numbers({0, 1, 2, 4, 8});
    return numbers({0});
  }
  MutationShare mutations(const Sketch &sketch) const override {
    return sketch.gpu ? MutationShare{960, 20} : MutationShare{};
  }
  void repair(const TaskDesc &task, Schedule &s) const override {
    if (s.pad > 0)
      s.pad = int64_t(llvm::alignTo(s.pad, padUnit(s)));
  }
  MaybeViolation check(const TaskDesc &task, const Schedule &s) const override {
    if (isDefault(s))
      return std::nullopt;
    int64_t limit = sketchOf(s).gpu ? 64 : 0;
    if (s.pad >= 0 && s.pad <= limit)
      return std::nullopt;
    return broken(18, "rows are padded by " + text(s.pad) + " elements, " +
                          sketchOf(s).name.str() + " allows 0 to " +
                          text(limit));
  }
  void drawAny(const TaskDesc &task, Schedule &s,
               Random &random) const override {
    const Sketch &sketch = sketchOf(s);
    if (sketch.gpu && sketch.tilesReduction() && random.uniform(2))
      s.pad = random.uniform(random.uniform(4) ? 10 : 65);
    s.pad -= s.pad % padUnit(s);
  }
};
} // namespace

const Knob &pruner::padKnob() {
  static const Pad knob;
  return knob;
}
