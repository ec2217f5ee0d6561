//===- ShapeRules.cpp - rules that need no machine ------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuleChecker.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace pruner;
using detail::broken;
using detail::text;

static int64_t ceilDiv(int64_t a, int64_t b) { return a / b + (a % b != 0); }

RuleChecker::Result RuleChecker::variantFitsTask() {
  std::string name = variantName(schedule.variant).str();
  bool isRow = schedule.variant == Variant::CpuRow;
  if (schedule.variant != Variant::SimtRow && isRow != task.rows)
    return broken(1, "variant " + name + " is " + (isRow ? "" : "not ") +
                         "for chains over rows, the task is " +
                         (isRow ? "none" : "one"));
  if (task.rows)
    return std::nullopt;
  if (schedule.variant == Variant::SimtRow)
    return fitsAcrossThreads(name);
  if (isTile() != task.hasReduction())
    return broken(1, "variant " + name + " needs an anchor " +
                         (isTile() ? "with" : "without") +
                         " reduction dimensions, the task has one " +
                         (isTile() ? "without" : "with"));
  if (isTile())
    return std::nullopt;
  if (task.epilogue >= 0 ||
      llvm::any_of(task.prologues, [](int p) { return p >= 0; }))
    return broken(1, "variant " + name + " runs one statement, the task has " +
                         text(task.statements.size()));
  return std::nullopt;
}

RuleChecker::Result RuleChecker::fitsAcrossThreads(const std::string &name) {
  if (!task.hasReduction())
    return broken(1, "variant " + name +
                         " needs an anchor with reduction dimensions, the "
                         "task has one without");
  for (unsigned i = 0; i < anchor.inputs.size(); ++i) {
    const OperandDesc &input = anchor.inputs[i];
    if (input.padded)
      return broken(1, "variant " + name + " stages nothing, input " + text(i) +
                           " is padded");
    if (task.prologues[i] >= 0 &&
        !llvm::all_of(input.map, [](const LinearExpr &expr) {
          return expr.singleDim().has_value();
        }))
      return broken(1, "variant " + name +
                           " computes inputs element by element, input " +
                           text(i) + " is read by windows");
  }
  return std::nullopt;
}

RuleChecker::Result RuleChecker::rowThreads() {
  if (schedule.variant != Variant::SimtRow)
    return std::nullopt;
  int64_t threads = 1;
  for (unsigned d = 0; d < anchor.dims.size(); ++d)
    if (anchor.dims[d].reduction)
      threads = std::min<int64_t>(INT32_MAX, threads) *
                std::min<int64_t>(INT32_MAX, schedule.tiles[d][0]);
  if (threads == 1)
    return std::nullopt;
  if (!llvm::isPowerOf2_64(threads))
    return broken(21, text(threads) +
                          " threads share a row, which is not a power of "
                          "two");
  for (unsigned s = 0; s < task.statements.size(); ++s)
    if (!task.statements[s].associative && task.statements[s].hasReduction())
      return broken(21, text(threads) + " threads share a row, but statement " +
                            text(s) +
                            " does not accumulate by one associative "
                            "operation");
  return std::nullopt;
}

RuleChecker::Result RuleChecker::tileLists() {
  if (schedule.tiles.size() == anchor.dims.size())
    return std::nullopt;
  return broken(2, text(schedule.tiles.size()) +
                       " lists of tile factors, the anchor has " +
                       text(anchor.dims.size()) + " dimensions");
}

RuleChecker::Result RuleChecker::factorCounts() {
  for (unsigned d = 0; d < anchor.dims.size(); ++d) {
    unsigned wanted =
        innerTileLevels(schedule.variant, anchor.dims[d].reduction);
    if (schedule.tiles[d].size() != wanted)
      return broken(3, "dimension " + text(d) + " has " +
                           text(schedule.tiles[d].size()) + " tile factors, " +
                           variantName(schedule.variant).str() + " takes " +
                           text(wanted));
    for (int64_t factor : schedule.tiles[d])
      if (factor < 1)
        return broken(3, "dimension " + text(d) + " has the tile factor " +
                             text(factor) + ", the least is 1");
  }
  return std::nullopt;
}

