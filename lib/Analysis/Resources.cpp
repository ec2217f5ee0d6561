//===- Resources.cpp - what a schedule occupies ---------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Analysis/Resources.h"
#include "pruner/Program/TiledProgram.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace pruner;

static int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

unsigned pruner::registerTileLevel(Variant variant) {
  switch (variant) {
  case Variant::CpuTile:
    return tile::Register;
  case Variant::SimtTile:
    return tile::Element;
  case Variant::CpuMap:
  case Variant::CpuRow:
  case Variant::SimtMap:
  case Variant::SimtRow:
    return tile::Elements;
  }
  return 0;
}

namespace {

class Counter {
public:
  Counter(const TaskDesc &task, const Schedule &schedule)
      : task(task), schedule(schedule), anchor(task.anchorStatement()),
        vectorDim(vectorDimension(task, schedule)) {}

  ScheduleResources run() {
    for (unsigned d = 0; d < anchor.dims.size(); ++d) {
      auto [parts, trips] = outerLevel(task, schedule, d);
      out.grid *= parts;
      // What a thread works on at a time; all that it has of a row where that
      // is computed.
      if (schedule.variant == Variant::SimtRow && anchor.dims[d].reduction) {
        out.accumulators *= schedule.tiles[d][1] * (keepsRow() ? trips : 1);
        out.rowThreads *= schedule.tiles[d][tile::Middle];
      } else if (task.rows && anchor.dims[d].reduction) {
        out.accumulators *= schedule.tiles[d][0];
      }
      if (anchor.dims[d].reduction)
        splitReduction |= trips > 1;
      else
        out.grid *= trips;
    }
    bool gpu = isGpu(schedule.variant);
    for (unsigned d = 0; d < anchor.dims.size(); ++d) {
      if (anchor.dims[d].reduction)
        continue;
      const auto &tiles = schedule.tiles[d];
      out.accumulators *= tiles[registerTileLevel(schedule.variant)];
      if (schedule.variant == Variant::SimtTile) {
        out.vthreads *= tiles[tile::VThread];
        out.threads *= tiles[tile::Thread];
        out.accumulators *= tiles[tile::VThread] * tiles[tile::Copies];
      } else if (schedule.variant == Variant::SimtMap ||
                 schedule.variant == Variant::SimtRow) {
        out.threads *= tiles[tile::Middle];
      }
    }
    out.threads *= out.rowThreads;
    gpu ? gpuRegisters() : cpuRegisters();
    buffers();
    out.workspaceBytes = workspaceElements(task, schedule) * outputBytes();
    return out;
  }

private:
  int64_t outputBytes() const {
    return byteWidth(task.tensors[anchor.output.tensor].type);
  }

  /// One register per vector of the register tile; each lane of a reduced
  /// vector accumulates apart. An operand that runs along vectors is used by
  /// every row of the tile, so its vectors are held; all others are broadcast
  /// one element at a time and share one register.
  void cpuRegisters() {
    int64_t lanes = std::max<int64_t>(1, schedule.vector);
    bool reduces = !task.rows && vectorDim && anchor.dims[*vectorDim].reduction;
    if (reduces)
      out.accumulators *= lanes;
    out.accumulatorRegisters = ceilDiv(out.accumulators, lanes);
    if (schedule.variant != Variant::CpuTile)
      return;
    bool shared = false;
    for (const OperandDesc &input : anchor.inputs) {
      if (!reduces && vectorDim && uses(input, *vectorDim))
        out.operandRegisters +=
            ceilDiv(schedule.tiles[*vectorDim][tile::Register], lanes);
      else
        shared = true;
    }
    out.operandRegisters += shared;
  }

  /// The accumulators of a thread and one innermost fragment per operand.
  void gpuRegisters() {
    int64_t perElement = std::max<int64_t>(1, ceilDiv(outputBytes(), 4));
    if (schedule.variant == Variant::SimtMap) {
      // Elements are computed one after the other; only one is in flight.
      out.accumulatorRegisters = perElement;
      return;
    }
    out.accumulatorRegisters = out.accumulators * perElement;
    if (schedule.variant == Variant::SimtRow)
      return rowRegisters(perElement);
    for (const OperandDesc &input : anchor.inputs) {
      int64_t elements = 1;
      for (unsigned d = 0; d < anchor.dims.size(); ++d)
        if (!anchor.dims[d].reduction && uses(input, d))
          elements *= schedule.tiles[d][tile::Element];
      int64_t bytes = byteWidth(task.tensors[input.tensor].type);
      out.operandRegisters += ceilDiv(elements * bytes, 4);
    }
  }

  bool keepsRow() const { return task.rows || task.hasPrologue(); }

