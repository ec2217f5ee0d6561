//===- Exported.cpp - import of exported databases ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Gzip.h"

#include "Import.h"
#include "pruner/Dialect/Pruner/IR/ForeignText.h"
#include "pruner/Record/Choice.h"
#include "pruner/Record/RecordJson.h"

using namespace llvm;
using namespace pruner;

namespace {
class Exported {
public:
  explicit Exported(ImportSink &sink) : sink(sink) {}

  Error readLine(StringRef text) {
    if (text.trim().empty())
      return Error::success();
    Expected<json::Object> line = parseJsonObject(text);
    if (!line)
      return line.takeError();
    auto entry = fromJson(std::move(*line));
    if (!entry)
      return entry.takeError();
    if (auto *task = std::get_if<StoredTask>(&*entry)) {
      tasks[task->key] = {task->name, task->text};
      return Error::success();
    }
    return addRecord(std::get<Record>(*entry));
  }

private:
  Error addRecord(const Record &record) {
    auto task = tasks.find(record.taskKey);
    if (record.machineKey != machineKey)
      return leaveOut("measured on another machine");
    if (record.status == MeasureStatus::Unmeasured)
      return leaveOut("never measured");
    if (record.schedule == kDefaultSchedule)
      return leaveOut("the untuned default");
    if (task == tasks.end())
      return leaveOut("unknown task");
    Expected<ScheduleAttr> schedule =
        readScheduleText(record.schedule, &sink.inContext());
    if (!schedule)
      return schedule.takeError();
    Expected<unsigned> number = sink.addTask(task->second);
    if (!number)
      return number.takeError();
    DatasetRecord result;
    result.task = *number;
    result.variant = variantOf(record);
    result.status = record.status;
    if (record.status == MeasureStatus::Ok)
      result.seconds = record.times;
    result.facts = record.facts;
    sink.addRecord(std::move(result), schedule->getValue());
    return Error::success();
  }

  Error leaveOut(const Twine &why) {
    sink.leaveOut(why);
    return Error::success();
  }

  /// The remaining parts of a record's identity.
  static std::string variantOf(const Record &record) {
    std::string variant = record.pipelineOptions;
    auto add = [&](StringRef name, StringRef value) {
      if (!value.empty())
        variant += ((variant.empty() ? "" : " ") + name + "=" + value).str();
    };
    add("caches", record.cacheState);
    add("generator", StringRef(record.generator).take_front(12));
    return variant;
  }

  ImportSink &sink;
  std::string machineKey = sink.ofMachine().key();
  std::map<std::string, DatasetTask> tasks;
};
} // namespace

Expected<std::vector<BadLine>> pruner::importExported(StringRef path, StringRef,
                                                      ImportSink &sink) {
  Exported exported(sink);
  std::vector<BadLine> bad;
  Error error = readLines(path, [&](StringRef text, size_t number) {
    if (Error error = exported.readLine(text))
      bad.push_back({number, toString(std::move(error))});
    return Error::success();
  });
  if (error)
    return std::move(error);
  return std::move(bad);
}
