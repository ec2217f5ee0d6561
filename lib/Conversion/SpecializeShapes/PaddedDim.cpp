//===- PaddedDim.cpp - padding of a dimension -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PaddedDim.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace pruner;

bool pruner::isConstant(const SizeTable &table) {
  return llvm::all_equal(table);
}

bool PaddedDim::isPrefix(int64_t size) const {
  return strides.empty() ||
         (strides.size() == 1 && strides.front() * size == extent());
}

FailureOr<PaddedDim> pruner::prefixDim(const SizeTable &extents,
                                       ArrayRef<int64_t> calls) {
  PaddedDim dim;
  dim.extents = extents;
  if (isConstant(extents))
    return dim;
  const int64_t stride = extents.back() / calls.back();
  for (auto [extent, n] : llvm::zip_equal(extents, calls))
    if (extent != stride * n)
      return failure();
  dim.strides.push_back(stride);
  return dim;
}

FailureOr<PaddedDim> pruner::resolve(const PaddedDim &dim,
                                     ArrayRef<int64_t> calls) {
  if (!dim.uniform)
    return dim;
  return prefixDim(dim.extents, calls);
}

FailureOr<PaddedDim> pruner::collapse(ArrayRef<PaddedDim> dims,
                                      ArrayRef<int64_t> calls) {
  PaddedDim all;
  all.extents.assign(calls.size(), 1);
  for (const PaddedDim &dim : dims)
    for (auto [product, extent] : llvm::zip_equal(all.extents, dim.extents))
      product *= extent;
  all.uniform =
      llvm::all_of(dims, [](const PaddedDim &d) { return d.uniform; });
  if (all.uniform)
    return all;
  int64_t inner = 1;
  for (const PaddedDim &dim : llvm::reverse(dims)) {
    FailureOr<PaddedDim> known = resolve(dim, calls);
    if (failed(known))
      return failure();
    for (int64_t stride : known->strides)
      all.strides.push_back(stride * inner);
    inner *= dim.extent();
  }
  llvm::sort(all.strides);
  return all;
}

FailureOr<SmallVector<PaddedDim>> pruner::expand(const PaddedDim &dim,
                                                 ArrayRef<SizeTable> extents,
                                                 int64_t size) {
  SmallVector<PaddedDim> parts(extents.size());
  int64_t inner = 1;
  size_t placed = 0;
  for (auto [part, table] : llvm::reverse(llvm::zip_equal(parts, extents))) {
    part.extents = table;
    part.uniform = dim.uniform;
    const int64_t outer = inner * part.extent();
    for (int64_t stride : dim.strides)
      if (stride >= inner && stride * size <= outer && stride % inner == 0) {
        part.strides.push_back(stride / inner);
        ++placed;
      }
    inner = outer;
    // Nothing else may determine the positions of a call's elements.
    if (!dim.uniform && part.strides.empty() && !isConstant(table))
      return failure();
  }
  if (placed != dim.strides.size() || inner != dim.extent())
    return failure();
  return parts;
}
