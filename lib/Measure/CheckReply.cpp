//===- CheckReply.cpp - checks of replies ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CheckReply.h"

#include "pruner/Runtime/Timer.h"

#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;
using namespace pruner;

/// Maximum length of a reason from another program.
static constexpr size_t kMaxReason = 2000;
/// Eleven days, longer than any deadline.
static constexpr double kLongestSeconds = 1e6;
/// The maximum that can be requested (min_samples).
static constexpr size_t kMostTimes = 100000;

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
static void reject(Reply &reply, MeasureStatus status, std::string reason) {
  reply.status = status;
  reply.reason = "the worker's reply is implausible: " + reason;
}

template <typename Reply> static void checkStatus(Reply &reply, bool building) {
  reply.reason = plainReason(reply.reason);
  if (reply.status == MeasureStatus::Ok || mayReport(reply.status, building))
    return;
  reject(reply, building ? MeasureStatus::BuildCrash : MeasureStatus::RunCrash,
         "a worker cannot report status '" +
             stringifyMeasureStatus(reply.status).str() + "'");
}

/// Whether `value` is nested more than `limit` deep, the limit for stored
/// values.
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
      reject(reply, MeasureStatus::BuildCrash,
             "'facts' or 'stages' is nested more than 32 deep");
    }
}

/// Why `seconds` is implausible as the time of a run; empty if it is plausible.
static std::string problemOf(double seconds, const MeasureJob &job) {
  if (!(seconds > 0 && seconds <= kLongestSeconds))
    return formatv("a run took {0:e2} s", seconds);
  if (seconds < job.leastSeconds)
    return formatv("a run took {0:e2} s, but this kind of machine needs at "
                   "least {1:e2} s",
                   seconds, job.leastSeconds);
  return "";
}

/// Computes the summary from the single times, if there are any.
static void summarize(RunReply &reply) {
  if (reply.times.empty())
    return;
  TimingResult summary = summarizeSamples(reply.times);
  reply.median = summary.median;
  reply.minimum = summary.minimum;
  reply.p90 = summary.p90;
  reply.spread = summary.spread;
  reply.samples = int64_t(reply.times.size());
}

/// Why the numbers of a reply are implausible; empty if they are plausible.
static std::string problemOf(const RunReply &reply, const MeasureJob &job) {
  if (reply.times.size() > kMostTimes)
    return formatv("expected at most {0} times, but got {1}", kMostTimes,
                   reply.times.size());
  for (double seconds : reply.times)
    if (std::string problem = problemOf(seconds, job); !problem.empty())
      return problem;
  if (std::string problem = problemOf(reply.median, job); !problem.empty())
    return problem;
  const RunCosts spent = reply.spent.value_or(RunCosts());
  const std::pair<const char *, double> amounts[] = {
      {"spent.reference", spent.reference},
      {"spent.load", spent.load},
      {"spent.check", spent.check},
      {"spent.timing", spent.timing},
      {"minimum", reply.minimum},
      {"p90", reply.p90},
      {"spread", reply.spread},
      {"repeats", double(reply.repeats.value_or(0))},
      {"error_over_bound", reply.errorOverBound.value_or(0)}};
  for (auto [name, amount] : amounts)
    if (!(amount >= 0 && std::isfinite(amount)))
      return formatv("'{0}' is {1:e2}", name, amount);
  if (reply.runsPerSample.value_or(1) < 1)
    return formatv("'runs_per_sample' is {0}", *reply.runsPerSample);
  return "";
}

/// Clears the fields that are valid only after a passed comparison.
static void dropVerdict(RunReply &reply) {
  reply.verified = false;
  reply.exact.reset();
  reply.errorOverBound.reset();
}

void pruner::checkReply(RunReply &reply, const MeasureJob &job) {
  reply.place = plainReason(reply.place);
  checkStatus(reply, /*building=*/false);
  if (reply.status != MeasureStatus::Ok || job.emulate == 0)
    reply.emulated.reset();
  if (reply.status == MeasureStatus::Ok && job.emulate > 0) {
    reply.times.clear();
    reply.verified = false; // On a device.
    if (double share = reply.emulated.value_or(0); !(share > 0 && share <= 1))
      reject(reply, MeasureStatus::RunCrash,
             "expected 'emulated' to be a share of the blocks");
  } else if (reply.status == MeasureStatus::Ok) {
    summarize(reply);
    if (std::string problem = problemOf(reply, job); !problem.empty())
      reject(reply, MeasureStatus::RunCrash, std::move(problem));
  }
  if (reply.status != MeasureStatus::Ok) // Not checked above.
    reply.spent.reset();
  if (reply.status != MeasureStatus::Ok || !reply.verified)
    dropVerdict(reply);
}
