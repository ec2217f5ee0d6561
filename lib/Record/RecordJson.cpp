//===- RecordJson.cpp - records and tasks as JSON -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Record/RecordJson.h"
#include "pruner/Support/FieldReader.h"
#include "pruner/Support/Hashing.h"
#include "pruner/Support/JsonLines.h"

#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace pruner;

/// The value of T4's closed list that is closest to `status`. T4 has none for a
/// configuration that was not measured; its users write `constraints` for
/// these.
static StringRef toInvalidity(MeasureStatus status) {
  switch (status) {
  case MeasureStatus::Ok:
    return "correct";
  case MeasureStatus::BuildError:
  case MeasureStatus::BuildCrash:
    return "compile";
  case MeasureStatus::BuildTimeout:
  case MeasureStatus::RunTimeout:
    return "timeout";
  case MeasureStatus::RunError:
  case MeasureStatus::RunCrash:
  case MeasureStatus::OutOfMemory:
    return "runtime";
  case MeasureStatus::WrongResult:
    return "correctness";
  case MeasureStatus::Unmeasured:
    return "constraints";
  }
  return "runtime";
}

static json::Array toMeasurements(const Record &record) {
  json::Array measurements;
  auto add = [&](StringRef name, std::optional<double> value, StringRef unit) {
    if (value)
      measurements.push_back(
          json::Object{{"name", name}, {"value", *value}, {"unit", unit}});
  };
  std::optional<double> median = medianTime(record);
  if (median)
    *median *= 1e3;
  add("time", median, "ms");
  add("predicted_score", record.score, "");
  add("psa_latency", record.psaLatency, "s");
  return measurements;
}

json::Object pruner::toJson(const Record &record) {
  json::Array seconds, milliseconds;
  for (double time : record.times) {
    seconds.push_back(time);
    milliseconds.push_back(time * 1e3);
  }
  json::Object pruner{{"format", kExportFormat},
                      {"kind", "record"},
                      {"task", record.taskKey},
                      {"target", record.target},
                      {"machine", record.machineKey},
                      {"pipeline_options", record.pipelineOptions},
                      {"toolchain", record.toolchain},
                      {"run", record.runId},
                      {"trial", record.trial},
                      {"strategy", record.strategy},
                      {"seed", record.seed},
                      {"round", record.round},
                      {"status", stringifyMeasureStatus(record.status)},
                      {"reason", record.reason},
                      {"times", std::move(seconds)},
                      {"verified", record.verified},
                      {"build_seconds", record.buildSeconds},
                      {"run_seconds", record.runSeconds},
                      {"host", record.host},
                      {"version", record.prunerVersion}};
  // Left out if empty, so that lines of earlier versions keep their bytes and
  // hashes.
  if (!record.generator.empty())
    pruner["generator"] = record.generator;
  if (!record.verification.empty())
    pruner["verification"] = record.verification;
  if (!record.cacheState.empty())
    pruner["cache_state"] = record.cacheState;
  setIfKnown(pruner, "runs_per_sample", record.runsPerSample);
  setIfKnown(pruner, "repeats", record.repeats);
  setIfKnown(pruner, "censored", record.censored);
  setIfKnown(pruner, "noisy", record.noisy);
  setIfKnown(pruner, "exact", record.exact);
  setIfKnown(pruner, "error_over_bound", record.errorOverBound);
  setIfKnown(pruner, "score", record.score);
  setIfKnown(pruner, "psa_latency", record.psaLatency);
  if (Expected<json::Object> facts = parseJsonObject(record.facts))
    pruner["facts"] = std::move(*facts);
  else
    consumeError(facts.takeError()); // Only in records that are not normalized.
  return json::Object{
      {"timestamp", record.timestamp},
      {"configuration", json::Object{{"schedule", record.schedule}}},
      {"objectives", json::Array{"time"}},
      {"times", json::Object{{"compilation_time", record.buildSeconds * 1e3},
                             {"runtimes", std::move(milliseconds)}}},
      {"invalidity", toInvalidity(record.status)},
      {"correctness", record.verified ? 1 : 0},
      {"measurements", toMeasurements(record)},
      {"pruner", std::move(pruner)}};
}

json::Object pruner::toJson(const StoredTask &task) {
  return json::Object{{"pruner", json::Object{{"format", kExportFormat},
                                              {"kind", "task"},
                                              {"key", task.key},
                                              {"name", task.name},
                                              {"text", task.text},
                                              {"flops", task.flops},
                                              {"bytes", task.bytes}}}};
}

json::Object pruner::seal(json::Object object) {
  std::string check = contentHash(StringRef(toJsonLine(object)));
  if (json::Object *pruner = object.getObject("pruner"))
    (*pruner)["check"] = check;
  return object;
}

static Expected<StoredTask> toTask(const json::Object &pruner) {
  StoredTask task;
  FieldReader reader(pruner, "pruner.");
  reader.text("key", task.key);
  reader.text("name", task.name);
  reader.text("text", task.text);
  reader.number("flops", task.flops);
  reader.number("bytes", task.bytes);
  if (Error error = reader.takeError())
    return error;
  if (Error error = normalizeTask(task))
    return error;
  return task;
}

