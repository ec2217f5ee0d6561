//===- Legality.cpp - which schedules exist for a task --------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Analysis/Legality.h"
#include "pruner/Analysis/Resources.h"
#include "pruner/Program/TiledProgram.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace pruner;

static int64_t ceilDiv(int64_t a, int64_t b) { return a / b + (a % b != 0); }

using Result = std::optional<Violation>;

static std::string text(int64_t number) { return std::to_string(number); }

static Result broken(unsigned rule, std::string message) {
  std::string label = "S" + std::to_string(rule);
  std::string sentence = label + ": " + std::move(message);
  return Violation{std::move(label), std::move(sentence)};
}

namespace {

class Checker {
public:
  Checker(const TaskDesc &task, const Schedule &schedule)
      : task(task), schedule(schedule), anchor(task.anchorStatement()),
        vectorDim(vectorDimension(task, schedule)) {}

  Result shape() {
    for (auto rule :
         {&Checker::variantFitsTask, &Checker::tileLists,
          &Checker::factorCounts, &Checker::vectors, &Checker::tripsNotEmpty,
          &Checker::stages, &Checker::prologues, &Checker::packedAhead,
          &Checker::order, &Checker::padding, &Checker::rowThreads,
          &Checker::split, &Checker::prefetch})
      if (Result result = (this->*rule)())
        return result;
    return std::nullopt;
  }

  Result all(const Machine &machine) {
    if (isGpu(schedule.variant) != machine.isGpu())
      return broken(
          1, "variant " + variantName(schedule.variant).str() + " is for " +
                 (isGpu(schedule.variant) ? "GPUs" : "CPUs") +
                 ", the machine is a " + (machine.isGpu() ? "GPU" : "CPU"));
    if (Result result = shape())
      return result;
    return machine.isGpu() ? gpu(machine) : cpu(machine);
  }

private:
  bool isTile() const {
    return schedule.variant == Variant::CpuTile ||
           schedule.variant == Variant::SimtTile;
  }

  //===--- the task ------------------------------------------------------===//

public:
  Result variantFitsTask() {
    std::string name = variantName(schedule.variant).str();
    bool isRow = schedule.variant == Variant::CpuRow;
    if (schedule.variant != Variant::SimtRow && isRow != task.rows)
      return broken(1, "variant " + name + " is " + (isRow ? "" : "not ") +
                           "for chains over rows, the task is " +
                           (isRow ? "none" : "one"));
    if (task.rows)
      return std::nullopt;
    if (schedule.variant == Variant::SimtRow)
      return fitsAcrossThreads(name);
    if (isTile() != task.hasReduction())
      return broken(1, "variant " + name + " needs an anchor " +
                           (isTile() ? "with" : "without") +
                           " reduction dimensions, the task has one " +
                           (isTile() ? "without" : "with"));
    if (isTile())
      return std::nullopt;
    if (task.epilogue >= 0 ||
        llvm::any_of(task.prologues, [](int p) { return p >= 0; }))
      return broken(1, "variant " + name +
                           " runs one statement, the task has " +
                           text(task.statements.size()));
    return std::nullopt;
  }

private:
  Result fitsAcrossThreads(const std::string &name) {
    if (!task.hasReduction())
      return broken(1, "variant " + name +
                           " needs an anchor with reduction dimensions, the "
                           "task has one without");
    for (unsigned i = 0; i < anchor.inputs.size(); ++i) {
      const OperandDesc &input = anchor.inputs[i];
      if (input.padded)
        return broken(1, "variant " + name + " stages nothing, input " +
                             text(i) + " is padded");
      if (task.prologues[i] >= 0 &&
          !llvm::all_of(input.map, [](const LinearExpr &expr) {
            return expr.singleDim().has_value();
          }))
        return broken(1, "variant " + name +
                             " computes inputs element by element, input " +
                             text(i) + " is read by windows");
    }
    return std::nullopt;
  }

