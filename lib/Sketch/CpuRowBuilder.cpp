//===- CpuRowBuilder.cpp - statements along rows on CPUs ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CpuRowBuilder.h"

#include "llvm/ADT/STLExtras.h"

using namespace pruner;

/// Whole vectors.
void CpuRowBuilder::addAlong(BufferDesc &buffer, unsigned coord, unsigned dim) {
  int64_t tile = schedule.tiles[dim].back();
  buffer.shape.push_back(ceilDiv(program.dims[dim].extent, tile) * tile);
  buffer.layout.push_back({coord, 1, 0});
}

void CpuRowBuilder::tileBand(Dims dims, llvm::function_ref<void()> inside) {
  BandLoops loops;
  for (unsigned d : dims) {
    int64_t tile = schedule.tiles[d].back();
    addLoop(loops, d, ceilDiv(program.dims[d].extent, tile), tile);
  }
  push(LoopLevel::Serial, loops, inside);
}

void CpuRowBuilder::mapAlong(ComputeNode node) {
  int64_t lanes = schedule.vector;
  for (unsigned d : reductions)
    if (d != vectorDim)
      node.loops.push_back({d, schedule.tiles[d].back(), 1, LoopLevel::Unroll});
  int64_t size = schedule.tiles[*vectorDim].back();
  if (size > lanes)
    node.loops.push_back({*vectorDim, size / lanes, lanes, LoopLevel::Unroll});
  node.loops.push_back({*vectorDim, lanes, 1, LoopLevel::Vector});
  if (schedule.prefetch && !fetchedAhead)
    fetchAhead(node);
  alongBand([&] {
    node.at = enclosing;
    sink.add(node);
  });
}

/// Makes `node` prefetch the next rows, if it reads rows of arguments. The next
/// rows are those along the innermost dimension that one group of rows does not
/// cover.
void CpuRowBuilder::fetchAhead(ComputeNode &node) {
  for (unsigned d : llvm::reverse(parallels)) {
    if (schedule.tiles[d].back() >= program.dims[d].extent)
      continue;
    fetchedAhead = llvm::any_of(node.reads, [&](const TileAccess &read) {
      return program.buffers[read.buffer].argument >= 0 &&
             llvm::any_of(*read.map,
                          [&](const LinearExpr &expr) { return expr.uses(d); });
    });
    if (!fetchedAhead)
      return;
    node.prefetchDim = d;
    node.prefetchBy = schedule.prefetch * schedule.tiles[d].back();
    return;
  }
}

void CpuRowBuilder::reduceAlong(ComputeNode node) {
  int64_t lanes = schedule.vector;
  for (unsigned d : reductions)
    if (d != vectorDim)
      node.loops.push_back({d, program.dims[d].extent, 1, LoopLevel::Serial});
  node.loops.push_back({*vectorDim,
                        ceilDiv(program.dims[*vectorDim].extent, lanes), lanes,
                        LoopLevel::Serial});
  llvm::append_range(node.loops, rowLoops());
  node.loops.push_back({*vectorDim, lanes, 1, LoopLevel::Vector});
  node.unroll = schedule.unroll;
  sink.add(node);
}
