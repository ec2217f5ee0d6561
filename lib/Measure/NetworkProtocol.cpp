//===- NetworkProtocol.cpp - messages about whole networks ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Measure/NetworkProtocol.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace llvm;
using namespace pruner;

namespace pruner {
// Called by the generic mapper of vectors.
static bool fromJSON(const json::Value &v, NetworkLibrary &m, json::Path p) {
  json::ObjectMapper o(v, p);
  return o && o.map("network", m.network) &&
         o.mapOptional("prepare", m.prepare);
}

static bool fromJSON(const json::Value &v, NetworkTaskTimes &m, json::Path p) {
  json::ObjectMapper o(v, p);
  return o && o.map("key", m.key) && o.map("calls", m.calls) &&
         o.map("seconds", m.seconds);
}

static bool fromJSON(const json::Value &v, NetworkLibraryTimes &m,
                     json::Path p) {
  json::ObjectMapper o(v, p);
  return o && o.map("seconds", m.seconds) && o.map("tasks", m.tasks);
}
} // namespace pruner

json::Object pruner::toJSON(const NetworkRequest &m) {
  json::Array libraries;
  for (const NetworkLibrary &library : m.libraries)
    libraries.push_back(json::Object{{"network", library.network},
                                     {"prepare", library.prepare}});
  return json::Object{{"type", "network"},
                      {"id", m.id},
                      {"libraries", std::move(libraries)},
                      {"threads", m.threads},
                      {"turns", m.turns},
                      {"min_seconds", m.minSeconds}};
}

bool pruner::fromJSON(const json::Value &v, NetworkRequest &m, json::Path p) {
  json::ObjectMapper o(v, p);
  return o && o.map("id", m.id) && o.map("libraries", m.libraries) &&
         o.mapOptional("threads", m.threads) &&
         o.mapOptional("turns", m.turns) &&
         o.mapOptional("min_seconds", m.minSeconds);
}

json::Object pruner::toJSON(const NetworkReply &m) {
  json::Array libraries;
  for (const NetworkLibraryTimes &library : m.libraries) {
    json::Array tasks;
    for (const NetworkTaskTimes &task : library.tasks)
      tasks.push_back(json::Object{{"key", task.key},
                                   {"calls", task.calls},
                                   {"seconds", json::Array(task.seconds)}});
    libraries.push_back(json::Object{{"seconds", json::Array(library.seconds)},
                                     {"tasks", std::move(tasks)}});
  }
  return json::Object{{"type", "network"},
                      {"id", m.id},
                      {"status", stringifyMeasureStatus(m.status)},
                      {"reason", json::fixUTF8(m.reason)},
                      {"libraries", std::move(libraries)}};
}

bool pruner::fromJSON(const json::Value &v, NetworkReply &m, json::Path p) {
  json::ObjectMapper o(v, p);
  std::string status;
  if (!o || !o.map("id", m.id) || !o.map("status", status) ||
      !o.map("reason", m.reason) || !o.mapOptional("libraries", m.libraries))
    return false;
  auto known = symbolizeMeasureStatus(status);
  if (!known) {
    p.field("status").report("unknown status");
    return false;
  }
  m.status = *known;
  return true;
}

std::string pruner::networkProblem(const NetworkReply &reply,
                                   const NetworkRequest &request) {
  if (reply.status != MeasureStatus::Ok)
    return reply.reason.empty() ? "no reason" : reply.reason;
  if (reply.libraries.size() != request.libraries.size())
    return "expected times of " + std::to_string(request.libraries.size()) +
           " libraries, but got " + std::to_string(reply.libraries.size());
  auto areTimes = [&](const std::vector<double> &seconds) {
    return seconds.size() == size_t(request.turns) &&
           all_of(seconds,
                  [](double time) { return std::isfinite(time) && time > 0; });
  };
  for (const NetworkLibraryTimes &library : reply.libraries)
    if (!areTimes(library.seconds) ||
        !all_of(library.tasks, [&](const NetworkTaskTimes &task) {
          return task.calls > 0 && areTimes(task.seconds);
        }))
      return "expected one positive time for each turn";
  return "";
}
