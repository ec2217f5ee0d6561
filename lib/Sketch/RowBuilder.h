//===- RowBuilder.h - programs of chains over rows --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//
// A few rows at a time pass through all statements of a chain. A row is
// therefore read from memory once, and intermediate values stay in the nearest
// cache, or in the registers of the threads that share the row.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_SKETCH_ROWBUILDER_H
#define PRUNER_LIB_SKETCH_ROWBUILDER_H

#include "ProgramBuilder.h"

namespace pruner {

class RowBuilder : public ProgramBuilder {
public:
  using ProgramBuilder::ProgramBuilder;

protected:
  /// Adds to `buffer` the part of coordinate `coord` that is processed at a
  /// time; the coordinate is dimension `dim` along a row.
  virtual void addAlong(BufferDesc &buffer, unsigned coord, unsigned dim) = 0;
  /// Adds an elementwise statement, or the update of a reduction, along rows.
  /// `node` has everything that does not depend on the loops along them.
  virtual void mapAlong(ComputeNode node) = 0;
  virtual void reduceAlong(ComputeNode node) = 0;

  /// The number of rows along dimension `dim` that row buffers hold.
  virtual int64_t rowsOf(unsigned dim) const {
    return schedule.tiles[dim].back();
  }

  /// All statements of a chain. The result of `inPlace` uses the memory of the
  /// task's result.
  void chain(std::optional<unsigned> inPlace);
  int rowBuffer(const OperandDesc &operand);
  /// Whether the operand has a value for every element of a row.
  bool runsAlong(const OperandDesc &operand) const;
  /// The loops over the rows that are processed at a time.
  BoxLoops rowLoops() const;

  void mapRows(int statement);
  void reduceRows(int statement);
  /// The statement without loops and position.
  ComputeNode rowNode(int statement) const;

  /// The buffer of each tensor.
  llvm::SmallVector<int, 8> tensorBuffer;
};

} // namespace pruner

#endif // PRUNER_LIB_SKETCH_ROWBUILDER_H
