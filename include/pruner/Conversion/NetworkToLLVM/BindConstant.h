//===- BindConstant.h - fix an argument of a network ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces an argument of a network by its value, for libraries that contain
// their weights. The value becomes a resource of the context, which no pattern
// reads or folds.

#ifndef PRUNER_CONVERSION_NETWORKTOLLVM_BINDCONSTANT_H
#define PRUNER_CONVERSION_NETWORKTOLLVM_BINDCONSTANT_H

#include "mlir/IR/BuiltinOps.h"

#include "llvm/Support/Error.h"

namespace pruner {

/// Replaces the argument with the `pruner.name` \p name of the module's network
/// by a constant. The network is the public function that prepares for no
/// other. \p data has the elements in row-major order, as in memory; it is
/// copied. Fails if there is no such argument, or if its type is not a tensor
/// of this many bytes.
llvm::Error bindConstant(mlir::ModuleOp module, llvm::StringRef name,
                         llvm::ArrayRef<char> data);

} // namespace pruner

#endif // PRUNER_CONVERSION_NETWORKTOLLVM_BINDCONSTANT_H
