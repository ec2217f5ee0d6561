//===- MeasureRequests.cpp - requests for one candidate -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MeasureRequests.h"

#include "CheckReply.h"

using namespace llvm;
using namespace pruner;

/// The status of a candidate whose request got no reply.
static MeasureStatus failureStatus(WorkerProcess::Failure failure,
                                   bool building) {
  switch (failure) {
  case WorkerProcess::Failure::CannotStart:
  case WorkerProcess::Failure::Stopped:
  case WorkerProcess::Failure::Lost:
  case WorkerProcess::Failure::NoWorker:
    return building ? MeasureStatus::BuildError : MeasureStatus::RunError;
  case WorkerProcess::Failure::Timeout:
    return building ? MeasureStatus::BuildTimeout : MeasureStatus::RunTimeout;
  case WorkerProcess::Failure::OutOfMemory:
    return MeasureStatus::OutOfMemory;
  case WorkerProcess::Failure::Died:
  case WorkerProcess::Failure::BadReply:
    break;
  }
  return building ? MeasureStatus::BuildCrash : MeasureStatus::RunCrash;
}

static void setFailure(MeasureResult &result,
                       const WorkerProcess::Result &answer, bool building) {
  result.status = failureStatus(answer.failure, building);
  result.reason = answer.reason;
  result.lost = answer.failure == WorkerProcess::Failure::Lost;
  result.noWorker = result.lost ||
                    answer.failure == WorkerProcess::Failure::CannotStart ||
                    answer.failure == WorkerProcess::Failure::NoWorker ||
                    answer.failure == WorkerProcess::Failure::Stopped;
}

/// How often a request is made if its worker is lost.
static constexpr int kMostAttempts = 3;

/// Calls `ask` until its worker is not lost.
template <typename Ask>
static void retryWhileLost(MeasureResult &result, Ask ask) {
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    result.noWorker = result.lost = false;
    ask();
    if (!result.lost)
      return;
  }
}

/// Registers the task of the job with the worker. On failure, fills in the
/// result and returns false.
static bool registerTask(WorkerProcess &worker, const MeasureJob &job,
                         int64_t id, bool reference, double seconds,
                         MeasureResult &result) {
  auto answer =
      worker.ensureTask({id, job.key, job.text, reference, job.seed}, seconds);
  if (!answer.reply) {
    setFailure(result, answer, /*building=*/!reference);
    if (!result.noWorker)
      result.reason = "while preparing the task: " + result.reason;
    return false;
  }
  if (answer.reply->kind() == json::Value::Null)
    return true; // It was registered before.
  auto reply = parseMessage<TaskReply>(*answer.reply, "task");
  if (reply && reply->status == MeasureStatus::Ok)
    return true;
  result.status =
      reference ? MeasureStatus::RunError : MeasureStatus::BuildError;
  if (reply && (mayReport(reply->status, /*building=*/true) ||
                mayReport(reply->status, /*building=*/false)))
    result.status = reply->status;
  result.reason =
      "the worker rejected the task: " +
      (reply ? plainReason(reply->reason) : toString(reply.takeError()));
  worker.stop(); // The next request then registers the task again.
  return false;
}

static void setMalformed(MeasureResult &result, WorkerProcess &worker,
                         Error error, bool building) {
  result.status =
      building ? MeasureStatus::BuildCrash : MeasureStatus::RunCrash;
  result.reason =
      "the worker's reply is malformed: " + toString(std::move(error));
  worker.stop();
}

static double secondsSince(Subprocess::Clock::time_point start) {
  return std::chrono::duration<double>(Subprocess::Clock::now() - start)
      .count();
}

static void requestBuildOnce(WorkerProcess &worker, const MeasureJob &job,
                             StringRef schedule, int64_t id, double seconds,
                             MeasureResult &result) {
  auto start = Subprocess::Clock::now();
  if (registerTask(worker, job, id, /*reference=*/false, seconds, result)) {
    auto answer =
        worker.call(toJSON(BuildRequest{id, job.key, schedule.str(), job.target,
                                        int64_t(job.threads), job.emulate > 0}),
                    seconds);
    if (!answer.reply) {
      setFailure(result, answer, /*building=*/true);
    } else if (auto reply = parseMessage<BuildReply>(*answer.reply, "build")) {
      result.build = std::move(*reply);
      checkReply(result.build);
      result.status = result.build.status;
      result.reason = result.build.reason;
    } else {
      setMalformed(result, worker, reply.takeError(), /*building=*/true);
    }
  }
  result.buildWallSeconds += secondsSince(start);
}

void pruner::requestBuild(WorkerProcess &worker, const MeasureJob &job,
                          StringRef schedule, int64_t id, double seconds,
                          MeasureResult &result) {
  retryWhileLost(result, [&] {
    requestBuildOnce(worker, job, schedule, id, seconds, result);
  });
}

static void requestReferenceOnce(WorkerProcess &worker, const MeasureJob &job,
                                 int64_t id, double seconds,
                                 MeasureResult &result) {
  auto start = Subprocess::Clock::now();
  result.status = MeasureStatus::Ok;
  registerTask(worker, job, id, /*reference=*/true, seconds, result);
  result.spent = {};
  result.spent.reference = result.runWallSeconds = secondsSince(start);
}

void pruner::requestReference(WorkerProcess &worker, const MeasureJob &job,
                              int64_t id, double seconds,
                              MeasureResult &result) {
  retryWhileLost(
      result, [&] { requestReferenceOnce(worker, job, id, seconds, result); });
}

static void requestRunOnce(WorkerProcess &worker, const MeasureJob &job,
                           int64_t id, const RunLimits &limits,
                           MeasureResult &result) {
  requestReferenceOnce(worker, job, id, limits.task, result);
  auto start = Subprocess::Clock::now();
  if (result.ok()) {
    RunRequest request;
    request.id = id;
    request.task = job.key;
    request.target = job.target;
    request.format = result.build.format;
    request.artifact = result.build.artifact;
    request.entry = result.build.entry;
    request.facts = result.build.facts;
    request.threads = job.threads;
    request.verify = job.verify;
    request.censorAbove = limits.censorAbove;
    request.minSeconds = job.minSeconds;
    request.minSamples = job.minSamples;
    request.maxSeconds = limits.maxSeconds;
    request.reuseDistances = job.reuseDistances;
    request.emulate = job.emulate;
    if (job.emulate > 0 && !result.build.ptx.empty()) {
      request.format = "ptx";
      request.artifact = result.build.ptx;
    }
    auto answer = worker.call(toJSON(request), limits.deadline);
    if (!answer.reply) {
      setFailure(result, answer, /*building=*/false);
    } else if (auto reply = parseMessage<RunReply>(*answer.reply, "run")) {
      result.run = std::move(*reply);
      checkReply(result.run, job);
      result.status = result.run.status;
      result.reason = result.run.reason;
      result.spent += result.run.spent.value_or(RunCosts());
      if (result.run.retire)
        worker.retire();
    } else {
      setMalformed(result, worker, reply.takeError(), /*building=*/false);
    }
    result.runWallSeconds = secondsSince(start);
  }
}

void pruner::requestRun(WorkerProcess &worker, const MeasureJob &job,
                        int64_t id, const RunLimits &limits,
                        MeasureResult &result) {
  retryWhileLost(result,
                 [&] { requestRunOnce(worker, job, id, limits, result); });
}
