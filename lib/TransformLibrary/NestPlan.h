//===- NestPlan.h - the loops that a schedule makes of a site ---*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A schedule, said in what upstream's transformations can do: loops over cores,
// over cache tiles and over register tiles of the user's op, and what becomes
// of the innermost tile. All sizes divide; what remains at an edge is a nest of
// its own.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_TRANSFORMLIBRARY_NESTPLAN_H
#define PRUNER_LIB_TRANSFORMLIBRARY_NESTPLAN_H

#include "Sites.h"

namespace pruner {

/// The tiles of one loop of a site's anchor, in iterations. Each divides the
/// next larger.
struct LoopTiles {
  int64_t extent = 1, core = 1, block = 1, inner = 1;
};

struct NestPlan {
  enum class Inner {
    /// Rows x vectors, one step of a product at a time (`vector.contract`).
    Contraction,
    /// Vectors, element by element; a reduction is loops around them.
    Elementwise,
    /// Loops, left to LLVM.
    Loops,
  };
  Inner inner = Inner::Loops;
  /// Of each loop of the anchor as scheduled; reductions are whole. An extent
  /// need not be a multiple of what is within (see `tilesOf`).
  llvm::SmallVector<LoopTiles> loops;
  /// The loop of each coordinate of the result.
  llvm::SmallVector<unsigned> coordinates;
  /// Loops of the innermost tile: those along vectors and along rows.
  std::optional<unsigned> vectors, rows;
  /// The reduction that a contraction steps through.
  std::optional<unsigned> sum;
  /// The first input of the anchor runs along the vectors, not the rows.
  bool vectorsFirst = false;
  /// The order of the loops over innermost tiles, by coordinates.
  llvm::SmallVector<int64_t> order;
  /// The order of the anchor's loops that helps LLVM most (`Inner::Loops`), or
  /// empty.
  llvm::SmallVector<int64_t> looped;
  int64_t unroll = 1;
  /// Inputs that are transposed inside of the loop over cores.
  llvm::SmallVector<unsigned, 2> packed;
  /// What the schedule says and these loops do not.
  llvm::SmallVector<std::string> lost;
};

/// What becomes of a part of the iterations of `loop`, `extent` of them: outer
/// tiles shrink to divisors.
LoopTiles tilesOf(const LoopTiles &loop, int64_t extent);

/// The plan of a site, or why there is none.
llvm::Expected<NestPlan> planNest(const Site &site);

} // namespace pruner

#endif // PRUNER_LIB_TRANSFORMLIBRARY_NESTPLAN_H
