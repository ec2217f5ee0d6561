//===- PositionalEncoding.h - positions as sine waves -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_COSTMODEL_POSITIONALENCODING_H
#define PRUNER_COSTMODEL_POSITIONALENCODING_H

#include <cmath>

namespace pruner {

/// Element \p entry of the encoding of a position, of \p entries elements
/// (CDMPP, section 4.2, as printed): elements 2d and 2d + 1 are sine and cosine
/// of place / 10000^(2d / entries).
inline double positionalEncoding(double place, int entry, int entries) {
  double angle = place / std::pow(10000.0, double(entry / 2 * 2) / entries);
  return entry % 2 == 0 ? std::sin(angle) : std::cos(angle);
}

} // namespace pruner

#endif // PRUNER_COSTMODEL_POSITIONALENCODING_H
