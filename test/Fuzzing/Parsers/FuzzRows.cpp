//===- FuzzRows.cpp - rows of a tuning database, altered and read ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each line of the input changes a valid database:
//
//   <table><row><column><kind><value>   a value: table r or t; row a digit;
//                                       column a letter, counted from a; kind
//                                       i, r, t, b (bytes) or n (NULL)
//   +<table><row>   copies a row         -<table><row>   removes a row
//   =               recomputes derived columns
//   !               recomputes the hashes of rows
//
// The results of all readers must then be consistent: see examine().

#include "RecordRow.h"
#include "Sqlite.h"
#include "pruner/Record/Choice.h"
#include "pruner/Record/Database.h"
#include "pruner/Record/RecordJson.h"
#include "pruner/Support/Hashing.h"
#include "pruner/Support/JsonLines.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <sqlite3.h>

#include <cstdlib>
#include <set>

using namespace llvm;
using namespace pruner;

static void require(bool condition) {
  if (!condition)
    std::abort();
}

template <typename T> static T get(Expected<T> value) {
  if (!value) {
    errs() << toString(value.takeError()) << "\n";
    std::abort();
  }
  return std::move(*value);
}
static void get(Error error) {
  if (error) {
    errs() << toString(std::move(error)) << "\n";
    std::abort();
  }
}

template <typename T> static std::string lineOf(const T &value) {
  return toJsonLine(seal(toJson(value)));
}

//===----------------------------------------------------------------------===//
// The valid database
//===----------------------------------------------------------------------===//

static Record makeRecord(int64_t trial, MeasureStatus status) {
  Record record;
  record.taskKey = contentHash(trial < 4 ? "matmul" : "conv");
  record.schedule = "#pruner.schedule<tiles = [" + std::to_string(trial) + "]>";
  record.target = "cpu";
  record.machineKey = "a machine";
  record.toolchain = "llvm 22.1.8, pruner 0.1.0";
  record.generator = contentHash("generator");
  record.verification = "a method";
  record.cacheState = trial > 1 ? "16M 0 512K" : "";
  record.runId = trial == 3 ? "" : "run";
  record.trial = trial;
  record.strategy = trial == 2 ? "final" : "draft-verify";
  record.seed = 0xfedcba9876543210;
  record.status = status;
  if (status == MeasureStatus::Ok || status == MeasureStatus::WrongResult)
    record.times = {1e-3 + trial * 1e-4, 2e-3};
  else
    record.reason = "SIGSEGV";
  if (!record.times.empty()) {
    record.runsPerSample = 3;
    record.repeats = 1;
    record.noisy = true;
    record.censored = false;
  }
  record.verified = status == MeasureStatus::Ok;
  if (record.verified && trial > 0) {
    record.exact = true;
    record.errorOverBound = 0.25;
  }
  record.score = 0.5;
  record.facts = "{\"spills\":0}";
  record.timestamp = "2026-01-31T12:00:00Z";
  return record;
}

namespace {
struct Original {
  SmallString<128> directory;
  std::string path;
  std::string bytes;
  std::set<std::string> lines;
  Original();
  ~Original() { sys::fs::remove_directories(directory); }
};
} // namespace

Original::Original() {
  require(!sys::fs::createUniqueDirectory("pruner-fuzz-rows", directory));
  path = (directory + "/t.db").str();
  {
    Database database = get(Database::open(path, OpenMode::Create));
    StoredTask tasks[2];
    tasks[0].name = "matmul";
    tasks[1].name = "conv";
    for (StoredTask &task : tasks) {
      task.key = contentHash(StringRef(task.name));
      task.text = "func.func @f()\n";
      task.flops = task.bytes = 1e6;
    }
    std::vector<Record> records;
    for (MeasureStatus status :
         {MeasureStatus::Ok, MeasureStatus::RunCrash, MeasureStatus::Ok,
          MeasureStatus::Ok, MeasureStatus::WrongResult, MeasureStatus::Ok})
      records.push_back(makeRecord(records.size(), status));
    RecordBatch batch;
    batch.tasks = tasks;
    batch.records = records;
    get(database.append(batch));
    for (const StoredTask &task : get(database.tasks()))
      lines.insert(lineOf(task));
    for (const Record &record : get(database.all({})))
      lines.insert(lineOf(record));
  }
  {
    // No side files: they would take most of the time.
    auto connection =
        get(Connection::open(path, SQLITE_OPEN_READWRITE, false, 0));
    get(connection->execute("PRAGMA journal_mode = DELETE"));
  }
  auto buffer = MemoryBuffer::getFile(path);
  require(bool(buffer));
  bytes = (*buffer)->getBuffer().str();
}

//===----------------------------------------------------------------------===//
// Altering
//===----------------------------------------------------------------------===//

namespace {
struct Table {
  char letter;
  std::string name, hashed;
  std::vector<std::string> columns; ///< The first is unique.
  std::string copy;                 ///< SQL for a copy of the rows.
};
} // namespace

