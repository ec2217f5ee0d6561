//===- RowBuilder.h - programs that go along rows ---------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A few rows at a time go through all statements of a chain, so that a row is
// read from memory once and what lies between the statements stays in the
// nearest cache, or in the registers of the threads that share the row.
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
  /// Adds to `buffer` room for what there is at a time of coordinate `coord`,
  /// which is dimension `dim` along a row.
  virtual void addAlong(BufferDesc &buffer, unsigned coord, unsigned dim) = 0;
  /// Adds an elementwise statement, or the update of a reduction, along rows.
  /// `node` has what does not depend on the way along them.
  virtual void mapAlong(ComputeNode node) = 0;
  virtual void reduceAlong(ComputeNode node) = 0;

  /// All statements of a chain. The result of `inPlace` lies where that of the
  /// task will be.
  void chain(std::optional<unsigned> inPlace);
  int rowBuffer(const OperandDesc &operand);
  /// Whether the operand has something for every element of a row.
  bool runsAlong(const OperandDesc &operand) const;
  /// The rows at a time.
  BoxLoops rowLoops() const;

private:
  ComputeNode rowNode(int statement) const;
  void mapRows(int statement);
  void reduceRows(int statement);

  /// The buffer of each tensor.
  llvm::SmallVector<int, 8> tensorBuffer;
};

} // namespace pruner

#endif // PRUNER_LIB_SKETCH_ROWBUILDER_H
