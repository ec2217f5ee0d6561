//===- MachineFile.cpp - machines as files, targets as text --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Machine/MachineFile.h"
#include "pruner/Machine/CodeTarget.h"
#include "pruner/Machine/HostCpu.h"
#include "pruner/Machine/KnownMachines.h"
#include "pruner/Support/InputFile.h"
#include "pruner/Support/JsonLines.h"
#include "pruner/Support/NearestName.h"
#include "pruner/Support/OutputFile.h"

#include "Fields.h"
#include "KnownCores.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"

using namespace pruner;
using namespace pruner::detail;

static constexpr int64_t fileVersion = 1;

static llvm::Error failed(llvm::StringRef where, const llvm::Twine &what) {
  return llvm::createStringError(where + ": " + what);
}

namespace {
/// Takes fields out of one JSON object and keeps the first error.
class FieldReader {
public:
  FieldReader(const llvm::json::Object &object, llvm::StringRef where)
      : object(object), where(where) {}

  const llvm::json::Value *take(llvm::StringRef name) {
    taken.insert(name);
    const llvm::json::Value *value = object.get(name);
    if (!value)
      complain("field '" + name + "' is missing");
    return value;
  }
  void takeInto(llvm::StringRef name, std::string &out) {
    if (const llvm::json::Value *value = take(name)) {
      if (std::optional<llvm::StringRef> text = value->getAsString())
        out = text->str();
      else
        complain("field '" + name + "' must be a string");
    }
  }
  void takeInto(llvm::StringRef name, double &out) {
    if (const llvm::json::Value *value = take(name)) {
      if (std::optional<double> number = value->getAsNumber())
        out = *number;
      else
        complain("field '" + name + "' must be a number");
    }
  }
  void takeInto(llvm::StringRef name, int64_t &out) {
    if (const llvm::json::Value *value = take(name)) {
      if (std::optional<int64_t> number = value->getAsInteger())
        out = *number;
      else
        complain("field '" + name + "' must be an integer");
    }
  }
  void takeInto(llvm::StringRef name, std::vector<std::string> &out) {
    const llvm::json::Value *value = take(name);
    if (!value)
      return;
    const llvm::json::Array *array = value->getAsArray();
    if (!array)
      return complain("field '" + name + "' must be an array of strings");
    for (const llvm::json::Value &element : *array) {
      std::optional<llvm::StringRef> text = element.getAsString();
      if (!text)
        return complain("field '" + name + "' must be an array of strings");
      out.push_back(text->str());
    }
  }
  void complain(const llvm::Twine &what) {
    if (complaint.empty())
      complaint = what.str();
  }
  llvm::Error finish() {
    // Sorted, so that the reported field does not depend on hashing.
    std::string unknown;
    for (const auto &member : object) {
      llvm::StringRef name = member.first;
      if (!taken.contains(name) && (unknown.empty() || name < unknown))
        unknown = name.str();
    }
    if (!unknown.empty())
      complaint = "field '" + unknown + "' is unknown";
    return complaint.empty() ? llvm::Error::success()
                             : failed(where, complaint);
  }

private:
  const llvm::json::Object &object;
  llvm::StringRef where;
  llvm::StringSet<> taken;
  std::string complaint;
};
} // namespace

/// Reads member `name` of `object`, which describes `device`, into `model`.
/// Older files do not have this member, or lack some of its fields.
template <typename Model, size_t N>
static llvm::Error readModel(const llvm::json::Object &object, const char *name,
                             const char *device, bool hasOne,
                             llvm::StringRef where, FieldReader &parent,
                             const ModelField<Model> (&fields)[N],
                             Model &model) {
  const llvm::json::Value *value = object.get(name);
  if (!value)
    return llvm::Error::success();
  parent.take(name);
  if (!value->getAsObject() || !hasOne) {
    parent.complain("field '" + llvm::Twine(name) +
                    "' must be an object, of a " + device);
    return llvm::Error::success();
  }
  FieldReader reader(*value->getAsObject(), where);
  for (const auto &field : fields)
    if (!field.mayBeMissing || value->getAsObject()->get(field.name))
      reader.takeInto(field.name, model.*field.member);
  return reader.finish();
}

template <typename Model, size_t N>
static void writeModel(llvm::json::OStream &json, const char *name,
                       const ModelField<Model> (&fields)[N],
                       const Model &model) {
  json.attributeObject(name, [&] {
    for (const auto &field : fields)
      json.attribute(field.name, model.*field.member);
  });
}