  /// The sums of a thread and what it has of every input; in a chain what the
  /// statements along the row leave behind.
  void rowRegisters(int64_t perElement) {
    int64_t rows = 1, kept = 0;
    for (unsigned d = 0; d < anchor.dims.size(); ++d)
      rows *= anchor.dims[d].reduction ? 1 : schedule.tiles[d][1];
    if (!task.rows) {
      out.accumulatorRegisters = rows * perElement;
      out.operandRegisters =
          anchor.inputs.size() * out.accumulators * perElement;
      return;
    }
    for (const StatementDesc &statement : task.statements)
      if (task.tensors[statement.output.tensor].argument < 0)
        kept += llvm::any_of(statement.output.map, [&](const LinearExpr &e) {
          return anchor.dims[*e.singleDim()].reduction;
        });
    out.accumulatorRegisters *= std::max<int64_t>(1, kept);
    out.operandRegisters = rows * perElement;
  }

  static bool uses(const OperandDesc &operand, unsigned dim) {
    for (const LinearExpr &expr : operand.map)
      if (expr.uses(dim))
        return true;
    return false;
  }

  void buffers() {
    if (schedule.variant == Variant::CpuMap ||
        schedule.variant == Variant::SimtMap)
      return;
    if (schedule.variant == Variant::SimtRow && out.rowThreads > 1)
      exchangeBuffer();
    if (task.rows)
      return rowBuffers();
    // The accumulator: with the reduction in pieces a whole cache tile of it
    // lives on between the pieces (CPU).
    int64_t elements = 1;
    for (unsigned d = 0; d < anchor.dims.size(); ++d) {
      if (anchor.dims[d].reduction)
        continue;
      const auto &tiles = schedule.tiles[d];
      if (schedule.variant == Variant::SimtTile)
        elements *=
            tiles[tile::VThread] * tiles[tile::Copies] * tiles[tile::Element];
      else if (schedule.variant == Variant::SimtRow)
        elements *= tiles[tile::Elements];
      else
        elements *=
            tiles[tile::Register] * (splitReduction ? tiles[tile::Block] : 1);
    }
    out.localBytes += elements * outputBytes();
    if (schedule.variant == Variant::SimtRow)
      computedInputs();
    for (unsigned i = 0; i < anchor.inputs.size(); ++i)
      if (schedule.stages[i] != StageLevel::None &&
          schedule.stages[i] != StageLevel::Ahead)
        (schedule.variant == Variant::SimtTile ? out.sharedBytes
                                               : out.localBytes) +=
            stageLayout(task, schedule, i).elements() *
            byteWidth(task.tensors[anchor.inputs[i].tensor].type);
  }

  /// Inputs that prologues compute (SimtRow).
  void computedInputs() {
    for (unsigned i = 0; i < anchor.inputs.size(); ++i)
      if (task.prologues[i] >= 0)
        out.localBytes += rowBytes(anchor.inputs[i]);
  }

  /// What a thread or core has of a tensor between two statements at a time.
  int64_t rowBytes(const OperandDesc &operand) const {
    int64_t elements = 1;
    for (const LinearExpr &expr : operand.map) {
      unsigned d = expr.singleDim().value_or(0);
      const auto &tiles = schedule.tiles[d];
      if (!anchor.dims[d].reduction)
        elements *= tiles[tile::Elements];
      else if (schedule.variant == Variant::SimtRow)
        elements *= outerLevel(task, schedule, d).steps * tiles[tile::Elements];
      else
        elements *= ceilDiv(anchor.dims[d].extent, tiles[0]) * tiles[0];
    }
    return elements * byteWidth(task.tensors[operand.tensor].type);
  }

  /// Threads of different warps combine what they have by way of shared
  /// memory: one element for each row of each thread.
  void exchangeBuffer() {
    int64_t rows = 1;
    for (unsigned d = 0; d < anchor.dims.size(); ++d)
      if (!anchor.dims[d].reduction)
        rows *= schedule.tiles[d][tile::Elements];
    llvm::SmallVector<ElementType, 4> types;
    for (const StatementDesc &statement : task.statements)
      if (statement.hasReduction())
        types.push_back(task.tensors[statement.output.tensor].type);
    llvm::sort(types);
    types.erase(llvm::unique(types), types.end());
    for (ElementType type : types)
      out.sharedBytes += out.threads * rows * byteWidth(type);
  }

  /// Of each tensor between the statements a tile of rows.
  void rowBuffers() {
    std::optional<unsigned> inPlace;
    if (!isGpu(schedule.variant))
      inPlace = statementInPlace(task);
    for (unsigned s = 0; s < task.statements.size(); ++s) {
      const OperandDesc &output = task.statements[s].output;
      if (s != inPlace && task.tensors[output.tensor].argument < 0)
        out.localBytes += rowBytes(output);
    }
  }

  const TaskDesc &task;
  const Schedule &schedule;
  const StatementDesc &anchor;
  std::optional<unsigned> vectorDim;
  bool splitReduction = false;
  ScheduleResources out;
};

} // namespace

ScheduleResources pruner::resourcesOf(const TaskDesc &task,
                                      const Schedule &schedule) {
  return Counter(task, schedule).run();
}
