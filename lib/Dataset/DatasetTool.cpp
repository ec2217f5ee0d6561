//===- DatasetTool.cpp - the pruner dataset command -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dataset/DatasetTool.h"
#include "Import.h"
#include "Synthesize.h"
#include "pruner/Dataset/DatasetView.h"

#include "CommandLine.h"

#include "pruner/Analysis/Legality.h"
#include "pruner/Machine/MachineFile.h"
#include "pruner/Pipelines/Pipelines.h"
#include "pruner/Support/NearestName.h"
#include "pruner/Support/OutputFile.h"
#include "pruner/Support/StandardStreams.h"
#include "pruner/Support/Table.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace pruner;

static constexpr const char *kHelp =
    R"(pruner dataset: datasets of measured schedules

usage:
  pruner dataset import --from=FORMAT --machine=TARGET FILE... -o DATASET
                                 make a dataset from another tuner's records
      --device=NAME              import only rows of that device (tables)
      --source=TEXT              origin of the files, for readers
      --primitives               keep the primitives of Ansor's logs
  pruner dataset synthesize --machine=TARGET -o DATASET
                                 make random tasks with schedules whose times
                                 the analytical model predicts, to train on
                                 before measurements
      --tasks=N                  number of tasks (1000)
      --schedules=N              of each task: half random, half the fastest of
                                 seven times as many (64)
      --seed=N                   seed of tasks and schedules (0)
  pruner dataset describe DATASET...
                                 list tasks: schedules, failures, times, and how
                                 many schedules violate a rule of this build

Files may be gzip'd; '-' is stdin or stdout. TARGET has the syntax of
pruner-machine: nvidia:v100, file:gpu.json. Use 'cat' to join datasets.
Records whose schedule cannot be expressed are skipped and counted. Malformed
lines are reported and skipped, and the exit code is 1.

formats:
)";

static int failWith(Error error) {
  logAllUnhandledErrors(std::move(error), errs(), "pruner dataset: error: ");
  return 1;
}

static int wrongUsage(const Twine &what) {
  return failUsage("pruner dataset", what);
}

//===----------------------------------------------------------------------===//
// import
//===----------------------------------------------------------------------===//

static void printCounts(StringRef output, const ImportCounts &counts) {
  errs() << output << ": " << counts.written << " of " << counts.read
         << " records, " << counts.tasks << " tasks\n";
  for (const auto &[why, count] : counts.leftOut)
    errs() << "  left out, " << why << ": " << count << '\n';
  for (const auto &[what, count] : counts.approximated)
    errs() << "  differ in " << what << ": " << count << '\n';
}

static int runImport(ArrayRef<StringRef> words) {
  Expected<CommandLine> line = CommandLine::parse(
      words, {"from", "machine", "device", "source", "primitives", "o"});
  if (!line)
    return wrongUsage(toString(line.takeError()));
  const auto *format =
      llvm::find_if(importFormats(), [&](const ImportFormat &known) {
        return known.name == line->option("from");
      });
  if (format == importFormats().end())
    return wrongUsage("unknown format '" + line->option("from") + "'" +
                      didYouMean(line->option("from"), importFormats(),
                                 [](const auto &known) { return known.name; }));
  if (!line->has("machine") || !line->has("o") || line->files.empty())
    return wrongUsage("import expects --machine, -o and at least one file");
  Expected<Machine> machine = parseTarget(line->option("machine"));
  if (!machine)
    return failWith(machine.takeError());
  std::unique_ptr<mlir::MLIRContext> context = createTaskContext();
  bool good = true;
  ImportCounts counts;
  StringRef output = line->option("o");
  Error error = writeDatasetFile(output, [&](DatasetWriter &writer) -> Error {
    writer.begin(
        {*machine, format->toolchain.str(), line->option("source").str()});
    ImportSink sink(writer, *machine, *context, line->has("primitives"));
    for (StringRef file : line->files) {
      Expected<std::vector<BadLine>> bad =
          format->import(file, line->option("device"), sink);
      if (!bad)
        return bad.takeError();
      good &= reportBadLines(file, *bad);
    }
    counts = sink.counts();
    return Error::success();
  });
  if (error)
    return failWith(std::move(error));
  printCounts(output, counts);
  return good ? 0 : 1;
}

//===----------------------------------------------------------------------===//
// synthesize
//===----------------------------------------------------------------------===//

