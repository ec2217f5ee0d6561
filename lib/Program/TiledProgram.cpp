//===- TiledProgram.cpp - the tiled program as plain data -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Program/TiledProgram.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <array>

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

/// The share of the executions of a tile in which coordinate `coord` is from 0
/// to `extent - 1` somewhere. `spans` are the sides of the tile.
static double shareInside(const LinearExpr &coord, int64_t extent,
                          llvm::ArrayRef<IterDim> dims,
                          llvm::ArrayRef<int64_t> spans) {
  // A position of a result, and a tap of its window.
  struct Steps {
    int64_t number = 1, distance = 0;
  };
  std::array<Steps, 2> used;
  unsigned count = 0;
  int64_t length = 0;
  for (auto [coeff, dim, span] : llvm::zip_equal(coord.coeffs, dims, spans)) {
    if (coeff == 0)
      continue;
    if (coeff < 0 || count == used.size())
      return 1;
    used[count++] = {int64_t(llvm::divideCeil(dim.extent, span)), coeff * span};
    length += coeff * (span - 1);
  }
  if (count == 0)
    return 1;
  auto [positions, taps] = used;
  if (positions.number < taps.number)
    std::swap(positions, taps);
  int64_t inside = 0;
  for (int64_t tap = 0; tap < taps.number; ++tap) {
    int64_t first = coord.constant + tap * taps.distance;
    int64_t below = std::max<int64_t>(
        0,
        llvm::divideFloorSigned(-(first + length) - 1, positions.distance) + 1);
    int64_t end = std::min(
        positions.number,
        llvm::divideFloorSigned(extent - 1 - first, positions.distance) + 1);
    inside += std::max<int64_t>(0, end - below);
  }
  return double(inside) / double(positions.number * taps.number);
}

double InsideBox::share(llvm::ArrayRef<IterDim> dims,
                        llvm::ArrayRef<BoxLoop> tile, int64_t unroll) const {
  llvm::SmallVector<int64_t, 8> spans(dims.size(), 1);
  bool isWhole = unroll > 1;
  for (const BoxLoop &loop : llvm::reverse(tile)) {
    bool isSerial = loop.level == LoopLevel::Serial;
    if (!isSerial || isWhole)
      spans[loop.dim] += (loop.extent - 1) * loop.step;
    isWhole &= !isSerial;
  }
  double share = 1;
  for (auto [coord, extent] : llvm::zip_equal(map, shape))
    share *= shareInside(coord, extent, dims, spans);
  return share;
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
