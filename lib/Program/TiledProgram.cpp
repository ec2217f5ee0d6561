//===- TiledProgram.cpp - the tiled program as plain data -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Program/TiledProgram.h"

#include "llvm/ADT/STLExtras.h"

using namespace pruner;

llvm::StringRef pruner::loopLevelName(LoopLevel level) {
  switch (level) {
  case LoopLevel::Core:
    return "core";
  case LoopLevel::Block:
    return "block";
  case LoopLevel::Thread:
    return "thread";
  case LoopLevel::VThread:
    return "vthread";
  case LoopLevel::Serial:
    return "serial";
  case LoopLevel::Unroll:
    return "unroll";
  case LoopLevel::Vector:
    return "vector";
  case LoopLevel::Dot:
    return "dot";
  case LoopLevel::Rows:
    return "rows";
  }
  return "";
}

llvm::StringRef pruner::memoryLevelName(MemoryLevel level) {
  switch (level) {
  case MemoryLevel::Global:
    return "global";
  case MemoryLevel::Shared:
    return "shared";
  case MemoryLevel::Local:
    return "local";
  }
  return "";
}

int64_t BufferDesc::elements() const {
  return llvm::product_of(shape, int64_t(1));
}

bool BufferDesc::isPackedArgument() const {
  if (argument < 0)
    return false;
  for (unsigned r = 0; r < layout.size(); ++r)
    if (!(layout[r] == LayoutTerm{r, 1, 0}))
      return true;
  return shape != tensorShape;
}

int64_t BufferDesc::address(llvm::ArrayRef<int64_t> coords) const {
  int64_t address = 0;
  for (unsigned p = 0; p < shape.size(); ++p) {
    const LayoutTerm &term = layout[p];
    int64_t index = coords[term.coord];
    if (term.div != 1)
      index /= term.div;
    if (term.mod)
      index %= term.mod;
    address = address * shape[p] + index;
  }
  return address;
}

int64_t pruner::accumulatorSets(int64_t copies, int64_t accumulators) {
  // Two per cycle, with a latency of four cycles.
  constexpr int64_t kMostChains = 8;
  int64_t sets = 1;
  while (copies % (2 * sets) == 0 && 2 * sets * accumulators <= kMostChains)
    sets *= 2;
  return sets;
}

int64_t pruner::sharedBytesOf(int64_t elements, int64_t elementBytes,
                              int64_t buffers) {
  constexpr int64_t alignment = 16;
  int64_t bytes = elements * elementBytes;
  return buffers == 1
             ? bytes
             : buffers * ((bytes + alignment - 1) / alignment * alignment);
}

static void copyThroughRegisters(std::vector<Node> &nodes) {
  for (Node &node : nodes) {
    if (auto *band = std::get_if<BandNode>(&node.value))
      copyThroughRegisters(band->body);
    else if (auto *stage = std::get_if<StageNode>(&node.value))
      stage->async = false;
  }
}

void pruner::copyThroughRegisters(TiledProgram &program) {
  for (std::vector<Node> &nodes : program.kernels)
    ::copyThroughRegisters(nodes);
}

static void replay(const std::vector<Node> &nodes, ProgramSink &sink) {
  for (const Node &node : nodes) {
    if (const auto *band = std::get_if<BandNode>(&node.value)) {
      sink.beginBand(band->level, band->loops);
      replay(band->body, sink);
      sink.endBand();
    } else if (const auto *alloc = std::get_if<AllocNode>(&node.value)) {
      sink.add(*alloc);
    } else if (const auto *stage = std::get_if<StageNode>(&node.value)) {
      sink.add(*stage);
    } else {
      sink.add(std::get<ComputeNode>(node.value));
    }
  }
}

void pruner::replay(const TiledProgram &program, ProgramSink &sink) {
  sink.program = {program.gpu, program.dims,          program.buffers,
                  {},          program.unrollMaxStep, program.maps};
  sink.begin();
  for (const std::vector<Node> &kernel : program.kernels) {
    sink.beginKernel();
    ::replay(kernel, sink);
  }
}
