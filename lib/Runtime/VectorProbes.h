//===- VectorProbes.h - what vectors of a core do ------------- -*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_RUNTIME_VECTORPROBES_H
#define PRUNER_LIB_RUNTIME_VECTORPROBES_H

#include "llvm/ADT/ArrayRef.h"

#include <cstddef>
#include <cstdint>

namespace pruner {

/// Tiles of accumulators that reduction loops take turns with.
inline constexpr size_t kTiles = 16;

/// What is measured of one kind of vectors. The code keeps values near 1
/// whatever the number of rounds: x -> x * s + (1 - s), with the scale s.
struct VectorProbes {
  const char *name;
  bool fused; ///< Multiply-adds are one instruction.
  int flopsPerRound;
  /// Independent multiply-adds; returns a value that depends on all of them.
  float (*fma)(int64_t rounds, float scale);
  /// Adds up a buffer of whole 4 KiB pieces.
  float (*read)(const float *data, size_t floats);
  /// One chain of multiply-adds, 16 a round.
  float (*chain)(int64_t rounds, float scale);
  /// 16 loads, and stores, a round, from and to 16 vectors at `data`.
  void (*load)(int64_t rounds, float *data);
  void (*store)(int64_t rounds, float *data);
  /// A reduction loop for each of `trips`: eight accumulators, from one of the
  /// kTiles places that follow the eight vectors at `data`, and back, and in
  /// each step eight multiply-adds of those vectors.
  void (*reduce)(llvm::ArrayRef<uint8_t> trips, float *data, float scale);
};

/// Those of the widest vectors that this core has.
const VectorProbes &vectorProbes();

/// Read through volatile so that no compiler may fold the work, and where
/// results go so that none may drop it.
extern volatile float scaleSource, sink;

} // namespace pruner

#endif // PRUNER_LIB_RUNTIME_VECTORPROBES_H
