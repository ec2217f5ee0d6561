//===- FmaPeak.h - measured roofs of one core --------------- -*- C++ -*--===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_RUNTIME_FMAPEAK_H
#define PRUNER_RUNTIME_FMAPEAK_H

#include <cstddef>

namespace pruner {

/// The f32 rate of one core at its widest multiply-add, FLOP/s (one FMA = 2):
/// the best of many one-millisecond chunks of independent FMAs in registers
/// over `seconds`. The roof of "percent of peak" in reports. The code is
/// chosen when it runs: AVX-512, AVX2 + FMA or SSE2 on x86, NEON on AArch64,
/// plain C++ elsewhere (a floor there, not a roof).
double measureFmaPeak(double seconds = 0.03);

/// The instructions `measureFmaPeak` uses here: "avx512f", "avx2+fma", "sse2",
/// "neon" or "scalar".
const char *fmaPeakVariant();

/// The read rate of one core over a buffer of `bytes` (rounded up to 4 KiB)
/// that is read again and again, bytes/s: the L1, L2, L3 or memory roof
/// according to the size. Best pass within `seconds`, and at least one. 0 when
/// the buffer cannot be allocated.
double measureReadBandwidth(size_t bytes, double seconds = 0.03);

} // namespace pruner

#endif // PRUNER_RUNTIME_FMAPEAK_H
