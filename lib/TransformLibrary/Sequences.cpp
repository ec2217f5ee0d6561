//===- Sequences.cpp - the transformations of a site ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sequence follows the plan from outside in. It tiles the root of the site
// and fuses the producers, link by link back to the anchor, into the new loops.
// All ops then have equal tiles, and values of a tile pass from op to op in
// registers.
//
// If a tile does not divide the root, the root is split first, and each part
// becomes a separate nest.

#include "Sequences.h"

#include "Sequence.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace pruner;

//===----------------------------------------------------------------------===//
// Handles
//===----------------------------------------------------------------------===//

void Sequence::write(Value anchor) {
  // Generic form for named ops and generics; handles and loops are the same.
  whole.anchor = steps.generalize(anchor);
  Value op = whole.anchor;
  for (unsigned n = 0; n < links; ++n)
    whole.links.push_back(op = steps.readerOf(op));
  SmallVector<int64_t> extents;
  for (const LoopTiles &loop : plan.loops)
    extents.push_back(loop.extent);
  Value function = steps.functionOf(whole.anchor);
  // Splitting consumes an anchor that is the root.
  SmallVector<Value> copies;
  for (unsigned input : site.transposed)
    copies.push_back(steps.makerOf(whole.anchor, input));
  SmallVector<Cut> cuts;
  splitFrom(0, {whole.root(), std::move(extents), 0, false}, cuts);
  bool dealt =
      cuts.size() == 1 && llvm::any_of(plan.coordinates, [&](unsigned loop) {
        LoopTiles tiles = tilesOf(plan.loops[loop], plan.loops[loop].extent);
        return tiles.core < tiles.extent;
      });
  for (auto [input, copy] : llvm::zip_equal(site.transposed, copies)) {
    if (dealt && llvm::is_contained(plan.packed, input))
      whole.packed.push_back(copy);
    else
      transpose(copy, input, plan.loops, /*wholly=*/true);
  }
  // The last one first, because upstream also uses a fused tile for readers of
  // the op after the loop.
  for (const Cut &cut : llvm::reverse(cuts)) {
    Part part = collect(cut.root, cut.splits);
    for (auto [loop, extent] : llvm::zip(plan.loops, cut.extents))
      part.tiles.push_back(tilesOf(loop, extent));
    part.named = !cut.rest;
    part.split = cut.splits > 0;
    if (part.split)
      keepLoop(part);
    writeNest(std::move(part));
    if (cuts.size() > 1)
      steps.eraseDead(function);
  }
  if (function.use_empty())
    function.getDefiningOp()->erase();
}

/// Splits the root where innermost tiles do not divide the loop of this
/// coordinate or of a later one.
void Sequence::splitFrom(unsigned coordinate, Cut cut,
                         SmallVectorImpl<Cut> &cuts) {
  for (; coordinate < plan.coordinates.size(); ++coordinate) {
    unsigned loop = plan.coordinates[coordinate];
    int64_t left = cut.extents[loop] % plan.loops[loop].inner;
    if (left == 0 || left == cut.extents[loop] ||
        plan.inner == NestPlan::Inner::Loops)
      continue;
    // The root's loops are the coordinates, except for an anchor without a
    // chain.
    Cut edge = cut;
    ++cut.splits, ++edge.splits;
    cut.extents[loop] -= left;
    edge.extents[loop] = left;
    edge.rest = true;
    std::tie(cut.root, edge.root) = steps.split(
        cut.root, links == 0 ? loop : coordinate, cut.extents[loop]);
    splitFrom(coordinate + 1, std::move(cut), cuts);
    splitFrom(coordinate + 1, std::move(edge), cuts);
    return;
  }
  cuts.push_back(std::move(cut));
}

/// The ops that follow a root. A part of a split root reads slices, one for
/// each split, of values that have been computed as a whole.
Sequence::Part Sequence::collect(Value root, unsigned splits) {
  Part part = whole;
  auto makerOf = [&](Value op, unsigned operand, unsigned slices) {
    Value maker = steps.makerOf(op, operand);
    for (unsigned n = 0; n < slices; ++n)
      maker = steps.makerOf(maker, 0);
    return maker;
  };
  part.root() = root;
  for (unsigned n = part.links.size(); n-- > 0;) {
    unsigned slices = n + 1 == part.links.size() ? splits : 0;
    const Link &link = site.chain[n];
    if (splits > 0)
      (n > 0 ? part.links[n - 1] : part.anchor) =
          makerOf(part.links[n], link.input, slices);
    for (unsigned input : link.spread)
      part.spreads.push_back(makerOf(part.links[n], input, slices));
  }
  return part;
}

