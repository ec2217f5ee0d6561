//===- Append.cpp - append to the tuning database -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RecordRow.h"
#include "Schema.h"
#include "pruner/Record/Database.h"

#include <sqlite3.h>

using namespace llvm;
using namespace pruner;

static Error appendTasks(Connection &connection, ArrayRef<StoredTask> tasks) {
  auto insert = Statement::prepare(connection, insertTaskSql());
  if (!insert)
    return insert.takeError();
  for (StoredTask task : tasks) {
    if (Error error = normalizeTask(task))
      return error;
    bindTask(*insert, task);
    if (Error error = insert->run())
      return error;
  }
  return Error::success();
}

namespace {
/// Adds records one after the other within a transaction.
class RecordWriter {
public:
  static Expected<RecordWriter> create(Connection &connection);
  Error add(Record record, size_t index, bool fresh, AppendCounts &counts);

private:
  RecordWriter(Connection &connection, Statement insert, Statement insertTask,
               Statement taken, Statement ends, Statement known, int64_t last)
      : connection(connection), insert(std::move(insert)),
        insertTask(std::move(insertTask)), taken(std::move(taken)),
        ends(std::move(ends)), known(std::move(known)), last(last) {}
  Expected<bool> put(const Record &record);
  Expected<bool> isTaken(const Record &record);
  Error renumber(Record &record);
  Expected<bool> hasSameOutcome(const Record &record);

  Connection &connection;
  Statement insert, insertTask, taken, ends, known;
  int64_t last; ///< The number of the last row.
};
} // namespace

Expected<RecordWriter> RecordWriter::create(Connection &connection) {
  auto insert = Statement::prepare(connection, insertRecordSql());
  if (!insert)
    return insert.takeError();
  auto insertTask = Statement::prepare(connection, insertTaskSql());
  if (!insertTask)
    return insertTask.takeError();
  auto taken = Statement::prepare(connection, kCountTakenSql);
  if (!taken)
    return taken.takeError();
  auto ends = Statement::prepare(connection,
                                 "SELECT max(trial), min(trial) FROM records"
                                 " INDEXED BY records_by_run WHERE run_id = ?"
                                 " AND trial BETWEEN -9007199254740992 AND"
                                 " 9007199254740992");
  if (!ends)
    return ends.takeError();
  auto known =
      Statement::prepare(connection, "SELECT " + selectRecordColumns() +
                                         " FROM records WHERE measurement = ?");
  if (!known)
    return known.takeError();
  Expected<int64_t> last = connection.queryInteger(kLastRow);
  if (!last)
    return last.takeError();
  return RecordWriter(connection, std::move(*insert), std::move(*insertTask),
                      std::move(*taken), std::move(*ends), std::move(*known),
                      *last);
}

/// Returns true if the record was added, false if its measurement has a row
/// already.
Expected<bool> RecordWriter::put(const Record &record) {
  bindRecord(insert, last + 1, record);
  if (Error error = insert.run())
    return error;
  if (!sqlite3_changes(connection.handle()))
    return false;
  // A row that was not sound is replaced, and has its number.
  Expected<int64_t> now = connection.queryInteger(kLastRow);
  if (!now)
    return now.takeError();
  last = *now;
  return true;
}

/// Whether another measurement has the run and number of the record.
Expected<bool> RecordWriter::isTaken(const Record &record) {
  taken.bind(record.runId).bind(record.trial).bind(measurementHash(record));
  Expected<bool> row = taken.step();
  bool found = row && *row && taken.integer(0) > 0;
  taken.reset();
  if (!row)
    return row.takeError();
  return found;
}

/// Gives the record the next number beyond those of its run. Records other than
/// trials have negative numbers.
Error RecordWriter::renumber(Record &record) {
  Expected<bool> row = ends.bind(record.runId).step();
  if (row && *row) {
    int64_t most = ends.integer(0), least = ends.integer(1);
    record.trial = record.trial < 0 ? std::min<int64_t>(least, 0) - 1
                                    : std::max<int64_t>(most, -1) + 1;
  }
  ends.reset();
  return row.takeError();
}

