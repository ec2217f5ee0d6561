//===- Corruptions.cpp - damaged databases and exported files -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   PrunerRecordCorruptions [--count=N] [--seed=N] [--first=N]
//
// Damages databases and exported files at random and reads them. Each case is
// one damage, and ends in one of these ways:
//
//   rejected   the file as a whole is rejected, with an error that names it
//   named      altered rows or lines are left out and reported
//   unchanged  everything that is read is unchanged: the damage is in free
//              space, in a copy, or has no effect
//
// A case fails if data that was never written are read (accepted), if data are
// missing and nothing is reported (lost), or if the process dies. Prints the
// totals by kind of damage; the exit code is 0 if no case failed. Case n
// depends only on n and the seed.

#include "Common.h"

#include "pruner/Record/Exchange.h"
#include "pruner/Support/Random.h"

#include "llvm/ADT/StringExtras.h"

#include <map>
#include <set>
#include <unistd.h>

using namespace llvm;
using namespace pruner;
using namespace pruner::test;

namespace {

enum class Ending { Refused, Named, Unchanged, Failed };

/// The contents of a database, each entry as a line.
struct Content {
  std::multiset<std::string> lines;
  std::string problem; ///< Why it cannot be read.
  /// Records that may replace the best of a query if rows are bad.
  std::set<std::string> nextBest;
  size_t named = 0; ///< The number of reported problems.
};

/// The lines of the export of a good database, and the bytes of the file.
struct Original {
  std::string path, bytes;
  std::vector<std::string> lines; ///< Of the export.
  std::multiset<std::string> content;
};

} // namespace

static constexpr int kRecords = 24;

static std::string lineOf(const StoredTask &task) {
  return toJsonLine(seal(toJson(task)));
}
static std::string lineOf(const Record &record) {
  return toJsonLine(seal(toJson(record)));
}

/// With `detailed`, some records have fields of the current version.
static std::vector<Record> someRecords(Random &random, bool detailed) {
  std::vector<Record> records;
  for (int i = 0; i < kRecords; ++i) {
    Record record = makeRecord(i, 1e-4 + random.uniformReal());
    if (detailed && i % 4)
      record = makeDetailed(i, 1e-4 + random.uniformReal());
    record.generator = key("generator");
    record.verification = "a method";
    if (i % 3 == 1)
      record.taskKey = key("conv");
    if (i % 5 == 2)
      record = makeFailure(i, MeasureStatus::RunCrash, "SIG\nSEGV");
    if (i % 7 == 3) {
      record.status = MeasureStatus::WrongResult;
      record.verified = false;
      record.exact.reset();
      record.errorOverBound.reset();
    }
    if (i % 11 == 4)
      record.runId = "";
    if (record.status != MeasureStatus::Ok && i % 7 != 3)
      record.times.clear();
    records.push_back(std::move(record));
  }
  return records;
}

static Original makeOriginal(const std::string &path, bool detailed) {
  Original original;
  original.path = path;
  Random random(7);
  {
    Database database = openDatabase(path);
    StoredTask tasks[] = {makeTask("matmul"), makeTask("conv")};
    std::vector<Record> records = someRecords(random, detailed);
    RecordBatch batch;
    batch.tasks = tasks;
    batch.records = records;
    get(database.append(batch));
    // Everything in one file, as after a clean shutdown.
    for (const StoredTask &task : get(database.tasks()))
      original.lines.push_back(lineOf(task));
    for (const Record &record : get(database.all({})))
      original.lines.push_back(lineOf(record));
  }
  original.bytes = readFile(path);
  original.content.insert(original.lines.begin(), original.lines.end());
  return original;
}

/// Adds the results of a query under `name`. (Not sealed, because that would
/// take most of the time of a case.)
static void readQuery(Database &database, const RecordQuery &query,
                      const std::string &name, Content &content) {
  std::string prefix = "best " + name + ": ";
  auto take = [&](const Record &record) {
    std::string line = toJsonLine(toJson(record));
    if (record.status == MeasureStatus::Ok && record.verified)
      content.nextBest.insert(prefix + line);
    content.lines.insert("of " + name + ": " + std::move(line));
    return Error::success();
  };
  if (Error error = database.forEach(query, take))
    content.problem = toString(std::move(error));
  auto best = database.best(query);
  if (!best)
    content.problem = toString(best.takeError());
  else if (*best)
    content.lines.insert(prefix + toJsonLine(toJson(**best)));
}