  Result rowThreads() {
    if (schedule.variant != Variant::SimtRow)
      return std::nullopt;
    int64_t threads = 1;
    for (unsigned d = 0; d < anchor.dims.size(); ++d)
      if (anchor.dims[d].reduction)
        threads = std::min<int64_t>(INT32_MAX, threads) *
                  std::min<int64_t>(INT32_MAX, schedule.tiles[d][0]);
    if (threads == 1)
      return std::nullopt;
    if (!llvm::isPowerOf2_64(threads))
      return broken(21, text(threads) +
                            " threads share a row, which is not a power of "
                            "two");
    for (unsigned s = 0; s < task.statements.size(); ++s)
      if (!task.statements[s].associative && task.statements[s].hasReduction())
        return broken(21, text(threads) +
                              " threads share a row, but statement " + text(s) +
                              " does not accumulate by one associative "
                              "operation");
    return std::nullopt;
  }

  Result tileLists() {
    if (schedule.tiles.size() == anchor.dims.size())
      return std::nullopt;
    return broken(2, text(schedule.tiles.size()) +
                         " lists of tile factors, the anchor has " +
                         text(anchor.dims.size()) + " dimensions");
  }

  Result factorCounts() {
    for (unsigned d = 0; d < anchor.dims.size(); ++d) {
      unsigned wanted =
          innerTileLevels(schedule.variant, anchor.dims[d].reduction);
      if (schedule.tiles[d].size() != wanted)
        return broken(3, "dimension " + text(d) + " has " +
                             text(schedule.tiles[d].size()) +
                             " tile factors, " +
                             variantName(schedule.variant).str() + " takes " +
                             text(wanted));
      for (int64_t factor : schedule.tiles[d])
        if (factor < 1)
          return broken(3, "dimension " + text(d) + " has the tile factor " +
                               text(factor) + ", the least is 1");
    }
    return std::nullopt;
  }

  Result tripsNotEmpty() {
    for (unsigned d = 0; d < anchor.dims.size(); ++d) {
      int64_t extent = anchor.dims[d].extent, inside = 1;
      const auto &tiles = schedule.tiles[d];
      for (unsigned level = tiles.size(); level-- > 0;) {
        int64_t limit = ceilDiv(extent, inside);
        bool vectors = !isGpu(schedule.variant) && d == vectorDim &&
                       level + 1 == tiles.size() && schedule.vector > 0;
        if (vectors) {
          int64_t whole = ceilDiv(limit, schedule.vector);
          if (whole <= INT64_MAX / schedule.vector)
            limit = whole * schedule.vector;
        }
        if (tiles[level] > limit)
          return broken(4, "factor " + text(tiles[level]) + " at level " +
                               text(level) + " of dimension " + text(d) +
                               " runs past the end: extent " + text(extent) +
                               " holds " + text(limit) + " tiles of " +
                               text(inside));
        inside *= tiles[level];
      }
    }
    return std::nullopt;
  }

  Result stages() {
    if (schedule.stages.size() != anchor.inputs.size())
      return broken(5, text(schedule.stages.size()) +
                           " stage levels, the anchor has " +
                           text(anchor.inputs.size()) + " inputs");
    if (!isTile())
      for (unsigned i = 0; i < schedule.stages.size(); ++i)
        if (schedule.stages[i] != StageLevel::None)
          return broken(5, "input " + text(i) + " is staged, " +
                               variantName(schedule.variant).str() +
                               " reads its inputs in place");
    return std::nullopt;
  }

  Result prologues() {
    if (schedule.variant == Variant::SimtRow)
      return std::nullopt;
    for (unsigned i = 0; i < task.prologues.size(); ++i)
      if (task.prologues[i] >= 0 && i < schedule.stages.size() &&
          schedule.stages[i] == StageLevel::None)
        return broken(6, "input " + text(i) + " is computed by statement " +
                             text(task.prologues[i]) +
                             " and must be staged, it is read in place");
    for (unsigned i = 0; i < anchor.inputs.size(); ++i)
      if (anchor.inputs[i].padded && schedule.stages[i] == StageLevel::None)
        return broken(6, "input " + text(i) +
                             " is padded and must be staged, it is read in "
                             "place");
    return std::nullopt;
  }

