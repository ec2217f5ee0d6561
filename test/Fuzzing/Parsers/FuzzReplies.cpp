//===- FuzzReplies.cpp - replies of any worker, read and checked ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CheckReply.h"
#include "pruner/Measure/NetworkProtocol.h"
#include "pruner/Measure/Protocol.h"
#include "pruner/Support/JsonLines.h"

#include <cmath>
#include <cstdlib>

using namespace pruner;

/// Accepted replies must fit into records.
static void require(bool condition) {
  if (!condition)
    std::abort();
}

template <typename Message>
static std::optional<Message> read(const llvm::json::Value &value) {
  auto message = parseMessage<Message>(value, "reply");
  if (message)
    return std::move(*message);
  llvm::consumeError(message.takeError());
  return std::nullopt;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  auto value = parseJson(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return 0;
  }
  // The same for requests: a worker may read those of another tuner.
  if (auto message = read<HelloReply>(*value))
    toJsonLine(toJSON(*message));
  if (auto message = read<TaskRequest>(*value))
    toJsonLine(toJSON(*message));
  if (auto message = read<BuildRequest>(*value))
    toJsonLine(toJSON(*message));
  if (auto message = read<RunRequest>(*value))
    toJsonLine(toJSON(*message));
  if (auto message = read<TaskReply>(*value))
    toJsonLine(toJSON(*message));
  if (auto message = read<NetworkRequest>(*value))
    toJsonLine(toJSON(*message));
  if (auto message = read<NetworkReply>(*value)) {
    NetworkRequest request;
    request.libraries.resize(message->libraries.size());
    request.turns = message->libraries.empty()
                        ? 1
                        : int64_t(message->libraries[0].seconds.size());
    bool ok = networkProblem(*message, request).empty();
    require(!ok || message->status == MeasureStatus::Ok);
    for (const NetworkLibraryTimes &library : message->libraries)
      for (double seconds : library.seconds)
        require(!ok || (std::isfinite(seconds) && seconds > 0));
    toJsonLine(toJSON(*message));
  }
  if (auto message = read<BuildReply>(*value)) {
    checkReply(*message);
    require(message->reason.size() < 10000);
    toJsonLine(toJSON(*message));
  }
  if (auto message = read<RunReply>(*value)) {
    MeasureJob job;
    job.leastSeconds = 1e-9;
    checkReply(*message, job);
    bool ok = message->status == MeasureStatus::Ok;
    require(!ok || (message->median >= job.leastSeconds &&
                    std::isfinite(message->median)));
    require(ok || !message->verified);
    for (double seconds : message->times)
      require(!ok || (seconds >= job.leastSeconds && std::isfinite(seconds)));
    require(message->verified || (!message->exact && !message->errorOverBound));
    toJsonLine(toJSON(*message));
  }
  return 0;
}