static int runSynthesize(ArrayRef<StringRef> words) {
  Expected<CommandLine> line =
      CommandLine::parse(words, {"machine", "tasks", "schedules", "seed", "o"});
  if (!line)
    return wrongUsage(toString(line.takeError()));
  if (!line->has("machine") || !line->has("o") || !line->files.empty())
    return wrongUsage("synthesize expects --machine and -o, and no files");
  SynthesisOptions options;
  if (line->has("tasks") &&
      (line->option("tasks").getAsInteger(10, options.tasks) || !options.tasks))
    return wrongUsage("--tasks expects an integer of at least 1");
  if (line->has("schedules") &&
      (line->option("schedules").getAsInteger(10, options.schedules) ||
       options.schedules < 2))
    return wrongUsage("--schedules expects an integer of at least 2");
  if (line->has("seed") && line->option("seed").getAsInteger(10, options.seed))
    return wrongUsage("--seed expects an integer");
  Expected<Machine> machine = parseTarget(line->option("machine"));
  if (!machine)
    return failWith(machine.takeError());
  StringRef output = line->option("o");
  size_t records = 0;
  if (Error error = writeDatasetFile(output, [&](DatasetWriter &writer) {
        records = synthesize(*machine, options, writer);
        return Error::success();
      }))
    return failWith(std::move(error));
  errs() << output << ": " << records << " schedules\n";
  return 0;
}

//===----------------------------------------------------------------------===//
// describe
//===----------------------------------------------------------------------===//

/// Returns, for example, "3 R14, 1 R16": how many schedules violate each rule,
/// counting the first violation.
static std::string describeBroken(const MeasuredTask &task) {
  std::map<std::string, size_t> broken;
  for (const MeasuredSchedule &measured : task.schedules)
    if (MaybeViolation violation =
            checkSchedule(task.desc, measured.schedule, *task.machine))
      ++broken[violation->rule];
  std::string text;
  for (const auto &[rule, count] : broken)
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + rule;
  return text;
}

static int runDescribe(ArrayRef<StringRef> words) {
  Expected<CommandLine> line = CommandLine::parse(words, {});
  if (!line)
    return wrongUsage(toString(line.takeError()));
  if (line->files.empty())
    return wrongUsage("describe expects at least one dataset");
  Expected<DatasetView> view = readDatasets(line->files);
  if (!view)
    return failWith(view.takeError());
  bool good = reportBadLines(*view);
  Table table({{"machine"},
               {"kind"},
               {"task"},
               {"records", Table::Align::Right},
               {"schedules", Table::Align::Right},
               {"failed", Table::Align::Right},
               {"fastest", Table::Align::Right},
               {"slowest/fastest", Table::Align::Right},
               {"broken rules"}});
  for (const MeasuredTask &task : view->tasks) {
    std::optional<double> fastest, slowest;
    size_t failed = 0;
    for (const MeasuredSchedule &measured : task.schedules) {
      failed += !measured.seconds;
      if (!measured.seconds)
        continue;
      double seconds = *measured.seconds;
      fastest = std::min(fastest.value_or(seconds), seconds);
      slowest = std::max(slowest.value_or(seconds), seconds);
    }
    table.addRow({task.machine->name, task.kind, task.name,
                  std::to_string(task.records),
                  std::to_string(task.schedules.size()), std::to_string(failed),
                  fastest ? formatSeconds(*fastest) : "-",
                  fastest ? formatv("{0:f1}", *slowest / *fastest).str() : "-",
                  describeBroken(task)});
  }
  table.print(outs());
  if (Error error = flushOutput(outs()))
    return failWith(std::move(error));
  return good ? 0 : 1;
}

int pruner::prunerDatasetMain(int argc, char **argv) {
  prepareProgram();
  std::vector<StringRef> words(argv + std::min(argc, 1), argv + argc);
  if (words.empty())
    return wrongUsage("expected a command");
  if (is_contained(words, "--help") || is_contained(words, "-h")) {
    outs() << kHelp;
    for (const ImportFormat &format : importFormats())
      outs() << "  " << left_justify(format.name, 27) << format.summary << '\n';
    return 0;
  }
  ArrayRef<StringRef> rest = ArrayRef(words).drop_front();
  if (words.front() == "import")
    return runImport(rest);
  if (words.front() == "synthesize")
    return runSynthesize(rest);
  if (words.front() == "describe")
    return runDescribe(rest);
  return wrongUsage(
      "unknown command '" + words.front() + "'" +
      didYouMean(words.front(), {"import", "synthesize", "describe"}));
}
