//===- TaskProgram.h - a task as a parsed module ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_BUILDER_TASKPROGRAM_H
#define PRUNER_BUILDER_TASKPROGRAM_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "pruner/Program/Task.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace pruner {

/// One argument or result of a task.
struct TensorSpec {
  llvm::SmallVector<int64_t, 4> shape;
  ElementType type = ElementType::F32;

  int64_t elements() const;
  size_t bytes() const { return size_t(elements()) * byteWidth(type); }
};

/// A task as a worker receives it: a module of text with one public function,
/// its inputs and its outputs. The ops in it do not matter here. Compiled, it
/// is a C function with one pointer for every input, followed by one for every
/// output.
class TaskProgram {
public:
  /// Parses and checks `text`: exactly one public function with a body, on
  /// ranked tensors of static shape whose element types are in ElementType. The
  /// error contains the diagnostics.
  static llvm::Expected<TaskProgram> parse(mlir::MLIRContext &context,
                                           llvm::StringRef text);

  mlir::ModuleOp module() const { return *op; }
  /// A copy to transform.
  mlir::OwningOpRef<mlir::ModuleOp> clone() const { return op.get().clone(); }
  llvm::StringRef entry() const { return name; }
  llvm::ArrayRef<TensorSpec> inputs() const { return ins; }
  llvm::ArrayRef<TensorSpec> outputs() const { return outs; }

private:
  mlir::OwningOpRef<mlir::ModuleOp> op;
  std::string name;
  std::vector<TensorSpec> ins, outs;
};

/// Runs `body`. If it fails, returns an error with the diagnostics that it
/// emitted, or with `what` if there were none.
llvm::Error withDiagnostics(mlir::MLIRContext &context, llvm::StringRef what,
                            llvm::function_ref<mlir::LogicalResult()> body);

/// The ElementType of a scalar MLIR type, if there is one.
std::optional<ElementType> elementTypeOf(mlir::Type type);

} // namespace pruner

#endif // PRUNER_BUILDER_TASKPROGRAM_H
