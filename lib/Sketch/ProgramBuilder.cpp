//===- ProgramBuilder.cpp - build tiled programs from schedules -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ProgramBuilder.h"

#include "llvm/Support/SaveAndRestore.h"

#include <algorithm>

using namespace pruner;

ProgramBuilder::ProgramBuilder(const TaskForms &forms, const Schedule &schedule,
                               ProgramSink &sink)
    : forms(forms), task(forms.task), schedule(schedule),
      anchor(task.anchorStatement()), sink(sink), program(sink.program),
      parallels(forms.parallels), reductions(forms.reductions),
      rastered(forms.parallels), outputDims(forms.outputDims),
      vectorDim(schedule.vectorDim >= 0 ? unsigned(schedule.vectorDim)
                                        : forms.lastDim) {
  program.gpu = sketchOf(schedule).gpu;
  program.dims.assign(task.dims().begin(), task.dims().end());
  program.unrollMaxStep = program.gpu ? schedule.unroll : 0;
  if (auto *d = llvm::find(rastered, unsigned(schedule.raster));
      d != rastered.end())
    std::rotate(d, d + 1, rastered.end());
  addTensors();
  if (schedule.splitsReduction())
    addWorkspace();
  operandBuffer.assign(anchor.inputs.size(), -1);
}

void ProgramBuilder::build() {
  sink.begin();
  sink.beginKernel();
  nest();
  if (workspace >= 0)
    combineParts();
}

//===----------------------------------------------------------------------===//
// Bands
//===----------------------------------------------------------------------===//

/// The outermost level of `dims`: the trips that the factors leave.
void ProgramBuilder::outerBand(LoopLevel level, Dims dims,
                               llvm::function_ref<void()> inside) {
  BandLoops loops;
  for (unsigned d : dims)
    addLoop(loops, d, outerLevel(task, schedule, d).steps,
            schedule.tileSize(d));
  push(level, loops, inside);
}

/// Factor `factor` of every dimension in `dims`.
void ProgramBuilder::innerBand(LoopLevel level, Dims dims, unsigned factor,
                               llvm::function_ref<void()> inside) {
  BandLoops loops;
  for (unsigned d : dims)
    addLoop(loops, d, schedule.tiles[d][factor],
            schedule.tileSize(d, factor + 1));
  push(level, loops, inside);
}

void ProgramBuilder::addLoop(BandLoops &loops, unsigned dim, int64_t trips,
                             int64_t step) {
  if (trips > 1)
    loops.push_back({nextLoop++, dim, trips, step});
}

void ProgramBuilder::push(LoopLevel level, const BandLoops &loops,
                          llvm::function_ref<void()> inside) {
  if (loops.empty())
    return inside();
  llvm::SaveAndRestore inner(innermost, loops.back());
  unsigned depth = enclosing.size();
  unsigned sharedDepth = sharedOrigin.size(), acrossDepth = acrossRow.size();
  for (const BandLoop &loop : loops) {
    enclosing.push_back(loop.id);
    if (level != LoopLevel::Thread)
      sharedOrigin.push_back(loop.id);
    if (level != LoopLevel::Thread || !program.dims[loop.dim].reduction)
      acrossRow.push_back(loop.id);
  }
  sink.beginBand(level, loops);
  inside();
  sink.endBand();
  enclosing.truncate(depth);
  sharedOrigin.truncate(sharedDepth);
  acrossRow.truncate(acrossDepth);
}
