//===- Accuracy.h - what results may differ in apart from order -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By default a tuned program computes what its text says, with sums in any
// order. A *relaxation* allows more. It rewrites the program before tasks are
// extracted, so everything behind (spaces, models, verification, records) reads
// a program that says what is computed.

#ifndef PRUNER_CONVERSION_NORMALIZE_ACCURACY_H
#define PRUNER_CONVERSION_NORMALIZE_ACCURACY_H

#include "pruner/Machine/Machine.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/ADT/StringRef.h"

namespace pruner {

/// What a rewritten program is for.
struct RelaxationUse {
  llvm::ArrayRef<Machine> machines;
  /// Whether parts of which two forms may be the faster one become
  /// `pruner.alternatives`, because both are going to be measured. Otherwise a
  /// prediction decides.
  bool measures = false;
};

/// One way in which a program may be computed with other roundings than
/// its text says. The objects are in lib/Conversion/Normalize/Relaxations, one
/// class in a file.
class Relaxation {
public:
  /// Its name in the option `accuracy` and in the attribute.
  const llvm::StringLiteral name;
  /// What it does, for the help of the option.
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
