//===- ConcurrencyTest.cpp - concurrent and killed writers ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Common.h"

#include "pruner/Support/Random.h"

#include <csignal>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace llvm;
using namespace pruner;
using namespace pruner::test;

/// The state from which a run continues, stored as the text of the task of each
/// batch: the number of records, and the generator after them.
static std::string stateOf(Database &database) {
  std::string state = "0\n";
  for (const StoredTask &task : get(database.tasks()))
    if (StringRef(task.name).starts_with("batch "))
      state = task.text;
  return state;
}

/// A small tuning run: resumes from its stored state, appends batches of one to
/// three records together with the new state, and writes the number of stored
/// trials to `acknowledge`. Never returns.
[[noreturn]] static void runWriter(StringRef path, int acknowledge) {
  Database database = openDatabase(path);
  Random random(5);
  int64_t trial = 0;
  std::string state = stateOf(database);
  auto [count, generator] = StringRef(state).split('\n');
  if (count.getAsInteger(10, trial) ||
      (trial > 0 && bool(random.restore(generator))))
    _exit(2);
  while (true) {
    std::vector<Record> records;
    for (uint64_t n = random.uniform(3) + 1; n; --n)
      records.push_back(makeRecord(trial++, 1 + random.uniformReal()));
    StoredTask task = makeTask("batch " + std::to_string(trial));
    task.text = std::to_string(trial) + "\n" + random.save();
    RecordBatch batch;
    batch.tasks = task;
    batch.records = records;
    if (get(database.append(batch)).duplicates)
      _exit(3);
    if (write(acknowledge, &trial, sizeof(trial)) != sizeof(trial))
      _exit(4);
  }
}

/// The records of an undisturbed run.
static std::vector<double> undisturbedTimes(size_t count) {
  Random random(5);
  std::vector<double> times;
  while (times.size() < count)
    for (uint64_t n = random.uniform(3) + 1; n; --n)
      times.push_back(1 + random.uniformReal());
  times.resize(count);
  return times;
}

TEST(Kill, NothingAcknowledgedIsLost) {
  TempDirectory directory;
  std::string path = directory.file("t.db");
  {
    Database database = openDatabase(path);
  }
  Random random(17);
  int64_t acknowledged = 0;
  for (int round = 0; round < 50; ++round) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    pid_t writer = fork();
    if (writer == 0) {
      close(ends[0]);
      runWriter(path, ends[1]);
    }
    close(ends[1]);
    // Every other writer is killed some time after its first batch, however
    // slow the machine is; the others may be killed while they start.
    int64_t trial;
    if (round % 2 == 0 && read(ends[0], &trial, sizeof(trial)) == sizeof(trial))
      acknowledged = trial;
    std::this_thread::sleep_for(
        std::chrono::microseconds(random.uniform(60000)));
    kill(writer, SIGKILL);
    int status = 0;
    waitpid(writer, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "exit code " << WEXITSTATUS(status);
    while (read(ends[0], &trial, sizeof(trial)) == sizeof(trial))
      acknowledged = trial;
    close(ends[0]);

    Database database = openDatabase(path, OpenMode::ReadWrite);
    std::vector<Record> records = get(database.all({}));
    ASSERT_GE(int64_t(records.size()), acknowledged);
    for (size_t i = 0; i < records.size(); ++i)
      ASSERT_EQ(records[i].trial, int64_t(i));
    // The state is that of the last batch, not of an earlier or later one.
    ASSERT_EQ(StringRef(stateOf(database)).split('\n').first.str(),
              std::to_string(records.size()));
  }
  EXPECT_GE(acknowledged, 25);
  // The 50 kills did not change the recorded times.
  Database database = openDatabase(path, OpenMode::ReadOnly);
  std::vector<double> times;
  for (const Record &record : get(database.all({})))
    times.push_back(record.times[2]);
  EXPECT_EQ(times, undisturbedTimes(times.size()));
}

TEST(Concurrency, FourProcessesAtOnce) {
  TempDirectory directory;
  std::string path = directory.file("t.db"); // Created by the first process.
  constexpr int kWriters = 4, kRecords = 500;
  std::vector<pid_t> writers;
  for (int w = 0; w < kWriters; ++w) {
    pid_t pid = fork();
    if (pid == 0) {
      Database database = openDatabase(path);
      for (int i = 0; i < kRecords; i += 10) {
        std::vector<Record> records;
        for (int k = i; k < i + 10; ++k) {
          records.push_back(makeRecord(k, 1 + w + k));
          records.back().runId = "run " + std::to_string(w);
        }
        if (append(database, records).added != 10)
          _exit(1);
      }
      _exit(0);
    }
    writers.push_back(pid);
  }
  // A concurrent reader sees whole batches, in order.
  size_t seen = 0;
  for (int i = 0; i < 20; ++i) {
    Expected<Database> database = Database::open(path, OpenMode::ReadWrite);
    if (database) {
      size_t count = get(database->all({})).size();
      EXPECT_EQ(count % 10, 0u);
      EXPECT_GE(count, seen);
      seen = count;
    } else {
      consumeError(database.takeError()); // Not created yet.
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  for (pid_t pid : writers) {
    int status = 0;
    waitpid(pid, &status, 0);
    EXPECT_EQ(status, 0);
  }
  Database database = openDatabase(path, OpenMode::ReadOnly);
  std::map<std::string, int64_t> next;
  for (const Record &record : get(database.all({}))) {
    EXPECT_EQ(record.trial, next[record.runId]++);
    EXPECT_EQ(record.schedule, makeRecord(record.trial, 1).schedule);
  }
  EXPECT_EQ(next.size(), size_t(kWriters));
  for (const auto &[run, count] : next)
    EXPECT_EQ(count, kRecords) << run;
}
