//===- NetworkLibrary.h - a compiled module in this process -----*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_BENCHMARKS_OPERATORS_NETWORKLIBRARY_H
#define PRUNER_BENCHMARKS_OPERATORS_NETWORKLIBRARY_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <memory>
#include <string>
#include <vector>

namespace pruner::bench {

/// A library that `pruner-translate --to=library` made (docs/Deploying.md).
class NetworkLibrary {
public:
  /// Its kernels run on `threads` threads.
  static llvm::Expected<NetworkLibrary> open(const std::string &path,
                                             int threads);

  /// Pointers to the arguments and to the results. The function does not fail
  /// for aligned pointers and networks without checks; if it does, that ends
  /// this process.
  void run(const void *const *inputs, void *const *outputs) const;

  /// An argument or a result.
  struct Tensor {
    std::string name;
    int64_t elements = 1;
  };
  const std::vector<Tensor> &inputs() const { return arguments; }
  const std::vector<Tensor> &outputs() const { return results; }

  /// Bytes of the workspace for what is between the network's operations.
  int64_t workspaceBytes() const { return workspace; }

private:
  using Run = int(const void *const *, void *const *);
  std::shared_ptr<void> handle;
  Run *function = nullptr;
  std::vector<Tensor> arguments, results;
  int64_t workspace = 0;
};

} // namespace pruner::bench

#endif // PRUNER_BENCHMARKS_OPERATORS_NETWORKLIBRARY_H
