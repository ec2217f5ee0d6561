//===- CpuRow.cpp - CPU chains over rows ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//
// S S S: cores, a loop, rows at a time; along a row as many elements at a time
// as the reduction factors give.
//
//===----------------------------------------------------------------------===//

#include "../CpuRowBuilder.h"
#include "../GuidedDraw.h"
#include "../Registry.h"
#include "../ResourceCounter.h"

#include "llvm/ADT/STLExtras.h"

using namespace pruner;

namespace {

enum : unsigned { Loop = 0, Rows = 1, Along = 0 };

constexpr TileLevel kParallel[] = {{"loop", LevelKind::Loop},
                                   {"rows", LevelKind::Rows}};
constexpr TileLevel kReduction[] = {
    {"along rows", LevelKind::Rows, LevelKind::Vectors}};

class Builder : public CpuRowBuilder {
public:
  using CpuRowBuilder::CpuRowBuilder;

private:
  void nest() override {
    outerBand(LoopLevel::Core, parallels, [&] {
      innerBand(LoopLevel::Serial, parallels, Loop,
                [&] { chain(forms.inPlace); });
    });
  }
};

class CpuRow final : public SketchWith<Builder> {
public:
  CpuRow()
      : SketchWith(SketchId::CpuRow, "cpu_row", /*gpu=*/false,
                   /*bodyLimit=*/1024, kParallel, kReduction) {}

  MaybeViolation fits(const TaskDesc &task) const override {
    return fitsRows(task, /*rows=*/true);
  }
  llvm::SmallVector<int64_t, 6>
  registerTile(const TaskDesc &task, const Schedule &schedule) const override;
  void count(ResourceCounter &c) const override;
  void guide(const TileSpace &tiles, Schedule &s,
             Random &random) const override;
};

} // namespace

const Sketch &pruner::cpuRow() {
  static const CpuRow sketch;
  return sketch;
}

//===----------------------------------------------------------------------===//
// Resources
//===----------------------------------------------------------------------===//

llvm::SmallVector<int64_t, 6>
CpuRow::registerTile(const TaskDesc &task, const Schedule &schedule) const {
  auto tile = Sketch::registerTile(task, schedule);
  const auto &dims = task.anchorStatement().dims;
  for (unsigned d = 0; d < dims.size(); ++d)
    if (dims[d].reduction)
      tile.push_back(schedule.tiles[d][Along]);
  return tile;
}

void CpuRow::count(ResourceCounter &c) const {
  c.used.accumulators = c.product(Rows) * c.product(Along, /*reduction=*/true);
  c.used.accumulatorRegisters = ceilDiv(c.used.accumulators, c.lanes());
  c.used.localBytes = c.rowBytes(statementInPlace(c.task), [&](unsigned d) {
    int64_t tile = c.schedule.tiles[d][Along];
    return ceilDiv(c.anchor.dims[d].extent, tile) * tile;
  });
}

/// A few rows and a few vectors along them at a time: chains of dependent
/// operations overlap, and everything stays in registers.
void CpuRow::guide(const TileSpace &tiles, Schedule &s, Random &random) const {
  drawVectors(tiles, s, random);
  unsigned along = *tiles.lastDim();
  int64_t columns = tiles.remaining(along, s.vector);
  s.tiles[along][Along] =
      (1 + random.uniform(std::min<int64_t>(4, columns))) * s.vector;
  spreadRows(tiles, s, 1 + random.uniform(8), random);
  for (unsigned d = 0; d < s.tiles.size(); ++d)
    if (!tiles.dims()[d].reduction)
      fillOuter(tiles, s, d, Rows, random);
}
