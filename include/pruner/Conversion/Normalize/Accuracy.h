//===- Accuracy.h - relaxations of accuracy ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By default a tuned program computes the operations of its text, with sums in
// any order. A *relaxation* allows other differences. It rewrites the program
// before tasks are extracted, so all later steps (spaces, models, verification,
// records) use a program that states the relaxed computation.

#ifndef PRUNER_CONVERSION_NORMALIZE_ACCURACY_H
#define PRUNER_CONVERSION_NORMALIZE_ACCURACY_H

#include "pruner/Machine/Machine.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/ADT/StringRef.h"

namespace pruner {

/// The intended use of a rewritten program.
struct RelaxationUse {
  llvm::ArrayRef<Machine> machines;
  /// Whether parts become `pruner.alternatives` if either of two forms may be
  /// the faster one, because both are going to be measured. Otherwise a
  /// prediction decides.
  bool measures = false;
};

/// One way in which a program may be computed with other roundings than in its
/// text. The objects are in lib/Conversion/Normalize/Relaxations, one class in
/// a file.
class Relaxation {
public:
  /// Its name in the option `accuracy` and in the attribute.
  const llvm::StringLiteral name;
  /// A description for the help of the option.
  const llvm::StringLiteral summary;

  /// Rewrites `function`, where a program for all machines of `use` profits,
  /// and returns the number of rewritten ops. The bound on the results is part
  /// of the description of `pruner-relax-accuracy`.
  virtual unsigned apply(mlir::IRRewriter &rewriter,
                         mlir::func::FuncOp function,
                         const RelaxationUse &use) const = 0;

protected:
  Relaxation(llvm::StringLiteral name, llvm::StringLiteral summary)
      : name(name), summary(summary) {}
  ~Relaxation() = default;
};

/// All relaxations, in the order in which they are applied.
llvm::ArrayRef<const Relaxation *> allRelaxations();

/// The attribute of a module that lists the relaxations that its results allow,
/// as an array of names.
inline constexpr llvm::StringLiteral kAccuracyAttr = "pruner.accuracy";

/// The names in `kAccuracyAttr` of `module`, in the order of allRelaxations().
/// Fails with a diagnostic if the attribute is not an array of known names.
mlir::FailureOr<std::vector<std::string>>
allowedRelaxations(mlir::ModuleOp module);

/// The names in a list such as "wide-sums,bf16-products", which may be empty.
std::vector<std::string> splitAccuracy(llvm::StringRef list);

/// Adds `names` to the attribute. The error states which name is unknown.
mlir::LogicalResult allowRelaxations(mlir::ModuleOp module,
                                     llvm::ArrayRef<std::string> names);

/// The description of an option `accuracy` for `llvm::cl::desc`.
llvm::StringRef accuracyHelp();

/// Adds the passes that apply the relaxations of a normalized module and those
/// of `accuracy`, a list, for `machines`, and normalize what they wrote.
/// `measures` is that of RelaxationUse.
void buildRelaxAccuracyPipeline(mlir::OpPassManager &pm,
                                llvm::StringRef accuracy,
                                std::vector<Machine> machines, bool measures);

} // namespace pruner

#endif // PRUNER_CONVERSION_NORMALIZE_ACCURACY_H
