//===- SimtTile.cpp - GPU tasks with a reduction --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//
// S S S R R S R S: blocks, virtual threads, threads, outer reduction (staged),
// inner reduction, and a register tile of two levels around the innermost
// reduction.
//
// With a matrix instruction the register tile is the part of the products of
// its warp that a lane holds (Program/WarpInstruction.h). Warps, and the lanes
// of a warp, are then separate digits of the number of a thread, and the copies
// of a tile lie between them: the tile of a warp is contiguous.
//
//===----------------------------------------------------------------------===//

#include "../GuidedDraw.h"
#include "../ProgramBuilder.h"
#include "../Registry.h"
#include "../ResourceCounter.h"
#include "../WarpTiles.h"

#include "llvm/ADT/STLExtras.h"

#include <tuple>

using namespace pruner;
using namespace pruner::simt_tile;
using detail::broken;
using detail::text;

namespace {

constexpr TileLevel kParallel[] = {{"vthread", LevelKind::VThreads},
                                   {"thread", LevelKind::Threads},
                                   {"copies", LevelKind::Copies},
                                   {"element", LevelKind::Copies}};
constexpr TileLevel kReduction[] = {
    {"slice", LevelKind::Loop},
    {"step", LevelKind::Step, /*alongVectors=*/LevelKind::Vectors}};

class Builder : public ProgramBuilder {
public:
  Builder(const TaskForms &forms, const Schedule &schedule, ProgramSink &sink)
      : ProgramBuilder(forms, schedule, sink),
        use(instructionUse(task, schedule)) {}

private:
  void nest() override;
  int64_t stagingThreads() const override;
  int64_t lanes(unsigned dim) const {
    return use ? lanesAlong(*use, task, dim) : 1;
  }
  /// Elements between neighboring copies of the register tile.
  int64_t copyStep(unsigned dim) const {
    return lanes(dim) * schedule.tiles[dim][Element];
  }
  void threadBand(llvm::function_ref<void()> inside);
  void copyBand(llvm::function_ref<void()> inside);
  int threadElements();
  BoxLoops updateLoops();

  std::optional<InstructionUse> use;
};

class SimtTile final : public SketchWith<Builder> {
public:
  SimtTile()
      : SketchWith(SketchId::SimtTile, "simt_tile", /*gpu=*/true,
                   /*bodyLimit=*/0, kParallel, kReduction) {}

  bool tilesReduction() const override { return true; }
  MaybeViolation fits(const TaskDesc &task) const override {
    return fitsAnchor(task, /*reduction=*/true);
  }
  MaybeViolation check(const TaskDesc &task,
                       const Schedule &schedule) const override;
  void count(ResourceCounter &c) const override;
  unsigned share(const TaskDesc &task) const override {
    return 100 - shareAcrossThreads(task);
  }
  void guide(const TileSpace &tiles, Schedule &s,
             Random &random) const override;
  void adjust(const TaskDesc &task, Schedule &s) const override {
    adjustWarpTiles(task, s);
  }
};

} // namespace

