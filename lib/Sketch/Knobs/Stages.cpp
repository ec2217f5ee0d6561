//===- Stages.cpp - where inputs are copied -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KnobKinds.h"
#include "pruner/Sketch/BuildProgram.h"

using namespace pruner;
using detail::broken;
using detail::text;

static constexpr llvm::StringLiteral kNames[] = {"none", "inner", "outer",
                                                 "ahead"};

namespace {
class Stages final : public Knob {
public:
  Stages() : Knob("stages", Spelled | AlwaysDrawn) {}

  Value get(const Schedule &s) const override {
    Value value;
    for (StageLevel level : s.stages)
      value.push_back(int64_t(level));
    return value;
  }
  void set(Schedule &s, llvm::ArrayRef<int64_t> value) const override {
    s.stages.clear();
    for (int64_t level : value)
      s.stages.push_back(StageLevel(level));
  }
  bool equal(const Schedule &a, const Schedule &b) const override {
    return a.stages == b.stages;
  }
  bool isDefault(const Schedule &s) const override { return s.stages.empty(); }
  bool isList() const override { return true; }
  llvm::ArrayRef<llvm::StringLiteral> words() const override { return kNames; }
  llvm::StringRef noun() const override { return "stage level"; }

  MaybeViolation check(const TaskDesc &task, const Schedule &s) const override;

  bool perInput() const override { return true; }
  std::vector<Value> values(const KnobContext &context,
                            unsigned input) const override;
  void choose(Schedule &s, unsigned input, const Value &value) const override {
    if (s.stages.size() <= input)
      s.stages.resize(input + 1);
    s.stages[input] = StageLevel(value.front());
  }
  void copy(Schedule &to, const Schedule &from, unsigned input) const override {
    to.stages[input] = from.stages[input];
  }
  void guide(const KnobContext &context, Schedule &s, unsigned input,
             llvm::ArrayRef<Value> values, Random &random) const override;
  MutationShare mutations(const Sketch &sketch) const override {
    return sketch.gpu ? MutationShare{980, 20} : MutationShare{940, 50};
  }
  void drawAny(const TaskDesc &task, Schedule &s,
               Random &random) const override;

  std::string title(unsigned input) const override {
    return "stage of input " + text(input);
  }
  std::string describe(const Value &value) const override {
    return kNames[value.front()].str();
  }
};
} // namespace

static Knob::Value valueOf(StageLevel level) { return {int64_t(level)}; }

/// Whether a sketch reads a padded input only from a buffer. CPUs test
/// coordinates at the borders instead.
static bool stagesPadded(const Sketch &sketch) { return sketch.gpu; }

static bool mustBeStaged(const TaskDesc &task, const Sketch &sketch,
                         unsigned input) {
  return task.prologues[input] >= 0 ||
         (task.anchorStatement().inputs[input].padded && stagesPadded(sketch));
}

/// Whether several elements of the result along one dimension read the same
/// elements of an input, so that they share the work of a copy.
static bool isShared(const TaskDesc &task, unsigned input) {
  const StatementDesc &anchor = task.anchorStatement();
  for (unsigned d = 0; d < anchor.dims.size(); ++d)
    if (!anchor.dims[d].reduction && anchor.dims[d].extent > 1 &&
        llvm::none_of(anchor.inputs[input].map,
                      [d](const LinearExpr &expr) { return expr.uses(d); }))
      return true;
  return false;
}

std::vector<Knob::Value> Stages::values(const KnobContext &context,
                                        unsigned input) const {
  if (!context.sketch.tilesReduction())
    return {valueOf(StageLevel::None)};
  std::vector<Value> values;
  // The version of a register tile for borders is slow, which the analytical
  // model does not take into account. It is worthwhile where a copy has few
  // readers.
  bool padded = context.task.anchorStatement().inputs[input].padded;
  if (!mustBeStaged(context.task, context.sketch, input) &&
      !(padded && isShared(context.task, input)))
    values.push_back(valueOf(StageLevel::None));
  values.push_back(valueOf(StageLevel::Inner));
  values.push_back(valueOf(StageLevel::Outer));
  if (!context.sketch.gpu && context.task.canPackAhead(input))
    values.push_back(valueOf(StageLevel::Ahead));
  return values;
}

