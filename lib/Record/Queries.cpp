//===- Queries.cpp - read the tuning database -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RecordRow.h"
#include "Sqlite.h"
#include "pruner/Record/Choice.h"
#include "pruner/Record/Database.h"

using namespace llvm;
using namespace pruner;

/// The columns that `query` restricts, with their values.
static std::vector<std::pair<StringRef, StringRef>>
conditionsOf(const RecordQuery &query) {
  std::vector<std::pair<StringRef, StringRef>> conditions = {
      {"task_key", query.taskKey},       {"target", query.target},
      {"machine_key", query.machineKey}, {"toolchain", query.toolchain},
      {"run_id", query.runId},           {"generator", query.generator}};
  erase_if(conditions, [](const auto &entry) { return entry.second.empty(); });
  return conditions;
}

/// isOfFinal in SQL.
static std::string isOfFinalSql() {
  return ("strategy IN ('" + kFinalStrategy + "', '" + kNetworkFinalStrategy +
          "')")
      .str();
}

/// Prepares `SELECT ... FROM records r WHERE <query> <rest>` for readMatching.
/// Contains only the given conditions, so that SQLite uses the indices.
static Expected<Statement>
selectRows(Connection &connection, const RecordQuery &query, StringRef rest) {
  auto conditions = conditionsOf(query);
  std::string sql =
      "SELECT " + selectRecordColumns() + " FROM records r WHERE 1";
  for (auto [column, value] : conditions)
    sql += (" AND " + column + " = ?").str();
  if (query.withoutFinals)
    sql += " AND NOT " + isOfFinalSql();
  sql += rest;
  Expected<Statement> statement = Statement::prepare(connection, sql);
  if (statement)
    for (auto [column, value] : conditions)
      statement->bind(value);
  return statement;
}

static bool matches(const Record &record, const RecordQuery &query) {
  auto fits = [](StringRef value, StringRef asked) {
    return asked.empty() || value == asked;
  };
  return fits(record.taskKey, query.taskKey) &&
         fits(record.target, query.target) &&
         fits(record.machineKey, query.machineKey) &&
         fits(record.toolchain, query.toolchain) &&
         fits(record.runId, query.runId) &&
         fits(record.generator, query.generator) &&
         !(query.withoutFinals && isOfFinal(record));
}

/// Reads the current row of selectRows(query) if it is sound and its own values
/// match the query, because a damaged index leads to other rows. An unsound row
/// is added to `bad`, if given, and listed by check().
static std::optional<Record> readMatching(const Statement &statement,
                                          const RecordQuery &query,
                                          std::vector<BadRow> *bad = nullptr) {
  Expected<Record> record = readRecord(statement);
  if (record && matches(*record, query))
    return std::move(*record);
  if (!record) {
    std::string problem = toString(record.takeError());
    if (bad)
      bad->push_back({"records", statement.integer(0), std::move(problem)});
  }
  return std::nullopt;
}

Expected<std::optional<Record>> Database::best(const RecordQuery &query) {
  auto statement =
      selectRows(*connection, query,
                 " AND status = 'ok' AND verified = 1"
                 " AND NOT EXISTS (SELECT 1 FROM records w"
                 " WHERE w.identity = r.identity AND w.status = 'wrong-result')"
                 " ORDER BY " +
                     isOfFinalSql() + " DESC, median, id");
  if (!statement)
    return statement.takeError();
  std::optional<Record> best;
  while (!best) {
    Expected<bool> row = statement->step();
    if (!row)
      return row.takeError();
    if (!*row)
      break;
    best = readMatching(*statement, query);
    if (best && (best->status != MeasureStatus::Ok || !best->verified))
      best.reset();
  }
  return best;
}

