//===- NetworkInterface.h - what a network takes and gives ------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_LIBRARY_NETWORKINTERFACE_H
#define PRUNER_LIB_LIBRARY_NETWORKINTERFACE_H

#include "pruner/Library/LoadedNetwork.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace pruner {

struct NetworkInterface {
  std::string entry;
  std::vector<NetworkTensor> inputs, outputs;
  int64_t workspaceBytes = 0;
  /// What its calls run, and which of these each call does, in the order of the
  /// code (`pruner-mark-calls`).
  llvm::json::Array kernels, calls;
  /// Of a network of dynamic shape: the name, the least and the greatest of the
  /// sizes that extents of -1 stand for, and the plan. No name: of static
  /// shape.
  struct Sized {
    std::string name;
    int64_t min = 0, max = 0;
    bool independent = false;
    llvm::json::Array functions, intervals;
  } sized;

  /// Reads the module's `pruner.interface`. Inputs are called arg0, arg1, ...,
  /// results result0, result1, ...
  static llvm::Expected<NetworkInterface> read(mlir::ModuleOp module);

  /// Takes names from a JSON file: an object with the arrays `arguments` and
  /// (optionally) `results` of objects with `name`, and optionally `kind`,
  /// `shape` and `dtype`, which must agree with the network.
  llvm::Error nameFrom(const std::string &path);

  /// What the library says about itself; docs/guides/Deploying.md describes it.
  std::string metadata(llvm::StringRef cpu, llvm::StringRef features) const;

  /// The C header of the library.
  std::string header(llvm::StringRef library) const;
};

} // namespace pruner

#endif // PRUNER_LIB_LIBRARY_NETWORKINTERFACE_H
