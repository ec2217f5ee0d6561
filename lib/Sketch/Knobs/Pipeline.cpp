//===- Pipeline.cpp - copies of the next slices during the current one ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KnobKinds.h"
#include "pruner/Sketch/BuildProgram.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace pruner;
using detail::broken;
using detail::text;

/// More buffers than this hide no more latency.
static constexpr int64_t kMostBuffers = 5;

namespace {
class Pipeline final : public NumberKnob {
public:
  Pipeline() : NumberKnob("pipeline", 0, &Schedule::pipeline) {}

  std::vector<Value> values(const KnobContext &context,
                            unsigned position) const override;
  MutationShare mutations(const Sketch &sketch) const override {
    return sketch.gpu ? MutationShare{30, 20} : MutationShare{};
  }
  MaybeViolation check(const TaskDesc &task, const Schedule &s) const override;
  MaybeViolation checkOn(const Machine &machine, const TaskDesc &task,
                         const Schedule &s) const override;
  void repair(const TaskDesc &task, Schedule &s) const override {
    if (!isDefault(s))
      s.pipeline = std::min(s.pipeline, most(task, s));
  }
  void drawAny(const TaskDesc &task, Schedule &s,
               Random &random) const override {
    if (sketchOf(s).gpu && sketchOf(s).tilesReduction() &&
        random.uniform(3) != 0)
      s.pipeline =
          std::min<int64_t>(1 + random.uniform(kMostBuffers), most(task, s));
  }

private:
  static int64_t most(const TaskDesc &task, const Schedule &s);
};
} // namespace

/// The most buffers that the steps of `s` can use. Copies through registers use
/// two.
int64_t Pipeline::most(const TaskDesc &task, const Schedule &s) {
  Schedule deepest(s);
  deepest.pipeline = kMostBuffers;
  int64_t buffers = 1;
  for (unsigned i = 0; i < s.stages.size(); ++i)
    buffers = std::max(buffers, copyAhead(task, deepest, i).buffers);
  return buffers;
}

std::vector<Knob::Value> Pipeline::values(const KnobContext &context,
                                          unsigned position) const {
  if (!context.sketch.gpu || !context.sketch.tilesReduction())
    return numbers({1});
  if (!context.machine.copiesAsynchronously())
    return numbers({1, 2});
  return numbers({1, 2, 3, 4, 5});
}

/// R26. A deeper pipeline than its steps and copies can use would be another
/// name for the same program.
MaybeViolation Pipeline::check(const TaskDesc &task, const Schedule &s) const {
  if (isDefault(s))
    return std::nullopt;
  const Sketch &sketch = sketchOf(s);
  if (!sketch.gpu || !sketch.tilesReduction())
    return broken(26, "copies run ahead with " + text(s.pipeline) +
                          " buffers, " + sketch.name.str() + " allows 1");
  if (s.pipeline < 1 || s.pipeline > kMostBuffers)
    return broken(26, "copies run ahead with " + text(s.pipeline) +
                          " buffers, expected 1 to " + text(kMostBuffers));
  int64_t useful = most(task, s);
  if (s.pipeline <= useful)
    return std::nullopt;
  int64_t steps = reductionSteps(task, s);
  return broken(26,
                "copies run ahead with " + text(s.pipeline) + " buffers, " +
                    (llvm::none_of(s.stages,
                                   [](StageLevel level) {
                                     return level == StageLevel::Inner;
                                   })
                         ? "but no input is staged inside the outer reduction"
                     : useful == steps
                         ? "the reduction has " + text(steps) +
                               (steps == 1 ? " step" : " steps")
                         : "copies through registers use " + text(useful)));
}

/// R26 on devices without asynchronous copies.
MaybeViolation Pipeline::checkOn(const Machine &machine, const TaskDesc &task,
                                 const Schedule &s) const {
  if (s.pipeline <= 2 || machine.copiesAsynchronously())
    return std::nullopt;
  return broken(26, "copies run ahead with " + text(s.pipeline) +
                        " buffers, which needs asynchronous copies, but " +
                        machine.name + " (" + machine.arch + ") has none");
}

const Knob &pruner::pipelineKnob() {
  static const Pipeline knob;
  return knob;
}
