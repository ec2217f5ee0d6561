//===- Protocol.cpp - the messages of a measurement worker ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Measure/Protocol.h"

#include "pruner/Support/JsonLines.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Base64.h"

using namespace llvm;
using namespace pruner;

/// Text from compilers and programs may be arbitrary bytes; JSON requires
/// UTF-8.
static std::string utf8(StringRef text) {
  return json::isUTF8(text) ? text.str() : json::fixUTF8(text);
}

static std::string statusName(MeasureStatus status) {
  return stringifyMeasureStatus(status).str();
}

namespace {
/// An object reader for statuses, bytes and nested objects.
struct Reader {
  json::ObjectMapper mapper;
  const json::Object *object;
  json::Path path;

  Reader(const json::Value &value, json::Path path)
      : mapper(value, path), object(value.getAsObject()), path(path) {}
  explicit operator bool() const { return bool(mapper); }

  bool status(MeasureStatus &out) {
    std::string name;
    if (!mapper.map("status", name))
      return false;
    auto status = symbolizeMeasureStatus(name);
    if (!status) {
      path.field("status").report("unknown status");
      return false;
    }
    out = *status;
    return true;
  }
  bool bytes(StringLiteral key, std::string &out) {
    std::string text;
    if (!mapper.mapOptional(key, text))
      return false;
    std::vector<char> decoded;
    if (Error error = decodeBase64(text, decoded)) {
      consumeError(std::move(error));
      path.field(key).report("not base64");
      return false;
    }
    out.assign(decoded.begin(), decoded.end());
    return true;
  }
  bool nested(StringLiteral key, json::Object &out) {
    const json::Value *value = object->get(key);
    if (!value)
      return true;
    if (const json::Object *inner = value->getAsObject()) {
      out = *inner;
      return true;
    }
    path.field(key).report("expected object");
    return false;
  }
};
} // namespace

std::optional<WorkerFailure> pruner::symbolizeReportedFailure(StringRef name) {
  return StringSwitch<std::optional<WorkerFailure>>(name)
      .Case("died", WorkerFailure::Died)
      .Case("timeout", WorkerFailure::Timeout)
      .Case("out-of-memory", WorkerFailure::OutOfMemory)
      .Case("bad-reply", WorkerFailure::BadReply)
      .Case("lost", WorkerFailure::Lost)
      .Case("no-worker", WorkerFailure::NoWorker)
      .Default(std::nullopt);
}

json::Object pruner::toJSON(const HelloReply &m) {
  json::Object o{{"type", "hello"},
                 {"protocol", m.protocol},
                 {"pruner", utf8(m.pruner)},
                 {"llvm", utf8(m.llvm)},
                 {"host", utf8(m.host)},
                 {"cpu", utf8(m.cpu)},
                 {"pid", m.pid}};
  if (!m.machine.empty())
    o["machine"] = utf8(m.machine);
  if (!m.generator.empty())
    o["generator"] = utf8(m.generator);
  if (m.relay)
    o["relay"] = true;
  return o;
}

bool pruner::fromJSON(const json::Value &v, HelloReply &m, json::Path p) {
  Reader r(v, p);
  return r && r.mapper.map("protocol", m.protocol) &&
         r.mapper.map("pruner", m.pruner) && r.mapper.map("llvm", m.llvm) &&
         r.mapper.map("host", m.host) && r.mapper.map("cpu", m.cpu) &&
         r.mapper.map("pid", m.pid) &&
         r.mapper.mapOptional("machine", m.machine) &&
         r.mapper.mapOptional("generator", m.generator) &&
         r.mapper.mapOptional("relay", m.relay);
}

json::Object pruner::toJSON(const TaskRequest &m) {
  return json::Object{{"type", "task"},           {"id", m.id},
                      {"key", utf8(m.key)},       {"text", utf8(m.text)},
                      {"reference", m.reference}, {"seed", m.seed}};
}

bool pruner::fromJSON(const json::Value &v, TaskRequest &m, json::Path p) {
  Reader r(v, p);
  return r && r.mapper.map("id", m.id) && r.mapper.map("key", m.key) &&
         r.mapper.map("text", m.text) &&
         r.mapper.mapOptional("reference", m.reference) &&
         r.mapper.mapOptional("seed", m.seed);
}

