//===- SimtMap.cpp - GPU tasks without a reduction ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//
// S S S: blocks, threads, elements of a thread.
//
//===----------------------------------------------------------------------===//

#include "../GuidedDraw.h"
#include "../ProgramBuilder.h"
#include "../Registry.h"
#include "../ResourceCounter.h"

using namespace pruner;

namespace {

enum : unsigned { Thread = 0, Element = 1 };

constexpr TileLevel kParallel[] = {{"thread", LevelKind::Threads},
                                   {"element", LevelKind::Copies}};

class Builder : public ProgramBuilder {
public:
  using ProgramBuilder::ProgramBuilder;

private:
  void nest() override {
    outerBand(LoopLevel::Block, parallels, [&] {
      innerBand(LoopLevel::Thread, parallels, Thread,
                [&] { mapTile(tileLoops(Element)); });
    });
  }
};

class SimtMap final : public SketchWith<Builder> {
public:
  SimtMap()
      : SketchWith(SketchId::SimtMap, "simt_map", /*gpu=*/true,
                   /*bodyLimit=*/256, kParallel, {}) {}

  MaybeViolation fits(const TaskDesc &task) const override {
    return fitsAnchor(task, /*reduction=*/false);
  }
  void count(ResourceCounter &c) const override {
    c.used.accumulators = c.product(Element);
    c.used.threads = c.product(Thread);
    // Elements are computed one after the other, so only one is in registers.
    c.used.accumulatorRegisters = c.registersPerElement();
  }
  void guide(const TileSpace &tiles, Schedule &s,
             Random &random) const override {
    const int64_t elements[] = {1, 1, 2, 4, 4, 8, 16};
    // Neighboring elements are first distributed to neighboring threads.
    spreadFactors(tiles, s, Element, pick(elements, random), random);
    spreadThreads(tiles, s, Thread, random);
  }
};

} // namespace

const Sketch &pruner::simtMap() {
  static const SimtMap sketch;
  return sketch;
}
