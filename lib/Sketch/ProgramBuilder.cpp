//===- ProgramBuilder.cpp - from schedule to tiled program ----------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"

#include <algorithm>

using namespace pruner;

ProgramBuilder::ProgramBuilder(const TaskDesc &task, const Schedule &schedule)
    : task(task), schedule(schedule), anchor(task.anchorStatement()),
      outputDims(task.outputDims()),
      vectorDim(vectorDimension(task, schedule)) {
  body = &program.kernels.emplace_back();
  program.gpu = sketchOf(schedule).gpu;
  program.dims.assign(anchor.dims.begin(), anchor.dims.end());
  if (program.gpu)
    program.unrollMaxStep = schedule.unroll;
  for (unsigned d = 0; d < anchor.dims.size(); ++d)
    (anchor.dims[d].reduction ? reductions : parallels).push_back(d);
  rastered = parallels;
  if (auto *d = llvm::find(rastered, unsigned(schedule.raster));
      d != rastered.end())
    std::rotate(d, d + 1, rastered.end());
  for (const TensorDesc &tensor : task.tensors)
    program.buffers.push_back(globalBuffer(tensor));
  layOutPacked();
  if (schedule.splitsReduction())
    addWorkspace();
  operandBuffer.assign(anchor.inputs.size(), -1);
}

TiledProgram ProgramBuilder::build() {
  nest();
  if (workspace >= 0)
    combineParts();
  return std::move(program);
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
