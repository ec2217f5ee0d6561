//===- Database.h - the tuning database -------------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_RECORD_DATABASE_H
#define PRUNER_RECORD_DATABASE_H

#include "pruner/Record/Record.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace pruner {

class Connection;

enum class OpenMode {
  ReadOnly,  ///< The file must exist; nothing is written.
  ReadWrite, ///< The file must exist.
  Create,    ///< A missing or empty file becomes a database.
};

struct DatabaseOptions {
  /// How long to wait for the lock of another process.
  int busySeconds = 60;
  /// Most bytes that the file may grow to, 0 for no limit. Beyond it appending
  /// fails like on a full disk.
  uint64_t maxBytes = 0;
  /// Whether to keep what is stored in memory, too (up to 64 MiB of it), for
  /// checkPlace() to save should the file be overwritten.
  bool keepStored = false;
  /// With ReadOnly: also read a file that has objects of others (see
  /// otherObjects), or lacks indices. Only tasks(), forEach() of all and
  /// check() may be asked of it.
  bool salvage = false;
};

/// Which records are meant. An empty field stands for any value.
struct RecordQuery {
  std::string taskKey;
  std::string target;
  /// Times of different machines do not compare: leave it empty only to list.
  std::string machineKey;
  std::string toolchain;
  std::string runId;
  std::string generator;
  /// Leave out the records of finals (see Choice.h), which repeat trials.
  bool withoutFinals = false;
};

/// What is to be stored together or not at all.
struct RecordBatch {
  llvm::ArrayRef<StoredTask> tasks = {};
  llvm::ArrayRef<Record> records = {};
  /// True if the records were measured just now. Then each is a measurement of
  /// its own: where another one has its run and number, it gets a number that
  /// is free (the next beyond those of the run), and what is not stored is an
  /// error.
  bool fresh = false;
};

/// What became of a batch.
struct AppendCounts {
  size_t added = 0;
  size_t duplicates = 0; ///< Measurements that were there already.
  /// Records that were not stored, by their places in the batch: another
  /// measurement, with another outcome, has their run, number and identity.
  std::vector<size_t> conflicts;
};

/// The records whose times may be compared: all are of one task, target and
/// machine, and agree in pipeline options, toolchain, generator, method of
/// verification and state of caches.
struct Setting {
  int64_t place = 0, number = 0; ///< As the indices have them.
  /// One of them, sound; its other fields say nothing of the rest.
  Record example;
  /// How many ended how, by the index; only where asked for. Trials and finals
  /// apart.
  std::map<MeasureStatus, uint64_t> trials, finals;
};

/// A group of records of one task on one machine.
struct TaskSummary {
  StoredTask task;
  std::string target;
  std::string machineKey;
  std::map<MeasureStatus, uint64_t> counts;
  std::optional<Record> best; ///< What Database::best would return.
};

/// A row that is not as Pruner wrote it.
struct BadRow {
  std::string table; ///< Empty if the file itself is damaged.
  int64_t row = 0;   ///< SQLite's rowid; the id of a record.
  std::string problem;
};

/// What a choice among the records of some settings depends on.
struct Selection {
  std::vector<Record> records; ///< In the order in which they were stored.
  std::vector<BadRow> bad;     ///< Rows that were met and not read.
};

/// The tuning database: an SQLite file that several processes may use at once,
/// append-only, with one row per trial.
///
/// * Every row holds the hash of its other columns. Nothing that is read comes
///   from a row that does not hash to what it says, or that no version of
///   Pruner would have written; check() names such rows.
/// * A record is a measurement. The same identity measured again is kept as
///   another measurement; a trial reported twice (same run, trial and identity,
///   see measurementHash) is stored once, so a run that was killed may repeat
///   its last batch.
/// * The file may be anybody's. One that has other tables, or anything beside
///   them that SQLite would run, is refused, and nothing in it is run.
/// * A batch is one transaction, synced to disk when append() returns: neither
///   kill -9 nor a power cut takes it back, and none is ever seen in part.
///
/// Every error names the file and says what to do. One object per thread, and
/// not across fork().
class Database {
public:
  static constexpr int64_t kSchemaVersion = 5;

  /// Databases of up to so many records are read and checked as a whole where
  /// that tells more; larger ones by their indices, and what is read of them is
  /// checked.
  static constexpr int64_t kReadAsWhole = 10000;

  /// Opens a database. A file of a later version is refused with both numbers,
  /// a file that is none is left alone. One of an earlier version is brought up
  /// to ours in one transaction, without loss; with ReadOnly in a temporary
  /// copy. ReadOnly works in directories that cannot be written.
  static llvm::Expected<Database> open(llvm::StringRef path, OpenMode mode,
                                       const DatabaseOptions &options = {});
  Database(Database &&);
  Database &operator=(Database &&);
  ~Database();

