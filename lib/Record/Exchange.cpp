//===- Exchange.cpp - moving records between databases and files ----------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Record/Exchange.h"
#include "pruner/Record/RecordJson.h"

using namespace llvm;
using namespace pruner;

namespace {

/// Collects tasks and records and stores them some thousand at a time: each
/// transaction waits for the disk, and none should lock others out for long.
class BatchWriter {
public:
  BatchWriter(Database &database, ImportReport &report)
      : database(database), report(report) {}

  Error add(Task task) {
    ++report.tasks;
    tasks.push_back(std::move(task));
    return flushIfFull();
  }
  Error add(Record record) {
    records.push_back(std::move(record));
    return flushIfFull();
  }
  Error flush() {
    RecordBatch batch;
    batch.tasks = tasks;
    batch.records = records;
    Expected<AppendCounts> counts = database.append(batch);
    if (!counts)
      return counts.takeError();
    report.added += counts->added;
    report.duplicates += counts->duplicates;
    tasks.clear();
    records.clear();
    return Error::success();
  }

private:
  Error flushIfFull() {
    constexpr size_t kBatch = 2000;
    if (tasks.size() + records.size() < kBatch)
      return Error::success();
    return flush();
  }

  Database &database;
  ImportReport &report;
  std::vector<Task> tasks;
  std::vector<Record> records;
};

} // namespace

Error pruner::exportJsonLines(Database &database, raw_ostream &os) {
  Expected<std::vector<Task>> tasks = database.tasks();
  if (!tasks)
    return tasks.takeError();
  for (const Task &task : *tasks)
    os << toJsonLine(seal(toJson(task))) << '\n';
  return database.forEach({}, [&](const Record &record) {
    os << toJsonLine(seal(toJson(record))) << '\n';
    return Error::success();
  });
}

Expected<ImportReport> pruner::importJsonLines(Database &database,
                                               StringRef path) {
  ImportReport report;
  BatchWriter writer(database, report);
  // A database that cannot be written is no property of a line: remember the
  // first failure and skip the rest.
  Error failure = Error::success();
  auto bad = readJsonLinesFile(path, [&](json::Object object, size_t) -> Error {
    if (failure)
      return Error::success();
    auto entry = fromJson(std::move(object));
    if (!entry)
      return entry.takeError();
    failure = std::visit(
        [&](auto &value) { return writer.add(std::move(value)); }, *entry);
    return Error::success();
  });
  if (failure) {
    if (!bad)
      consumeError(bad.takeError());
    return failure;
  }
  if (!bad)
    return bad.takeError();
  if (Error error = writer.flush())
    return error;
  report.bad = std::move(*bad);
  return report;
}

Expected<ImportReport> pruner::mergeDatabase(Database &database,
                                             Database &other) {
  ImportReport report;
  BatchWriter writer(database, report);
  Expected<std::vector<Task>> tasks = other.tasks();
  if (!tasks)
    return tasks.takeError();
  for (Task &task : *tasks)
    if (Error error = writer.add(std::move(task)))
      return error;
  Error error = other.forEach(
      {}, [&](Record record) { return writer.add(std::move(record)); });
  if (!error)
    error = writer.flush();
  if (error)
    return error;
  return report;
}
