//===- NetworkProtocol.h - messages about whole networks --------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_MEASURE_NETWORKPROTOCOL_H
#define PRUNER_MEASURE_NETWORKPROTOCOL_H

#include "pruner/Support/MeasureStatus.h"
#include "llvm/Support/JSON.h"
#include <cstdint>
#include <string>
#include <vector>

namespace pruner {

/// A network that was built: files that a runner on the same machine can load.
struct NetworkLibrary {
  std::string network;
  /// What computes inputs of it from its weights; empty if nothing does.
  std::string prepare;
};

/// Times several builds of the same network in turns, on random inputs.
struct NetworkRequest {
  int64_t id = 0;
  std::vector<NetworkLibrary> libraries;
  int64_t threads = 1;
  int64_t turns = 1;
  /// How long the runs of one library in one turn take together, at least;
  /// behind one that nobody times. One run more where that is less.
  double minSeconds = 0.3;
};

/// Of the calls of one task in a library: seconds of one call, on average over
/// them; a median of each turn.
struct NetworkTaskTimes {
  std::string key;
  int64_t calls = 0;
  std::vector<double> seconds;
};

/// Seconds of whole runs, a median of each turn, and of the tasks in them.
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

/// Why the reply cannot be one to this request: other numbers of libraries or
/// turns, times that are none. Empty if it can.
std::string networkProblem(const NetworkReply &reply,
                           const NetworkRequest &request);

} // namespace pruner

#endif // PRUNER_MEASURE_NETWORKPROTOCOL_H
