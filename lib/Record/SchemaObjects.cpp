//===- SchemaObjects.cpp - the tables and indices of a database -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SchemaObjects.h"
#include "RecordRow.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <set>
#include <sqlite3.h>

using namespace llvm;
using namespace pruner;

//===----------------------------------------------------------------------===//
// Expected objects
//===----------------------------------------------------------------------===//

static StringRef typeOf(StringRef kinds) {
  return kinds.front() == 't'   ? "TEXT"
         : kinds.front() == 'i' ? "INTEGER"
                                : "REAL";
}

static std::string indicesOf(int version) {
  if (version < 5)
    return "CREATE INDEX records_by_task ON records"
           " (task_key, target, machine_key);"
           "CREATE INDEX records_by_identity ON records (identity, status);"
           "CREATE INDEX records_by_run ON records (run_id);"
           "CREATE INDEX records_best ON records"
           " (task_key, target, machine_key, median)"
           " WHERE status = 'ok' AND verified = 1;";
  // Each answers one question of Settings.cpp and Selection.cpp without reading
  // the rows.
  return ("CREATE INDEX records_by_task ON records (task_key);"
          "CREATE INDEX records_by_place ON records"
          " (place, setting, status, strategy);"
          "CREATE INDEX records_by_identity ON records (identity, status);"
          "CREATE INDEX records_by_run ON records (run_id, trial);"
          "CREATE INDEX records_best ON records (setting, median, identity)"
          " WHERE " +
          kIsRightTrial +
          ";"
          "CREATE INDEX records_of_finals ON records"
          " (setting, strategy, timestamp, status, verified, median) WHERE " +
          kIsFinal +
          ";"
          "CREATE INDEX records_of_defaults ON records (setting, median)"
          " WHERE " +
          kIsDefault + ";")
      .str();
}

std::string pruner::schemaSql(int version) {
  const std::string needed = version < 2 ? " NOT NULL" : "";
  const std::string hash = version < 2 ? ");" : ", row_hash TEXT);";
  std::string sql = "CREATE TABLE tasks (key TEXT PRIMARY KEY" + needed +
                    ", name TEXT" + needed + ", text TEXT" + needed +
                    ", flops REAL" + needed + ", bytes REAL" + needed + hash;
  sql += "CREATE TABLE records (id INTEGER PRIMARY KEY";
  for (const RecordColumn &column : recordColumns()) {
    if (column.since > version)
      continue;
    sql += (", " + column.name + " " + typeOf(column.kinds)).str();
    if (!column.kinds.contains('n'))
      sql += needed;
    if (column.name == "measurement")
      sql += " UNIQUE";
    if (column.name == "task_key")
      sql += " REFERENCES tasks(key)";
  }
  sql += hash + indicesOf(version);
  if (version < 3) // The state of runs, which is unused.
    sql += "CREATE TABLE state (run_key TEXT PRIMARY KEY" + needed +
           ", text TEXT" + needed + hash;
  return sql;
}

//===----------------------------------------------------------------------===//
// Actual objects
//===----------------------------------------------------------------------===//

namespace {
/// A row of sqlite_schema.
struct Object {
  std::string type, table, sql;
};
using Objects = std::map<std::string, Object>; ///< By name.
} // namespace

/// An SQL text without insignificant white space.
static std::string canonical(StringRef sql) {
  std::string text;
  char quote = 0;
  bool space = false;
  for (char c : sql) {
    if (!quote && isSpace(c)) {
      space = true;
      continue;
    }
    bool word = c != '(' && c != ')' && c != ',';
    bool afterWord = !text.empty() && !StringRef("(),").contains(text.back());
    if (space && (quote || (word && afterWord)))
      text += ' ';
    space = false;
    text += c;
    if (quote)
      quote = c == quote ? 0 : quote;
    else if (c == '\'' || c == '"' || c == '`')
      quote = c;
  }
  return text;
}

/// An untrusted name, quoted for a message.
static std::string quoted(StringRef name) {
  std::string text;
  raw_string_ostream os(text);
  os << "'";
  printEscapedString(name.take_front(64), os);
  os << (name.size() > 64 ? "...'" : "'");
  return text;
}

/// Reads the objects of the file. `problems` gets those with inconsistent
/// entries: names and root pages that occur twice.
static Expected<Objects> readObjects(Connection &connection,
                                     std::vector<std::string> &problems) {
  auto rows = Statement::prepare(connection,
                                 "SELECT type, name, tbl_name, sql, rootpage"
                                 " FROM sqlite_schema ORDER BY rowid");
  if (!rows)
    return rows.takeError();
  Objects objects;
  std::set<int64_t> roots;
  while (true) {
    Expected<bool> row = rows->step();
    if (!row)
      return row.takeError();
    if (!*row)
      return objects;
    std::string name = rows->text(1);
    Object object{rows->text(0), rows->text(2), canonical(rows->text(3))};
    if (int64_t root = rows->integer(4);
        root != 0 && (root < 2 || !roots.insert(root).second))
      problems.push_back("the " + object.type + " " + quoted(name) +
                         " has the root page of another object");
    if (!objects.insert({name, std::move(object)}).second)
      problems.push_back("there are two objects " + quoted(name));
  }
}

/// The objects of a sound database of that version.
static Expected<Objects> modelOf(int version) {
  auto model = Connection::open(
      "", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY,
      /*immutable=*/false, /*busySeconds=*/0);
  if (!model)
    return model.takeError();
  if (Error error = (*model)->execute(schemaSql(version).c_str()))
    return error;
  std::vector<std::string> problems;
  return readObjects(**model, problems);
}

/// Whether it is a table of ANALYZE.
static bool isStatistics(StringRef name, const Object &object) {
  if (object.type != "table" || object.table != name)
    return false;
  return (name == "sqlite_stat1" &&
          object.sql == "CREATE TABLE sqlite_stat1(tbl,idx,stat)") ||
         (name == "sqlite_stat4" &&
          object.sql ==
              "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)");
}

Expected<std::vector<std::string>>
pruner::findOtherObjects(Connection &connection, int version, bool onlyTables) {
  std::vector<std::string> problems;
  Expected<Objects> expected = modelOf(version);
  if (!expected)
    return expected.takeError();
  Expected<Objects> found = readObjects(connection, problems);
  if (!found)
    return found.takeError();
  auto counts = [&](const std::string &name) {
    return !onlyTables || name == "tasks" || name == "records";
  };
  for (const auto &[name, object] : *found) {
    if (!counts(name))
      continue;
    auto known = expected->find(name);
    std::string which = "the " + object.type + " " + quoted(name);
    if (known == expected->end()) {
      if (!isStatistics(name, object))
        problems.push_back(which + " is not one of its objects");
    } else if (object.type != known->second.type ||
               object.table != known->second.table ||
               object.sql != known->second.sql) {
      problems.push_back(which + " is defined differently");
    }
  }
  for (const auto &[name, object] : *expected)
    if (counts(name) && !found->count(name))
      problems.push_back("the " + object.type + " " + quoted(name) +
                         " is missing");
  return problems;
}