  Result packedAhead() {
    for (unsigned i = 0; i < anchor.inputs.size(); ++i) {
      if (schedule.stages[i] != StageLevel::Ahead)
        continue;
      if (isGpu(schedule.variant))
        return broken(20, "input " + text(i) + " is packed ahead of time, " +
                              variantName(schedule.variant).str() +
                              " packs nothing ahead");
      if (task.canPackAhead(i))
        continue;
      const TensorDesc &tensor = task.tensors[anchor.inputs[i].tensor];
      return broken(20, "input " + text(i) + " is packed ahead of time, " +
                            (tensor.constant
                                 ? "but not read as it is, once, along single "
                                   "dimensions"
                                 : tensor.name + " is not constant"));
    }
    return std::nullopt;
  }

  Result vectors() {
    int64_t dim = schedule.vectorDim;
    if (dim == -1)
      return std::nullopt;
    if (isGpu(schedule.variant))
      return broken(19, "vectors run along dimension " + text(dim) + ", " +
                            variantName(schedule.variant).str() +
                            " has no vectors");
    if (dim < 0 || dim >= int64_t(anchor.dims.size()))
      return broken(19, "vectors run along dimension " + text(dim) +
                            ", the anchor has " + text(anchor.dims.size()) +
                            " dimensions");
    if (task.rows && !anchor.dims[dim].reduction)
      return broken(19, "vectors run along dimension " + text(dim) +
                            " across the rows, cpu_row has them along rows");
    if (anchor.dims[dim].reduction && !anchor.associative)
      return broken(19, "vectors run along the reduction dimension " +
                            text(dim) +
                            ", but the anchor does not accumulate by one "
                            "associative operation");
    return std::nullopt;
  }

  Result order() {
    const auto &order = schedule.order;
    if (order.empty())
      return std::nullopt;
    if (schedule.variant != Variant::CpuTile)
      return broken(10, "an order of " + text(order.size()) + " dimensions, " +
                            variantName(schedule.variant).str() +
                            " takes none");
    unsigned parallels = 0;
    for (const IterDim &dim : anchor.dims)
      parallels += !dim.reduction;
    if (order.size() != parallels)
      return broken(10, "an order of " + text(order.size()) +
                            " dimensions, the anchor has " + text(parallels) +
                            " parallel ones");
    llvm::SmallVector<bool, 8> seen(anchor.dims.size(), false);
    for (int64_t dim : order) {
      if (dim < 0 || dim >= int64_t(anchor.dims.size()) ||
          anchor.dims[dim].reduction)
        return broken(10, "the order names dimension " + text(dim) +
                              ", which is not a parallel one of the " +
                              text(anchor.dims.size()));
      if (seen[dim])
        return broken(10, "the order names dimension " + text(dim) +
                              " 2 times, once is allowed");
      seen[dim] = true;
    }
    return std::nullopt;
  }

  Result split() {
    const auto &split = schedule.split;
    if (split.empty())
      return std::nullopt;
    llvm::SmallVector<unsigned, 4> reductions;
    for (unsigned d = 0; d < anchor.dims.size(); ++d)
      if (anchor.dims[d].reduction)
        reductions.push_back(d);
    if (split.size() != reductions.size())
      return broken(22, "the reduction is split along " + text(split.size()) +
                            " dimensions, the anchor has " +
                            text(reductions.size()) + " to reduce");
    for (unsigned n = 0; n < split.size(); ++n) {
      unsigned d = reductions[n];
      int64_t steps = ceilDiv(anchor.dims[d].extent, schedule.tileSize(d));
      if (split[n] < 1 || split[n] > steps)
        return broken(22, "dimension " + text(d) + " is split into " +
                              text(split[n]) + " parts, it has " + text(steps) +
                              (steps == 1 ? " step" : " steps"));
    }
    if (!schedule.splitsReduction())
      return std::nullopt;
    if (!isGpu(schedule.variant) || task.rows)
      return broken(22, "the reduction is split, " +
                            variantName(schedule.variant).str() +
                            (task.rows ? " along the rows of a chain" : "") +
                            " leaves each to one " +
                            (isGpu(schedule.variant) ? "block" : "core"));
    if (!anchor.associative)
      return broken(22, "the reduction is split, but the anchor does not "
                        "accumulate by one associative operation");
    return std::nullopt;
  }