const Sketch &pruner::simtTile() {
  static const SimtTile sketch;
  return sketch;
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

void Builder::nest() {
  blockBand([&] {
    stageAll(StageLevel::Outer);
    threadBand([&] {
      int acc = threadElements();
      auto tile = [&](llvm::function_ref<void()> inside) {
        innerBand(LoopLevel::VThread, parallels, VThread,
                  [&] { copyBand(inside); });
      };
      tile([&] { init(acc, tileLoops(Element)); });
      outerBand(LoopLevel::Serial, reductions, [&] {
        stageAll(StageLevel::Inner);
        innerBand(LoopLevel::Serial, reductions, Slice, [&] {
          tile([&] {
            update(acc, updateLoops(), std::nullopt,
                   use ? use->instruction : nullptr);
          });
        });
      });
      tile([&] { finish(acc, tileLoops(Element)); });
    });
  });
}

/// With an instruction the lanes of a warp are the last digits.
void Builder::threadBand(llvm::function_ref<void()> inside) {
  if (!use)
    return innerBand(LoopLevel::Thread, parallels, Thread, inside);
  BandLoops loops;
  for (unsigned d : parallels)
    addLoop(loops, d, schedule.tiles[d][Thread] / lanes(d),
            copyStep(d) * schedule.tiles[d][Copies]);
  for (unsigned d : {use->rowDim, *vectorDim})
    addLoop(loops, d, lanes(d), schedule.tiles[d][Element]);
  push(LoopLevel::Thread, loops, inside);
}

void Builder::copyBand(llvm::function_ref<void()> inside) {
  BandLoops loops;
  for (unsigned d : parallels)
    addLoop(loops, d, schedule.tiles[d][Copies], copyStep(d));
  push(LoopLevel::Unroll, loops, inside);
}

int64_t Builder::stagingThreads() const {
  int64_t product = 1;
  for (unsigned d : parallels)
    product *= schedule.tiles[d][Thread];
  return product;
}

/// The elements of one thread. Those of its virtual threads are far apart in
/// the tensor but adjacent here.
int Builder::threadElements() {
  BufferDesc buffer = accumulator(MemoryLevel::Local);
  Dims dims = outputDims;
  for (unsigned r = 0; r < dims.size(); ++r) {
    int64_t vthreads = schedule.tiles[dims[r]][VThread];
    int64_t spread = schedule.tileSize(dims[r], Thread);
    if (vthreads > 1) {
      buffer.shape.push_back(vthreads);
      buffer.layout.push_back({r, spread, 0});
    }
    int64_t inside = vthreads > 1 ? spread : 0, step = copyStep(dims[r]);
    if (lanes(dims[r]) == 1) {
      addWithin(buffer, r, schedule.tileSize(dims[r], Copies), inside);
      continue;
    }
    if (int64_t copies = schedule.tiles[dims[r]][Copies]; copies > 1) {
      buffer.shape.push_back(copies);
      buffer.layout.push_back({r, step, inside / step});
    }
    int64_t element = schedule.tiles[dims[r]][Element];
    addWithin(buffer, r, element, element);
  }
  return addAlloc(std::move(buffer));
}

ProgramBuilder::BoxLoops Builder::updateLoops() {
  BoxLoops loops;
  for (unsigned d : reductions) {
    int64_t sums = use && d == use->sumDim ? use->sums : 1;
    loops.push_back(
        {d, schedule.tiles[d][Step] / sums, sums, LoopLevel::Serial});
  }
  llvm::append_range(loops, tileLoops(Element));
  if (use)
    loops.push_back({use->sumDim, use->sums, 1, LoopLevel::Dot});
  return loops;
}

//===----------------------------------------------------------------------===//
// Resources and guided draws
//===----------------------------------------------------------------------===//

/// R27: threads and elements are those of the lanes of warps, and copies have
/// all rows of an instruction.
MaybeViolation SimtTile::check(const TaskDesc &task, const Schedule &s) const {
  std::optional<InstructionUse> use = instructionUse(task, s);
  if (!use)
    return std::nullopt;
  const WarpInstruction &instruction = *WarpInstruction::of(use->instruction);
  for (unsigned d = 0; d < s.tiles.size(); ++d) {
    if (task.anchorStatement().dims[d].reduction)
      continue;
    bool alongRows = d == use->rowDim;
    int64_t lanes = lanesAlong(*use, task, d),
            element =
                lanes == 1 || alongRows ? 1 : WarpInstruction::kLaneColumns;
    auto violated = [&](const char *what, int64_t has,
                        const std::string &expected) {
      return broken(27, "dimension " + text(d) + " has " + text(has) + " " +
                            what + ", " + instruction.name.str() + " needs " +
                            expected);
    };
    if (lanes > 1 && s.tiles[d][Element] != element)
      return violated("elements", s.tiles[d][Element], text(element));
    if (s.tiles[d][Thread] % lanes != 0)
      return violated("threads", s.tiles[d][Thread],
                      "a multiple of " + text(lanes));
    if (alongRows && s.tiles[d][Copies] % instruction.rowParts() != 0)
      return violated("copies", s.tiles[d][Copies],
                      "a multiple of " + text(instruction.rowParts()));
  }
  return std::nullopt;
}

/// The accumulators of a thread and one innermost fragment per operand.
void SimtTile::count(ResourceCounter &c) const {
  c.used.vthreads = c.product(VThread);
  c.used.threads = c.product(Thread);
  c.used.accumulators =
      c.used.vthreads * c.product(Copies) * c.product(Element);
  c.used.accumulatorRegisters = c.used.accumulators * c.registersPerElement();
  std::optional<InstructionUse> use = instructionUse(c.task, c.schedule);
  if (use) {
    const auto &instruction = *WarpInstruction::of(use->instruction);
    c.used.accumulatorRegisters = c.used.accumulators *
                                  instruction.cRegisters() /
                                  instruction.laneElements();
  }
  for (auto [i, input] : llvm::enumerate(c.anchor.inputs)) {
    int64_t elements = 1;
    if (use) {
      // All rows of a, and two fragments of columns, which are loaded together.
      int64_t rows = c.schedule.tiles[use->rowDim][VThread] *
                     c.schedule.tiles[use->rowDim][Copies];
      elements = use->sums / WarpInstruction::kColumnLanes *
                 (i == use->aInput ? rows : 2);
      int64_t bytes = byteWidth(use->instruction->operands);
      c.used.operandRegisters += ceilDiv(elements * bytes, 4);
      continue;
    }
    for (unsigned d = 0; d < c.anchor.dims.size(); ++d)
      if (!c.anchor.dims[d].reduction && ResourceCounter::uses(input, d))
        elements *= c.schedule.tiles[d][Element];
    int64_t bytes = byteWidth(c.task.tensors[input.tensor].type);
    c.used.operandRegisters += ceilDiv(elements * bytes, 4);
  }
  c.used.localBytes = c.used.accumulators * c.outputBytes();
  std::tie(c.used.sharedBytes, c.used.allocatedSharedBytes) = c.stagedBytes();
}

void SimtTile::guide(const TileSpace &tiles, Schedule &s,
                     Random &random) const {
  s.vector = pick(tiles.vectors(), random);
  drawInstruction(tiles, s, random);
  if (s.instruction) {
    if (drawWarpTiles(tiles.task(), s, kSearchedWarpTiles, random))
      return;
    s.instruction = 0;
  }
  const int64_t elements[] = {1, 2, 4, 4, 8, 8, 16}, copies[] = {1, 1, 2, 4, 8},
                virtuals[] = {1, 1, 1, 2, 4};
  spreadFactors(tiles, s, Element, pick(elements, random), random);
  spreadFactors(tiles, s, Copies, pick(copies, random), random);
  spreadThreads(tiles, s, Thread, random);
  spreadFactors(tiles, s, VThread, pick(virtuals, random), random);
  // Slices of 4 to 64 reduction steps in total.
  const int64_t slices[] = {4, 8, 8, 16, 16, 32, 64};
  int64_t slice = pick(slices, random);
  for (unsigned d = s.tiles.size(); d-- > 0;) {
    if (!tiles.dims()[d].reduction)
      continue;
    s.tiles[d][Step] = std::min(tiles.draw(s, d, Step, random), slice);
    slice = std::max<int64_t>(1, slice / s.tiles[d][Step]);
    s.tiles[d][Slice] = std::min(slice, tiles.remaining(d, s.tiles[d][Step]));
    slice = std::max<int64_t>(1, slice / s.tiles[d][Slice]);
  }
}
