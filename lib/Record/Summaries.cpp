//===- Summaries.cpp - summaries of a database ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RecordRow.h"
#include "SchemaObjects.h"
#include "Sqlite.h"
#include "pruner/Record/Choice.h"
#include "pruner/Record/Database.h"

using namespace llvm;
using namespace pruner;

/// The summary for the target and machine of a record, among those of its task.
static TaskSummary &placeOf(std::vector<TaskSummary> &places,
                            const Record &record) {
  auto place = find_if(places, [&](const TaskSummary &place) {
    return place.target == record.target &&
           place.machineKey == record.machineKey;
  });
  if (place != places.end())
    return *place;
  TaskSummary &added = places.emplace_back();
  added.target = record.target;
  added.machineKey = record.machineKey;
  return added;
}

/// The summaries in the order of the tasks.
static std::vector<TaskSummary>
inOrder(std::vector<StoredTask> tasks,
        std::map<std::string, std::vector<TaskSummary>> placesOf) {
  std::vector<TaskSummary> summaries;
  for (StoredTask &task : tasks) {
    std::vector<TaskSummary> places = std::move(placesOf[task.key]);
    if (places.empty())
      places.emplace_back();
    for (TaskSummary &place : places)
      place.task = task;
    append_range(summaries, std::move(places));
  }
  return summaries;
}

Expected<std::vector<TaskSummary>> Database::summarize() {
  Expected<int64_t> last = lastRecord();
  if (!last)
    return last.takeError();
  if (*last > kReadAsWhole)
    return summarizeByIndex();
  Expected<std::vector<StoredTask>> known = tasks();
  if (!known)
    return known.takeError();
  // Keys of places can only be trusted in sound records, so read these.
  std::map<std::string, std::vector<TaskSummary>> placesOf;
  Error error = forEach({}, [&](const Record &record) {
    TaskSummary &place = placeOf(placesOf[record.taskKey], record);
    if (!isOfFinal(record))
      ++place.counts[record.status];
    return Error::success();
  });
  if (error)
    return error;
  for (auto &[key, places] : placesOf)
    for (TaskSummary &place : places) {
      RecordQuery query;
      query.taskKey = key;
      query.target = place.target;
      query.machineKey = place.machineKey;
      auto fastest = best(query);
      if (!fastest)
        return fastest.takeError();
      place.best = std::move(*fastest);
    }
  return inOrder(std::move(*known), std::move(placesOf));
}

/// Whether a wrong result was found under the record's identity.
static Expected<bool> wasWrong(Connection &connection, const Record &record) {
  auto row = Statement::prepare(
      connection, "SELECT 1 FROM records INDEXED BY records_by_identity WHERE "
                  "identity = ? AND status = 'wrong-result' LIMIT 1");
  if (!row)
    return row.takeError();
  return row->bind(identityHash(record)).step();
}

/// The first sound record of `numbers` that belongs to the setting and whose
/// schedule never gave a wrong result.
static Expected<std::optional<Record>>
firstRight(Connection &connection, Statement &numbers, const Setting &setting) {
  auto row = Statement::prepare(connection, "SELECT " + selectRecordColumns() +
                                                " FROM records WHERE id = ?");
  if (!row)
    return row.takeError();
  while (true) {
    Expected<bool> number = numbers.step();
    if (!number)
      return number.takeError();
    if (!*number)
      return std::nullopt;
    Expected<bool> there = row->bind(numbers.integer(0)).step();
    if (!there)
      return there.takeError();
    if (*there) {
      Expected<Record> record = readRecord(*row);
      row->reset();
      if (record && settingKey(*record) == setting.number &&
          record->status == MeasureStatus::Ok && record->verified) {
        Expected<bool> wrong = wasWrong(connection, *record);
        if (!wrong)
          return wrong.takeError();
        if (!*wrong)
          return std::move(*record);
      }
      if (!record)
        consumeError(record.takeError()); // check() lists it.
    }
    row->reset();
  }
}

/// The same result as Database::best.
Expected<std::optional<Record>>
Database::bestOf(ArrayRef<const Setting *> settings) {
  const std::string finals =
      ("SELECT id FROM records INDEXED BY records_of_finals WHERE setting = "
       "? AND " +
       kIsFinal + " AND status = 'ok' AND verified = 1 ORDER BY median, id")
          .str();
  const std::string trials =
      ("SELECT id FROM records INDEXED BY records_best WHERE setting = ? "
       "AND " +
       kIsRightTrial + " ORDER BY median, identity")
          .str();
  for (const std::string &sql : {finals, trials}) {
    auto numbers = Statement::prepare(*connection, sql);
    if (!numbers)
      return numbers.takeError();
    std::optional<Record> best;
    for (const Setting *setting : settings) {
      numbers->bind(setting->number);
      auto found = firstRight(*connection, *numbers, *setting);
      if (!found)
        return found.takeError();
      numbers->reset();
      if (*found && (!best || *medianTime(**found) < *medianTime(*best)))
        best = std::move(*found);
    }
    if (best)
      return best;
  }
  return std::nullopt;
}

Expected<std::vector<TaskSummary>> Database::summarizeByIndex() {
  Expected<std::vector<StoredTask>> known = tasks();
  if (!known)
    return known.takeError();
  std::vector<BadRow> bad; // check() lists them.
  auto found = settings({}, /*counted=*/true, bad);
  if (!found)
    return found.takeError();
  std::map<int64_t, std::vector<const Setting *>> settingsOf;
  for (const Setting &setting : *found)
    settingsOf[setting.place].push_back(&setting);
  std::map<std::string, std::vector<TaskSummary>> placesOf;
  for (const auto &[place, of] : settingsOf) {
    const Record &example = of.front()->example;
    TaskSummary &summary = placeOf(placesOf[example.taskKey], example);
    for (const Setting *setting : of)
      for (auto [status, count] : setting->trials)
        summary.counts[status] += count;
    auto best = bestOf(of);
    if (!best)
      return best.takeError();
    summary.best = std::move(*best);
  }
  return inOrder(std::move(*known), std::move(placesOf));
}
