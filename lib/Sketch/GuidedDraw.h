//===- GuidedDraw.h - draws of good tile factors ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_SKETCH_GUIDEDDRAW_H
#define PRUNER_LIB_SKETCH_GUIDEDDRAW_H

#include "pruner/Sketch/TileSpace.h"

#include <iterator>

namespace pruner {

template <typename Range> const auto &pick(const Range &range, Random &random) {
  return range[random.uniform(std::size(range))];
}

/// Returns true in `percent` of 100 draws.
inline bool chance(Random &random, unsigned percent) {
  return random.uniform(100) < percent;
}

/// Draws the matrix instruction, mostly one that fits the vectors; it is
/// several times as fast as other arithmetic. Without a choice it draws no
/// number.
void drawInstruction(const TileSpace &tiles, Schedule &s, Random &random);

/// CPU: draws the length of vectors, mostly the longest, their dimension, and
/// the matrix instruction. Returns the dimension if it is a parallel one; lanes
/// of a reduction are not columns of the register tile.
std::optional<unsigned> drawVectors(const TileSpace &tiles, Schedule &s,
                                    Random &random);

/// Draws the `levels` outermost factors of `dim`, inner ones first.
void fillOuter(const TileSpace &tiles, Schedule &s, unsigned dim,
               unsigned levels, Random &random);

/// Distributes `rows` rows of a register tile to the parallel dimensions that
/// vectors do not run along, mostly to a single one. Every second time it uses
/// a slightly smaller number if that wastes less at the edge.
void spreadRows(const TileSpace &tiles, Schedule &s, int64_t rows,
                Random &random);

/// Distributes the factors of `total` to the parallel dimensions one by one.
void spreadFactors(const TileSpace &tiles, Schedule &s, unsigned level,
                   int64_t total, Random &random);

/// GPU: distributes a number of threads of a block, mostly 128 or 256, to
/// `level` of the parallel dimensions.
void spreadThreads(const TileSpace &tiles, Schedule &s, unsigned level,
                   Random &random);

/// GPU: how many of 100 draws for a task with a reduction spread it over
/// threads.
unsigned shareAcrossThreads(const TaskDesc &task);

} // namespace pruner

#endif // PRUNER_LIB_SKETCH_GUIDEDDRAW_H
