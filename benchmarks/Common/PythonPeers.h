//===- PythonPeers.h - peers that are Python packages -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_BENCHMARKS_COMMON_PYTHONPEERS_H
#define PRUNER_BENCHMARKS_COMMON_PYTHONPEERS_H

#include "Contender.h"

#include <memory>

namespace pruner {
class Subprocess;
} // namespace pruner

namespace pruner::bench {

/// A child process that runs peers/serve.py. It holds operands and compiled
/// programs and times them on request, so that its peers are interleaved with
/// the contenders of this process. Both sides exchange one JSON object per
/// line; serve.py describes them.
class PythonPeers {
public:
  struct Options {
    std::string python; ///< The interpreter.
    std::string only; ///< A regular expression that selects peers; empty: all.
    unsigned threads = 1;       ///< Threads of every peer.
    std::vector<unsigned> cpus; ///< The CPUs that it may use.
  };
  static llvm::Expected<PythonPeers> start(Options options);
  /// The same, with a line on stderr for each package. Nothing without an
  /// interpreter or a package; a failure prints its reason.
  static std::optional<PythonPeers> startOrExplain(Options options);
  PythonPeers(PythonPeers &&);
  ~PythonPeers();

  /// Package versions, and why other packages are not used.
  const llvm::json::Object &versions() const { return found; }
  bool empty() const { return names == 0; }

  /// Compiles an operation and discards the previous one. `problem` is the
  /// "prepare" request of serve.py without its "op". If a peer crashes the
  /// child, the peer gets a failure and the others continue in a new child. The
  /// contenders must not outlive this object.
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
