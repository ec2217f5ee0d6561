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
};

/// Counts of what a batch added.
struct AppendCounts {
  size_t added = 0;
  size_t duplicates = 0; ///< Measurements that were there already.
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
/// * A batch is one transaction, synced to disk when append() returns: neither
///   kill -9 nor a power cut takes it back, and none is ever seen in part.
///
/// Every error names the file and says what to do. One object per thread, and
/// not across fork().
class Database {
public:
  static constexpr int64_t kSchemaVersion = 4;

  /// Opens a database. A file of a later version is refused with both numbers,
  /// a file that is none is left alone. One of an earlier version is brought up
  /// to ours in one transaction, without loss; with ReadOnly in a copy in
  /// memory. ReadOnly works in directories that cannot be written.
  static llvm::Expected<Database> open(llvm::StringRef path, OpenMode mode,
                                       const DatabaseOptions &options = {});
  Database(Database &&);
  Database &operator=(Database &&);
  ~Database();

  llvm::StringRef path() const;

  /// Stores a batch, or nothing if there is an error; a record that cannot be
  /// normalised is one. A task known already stays as it is, unless it came
  /// without its text so far.
  llvm::Expected<AppendCounts> append(const RecordBatch &batch);

  /// The record with the smallest median time among those with status Ok that
  /// were verified; of equals the oldest. Records of finals come before others,
  /// whose smallest median may be luck. What was found to give a wrong result
  /// even once, under the same identity, is never returned: it may be a race
  /// that verification missed.
  llvm::Expected<std::optional<Record>> best(const RecordQuery &query);

  /// The records in the order in which they were stored. An error of the
  /// callback ends the walk and is returned.
  llvm::Error forEach(const RecordQuery &query,
                      llvm::function_ref<llvm::Error(Record)> callback);
  llvm::Expected<std::vector<Record>> all(const RecordQuery &query);

  /// How many records ended how; statuses without records are left out.
  llvm::Expected<std::map<MeasureStatus, uint64_t>>
  countByStatus(const RecordQuery &query);

  /// The tasks in the order in which they became known.
  llvm::Expected<std::vector<StoredTask>> tasks();
  llvm::Expected<std::optional<StoredTask>> task(llvm::StringRef key);

  /// One entry per task, target and machine with records, in the order of
  /// tasks(); a task without records has one with empty target.
  llvm::Expected<std::vector<TaskSummary>> summarize();

  /// Every row that is not sound, the damage that SQLite finds, and numbers of
  /// records that are missing. Reads the whole file.
  llvm::Expected<std::vector<BadRow>> check();

private:
  explicit Database(std::unique_ptr<Connection> connection);
  std::unique_ptr<Connection> connection;
};

} // namespace pruner

#endif // PRUNER_RECORD_DATABASE_H