llvm::Expected<Machine> pruner::parseMachine(llvm::StringRef text,
                                             llvm::StringRef where) {
  llvm::Expected<llvm::json::Value> value = parseJson(text);
  if (!value)
    return failed(where, llvm::toString(value.takeError()));
  const llvm::json::Object *object = value->getAsObject();
  if (!object)
    return failed(where, "a machine is one JSON object");
  Machine machine;
  int64_t version = fileVersion;
  std::string kind = "cpu";
  FieldReader reader(*object, where);
  reader.takeInto("version", version);
  if (version != fileVersion)
    reader.complain("field 'version' is " + llvm::Twine(version) +
                    ", but this program reads version " +
                    llvm::Twine(fileVersion));
  reader.takeInto("kind", kind);
  if (kind != "cpu" && kind != "gpu")
    reader.complain("field 'kind' must be \"cpu\" or \"gpu\", but is \"" +
                    kind + "\"");
  machine.kind = kind == "gpu" ? Machine::Kind::Gpu : Machine::Kind::Cpu;
  for (const auto &field : textFields)
    reader.takeInto(field.name, machine.*field.member);
  for (const auto &field : realFields)
    reader.takeInto(field.name, machine.*field.member);
  for (const auto &field : integerFields)
    reader.takeInto(field.name, machine.*field.member);
  if (machine.isCpu())
    setKnownCosts(machine.core, machine.arch);
  if (llvm::Error error = readModel(*object, "core", "CPU", machine.isCpu(),
                                    where, reader, coreFields, machine.core))
    return error;
  if (llvm::Error error = readModel(*object, "sm", "GPU", machine.isGpu(),
                                    where, reader, smFields, machine.sm))
    return error;
  reader.takeInto("notes", machine.notes);
  if (llvm::Error error = reader.finish())
    return error;
  if (std::optional<std::string> rule = machine.invalid())
    return failed(where, *rule);
  return machine;
}

/// A description has a few kilobytes.
static constexpr size_t kMostBytes = 1 << 20;

llvm::Expected<Machine> pruner::readMachine(llvm::StringRef file) {
  auto buffer = readInputFile(file, kMostBytes);
  if (!buffer)
    return failed(file, llvm::toString(buffer.takeError()));
  return parseMachine((*buffer)->getBuffer(), file);
}

void pruner::printMachineJson(const Machine &machine, llvm::raw_ostream &os) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("version", fileVersion);
    json.attribute("kind", machine.isGpu() ? "gpu" : "cpu");
    for (const auto &field : textFields)
      json.attribute(field.name, machine.*field.member);
    for (const auto &field : realFields)
      json.attribute(field.name, machine.*field.member);
    for (const auto &field : integerFields)
      json.attribute(field.name, machine.*field.member);
    if (machine.isCpu())
      writeModel(json, "core", coreFields, machine.core);
    else
      writeModel(json, "sm", smFields, machine.sm);
    json.attributeArray("notes", [&] {
      for (const std::string &note : machine.notes)
        json.value(note);
    });
  });
  os << '\n';
}

llvm::Error pruner::writeMachine(const Machine &machine, llvm::StringRef file) {
  return writeOutputFile(file, [&](llvm::raw_ostream &os) {
    printMachineJson(machine, os);
    return llvm::Error::success();
  });
}

llvm::Expected<Machine> pruner::parseTarget(llvm::StringRef target) {
  auto [family, rest] = target.split(':');
  if (target == "cpu")
    return queryHostCpu();
  if (family == "cpu" && !rest.empty()) {
    Machine host = queryHostCpu();
    if (host.arch == rest)
      return host;
    return llvm::createStringError(
        "target '" + target + "': this host is '" + host.name +
        "'; another CPU is described in a file, 'file:<path>'");
  }
  if (llvm::StringRef model = target; consumeNvidia(model) && !model.empty())
    return knownMachine(target);
  if (family == "amd" && !rest.empty())
    return knownMachine(target);
  if (family == "file" && !rest.empty())
    return readMachine(rest);
  std::vector<std::string> allowed;
  for (const KnownArchitecture &known : knownArchitectures())
    allowed.push_back(nvidiaName(known.arch));
  llvm::append_range(allowed, knownMachineNames());
  std::string list = llvm::join(allowed, ", ");
  allowed.push_back("cpu");
  return llvm::createStringError(
      "unknown target '" + target + "'; allowed: cpu, file:<path>, " + list +
      didYouMean(target, allowed, [](const auto &name) { return name; }));
}
