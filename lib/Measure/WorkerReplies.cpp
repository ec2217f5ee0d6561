//===- WorkerReplies.cpp - interpretation of a worker's lines -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CheckReply.h"
#include "pruner/Measure/WorkerProcess.h"
#include "pruner/Support/JsonLines.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace pruner;

/// The result of `request` if `line` determines it; std::nullopt if the line
/// repeats a reply to an earlier request.
std::optional<WorkerProcess::Result>
WorkerProcess::takeReply(const json::Object &request, StringRef line) {
  auto value = parseJson(line);
  const json::Object *object = value ? value->getAsObject() : nullptr;
  if (!object) {
    if (!value)
      consumeError(value.takeError());
    std::string shown;
    for (char c : line.take_front(80))
      shown += isPrint(c) ? c : '?';
    return fail(Failure::BadReply,
                "the worker answered '" + shown + "', which is not a reply");
  }
  std::string type = object->getString("type").value_or("").str();
  int64_t id = object->getInteger("id").value_or(-1);
  if (type == "error" && id != request.getInteger("id") &&
      answered.count({request.getString("type")->str(), id}))
    return std::nullopt;
  if (type == "error")
    return fail(Failure::BadReply,
                "the worker rejected the request: " +
                    object->getString("reason").value_or("no reason").str());
  if (type == "failed")
    return takeFailure(request, *object);
  if (answered.count({type, id}))
    return std::nullopt;
  if (type != request.getString("type") ||
      (type != "hello" && id != request.getInteger("id")))
    return fail(Failure::BadReply,
                "the worker answered a request that was not made");
  answered.insert({type, id});
  return Result{std::move(*value), Failure::Died, ""};
}

/// A failure that a relay reports for its worker. The relay has replaced that
/// worker, or will at the next registration of a task. std::nullopt if the
/// failure belongs to an earlier request.
std::optional<WorkerProcess::Result>
WorkerProcess::takeFailure(const json::Object &request,
                           const json::Object &report) {
  auto failure =
      symbolizeReportedFailure(report.getString("failure").value_or("nothing"));
  std::string reason =
      plainReason(report.getString("reason").value_or("no reason"));
  std::string type = request.getString("type")->str();
  if (report.getInteger("id") != request.getInteger("id")) {
    if (answered.count({type, report.getInteger("id").value_or(-1)}))
      return std::nullopt;
    return fail(Failure::BadReply,
                "the worker answered a request that was not made");
  }
  if (!failure || (greeting && !greeting->relay))
    return fail(Failure::BadReply, "the worker reported a failure that it may "
                                   "not report: " +
                                       reason);
  if (!greeting)
    return fail(*failure, reason);
  forgetTasks();
  return Result{std::nullopt, *failure, std::move(reason)};
}
