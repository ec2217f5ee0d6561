//===- FmaPeak.h - measured rooflines of one core ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_RUNTIME_FMAPEAK_H
#define PRUNER_RUNTIME_FMAPEAK_H

#include <cstddef>

namespace pruner {

/// The f32 rate of one core with its widest multiply-add, FLOP/s (one FMA = 2):
/// the best of many one-millisecond chunks of independent FMAs in registers
/// over `seconds`. Reports use it as the peak in "percent of peak". The code is
/// chosen at run time: AVX-512, AVX2 + FMA or SSE2 on x86, NEON on AArch64,
/// plain C++ elsewhere, which gives a lower bound of the peak.
double measureFmaPeak(double seconds = 0.03);

/// The instructions that `measureFmaPeak` uses here: "avx512f", "avx2+fma",
/// "sse2", "neon" or "scalar".
const char *fmaPeakVariant();

/// The rate at which one core reads a buffer of `bytes` (rounded up to 4 KiB)
/// repeatedly, bytes/s: the L1, L2, L3 or memory roofline, depending on the
/// size. The best pass within `seconds`, and at least one pass. 0 if the buffer
/// cannot be allocated.
double measureReadBandwidth(size_t bytes, double seconds = 0.03);

} // namespace pruner

#endif // PRUNER_RUNTIME_FMAPEAK_H
