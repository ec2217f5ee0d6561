//===- DatabaseTool.cpp - the pruner-db command ---------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Record/DatabaseTool.h"
#include "pruner/Record/Exchange.h"
#include "pruner/Support/Table.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace pruner;

static constexpr const char *kHelp =
    R"(pruner-db: look into tuning databases and move their records

usage:
  pruner-db export DB [-o FILE]  write tasks and records as lines of JSON, with
                                 the names of the T4 auto-tuning results schema;
                                 to stdout unless told otherwise
  pruner-db import DB FILE...    add the records of exported files ('-' is
                                 stdin), creating DB if it is missing; bad lines
                                 are reported and left out
  pruner-db list DB              the tasks with their best times and failures
  pruner-db merge DB OTHER...    add the records of other databases

Importing or merging the same records again adds nothing.
)";

static int failWith(Error error) {
  logAllUnhandledErrors(std::move(error), errs(), "pruner-db: error: ");
  return 1;
}

static int failUsage(const Twine &what) {
  errs() << "pruner-db: error: " << what << "; see 'pruner-db --help'\n";
  return 2;
}

/// Reports a stream that could not be written, which would abort otherwise.
static Error finish(raw_fd_ostream &os, StringRef name) {
  os.flush();
  std::error_code code = os.error();
  os.clear_error();
  if (!code)
    return Error::success();
  return createStringError("'" + name + "': cannot write: " + code.message());
}

static int runExport(ArrayRef<StringRef> arguments) {
  std::string output = "-";
  std::vector<StringRef> names;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] != "-o")
      names.push_back(arguments[i]);
    else if (++i < arguments.size())
      output = arguments[i].str();
    else
      return failUsage("-o needs a file name");
  }
  if (names.size() != 1)
    return failUsage("export takes one database");
  Expected<Database> database = Database::open(names[0], OpenMode::ReadOnly);
  if (!database)
    return failWith(database.takeError());
  if (output == "-") {
    Error error = exportJsonLines(*database, outs());
    error = joinErrors(std::move(error), finish(outs(), "stdout"));
    return error ? failWith(std::move(error)) : 0;
  }
  // By way of a temporary file, so that a failure leaves an old export alone.
  Error error = writeToOutput(
      output, [&](raw_ostream &os) { return exportJsonLines(*database, os); });
  return error ? failWith(createStringError("'" + output +
                                            "': " + toString(std::move(error))))
               : 0;
}

static void printReport(StringRef name, const ImportReport &report) {
  errs() << name << ": " << report.added << " records added, "
         << report.duplicates << " known already, " << report.tasks
         << " tasks, " << report.bad.size() << " bad lines\n";
}

static int runImport(ArrayRef<StringRef> names) {
  if (names.size() < 2)
    return failUsage("import takes a database and files");
  Expected<Database> database = Database::open(names[0], OpenMode::Create);
  if (!database)
    return failWith(database.takeError());
  int result = 0;
  for (StringRef name : names.drop_front()) {
    Expected<ImportReport> report = importJsonLines(*database, name);
    if (!report) {
      result = failWith(report.takeError());
      continue;
    }
    for (const BadLine &bad : report->bad)
      errs() << name << ':' << bad.line << ": " << bad.reason << '\n';
    printReport(name, *report);
    if (!report->bad.empty())
      result = 1;
  }
  return result;
}

static int runMerge(ArrayRef<StringRef> names) {
  if (names.size() < 2)
    return failUsage("merge takes a database and others to add to it");
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
  for (Database &other : others) {
    Expected<ImportReport> report = mergeDatabase(*database, other);
    if (!report)
      return failWith(report.takeError());
    printReport(other.path(), *report);
  }
  return 0;
}

/// "2 build-error, 1 wrong-result".
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

static int runList(ArrayRef<StringRef> names) {
  if (names.size() != 1)
    return failUsage("list takes one database");
  Expected<Database> database = Database::open(names[0], OpenMode::ReadOnly);
  if (!database)
    return failWith(database.takeError());
  auto summaries = database->summarize();
  if (!summaries)
    return failWith(summaries.takeError());
  Table table({{"task"},
               {"key"},
               {"target"},
               {"best", Table::Align::Right},
               {"records", Table::Align::Right},
               {"ok", Table::Align::Right},
               {"failures"},
               {"machine"}});
  for (const TaskSummary &summary : *summaries) {
    uint64_t records = 0;
    for (auto [status, count] : summary.counts)
      records += count;
    auto ok = summary.counts.find(MeasureStatus::Ok);
    const Task &task = summary.task;
    table.addRow(
        {task.name.empty() ? "?" : task.name, task.key.substr(0, 12),
         summary.target,
         summary.bestSeconds ? formatSeconds(*summary.bestSeconds) : "-",
         std::to_string(records),
         std::to_string(ok == summary.counts.end() ? 0 : ok->second),
         describeFailures(summary), summary.machineKey});
  }
  table.print(outs());
  if (Error error = finish(outs(), "stdout"))
    return failWith(std::move(error));
  return 0;
}

int pruner::prunerDbMain(int argc, char **argv) {
  std::vector<StringRef> arguments(argv + std::min(argc, 1), argv + argc);
  if (arguments.empty())
    return failUsage("no command was given");
  if (is_contained(arguments, "--help") || is_contained(arguments, "-h")) {
    outs() << kHelp;
    return 0;
  }
  StringRef command = arguments.front();
  ArrayRef<StringRef> rest = ArrayRef(arguments).drop_front();
  for (StringRef argument : rest)
    if (argument.starts_with("-") && argument != "-" && argument != "-o")
      return failUsage("there is no option '" + argument + "'");
  if (command == "export")
    return runExport(rest);
  if (command == "import")
    return runImport(rest);
  if (command == "list")
    return runList(rest);
  if (command == "merge")
    return runMerge(rest);
  return failUsage("there is no command '" + command + "'");
}
