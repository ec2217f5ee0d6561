//===- WinogradProfit.h - when transformed tiles are faster -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_NORMALIZE_WINOGRADPROFIT_H
#define PRUNER_LIB_CONVERSION_NORMALIZE_WINOGRADPROFIT_H

#include "Winograd.h"

#include "pruner/Machine/Machine.h"

namespace pruner {

struct WinogradProfit {
  WinogradTiles tiles;
  /// The predicted time, as a share of the direct convolution's: the largest of
  /// all machines; 0 without machines.
  double share;

  /// Whether the prediction alone suffices to replace the direct convolution.
  bool isClear() const { return share <= 0.8; }
  /// Whether a measurement of both forms is worth its time.
  bool isPossible() const { return share <= 1.25; }
};

/// The tiles with which `conv` is predicted to be fastest on `machines` (the
/// sum of their times). None on GPUs, and for convolutions whose tiles would be
/// too large or whose work is too small. Without machines, the tiles with the
/// fewest multiplications.
///
/// The time is that of multiply-adds at the peak, plus that of bytes: the
/// weights are read once, the transformed image and the product are written and
/// read once, and a result that tiles exceed is written and read once more. A
/// tensor that does not fit into the second cache moves at the bandwidth of
/// memory (or of the third cache, if it is known).
std::optional<WinogradProfit> bestTiles(const Convolution &conv,
                                        llvm::ArrayRef<Machine> machines);

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_NORMALIZE_WINOGRADPROFIT_H