static Content readDatabase(const std::string &path) {
  Content content;
  auto database = Database::open(path, OpenMode::ReadOnly);
  if (!database) {
    content.problem = toString(database.takeError());
    return content;
  }
  auto bad = database->check();
  if (!bad) {
    content.problem = toString(bad.takeError());
    return content;
  }
  content.named = bad->size();
  auto tasks = database->tasks();
  if (!tasks) {
    content.problem = toString(tasks.takeError());
    return content;
  }
  for (const StoredTask &task : *tasks)
    content.lines.insert(lineOf(task));
  auto take = [&](const Record &record) {
    content.lines.insert(lineOf(record));
    return Error::success();
  };
  if (Error error = database->forEach({}, take)) {
    content.problem = toString(std::move(error));
    return content;
  }
  // Queries that use indices must give the same results.
  for (StringRef name : {"matmul", "conv"}) {
    RecordQuery query;
    query.taskKey = key(name);
    readQuery(*database, query, name.str(), content);
    if (auto task = database->task(query.taskKey); !task)
      content.problem = toString(task.takeError());
    else if (*task)
      content.lines.insert(("task " + name + ": ").str() + lineOf(**task));
  }
  for (std::string run : {"run", "other"}) {
    RecordQuery query;
    query.runId = run;
    readQuery(*database, query, run, content);
  }
  return content;
}

/// Classifies what was read of a damaged file.
static Ending judge(const Content &content, const Content &sound,
                    std::string &why) {
  for (const std::string &line : content.lines)
    if (!sound.lines.count(line) && !sound.nextBest.count(line)) {
      why = "accepted: " + line;
      return Ending::Failed;
    }
  if (!content.problem.empty())
    return Ending::Refused;
  if (content.named)
    return Ending::Named;
  if (content.lines == sound.lines)
    return Ending::Unchanged;
  why = "lost without a word: " + std::to_string(sound.lines.size()) +
        " lines became " + std::to_string(content.lines.size());
  return Ending::Failed;
}

//===----------------------------------------------------------------------===//
// Databases
//===----------------------------------------------------------------------===//

static void flipBits(std::string &bytes, Random &random) {
  for (uint64_t n = 1 + random.uniform(8); n; --n)
    bytes[random.uniform(bytes.size())] ^= 1 << random.uniform(8);
}

static const char *const kColumns[] = {
    "measurement", "identity",       "task_key",  "schedule",
    "target",      "machine_key",    "toolchain", "pipeline_options",
    "run_id",      "trial",          "strategy",  "seed",
    "round",       "status",         "reason",    "times",
    "median",      "verified",       "score",     "psa_latency",
    "run_seconds", "build_seconds",  "facts",     "timestamp",
    "host",        "pruner_version", "generator", "verification",
    "row_hash"};
static const char *const kNewColumns[] = {
    "runs_per_sample",  "repeats",     "censored", "noisy",  "exact",
    "error_over_bound", "cache_state", "place",    "setting"};

/// An SQL statement that alters one or two rows, for the current or an older
/// version.
static std::string alterRows(Random &random, bool swap, bool old) {
  std::string a = std::to_string(1 + random.uniform(kRecords));
  std::string b = std::to_string(1 + random.uniform(kRecords));
  std::string column = kColumns[random.uniform(std::size(kColumns))];
  if (!old && random.uniform(4) == 0)
    column = kNewColumns[random.uniform(std::size(kNewColumns))];
  if (swap && random.uniform(3) == 0) // Rows that change numbers.
    return "UPDATE OR IGNORE records SET id = 100000 WHERE id = " + a +
           "; UPDATE OR IGNORE records SET id = " + a + " WHERE id = " + b +
           "; UPDATE OR IGNORE records SET id = " + b + " WHERE id = 100000";
  if (swap) // A field of another row.
    return "UPDATE OR IGNORE records SET " + column + " = (SELECT " + column +
           " FROM records WHERE id = " + b + ") WHERE id = " + a;
  if (random.uniform(12) == 0)
    return "DELETE FROM records WHERE id = " + a + " AND id < " +
           std::to_string(kRecords);
  if (random.uniform(12) == 0)
    return "UPDATE tasks SET flops = flops * " +
           std::to_string(1 + random.uniform(3));
  const char *const values[] = {
      "1e-9",       "NULL",     "''",
      "'ok'",       "'[1e-9]'", "1",
      "0",          "'zzzz'",   "'#pruner.schedule<tiles = [7]>'",
      "x'00ff'",    "-1",       "9223372036854775807",
      "'{\"a\":1}'"};
  return "UPDATE OR IGNORE records SET " + column + " = " +
         values[random.uniform(std::size(values))] + " WHERE id = " + a;
}

