//===- PythonPeers.h - peers that are Python packages -----------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_BENCHMARKS_MATMUL_PYTHONPEERS_H
#define PRUNER_BENCHMARKS_MATMUL_PYTHONPEERS_H

#include "Contender.h"

#include <memory>

namespace pruner {
class Subprocess;
} // namespace pruner

namespace pruner::bench {

/// A child that runs peers.py: it holds operands and compiled programs of its
/// own and times what it is asked to time, so that its peers take turns with
/// ours. One JSON object a line in both directions; see peers.py.
class PythonPeers {
public:
  /// `cpus`: where it may run.
  static llvm::Expected<PythonPeers> start(const std::string &python,
                                           const std::string &script,
                                           unsigned threads,
                                           std::vector<unsigned> cpus);
  PythonPeers(PythonPeers &&);
  ~PythonPeers();

  /// Package versions, and why a package is not used.
  const llvm::json::Object &versions() const { return found; }
  bool empty() const { return names == 0; }

  /// Makes the programs of a shape; those of the shape before are gone. The
  /// contenders must not outlive this object.
  std::vector<Contender> contenders(const Shape &shape);

private:
  PythonPeers();
  llvm::Expected<llvm::json::Object> ask(llvm::json::Object request,
                                         double seconds);

  std::unique_ptr<Subprocess> child;
  llvm::json::Object found;
  size_t names = 0;
  unsigned threads = 1;
};

} // namespace pruner::bench

#endif // PRUNER_BENCHMARKS_MATMUL_PYTHONPEERS_H
