//===- Instruction.cpp - the matrix instruction of the register tile ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../WarpTiles.h"
#include "KnobKinds.h"
#include "pruner/Machine/Instructions.h"
#include "pruner/Program/WarpInstruction.h"
#include "pruner/Sketch/BuildProgram.h"

#include "llvm/ADT/STLExtras.h"

using namespace pruner;
using detail::broken;
using detail::text;

namespace {
class Instruction final : public NumberKnob {
public:
  Instruction()
      : NumberKnob("instruction", BeforeTiles, &Schedule::instruction) {}

  llvm::ArrayRef<llvm::StringLiteral> words() const override {
    static const auto names = [] {
      std::vector<llvm::StringLiteral> list = {"none"};
      for (const MatrixInstruction *each : allMatrixInstructions())
        list.push_back(each->name);
      return list;
    }();
    return names;
  }
  llvm::StringRef noun() const override { return "matrix instruction"; }

  std::vector<Value> values(const KnobContext &context,
                            unsigned position) const override;
  MutationShare mutations(const Sketch &sketch) const override {
    return sketch.gpu ? MutationShare{50, 5} : MutationShare{30, 5};
  }
  void repair(const TaskDesc &task, Schedule &s) const override {
    stageForInstruction(task, s);
  }
  MaybeViolation check(const TaskDesc &task, const Schedule &s) const override;
  MaybeViolation checkOn(const Machine &machine, const TaskDesc &task,
                         const Schedule &s) const override;
  void drawAny(const TaskDesc &task, Schedule &s,
               Random &random) const override;
  std::string describe(const Value &value) const override {
    return words()[value.front()].str();
  }

private:
  /// The register of the accumulators, in bytes; on GPUs a row of them.
  static int64_t registerBytes(const TaskDesc &task, const Schedule &s) {
    if (sketchOf(s).gpu)
      return allMatrixInstructions()[s.instruction - 1]->widths.front().bytes;
    return s.vector *
           byteWidth(task.tensors[task.anchorStatement().output.tensor].type);
  }
};
} // namespace

std::vector<Knob::Value> Instruction::values(const KnobContext &context,
                                             unsigned position) const {
  std::vector<Value> values = numbers({0});
  const TaskDesc &task = context.task;
  const StatementDesc &anchor = task.anchorStatement();
  if (!context.sketch.tilesReduction() || !anchor.product)
    return values;
  int64_t number = 0;
  for (const MatrixInstruction *instruction : allMatrixInstructions()) {
    ++number;
    auto fits = [&](const Value &along) {
      return bool(useOf(*instruction, task,
                        along.front() < 0
                            ? defaultVectorDimension(task)
                            : std::optional(unsigned(along.front()))));
    };
    auto exists = [&](const MatrixInstruction::Width &width) {
      return hasInstruction(context.machine, *instruction, width.bytes);
    };
    // Apart additions take more operations than any other instruction, and
    // products of warps with fewer terms more than those listed before.
    bool ofWarp = WarpInstruction::of(instruction);
    if ((instruction->addsApart() || ofWarp) && values.size() > 1)
      continue;
    // The analytical model needs the rate.
    if (ofWarp && tensorRate(context.machine, *instruction) <= 0)
      continue;
    if (llvm::any_of(vectorDimKnob().values(context, 0), fits) &&
        llvm::any_of(instruction->widths, exists))
      values.push_back({number});
  }
  return values;
}

/// Two of three schedules use an instruction of warps that fits, with tiles for
/// it.
static void drawForWarps(const TaskDesc &task, Schedule &s, Random &random) {
  std::vector<int64_t> fitting;
  for (auto [n, instruction] : llvm::enumerate(allMatrixInstructions()))
    if (WarpInstruction::of(instruction) &&
        useOf(*instruction, task, defaultVectorDimension(task)))
      fitting.push_back(int64_t(n) + 1);
  if (fitting.empty() || random.uniform(3) == 0)
    return;
  Schedule with(s);
  with.instruction = fitting[random.uniform(fitting.size())];
  if (!drawWarpTiles(task, with, kSmallWarpTiles, random))
    return;
  // Stages and the padding may be drawn later.
  if (!with.stages.empty())
    stageForInstruction(task, with);
  with.pad -= with.pad % padUnit(with);
  pipelineKnob().repair(task, with);
  s = with;
}

