//===- Replay.h - the latency of a graph of programs ------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

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
  /// How long it takes, and for how long after that its device does nothing
  /// and nobody sees its result: between two kernels.
  double seconds = 0, gap = 0;
  /// Numbers of the nodes whose results it needs.
  llvm::SmallVector<unsigned, 4> after;
  /// Where it runs; nothing: where it can begin first when it is ready.
  std::optional<unsigned> device;
};

struct ReplayedNode {
  double start = 0; ///< Seconds from the beginning.
  unsigned device = 0;
};

struct ReplayResult {
  /// In the order of the nodes.
  std::vector<ReplayedNode> nodes;
  /// When the last device is done.
  double seconds = 0;
};

/// Runs a graph on so many devices (CDMPP, algorithm 2): each has a queue of
/// nodes that have all they need; of the devices with work the one that is free
/// first takes the node that was ready first, the lower number of two. Fails if
/// there is no device, a node names one that is none, or needs itself.
llvm::Expected<ReplayResult> replayGraph(llvm::ArrayRef<ReplayNode> nodes,
                                         unsigned devices);

} // namespace pruner

#endif // PRUNER_ANALYSIS_REPLAY_H
