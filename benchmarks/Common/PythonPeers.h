//===- PythonPeers.h - peers that are Python packages -----------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_BENCHMARKS_COMMON_PYTHONPEERS_H
#define PRUNER_BENCHMARKS_COMMON_PYTHONPEERS_H

#include "Contender.h"

#include <memory>

namespace pruner {
class Subprocess;
} // namespace pruner

namespace pruner::bench {

/// A child that runs peers/serve.py: it holds operands and compiled programs of
/// its own and times what it is asked to time, so that its peers take turns
/// with ours. One JSON object a line in both directions; see there.
class PythonPeers {
public:
  struct Options {
    std::string python;         ///< The interpreter.
    std::string only;           ///< A regular expression of peers; empty: all.
    unsigned threads = 1;       ///< Of every peer.
    std::vector<unsigned> cpus; ///< Where it may run.
  };
  static llvm::Expected<PythonPeers> start(Options options);
  /// The same, with a line on stderr for each package; nothing without an
  /// interpreter or a package, with a line that says why where it failed.
  static std::optional<PythonPeers> startOrExplain(Options options);
  PythonPeers(PythonPeers &&);
  ~PythonPeers();

  /// Package versions, and why a package is not used.
  const llvm::json::Object &versions() const { return found; }
  bool empty() const { return names == 0; }

  /// Makes the programs of an operator; those of the one before are gone.
  /// `problem` is the "prepare" request of serve.py without its "op". A peer
  /// that takes the child down has that as its failure; the others are made in
  /// a new one. The contenders must not outlive this object.
  std::vector<Contender> contenders(const llvm::json::Object &problem);

private:
  PythonPeers();
  llvm::Error launch();
  llvm::Expected<llvm::json::Object> ask(llvm::json::Object request,
                                         double seconds);
  Contender contender(const llvm::json::Object &peer);

  Options options;
  std::unique_ptr<Subprocess> child;
  llvm::json::Object found;
  size_t names = 0;
};

} // namespace pruner::bench

#endif // PRUNER_BENCHMARKS_COMMON_PYTHONPEERS_H