json::Object pruner::toJSON(const TaskReply &m) {
  json::Object o{{"type", "task"},
                 {"id", m.id},
                 {"status", statusName(m.status)},
                 {"reason", utf8(m.reason)},
                 {"exact", m.exact},
                 {"seconds", m.seconds}};
  if (!m.inexactBecause.empty())
    o["inexact_because"] = utf8(m.inexactBecause);
  return o;
}

bool pruner::fromJSON(const json::Value &v, TaskReply &m, json::Path p) {
  Reader r(v, p);
  return r && r.mapper.map("id", m.id) && r.status(m.status) &&
         r.mapper.map("reason", m.reason) && r.mapper.map("exact", m.exact) &&
         r.mapper.mapOptional("inexact_because", m.inexactBecause) &&
         r.mapper.map("seconds", m.seconds);
}

json::Object pruner::toJSON(const BuildRequest &m) {
  return json::Object{{"type", "build"},
                      {"id", m.id},
                      {"task", utf8(m.task)},
                      {"schedule", utf8(m.schedule)},
                      {"target", utf8(m.target)},
                      {"threads", m.threads},
                      {"ptx", m.ptx}};
}

bool pruner::fromJSON(const json::Value &v, BuildRequest &m, json::Path p) {
  Reader r(v, p);
  return r && r.mapper.map("id", m.id) && r.mapper.map("task", m.task) &&
         r.mapper.map("schedule", m.schedule) &&
         r.mapper.map("target", m.target) &&
         r.mapper.mapOptional("threads", m.threads) &&
         r.mapper.mapOptional("ptx", m.ptx);
}

json::Object pruner::toJSON(const BuildReply &m) {
  json::Object o{{"type", "build"},
                 {"id", m.id},
                 {"status", statusName(m.status)},
                 {"reason", utf8(m.reason)}};
  if (m.status != MeasureStatus::Ok)
    return o;
  o["format"] = m.format;
  o["artifact"] = encodeBase64(m.artifact);
  o["entry"] = utf8(m.entry);
  if (!m.ptx.empty())
    o["ptx"] = utf8(m.ptx);
  o["stages"] = json::Object(m.stages);
  o["facts"] = json::Object(m.facts);
  return o;
}

bool pruner::fromJSON(const json::Value &v, BuildReply &m, json::Path p) {
  Reader r(v, p);
  return r && r.mapper.map("id", m.id) && r.status(m.status) &&
         r.mapper.map("reason", m.reason) &&
         r.mapper.mapOptional("format", m.format) &&
         r.bytes("artifact", m.artifact) &&
         r.mapper.mapOptional("entry", m.entry) &&
         r.mapper.mapOptional("ptx", m.ptx) && r.nested("stages", m.stages) &&
         r.nested("facts", m.facts);
}

/// Pairs of first and last bytes.
static json::Array distancesToJson(llvm::ArrayRef<ReuseDistance> distances) {
  json::Array array;
  for (const ReuseDistance &distance : distances)
    array.push_back(json::Array{distance.first, distance.last});
  return array;
}

namespace pruner {
/// Called by the generic mapper of vectors.
bool fromJSON(const json::Value &v, ReuseDistance &distance, json::Path p) {
  std::vector<int64_t> pair;
  if (!json::fromJSON(v, pair, p))
    return false;
  if (pair.size() != 2 || pair[0] < 0 || pair[1] < 0) {
    p.report("expected two distances");
    return false;
  }
  distance = {pair[0], pair[1]};
  return true;
}
} // namespace pruner

json::Object pruner::toJSON(const RunRequest &m) {
  return json::Object{{"type", "run"},
                      {"id", m.id},
                      {"task", utf8(m.task)},
                      {"target", utf8(m.target)},
                      {"format", m.format},
                      {"artifact", encodeBase64(m.artifact)},
                      {"entry", utf8(m.entry)},
                      {"facts", json::Object(m.facts)},
                      {"threads", m.threads},
                      {"verify", m.verify},
                      {"censor_above", m.censorAbove},
                      {"min_seconds", m.minSeconds},
                      {"min_samples", m.minSamples},
                      {"max_seconds", m.maxSeconds},
                      {"reuse_distances", distancesToJson(m.reuseDistances)},
                      {"emulate", m.emulate}};
}

