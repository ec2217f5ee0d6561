//===- Replay.h - replay of a graph of programs -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_ANALYSIS_REPLAY_H
#define PRUNER_ANALYSIS_REPLAY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <vector>

namespace pruner {

/// A program that runs once, on one device.
struct ReplayNode {
  /// Its run time, and the time after it during which its device is idle and
  /// its result not yet available: the gap between kernels.
  double seconds = 0, gap = 0;
  /// Indices of the nodes whose results it needs.
  llvm::SmallVector<unsigned, 4> after;
  /// The device to run on. Nothing: the first device that is free when the node
  /// is ready.
  std::optional<unsigned> device;
};

struct ReplayedNode {
  double start = 0; ///< Seconds after the start of the graph.
  unsigned device = 0;
};

struct ReplayResult {
  /// In the order of the nodes.
  std::vector<ReplayedNode> nodes;
  /// The time when the last device finishes.
  double seconds = 0;
};

/// Simulates a graph on this many devices (CDMPP, algorithm 2). Each device has
/// a queue of ready nodes. The device that is free first takes the node that
/// was ready first; ties go to the lower number. Fails if there is no device,
/// if a node names an unknown device or node, or if the graph has a cycle.
llvm::Expected<ReplayResult> replayGraph(llvm::ArrayRef<ReplayNode> nodes,
                                         unsigned devices);

} // namespace pruner

#endif // PRUNER_ANALYSIS_REPLAY_H