/// Ops are fused into loops, so a corner of one tile also gets a loop.
void Sequence::keepLoop(Part &part) {
  for (unsigned loop : plan.coordinates)
    if (part.tiles[loop].inner < part.tiles[loop].extent)
      return;
  for (unsigned loop : plan.coordinates)
    if (part.tiles[loop].extent > 1) {
      part.tiles[loop].inner = 1;
      return;
    }
}

//===----------------------------------------------------------------------===//
// Loops around tiles
//===----------------------------------------------------------------------===//

/// Fuses all producers of the root, in the order of their uses.
void Sequence::fuseInto(Part &part, Value &loop, bool cores) {
  unsigned spread = 0;
  for (unsigned n = part.links.size(); n-- > 0;) {
    for (unsigned k = 0; k < site.chain[n].spread.size(); ++k, ++spread)
      part.spreads[spread] = steps.fuse(part.spreads[spread], loop);
    Value &maker = n > 0 ? part.links[n - 1] : part.anchor;
    maker = steps.fuse(maker, loop);
  }
  if (cores)
    for (Value &packed : part.packed)
      packed = steps.fuse(packed, loop);
}

/// The sizes that may replace a tile of `size` within one of `outer` if all
/// else stays: multiples of the tile `within`. An innermost tile (0) must not
/// become one element, which would be another kind of tile, or much larger.
static SmallVector<int64_t> choices(int64_t outer, int64_t size,
                                    int64_t within) {
  SmallVector<int64_t> options;
  for (int64_t option = 1; option < outer; ++option)
    if (outer % option == 0 &&
        (within ? option % within == 0
                : size > 1 && option > 1 && option <= 2 * size))
      options.push_back(option);
  return options;
}

/// Emits loops over tiles of `size` in those of `outer`. Each size is a knob,
/// whose options do not affect the tiles inside and outside.
void Sequence::level(Part &part, StringRef name, bool cores,
                     int64_t LoopTiles::*outer, int64_t LoopTiles::*size,
                     int64_t LoopTiles::*within) {
  unsigned rank = links == 0 ? plan.loops.size() : plan.coordinates.size();
  SmallVector<OpFoldResult> sizes(rank, index(0));
  SmallVector<int64_t> order, tiled;
  for (unsigned c = 0; c < plan.coordinates.size(); ++c) {
    unsigned loop = plan.coordinates[c];
    const LoopTiles &tiles = part.tiles[loop];
    if (tiles.*size >= tiles.*outer)
      continue;
    SmallVector<int64_t> options =
        choices(tiles.*outer, tiles.*size, within ? tiles.*within : 0);
    OpFoldResult &entry = sizes[links == 0 ? loop : c];
    if (part.named && options.size() > 1)
      entry =
          steps.knob((name + " d" + Twine(loop)).str(), tiles.*size, options);
    else
      entry = index(tiles.*size);
    tiled.push_back(c);
  }
  if (tiled.empty())
    return;
  // Loops are interchanged by their positions among existing loops.
  if (!cores)
    for (int64_t c : plan.order)
      if (auto *at = llvm::find(tiled, c); at != tiled.end())
        order.push_back(at - tiled.begin());
  if (llvm::is_sorted(order))
    order.clear();
  Steps::Tiled made = cores ? steps.tileToForall(part.root(), sizes)
                            : steps.tileToLoops(part.root(), sizes, order);
  part.root() = made.op;
  Value &loop = made.loops.back();
  // A part reads slices outside of its loops. Fuse the sources of slices inside
  // of them.
  if (part.split && !part.outer)
    steps.mergeSlices(loop);
  fuseInto(part, loop, cores);
  if (!part.outer)
    part.outer = made.loops.front();
}

void Sequence::writeNest(Part part) {
  level(part, "core", true, &LoopTiles::extent, &LoopTiles::core,
        &LoopTiles::block);
  level(part, "block", false, &LoopTiles::core, &LoopTiles::block,
        &LoopTiles::inner);
  for (auto [input, copy] : llvm::zip(plan.packed, part.packed))
    transpose(copy, input, part.tiles, /*wholly=*/false);
  if (plan.inner == NestPlan::Inner::Loops)
    return loops(part);
  level(part, "register", false, &LoopTiles::block, &LoopTiles::inner, nullptr);
  bool product = plan.inner == NestPlan::Inner::Contraction &&
                 part.tiles[*plan.rows].inner > 1 &&
                 part.tiles[*plan.vectors].inner > 1;
  if (product)
    contract(part);
  else
    elementwise(part);
}

transform::NamedSequenceOp pruner::makeTuning(Steps &steps, StringRef name,
                                              const Site &site,
                                              const NestPlan &plan) {
  return makeSequence(steps, name, 1, 0, /*consumes=*/true,
                      [&](ValueRange arguments) -> SmallVector<Value> {
                        Sequence(steps, site, plan).write(arguments[0]);
                        return {};
                      });
}
