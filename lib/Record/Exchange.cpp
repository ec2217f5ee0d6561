//===- Exchange.cpp - move records between databases and files ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Record/Exchange.h"
#include "pruner/Record/RecordJson.h"

#include <map>

using namespace llvm;
using namespace pruner;

/// The name of a record in messages.
static std::string nameOf(const Record &record) {
  return "trial " + std::to_string(record.trial) + " of run '" + record.runId +
         "' of task " + record.taskKey;
}

namespace {

/// Collects tasks and records and stores some thousands at a time. Each
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
  /// `line` is its position (BadLine).
  Error add(Record record, size_t line) {
    records.push_back(std::move(record));
    lines.push_back(line);
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
    for (size_t index : counts->conflicts)
      report.bad.push_back(
          {lines[index], nameOf(records[index]) +
                             ": another measurement with a different "
                             "result has its run, number and identity"});
    tasks.clear();
    records.clear();
    lines.clear();
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
  std::vector<size_t> lines; ///< Of the records.
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

namespace {

/// Calls a judge, if there is one, with the tasks that the records need.
class JudgeWithTasks {
public:
  JudgeWithTasks(Database &database, Judge *judge)
      : database(database), judge(judge) {}

  std::string problemOf(const StoredTask &task) {
    std::string problem = judge ? judge->problemOf(task) : "";
    if (problem.empty() && !task.text.empty())
      known[task.key] = task;
    return problem;
  }
  /// Whether the record can be judged without later lines.
  bool knows(const Record &record) {
    if (!judge || known.count(record.taskKey))
      return true;
    // The database may hold tasks that were imported without a judge.
    auto stored = database.task(record.taskKey);
    if (!stored)
      consumeError(stored.takeError());
    else if (*stored && !(**stored).text.empty() &&
             judge->problemOf(**stored).empty())
      known[record.taskKey] = **stored;
    return known.count(record.taskKey);
  }
  std::string problemOf(const Record &record) {
    if (!judge)
      return "";
    StoredTask unknown;
    unknown.key = record.taskKey;
    return judge->problemOf(record,
                            knows(record) ? known[record.taskKey] : unknown);
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
  JudgeWithTasks judging(database, judge);
  // A record that precedes its task is judged with it. It waits, and so do all
  // records after it, to keep the order.
  std::vector<std::pair<size_t, Record>> waiting;
  // A database that cannot be written is not a property of a line: keep the
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
          if (!waiting.empty() || !judging.knows(*record)) {
            waiting.push_back({line, std::move(*record)});
            return Error::success();
          }
          if (std::string problem = judging.problemOf(*record);
              !problem.empty())
            return createStringError(problem);
          failure = writer.add(std::move(*record), line);
          return Error::success();
        }
        StoredTask &task = std::get<StoredTask>(*entry);
        if (std::string problem = judging.problemOf(task); !problem.empty())
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
  append_range(report.bad, std::move(*bad));
  for (auto &[line, record] : waiting) {
    std::string problem = judging.problemOf(record);
    if (!problem.empty())
      report.bad.push_back({line, problem});
    else if (Error error = writer.add(std::move(record), line))
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
  JudgeWithTasks judging(other, judge);
  Expected<std::vector<StoredTask>> tasks = other.tasks();
  if (!tasks)
    return tasks.takeError();
  for (StoredTask &task : *tasks) {
    std::string problem = judging.problemOf(task);
    if (!problem.empty())
      report.bad.push_back({0, "task " + task.key + ": " + problem});
    else if (Error error = writer.add(std::move(task)))
      return error;
  }
  size_t place = 0;
  Error error = other.forEach({}, [&](Record record) -> Error {
    ++place;
    std::string problem = judging.problemOf(record);
    if (problem.empty())
      return writer.add(std::move(record), place);
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
  JudgeWithTasks judging(database, &judge);
  Expected<std::vector<StoredTask>> tasks = database.tasks();
  if (!tasks)
    return tasks.takeError();
  for (const StoredTask &task : *tasks)
    if (std::string problem = judging.problemOf(task); !problem.empty())
      problems.push_back("task " + task.key + ": " + problem);
  Error error = database.forEach({}, [&](const Record &record) {
    if (std::string problem = judging.problemOf(record); !problem.empty())
      problems.push_back(nameOf(record) + ": " + problem);
    return Error::success();
  });
  if (error)
    return error;
  return problems;
}
