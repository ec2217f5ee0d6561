//===- CpuTile.cpp - CPU tasks with a reduction ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//
// S S R S R S: cores, cache tile, outer reduction, register blocks, inner
// reduction, register tile (unrolled x vector).
//
//===----------------------------------------------------------------------===//

#include "../GuidedDraw.h"
#include "../ProgramBuilder.h"
#include "../Registry.h"
#include "../ResourceCounter.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace pruner;

namespace {

enum : unsigned { Cache = 0, Block = 1, Register = 2, Slice = 0 };

constexpr TileLevel kParallel[] = {
    {"cache", LevelKind::Loop},
    {"block", LevelKind::Loop},
    {"register", LevelKind::Rows, LevelKind::Vectors}};
constexpr TileLevel kReduction[] = {
    {"slice", LevelKind::Loop, LevelKind::Lanes}};

class Builder : public ProgramBuilder {
public:
  Builder(const TaskForms &forms, const Schedule &schedule, ProgramSink &sink)
      : ProgramBuilder(forms, schedule, sink),
        use(instructionUse(task, schedule)) {}

private:
  void nest() override;
  int registerTiles(bool blocks);
  void accumulate(int acc);
  BoxLoops updateLoops();

  std::optional<InstructionUse> use;
};

class CpuTile final : public SketchWith<Builder> {
public:
  CpuTile()
      : SketchWith(SketchId::CpuTile, "cpu_tile", /*gpu=*/false,
                   /*bodyLimit=*/1024, kParallel, kReduction) {}

  bool tilesReduction() const override { return true; }
  MaybeViolation fits(const TaskDesc &task) const override {
    return fitsAnchor(task, /*reduction=*/true);
  }
  void count(ResourceCounter &counter) const override;
  void guide(const TileSpace &tiles, Schedule &schedule,
             Random &random) const override;
};

} // namespace