static void damageDatabase(unsigned kind, const Original &original, bool old,
                           Random &random, const std::string &path) {
  std::string bytes = original.bytes;
  switch (kind) {
  case 0:
    flipBits(bytes, random);
    break;
  case 1:
    bytes.resize(random.uniform(bytes.size()));
    break;
  case 2: { // A page replaced by another one.
    size_t pages = bytes.size() / 4096;
    bytes.replace(4096 * random.uniform(pages), 4096, original.bytes,
                  4096 * random.uniform(pages), 4096);
    break;
  }
  default:
    break;
  }
  for (const char *suffix : {"-wal", "-shm", "-journal"})
    sys::fs::remove(path + suffix);
  writeFile(path, bytes);
  if (kind >= 3)
    runSql(path,
           "PRAGMA synchronous = OFF;" + alterRows(random, kind == 4, old));
}

//===----------------------------------------------------------------------===//
// Exchange files
//===----------------------------------------------------------------------===//

static std::string damageLine(std::string line, unsigned kind,
                              const Original &original, Random &random) {
  switch (kind) {
  case 0:
    flipBits(line, random);
    break;
  case 1:
    line.resize(random.uniform(line.size()));
    break;
  case 2: {
    const std::string &other =
        original.lines[random.uniform(original.lines.size())];
    line.resize(random.uniform(line.size()));
    line += other.substr(random.uniform(other.size()));
    break;
  }
  case 3: { // Another digit, anywhere.
    for (int n = 0; n < 50; ++n) {
      char &c = line[random.uniform(line.size())];
      if (isDigit(c)) {
        c = '0' + (c - '0' + 1 + random.uniform(9)) % 10;
        break;
      }
    }
    break;
  }
  }
  return line;
}

/// Writes a damaged export and returns the unchanged lines. These must be kept,
/// and all others that are read must be from the original. (Missing whole lines
/// are not detected, because a part of an export is valid.)
static Content damageExport(unsigned kind, const Original &original,
                            Random &random, const std::string &path) {
  std::vector<std::string> lines = original.lines;
  size_t n = random.uniform(lines.size());
  if (kind < 4)
    lines[n] = damageLine(lines[n], kind, original, random);
  else if (kind == 4)
    lines.insert(lines.begin() + random.uniform(lines.size()), lines[n]);
  else
    std::swap(lines[n], lines[random.uniform(lines.size())]);
  std::string text;
  for (const std::string &line : lines)
    text += line + "\n";
  if (kind == 1 && random.uniform(2))
    text.resize(text.size() - 1 - random.uniform(200));
  writeFile(path, text);
  Content intact;
  SmallVector<StringRef> left;
  StringRef(text).split(left, '\n');
  left.pop_back(); // Torn, or empty.
  std::set<std::string> seen;
  for (StringRef line : left)
    if (original.content.count(line.str()) && seen.insert(line.str()).second)
      intact.lines.insert(line.str());
  return intact;
}

/// Classifies what was imported.
static Ending judgeImport(const Content &content, const Content &intact,
                          const Original &original, std::string &why) {
  for (const std::string &line : content.lines)
    if (!original.content.count(line)) {
      why = "accepted: " + line;
      return Ending::Failed;
    }
  if (!content.problem.empty())
    return Ending::Refused;
  for (const std::string &line : intact.lines)
    if (!content.lines.count(line)) {
      why = "lost: " + line;
      return Ending::Failed;
    }
  return content.named ? Ending::Named : Ending::Unchanged;
}

