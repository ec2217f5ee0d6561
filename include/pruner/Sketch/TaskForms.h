//===- TaskForms.h - data of a task for all schedules -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_SKETCH_TASKFORMS_H
#define PRUNER_SKETCH_TASKFORMS_H

#include "pruner/Program/TiledProgram.h"

#include <deque>

namespace pruner {

/// The data that all programs of a task share. It is computed once, because
/// search builds thousands of programs.
class TaskForms {
public:
  /// Copies the task.
  explicit TaskForms(TaskDesc task);
  TaskForms(const TaskForms &) = delete;
  TaskForms &operator=(const TaskForms &) = delete;

  const TaskDesc task;
  /// Dimensions of the task by kind, and those of the coordinates of the
  /// anchor's output.
  llvm::SmallVector<unsigned, 6> parallels, reductions, terms, columns,
      outputDims;
  /// See defaultVectorDimension and statementInPlace.
  std::optional<unsigned> lastDim, inPlace;
  /// The buffers of the tensors, none of them packed.
  std::vector<BufferDesc> buffers;

  /// An anchor input.
  struct Input {
    /// The tensors that its copy reads, by the coordinates of the staged
    /// tensor: the tensor itself, or the inputs of the prologue.
    TileAccesses copied;
    /// The tensors that its prologue reads, by the dimensions of the anchor.
    TileAccesses computed;
    bool mayPackAhead = false;
    /// A view of the input that its copy may hold instead, in which the windows
    /// along dimension `dim` do not overlap: its map, its shape and the tensors
    /// that the copy reads, by the coordinates of the view.
    struct Windows {
      unsigned dim;
      const AccessMap *map;
      llvm::SmallVector<int64_t, 4> shape;
      TileAccesses copied;
    };
    std::vector<Windows> windows;
  };
  std::vector<Input> inputs;
  /// Where the anchor adds something, if not everywhere.
  std::optional<InsideBox> inside;
  /// A chain between products: the tensor that a matrix instruction packs for
  /// the second product, by its coordinates.
  TileAccesses packedBySecond;
  /// Accesses of the epilogue, or of the copy that replaces it, by the
  /// dimensions of the anchor; buffer -1 means the accumulator.
  TileAccesses finishReads;
  TileAccess finishWrite;

private:
  const AccessMap *keep(AccessMap map);
  TileAccesses readsOfPrologue(const OperandDesc &operand, int statement);
  void addWindows(unsigned input);
  void addInside(const OperandDesc &factor);

  /// Maps that belong to no operand.
  std::deque<AccessMap> maps;
};

} // namespace pruner

#endif // PRUNER_SKETCH_TASKFORMS_H