  Result prefetch() {
    int64_t limit = schedule.variant == Variant::CpuRow ? 8 : 0;
    if (schedule.prefetch >= 0 && schedule.prefetch <= limit)
      return std::nullopt;
    return broken(23, "rows are fetched " + text(schedule.prefetch) +
                          " steps ahead, " +
                          variantName(schedule.variant).str() +
                          " allows 0 to " + text(limit));
  }

  Result padding() {
    int64_t limit = isGpu(schedule.variant) ? 64 : 0;
    if (schedule.pad >= 0 && schedule.pad <= limit)
      return std::nullopt;
    return broken(18, "rows are padded by " + text(schedule.pad) +
                          " elements, " + variantName(schedule.variant).str() +
                          " allows 0 to " + text(limit));
  }

  //===--- CPUs ----------------------------------------------------------===//

  int64_t outputBytes() const {
    return byteWidth(task.tensors[anchor.output.tensor].type);
  }

  /// "6x16": the register tile in output order.
  std::string registerTile() const {
    std::string result;
    auto add = [&](int64_t factor) {
      result += (result.empty() ? "" : "x") + text(factor);
    };
    for (unsigned d : task.outputDims())
      add(schedule.tiles[d][registerTileLevel(schedule.variant)]);
    for (unsigned d = 0; d < anchor.dims.size(); ++d) {
      if (!anchor.dims[d].reduction)
        continue;
      if (schedule.variant == Variant::SimtRow)
        add(schedule.tiles[d][tile::Elements] *
            (task.rows || task.hasPrologue()
                 ? outerLevel(task, schedule, d).steps
                 : 1));
      else if (task.rows)
        add(schedule.tiles[d][0]);
    }
    return result;
  }

  Result cpu(const Machine &machine) {
    if (Result result = cpuVector(machine))
      return result;
    if (schedule.unroll < 1 || schedule.unroll > 64 ||
        !llvm::isPowerOf2_64(schedule.unroll))
      return broken(9, "unroll " + text(schedule.unroll) +
                           " is not a power of two from 1 to 64");
    ScheduleResources used = resourcesOf(task, schedule);
    int64_t limit = localBytesLimit(machine);
    if (limit > 0 && used.localBytes > limit)
      return broken(7, "local buffers take " + text(used.localBytes) +
                           " bytes, the outermost cache of a core has " +
                           text(limit));
    bool isMap = schedule.variant != Variant::CpuTile;
    int64_t registers = used.accumulatorRegisters + used.operandRegisters;
    if (!isMap && machine.vectorRegisters > 0 &&
        registers > machine.vectorRegisters)
      return broken(11, "register tile " + registerTile() + " needs " +
                            text(used.accumulatorRegisters) + " + " +
                            text(used.operandRegisters) +
                            " vector registers, the machine has " +
                            text(machine.vectorRegisters));
    int64_t body = used.accumulatorRegisters * (isMap ? 1 : schedule.unroll);
    int64_t bodyLimit = isMap ? kMaxMapBody : kMaxTileBody;
    if (body > bodyLimit)
      return broken(12, "register tile " + registerTile() +
                            " makes a body of " + text(body) +
                            " vector operations, the limit is " +
                            text(bodyLimit));
    return std::nullopt;
  }

