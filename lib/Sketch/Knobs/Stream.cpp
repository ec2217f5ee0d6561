//===- Stream.cpp - non-temporal stores of results ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KnobKinds.h"

#include "llvm/TargetParser/X86TargetParser.h"

#include <algorithm>

using namespace pruner;
using detail::broken;
using detail::text;

namespace {
class Stream final : public NumberKnob {
public:
  Stream() : NumberKnob("stream", 0, &Schedule::stream) {}

  /// A result that fits the caches is better kept there for its readers.
  std::vector<Value> values(const KnobContext &context,
                            unsigned position) const override {
    const Machine &machine = context.machine;
    const TaskDesc &task = context.task;
    if (!canStream(task, context.sketch) || !hasInstruction(machine))
      return numbers({0});
    const TensorDesc &result = task.tensors[task.outputTensor()];
    if (result.elements() * byteWidth(result.type) <=
        std::max(machine.l2Bytes, machine.l3Bytes))
      return numbers({0});
    return numbers({0, 1});
  }
  MutationShare mutations(const Sketch &sketch) const override {
    return sketch.gpu ? MutationShare{} : MutationShare{25, 5};
  }
  MaybeViolation check(const TaskDesc &task, const Schedule &s) const override {
    const Sketch &sketch = sketchOf(s);
    if (s.stream == 0 || (s.stream == 1 && canStream(task, sketch)))
      return std::nullopt;
    return broken(25, "stream is " + text(s.stream) + ", " + sketch.name.str() +
                          " allows 0" +
                          (canStream(task, sketch) ? " and 1" : ""));
  }
  MaybeViolation checkOn(const Machine &machine, const TaskDesc &task,
                         const Schedule &s) const override {
    if (s.stream == 0 || hasInstruction(machine))
      return std::nullopt;
    return broken(25, "stream is 1, but '" + machine.arch +
                          "' is not an x86-64 CPU");
  }
  void drawAny(const TaskDesc &task, Schedule &s,
               Random &random) const override {
    if (canStream(task, sketchOf(s)))
      s.stream = random.uniform(4) == 0;
  }

private:
  /// Sketches with one statement that stores results, each element once. A
  /// chain over rows also keeps intermediate values in its result.
  static bool canStream(const TaskDesc &task, const Sketch &sketch) {
    return !sketch.gpu && !task.rows;
  }
  /// Every x86-64 CPU has SSE2, which brought these stores.
  static bool hasInstruction(const Machine &machine) {
    return llvm::X86::parseArchX86(machine.arch, /*Only64Bit=*/true) !=
           llvm::X86::CK_None;
  }
};
} // namespace

const Knob &pruner::streamKnob() {
  static const Stream knob;
  return knob;
}