bool pruner::fromJSON(const json::Value &v, RunRequest &m, json::Path p) {
  Reader r(v, p);
  return r && r.mapper.map("id", m.id) && r.mapper.map("task", m.task) &&
         r.mapper.map("target", m.target) && r.mapper.map("format", m.format) &&
         r.bytes("artifact", m.artifact) && r.mapper.map("entry", m.entry) &&
         r.nested("facts", m.facts) &&
         r.mapper.mapOptional("threads", m.threads) &&
         r.mapper.mapOptional("verify", m.verify) &&
         r.mapper.mapOptional("censor_above", m.censorAbove) &&
         r.mapper.mapOptional("min_seconds", m.minSeconds) &&
         r.mapper.mapOptional("min_samples", m.minSamples) &&
         r.mapper.mapOptional("max_seconds", m.maxSeconds) &&
         r.mapper.mapOptional("reuse_distances", m.reuseDistances) &&
         r.mapper.mapOptional("emulate", m.emulate);
}

static json::Object costsToJson(const RunCosts &m) {
  return json::Object{{"reference", m.reference},
                      {"load", m.load},
                      {"check", m.check},
                      {"timing", m.timing}};
}

namespace pruner {
/// Called by the generic mapper of optional fields.
bool fromJSON(const json::Value &v, RunCosts &m, json::Path p) {
  Reader r(v, p);
  return r && r.mapper.mapOptional("reference", m.reference) &&
         r.mapper.mapOptional("load", m.load) &&
         r.mapper.mapOptional("check", m.check) &&
         r.mapper.mapOptional("timing", m.timing);
}
} // namespace pruner

json::Object pruner::toJSON(const RunReply &m) {
  json::Object o{{"type", "run"},
                 {"id", m.id},
                 {"status", statusName(m.status)},
                 {"reason", utf8(m.reason)},
                 {"retire", m.retire}};
  if (m.status != MeasureStatus::Ok)
    return o;
  o["median"] = m.median;
  o["minimum"] = m.minimum;
  o["p90"] = m.p90;
  o["spread"] = m.spread;
  o["samples"] = m.samples;
  if (!m.times.empty())
    o["times"] = json::Array(m.times);
  setIfKnown(o, "runs_per_sample", m.runsPerSample);
  setIfKnown(o, "repeats", m.repeats);
  setIfKnown(o, "censored", m.censored);
  setIfKnown(o, "noisy", m.noisy);
  o["verified"] = m.verified;
  if (!m.method.empty())
    o["method"] = utf8(m.method);
  setIfKnown(o, "exact", m.exact);
  setIfKnown(o, "error_over_bound", m.errorOverBound);
  setIfKnown(o, "emulated", m.emulated);
  if (m.spent)
    o["spent"] = costsToJson(*m.spent);
  if (!m.place.empty())
    o["place"] = utf8(m.place);
  return o;
}

bool pruner::fromJSON(const json::Value &v, RunReply &m, json::Path p) {
  Reader r(v, p);
  return r && r.mapper.map("id", m.id) && r.status(m.status) &&
         r.mapper.map("reason", m.reason) &&
         r.mapper.mapOptional("retire", m.retire) &&
         r.mapper.map("spent", m.spent) &&
         r.mapper.mapOptional("median", m.median) &&
         r.mapper.mapOptional("minimum", m.minimum) &&
         r.mapper.mapOptional("p90", m.p90) &&
         r.mapper.mapOptional("spread", m.spread) &&
         r.mapper.mapOptional("samples", m.samples) &&
         r.mapper.mapOptional("times", m.times) &&
         r.mapper.map("runs_per_sample", m.runsPerSample) &&
         r.mapper.map("repeats", m.repeats) &&
         r.mapper.map("censored", m.censored) &&
         r.mapper.map("noisy", m.noisy) &&
         r.mapper.mapOptional("verified", m.verified) &&
         r.mapper.mapOptional("method", m.method) &&
         r.mapper.map("exact", m.exact) &&
         r.mapper.map("error_over_bound", m.errorOverBound) &&
         r.mapper.map("emulated", m.emulated) &&
         r.mapper.mapOptional("place", m.place);
}
