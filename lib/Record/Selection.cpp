//===- Selection.cpp - the records that a choice depends on ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RecordRow.h"
#include "SchemaObjects.h"
#include "Sqlite.h"
#include "pruner/Record/Choice.h"
#include "pruner/Record/Database.h"

#include <set>

using namespace llvm;
using namespace pruner;

/// The number of fastest schedules of a setting that are read. A head-to-head
/// comparison has up to five (Choice.cpp), and some schedules may be excluded
/// by results in other settings.
static constexpr size_t kSchedules = 8;
/// Number of rejected records after which a search for one gives up.
static constexpr size_t kMaxRejected = 1000;

namespace {
/// Reads the records of some settings, each once.
class Selector {
public:
  Selector(Connection &connection, ArrayRef<Setting> settings,
           function_ref<bool(const Record &)> accept)
      : connection(connection), settings(settings), accept(accept) {}

  Error readFinal(const Setting &setting, StringRef strategy);
  Error readFastest(const Setting &setting);
  Error readDefaults(const Setting &setting);
  Error readUnmeasured(const Setting &setting);
  Error readDefaultsOfRuns();
  Error readOthersOfSchedules();
  Selection take();

private:
  using Row = function_ref<Expected<bool>(const Statement &)>;
  Expected<Statement> select(const Twine &rest, StringRef columns = "");
  Error walk(Statement &statement, Row visit);
  Expected<const Record *> read(const Statement &row);
  Expected<const Record *> readNumber(int64_t id);
  Expected<bool> wasWrong(const Record &record);
  bool givesUp(const Statement &row, size_t &rejected);

  Connection &connection;
  ArrayRef<Setting> settings;
  function_ref<bool(const Record &)> accept;
  std::map<int64_t, std::optional<Record>> known; ///< std::nullopt: rejected.
  std::vector<BadRow> bad;
};
} // namespace

Expected<Statement> Selector::select(const Twine &rest, StringRef columns) {
  std::string text = columns.empty() ? selectRecordColumns() : columns.str();
  return Statement::prepare(connection,
                            ("SELECT " + text + " FROM records " + rest).str());
}

/// Visits rows until `visit` returns true.
Error Selector::walk(Statement &statement, Row visit) {
  while (true) {
    Expected<bool> row = statement.step();
    if (!row)
      return row.takeError();
    Expected<bool> ends = *row ? visit(statement) : true;
    if (!ends)
      return ends.takeError();
    if (*ends) {
      statement.reset();
      return Error::success();
    }
  }
}

/// Reads a row, if it was not read before. Null if it is not sound, not of
/// these settings, or not accepted.
Expected<const Record *> Selector::read(const Statement &row) {
  auto [entry, first] = known.try_emplace(row.integer(0));
  std::optional<Record> &slot = entry->second;
  if (first) {
    if (Expected<Record> record = readRecord(row)) {
      int64_t number = settingKey(*record);
      auto isOf = [&](const Setting &s) { return s.number == number; };
      if (any_of(settings, isOf) && accept(*record))
        slot = std::move(*record);
    } else {
      bad.push_back({"records", row.integer(0), toString(record.takeError())});
    }
  }
  return slot ? &*slot : nullptr;
}

Expected<const Record *> Selector::readNumber(int64_t id) {
  auto statement = select("WHERE id = ?");
  if (!statement)
    return statement.takeError();
  const Record *found = nullptr;
  Error error = walk(statement->bind(id), [&](const Statement &row) {
    Expected<const Record *> record = read(row);
    if (!record)
      return Expected<bool>(record.takeError());
    found = *record;
    return Expected<bool>(true);
  });
  if (error)
    return error;
  return found;
}

/// Counts a rejected record; returns true at the limit.
bool Selector::givesUp(const Statement &row, size_t &rejected) {
  if (++rejected < kMaxRejected)
    return false;
  bad.push_back({"records", row.integer(0),
                 "rejected, like " + std::to_string(rejected - 1) +
                     " records before it; later ones are not read"});
  return true;
}

/// All records of the latest comparison of a kind, by time stamp and then by
/// order.
Error Selector::readFinal(const Setting &setting, StringRef strategy) {
  auto rows = select("INDEXED BY records_of_finals WHERE setting = ? AND "
                     "strategy = ? AND " +
                     kIsFinal + " ORDER BY timestamp DESC, id DESC");
  if (!rows)
    return rows.takeError();
  std::string run;
  size_t rejected = 0;
  rows->bind(setting.number).bind(strategy);
  Error error = walk(*rows, [&](const Statement &row) -> Expected<bool> {
    Expected<const Record *> record = read(row);
    if (!record)
      return record.takeError();
    if (!*record)
      return givesUp(row, rejected);
    run = (*record)->runId;
    return true;
  });
  if (error || run.empty())
    return error;
  auto entries = select("INDEXED BY records_by_run WHERE run_id = ?");
  if (!entries)
    return entries.takeError();
  return walk(entries->bind(run), [&](const Statement &row) -> Expected<bool> {
    if (Error error = read(row).takeError())
      return error;
    return false;
  });
}

