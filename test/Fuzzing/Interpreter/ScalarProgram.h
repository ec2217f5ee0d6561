//===- ScalarProgram.h - scalar code of operations --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_FUZZING_INTERPRETER_SCALARPROGRAM_H
#define PRUNER_FUZZING_INTERPRETER_SCALARPROGRAM_H

#include "Fuzzing/Interpreter/Interpreter.h"

#include "mlir/IR/Block.h"
#include "llvm/ADT/SmallVector.h"

namespace pruner {

/// Straight-line scalar code, each value in a slot.
class ScalarProgram {
public:
  /// Why the last step failed; empty if none did.
  struct State {
    std::vector<Cell> slots;
    llvm::ArrayRef<int64_t> position; ///< For linalg.index.
    std::string failure;
  };

  explicit ScalarProgram(const Interpreter &interpreter)
      : interpreter(interpreter) {}

  /// The slot of a value: defined by an earlier step, an argument that the
  /// caller sets, or a scalar of the surrounding function.
  llvm::Expected<unsigned> slotOf(mlir::Value value);
  unsigned define(mlir::Value value);

  llvm::Error add(mlir::Operation *op, bool anyOrder = false);
  /// Adds all operations of `block` except its terminator; arguments become
  /// slots. Those in `anyOrder` may be applied in another order, so their
  /// roundings are not known.
  llvm::Error addBlock(mlir::Block &block,
                       llvm::ArrayRef<mlir::Operation *> anyOrder = {});

  /// A state with the values of constants.
  State start() const;
  /// Runs the steps; returns false after a failure.
  bool run(State &state) const;

private:
  using Apply = std::function<void(const State &, const unsigned *operands,
                                   Cell &result, std::string &failure)>;
  struct Step {
    llvm::SmallVector<unsigned, 4> operands;
    unsigned result;
    Apply apply;
  };
  /// Null if the operation is unknown.
  Apply realOperation(mlir::Operation *op, bool anyOrder);
  Apply integerOperation(mlir::Operation *op);
  Apply otherOperation(mlir::Operation *op);

  const Interpreter &interpreter;
  llvm::DenseMap<mlir::Value, unsigned> slots;
  std::vector<Cell> initial;
  std::vector<Step> steps;
};

/// The function of one or two reals that a math operation computes, with its
/// error; null for other operations.
std::function<RealRange(llvm::ArrayRef<RealRange>)>
realFunction(mlir::Operation *op);

/// The type of a result of `op`. It need not be rounded if fast-math flags
/// allow contraction.
RealType resultType(mlir::Operation *op, mlir::FloatType type);

llvm::Error unsupported(mlir::Operation *op, const llvm::Twine &what = "");

} // namespace pruner

#endif // PRUNER_FUZZING_INTERPRETER_SCALARPROGRAM_H
