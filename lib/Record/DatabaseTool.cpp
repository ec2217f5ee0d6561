//===- DatabaseTool.cpp - the pruner db command ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Record/DatabaseTool.h"
#include "Repair.h"
#include "pruner/Record/Exchange.h"
#include "pruner/Support/NearestName.h"
#include "pruner/Support/OutputFile.h"
#include "pruner/Support/StandardStreams.h"
#include "pruner/Support/Table.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

#include <ctime>

using namespace llvm;
using namespace pruner;

static constexpr const char *kHelp =
    R"(pruner db: inspect tuning databases and move their records

usage:
  pruner db export DB [-o FILE]  write tasks and records as lines of JSON, with
                                 the names of the T4 auto-tuning results schema;
                                 to stdout by default
  pruner db import DB FILE...    add the records of exported files ('-' is
                                 stdin), creating DB if it is missing
  pruner db merge DB OTHER...    add the records of other databases
  pruner db list DB              list the tasks with their best times and
                                 failures
  pruner db show DB              list the records, one per line
  pruner db check DB             list every damaged row, every implausible
                                 record, and every foreign table
  pruner db repair DB [-o NEW]   write the sound rows of DB to a new database
                                 NEW, without foreign objects; replace
                                 impossible time stamps (of a wrong clock) by
                                 the current time; without -o only report what
                                 would be done

Importing or merging the same records again adds nothing. Lines and rows that
are damaged or implausible (a key that does not match the task, an illegal
schedule, a time that no machine can reach) are listed and left out, and the
exit code is 1.
)";

static int failWith(Error error) {
  logAllUnhandledErrors(std::move(error), errs(), "pruner db: error: ");
  return 1;
}

static int wrongUsage(const Twine &what) {
  return failUsage("pruner db", what);
}

static Error finishStdout() {
  if (Error error = flushOutput(outs()))
    return createStringError("'stdout': " + toString(std::move(error)));
  return Error::success();
}

/// Lists the unsound rows. Returns true if there are none.
static bool reportRows(Database &database) {
  Expected<std::vector<BadRow>> bad = database.check();
  if (!bad) {
    failWith(bad.takeError());
    return false;
  }
  for (const BadRow &row : *bad) {
    errs() << database.path() << ": ";
    if (!row.table.empty())
      errs() << row.table << " row " << row.row << ": ";
    errs() << row.problem << '\n';
  }
  if (!bad->empty())
    errs() << database.path() << ": " << bad->size()
           << " bad rows were skipped\n";
  return bad->empty();
}

/// Removes "-o FILE" from the arguments; returns false if the name is missing.
static bool takeOutput(ArrayRef<StringRef> arguments, std::string &output,
                       std::vector<StringRef> &names) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] != "-o")
      names.push_back(arguments[i]);
    else if (++i < arguments.size())
      output = arguments[i].str();
    else
      return false;
  }
  return true;
}

static int runExport(ArrayRef<StringRef> arguments) {
  std::string output = "-";
  std::vector<StringRef> names;
  if (!takeOutput(arguments, output, names))
    return wrongUsage("expected a file name after -o");
  if (names.size() != 1)
    return wrongUsage("'export' expects one database");
  Expected<Database> database = Database::open(names[0], OpenMode::ReadOnly);
  if (!database)
    return failWith(database.takeError());
  if (isSameFile(output, names[0]))
    return wrongUsage("the output '" + output + "' is the database");
  int result = reportRows(*database) ? 0 : 1;
  Error error = writeOutputFile(
      output, [&](raw_ostream &os) { return exportJsonLines(*database, os); });
  return error ? failWith(createStringError(
                     "'" + (output == "-" ? "stdout" : output) +
                     "': " + toString(std::move(error))))
               : result;
}

/// Returns true if nothing was left out.
static bool printReport(StringRef name, const ImportReport &report) {
  for (const BadLine &bad : report.bad)
    errs() << name << ':' << bad.line << ": " << bad.reason << '\n';
  errs() << name << ": " << report.added << " records added, "
         << report.duplicates << " known already, " << report.tasks
         << " tasks, " << report.bad.size() << " bad lines\n";
  return report.bad.empty();
}

static int runImport(ArrayRef<StringRef> names, Judge &judge) {
  if (names.size() < 2 || names[0].empty())
    return wrongUsage("'import' expects a database and files");
  Expected<Database> database = Database::open(names[0], OpenMode::Create);
  if (!database)
    return failWith(database.takeError());
  int result = 0;
  for (StringRef name : names.drop_front()) {
    Expected<ImportReport> report = importJsonLines(*database, name, &judge);
    if (!report)
      result = failWith(report.takeError());
    else if (!printReport(name, *report))
      result = 1;
  }
  return result;
}