  llvm::StringRef path() const;
  /// With `salvage`: what the file has that no tuning database has, or lacks,
  /// in words.
  llvm::ArrayRef<std::string> otherObjects() const { return others; }

  /// Stores a batch, or nothing if there is an error; a record that cannot be
  /// normalised is one. A task known already stays as it is, unless it came
  /// without its text so far.
  ///
  /// If the file was removed or replaced since it was opened, all that it held
  /// and the batch are saved in a new file, which the error names.
  llvm::Expected<AppendCounts> append(const RecordBatch &batch);

  /// An error if the path no longer leads to what was stored through this
  /// object: the file was removed, replaced or overwritten. What can be is
  /// saved in a new file, which the error names.
  llvm::Error checkPlace();
  /// Whether an error has said so already.
  bool isRescued() const { return !rescuedTo.empty(); }

  /// The number of the last record, 0 if there is none. Numbers count from 1,
  /// and none is missing in a sound file.
  llvm::Expected<int64_t> lastRecord();

  /// The record with the smallest median time among those with status Ok that
  /// were verified; of equals the oldest. Records of finals come before others,
  /// whose smallest median may be luck. What was found to give a wrong result
  /// even once, under the same identity, is never returned: it may be a race
  /// that verification missed.
  llvm::Expected<std::optional<Record>> best(const RecordQuery &query);

  /// The records in the order in which they were stored. An error of the
  /// callback ends the walk and is returned. Rows that were met and are not
  /// sound are added to `bad`, if it is given.
  llvm::Error forEach(const RecordQuery &query,
                      llvm::function_ref<llvm::Error(Record)> callback,
                      std::vector<BadRow> *bad = nullptr);
  llvm::Expected<std::vector<Record>> all(const RecordQuery &query);

  /// How many records ended how; statuses without records are left out.
  llvm::Expected<std::map<MeasureStatus, uint64_t>>
  countByStatus(const RecordQuery &query);

  /// The tasks in the order in which they became known.
  llvm::Expected<std::vector<StoredTask>> tasks();
  llvm::Expected<std::optional<StoredTask>> task(llvm::StringRef key);

  /// The settings of the records with these task, target and machine (all
  /// three, or none for every setting of the file), with a sound example each;
  /// a setting that has none is left out, and its rows are added to `bad`.
  /// Reads little more than the examples. With `counted` also how many records
  /// there are, as the index says.
  llvm::Expected<std::vector<Setting>>
  settings(const RecordQuery &query, bool counted, std::vector<BadRow> &bad);

  /// The records of these settings, all of one place, that a choice depends on
  /// (Choice.h), of those that `accept` is true of: of each setting the latest
  /// finals of both kinds, the fastest records of the eight fastest schedules
  /// without a wrong result, the fastest default and those of the runs of the
  /// others; one record of each status of every schedule among them, in each
  /// setting; with `unmeasured` also all records that were not measured. Time
  /// does not grow with the number of records but by these.
  llvm::Expected<Selection>
  select(llvm::ArrayRef<Setting> settings, bool unmeasured,
         llvm::function_ref<bool(const Record &)> accept);

  /// One entry per task, target and machine with records, in the order of
  /// tasks(); a task without records has one with empty target. Of a file with
  /// more than kReadAsWhole records the counts are those of the index; the best
  /// is read and checked, always.
  llvm::Expected<std::vector<TaskSummary>> summarize();

  /// Every row that is not sound, the damage that SQLite finds, and numbers of
  /// records that are missing. Reads the whole file.
  llvm::Expected<std::vector<BadRow>> check();

private:
  explicit Database(std::unique_ptr<Connection> connection);
  llvm::Expected<AppendCounts> store(const RecordBatch &batch);
  llvm::Error rescue(const RecordBatch *batch);
  llvm::Error rescueKept(const RecordBatch *batch, llvm::StringRef what);
  void keep(const RecordBatch &batch);
  llvm::Expected<std::vector<TaskSummary>> summarizeByIndex();
  llvm::Expected<std::optional<Record>>
  bestOf(llvm::ArrayRef<const Setting *> settings);

  std::unique_ptr<Connection> connection;
  int64_t schemaCookie = -1; ///< Of the schema that was checked last.
  /// The last record that was stored: its number and its hash.
  int64_t storedId = 0;
  std::string storedHash;
  std::vector<std::string> others;
  bool keepStored = false;
  std::string kept;                ///< What was stored, as lines of an export.
  std::set<std::string> keptTasks; ///< The keys of the tasks among them.
  bool keptAll = true;             ///< False once that became too much.
  std::string rescuedTo; ///< The file that took the place of the lost one.
};

} // namespace pruner

#endif // PRUNER_RECORD_DATABASE_H
