//===- FuzzDatabase.cpp - damaged database files -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The input overwrites bytes of a valid database. It consists of pieces: three
// bytes with the offset, one with the number of bytes, and these bytes. A
// length of zero truncates the file at the offset. This alters SQLite's own
// pages in ways that the statements of fuzz-rows cannot express.

#include "pruner/Record/Database.h"
#include "pruner/Record/Exchange.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstdlib>

using namespace llvm;
using namespace pruner;

static void require(bool condition) {
  if (!condition)
    std::abort();
}

template <typename T> static std::optional<T> take(Expected<T> value) {
  if (value)
    return std::move(*value);
  consumeError(value.takeError());
  return std::nullopt;
}

namespace {
struct Sound {
  SmallString<128> directory;
  std::string path, bytes;

  Sound() {
    require(!sys::fs::createUniqueDirectory("fuzz-database", directory));
    path = (directory + "/t.db").str();
    {
      auto database = Database::open(path, OpenMode::Create);
      require(bool(database));
      StoredTask task;
      task.key = std::string(32, 'a');
      task.name = "matmul";
      task.text = "func.func @matmul() {\n  return\n}\n";
      std::vector<Record> records;
      for (int trial = 0; trial < 20; ++trial) {
        Record &record = records.emplace_back();
        record.taskKey = task.key;
        record.schedule =
            "#pruner.schedule<tiles = [" + std::to_string(trial) + "]>";
        record.runId = "run";
        record.trial = trial;
        record.target = record.machineKey = "cpu";
        record.status = MeasureStatus::BuildError;
        record.reason = "none";
      }
      RecordBatch batch;
      batch.tasks = task;
      batch.records = records;
      auto counts = database->append(batch);
      if (!counts)
        errs() << toString(counts.takeError()) << "\n", std::abort();
    }
    auto file = MemoryBuffer::getFile(path);
    require(bool(file));
    bytes = (*file)->getBuffer().str();
  }
  ~Sound() { sys::fs::remove_directories(directory); }
};
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const Sound sound;
  std::string bytes = sound.bytes;
  for (const uint8_t *at = data, *end = data + size; end - at >= 4;) {
    size_t offset = (at[0] | size_t(at[1]) << 8 | size_t(at[2]) << 16) %
                    std::max<size_t>(bytes.size(), 1);
    size_t count = at[3];
    at += 4;
    if (count == 0) {
      bytes.resize(offset);
      continue;
    }
    for (; count > 0 && at < end && offset < bytes.size(); --count)
      bytes[offset++] = char(*at++);
  }
  for (const char *other : {"-wal", "-shm", "-journal"})
    sys::fs::remove(sound.path + other);
  for (OpenMode mode : {OpenMode::ReadOnly, OpenMode::ReadWrite}) {
    {
      std::error_code code;
      raw_fd_ostream os(sound.path, code);
      require(!code);
      os << bytes;
    }
    auto database = Database::open(sound.path, mode);
    if (!database) {
      consumeError(database.takeError());
      continue;
    }
    // An accepted row is one of the rows that were written.
    if (auto records = take(database->all({})))
      for (const Record &record : *records)
        require(record.runId == "run" && record.trial >= 0 &&
                record.trial < 20 &&
                record.schedule == "#pruner.schedule<tiles = [" +
                                       std::to_string(record.trial) + "]>");
    if (auto tasks = take(database->tasks()))
      for (const StoredTask &task : *tasks)
        require(task.name == "matmul");
    take(database->best({}));
    take(database->summarize());
    take(database->check());
  }
  return 0;
}
