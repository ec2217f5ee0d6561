//===- NestPlan.h - the loops of a scheduled site ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expresses a schedule by upstream's transformations: loops over cores, cache
// tiles and register tiles of the user's op, and the form of the innermost
// tile. All sizes divide; the remainder at an edge becomes a separate nest.

#ifndef PRUNER_LIB_TRANSFORMLIBRARY_NESTPLAN_H
#define PRUNER_LIB_TRANSFORMLIBRARY_NESTPLAN_H

#include "Sites.h"

namespace pruner {

/// The tiles of one loop of a site's anchor, in iterations. Each divides the
/// next larger one.
struct LoopTiles {
  int64_t extent = 1, core = 1, block = 1, inner = 1;
};

struct NestPlan {
  enum class Inner {
    /// Rows x vectors, one step of a product at a time (`vector.contract`).
    Contraction,
    /// Vectors, element by element. A reduction becomes loops around them.
    Elementwise,
    /// Loops that LLVM compiles.
    Loops,
  };
  Inner inner = Inner::Loops;
  /// The scheduled tiles of each loop of the anchor; reductions are whole. An
  /// extent need not be a multiple of its tiles (see `tilesOf`).
  llvm::SmallVector<LoopTiles> loops;
  /// The loop of each coordinate of the result.
  llvm::SmallVector<unsigned> coordinates;
  /// Loops of the innermost tile: those along vectors and along rows.
  std::optional<unsigned> vectors, rows;
  /// The reduction that a contraction steps through.
  std::optional<unsigned> sum;
  /// True if the first input of the anchor runs along the vectors instead of
  /// the rows.
  bool vectorsFirst = false;
  /// The order of the loops over innermost tiles, by coordinates.
  llvm::SmallVector<int64_t> order;
  /// The best order of the anchor's loops for LLVM (`Inner::Loops`), or empty.
  llvm::SmallVector<int64_t> looped;
  int64_t unroll = 1;
  /// Inputs that are transposed inside of the loop over cores.
  llvm::SmallVector<unsigned, 2> packed;
  /// Parts of the schedule that these loops do not express.
  llvm::SmallVector<std::string> lost;
};

/// The tiles of a part of `loop` with `extent` iterations. Outer tiles shrink
/// to divisors.
LoopTiles tilesOf(const LoopTiles &loop, int64_t extent);

/// The plan of a site, or the reason why there is none.
llvm::Expected<NestPlan> planNest(const Site &site);

} // namespace pruner

#endif // PRUNER_LIB_TRANSFORMLIBRARY_NESTPLAN_H