static Expected<Record> toRecord(const json::Object &line,
                                 const json::Object &pruner) {
  Record record;
  std::string status;
  FieldReader outer(line, "");
  outer.text("timestamp", record.timestamp);
  if (const json::Object *configuration = outer.child("configuration")) {
    FieldReader reader(*configuration, "configuration.");
    reader.text("schedule", record.schedule);
    if (Error error = reader.takeError())
      return error;
  }
  if (Error error = outer.takeError())
    return error;

  FieldReader reader(pruner, "pruner.");
  reader.text("task", record.taskKey);
  reader.text("target", record.target);
  reader.text("machine", record.machineKey);
  reader.text("pipeline_options", record.pipelineOptions);
  reader.text("toolchain", record.toolchain);
  reader.optionalText("generator", record.generator);
  reader.optionalText("cache_state", record.cacheState);
  reader.optionalText("verification", record.verification);
  reader.text("run", record.runId);
  reader.integer("trial", record.trial);
  reader.text("strategy", record.strategy);
  reader.unsignedInteger("seed", record.seed);
  reader.integer("round", record.round);
  reader.text("status", status);
  reader.text("reason", record.reason);
  reader.numbers("times", record.times);
  reader.boolean("verified", record.verified);
  reader.optional("runs_per_sample", record.runsPerSample);
  reader.optional("repeats", record.repeats);
  reader.optional("censored", record.censored);
  reader.optional("noisy", record.noisy);
  reader.optional("exact", record.exact);
  reader.optional("error_over_bound", record.errorOverBound);
  reader.optional("score", record.score);
  reader.optional("psa_latency", record.psaLatency);
  reader.number("build_seconds", record.buildSeconds);
  reader.number("run_seconds", record.runSeconds);
  reader.text("host", record.host);
  reader.text("version", record.prunerVersion);
  if (const json::Object *facts = reader.child("facts"))
    record.facts = toJsonLine(*facts);
  if (std::optional<MeasureStatus> known = symbolizeMeasureStatus(status))
    record.status = *known;
  else
    reader.fail("status", "is '" + status + "', which is not a status");
  if (Error error = reader.takeError())
    return error;
  if (Error error = normalizeRecord(record))
    return error;
  return record;
}

/// A line without a check was written by hand, or damage changed the name of
/// its check. In the latter case it has an unknown name.
static Error checkNames(const json::Object &pruner) {
  static const StringSet<> known = {"format",
                                    "kind",
                                    "key",
                                    "name",
                                    "text",
                                    "flops",
                                    "bytes",
                                    "task",
                                    "target",
                                    "machine",
                                    "toolchain",
                                    "pipeline_options",
                                    "run",
                                    "trial",
                                    "strategy",
                                    "seed",
                                    "round",
                                    "status",
                                    "reason",
                                    "times",
                                    "host",
                                    "version",
                                    "verified",
                                    "build_seconds",
                                    "score",
                                    "facts",
                                    "run_seconds",
                                    "psa_latency",
                                    "generator",
                                    "verification",
                                    "environment",
                                    "runs_per_sample",
                                    "repeats",
                                    "censored",
                                    "noisy",
                                    "exact",
                                    "error_over_bound",
                                    "cache_state"};
  for (const auto &member : pruner)
    if (!known.contains(StringRef(member.first)))
      return createStringError("the field 'pruner." + StringRef(member.first) +
                               "' is unknown, and the line has no check");
  return Error::success();
}

Expected<std::variant<StoredTask, Record>>
pruner::fromJson(json::Object object) {
  json::Object *pruner = object.getObject("pruner");
  if (!pruner)
    return createStringError(
        "not a line of an export: the object 'pruner' is missing");
  if (std::optional<StringRef> check = pruner->getString("check")) {
    std::string expected = check->str();
    pruner->erase("check");
    std::string found = contentHash(StringRef(toJsonLine(object)));
    if (found != expected)
      return createStringError(
          "the line was changed after it was written: its check is " +
          expected + ", its content hashes to " + found +
          " (remove 'pruner.check' if the change was intended)");
  } else if (Error error = checkNames(*pruner)) {
    return error;
  }
  int64_t format = 0;
  std::string kind;
  FieldReader reader(*pruner, "pruner.");
  reader.integer("format", format);
  reader.text("kind", kind);
  if (Error error = reader.takeError())
    return error;
  if (format != kExportFormat)
    return createStringError("the line has format " + Twine(format) +
                             ", this version reads format " +
                             Twine(kExportFormat));
  if (kind == "task") {
    Expected<StoredTask> task = toTask(*pruner);
    if (!task)
      return task.takeError();
    return std::variant<StoredTask, Record>(std::move(*task));
  }
  if (kind == "record") {
    Expected<Record> record = toRecord(object, *pruner);
    if (!record)
      return record.takeError();
    return std::variant<StoredTask, Record>(std::move(*record));
  }
  return createStringError(
      "the field 'pruner.kind' must be 'task' or 'record', but is '" + kind +
      "'");
}