RuleChecker::Result RuleChecker::tripsNotEmpty() {
  for (unsigned d = 0; d < anchor.dims.size(); ++d) {
    int64_t extent = anchor.dims[d].extent, inside = 1;
    const auto &tiles = schedule.tiles[d];
    for (unsigned level = tiles.size(); level-- > 0;) {
      int64_t limit = ceilDiv(extent, inside);
      bool vectors = !isGpu(schedule.variant) && d == vectorDim &&
                     level + 1 == tiles.size() && schedule.vector > 0;
      if (vectors) {
        int64_t whole = ceilDiv(limit, schedule.vector);
        if (whole <= INT64_MAX / schedule.vector)
          limit = whole * schedule.vector;
      }
      if (tiles[level] > limit)
        return broken(4, "factor " + text(tiles[level]) + " at level " +
                             text(level) + " of dimension " + text(d) +
                             " runs past the end: extent " + text(extent) +
                             " holds " + text(limit) + " tiles of " +
                             text(inside));
      inside *= tiles[level];
    }
  }
  return std::nullopt;
}

RuleChecker::Result RuleChecker::stages() {
  if (schedule.stages.size() != anchor.inputs.size())
    return broken(5, text(schedule.stages.size()) +
                         " stage levels, the anchor has " +
                         text(anchor.inputs.size()) + " inputs");
  if (!isTile())
    for (unsigned i = 0; i < schedule.stages.size(); ++i)
      if (schedule.stages[i] != StageLevel::None)
        return broken(5, "input " + text(i) + " is staged, " +
                             variantName(schedule.variant).str() +
                             " reads its inputs in place");
  return std::nullopt;
}

RuleChecker::Result RuleChecker::prologues() {
  if (schedule.variant == Variant::SimtRow)
    return std::nullopt;
  for (unsigned i = 0; i < task.prologues.size(); ++i)
    if (task.prologues[i] >= 0 && i < schedule.stages.size() &&
        schedule.stages[i] == StageLevel::None)
      return broken(6, "input " + text(i) + " is computed by statement " +
                           text(task.prologues[i]) +
                           " and must be staged, it is read in place");
  for (unsigned i = 0; i < anchor.inputs.size(); ++i)
    if (anchor.inputs[i].padded && schedule.stages[i] == StageLevel::None)
      return broken(6, "input " + text(i) +
                           " is padded and must be staged, it is read in "
                           "place");
  return std::nullopt;
}

RuleChecker::Result RuleChecker::packedAhead() {
  for (unsigned i = 0; i < anchor.inputs.size(); ++i) {
    if (schedule.stages[i] != StageLevel::Ahead)
      continue;
    if (isGpu(schedule.variant))
      return broken(20, "input " + text(i) + " is packed ahead of time, " +
                            variantName(schedule.variant).str() +
                            " packs nothing ahead");
    if (task.canPackAhead(i))
      continue;
    const TensorDesc &tensor = task.tensors[anchor.inputs[i].tensor];
    return broken(20, "input " + text(i) + " is packed ahead of time, " +
                          (tensor.constant
                               ? "but not read as it is, once, along single "
                                 "dimensions"
                               : tensor.name + " is not constant"));
  }
  return std::nullopt;
}

RuleChecker::Result RuleChecker::vectors() {
  int64_t dim = schedule.vectorDim;
  if (dim == -1)
    return std::nullopt;
  if (isGpu(schedule.variant))
    return broken(19, "vectors run along dimension " + text(dim) + ", " +
                          variantName(schedule.variant).str() +
                          " has no vectors");
  if (dim < 0 || dim >= int64_t(anchor.dims.size()))
    return broken(19, "vectors run along dimension " + text(dim) +
                          ", the anchor has " + text(anchor.dims.size()) +
                          " dimensions");
  if (task.rows && !anchor.dims[dim].reduction)
    return broken(19, "vectors run along dimension " + text(dim) +
                          " across the rows, cpu_row has them along rows");
  if (anchor.dims[dim].reduction && !anchor.associative)
    return broken(19, "vectors run along the reduction dimension " + text(dim) +
                          ", but the anchor does not accumulate by one "
                          "associative operation");
  return std::nullopt;
}