void Stages::guide(const KnobContext &context, Schedule &s, unsigned input,
                   llvm::ArrayRef<Value> values, Random &random) const {
  unsigned draw = random.uniform(100);
  if (values.size() == 1)
    return;
  StageLevel &level = s.stages[input];
  // Packing ahead of time costs nothing at run time and is seldom wrong.
  if (values.back() == valueOf(StageLevel::Ahead) && random.uniform(100) < 70) {
    level = StageLevel::Ahead;
    return;
  }
  bool inPlace = values.front() == valueOf(StageLevel::None);
  unsigned inner = context.sketch.gpu ? 90 : 50;
  unsigned none = context.sketch.gpu ? 97 : 85;
  level = draw < inner             ? StageLevel::Inner
          : draw < none && inPlace ? StageLevel::None
                                   : StageLevel::Outer;
  stageForInstruction(context.task, s);
}

void Stages::drawAny(const TaskDesc &task, Schedule &s, Random &random) const {
  const Sketch &sketch = sketchOf(s);
  s.stages.clear();
  for (unsigned i = 0; i < task.anchorStatement().inputs.size(); ++i) {
    StageLevel &level = s.stages.emplace_back(StageLevel::None);
    if (!sketch.tilesReduction())
      continue;
    if (!sketch.gpu && task.canPackAhead(i) && random.uniform(3) == 0)
      level = StageLevel::Ahead;
    else
      level = StageLevel(mustBeStaged(task, sketch, i) ? 1 + random.uniform(2)
                                                       : random.uniform(3));
  }
  stageForInstruction(task, s);
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

/// R6: an input that a fused producer computes needs a buffer, and on GPUs and
/// for matrix instructions one that is padded.
static MaybeViolation checkComputed(const TaskDesc &task, const Schedule &s) {
  for (unsigned i = 0; i < task.prologues.size(); ++i)
    if (task.prologues[i] >= 0 && i < s.stages.size() &&
        s.stages[i] == StageLevel::None)
      return broken(6, "input " + text(i) + " is computed by statement " +
                           text(task.prologues[i]) +
                           " and must be staged, but it is read in place");
  for (unsigned i = 0; i < s.stages.size(); ++i)
    if (task.anchorStatement().inputs[i].padded &&
        s.stages[i] == StageLevel::None &&
        (stagesPadded(sketchOf(s)) || s.instruction != 0))
      return broken(
          6, "input " + text(i) +
                 " is padded and must be staged, but it is read in place");
  return std::nullopt;
}

/// R20: only constants can be packed ahead of time.
static MaybeViolation checkPackedAhead(const TaskDesc &task,
                                       const Schedule &s) {
  for (unsigned i = 0; i < s.stages.size(); ++i) {
    if (s.stages[i] != StageLevel::Ahead)
      continue;
    if (sketchOf(s).gpu)
      return broken(20, "input " + text(i) + " is packed ahead of time, " +
                            sketchOf(s).name.str() +
                            " cannot pack ahead of time");
    if (task.canPackAhead(i))
      continue;
    const OperandDesc &input = task.anchorStatement().inputs[i];
    const TensorDesc &tensor = task.tensors[input.tensor];
    return broken(20, "input " + text(i) + " is packed ahead of time, " +
                          (tensor.constant
                               ? "but the anchor must read it once, unfused, "
                                 "with single dimensions as coordinates"
                               : tensor.name + " is not constant"));
  }
  return std::nullopt;
}

MaybeViolation Stages::check(const TaskDesc &task, const Schedule &s) const {
  const Sketch &sketch = sketchOf(s);
  size_t inputs = task.anchorStatement().inputs.size();
  if (s.stages.size() != inputs)
    return broken(5, text(s.stages.size()) + " stage levels, the anchor has " +
                         text(inputs) + " inputs");
  for (unsigned i = 0; !sketch.tilesReduction() && i < s.stages.size(); ++i)
    if (s.stages[i] != StageLevel::None)
      return broken(5, "input " + text(i) + " is staged, " + sketch.name.str() +
                           " reads its inputs in place");
  if (!sketch.computesInputs())
    if (MaybeViolation result = checkComputed(task, s))
      return result;
  return checkPackedAhead(task, s);
}

const Knob &pruner::stagesKnob() {
  static const Stages knob;
  return knob;
}