static Table makeTable(StringRef name, std::vector<std::string> columns) {
  Table table{name[0], name.str(), join(columns, ", "), std::move(columns), ""};
  if (table.letter == 'r')
    table.hashed = "id, " + table.hashed;
  table.columns.push_back("row_hash");
  std::string all = join(table.columns, ", ");
  StringRef others = all;
  others.consume_front(table.columns.front());
  table.copy = "INSERT OR IGNORE INTO " + table.name + " (" + all +
               ") SELECT " + table.columns.front() + " || 'x'" + others.str() +
               " FROM " + table.name;
  table.columns.push_back("rowid");
  return table;
}

static const std::vector<Table> &tables() {
  static const std::vector<Table> tables = [] {
    std::vector<std::string> columns;
    for (const RecordColumn &column : recordColumns())
      columns.push_back(column.name.str());
    return std::vector<Table>{
        makeTable("records", columns),
        makeTable("tasks", {"key", "name", "text", "flops", "bytes"})};
  }();
  return tables;
}

static std::vector<double> readTimes(StringRef text) {
  std::vector<double> times;
  Expected<json::Value> value = parseJson(text);
  if (!value)
    consumeError(value.takeError());
  else if (const json::Array *array = value->getAsArray())
    for (const json::Value &time : *array)
      times.push_back(time.getAsNumber().value_or(0));
  return times;
}

/// Recomputes the derived columns of every record.
static void derive(Connection &connection) {
  auto rows = get(Statement::prepare(
      connection, "SELECT " + selectRecordColumns() + " FROM records"));
  auto update = get(Statement::prepare(
      connection, "UPDATE OR IGNORE records SET identity = ?, measurement = ?,"
                  " median = ?, place = ?, setting = ? WHERE id = ?"));
  std::vector<std::pair<int64_t, Record>> found;
  while (get(rows.step())) {
    Record record;
    int64_t id = rows.integer(0);
    // As in readRecord; only the columns from which others are derived are
    // needed.
    const std::pair<StringRef, std::string *> texts[] = {
        {"task_key", &record.taskKey},
        {"schedule", &record.schedule},
        {"target", &record.target},
        {"machine_key", &record.machineKey},
        {"pipeline_options", &record.pipelineOptions},
        {"toolchain", &record.toolchain},
        {"generator", &record.generator},
        {"verification", &record.verification},
        {"cache_state", &record.cacheState},
        {"run_id", &record.runId}};
    for (auto [number, column] : enumerate(recordColumns())) {
      for (auto [name, text] : texts)
        if (column.name == name)
          *text = rows.text(number + 1);
      if (column.name == "trial")
        record.trial = rows.integer(number + 1);
      if (column.name == "times")
        record.times = readTimes(rows.text(number + 1));
    }
    found.push_back({id, std::move(record)});
  }
  for (auto &[id, record] : found)
    get(update.bind(identityHash(record))
            .bind(record.runId.empty() ? contentHash(std::to_string(id))
                                       : measurementHash(record))
            .bind(medianTime(record))
            .bind(placeKey(record))
            .bind(settingKey(record))
            .bind(id)
            .run());
}

/// Sets one value; the line's table, row, column and kind are `where`.
static void setValue(Connection &connection, const Table &table,
                     const std::string &row, StringRef where, StringRef value) {
  unsigned char letter = where[2];
  const std::string &column =
      table.columns[(letter + 256 - 'a') % 256 % table.columns.size()];
  char kind = where[3];
  std::string parameter = kind == 'b' ? "CAST(? AS BLOB)" : "?";
  auto update = get(Statement::prepare(
      connection, "UPDATE OR IGNORE " + table.name + " SET " + column + " = " +
                      parameter + row));
  if (kind == 'i') {
    int64_t number = 0;
    value.getAsInteger(0, number);
    update.bind(number);
  } else if (kind == 'r') {
    double number = 0;
    value.getAsDouble(number);
    update.bind(number);
  } else if (kind == 'n') {
    update.bind(std::optional<double>());
  } else {
    update.bind(value);
  }
  consumeError(update.run()); // Not a row number.
}

static void run(Connection &connection, const std::string &sql) {
  get(connection.execute(sql.c_str()));
}