RuleChecker::Result RuleChecker::order() {
  const auto &order = schedule.order;
  if (order.empty())
    return std::nullopt;
  if (schedule.variant != Variant::CpuTile)
    return broken(10, "an order of " + text(order.size()) + " dimensions, " +
                          variantName(schedule.variant).str() + " takes none");
  unsigned parallels = 0;
  for (const IterDim &dim : anchor.dims)
    parallels += !dim.reduction;
  if (order.size() != parallels)
    return broken(10, "an order of " + text(order.size()) +
                          " dimensions, the anchor has " + text(parallels) +
                          " parallel ones");
  llvm::SmallVector<bool, 8> seen(anchor.dims.size(), false);
  for (int64_t dim : order) {
    if (dim < 0 || dim >= int64_t(anchor.dims.size()) ||
        anchor.dims[dim].reduction)
      return broken(10, "the order names dimension " + text(dim) +
                            ", which is not a parallel one of the " +
                            text(anchor.dims.size()));
    if (seen[dim])
      return broken(10, "the order names dimension " + text(dim) +
                            " 2 times, once is allowed");
    seen[dim] = true;
  }
  return std::nullopt;
}

RuleChecker::Result RuleChecker::split() {
  const auto &split = schedule.split;
  if (split.empty())
    return std::nullopt;
  llvm::SmallVector<unsigned, 4> reductions;
  for (unsigned d = 0; d < anchor.dims.size(); ++d)
    if (anchor.dims[d].reduction)
      reductions.push_back(d);
  if (split.size() != reductions.size())
    return broken(22, "the reduction is split along " + text(split.size()) +
                          " dimensions, the anchor has " +
                          text(reductions.size()) + " to reduce");
  for (unsigned n = 0; n < split.size(); ++n) {
    unsigned d = reductions[n];
    int64_t steps = ceilDiv(anchor.dims[d].extent, schedule.tileSize(d));
    if (split[n] < 1 || split[n] > steps)
      return broken(22, "dimension " + text(d) + " is split into " +
                            text(split[n]) + " parts, it has " + text(steps) +
                            (steps == 1 ? " step" : " steps"));
  }
  if (!schedule.splitsReduction())
    return std::nullopt;
  if (!isGpu(schedule.variant) || task.rows)
    return broken(22, "the reduction is split, " +
                          variantName(schedule.variant).str() +
                          (task.rows ? " along the rows of a chain" : "") +
                          " leaves each to one " +
                          (isGpu(schedule.variant) ? "block" : "core"));
  if (!anchor.associative)
    return broken(22, "the reduction is split, but the anchor does not "
                      "accumulate by one associative operation");
  return std::nullopt;
}

RuleChecker::Result RuleChecker::prefetch() {
  int64_t limit = schedule.variant == Variant::CpuRow ? 8 : 0;
  if (schedule.prefetch >= 0 && schedule.prefetch <= limit)
    return std::nullopt;
  return broken(23, "rows are fetched " + text(schedule.prefetch) +
                        " steps ahead, " + variantName(schedule.variant).str() +
                        " allows 0 to " + text(limit));
}

RuleChecker::Result RuleChecker::padding() {
  int64_t limit = isGpu(schedule.variant) ? 64 : 0;
  if (schedule.pad >= 0 && schedule.pad <= limit)
    return std::nullopt;
  return broken(18, "rows are padded by " + text(schedule.pad) + " elements, " +
                        variantName(schedule.variant).str() + " allows 0 to " +
                        text(limit));
}
