//===- Settings.cpp - the settings of the records of a database -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RecordRow.h"
#include "SchemaObjects.h"
#include "Sqlite.h"
#include "pruner/Record/Choice.h"
#include "pruner/Record/Database.h"

using namespace llvm;
using namespace pruner;

Expected<int64_t> Database::lastRecord() {
  return connection->queryInteger(kLastRow);
}

namespace {
/// Visits the settings through the index, without reading the rows in between.
class SettingWalk {
public:
  static Expected<SettingWalk> create(Connection &connection,
                                      std::optional<int64_t> place,
                                      std::vector<BadRow> &bad);
  /// The next setting with a sound record; std::nullopt at the end.
  Expected<std::optional<Setting>> next();

private:
  SettingWalk(std::optional<int64_t> place, Statement first, Statement next,
              Statement rows, std::vector<BadRow> &bad)
      : place(place), first(std::move(first)), after(std::move(next)),
        rows(std::move(rows)), bad(bad) {}
  Expected<bool> step();
  Expected<bool> readExample(Setting &setting);

  std::optional<int64_t> place; ///< The only one to visit.
  Statement first, after, rows;
  std::vector<BadRow> &bad;
  /// The current place and setting.
  std::optional<std::pair<int64_t, int64_t>> at;
};
} // namespace

Expected<SettingWalk> SettingWalk::create(Connection &connection,
                                          std::optional<int64_t> place,
                                          std::vector<BadRow> &bad) {
  const std::string select =
      "SELECT place, setting FROM records INDEXED BY records_by_place WHERE ";
  const std::string least = " ORDER BY place, setting LIMIT 1";
  auto first = Statement::prepare(
      connection, select + (place ? "place = ?" : "place IS NOT NULL") + least);
  if (!first)
    return first.takeError();
  auto after =
      Statement::prepare(connection, select +
                                         (place ? "place = ? AND setting > ?"
                                                : "(place, setting) > (?, ?)") +
                                         least);
  if (!after)
    return after.takeError();
  auto rows = Statement::prepare(connection,
                                 "SELECT " + selectRecordColumns() +
                                     " FROM records INDEXED BY records_by_place"
                                     " WHERE place = ? AND setting = ?");
  if (!rows)
    return rows.takeError();
  return SettingWalk(place, std::move(*first), std::move(*after),
                     std::move(*rows), bad);
}

Expected<bool> SettingWalk::step() {
  Statement &statement = at ? after : first;
  if (at)
    statement.bind(at->first).bind(at->second);
  else if (place)
    statement.bind(*place);
  Expected<bool> row = statement.step();
  if (row && *row)
    at = {statement.integer(0), statement.integer(1)};
  statement.reset();
  return row;
}

Expected<bool> SettingWalk::readExample(Setting &setting) {
  Expected<bool> row = rows.bind(setting.place).bind(setting.number).step();
  bool found = false;
  for (; row && *row && !found; row = rows.step()) {
    Expected<Record> record = readRecord(rows);
    if (!record) {
      bad.push_back({"records", rows.integer(0), toString(record.takeError())});
      continue;
    }
    // The values of the row decide, not its position in the index.
    found = placeKey(*record) == setting.place &&
            settingKey(*record) == setting.number;
    if (found)
      setting.example = std::move(*record);
  }
  rows.reset();
  if (!row)
    return row.takeError();
  return found;
}

Expected<std::optional<Setting>> SettingWalk::next() {
  while (true) {
    Expected<bool> row = step();
    if (!row)
      return row.takeError();
    if (!*row)
      return std::nullopt;
    Setting setting;
    setting.place = at->first;
    setting.number = at->second;
    Expected<bool> found = readExample(setting);
    if (!found)
      return found.takeError();
    if (*found)
      return std::move(setting);
  }
}

static Error countRecords(Connection &connection, Setting &setting) {
  auto rows = Statement::prepare(
      connection, "SELECT status, strategy, count(*) FROM records"
                  " INDEXED BY records_by_place"
                  " WHERE place = ? AND setting = ? GROUP BY status, strategy");
  if (!rows)
    return rows.takeError();
  rows->bind(setting.place).bind(setting.number);
  while (true) {
    Expected<bool> row = rows->step();
    if (!row || !*row)
      return row.takeError();
    Record group;
    group.strategy = rows->text(1);
    if (auto status = symbolizeMeasureStatus(rows->text(0)))
      (isOfFinal(group) ? setting.finals : setting.trials)[*status] +=
          rows->integer(2);
  }
}

Expected<std::vector<Setting>> Database::settings(const RecordQuery &query,
                                                  bool counted,
                                                  std::vector<BadRow> &bad) {
  std::optional<int64_t> place;
  if (!query.taskKey.empty())
    place = indexKey({query.taskKey, query.target, query.machineKey});
  Expected<SettingWalk> walk = SettingWalk::create(*connection, place, bad);
  if (!walk)
    return walk.takeError();
  std::vector<Setting> settings;
  while (true) {
    Expected<std::optional<Setting>> setting = walk->next();
    if (!setting)
      return setting.takeError();
    if (!*setting)
      return settings;
    if (counted)
      if (Error error = countRecords(*connection, **setting))
        return error;
    settings.push_back(std::move(**setting));
  }
}