/// Whether the schedule of the record gave a wrong result in any of the
/// settings. Records with wrong results are read.
Expected<bool> Selector::wasWrong(const Record &record) {
  bool wrong = false;
  auto rows = select("INDEXED BY records_by_identity WHERE identity = ? AND "
                     "status = 'wrong-result'");
  if (!rows)
    return rows.takeError();
  for (const Setting &setting : settings) {
    Record there = setting.example;
    there.schedule = record.schedule;
    Error error = walk(rows->bind(identityHash(there)),
                       [&](const Statement &row) -> Expected<bool> {
                         Expected<const Record *> said = read(row);
                         if (!said)
                           return said.takeError();
                         wrong |= *said != nullptr;
                         return *said != nullptr;
                       });
    if (error)
      return error;
  }
  return wrong;
}

Error Selector::readFastest(const Setting &setting) {
  // Both this loop and the index use the identity of the schedule, so repeated
  // measurements are skipped without reading them.
  auto rows = select("INDEXED BY records_best WHERE setting = ? AND " +
                         kIsRightTrial + " ORDER BY median, identity",
                     "id, identity");
  if (!rows)
    return rows.takeError();
  std::set<std::string> seen;
  size_t right = 0, rejected = 0;
  rows->bind(setting.number);
  return walk(*rows, [&](const Statement &row) -> Expected<bool> {
    std::string identity = row.text(1);
    if (seen.count(identity))
      return false;
    Expected<const Record *> record = readNumber(row.integer(0));
    if (!record)
      return record.takeError();
    // If this record is rejected, the next one of the schedule may still be
    // accepted.
    if (!*record)
      return givesUp(row, rejected);
    if (!isScheduleText((*record)->schedule))
      return false;
    seen.insert(identity);
    Expected<bool> wrong = wasWrong(**record);
    if (!wrong)
      return wrong.takeError();
    right += !*wrong;
    return right == kSchedules;
  });
}

/// The fastest default.
Error Selector::readDefaults(const Setting &setting) {
  auto rows = select("INDEXED BY records_of_defaults WHERE setting = ? AND "
                     "median > 0 AND " +
                     kIsDefault + " ORDER BY median");
  if (!rows)
    return rows.takeError();
  rows->bind(setting.number);
  return walk(*rows, [&](const Statement &row) -> Expected<bool> {
    Expected<const Record *> record = read(row);
    if (!record)
      return record.takeError();
    return *record && (*record)->status == MeasureStatus::Ok;
  });
}

/// Defaults have negative numbers in their runs.
Error Selector::readDefaultsOfRuns() {
  auto rows = select("INDEXED BY records_by_run WHERE run_id = ? AND trial < 0"
                     " AND " +
                     kIsDefault);
  if (!rows)
    return rows.takeError();
  std::set<std::string> runs;
  for (const auto &[id, record] : known)
    if (record)
      runs.insert(record->runId);
  for (const std::string &run : runs) {
    auto visit = [&](const Statement &row) -> Expected<bool> {
      if (Error error = read(row).takeError())
        return error;
      return false;
    };
    if (Error error = walk(rows->bind(run), visit))
      return error;
  }
  return Error::success();
}

/// For each schedule that was read, one record of each status in each setting.
Error Selector::readOthersOfSchedules() {
  auto rows = select("INDEXED BY records_by_identity WHERE identity = ? AND "
                     "status = ?");
  if (!rows)
    return rows.takeError();
  std::set<std::string> schedules;
  for (const auto &[id, record] : known)
    if (record && isScheduleText(record->schedule))
      schedules.insert(record->schedule);
  for (const std::string &schedule : schedules)
    for (const Setting &setting : settings) {
      Record there = setting.example;
      there.schedule = schedule;
      std::string identity = identityHash(there);
      for (MeasureStatus status : allMeasureStatuses()) {
        rows->bind(identity).bind(stringifyMeasureStatus(status));
        auto visit = [&](const Statement &row) -> Expected<bool> {
          Expected<const Record *> record = read(row);
          if (!record)
            return record.takeError();
          return *record != nullptr;
        };
        if (Error error = walk(*rows, visit))
          return error;
      }
    }
  return Error::success();
}

Error Selector::readUnmeasured(const Setting &setting) {
  auto rows = select("INDEXED BY records_by_place WHERE place = ? AND setting "
                     "= ? AND status = 'unmeasured'");
  if (!rows)
    return rows.takeError();
  rows->bind(setting.place).bind(setting.number);
  return walk(*rows, [&](const Statement &row) -> Expected<bool> {
    if (Error error = read(row).takeError())
      return error;
    return false;
  });
}

Selection Selector::take() {
  Selection selection;
  for (auto &[id, record] : known)
    if (record)
      selection.records.push_back(std::move(*record));
  selection.bad = std::move(bad);
  return selection;
}

Expected<Selection>
Database::select(ArrayRef<Setting> settings, bool unmeasured,
                 function_ref<bool(const Record &)> accept) {
  Selector selector(*connection, settings, accept);
  for (const Setting &setting : settings) {
    for (StringRef strategy : {kFinalStrategy, kNetworkFinalStrategy})
      if (Error error = selector.readFinal(setting, strategy))
        return error;
    if (Error error = selector.readFastest(setting))
      return error;
    if (Error error = selector.readDefaults(setting))
      return error;
    if (unmeasured)
      if (Error error = selector.readUnmeasured(setting))
        return error;
  }
  if (Error error = selector.readDefaultsOfRuns())
    return error;
  if (Error error = selector.readOthersOfSchedules())
    return error;
  return selector.take();
}
