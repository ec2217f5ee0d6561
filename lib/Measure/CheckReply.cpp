//===- CheckReply.cpp - what a reply may say ------------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckReply.h"

#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;
using namespace pruner;

/// Of a reason that another program gave.
static constexpr size_t kMaxReason = 2000;
/// Eleven days; nobody waits for a longer run.
static constexpr double kLongestSeconds = 1e6;

bool pruner::mayReport(MeasureStatus status, bool building) {
  switch (status) {
  case MeasureStatus::BuildError:
    return building;
  case MeasureStatus::RunError:
  case MeasureStatus::WrongResult:
    return !building;
  case MeasureStatus::OutOfMemory:
  case MeasureStatus::Unmeasured:
    return true;
  default:
    return false;
  }
}

std::string pruner::plainReason(StringRef text) {
  std::string plain;
  for (char c : text.take_front(kMaxReason))
    plain += c == '\n' || c == '\t' || static_cast<unsigned char>(c) >= 0x20
                 ? c
                 : '?';
  if (text.size() > kMaxReason)
    plain = json::fixUTF8(plain) + "...";
  return plain;
}

template <typename Reply>
static void refuse(Reply &reply, MeasureStatus status, std::string reason) {
  reply.status = status;
  reply.reason = "the worker's reply cannot be believed: " + reason;
}

template <typename Reply> static void checkStatus(Reply &reply, bool building) {
  reply.reason = plainReason(reply.reason);
  if (reply.status == MeasureStatus::Ok || mayReport(reply.status, building))
    return;
  refuse(reply, building ? MeasureStatus::BuildCrash : MeasureStatus::RunCrash,
         "a worker does not report '" +
             stringifyMeasureStatus(reply.status).str() + "'");
}

/// Containers within `value`, no deeper than what is stored may be.
static bool isDeeperThan(const json::Value &value, unsigned limit) {
  auto deeper = [&](const json::Value &inner) {
    return limit == 0 || isDeeperThan(inner, limit - 1);
  };
  if (const json::Array *array = value.getAsArray())
    return any_of(*array, deeper);
  if (const json::Object *object = value.getAsObject())
    return any_of(*object, [&](auto &entry) { return deeper(entry.second); });
  return false;
}

void pruner::checkReply(BuildReply &reply) {
  checkStatus(reply, /*building=*/true);
  constexpr unsigned kDepth = 32;
  for (json::Object *object : {&reply.facts, &reply.stages})
    if (isDeeperThan(json::Value(json::Object(*object)), kDepth)) {
      object->clear();
      refuse(reply, MeasureStatus::BuildCrash, "its facts are nested deeply");
    }
}

void pruner::checkReply(RunReply &reply, const MeasureJob &job) {
  checkStatus(reply, /*building=*/false);
  if (reply.status != MeasureStatus::Ok) {
    reply.verified = reply.exact = false;
    return;
  }
  auto distrust = [&](std::string reason) {
    refuse(reply, MeasureStatus::RunCrash, std::move(reason));
    reply.verified = reply.exact = false;
  };
  if (!(reply.median > 0 && reply.median <= kLongestSeconds))
    return distrust(formatv("a run took {0:e2} s", reply.median));
  const std::pair<const char *, double> amounts[] = {
      {"minimum", reply.minimum},
      {"p90", reply.p90},
      {"spread", reply.spread},
      {"error_over_bound", reply.errorOverBound}};
  for (auto [name, amount] : amounts)
    if (!(amount >= 0 && std::isfinite(amount)))
      return distrust(formatv("its '{0}' is {1:e2}", name, amount));
  if (reply.median < job.leastSeconds)
    return distrust(formatv(
        "a run took {0:e2} s, and no machine of this kind needs less than "
        "{1:e2} s",
        reply.median, job.leastSeconds));
}
