//===- CheckSteps.h - the steps of checking a network -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_FUZZING_NETWORKS_CHECKSTEPS_H
#define PRUNER_FUZZING_NETWORKS_CHECKSTEPS_H

#include "Cases.h"
#include "NetworkCheck.h"
#include "NetworkDraw.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/ModuleTasks/Environment.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringMap.h"

namespace pruner {

/// Tensors as bytes, by the names of arguments and results.
using Data = llvm::StringMap<std::vector<uint8_t>>;

/// The arguments and results of a function.
struct Signature {
  std::vector<std::string> inputs, outputs;
  std::vector<mlir::RankedTensorType> inputTypes, outputTypes;

  static Signature of(mlir::func::FuncOp function);
  /// The same in a call of this size.
  Signature inCall(int64_t size) const;
};

/// Inputs, and results that the interpreter expects of them.
struct Example {
  int64_t size = 0; ///< Of the call; 0 if there are no sizes.
  std::vector<std::vector<uint8_t>> inputs;
  std::vector<RangeTensorRef> expected;
};

/// The steps of `checkNetwork`. A step that fails returns false and leaves the
/// reason in the verdict.
class Check {
public:
  Check(mlir::MLIRContext &context, NetworkChoices choices,
        llvm::function_ref<void(llvm::StringRef)> say)
      : context(context), choices(std::move(choices)), say(say),
        diagnostics(&context, [this](mlir::Diagnostic &diagnostic) {
          note(diagnostic);
        }) {}

  NetworkVerdict run(llvm::StringRef text);

private:
  void at(llvm::StringRef stage) {
    verdict.stage = stage.str();
    say(stage);
  }
  /// Keeps the first error.
  void note(mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error &&
        message.empty())
      message = diagnostic.str();
  }
  bool fail(const llvm::Twine &what) {
    verdict.wrong = what.str() + (message.empty() ? "" : ": " + message);
    return false;
  }
  bool fail(llvm::Error error) {
    return fail(llvm::toString(std::move(error)));
  }

  bool interpret(mlir::func::FuncOp function);
  bool interpretSizes(mlir::func::FuncOp function);
  bool add(mlir::func::FuncOp function, Example example);
  bool specialize();
  bool relax(mlir::ModuleOp module);
  void drawForms(mlir::ModuleOp module);
  bool compile();
  bool schedule(mlir::ModuleOp module, const Environment &environment);
  bool makeLibrary(mlir::ModuleOp module, llvm::StringRef entry,
                   const std::string &path);
  bool runAll();
  bool call(const std::string &path, const Signature &signature, int64_t size,
            Data &data);
  bool compare(const Data &data, llvm::ArrayRef<RangeTensorRef> expected);

  mlir::MLIRContext &context;
  NetworkChoices choices;
  llvm::function_ref<void(llvm::StringRef)> say;
  std::string message;
  mlir::ScopedDiagnosticHandler diagnostics;
  NetworkVerdict verdict;

  mlir::OwningOpRef<mlir::ModuleOp> module;
  Signature network, main, prepare;
  bool prepares = false;
  unsigned threads = 1;
  /// Moderate ones first.
  std::vector<Example> examples;
  RangeAttr range; ///< Null if there are no sizes.
};

/// Normalization makes bytes of these.
bool isNibbleTensor(mlir::RankedTensorType type);

/// Numbers of 4 bits, a byte each, as two per byte.
std::vector<uint8_t> packNibbles(llvm::ArrayRef<uint8_t> numbers);

} // namespace pruner

#endif // PRUNER_FUZZING_NETWORKS_CHECKSTEPS_H
