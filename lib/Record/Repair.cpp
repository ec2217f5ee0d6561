//===- Repair.cpp - recover a sound database from a damaged one -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Repair.h"

using namespace llvm;
using namespace pruner;

Expected<RepairReport> pruner::repairDatabase(Database &damaged,
                                              Database *repaired, int64_t now) {
  constexpr size_t kBatch = 2000;
  RepairReport report;
  std::vector<Record> records;
  auto flush = [&]() -> Error {
    RecordBatch batch;
    batch.records = records;
    if (repaired) {
      Expected<AppendCounts> counts = repaired->append(batch);
      if (!counts)
        return counts.takeError();
      if (counts->added != records.size())
        return createStringError("'" + repaired->path() + "': only " +
                                 Twine(counts->added) + " of " +
                                 Twine(records.size()) +
                                 " records were stored; is it empty?");
    }
    records.clear();
    return Error::success();
  };
  Expected<std::vector<StoredTask>> tasks = damaged.tasks();
  if (!tasks)
    return tasks.takeError();
  report.tasks = tasks->size();
  if (repaired)
    if (Error error = repaired->append({*tasks, {}}).takeError())
      return error;
  Error error = damaged.forEach({}, [&](Record record) -> Error {
    ++report.records;
    std::string problem = timestampProblem(record.timestamp, now);
    if (!problem.empty()) {
      report.stamps.push_back("trial " + std::to_string(record.trial) +
                              " of run '" + record.runId + "': " + problem);
      record.timestamp = formatTimestamp(now);
    }
    records.push_back(std::move(record));
    return records.size() < kBatch ? Error::success() : flush();
  });
  if (!error)
    error = flush();
  if (error)
    return error;
  return report;
}
