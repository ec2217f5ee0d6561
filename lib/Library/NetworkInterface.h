//===- NetworkInterface.h - inputs and outputs of a network -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_LIBRARY_NETWORKINTERFACE_H
#define PRUNER_LIB_LIBRARY_NETWORKINTERFACE_H

#include "pruner/Library/LoadedNetwork.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace pruner {

struct NetworkInterface {
  std::string entry;
  /// The chip of a library that runs on a GPU, or empty.
  std::string chip;
  std::vector<NetworkTensor> inputs, outputs;
  int64_t workspaceBytes = 0;
  /// The kernels, and for each call the number of its kernel, in the order of
  /// the code (`pruner-mark-calls`).
  llvm::json::Array kernels, calls;
  /// For a network of dynamic shape: the name of the size, the smallest and the
  /// largest size that an extent of -1 can have, and the plan. The name is
  /// empty for static shape.
  struct Sized {
    std::string name;
    int64_t min = 0, max = 0;
    bool independent = false;
    llvm::json::Array functions, intervals;
  } sized;

  /// Reads the module's `pruner.interface`. Inputs are named arg0, arg1, ...,
  /// results result0, result1, ...
  static llvm::Expected<NetworkInterface> read(mlir::ModuleOp module);

  /// Reads names from a JSON file: an object with the arrays `arguments` and
  /// (optionally) `results` of objects with `name` and optionally `kind`,
  /// `shape` and `dtype`, which must match the network. An empty path keeps the
  /// names. Fails if two arguments or two results have the same name.
  llvm::Error nameFrom(const std::string &path);

  /// The metadata of the library; docs/guides/Deploying.md describes it.
  std::string metadata(llvm::StringRef cpu, llvm::StringRef features) const;

  /// The C header of the library.
  std::string header(llvm::StringRef library) const;
};

} // namespace pruner

#endif // PRUNER_LIB_LIBRARY_NETWORKINTERFACE_H