/// Vectors are drawn later. They are those of the instruction, or drop it if it
/// does not fit their dimension.
void Instruction::drawAny(const TaskDesc &task, Schedule &s,
                          Random &random) const {
  const StatementDesc &anchor = task.anchorStatement();
  if (!sketchOf(s).tilesReduction() || !anchor.product)
    return;
  if (sketchOf(s).gpu)
    return drawForWarps(task, s, random);
  std::vector<int64_t> fitting = {0};
  int64_t number = 0;
  for (const MatrixInstruction *instruction : allMatrixInstructions()) {
    ++number;
    for (unsigned d = 0;
         d < anchor.dims.size() && !WarpInstruction::of(instruction); ++d)
      if (useOf(*instruction, task, d)) {
        fitting.push_back(number);
        break;
      }
  }
  s.instruction = fitting[random.uniform(fitting.size())];
}

static std::string readsNeighbors(const InstructionUse &use, unsigned input) {
  return " reads " + text(use.neighbors(input)) +
         " neighbors along dimension " + text(use.sumDim) +
         (input == use.bInput ? " for each lane" : "");
}

/// On GPUs every row of a staged input begins at a multiple of a chunk.
static MaybeViolation checkRows(const TaskDesc &task, const Schedule &s,
                                const InstructionUse &use) {
  int64_t chunk = WarpInstruction::of(use.instruction)->chunkSums();
  for (unsigned input : {use.aInput, use.bInput}) {
    int64_t row = stageLayout(task, s, input).shape.back();
    if (row % chunk != 0)
      return broken(27, "rows of input " + text(input) + " have " + text(row) +
                            " elements in shared memory, which is not a "
                            "multiple of " +
                            text(chunk) + ", the elements that " +
                            use.instruction->name.str() + " loads at once");
  }
  return std::nullopt;
}

/// R27: the statement fits the instruction, and operands lie in memory as it
/// reads them.
MaybeViolation Instruction::check(const TaskDesc &task,
                                  const Schedule &s) const {
  if (s.instruction == 0)
    return std::nullopt;
  auto all = allMatrixInstructions();
  if (s.instruction < 0 || s.instruction > int64_t(all.size()))
    return broken(27, "unknown matrix instruction " + text(s.instruction));
  const MatrixInstruction &instruction = *all[s.instruction - 1];
  std::string name = instruction.name.str();
  const Sketch &sketch = sketchOf(s);
  if (sketch.gpu != bool(WarpInstruction::of(&instruction)) ||
      !sketch.tilesReduction())
    return broken(27, sketch.name.str() + " has no instruction " + name);
  std::optional<InstructionUse> use = instructionUse(task, s);
  if (!use)
    return broken(27, "the task is not a sum of products that " + name +
                          " computes with vectors along this dimension");
  if (!instruction.width(registerBytes(task, s)))
    return broken(27, name + " has no vectors of " + text(s.vector) + " " +
                          "accumulators");
  for (const auto &each : {use, instructionUseOfSecond(task, s)})
    for (unsigned d = 0; each && d < s.tiles.size(); ++d) {
      int64_t unit = each->unitAlong(d);
      if (unit && !s.tiles[d].empty() && s.tiles[d].back() % unit != 0)
        return broken(27,
                      "the innermost factor " + text(s.tiles[d].back()) +
                          " of dimension " + text(d) +
                          " is not a multiple of " + text(unit) + ", the " +
                          (d == each->sumDim ? "terms that " : "rows that ") +
                          name + " computes at once");
    }
  if (s.stages.size() != task.anchorStatement().inputs.size())
    return std::nullopt; // R5 rejects it.
  Schedule staged(s);
  stageForInstruction(task, staged);
  for (auto [i, level] : llvm::enumerate(s.stages))
    if (level != staged.stages[i])
      return broken(
          27,
          "input " + text(i) + " must be staged, because " + name +
              (sketch.gpu ? " reads shared memory" : readsNeighbors(*use, i)));
  return sketch.gpu ? checkRows(task, s, *use) : std::nullopt;
}

MaybeViolation Instruction::checkOn(const Machine &machine,
                                    const TaskDesc &task,
                                    const Schedule &s) const {
  if (s.instruction == 0)
    return std::nullopt;
  const MatrixInstruction &instruction =
      *allMatrixInstructions()[s.instruction - 1];
  int64_t bytes = registerBytes(task, s);
  if (hasInstruction(machine, instruction, bytes))
    return std::nullopt;
  return broken(27, "'" + machine.arch + "' has no " + instruction.name.str() +
                        " with registers of " + text(bytes) + " bytes");
}

const Knob &pruner::instructionKnob() {
  static const Instruction knob;
  return knob;
}
