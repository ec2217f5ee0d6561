//===- WinogradProfit.h - when transformed tiles are faster -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_NORMALIZE_WINOGRADPROFIT_H
#define PRUNER_LIB_CONVERSION_NORMALIZE_WINOGRADPROFIT_H

#include "Winograd.h"

#include "pruner/Machine/Machine.h"

namespace pruner {

/// The tiles with which `conv` is predicted to be fastest on `machines` (the
/// sum of their times), if it then takes at most four fifths of its time on
/// each of them; none otherwise. GPUs never profit. Without machines, the tiles
/// with the fewest multiplications.
///
/// The time is that of multiply-adds at the peak, plus that of bytes: the
/// weights are read once, the transformed image and the product are written and
/// read once, and a result that tiles exceed is written and read once more. A
/// tensor that does not fit into the second cache moves at the bandwidth of
/// memory (or of the third cache, if it is known).
std::optional<WinogradTiles> profitableTiles(const Convolution &conv,
                                             llvm::ArrayRef<Machine> machines);

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_NORMALIZE_WINOGRADPROFIT_H
