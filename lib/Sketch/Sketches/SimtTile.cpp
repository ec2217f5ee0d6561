//===- SimtTile.cpp - GPU tasks with a reduction --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//
// S S S R R S R S: blocks, virtual threads, threads, outer reduction (staged),
// inner reduction, and a register tile of two levels around the innermost
// reduction.
//
//===----------------------------------------------------------------------===//

#include "../GuidedDraw.h"
#include "../ProgramBuilder.h"
#include "../Registry.h"
#include "../ResourceCounter.h"

#include "llvm/ADT/STLExtras.h"

#include <tuple>

using namespace pruner;

namespace {

enum : unsigned {
  VThread = 0,
  Thread = 1,
  Copies = 2,
  Element = 3,
  Slice = 0,
  Step = 1
};

constexpr TileLevel kParallel[] = {{"vthread", LevelKind::VThreads},
                                   {"thread", LevelKind::Threads},
                                   {"copies", LevelKind::Copies},
                                   {"element", LevelKind::Copies}};
constexpr TileLevel kReduction[] = {{"slice", LevelKind::Loop},
                                    {"step", LevelKind::Step}};

class Builder : public ProgramBuilder {
public:
  using ProgramBuilder::ProgramBuilder;

private:
  void nest() override;
  int64_t stagingThreads() const override;
  int threadElements();
  BoxLoops updateLoops();
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
  void count(ResourceCounter &c) const override;
  unsigned share(const TaskDesc &task) const override {
    return 100 - shareAcrossThreads(task);
  }
  void guide(const TileSpace &tiles, Schedule &s,
             Random &random) const override;
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
    innerBand(LoopLevel::Thread, parallels, Thread, [&] {
      int acc = threadElements();
      auto tile = [&](llvm::function_ref<void()> inside) {
        innerBand(LoopLevel::VThread, parallels, VThread, [&] {
          innerBand(LoopLevel::Unroll, parallels, Copies, inside);
        });
      };
      tile([&] { init(acc, tileLoops(Element)); });
      outerBand(LoopLevel::Serial, reductions, [&] {
        stageAll(StageLevel::Inner);
        innerBand(LoopLevel::Serial, reductions, Slice,
                  [&] { tile([&] { update(acc, updateLoops()); }); });
      });
      tile([&] { finish(acc, tileLoops(Element)); });
    });
  });
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
    addWithin(buffer, r, schedule.tileSize(dims[r], Copies),
              vthreads > 1 ? spread : 0);
  }
  return addAlloc(std::move(buffer));
}

ProgramBuilder::BoxLoops Builder::updateLoops() {
  BoxLoops loops;
  for (unsigned d : reductions)
    loops.push_back({d, schedule.tiles[d][Step], 1, LoopLevel::Serial});
  llvm::append_range(loops, tileLoops(Element));
  return loops;
}

//===----------------------------------------------------------------------===//
// Resources and guided draws
//===----------------------------------------------------------------------===//

/// The accumulators of a thread and one innermost fragment per operand.
void SimtTile::count(ResourceCounter &c) const {
  c.used.vthreads = c.product(VThread);
  c.used.threads = c.product(Thread);
  c.used.accumulators =
      c.used.vthreads * c.product(Copies) * c.product(Element);
  c.used.accumulatorRegisters = c.used.accumulators * c.registersPerElement();
  for (const OperandDesc &input : c.anchor.inputs) {
    int64_t elements = 1;
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