static Content importDamaged(const std::string &path) {
  Content content;
  Database fresh = openDatabase("");
  auto report = importJsonLines(fresh, path);
  if (!report) {
    content.problem = toString(report.takeError());
    return content;
  }
  content.named = report->bad.size();
  for (const StoredTask &task : get(fresh.tasks()))
    if (!task.text.empty()) // Known only by the key of its records.
      content.lines.insert(lineOf(task));
  for (const Record &record : get(fresh.all({})))
    content.lines.insert(lineOf(record));
  return content;
}

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

static const char *const kKinds[] = {"database: flipped bits",
                                     "database: cut off",
                                     "database: moved pages",
                                     "database: altered values",
                                     "database: swapped rows and fields",
                                     "export: flipped bits",
                                     "export: cut off",
                                     "export: spliced lines",
                                     "export: changed digits",
                                     "export: doubled lines",
                                     "export: swapped lines",
                                     "version 2: flipped bits",
                                     "version 2: cut off",
                                     "version 2: moved pages",
                                     "version 2: altered values",
                                     "version 2: swapped rows and fields"};

int main(int argc, char **argv) {
  uint64_t count = 1000, seed = 1, first = 0;
  for (int i = 1; i < argc; ++i) {
    StringRef argument = argv[i];
    if (!(argument.consume_front("--count=") ? !argument.getAsInteger(10, count)
          : argument.consume_front("--seed=") ? !argument.getAsInteger(10, seed)
          : argument.consume_front("--first=")
              ? !argument.getAsInteger(10, first)
              : false)) {
      errs() << "usage: PrunerRecordCorruptions [--count=N] [--seed=N] "
                "[--first=N]\n";
      return 2;
    }
  }
  TempDirectory directory;
  Original original = makeOriginal(directory.file("original.db"), true);
  Original before = makeOriginal(directory.file("before.db"), false);
  Original old = before;
  old.path = directory.file("old.db");
  makeOldDatabase(old.path, before.path, PRUNER_TEST_SCRIPTS "version2.sql");
  old.bytes = readFile(old.path);
  std::string database = directory.file("damaged.db");
  std::string exported = directory.file("damaged.jsonl");
  Content sound = readDatabase(original.path);
  Content soundOld = readDatabase(old.path);
  if (soundOld.lines != readDatabase(before.path).lines) {
    errs() << "a database of version 2 is read as another\n";
    return 1;
  }

  std::map<std::string, std::map<Ending, uint64_t>> totals;
  uint64_t failed = 0;
  for (uint64_t n = first; n < first + count; ++n) {
    Random random(seed * 1000003 + n);
    unsigned kind = n % std::size(kKinds);
    std::string why;
    Ending ending;
    if (kind < 5) {
      damageDatabase(kind, original, /*old=*/false, random, database);
      ending = judge(readDatabase(database), sound, why);
    } else if (kind >= 11) {
      damageDatabase(kind - 11, old, /*old=*/true, random, database);
      ending = judge(readDatabase(database), soundOld, why);
    } else {
      Content intact = damageExport(kind - 5, original, random, exported);
      ending = judgeImport(importDamaged(exported), intact, original, why);
    }
    ++totals[kKinds[kind]][ending];
    if (ending == Ending::Failed) {
      ++failed;
      errs() << "case " << n << " (--seed=" << seed << " --first=" << n
             << " --count=1), " << kKinds[kind] << ": "
             << StringRef(why).take_front(2000) << "\n";
    }
  }
  outs() << "kind                                rejected   named  unchanged"
            "   failed\n";
  for (const char *kind : kKinds) {
    auto &row = totals[kind];
    char line[160];
    snprintf(line, sizeof(line), "%-34s %8llu %8llu %10llu %8llu\n", kind,
             (unsigned long long)row[Ending::Refused],
             (unsigned long long)row[Ending::Named],
             (unsigned long long)row[Ending::Unchanged],
             (unsigned long long)row[Ending::Failed]);
    outs() << line;
  }
  outs() << count << " cases, " << failed << " failed\n";
  return failed ? 1 : 0;
}
