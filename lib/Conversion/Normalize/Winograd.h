//===- Winograd.h - convolutions by transformed tiles -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_NORMALIZE_WINOGRAD_H
#define PRUNER_LIB_CONVERSION_NORMALIZE_WINOGRAD_H

#include "MatchConvolution.h"

#include "mlir/IR/PatternMatch.h"

namespace pruner {

/// Tiles of the result, one extent per slide of a convolution. A tile of m_k
/// results per slide is computed from n_k = m_k + r_k - 1 elements of the image
/// per slide, where r_k is the extent of the window.
class WinogradTiles {
public:
  WinogradTiles(const Convolution &conv, llvm::ArrayRef<int64_t> results);

  unsigned slides() const { return m.size(); }
  int64_t results(unsigned slide) const { return m[slide]; }
  int64_t window(unsigned slide) const { return r[slide]; }
  int64_t elements(unsigned slide) const { return m[slide] + r[slide] - 1; }
  /// The number of tiles along a slide; the last one may exceed the result.
  int64_t count(unsigned slide) const { return counts[slide]; }
  /// The products of these over all slides.
  int64_t results() const;
  int64_t window() const;
  int64_t elements() const;
  /// The rows of the convolution with tiles instead of elements.
  int64_t rows() const { return numRows; }
  /// Whether tiles exceed the result.
  bool exceeds() const { return cropped; }

private:
  llvm::SmallVector<int64_t, 2> m, r, counts;
  int64_t numRows;
  bool cropped = false;
};

/// Inserts the computation of `conv` by `tiles` before it, and returns its
/// result:
///
///  * U = G g, the transformed filter, t x groups x channels x filters;
///  * V = B d, the transformed image, t x groups x rows x channels, which reads
///    a padded image through one tensor.pad;
///  * M = V U, a batched product;
///  * the result A M, without the part that exceeds `conv`.
///
/// t counts the elements of a tile. The matrices are Kronecker products of
/// those of F(m_k, r_k) (ToomCook.h), rounded to f32 once.
mlir::Value createWinograd(mlir::RewriterBase &rewriter,
                           const Convolution &conv, const WinogradTiles &tiles);

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_NORMALIZE_WINOGRAD_H
