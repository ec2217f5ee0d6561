//===- CpuRowBuilder.h - statements along rows on CPUs ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//
// A few rows at a time; along a row as many elements at a time as its innermost
// factors give, in whole vectors.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_SKETCH_CPUROWBUILDER_H
#define PRUNER_LIB_SKETCH_CPUROWBUILDER_H

#include "RowBuilder.h"

namespace pruner {

class CpuRowBuilder : public RowBuilder {
public:
  using RowBuilder::RowBuilder;

protected:
  void addAlong(BufferDesc &buffer, unsigned coord, unsigned dim) override;
  void mapAlong(ComputeNode node) override;
  void reduceAlong(ComputeNode node) override;
  /// A loop over the innermost tiles of the dimensions in `dims`.
  void tileBand(Dims dims, llvm::function_ref<void()> inside);
  /// A loop over the innermost tiles along the rows that are in buffers.
  virtual void alongBand(llvm::function_ref<void()> inside) {
    tileBand(reductions, inside);
  }

private:
  void fetchAhead(ComputeNode &node);

  /// A statement prefetches the next rows.
  bool fetchedAhead = false;
};

} // namespace pruner

#endif // PRUNER_LIB_SKETCH_CPUROWBUILDER_H