static int runMerge(ArrayRef<StringRef> names, Judge &judge) {
  if (names.size() < 2 || names[0].empty())
    return wrongUsage(
        "'merge' expects a database and the databases to add to it");
  // All of them first: a wrong name should not leave half a merge.
  std::vector<Database> others;
  for (StringRef name : names.drop_front()) {
    Expected<Database> other = Database::open(name, OpenMode::ReadOnly);
    if (!other)
      return failWith(other.takeError());
    others.push_back(std::move(*other));
  }
  Expected<Database> database = Database::open(names[0], OpenMode::Create);
  if (!database)
    return failWith(database.takeError());
  int result = 0;
  for (Database &other : others) {
    if (!reportRows(other))
      result = 1;
    Expected<ImportReport> report = mergeDatabase(*database, other, &judge);
    if (!report)
      return failWith(report.takeError());
    if (!printReport(other.path(), *report))
      result = 1;
  }
  return result;
}

/// For example "2 build-error, 1 wrong-result".
static std::string describeFailures(const TaskSummary &summary) {
  std::string text;
  for (auto [status, count] : summary.counts) {
    if (status == MeasureStatus::Ok || status == MeasureStatus::Unmeasured)
      continue;
    text += text.empty() ? "" : ", ";
    text += std::to_string(count) + " " + stringifyMeasureStatus(status).str();
  }
  return text;
}

/// For example "1.04", and other facts about the quality of the times.
static std::string describeSpread(const Record &record) {
  std::vector<std::string> words;
  if (std::optional<double> spread = timeSpread(record))
    words.push_back(formatv("{0:f2}", *spread).str());
  if (record.noisy.value_or(false))
    words.push_back("noisy");
  if (record.censored.value_or(false))
    words.push_back("censored");
  return words.empty() ? "-" : join(words, " ");
}

/// For example "0.12", the largest error as a fraction of its bound, and
/// whether the bit-for-bit comparison passed.
static std::string describeMargin(const Record &record) {
  std::vector<std::string> words;
  if (record.errorOverBound) {
    char text[32];
    snprintf(text, sizeof(text), "%.2g", *record.errorOverBound);
    words.push_back(text);
  }
  if (record.exact.value_or(false))
    words.push_back("exact");
  return words.empty() ? "-" : join(words, " ");
}

/// The method that verified the results; without a device, for example
/// "emulated 12%": the share of the blocks that ran in the PTX machine.
static std::string describeVerification(const Record &record) {
  if (record.verified)
    return record.verification.empty() ? "yes" : record.verification;
  auto facts = parseJsonObject(record.facts);
  if (!facts) {
    consumeError(facts.takeError());
    return "-";
  }
  std::optional<double> share = facts->getNumber("emulated");
  return share ? formatv("emulated {0:P0}", *share).str() : "-";
}

static int runList(ArrayRef<StringRef> names) {
  if (names.size() != 1)
    return wrongUsage("'list' expects one database");
  Expected<Database> database = Database::open(names[0], OpenMode::ReadOnly);
  if (!database)
    return failWith(database.takeError());
  Expected<int64_t> last = database->lastRecord();
  if (!last)
    return failWith(last.takeError());
  // For unsound rows only their number is shown.
  int result = 0;
  if (*last > Database::kReadAsWhole)
    errs() << names[0] << ": " << *last
           << " records, counted by the index; 'pruner db check' reads all of "
              "them\n";
  else if (!reportRows(*database))
    result = 1;
  auto summaries = database->summarize();
  if (!summaries)
    return failWith(summaries.takeError());
  Table table({{"task"},
               {"key"},
               {"target"},
               {"best", Table::Align::Right},
               {"spread", Table::Align::Right},
               {"error/bound", Table::Align::Right},
               {"records", Table::Align::Right},
               {"ok", Table::Align::Right},
               {"failures"},
               {"machine"}});
  for (const TaskSummary &summary : *summaries) {
    uint64_t records = 0;
    for (auto [status, count] : summary.counts)
      records += count;
    auto ok = summary.counts.find(MeasureStatus::Ok);
    const StoredTask &task = summary.task;
    table.addRow(
        {task.name.empty() ? "?" : task.name, task.key.substr(0, 12),
         summary.target,
         summary.best ? formatSeconds(*medianTime(*summary.best)) : "-",
         summary.best ? describeSpread(*summary.best) : "-",
         summary.best ? describeMargin(*summary.best) : "-",
         std::to_string(records),
         std::to_string(ok == summary.counts.end() ? 0 : ok->second),
         describeFailures(summary), summary.machineKey});
  }
  table.print(outs());
  if (Error error = finishStdout())
    return failWith(std::move(error));
  return result;
}

/// The start of a hash, long enough to distinguish some thousands.
static std::string shortHash(StringRef hash) {
  return hash.empty() ? "-" : hash.take_front(12).str();
}