  Result cpuVector(const Machine &machine) {
    int64_t vector = schedule.vector;
    int64_t longest =
        vectorDim ? std::max<int64_t>(1, machine.vectorElements(outputBytes()))
                  : 1;
    if (vector < 1 || !llvm::isPowerOf2_64(vector) || vector > longest)
      return broken(8, "vector " + text(vector) +
                           " is not a power of two from 1 to " + text(longest) +
                           ", the elements of a register");
    if (!vectorDim)
      return std::nullopt;
    // The innermost factor: the register tile or the inner reduction.
    int64_t tile = schedule.tiles[*vectorDim].back();
    if (tile % vector != 0)
      return broken(8,
                    "vector " + text(vector) + " does not divide the " +
                        (anchor.dims[*vectorDim].reduction ? "inner reduction "
                                                           : "register tile ") +
                        text(tile) + " of dimension " + text(*vectorDim));
    return std::nullopt;
  }

  //===--- GPUs ----------------------------------------------------------===//

  Result gpu(const Machine &machine) {
    int64_t steps[] = {0, 16, 64, 512, 1024};
    if (!llvm::is_contained(steps, schedule.unroll))
      return broken(9, "unroll " + text(schedule.unroll) +
                           " is not one of 0, 16, 64, 512, 1024");
    ScheduleResources used = resourcesOf(task, schedule);
    int64_t bodyLimit =
        schedule.variant == Variant::SimtRow ? kMaxRowBody : kMaxMapBody;
    if (!isTile() && used.accumulators > bodyLimit)
      return broken(12, "register tile " + registerTile() +
                            " makes a body of " + text(used.accumulators) +
                            " elements, the limit is " + text(bodyLimit));
    if (used.threads > machine.maxThreadsPerBlock)
      return broken(13, "a block has " + text(used.threads) +
                            " threads, the machine allows " +
                            text(machine.maxThreadsPerBlock));
    if (used.vthreads > machine.maxVirtualThreads)
      return broken(14, "a thread has " + text(used.vthreads) +
                            " virtual threads, the machine allows " +
                            text(machine.maxVirtualThreads));
    if (used.sharedBytes > machine.sharedBytesPerBlock)
      return broken(15, "staged buffers take " + text(used.sharedBytes) +
                            " bytes of shared memory, a block has " +
                            text(machine.sharedBytesPerBlock));
    int64_t registers = used.accumulatorRegisters + used.operandRegisters;
    if (registers > machine.maxRegistersPerThread)
      return broken(16, "register tile " + registerTile() + " needs " +
                            text(used.accumulatorRegisters) + " + " +
                            text(used.operandRegisters) +
                            " registers, a thread has " +
                            text(machine.maxRegistersPerThread));
    if (used.workspaceBytes > kMaxWorkspaceBytes)
      return broken(22, "the parts of a split reduction take " +
                            text(used.workspaceBytes) +
                            " bytes, the limit is " + text(kMaxWorkspaceBytes));
    return gpuVector();
  }

  Result gpuVector() {
    int64_t vector = schedule.vector;
    int64_t lengths[] = {1, 2, 4, 8};
    if (!llvm::is_contained(lengths, vector))
      return broken(17, "vector " + text(vector) + " is not one of 1, 2, 4, 8");
    for (unsigned i = 0; i < anchor.inputs.size(); ++i) {
      int64_t bytes = byteWidth(task.tensors[anchor.inputs[i].tensor].type);
      if (schedule.stages[i] != StageLevel::None && vector * bytes > 16)
        return broken(17, "copies of input " + text(i) + " move " +
                              text(vector * bytes) +
                              " bytes at a time, the widest access is 16");
    }
    return std::nullopt;
  }

  const TaskDesc &task;
  const Schedule &schedule;
  const StatementDesc &anchor;
  std::optional<unsigned> vectorDim;
};

} // namespace

int64_t pruner::localBytesLimit(const Machine &machine) {
  return std::max(machine.l2Bytes, machine.l3Bytes);
}

Result pruner::checkVariant(const TaskDesc &task, Variant variant) {
  Schedule schedule;
  schedule.variant = variant;
  return Checker(task, schedule).variantFitsTask();
}

Result pruner::checkScheduleShape(const TaskDesc &task,
                                  const Schedule &schedule) {
  return Checker(task, schedule).shape();
}

Result pruner::checkSchedule(const TaskDesc &task, const Schedule &schedule,
                             const Machine &machine) {
  return Checker(task, schedule).all(machine);
}
