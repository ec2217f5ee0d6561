//===- BuildTiledProgram.cpp - from schedule to tiled program -----------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"

#include "llvm/ADT/STLExtras.h"

using namespace pruner;

ProgramBuilder::ProgramBuilder(const TaskDesc &task, const Schedule &schedule)
    : task(task), schedule(schedule), anchor(task.anchorStatement()),
      outputDims(task.outputDims()),
      vectorDim(vectorDimension(task, schedule)) {
  body = &program.kernels.emplace_back();
  program.gpu = isGpu(schedule.variant);
  program.dims.assign(anchor.dims.begin(), anchor.dims.end());
  if (program.gpu)
    program.unrollMaxStep = schedule.unroll;
  for (unsigned d = 0; d < anchor.dims.size(); ++d)
    (anchor.dims[d].reduction ? reductions : parallels).push_back(d);
  for (const TensorDesc &tensor : task.tensors)
    program.buffers.push_back(globalBuffer(tensor));
  layOutPacked();
  if (schedule.splitsReduction())
    addWorkspace();
  operandBuffer.assign(anchor.inputs.size(), -1);
}

TiledProgram ProgramBuilder::build() {
  switch (schedule.variant) {
  case Variant::CpuTile:
    cpuTile();
    break;
  case Variant::CpuRow:
    cpuRow();
    break;
  case Variant::SimtTile:
    simtTile();
    break;
  case Variant::SimtRow:
    simtRow();
    break;
  case Variant::CpuMap:
    map(LoopLevel::Core, LoopLevel::Serial);
    break;
  case Variant::SimtMap:
    map(LoopLevel::Block, LoopLevel::Thread);
    break;
  }
  if (workspace >= 0)
    combineParts();
  return std::move(program);
}

//===----------------------------------------------------------------------===//
// Sketches
//===----------------------------------------------------------------------===//

void ProgramBuilder::cpuTile() {
  llvm::SmallVector<unsigned, 6> order(parallels);
  if (!schedule.order.empty())
    order.assign(schedule.order.begin(), schedule.order.end());
  bool splitReduction = llvm::any_of(reductions, [&](unsigned d) {
    return outerLevel(task, schedule, d).steps > 1;
  });

  outerBand(LoopLevel::Core, parallels, [&] {
    stageAll(StageLevel::Outer);
    innerBand(LoopLevel::Serial, parallels, 0, [&] {
      auto tile = [&](llvm::function_ref<void()> inside) {
        innerBand(LoopLevel::Serial, order, 1, inside);
      };
      // With the reduction in one piece the accumulator is one register
      // tile; otherwise it must hold a whole cache tile meanwhile.
      if (splitReduction) {
        int acc = cpuAccumulator(/*blocks=*/true);
        tile([&] { init(acc, tileLoops(2)); });
        outerBand(LoopLevel::Serial, reductions, [&] {
          stageAll(StageLevel::Inner);
          tile([&] { update(acc, cpuUpdateLoops()); });
        });
        tile([&] { finish(acc, tileLoops(2)); });
        return;
      }
      stageAll(StageLevel::Inner);
      tile([&] {
        int acc = cpuAccumulator(/*blocks=*/false);
        init(acc, tileLoops(2));
        update(acc, cpuUpdateLoops());
        finish(acc, tileLoops(2));
      });
    });
  });
}

void ProgramBuilder::simtTile() {
  blockBand([&] {
    stageAll(StageLevel::Outer);
    innerBand(LoopLevel::Thread, parallels, 1, [&] {
      int acc = simtAccumulator();
      auto tile = [&](llvm::function_ref<void()> inside) {
        innerBand(LoopLevel::VThread, parallels, 0,
                  [&] { innerBand(LoopLevel::Unroll, parallels, 2, inside); });
      };
      tile([&] { init(acc, tileLoops(3)); });
      outerBand(LoopLevel::Serial, reductions, [&] {
        stageAll(StageLevel::Inner);
        innerBand(LoopLevel::Serial, reductions, 0,
                  [&] { tile([&] { update(acc, simtUpdateLoops()); }); });
      });
      tile([&] { finish(acc, tileLoops(3)); });
    });
  });
}

void ProgramBuilder::map(LoopLevel outer, LoopLevel inner) {
  outerBand(outer, parallels, [&] {
    innerBand(inner, parallels, 0, [&] {
      ComputeNode node;
      node.role = ComputeRole::Map;
      node.statement = task.anchor;
      node.at = enclosing;
      node.loops = tileLoops(1);
      for (const OperandDesc &input : anchor.inputs)
        node.reads.push_back({input.tensor, input.map});
      node.write = {anchor.output.tensor, anchor.output.map};
      body->push_back({std::move(node)});
    });
  });
}

//===----------------------------------------------------------------------===//
// Bands
//===----------------------------------------------------------------------===//

/// The outermost level of `dims`: whatever the factors leave over.
void ProgramBuilder::outerBand(LoopLevel level, Dims dims,
                               llvm::function_ref<void()> inside) {
  BandNode node;
  node.level = level;
  for (unsigned d : dims)
    addLoop(node, d, outerLevel(task, schedule, d).steps, schedule.tileSize(d));
  push(std::move(node), inside);
}

/// Factor `factor` of every dimension in `dims`.
void ProgramBuilder::innerBand(LoopLevel level, Dims dims, unsigned factor,
                               llvm::function_ref<void()> inside) {
  BandNode node;
  node.level = level;
  for (unsigned d : dims)
    addLoop(node, d, schedule.tiles[d][factor],
            schedule.tileSize(d, factor + 1));
  push(std::move(node), inside);
}

void ProgramBuilder::addLoop(BandNode &node, unsigned dim, int64_t trips,
                             int64_t step) {
  if (trips > 1)
    node.loops.push_back({nextLoop++, dim, trips, step});
}

void ProgramBuilder::push(BandNode node, llvm::function_ref<void()> inside) {
  if (node.loops.empty())
    return inside();
  unsigned depth = enclosing.size();
  unsigned sharedDepth = sharedOrigin.size(), acrossDepth = acrossRow.size();
  for (const BandLoop &loop : node.loops) {
    enclosing.push_back(loop.id);
    if (node.level != LoopLevel::Thread)
      sharedOrigin.push_back(loop.id);
    if (node.level != LoopLevel::Thread || !anchor.dims[loop.dim].reduction)
      acrossRow.push_back(loop.id);
  }
  std::vector<Node> *parent = body;
  body = &node.body;
  inside();
  body = parent;
  enclosing.truncate(depth);
  sharedOrigin.truncate(sharedDepth);
  acrossRow.truncate(acrossDepth);
  body->push_back({std::move(node)});
}

TiledProgram pruner::buildTiledProgram(const TaskDesc &task,
                                       const Schedule &schedule) {
  return ProgramBuilder(task, schedule).build();
}
