//===- NetworkProtocol.h - messages about whole networks --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_MEASURE_NETWORKPROTOCOL_H
#define PRUNER_MEASURE_NETWORKPROTOCOL_H

#include "pruner/Support/MeasureStatus.h"
#include "llvm/Support/JSON.h"
#include <cstdint>
#include <string>
#include <vector>

namespace pruner {

/// A network that was built, as files that a runner on the same machine can
/// load.
struct NetworkLibrary {
  std::string network;
  /// The library that computes inputs of it from its weights; empty if none is
  /// needed.
  std::string prepare;
};

/// Times several builds of the same network, interleaved, on random inputs.
struct NetworkRequest {
  int64_t id = 0;
  std::vector<NetworkLibrary> libraries;
  int64_t threads = 1;
  int64_t turns = 1;
  /// Minimum total time of the timed runs of one library in one turn. An
  /// untimed run precedes them. At least one run is timed.
  double minSeconds = 0.3;
};

/// The calls of one task in a library: seconds of one call, averaged over them,
/// as the median of each turn.
struct NetworkTaskTimes {
  std::string key;
  int64_t calls = 0;
  std::vector<double> seconds;
};

/// Seconds of whole runs, as the median of each turn, and of the tasks in them.
struct NetworkLibraryTimes {
  std::vector<double> seconds;
  std::vector<NetworkTaskTimes> tasks;
};

struct NetworkReply {
  int64_t id = 0;
  MeasureStatus status = MeasureStatus::Ok;
  std::string reason;
  std::vector<NetworkLibraryTimes> libraries;
};

llvm::json::Object toJSON(const NetworkRequest &message);
llvm::json::Object toJSON(const NetworkReply &message);
bool fromJSON(const llvm::json::Value &v, NetworkRequest &m,
              llvm::json::Path p);
bool fromJSON(const llvm::json::Value &v, NetworkReply &m, llvm::json::Path p);

/// Why the reply does not fit this request: other numbers of libraries or
/// turns, or invalid times. Empty if it fits.
std::string networkProblem(const NetworkReply &reply,
                           const NetworkRequest &request);

} // namespace pruner

#endif // PRUNER_MEASURE_NETWORKPROTOCOL_H