Error Database::forEach(const RecordQuery &query,
                        function_ref<Error(Record)> callback,
                        std::vector<BadRow> *bad) {
  auto statement = selectRows(*connection, query, " ORDER BY id");
  if (!statement)
    return statement.takeError();
  while (true) {
    Expected<bool> row = statement->step();
    if (!row || !*row)
      return row.takeError();
    std::optional<Record> record = readMatching(*statement, query, bad);
    if (!record)
      continue;
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
  Error error = forEach(query, [&](const Record &record) {
    ++counts[record.status];
    return Error::success();
  });
  if (error)
    return error;
  return counts;
}

Expected<std::vector<StoredTask>> Database::tasks() {
  std::vector<StoredTask> tasks;
  auto statement = Statement::prepare(
      *connection,
      ("SELECT " + kTaskColumns + " FROM tasks ORDER BY rowid").str());
  if (!statement)
    return statement.takeError();
  while (true) {
    Expected<bool> row = statement->step();
    if (!row)
      return row.takeError();
    if (!*row)
      return tasks;
    if (Expected<StoredTask> task = readTask(*statement))
      tasks.push_back(std::move(*task));
    else
      consumeError(task.takeError()); // check() lists it.
  }
}

Expected<std::optional<StoredTask>> Database::task(StringRef key) {
  auto statement = Statement::prepare(
      *connection,
      ("SELECT " + kTaskColumns + " FROM tasks WHERE key = ?").str());
  if (!statement)
    return statement.takeError();
  Expected<bool> row = statement->bind(key).step();
  if (!row)
    return row.takeError();
  if (!*row)
    return std::nullopt;
  Expected<StoredTask> task = readTask(*statement);
  if (task && task->key == key)
    return std::move(*task);
  if (!task)
    consumeError(task.takeError()); // check() lists it.
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Checking
//===----------------------------------------------------------------------===//

/// Lists the rows of `table` for which `read` of its `columns` fails.
template <typename Value>
static Error findBadRows(Connection &connection, StringRef table,
                         StringRef columns,
                         Expected<Value> (*read)(const Statement &),
                         std::vector<BadRow> &bad) {
  // Without indices, which hold copies.
  auto rows =
      Statement::prepare(connection, ("SELECT " + columns + ", rowid FROM " +
                                      table + " NOT INDEXED ORDER BY rowid")
                                         .str());
  if (!rows)
    return rows.takeError();
  int last = columns.count(',') + 1;
  while (true) {
    Expected<bool> row = rows->step();
    if (!row || !*row)
      return row.takeError();
    if (Error error = read(*rows).takeError())
      bad.push_back(
          {table.str(), rows->integer(last), toString(std::move(error))});
  }
}

/// Lists the gaps in the numbers of records. Rows are only ever added, with
/// consecutive numbers.
static Error findGaps(Connection &connection, std::vector<BadRow> &bad) {
  auto rows = Statement::prepare(
      connection, "SELECT id FROM records NOT INDEXED ORDER BY id");
  if (!rows)
    return rows.takeError();
  for (int64_t next = 1;; ++next) {
    Expected<bool> row = rows->step();
    if (!row || !*row)
      return row.takeError();
    int64_t id = rows->integer(0);
    if (id > next)
      bad.push_back({"records", next,
                     "the row is missing, and so are all before row " +
                         std::to_string(id)});
    next = id;
  }
}

/// Lists the damage that SQLite finds: indices that disagree with their tables,
/// invalid pages.
static Error findDamage(Connection &connection, std::vector<BadRow> &bad) {
  auto problems = Statement::prepare(connection, "PRAGMA integrity_check(20)");
  if (!problems)
    return problems.takeError();
  while (true) {
    Expected<bool> row = problems->step();
    if (!row || !*row)
      return row.takeError();
    std::string text = problems->text(0);
    if (text != "ok")
      bad.push_back({"", 0, StringRef(text).trim().str()});
  }
}

Expected<std::vector<BadRow>> Database::check() {
  std::vector<BadRow> bad;
  if (Error error =
          findBadRows(*connection, "tasks", kTaskColumns, readTask, bad))
    return error;
  if (Error error = findBadRows(*connection, "records", selectRecordColumns(),
                                readRecord, bad))
    return error;
  if (Error error = findGaps(*connection, bad))
    return error;
  if (Error error = findDamage(*connection, bad))
    return error;
  return bad;
}
