//===- NetworkFuzz.h - test random networks end to end ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_FUZZING_NETWORKS_NETWORKFUZZ_H
#define PRUNER_FUZZING_NETWORKS_NETWORKFUZZ_H

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <string>

namespace pruner {

struct NetworkFuzzOptions {
  uint64_t seed = 1;
  /// The number of the first case, and how many to run. A case depends only on
  /// its number, the seed and `without`.
  uint64_t first = 0, count = 100;
  /// Seconds of processor time after which a case counts as hanging. The limit
  /// of wall-clock time is ten times as long.
  unsigned timeout = 60;
  /// Directory for wrong and reduced networks; empty for none.
  std::string directory;
  /// Kinds of operations ("convolution") and operations ("math.sin") that are
  /// excluded.
  llvm::StringSet<> without;
  /// The chip of libraries that run on a GPU, with the CUDA driver that the
  /// process finds; empty for the CPU.
  std::string chip;
  /// Relaxations to apply, wherever they fit; empty for none.
  std::string accuracy;
  /// Treat networks with this text as wrong, to test the reducer.
  std::string wrongIf;
  /// Draw networks with a dimension of several sizes.
  bool dynamic = false;
  /// Print each case, or the network of each.
  bool verbose = false, dump = false;
};

struct NetworkFuzzReport {
  uint64_t ran = 0, skipped = 0, wrong = 0, crashed = 0;
  uint64_t tasks = 0, scheduled = 0, elements = 0, undecided = 0;
  /// An interrupt or termination signal ended the run after `ran` cases.
  bool interrupted = false;
  /// The executable was replaced, which ended the run after `ran` cases.
  bool replaced = false;
};

/// Random networks through everything that a user's network goes through, in
/// forked children. What was wrong goes to `log`, with the command that repeats
/// it. The first SIGINT or SIGTERM ends the run after the current case, another
/// file in place of the executable before it. The calling process must have no
/// other threads.
NetworkFuzzReport runNetworkFuzz(const NetworkFuzzOptions &options,
                                 llvm::raw_ostream &log);

/// Runs the network in `file` with the inputs of case `first`, `count` times
/// with different schedules.
NetworkFuzzReport checkNetworkFile(const NetworkFuzzOptions &options,
                                   const std::string &file,
                                   llvm::raw_ostream &log);

/// Prints the smallest network found that goes wrong in the same way as that in
/// `file`, with fewer results, operations and elements. Returns false if
/// nothing goes wrong.
bool reduceNetworkFile(const NetworkFuzzOptions &options,
                       const std::string &file, llvm::raw_ostream &out,
                       llvm::raw_ostream &log);

} // namespace pruner

#endif // PRUNER_FUZZING_NETWORKS_NETWORKFUZZ_H
