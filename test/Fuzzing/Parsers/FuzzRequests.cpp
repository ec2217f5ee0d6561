//===- FuzzRequests.cpp - requests to a worker ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Each line of the input is a request. Those that run code are left out,
// because a worker runs any machine code or library that it receives.

#include "pruner/Measure/NetworkProtocol.h"
#include "pruner/Measure/Protocol.h"
#include "pruner/Support/JsonLines.h"
#include "pruner/Worker/Worker.h"

#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;
using namespace pruner;

static void require(bool condition) {
  if (!condition)
    std::abort();
}

template <typename Request> static bool isSound(const json::Value &value) {
  auto request = parseMessage<Request>(value, "request");
  if (request)
    return true;
  consumeError(request.takeError());
  return false;
}

static bool runsCode(StringRef line) {
  Expected<json::Value> value = parseJson(line);
  if (!value) {
    consumeError(value.takeError());
    return false;
  }
  const json::Object *request = value->getAsObject();
  StringRef type = request ? request->getString("type").value_or("") : "";
  return (type == "build" && isSound<BuildRequest>(*value)) ||
         (type == "run" && isSound<RunRequest>(*value)) ||
         (type == "network" && isSound<NetworkRequest>(*value)) ||
         // A reference is computed by running the task.
         (type == "task" && request->getBoolean("reference").value_or(false));
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string requests;
  size_t expected = 0;
  for (StringRef line :
       split(StringRef(reinterpret_cast<const char *>(data), size), '\n')) {
    if (runsCode(line))
      continue;
    requests += line.str() + "\n";
    if (line.trim().empty())
      continue;
    ++expected;
    if (auto request = parseJsonObject(line)) {
      if (request->getString("type") == StringRef("quit")) {
        --expected;
        break;
      }
    } else {
      consumeError(request.takeError());
    }
  }
  int input = memfd_create("requests", MFD_CLOEXEC);
  int output = memfd_create("replies", MFD_CLOEXEC);
  require(input >= 0 && output >= 0 &&
          write(input, requests.data(), requests.size()) ==
              ssize_t(requests.size()) &&
          lseek(input, 0, SEEK_SET) == 0);
  WorkerOptions options;
  options.referenceBytes = 1 << 20;
  require(serveRequests(options, input, output) == 0);
  // One reply for each request, which is an object with a type.
  std::string replies(size_t(lseek(output, 0, SEEK_END)), '\0');
  require(pread(output, replies.data(), replies.size(), 0) ==
          ssize_t(replies.size()));
  size_t found = 0;
  auto bad = readJsonLines(replies, [&](json::Object reply, size_t) -> Error {
    require(reply.getString("type").has_value());
    ++found;
    return Error::success();
  });
  require(bad.empty() && found == expected);
  close(input);
  close(output);
  return 0;
}
