//===- TaskForms.h - what a task has whatever the schedule ------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_SKETCH_TASKFORMS_H
#define PRUNER_SKETCH_TASKFORMS_H

#include "pruner/Program/TiledProgram.h"

#include <deque>

namespace pruner {

/// What all programs of a task have in common, found once: a search makes
/// thousands of them.
class TaskForms {
public:
  /// Copies the task.
  explicit TaskForms(TaskDesc task);
  TaskForms(const TaskForms &) = delete;
  TaskForms &operator=(const TaskForms &) = delete;

  const TaskDesc task;
  /// Dimensions of the anchor, and those of the output's coordinates.
  llvm::SmallVector<unsigned, 6> parallels, reductions, outputDims;
  /// See defaultVectorDimension and statementInPlace.
  std::optional<unsigned> lastDim, inPlace;
  /// The buffers of the tensors, none of them packed.
  std::vector<BufferDesc> buffers;

  /// Of an anchor input.
  struct Input {
    /// What its copy reads, by the coordinates of the tensor: the tensor
    /// itself, or the inputs of the prologue.
    TileAccesses copied;
    /// What its prologue reads, by the dimensions of the anchor.
    TileAccesses computed;
    bool mayPackAhead = false;
  };
  std::vector<Input> inputs;
  /// What the epilogue accesses, or the copy in its place, by the dimensions of
  /// the anchor; buffer -1 stands for the accumulator.
  TileAccesses finishReads;
  TileAccess finishWrite;

private:
  const AccessMap *keep(AccessMap map);
  TileAccesses readsOfPrologue(const OperandDesc &operand, int statement);

  /// Those that no operand has.
  std::deque<AccessMap> maps;
};

} // namespace pruner

#endif // PRUNER_SKETCH_TASKFORMS_H
