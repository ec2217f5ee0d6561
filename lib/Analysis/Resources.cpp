//===- Resources.cpp - what a schedule occupies ---------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Analysis/Resources.h"
#include "pruner/Program/TiledProgram.h"

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
    return tile::Elements;
  }
  return 0;
}

int64_t pruner::outerTrips(const TaskDesc &task, const Schedule &schedule,
                           unsigned dim) {
  return ceilDiv(task.anchorStatement().dims[dim].extent,
                 schedule.tileSize(dim));
}

namespace {

class Counter {
public:
  Counter(const TaskDesc &task, const Schedule &schedule)
      : task(task), schedule(schedule), anchor(task.anchorStatement()),
        vectorDim(vectorDimension(task, schedule)) {}

  ScheduleResources run() {
    for (unsigned d = 0; d < anchor.dims.size(); ++d) {
      int64_t trips = outerTrips(task, schedule, d);
      if (task.rows && anchor.dims[d].reduction)
        out.accumulators *= schedule.tiles[d][0];
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
      } else if (schedule.variant == Variant::SimtMap) {
        out.threads *= tiles[tile::Middle];
      }
    }
    gpu ? gpuRegisters() : cpuRegisters();
    buffers();
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
    out.accumulatorRegisters =
        reduces ? out.accumulators : ceilDiv(out.accumulators, lanes);
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
    for (const OperandDesc &input : anchor.inputs) {
      int64_t elements = 1;
      for (unsigned d = 0; d < anchor.dims.size(); ++d)
        if (!anchor.dims[d].reduction && uses(input, d))
          elements *= schedule.tiles[d][tile::Element];
      int64_t bytes = byteWidth(task.tensors[input.tensor].type);
      out.operandRegisters += ceilDiv(elements * bytes, 4);
    }
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
      else
        elements *=
            tiles[tile::Register] * (splitReduction ? tiles[tile::Block] : 1);
    }
    out.localBytes += elements * outputBytes();
    for (unsigned i = 0; i < anchor.inputs.size(); ++i)
      if (schedule.stages[i] != StageLevel::None &&
          schedule.stages[i] != StageLevel::Ahead)
        (schedule.variant == Variant::SimtTile ? out.sharedBytes
                                               : out.localBytes) +=
            stageLayout(task, schedule, i).elements() *
            byteWidth(task.tensors[anchor.inputs[i].tensor].type);
  }

  /// Of each tensor between the statements a tile of rows.
  void rowBuffers() {
    for (const StatementDesc &statement : task.statements) {
      const TensorDesc &tensor = task.tensors[statement.output.tensor];
      if (tensor.argument >= 0)
        continue;
      int64_t elements = 1;
      for (const LinearExpr &expr : statement.output.map) {
        unsigned d = *expr.singleDim();
        const auto &tiles = schedule.tiles[d];
        elements *= anchor.dims[d].reduction
                        ? ceilDiv(anchor.dims[d].extent, tiles[0]) * tiles[0]
                        : tiles[tile::Elements];
      }
      out.localBytes += elements * byteWidth(tensor.type);
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
