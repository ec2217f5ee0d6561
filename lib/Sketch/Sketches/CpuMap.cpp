//===- CpuMap.cpp - CPU tasks without a reduction -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//
// S S S: cores, a loop, register tile.
//
//===----------------------------------------------------------------------===//

#include "../GuidedDraw.h"
#include "../ProgramBuilder.h"
#include "../Registry.h"
#include "../ResourceCounter.h"

using namespace pruner;

namespace {

enum : unsigned { Loop = 0, Register = 1 };

constexpr TileLevel kParallel[] = {
    {"loop", LevelKind::Loop},
    {"register", LevelKind::Rows, LevelKind::Vectors}};

class Builder : public ProgramBuilder {
public:
  using ProgramBuilder::ProgramBuilder;

private:
  void nest() override {
    outerBand(LoopLevel::Core, parallels, [&] {
      innerBand(LoopLevel::Serial, parallels, Loop,
                [&] { mapTile(tileLoops(Register)); });
    });
  }
};

class CpuMap final : public SketchWith<Builder> {
public:
  CpuMap()
      : SketchWith(SketchId::CpuMap, "cpu_map", /*gpu=*/false,
                   /*bodyLimit=*/1024, kParallel, {}) {}

  MaybeViolation fits(const TaskDesc &task) const override {
    return fitsAnchor(task, /*reduction=*/false);
  }
  void count(ResourceCounter &c) const override {
    c.used.accumulators = c.product(Register);
    c.used.accumulatorRegisters = ceilDiv(c.used.accumulators, c.lanes());
  }
  void guide(const TileSpace &tiles, Schedule &s,
             Random &random) const override;
  bool setDefault(const TileSpace &tiles, Schedule &s) const override;
};

} // namespace

const Sketch &pruner::cpuMap() {
  static const CpuMap sketch;
  return sketch;
}

void CpuMap::guide(const TileSpace &tiles, Schedule &s, Random &random) const {
  std::optional<unsigned> along = drawVectors(tiles, s, random);
  int64_t rows = 1 + random.uniform(4);
  int64_t widest = along ? tiles.remaining(*along, s.vector) : 1;
  int64_t columns = 1 + random.uniform(std::min<int64_t>(8, widest));
  if (along)
    s.tiles[*along][Register] = columns * s.vector;
  spreadRows(tiles, s, rows, random);
  for (unsigned d = 0; d < s.tiles.size(); ++d)
    fillOuter(tiles, s, d, Register, random);
}

/// Whole rows of the output, a few vectors at a time, because this streams
/// through memory best. The analytical model predicts that elementwise work is
/// limited by bandwidth for all tiles, so it cannot choose among them.
bool CpuMap::setDefault(const TileSpace &tiles, Schedule &s) const {
  auto outputDims = tiles.task().outputDims();
  if (outputDims.empty())
    return false;
  unsigned row = outputDims.back();
  int64_t extent = tiles.dims()[row].extent;
  for (int64_t lanes : tiles.vectors())
    if (lanes <= extent)
      s.vector = std::max(s.vector, lanes);
  int64_t tile = s.vector;
  for (int64_t copies : {2, 4})
    if (extent % (s.vector * copies) == 0)
      tile = s.vector * copies;
  s.tiles[row][Loop] = ceilDiv(extent, tile);
  s.tiles[row][Register] = tile;
  return true;
}
