//===- ChainPlan.h - the parts of a chain between products ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//
// What all programs of a chain between products have in common: which
// statements finish the register tiles of the products, and in which buffers
// the tensors between the statements are.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_SKETCH_CHAINPLAN_H
#define PRUNER_LIB_SKETCH_CHAINPLAN_H

#include "pruner/Program/Task.h"
#include "pruner/Sketch/Schedule.h"

namespace pruner {

struct ChainPlan {
  /// `task` is a chain between products and must outlive the plan.
  explicit ChainPlan(const TaskDesc &task);

  /// A product, and the elementwise statement that is applied to its register
  /// tiles before they are stored, or -1.
  struct Product {
    unsigned statement;
    int finish = -1;
  };
  Product first, second;
  /// The statements between the products, in order.
  llvm::SmallVector<unsigned, 8> between;
  /// No statement between the products reduces rows. Parts of rows can then
  /// pass through all statements, one after the other.
  bool byParts = true;

  struct Buffer {
    int tensor;
    /// Holds all rows of a block, because a product writes or reads it, and not
    /// only those of a register tile.
    bool wholeBlock;
  };
  llvm::SmallVector<Buffer, 4> buffers;
  /// For each tensor its number in `buffers`; -1 for arguments, and for results
  /// of products that never leave the register tile. A statement overwrites its
  /// input if no later one reads that.
  llvm::SmallVector<int, 8> bufferOf;

  /// The operand by which a statement writes `tensor`.
  static const OperandDesc &writerOf(const TaskDesc &task, int tensor);
  /// The rows along parallel dimension `d` that `buffer` holds.
  static int64_t rowsOf(const Schedule &schedule, bool wholeBlock, unsigned d);
  /// The room for elements along dimension `d` of a row of `tensor`.
  int64_t roomAlong(const Schedule &schedule, const TensorDesc &tensor,
                    unsigned d) const;
  /// Bytes of all buffers.
  int64_t bytes(const Schedule &schedule) const;

private:
  int finishOf(unsigned product) const;
  const OperandDesc *overwritten(unsigned statement) const;

  const TaskDesc &task;
};

} // namespace pruner

#endif // PRUNER_LIB_SKETCH_CHAINPLAN_H