Expected<bool> RecordWriter::hasSameOutcome(const Record &record) {
  Expected<bool> row = known.bind(measurementHash(record)).step();
  bool same = true;
  if (row && *row) {
    Expected<Record> other = readRecord(known);
    same =
        other && other->status == record.status && other->times == record.times;
    if (!other)
      consumeError(other.takeError());
  }
  known.reset();
  if (!row)
    return row.takeError();
  return same;
}

Error RecordWriter::add(Record record, size_t index, bool fresh,
                        AppendCounts &counts) {
  std::string name = "trial " + std::to_string(record.trial) + " of run '" +
                     record.runId + "'";
  auto notStored = [&](const Twine &why) {
    return createStringError("'" + connection.path() + "': " + name +
                             " cannot be stored: " + why);
  };
  if (Error error = normalizeRecord(record))
    return notStored(toString(std::move(error)));
  // A record may precede its task, as in a merge of partial exports.
  StoredTask task;
  task.key = record.taskKey;
  bindTask(insertTask, task);
  if (Error error = insertTask.run())
    return error;
  fresh &= !record.runId.empty();
  Expected<bool> taken = fresh ? isTaken(record) : false;
  if (!taken)
    return taken.takeError();
  if (*taken)
    if (Error error = renumber(record))
      return error;
  Expected<bool> stored = put(record);
  if (stored && !*stored && fresh) {
    if (Error error = renumber(record))
      return error;
    stored = put(record);
  }
  if (!stored)
    return stored.takeError();
  if (*stored) {
    ++counts.added;
    return Error::success();
  }
  if (fresh)
    return notStored("no number of its run is free");
  Expected<bool> same = hasSameOutcome(record);
  if (!same)
    return same.takeError();
  if (*same)
    ++counts.duplicates;
  else
    counts.conflicts.push_back(index);
  return Error::success();
}

Expected<AppendCounts> Database::store(const RecordBatch &batch) {
  AppendCounts counts;
  Expected<Transaction> transaction = Transaction::begin(*connection);
  if (!transaction)
    return transaction.takeError();
  if (Error error = checkSchemaAgain(*connection, schemaCookie))
    return error;
  if (Error error = appendTasks(*connection, batch.tasks))
    return error;
  Expected<RecordWriter> writer = RecordWriter::create(*connection);
  if (!writer)
    return writer.takeError();
  for (auto [index, record] : enumerate(batch.records))
    if (Error error = writer->add(record, index, batch.fresh, counts))
      return error;
  auto last = Statement::prepare(
      *connection, "SELECT id, row_hash FROM records ORDER BY id DESC LIMIT 1");
  if (!last)
    return last.takeError();
  Expected<bool> row = last->step();
  if (!row)
    return row.takeError();
  int64_t id = *row ? last->integer(0) : 0;
  std::string hash = *row ? last->text(1) : "";
  last->reset();
  if (Error error = transaction->commit())
    return error;
  storedId = id;
  storedHash = std::move(hash);
  return counts;
}

Expected<AppendCounts> Database::append(const RecordBatch &batch) {
  // SQLite itself writes to a deleted file like to any other.
  if (connection->hasMoved())
    return rescue(&batch);
  Expected<AppendCounts> counts = store(batch);
  if (!counts) {
    if (connection->hasMoved()) {
      consumeError(counts.takeError());
      return rescue(&batch);
    }
    int code = connection->lastCode();
    if (keepStored && (code == SQLITE_CORRUPT || code == SQLITE_NOTADB))
      return rescueKept(&batch, toString(counts.takeError()));
    return counts.takeError();
  }
  keep(batch);
  if (connection->hasMoved())
    return rescue(nullptr);
  return counts;
}