const Sketch &pruner::cpuTile() {
  static const CpuTile sketch;
  return sketch;
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

void Builder::nest() {
  DimList order(parallels);
  if (!schedule.order.empty())
    order.assign(schedule.order.begin(), schedule.order.end());
  bool splitReduction = llvm::any_of(reductions, [&](unsigned d) {
    return outerLevel(task, schedule, d).steps > 1;
  });

  outerBand(LoopLevel::Core, rastered, [&] {
    stageAll(StageLevel::Outer);
    innerBand(LoopLevel::Serial, parallels, Cache, [&] {
      auto tile = [&](llvm::function_ref<void()> inside) {
        innerBand(LoopLevel::Serial, order, Block, inside);
      };
      // If the reduction is not split, the accumulator is one register tile.
      // Otherwise it must hold a whole cache tile between the pieces.
      if (splitReduction) {
        int acc = registerTiles(/*blocks=*/true);
        tile([&] { init(acc, tileLoops(Register)); });
        outerBand(LoopLevel::Serial, reductions, [&] {
          stageAll(StageLevel::Inner);
          tile([&] { accumulate(acc); });
        });
        tile([&] { finish(acc, tileLoops(Register), schedule.prefetch > 0); });
        return;
      }
      stageAll(StageLevel::Inner);
      tile([&] {
        int acc = registerTiles(/*blocks=*/false);
        init(acc, tileLoops(Register));
        accumulate(acc);
        finish(acc, tileLoops(Register), schedule.prefetch > 0);
      });
    });
  });
}

int Builder::registerTiles(bool blocks) {
  return ProgramBuilder::registerTiles(
      anchor.output, vectorDim, [&](unsigned d) {
        return blocks ? schedule.tiles[d][Block] : int64_t(1);
      });
}

/// Operands that lanes reduce are not in panels, so nothing is prefetched.
void Builder::accumulate(int acc) {
  bool reduces = vectorDim && anchor.dims[*vectorDim].reduction;
  update(acc, updateLoops(),
         schedule.prefetch && !reduces ? panelDimension(task, schedule)
                                       : std::nullopt,
         use ? use->instruction : nullptr);
}

/// The reduction around the register tile. Vectors along a reduction dimension
/// are its innermost steps, each of all lanes. A matrix instruction takes
/// several terms of a sum in a step.
ProgramBuilder::BoxLoops Builder::updateLoops() {
  BoxLoops loops;
  for (unsigned d : reductions) {
    int64_t terms = use && use->sumDim == d ? use->sums : 1;
    if (d != vectorDim)
      loops.push_back(
          {d, schedule.tiles[d][Slice] / terms, terms, LoopLevel::Serial});
  }
  if (use) {
    llvm::append_range(loops, loopsBy(*use, tileLoops(Register)));
    return loops;
  }
  if (!vectorDim || !anchor.dims[*vectorDim].reduction) {
    llvm::append_range(loops, tileLoops(Register));
    return loops;
  }
  int64_t lanes = schedule.vector;
  loops.push_back({*vectorDim, schedule.tiles[*vectorDim][Slice] / lanes, lanes,
                   LoopLevel::Serial});
  llvm::append_range(loops, tileLoops(Register));
  loops.push_back({*vectorDim, lanes, 1, LoopLevel::Vector});
  return loops;
}

//===----------------------------------------------------------------------===//
// Resources
//===----------------------------------------------------------------------===//

/// One register per vector of the register tile; each lane of a reduced vector
/// accumulates separately. An operand that runs along vectors is used by every
/// row of the tile, so its vectors are held. All others are broadcast one
/// element at a time and share one register. If the reduction is split, a whole
/// cache tile of accumulators lives between the pieces.
void CpuTile::count(ResourceCounter &c) const {
  int64_t lanes = c.lanes();
  int64_t tile = c.product(Register);
  bool reduces = c.vectorDim && c.anchor.dims[*c.vectorDim].reduction;
  c.used.accumulators = tile * (reduces ? lanes : 1);
  c.used.accumulatorRegisters = ceilDiv(c.used.accumulators, lanes);
  bool shared = false;
  for (const OperandDesc &input : c.anchor.inputs) {
    if (!reduces && c.vectorDim && ResourceCounter::uses(input, *c.vectorDim))
      c.used.operandRegisters +=
          ceilDiv(c.schedule.tiles[*c.vectorDim][Register], lanes);
    else
      shared = true;
  }
  c.used.operandRegisters += shared;
  std::optional<InstructionUse> use = instructionUse(c.task, c.schedule);
  // Sums of b, one for each of its vectors.
  if (use && use->shiftsA)
    c.used.accumulatorRegisters +=
        c.schedule.tiles[*c.vectorDim][Register] / lanes;
  // Products before their addition.
  c.used.operandRegisters += use && use->instruction->addsApart();
  // All tiles of the factor that has fewer are held, and one of the other. In
  // a batch, both factors have tiles of their own for each element.
  if (use && use->instruction->isTile()) {
    int64_t sums = tile / lanes / use->rows, held = sums;
    for (const OperandDesc &input : c.anchor.inputs) {
      int64_t distinct = 1;
      for (auto [d, dim] : llvm::enumerate(c.anchor.dims))
        if (!dim.reduction && ResourceCounter::uses(input, d))
          distinct *=
              c.schedule.tiles[d][Register] / (d == *c.vectorDim  ? lanes
                                               : d == use->rowDim ? use->rows
                                                                  : 1);
      held = std::min(held, distinct);
    }
    c.used.tiles = sums + held + 1;
    c.used.accumulatorRegisters = c.used.operandRegisters = 0;
  }
  int64_t blocks = c.splitReduction ? c.product(Block) : 1;
  c.used.localBytes = tile * blocks * c.outputBytes() + c.stagedBytes().first;
}

//===----------------------------------------------------------------------===//
// Guided draws
//===----------------------------------------------------------------------===//

/// Draws register tiles of rows and columns of tile registers that fit, mostly
/// two by two, which need the fewest loads for each product.
static void guideTiles(const TileSpace &tiles, Schedule &s,
                       const InstructionUse &use, Random &random) {
  constexpr std::pair<int64_t, int64_t> kShapes[] = {
      {2, 2}, {2, 2}, {2, 2}, {1, 4}, {4, 1}, {1, 3}, {1, 2},
      {3, 1}, {2, 1}, {1, 5}, {5, 1}, {1, 6}, {6, 1}, {1, 1}};
  auto [rows, columns] = pick(kShapes, random);
  unsigned along = *tiles.vectorDimOf(s);
  s.tiles[use.rowDim][Register] =
      use.rows * std::min(rows, tiles.remaining(use.rowDim, use.rows));
  s.tiles[along][Register] =
      s.vector * std::min(columns, tiles.remaining(along, s.vector));
  for (auto [d, dim] : llvm::enumerate(tiles.dims()))
    fillOuter(tiles, s, d, dim.reduction ? 1 : Register, random);
}

/// Draws the vectors along the output's innermost dimension, and as many rows
/// as then fit into the registers, or a few less.
void CpuTile::guide(const TileSpace &tiles, Schedule &s, Random &random) const {
  const StatementDesc &anchor = tiles.task().anchorStatement();
  std::optional<unsigned> along = drawVectors(tiles, s, random);
  if (auto use = instructionUse(tiles.task(), s);
      use && use->instruction->isTile())
    return guideTiles(tiles, s, *use, random);
  int64_t widest = along ? tiles.remaining(*along, s.vector) : 1;
  random.uniform(4); // Unused; keeps the random numbers of a seed.
  // As in rule R11: accumulators, the vectors of each operand that runs along
  // them, and one register for all others.
  int64_t held = 0, shared = 0;
  for (const OperandDesc &input : anchor.inputs)
    (along && ResourceCounter::uses(input, *along) ? held : shared) += 1;
  int64_t registers = std::max<int64_t>(2, tiles.machine().vectorRegisters);
  registers -= shared > 0;
  int64_t most = std::clamp<int64_t>(registers / (1 + held), 1, widest);
  // One to four vectors: more columns leave too few rows to pay for them.
  if (chance(random, 70))
    most = std::min<int64_t>(most, 4);
  int64_t columns = 1 + random.uniform(most);
  int64_t fit = std::max<int64_t>(1, registers / columns - held);
  int64_t rows = chance(random, 70) ? fit - random.uniform(fit / 4 + 1)
                                    : 1 + random.uniform(fit);
  if (along)
    s.tiles[*along][Register] = columns * s.vector;
  spreadRows(tiles, s, rows, random);
  for (unsigned d = 0; d < anchor.dims.size(); ++d)
    fillOuter(tiles, s, d, anchor.dims[d].reduction ? 1 : Register, random);
}
