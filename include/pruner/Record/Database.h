//===- Database.h - the tuning database -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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
  /// How long to wait for a lock held by another process.
  int busySeconds = 60;
  /// Maximum size of the file in bytes; 0 for no limit. Appending beyond it
  /// fails like on a full disk.
  uint64_t maxBytes = 0;
  /// Whether to keep stored data in memory as well (up to 64 MiB), so that
  /// checkPlace() can save it if the file is overwritten.
  bool keepStored = false;
  /// With ReadOnly: also read a file that has foreign objects (see
  /// otherObjects) or lacks indices. Only tasks(), forEach() with all records
  /// and check() may be called then.
  bool salvage = false;
};

/// Selects records. An empty field matches any value.
struct RecordQuery {
  std::string taskKey;
  std::string target;
  /// Times of different machines are not comparable; leave this empty only to
  /// list records.
  std::string machineKey;
  std::string toolchain;
  std::string runId;
  std::string generator;
  /// Leave out the records of head-to-head comparisons (see Choice.h), which
  /// repeat trials.
  bool withoutFinals = false;
};

/// Tasks and records that are stored together or not at all.
struct RecordBatch {
  llvm::ArrayRef<StoredTask> tasks = {};
  llvm::ArrayRef<Record> records = {};
  /// True if the records were measured just now. Each is then a measurement of
  /// its own. If another one has its run and number, it gets the next number
  /// beyond those of the run, and a record that is not stored is an error.
  bool fresh = false;
};

/// The result of storing a batch.
struct AppendCounts {
  size_t added = 0;
  size_t duplicates = 0; ///< Measurements that were stored before.
  /// Records that were not stored, by their position in the batch: another
  /// measurement with another result has the same run, number and identity.
  std::vector<size_t> conflicts;
};

/// Records whose times are comparable: of one task, target and machine, and
/// with equal pipeline options, toolchain, generator, verification method and
/// cache state.
struct Setting {
  int64_t place = 0, number = 0; ///< Values in the indices.
  /// A sound record of the setting. Only the fields that define the setting are
  /// meaningful.
  Record example;
  /// Number of records for each status according to the index, for trials and
  /// head-to-head comparisons; only set if requested.
  std::map<MeasureStatus, uint64_t> trials, finals;
};

/// A group of records of one task on one machine.
struct TaskSummary {
  StoredTask task;
  std::string target;
  std::string machineKey;
  std::map<MeasureStatus, uint64_t> counts;
  std::optional<Record> best; ///< The result of Database::best.
};

/// A row that is damaged or was changed after Pruner wrote it.
struct BadRow {
  std::string table; ///< Empty if the file itself is damaged.
  int64_t row = 0;   ///< SQLite's rowid; the id of a record.
  std::string problem;
};

/// The data on which a choice among the records of some settings depends.
struct Selection {
  std::vector<Record> records; ///< In the order in which they were stored.
  std::vector<BadRow> bad;     ///< Unsound rows that were skipped.
};

/// The tuning database: an SQLite file that several processes may use at once.
/// It is append-only, with one row per trial.
///
/// * Every row holds the hash of its other columns. A row with a wrong hash, or
///   one that no version of Pruner would have written, is never used; check()
///   lists such rows.
/// * A record is a measurement. The same identity measured again is stored as
///   another measurement. A trial that is reported twice (same run, trial and
///   identity, see measurementHash) is stored once, so a run that was killed
///   may repeat its last batch.
/// * The file may come from an untrusted source. If it has other tables, or
///   objects that SQLite would execute, it is rejected, and nothing in it is
///   executed.
/// * A batch is one transaction, synced to disk when append() returns. Neither
///   kill -9 nor a power failure can undo it or leave a part of it.
///
/// Every error names the file and states what to do. Use one object per thread,
/// and do not use it across fork().
class Database {
public:
  static constexpr int64_t kSchemaVersion = 5;

  /// Databases with at most this many records are read and checked as a whole
  /// where this gives more information. Of larger ones the indices are used,
  /// and only the rows that are read are checked.
  static constexpr int64_t kReadAsWhole = 10000;

  /// Opens a database. Fails without a change for a file of a later version,
  /// naming both versions, and for a file that is not a database. Converts an
  /// earlier version to this one in one transaction, without loss; with
  /// ReadOnly in a temporary copy. ReadOnly works in directories that cannot be
  /// written. With Create, an empty path is a database in memory.
  static llvm::Expected<Database> open(llvm::StringRef path, OpenMode mode,
                                       const DatabaseOptions &options = {});
  Database(Database &&);
  Database &operator=(Database &&);
  ~Database();

