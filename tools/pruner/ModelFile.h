//===- ModelFile.h - models that commands read ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TOOLS_PRUNER_MODELFILE_H
#define PRUNER_TOOLS_PRUNER_MODELFILE_H

#include "Arguments.h"
#include "pruner/Library/NetworkConstants.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

namespace pruner {

/// A network that was read from a file and prepared for tuning.
struct ModelFile {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::string entry; ///< The name of the network's function.
  /// The weights, which are arguments of the network.
  NetworkConstants constants;

  mlir::func::FuncOp network() {
    return module->lookupSymbol<mlir::func::FuncOp>(entry);
  }
};

/// The options of commands that read a model.
inline constexpr llvm::StringRef kModelOptions[] = {"entry", "names", "shape",
                                                    "weights"};
/// Their help.
extern const char *const kModelOptionsHelp;

/// Reads a model: MLIR, or a file that Python imports (.onnx, .pt2). Turns its
/// weights into arguments, and applies `--names` and `--weights`. For a network
/// of dynamic shape, chooses sizes and makes static functions instead. Errors
/// at operations are diagnostics; the error is then empty.
llvm::Expected<ModelFile> readModel(mlir::MLIRContext &context,
                                    llvm::StringRef path,
                                    const Arguments &arguments);

/// Runs one pass with options as text.
mlir::LogicalResult runPass(mlir::ModuleOp module,
                            std::unique_ptr<mlir::Pass> pass);

} // namespace pruner

#endif // PRUNER_TOOLS_PRUNER_MODELFILE_H
