//===- Exchange.cpp - moving records between databases and files ----------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Record/Exchange.h"
#include "pruner/Record/RecordJson.h"

#include <map>

using namespace llvm;
using namespace pruner;

namespace {

/// Collects tasks and records and stores them some thousand at a time: each
/// transaction waits for the disk, and none should lock others out for long.
class BatchWriter {
public:
  BatchWriter(Database &database, ImportReport &report)
      : database(database), report(report) {}

  Error add(StoredTask task) {
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
  std::vector<StoredTask> tasks;
  std::vector<Record> records;
};

} // namespace

Error pruner::exportJsonLines(Database &database, raw_ostream &os) {
  Expected<std::vector<StoredTask>> tasks = database.tasks();
  if (!tasks)
    return tasks.takeError();
  for (const StoredTask &task : *tasks)
    os << toJsonLine(seal(toJson(task))) << '\n';
  return database.forEach({}, [&](const Record &record) {
    os << toJsonLine(seal(toJson(record))) << '\n';
    return Error::success();
  });
}

/// What to call a record in a sentence about it.
static std::string nameOf(const Record &record) {
  return "trial " + std::to_string(record.trial) + " of run '" + record.runId +
         "' of task " + record.taskKey;
}

namespace {

/// Asks a judge, if there is one, with the tasks that the records need.
class Court {
public:
  Court(Database &database, Judge *judge) : database(database), judge(judge) {}

  std::string problemOf(const StoredTask &task) {
    std::string problem = judge ? judge->problemOf(task) : "";
    if (problem.empty() && !task.text.empty())
      known[task.key] = task;
    return problem;
  }
  std::string problemOf(const Record &record) {
    if (!judge)
      return "";
    auto task = known.find(record.taskKey);
    if (task == known.end()) {
      StoredTask found;
      found.key = record.taskKey;
      if (auto stored = database.task(record.taskKey)) {
        // A database may hold what was imported before anybody judged.
        if (*stored && judge->problemOf(**stored).empty())
          found = **stored;
      } else {
        consumeError(stored.takeError());
      }
      task = known.insert({record.taskKey, std::move(found)}).first;
    }
    return judge->problemOf(record, task->second);
  }

private:
  Database &database;
  Judge *judge;
  std::map<std::string, StoredTask> known;
};

} // namespace

Expected<ImportReport> pruner::importJsonLines(Database &database,
                                               StringRef path, Judge *judge) {
  ImportReport report;
  BatchWriter writer(database, report);
  Court court(database, judge);
  // A record may come before its task, and is judged with it: records wait.
  std::vector<std::pair<size_t, Record>> records;
  // A database that cannot be written is no property of a line: remember the
  // first failure and skip the rest.
  Error failure = Error::success();
  auto bad =
      readJsonLinesFile(path, [&](json::Object object, size_t line) -> Error {
        if (failure)
          return Error::success();
        auto entry = fromJson(std::move(object));
        if (!entry)
          return entry.takeError();
        if (auto *record = std::get_if<Record>(&*entry)) {
          records.push_back({line, std::move(*record)});
          return Error::success();
        }
        StoredTask &task = std::get<StoredTask>(*entry);
        if (std::string problem = court.problemOf(task); !problem.empty())
          return createStringError(problem);
        failure = writer.add(std::move(task));
        return Error::success();
      });
  if (failure) {
    if (!bad)
      consumeError(bad.takeError());
    return failure;
  }
  if (!bad)
    return bad.takeError();
  report.bad = std::move(*bad);
  for (auto &[line, record] : records) {
    std::string problem = court.problemOf(record);
    if (!problem.empty())
      report.bad.push_back({line, problem});
    else if (Error error = writer.add(std::move(record)))
      return error;
  }
  if (Error error = writer.flush())
    return error;
  llvm::stable_sort(report.bad, [](const BadLine &a, const BadLine &b) {
    return a.line < b.line;
  });
  return report;
}

Expected<ImportReport> pruner::mergeDatabase(Database &database,
                                             Database &other, Judge *judge) {
  ImportReport report;
  BatchWriter writer(database, report);
  Court court(other, judge);
  Expected<std::vector<StoredTask>> tasks = other.tasks();
  if (!tasks)
    return tasks.takeError();
  for (StoredTask &task : *tasks) {
    std::string problem = court.problemOf(task);
    if (!problem.empty())
      report.bad.push_back({0, "task " + task.key + ": " + problem});
    else if (Error error = writer.add(std::move(task)))
      return error;
  }
  size_t place = 0;
  Error error = other.forEach({}, [&](Record record) -> Error {
    ++place;
    std::string problem = court.problemOf(record);
    if (problem.empty())
      return writer.add(std::move(record));
    report.bad.push_back({place, nameOf(record) + ": " + problem});
    return Error::success();
  });
  if (!error)
    error = writer.flush();
  if (error)
    return error;
  return report;
}

Expected<std::vector<std::string>> pruner::judgeDatabase(Database &database,
                                                         Judge &judge) {
  std::vector<std::string> problems;
  Court court(database, &judge);
  Expected<std::vector<StoredTask>> tasks = database.tasks();
  if (!tasks)
    return tasks.takeError();
  for (const StoredTask &task : *tasks)
    if (std::string problem = court.problemOf(task); !problem.empty())
      problems.push_back("task " + task.key + ": " + problem);
  Error error = database.forEach({}, [&](const Record &record) {
    if (std::string problem = court.problemOf(record); !problem.empty())
      problems.push_back(nameOf(record) + ": " + problem);
    return Error::success();
  });
  if (error)
    return error;
  return problems;
}