  llvm::StringRef path() const;
  /// With `salvage`: descriptions of foreign objects in the file, and of
  /// objects that it lacks.
  llvm::ArrayRef<std::string> otherObjects() const { return others; }

  /// Stores a batch, or nothing if there is an error. A record that cannot be
  /// normalized is an error. A known task is not changed, unless it was stored
  /// without its text.
  ///
  /// If the file was removed or replaced since it was opened, all its contents
  /// and the batch are saved in a new file, which the error names.
  llvm::Expected<AppendCounts> append(const RecordBatch &batch);

  /// Fails if the path no longer leads to what was stored through this object,
  /// because the file was removed, replaced or overwritten. The contents are
  /// saved in a new file as far as possible; the error names that file.
  llvm::Error checkPlace();
  /// Whether such an error was reported before.
  bool isRescued() const { return !rescuedTo.empty(); }

  /// The number of the last record, 0 if there is none. Numbers start at 1 and
  /// have no gaps in a sound file.
  llvm::Expected<int64_t> lastRecord();

  /// The verified record with status Ok and the smallest median time; the
  /// oldest one of equals. Records of head-to-head comparisons take precedence,
  /// because the smallest median of other records may be luck. A schedule with
  /// even one wrong result under the same identity is never returned:
  /// verification may have missed a race in its other runs.
  llvm::Expected<std::optional<Record>> best(const RecordQuery &query);

  /// Visits the records in the order in which they were stored. An error of the
  /// callback ends the walk and is returned. Unsound rows are skipped and added
  /// to `bad`, if it is given.
  llvm::Error forEach(const RecordQuery &query,
                      llvm::function_ref<llvm::Error(Record)> callback,
                      std::vector<BadRow> *bad = nullptr);
  llvm::Expected<std::vector<Record>> all(const RecordQuery &query);

  /// The number of records for each status; statuses without records are left
  /// out.
  llvm::Expected<std::map<MeasureStatus, uint64_t>>
  countByStatus(const RecordQuery &query);

  /// The tasks in the order in which they were first stored.
  llvm::Expected<std::vector<StoredTask>> tasks();
  llvm::Expected<std::optional<StoredTask>> task(llvm::StringRef key);

  /// The settings of the records with this task, target and machine (give all
  /// three, or none for every setting of the file), each with a sound example.
  /// A setting without a sound record is left out, and its rows are added to
  /// `bad`. Reads little more than the examples. With `counted`, also counts
  /// records according to the index.
  llvm::Expected<std::vector<Setting>>
  settings(const RecordQuery &query, bool counted, std::vector<BadRow> &bad);

  /// The records of these settings, all with one `place`, on which a choice
  /// depends (Choice.h), as far as `accept` returns true. For each setting
  /// these are: the latest head-to-head comparisons of both kinds; the fastest
  /// records of the eight fastest schedules without a wrong result; the fastest
  /// default and the defaults of the runs of the others; one record of each
  /// status of every schedule among them. With `unmeasured`, also all records
  /// that were not measured. The time depends on the number of these records,
  /// not on the size of the database.
  llvm::Expected<Selection>
  select(llvm::ArrayRef<Setting> settings, bool unmeasured,
         llvm::function_ref<bool(const Record &)> accept);

  /// One entry per task, target and machine with records, in the order of
  /// tasks(). A task without records has an entry with an empty target. For a
  /// file with more than kReadAsWhole records the counts come from the index;
  /// the best record is always read and checked.
  llvm::Expected<std::vector<TaskSummary>> summarize();

  /// Every unsound row, the damage that SQLite finds, and gaps in the numbers
  /// of records. Reads the whole file.
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
  int64_t schemaCookie = -1; ///< Of the last checked schema.
  /// Number and hash of the last stored record.
  int64_t storedId = 0;
  std::string storedHash;
  std::vector<std::string> others;
  bool keepStored = false;
  std::string kept;                ///< Stored data as lines of an export.
  std::set<std::string> keptTasks; ///< The keys of the tasks among them.
  bool keptAll = true;             ///< False after that exceeded its limit.
  std::string rescuedTo;           ///< The file that replaces the lost one.
};

} // namespace pruner

#endif // PRUNER_RECORD_DATABASE_H
