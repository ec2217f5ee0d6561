//===- Queries.cpp - reading the tuning database --------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecordRow.h"
#include "Sqlite.h"
#include "pruner/Record/Choice.h"
#include "pruner/Record/Database.h"

using namespace llvm;
using namespace pruner;

/// The columns that `query` asks about, with what they must be.
static std::vector<std::pair<StringRef, StringRef>>
conditionsOf(const RecordQuery &query) {
  std::vector<std::pair<StringRef, StringRef>> conditions = {
      {"task_key", query.taskKey},
      {"target", query.target},
      {"machine_key", query.machineKey},
      {"toolchain", query.toolchain},
      {"run_id", query.runId}};
  erase_if(conditions, [](const auto &entry) { return entry.second.empty(); });
  return conditions;
}

/// Prepares `SELECT columns FROM records r WHERE <query> <rest>`. Conditions
/// are spelled out only where given, so that the indices are used.
static Expected<Statement> select(Connection &connection, StringRef columns,
                                  const RecordQuery &query, StringRef rest) {
  auto conditions = conditionsOf(query);
  std::string sql = ("SELECT " + columns + " FROM records r WHERE 1").str();
  for (auto [column, value] : conditions)
    sql += (" AND " + column + " = ?").str();
  if (query.withoutFinals)
    sql += (" AND strategy <> '" + kFinalStrategy + "'").str();
  sql += rest;
  Expected<Statement> statement = Statement::prepare(connection, sql);
  if (statement)
    for (auto [column, value] : conditions)
      statement->bind(value);
  return statement;
}

Expected<std::optional<Record>> Database::best(const RecordQuery &query) {
  std::string isFinal = ("strategy = '" + kFinalStrategy + "'").str();
  auto statement =
      select(*connection, kRecordColumns, query,
             " AND status = 'ok' AND verified = 1"
             " AND NOT EXISTS (SELECT 1 FROM records w"
             " WHERE w.identity = r.identity AND w.status = 'wrong-result')"
             " ORDER BY " +
                 isFinal + " DESC, median, id LIMIT 1");
  if (!statement)
    return statement.takeError();
  Expected<bool> row = statement->step();
  if (!row)
    return row.takeError();
  std::optional<Record> best;
  if (!*row)
    return best;
  Expected<Record> record = readRecord(*statement, path());
  if (!record)
    return record.takeError();
  best = std::move(*record);
  return best;
}

Error Database::forEach(const RecordQuery &query,
                        function_ref<Error(Record)> callback) {
  auto statement = select(*connection, kRecordColumns, query, " ORDER BY id");
  if (!statement)
    return statement.takeError();
  while (true) {
    Expected<bool> row = statement->step();
    if (!row || !*row)
      return row.takeError();
    Expected<Record> record = readRecord(*statement, path());
    if (!record)
      return record.takeError();
    if (Error error = callback(std::move(*record)))
      return error;
  }
}

Expected<std::vector<Record>> Database::all(const RecordQuery &query) {
  std::vector<Record> records;
  Error error = forEach(query, [&](Record record) {
    records.push_back(std::move(record));
    return Error::success();
  });
  if (error)
    return error;
  return records;
}

Expected<std::map<MeasureStatus, uint64_t>>
Database::countByStatus(const RecordQuery &query) {
  std::map<MeasureStatus, uint64_t> counts;
  auto statement =
      select(*connection, "status, count(*)", query, " GROUP BY status");
  if (!statement)
    return statement.takeError();
  while (true) {
    Expected<bool> row = statement->step();
    if (!row)
      return row.takeError();
    if (!*row)
      return counts;
    // A status that we do not know is reported where its record is read.
    if (auto status = symbolizeMeasureStatus(statement->text(0)))
      counts[*status] = statement->integer(1);
  }
}

static Task readTask(const Statement &statement) {
  Task task;
  task.key = statement.text(0);
  task.name = statement.text(1);
  task.text = statement.text(2);
  task.flops = statement.real(3);
  task.bytes = statement.real(4);
  return task;
}

Expected<std::vector<Task>> Database::tasks() {
  std::vector<Task> tasks;
  auto statement = Statement::prepare(
      *connection,
      "SELECT key, name, text, flops, bytes FROM tasks ORDER BY rowid");
  if (!statement)
    return statement.takeError();
  while (true) {
    Expected<bool> row = statement->step();
    if (!row)
      return row.takeError();
    if (!*row)
      return tasks;
    tasks.push_back(readTask(*statement));
  }
}

Expected<std::optional<Task>> Database::task(StringRef key) {
  auto statement = Statement::prepare(
      *connection,
      "SELECT key, name, text, flops, bytes FROM tasks WHERE key = ?");
  if (!statement)
    return statement.takeError();
  Expected<bool> row = statement->bind(key).step();
  if (!row)
    return row.takeError();
  std::optional<Task> task;
  if (*row)
    task = readTask(*statement);
  return task;
}

Expected<std::vector<TaskSummary>> Database::summarize() {
  Expected<std::vector<Task>> known = tasks();
  if (!known)
    return known.takeError();
  auto places = Statement::prepare(
      *connection, "SELECT target, machine_key FROM records WHERE task_key = ?"
                   " GROUP BY target, machine_key ORDER BY min(id)");
  if (!places)
    return places.takeError();
  std::vector<TaskSummary> summaries;
  for (const Task &task : *known) {
    size_t before = summaries.size();
    places->bind(task.key);
    while (true) {
      Expected<bool> row = places->step();
      if (!row)
        return row.takeError();
      if (!*row)
        break;
      TaskSummary summary{task, places->text(0), places->text(1), {}, {}};
      RecordQuery query{task.key, summary.target, summary.machineKey, "", ""};
      query.withoutFinals = true;
      auto counts = countByStatus(query);
      query.withoutFinals = false;
      if (!counts)
        return counts.takeError();
      summary.counts = std::move(*counts);
      auto fastest = best(query);
      if (!fastest)
        return fastest.takeError();
      if (*fastest)
        summary.bestSeconds = medianTime(**fastest);
      summaries.push_back(std::move(summary));
    }
    places->reset();
    if (summaries.size() == before)
      summaries.push_back({task, "", "", {}, {}});
  }
  return summaries;
}