/// Applies the lines. Returns whether hashes were recomputed.
static bool alter(Connection &connection, StringRef text) {
  bool sealed = false;
  run(connection, "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; BEGIN");
  for (int count = 0; count < 64 && !text.empty(); ++count) {
    StringRef line;
    std::tie(line, text) = text.split('\n');
    if (line == "=") {
      derive(connection);
    } else if (line == "!") {
      sealed = true;
      for (const Table &table : tables())
        run(connection, "UPDATE " + table.name +
                            " SET row_hash = pruner_row_hash(" + table.hashed +
                            ")");
    }
    bool more = line.consume_front("+"), less = line.consume_front("-");
    if (line.size() < 2 || !isDigit(line[1]))
      continue;
    auto table = find_if(
        tables(), [&](const Table &table) { return table.letter == line[0]; });
    if (table == tables().end())
      continue;
    std::string row = " WHERE rowid = " + line.substr(1, 1).str();
    if (more) {
      run(connection, table->copy + row);
    } else if (less) {
      run(connection, "DELETE FROM " + table->name + row);
    } else if (line.size() >= 4) {
      setValue(connection, *table, row, line.take_front(4), line.drop_front(4));
    }
  }
  run(connection, "COMMIT");
  return sealed;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// The rows whose stored hash is right, computed by SQL, and the number of
/// rows.
static std::pair<int64_t, int64_t> countRows(Connection &connection,
                                             const Table &table) {
  std::string sql = "SELECT count(*) FROM " + table.name + " NOT INDEXED";
  std::string sound =
      sql + " WHERE row_hash IS pruner_row_hash(" + table.hashed + ")";
  return {get(connection.queryInteger(sound.c_str())),
          get(connection.queryInteger(sql.c_str()))};
}

/// Accepted records are the same after an export and an import.
template <typename T>
static void examineBelieved(const T &value, const Original &original,
                            bool sealed) {
  std::string line = lineOf(value);
  require(sealed || original.lines.count(line));
  auto again = fromJson(get(parseJsonObject(line)));
  require(bool(again) && std::holds_alternative<T>(*again));
  require(lineOf(std::get<T>(*again)) == line);
}

static bool isFinal(const Record &record) {
  return record.strategy == kFinalStrategy;
}

static void examineQuery(Database &database, const RecordQuery &query,
                         const std::set<std::string> &lines) {
  uint64_t count = 0;
  std::vector<Record> found = get(database.all(query));
  std::set<std::string> wrong;
  for (const Record &record : found) {
    require(lines.count(lineOf(record)));
    require(query.taskKey.empty() || record.taskKey == query.taskKey);
    require(query.runId.empty() || record.runId == query.runId);
    if (record.status == MeasureStatus::WrongResult)
      wrong.insert(identityHash(record));
  }
  for (auto [status, number] : get(database.countByStatus(query)))
    count += number;
  require(count == found.size());
  if (std::optional<Record> best = get(database.best(query))) {
    require(lines.count(lineOf(*best)));
    require(best->status == MeasureStatus::Ok && best->verified);
    require(!wrong.count(identityHash(*best)));
    for (const Record &record : found)
      if (record.status == MeasureStatus::Ok && record.verified &&
          !wrong.count(identityHash(record)) &&
          isFinal(record) >= isFinal(*best))
        require(isFinal(record) == isFinal(*best) &&
                *medianTime(*best) <= *medianTime(record));
  }
  Choice choice = chooseRecord(found);
  require(!choice.record || lines.count(lineOf(*choice.record)));
  finalists(found);
}

/// Every row is either accepted or reported. Only rows whose stored hash is
/// right are accepted; if hashes were not recomputed, these are rows that were
/// written. The indices are valid here, so queries must find the same rows as a
/// walk over the table.
static void examine(const Original &original, bool sealed) {
  Database database = get(Database::open(original.path, OpenMode::ReadOnly));
  auto connection =
      get(Connection::open(original.path, SQLITE_OPEN_READONLY, false, 0));
  std::vector<Record> records = get(database.all({}));
  std::vector<StoredTask> known = get(database.tasks());
  std::vector<BadRow> bad = get(database.check());
  auto countEach = [&](const Table &table, int64_t accepted) {
    auto [sound, all] = countRows(*connection, table);
    int64_t named = count_if(bad, [&](const BadRow &row) {
      return row.table == table.name &&
             !StringRef(row.problem).contains("is missing");
    });
    require(accepted <= sound && accepted + named == all);
  };
  countEach(tables()[0], records.size());
  countEach(tables()[1], known.size());
  std::set<std::string> lines;
  for (const Record &record : records) {
    examineBelieved(record, original, sealed);
    lines.insert(lineOf(record));
  }
  for (const StoredTask &task : known) {
    examineBelieved(task, original, sealed);
    RecordQuery query;
    query.taskKey = task.key;
    examineQuery(database, query, lines);
    require(get(database.task(task.key))->text == task.text);
  }
  RecordQuery ofRun;
  ofRun.runId = "run";
  examineQuery(database, ofRun, lines);
  examineQuery(database, {}, lines);
  for (const TaskSummary &summary : get(database.summarize()))
    require(summary.target.empty() ||
            any_of(records, [&](const Record &record) {
              return record.taskKey == summary.task.key &&
                     record.target == summary.target &&
                     record.machineKey == summary.machineKey;
            }));
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const Original original;
  {
    std::error_code code;
    raw_fd_ostream os(original.path, code);
    require(!code);
    os << original.bytes;
  }
  bool sealed = false;
  {
    auto connection =
        get(Connection::open(original.path, SQLITE_OPEN_READWRITE, false, 0));
    sealed = alter(*connection,
                   StringRef(reinterpret_cast<const char *>(data), size));
  }
  examine(original, sealed);
  return 0;
}
