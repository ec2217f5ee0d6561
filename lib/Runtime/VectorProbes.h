//===- VectorProbes.h - loops that measure vector units ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_RUNTIME_VECTORPROBES_H
#define PRUNER_LIB_RUNTIME_VECTORPROBES_H

#include "llvm/ADT/ArrayRef.h"

#include <cstddef>
#include <cstdint>

namespace pruner {

/// Number of accumulator tiles that reduction loops alternate between.
inline constexpr size_t kTiles = 16;

/// Loops for one kind of vectors. The values stay near 1 for any number of
/// rounds: x -> x * s + (1 - s), with the scale s.
struct VectorProbes {
  const char *name;
  bool fused; ///< Multiply-adds are one instruction.
  int flopsPerRound;
  /// Independent multiply-adds; returns a value that depends on all of them.
  float (*fma)(int64_t rounds, float scale);
  /// Sums a buffer of whole 4 KiB pieces.
  float (*read)(const float *data, size_t floats);
  /// One chain of multiply-adds, 16 per round.
  float (*chain)(int64_t rounds, float scale);
  /// 16 loads, or stores, per round, from or to 16 vectors at `data`.
  void (*load)(int64_t rounds, float *data);
  void (*store)(int64_t rounds, float *data);
  /// One reduction loop for each of `trips`. Eight accumulators are loaded from
  /// one of the kTiles tiles after the eight vectors at `data`, and stored
  /// back; each step executes eight multiply-adds of those vectors.
  void (*reduce)(llvm::ArrayRef<uint8_t> trips, float *data, float scale);
};

/// The probes of the widest vectors of this core.
const VectorProbes &vectorProbes();

/// Inputs are read through volatile so that the compiler cannot fold the work,
/// and results are stored so that it cannot drop the work.
extern volatile float scaleSource, sink;

} // namespace pruner

#endif // PRUNER_LIB_RUNTIME_VECTORPROBES_H