static int runShow(ArrayRef<StringRef> names) {
  if (names.size() != 1)
    return wrongUsage("'show' expects one database");
  Expected<Database> database = Database::open(names[0], OpenMode::ReadOnly);
  if (!database)
    return failWith(database.takeError());
  int result = reportRows(*database) ? 0 : 1;
  Table table({{"task"},
               {"target"},
               {"trial", Table::Align::Right},
               {"strategy"},
               {"status"},
               {"time", Table::Align::Right},
               {"spread", Table::Align::Right},
               {"verified by"},
               {"error/bound", Table::Align::Right},
               {"generator"},
               {"caches"},
               {"timestamp"},
               {"schedule"}});
  Error error = database->forEach({}, [&](const Record &record) {
    std::optional<double> time = medianTime(record);
    table.addRow({shortHash(record.taskKey), record.target,
                  std::to_string(record.trial), record.strategy,
                  stringifyMeasureStatus(record.status).str(),
                  time ? formatSeconds(*time) : "-", describeSpread(record),
                  describeVerification(record), describeMargin(record),
                  shortHash(record.generator),
                  record.cacheState.empty() ? "warm" : record.cacheState,
                  record.timestamp, record.schedule});
    return Error::success();
  });
  table.print(outs());
  error = joinErrors(std::move(error), finishStdout());
  return error ? failWith(std::move(error)) : result;
}

static int runCheck(ArrayRef<StringRef> names, Judge &judge) {
  if (names.size() != 1)
    return wrongUsage("'check' expects one database");
  Expected<Database> database = Database::open(names[0], OpenMode::ReadOnly);
  if (!database)
    return failWith(database.takeError());
  int result = reportRows(*database) ? 0 : 1;
  auto problems = judgeDatabase(*database, judge);
  if (!problems)
    return failWith(problems.takeError());
  for (const std::string &problem : *problems)
    errs() << names[0] << ": " << problem << '\n';
  if (!problems->empty())
    errs() << names[0] << ": " << problems->size()
           << " tasks and records are implausible and are never applied\n";
  return problems->empty() ? result : 1;
}

/// Prints the first problems, and the number of the others.
static void printFirst(StringRef name, ArrayRef<std::string> problems) {
  constexpr size_t kMost = 20;
  for (const std::string &problem : problems.take_front(kMost))
    errs() << name << ": " << problem << '\n';
  if (problems.size() > kMost)
    errs() << name << ": and " << problems.size() - kMost << " more\n";
}

static int runRepair(ArrayRef<StringRef> arguments) {
  std::string output;
  std::vector<StringRef> names;
  if (!takeOutput(arguments, output, names))
    return wrongUsage("expected a file name after -o");
  if (names.size() != 1)
    return wrongUsage("'repair' expects one database");
  DatabaseOptions options;
  options.salvage = true;
  auto damaged = Database::open(names[0], OpenMode::ReadOnly, options);
  if (!damaged)
    return failWith(damaged.takeError());
  printFirst(names[0], damaged->otherObjects());
  bool sound = reportRows(*damaged) && damaged->otherObjects().empty();
  std::optional<Database> repaired;
  if (!output.empty()) {
    if (sys::fs::exists(output))
      return failWith(createStringError(
          "'" + output + "': the file already exists; choose another name"));
    auto created = Database::open(output, OpenMode::Create);
    if (!created)
      return failWith(created.takeError());
    repaired = std::move(*created);
  }
  auto report = repairDatabase(*damaged, repaired ? &*repaired : nullptr,
                               std::time(nullptr));
  if (!report)
    return failWith(report.takeError());
  printFirst(names[0], report->stamps);
  errs() << names[0] << ": " << report->tasks << " tasks and "
         << report->records << " records are sound, " << report->stamps.size()
         << " of them have an impossible time stamp"
         << (repaired ? "; all are in '" + output +
                            "', with the current time in place of impossible "
                            "time stamps"
                      : std::string())
         << '\n';
  return repaired || (sound && report->stamps.empty()) ? 0 : 1;
}

int pruner::prunerDbMain(int argc, char **argv, Judge &judge) {
  prepareProgram();
  std::vector<StringRef> arguments(argv + std::min(argc, 1), argv + argc);
  if (arguments.empty())
    return wrongUsage("expected a command");
  if (is_contained(arguments, "--help") || is_contained(arguments, "-h")) {
    outs() << kHelp;
    return 0;
  }
  StringRef command = arguments.front();
  ArrayRef<StringRef> rest = ArrayRef(arguments).drop_front();
  for (StringRef argument : rest)
    if (argument.starts_with("-") && argument != "-" && argument != "-o")
      return wrongUsage("unknown option '" + argument + "'");
  if (command == "export")
    return runExport(rest);
  if (command == "import")
    return runImport(rest, judge);
  if (command == "list")
    return runList(rest);
  if (command == "merge")
    return runMerge(rest, judge);
  if (command == "repair")
    return runRepair(rest);
  if (command == "show")
    return runShow(rest);
  if (command == "check")
    return runCheck(rest, judge);
  return wrongUsage("unknown command '" + command + "'" +
                    didYouMean(command, {"export", "import", "list", "merge",
                                         "repair", "show", "check"}));
}
