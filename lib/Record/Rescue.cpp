//===- Rescue.cpp - save databases that were removed or overwritten -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sqlite.h"
#include "pruner/Record/Database.h"
#include "pruner/Record/RecordJson.h"
#include "pruner/Support/JsonLines.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <sqlite3.h>

using namespace llvm;
using namespace pruner;

/// Creates a new file next to `path`, or in the directory for temporary files
/// if that directory cannot be written, and returns its name.
static Expected<std::string> makeFileBeside(StringRef path, StringRef suffix) {
  SmallString<128> aside;
  sys::path::system_temp_directory(/*ErasedOnReboot=*/false, aside);
  sys::path::append(aside, sys::path::filename(path));
  std::error_code code;
  for (StringRef stem : {path, StringRef(aside)}) {
    for (unsigned n = 1; n < 1000; ++n) {
      std::string name =
          (stem + ".saved" + (n > 1 ? "-" + Twine(n) : Twine()) + suffix).str();
      int file = -1;
      code = sys::fs::openFileForWrite(name, file, sys::fs::CD_CreateNew,
                                       sys::fs::OF_None, 0666);
      if (!code) {
        sys::Process::SafelyCloseFileDescriptor(file);
        return name;
      }
      if (code != std::errc::file_exists)
        break;
    }
  }
  return createStringError("cannot create a file next to it: " +
                           code.message());
}

/// Copies the contents of the connection to a file.
static Error copyTo(Connection &source, StringRef path) {
  auto copy = Connection::open(path, SQLITE_OPEN_READWRITE, /*immutable=*/false,
                               /*busySeconds=*/60);
  if (!copy)
    return copy.takeError();
  sqlite3_backup *backup =
      sqlite3_backup_init((*copy)->handle(), "main", source.handle(), "main");
  if (backup)
    sqlite3_backup_step(backup, -1);
  if (!backup || sqlite3_backup_finish(backup) != SQLITE_OK)
    return (*copy)->lastError("write it");
  return Error::success();
}

static bool isFile(Connection &connection) {
  const char *name = sqlite3_db_filename(connection.handle(), "main");
  return name && *name;
}

/// The file was removed, but its contents can be read as long as it is open.
Error Database::rescue(const RecordBatch *batch) {
  auto fail = [&](const Twine &what) {
    return createStringError("'" + path() +
                             "': the file was removed or replaced while it was "
                             "in use; " +
                             what);
  };
  auto lost = [&](Error error) {
    return fail("its contents could not be saved: " +
                toString(std::move(error)));
  };
  if (rescuedTo.empty()) {
    Expected<std::string> name = makeFileBeside(path(), "");
    if (!name)
      return lost(name.takeError());
    if (Error error = copyTo(*connection, *name))
      return lost(std::move(error));
    rescuedTo = std::move(*name);
  }
  if (batch) {
    Expected<Database> copy = open(rescuedTo, OpenMode::ReadWrite);
    if (!copy)
      return lost(copy.takeError());
    Expected<AppendCounts> counts = copy->append(*batch);
    if (!counts)
      return lost(counts.takeError());
  }
  return fail("its contents and all later measurements are in '" + rescuedTo +
              "'; move it back, or add its records to another database with "
              "'pruner db merge'");
}

void Database::keep(const RecordBatch &batch) {
  constexpr size_t kMost = size_t(64) << 20;
  keptAll &= kept.size() < kMost;
  if (!keepStored || !keptAll)
    return;
  for (const StoredTask &task : batch.tasks)
    if (keptTasks.insert(task.key).second)
      kept += toJsonLine(seal(toJson(task))) + "\n";
  for (Record record : batch.records)
    if (Error error = normalizeRecord(record))
      consumeError(std::move(error));
    else
      kept += toJsonLine(seal(toJson(record))) + "\n";
}

/// The file exists, but no longer contains what was stored.
Error Database::rescueKept(const RecordBatch *batch, StringRef what) {
  if (!keepStored)
    return createStringError(what);
  if (batch)
    keep(*batch);
  Expected<std::string> name = makeFileBeside(path(), ".jsonl");
  if (!name)
    return createStringError(what + "; the measurements could not be saved: " +
                             toString(name.takeError()));
  std::error_code code;
  raw_fd_ostream os(*name, code);
  os << kept;
  os.close();
  if (code || os.has_error()) {
    code = os.has_error() ? os.error() : code;
    os.clear_error();
    return createStringError(what + "; the measurements could not be saved: '" +
                             *name + "': " + code.message());
  }
  kept.clear();
  keptTasks.clear();
  return createStringError(what + "; " + (keptAll ? "all" : "some") +
                           " measurements since it was opened are in '" +
                           *name +
                           "'; add it to a sound database with 'pruner db "
                           "import'");
}

Error Database::checkPlace() {
  if (!isFile(*connection))
    return Error::success();
  if (connection->hasMoved())
    return rescue(nullptr);
  if (storedId == 0)
    return Error::success();
  // Read the contents of the file, not those that this connection caches.
  auto read = [&]() -> Expected<bool> {
    auto other = Connection::open(path(), SQLITE_OPEN_READONLY,
                                  /*immutable=*/false, /*busySeconds=*/60);
    if (!other)
      return other.takeError();
    auto row = Statement::prepare(**other,
                                  "SELECT row_hash FROM records WHERE id = ?");
    if (!row)
      return row.takeError();
    Expected<bool> found = row->bind(storedId).step();
    if (!found)
      return found.takeError();
    return *found && row->text(0) == storedHash;
  };
  Expected<bool> there = read();
  if (there && *there)
    return Error::success();
  std::string why = there ? "" : " (" + toString(there.takeError()) + ")";
  return rescueKept(nullptr, ("'" + path() +
                              "': the file was overwritten while it was in "
                              "use, and no longer contains the stored records" +
                              why)
                                 .str());
}
