//===- SplitReduction.cpp - reductions that blocks share ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Split-K: if the output has too few tiles for all units of a GPU, several
// blocks share one. Each writes its partial result to a workspace, an
// additional argument of the kernel's function. A second kernel combines them
// in a fixed order, so the result does not depend on the order of the blocks.

#include "ProgramBuilder.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace pruner;

/// Threads of a block of the second kernel, each with one element.
static constexpr int64_t kCombineThreads = 256;

OuterLevel pruner::outerLevel(const TaskDesc &task, const Schedule &schedule,
                              unsigned dim) {
  llvm::ArrayRef<IterDim> dims = task.dims();
  int64_t trips = ceilDiv(dims[dim].extent, schedule.tileSize(dim));
  if (!dims[dim].reduction || schedule.split.empty())
    return {1, trips};
  unsigned number =
      llvm::count_if(dims.take_front(dim),
                     [](const IterDim &before) { return before.reduction; });
  int64_t steps = ceilDiv(trips, schedule.split[number]);
  return {ceilDiv(trips, steps), steps};
}

int64_t pruner::workspaceElements(const TaskDesc &task,
                                  const Schedule &schedule) {
  if (!schedule.splitsReduction())
    return 0;
  const StatementDesc &anchor = task.anchorStatement();
  int64_t elements = task.tensors[anchor.output.tensor].elements();
  for (unsigned d = 0; d < anchor.dims.size(); ++d)
    elements *= outerLevel(task, schedule, d).parts;
  return elements;
}

/// One output tensor for each part. As a tensor it has a coordinate for each
/// reduction dimension that is split; there is memory only for the beginning of
/// every part.
void ProgramBuilder::addWorkspace() {
  const TensorDesc &output = task.tensors[anchor.output.tensor];
  BufferDesc buffer;
  int last = -1;
  for (const TensorDesc &tensor : task.tensors)
    last = std::max(last, tensor.argument);
  buffer.argument = last + 1;
  buffer.workspace = true;
  buffer.name = "arg" + std::to_string(buffer.argument);
  buffer.type = output.type;
  buffer.tensorShape = output.shape;
  auto map = std::make_shared<AccessMap>(anchor.output.map);
  for (unsigned d : reductions) {
    OuterLevel outer = outerLevel(task, schedule, d);
    if (outer.parts == 1)
      continue;
    buffer.layout.push_back({unsigned(buffer.tensorShape.size()),
                             outer.steps * schedule.tileSize(d), 0});
    buffer.shape.push_back(outer.parts);
    buffer.tensorShape.push_back(anchor.dims[d].extent);
    map->push_back(identityMap(anchor.dims.size())[d]);
  }
  for (unsigned r = 0; r < output.shape.size(); ++r) {
    buffer.layout.push_back({r, 1, 0});
    buffer.shape.push_back(output.shape[r]);
  }
  partMap = map.get();
  program.maps.push_back(std::move(map));
  workspace = program.buffers.size();
  program.buffers.push_back(std::move(buffer));
}

/// The blocks of a kernel: tiles of the output and, for each, the parts of the
/// reduction.
void ProgramBuilder::blockBand(llvm::function_ref<void()> inside) {
  BandLoops loops;
  for (unsigned d : reductions) {
    OuterLevel outer = outerLevel(task, schedule, d);
    addLoop(loops, d, outer.parts, outer.steps * schedule.tileSize(d));
  }
  for (unsigned d : rastered)
    addLoop(loops, d, outerLevel(task, schedule, d).steps,
            schedule.tileSize(d));
  push(LoopLevel::Block, loops, inside);
}

/// The second kernel. Threads are neighbors along the output's last
/// coordinates.
void ProgramBuilder::combineParts() {
  combining = true;
  sink.beginKernel();
  llvm::SmallVector<int64_t, 6> threads(anchor.dims.size(), 1);
  int64_t left = kCombineThreads;
  for (unsigned d : llvm::reverse(outputDims)) {
    threads[d] = std::min(left, anchor.dims[d].extent);
    left /= threads[d];
  }
  BandLoops blocks, block;
  for (unsigned d : parallels) {
    addLoop(blocks, d, ceilDiv(anchor.dims[d].extent, threads[d]), threads[d]);
    addLoop(block, d, threads[d], 1);
  }
  push(LoopLevel::Block, blocks, [&] {
    push(LoopLevel::Thread, block, [&] {
      BufferDesc buffer = accumulator(MemoryLevel::Local);
      for (unsigned r = 0; r < outputDims.size(); ++r)
        addWithin(buffer, r, 1, 0);
      int acc = addAlloc(std::move(buffer));
      init(acc, {});
      ComputeNode node;
      node.role = ComputeRole::Update;
      node.statement = task.anchor;
      node.combines = true;
      node.at = enclosing;
      for (unsigned d : reductions) {
        OuterLevel outer = outerLevel(task, schedule, d);
        if (outer.parts > 1)
          node.loops.push_back({d, outer.parts,
                                outer.steps * schedule.tileSize(d),
                                LoopLevel::Serial});
      }
      node.reads.push_back({workspace, partMap});
      node.write = accessAccumulator(acc);
      sink.add(node);
      finish(acc, {});
    });
  });
}
