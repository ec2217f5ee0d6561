//===- Dataset.cpp - datasets of measured schedules -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dataset/Dataset.h"
#include "pruner/Machine/MachineFile.h"
#include "pruner/Support/FieldReader.h"
#include "pruner/Support/OutputFile.h"

#include "Gzip.h"

#include <cmath>
#include <set>

using namespace llvm;
using namespace pruner;

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

void DatasetWriter::begin(const DatasetOrigin &origin) {
  std::string text;
  raw_string_ostream machine(text);
  printMachineJson(origin.machine, machine);
  // The cast is safe: this program wrote the text.
  json::Object line{{"dataset", kDatasetFormat},
                    {"machine", cantFail(parseJson(text))},
                    {"toolchain", origin.toolchain},
                    {"source", origin.source}};
  os << toJsonLine(line) << '\n';
  tasks = 0;
}

unsigned DatasetWriter::add(const DatasetTask &task) {
  json::Object line{{"task", tasks}, {"name", task.name}, {"text", task.text}};
  os << toJsonLine(line) << '\n';
  return tasks++;
}

void DatasetWriter::add(const DatasetRecord &record) {
  json::Object line{{"record", record.task}, {"schedule", record.schedule}};
  if (record.status == MeasureStatus::Ok)
    line["seconds"] = json::Array(record.seconds);
  else
    line["status"] = stringifyMeasureStatus(record.status);
  if (!record.variant.empty())
    line["variant"] = record.variant;
  if (!record.primitives.empty())
    line["primitives"] = cantFail(parseJson(record.primitives));
  if (!record.facts.empty())
    line["facts"] = cantFail(parseJson(record.facts));
  os << toJsonLine(line) << '\n';
}

Error pruner::writeDatasetFile(StringRef path,
                               function_ref<Error(DatasetWriter &)> write) {
  bool isWritten = true;
  Error error = writeOutputFile(path, [&](raw_ostream &os) {
    GzipStream packed(os);
    DatasetWriter writer(packed);
    Error error = write(writer);
    packed.finish();
    isWritten = !error;
    return error;
  });
  return error && isWritten
             ? createStringError("'" + (path == "-" ? "stdout" : path) +
                                 "': " + toString(std::move(error)))
             : std::move(error);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
class Reader {
public:
  explicit Reader(DatasetVisitor &visitor) : visitor(visitor) {}

  /// Notes a bad line if no other lines depend on it; fails otherwise.
  Error readLine(StringRef text, size_t number) {
    if (text.trim(" \t").empty())
      return Error::success();
    Expected<json::Object> line = parseJsonObject(text, limits);
    Error error = line ? read(*line) : line.takeError();
    if (error && (!begun || (line && line->get("dataset"))))
      return createStringError("line " + Twine(number) + ": " +
                               toString(std::move(error)));
    if (error)
      bad.push_back({number, toString(std::move(error))});
    return Error::success();
  }

  std::vector<BadLine> bad;

private:
  Error read(const json::Object &line) {
    if (line.get("dataset"))
      return readOrigin(line);
    if (!begun)
      return createStringError(
          "expected a dataset to begin with a line that has the "
          "field 'dataset'");
    if (line.get("task"))
      return readTask(line);
    if (line.get("record"))
      return readRecord(line);
    return createStringError(
        "expected one of the fields 'dataset', 'task' and 'record'");
  }

  Error readOrigin(const json::Object &line) {
    FieldReader fields(line, "");
    DatasetOrigin origin;
    int64_t format = kDatasetFormat;
    fields.integer("dataset", format);
    if (format != kDatasetFormat)
      fields.fail("dataset", "is " + Twine(format) +
                                 ", but this program reads format " +
                                 Twine(kDatasetFormat));
    const json::Object *machine = fields.child("machine");
    fields.text("toolchain", origin.toolchain);
    fields.text("source", origin.source);
    if (Error error = fields.takeError())
      return error;
    Expected<Machine> read =
        parseMachine(toJsonLine(*machine), "the field 'machine'");
    if (!read)
      return read.takeError();
    origin.machine = std::move(*read);
    begun = true;
    tasks.clear();
    return visitor.begin(std::move(origin));
  }

  Error readTask(const json::Object &line) {
    FieldReader fields(line, "");
    uint64_t number = 0;
    DatasetTask task;
    fields.unsignedInteger("task", number);
    fields.text("name", task.name);
    fields.text("text", task.text);
    if (tasks.count(number))
      fields.fail("task", "is already the number of another task");
    if (number > kMaxTasks)
      fields.fail("task", "is more than " + Twine(kMaxTasks));
    if (Error error = fields.takeError())
      return error;
    if (Error error = visitor.add(unsigned(number), std::move(task)))
      return error;
    tasks.insert(number);
    return Error::success();
  }

  Error readRecord(const json::Object &line) {
    FieldReader fields(line, "");
    uint64_t number = 0;
    DatasetRecord record;
    std::string status;
    fields.unsignedInteger("record", number);
    fields.text("schedule", record.schedule);
    fields.optionalText("variant", record.variant);
    fields.optionalText("status", status);
    if (std::optional<MeasureStatus> known = symbolizeMeasureStatus(status))
      record.status = *known;
    else if (!status.empty())
      fields.fail("status", "is not a known status");
    bool ok = record.status == MeasureStatus::Ok;
    if (ok || line.get("seconds"))
      fields.numbers("seconds", record.seconds);
    if (ok == record.seconds.empty())
      fields.fail("seconds",
                  ok ? "is empty although the status is ok"
                     : "is not empty although the status is a failure");
    for (double seconds : record.seconds)
      if (!(seconds > 0) || !std::isfinite(seconds))
        fields.fail("seconds", "must contain positive times only");
    if (const json::Value *primitives = line.get("primitives")) {
      if (primitives->getAsArray())
        raw_string_ostream(record.primitives) << *primitives;
      else
        fields.fail("primitives", "must be a list");
    }
    if (line.get("facts"))
      if (const json::Object *facts = fields.child("facts"))
        record.facts = toJsonLine(*facts);
    if (!tasks.count(number))
      fields.fail("record", "is not the number of a task");
    if (Error error = fields.takeError())
      return error;
    record.task = unsigned(number);
    return visitor.add(std::move(record));
  }

  static constexpr uint64_t kMaxTasks = 1 << 20;
  JsonLinesLimits limits = {kMaxLineBytes, 32, size_t(1) << 16};
  DatasetVisitor &visitor;
  bool begun = false;
  std::set<uint64_t> tasks;
};
} // namespace

Expected<std::vector<BadLine>> pruner::readDataset(StringRef path,
                                                   DatasetVisitor &visitor) {
  Reader reader(visitor);
  Error error = readLines(path, [&](StringRef line, size_t number) {
    return reader.readLine(line, number);
  });
  if (error)
    return createStringError("'" + path + "': " + toString(std::move(error)));
  return std::move(reader.bad);
}
