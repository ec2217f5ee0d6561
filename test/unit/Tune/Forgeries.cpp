//===- Forgeries.cpp - records that were changed and sealed again ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   PrunerRecordForgeries [--count=N] [--seed=N] [--first=N]
//
// Changes an exported line (digits, letters, whole fields), computes its hash
// again, imports the file, and applies and lowers the result. Only its content
// distinguishes such a line from a true one, so everything that is kept must be
// possible:
//
// * every kept task has the key of its text;
// * every kept record has a legal schedule of its task, possible times, and a
//   time stamp in the past;
// * applying succeeds, and so does lowering the result.
//
// Prints the number of rejected lines and the results of the others. The exit
// code is 0 if no case failed. Case n depends only on n and the seed.

#include "ApplyRecords.h"
#include "RecordFixtures.h"
#include "TimeBound.h"

#include "pruner/Analysis/Legality.h"
#include "pruner/Dialect/Pruner/IR/ForeignText.h"
#include "pruner/Recognition/TaskInfo.h"
#include "pruner/Record/RecordJson.h"
#include "pruner/Support/JsonLines.h"
#include "pruner/Support/Random.h"
#include "pruner/TaskRecords/RecordJudge.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

#include <ctime>

using namespace llvm;
using namespace pruner;
using namespace pruner::test;

namespace {

struct Forger : TuneFixture {
  void TestBody() override {}

  RecordJudge judge;
  std::vector<std::string> lines;
  uint64_t refused = 0, kept = 0, applied = 0;

  void prepare() {
    SetUp();
    for (const ModuleTask &task : tasks)
      lines.push_back(toJsonLine(seal(toJson(task.stored()))));
    for (auto [n, schedule] : enumerate(schedules))
      addRecord(makeRecord(schedule, 1e-3 * (n + 2)));
    addRecord(makeRecord(kDefaultSchedule, 1));
    for (const std::string &schedule : {schedules[0], schedules[1]}) {
      Record record = makeRecord(schedule, 1e-3);
      record.strategy = kFinalStrategy.str();
      record.runId = "final";
      addRecord(record);
    }
  }
  void addRecord(Record record) {
    consumeError(normalizeRecord(record));
    lines.push_back(toJsonLine(seal(toJson(record))));
  }

  std::string forge(std::string line, Random &random);
  std::string runCase(Random &random, StringRef path);
  std::string checkKept(Database &kept);
  std::string checkApplied(Database &kept);
};

} // namespace

/// Changes a line and updates its hash, if it is still a line.
std::string Forger::forge(std::string line, Random &random) {
  const char *const digits = "0123456789eE-+.";
  unsigned wanted = 1 + random.uniform(3);
  for (unsigned n = 0, tries = 0; n < wanted && tries < 400; ++tries) {
    char &c = line[random.uniform(line.size())];
    bool any = random.uniform(20) == 0;
    if (!any && !isDigit(c))
      continue;
    c = any ? char(32 + random.uniform(95)) : digits[random.uniform(15)];
    ++n;
  }
  auto object = parseJsonObject(line);
  if (!object) {
    consumeError(object.takeError());
    return line;
  }
  if (json::Object *pruner = object->getObject("pruner")) {
    pruner->erase("check");
    switch (random.uniform(12)) {
    case 0:
      (*pruner)["times"] =
          json::Array{std::pow(10, -double(random.uniform(30)))};
      break;
    case 1:
      (*pruner)["task"] = tasks[random.uniform(tasks.size())].key;
      break;
    case 2:
      (*pruner)["strategy"] = "final";
      (*object)["timestamp"] = random.uniform(2) ? "9999-12-31T23:59:59Z" : "~";
      break;
    default:
      break;
    }
  }
  return toJsonLine(seal(std::move(*object)));
}

std::string Forger::checkKept(Database &database) {
  int64_t now = std::time(nullptr);
  for (const StoredTask &task : get(database.tasks())) {
    if (task.text.empty())
      continue; // Known by the key of its records alone.
    auto module = parseModuleText(task.text, context.get(), "task");
    if (!module ||
        taskKey(*module->getOps<mlir::func::FuncOp>().begin()) != task.key)
      return "kept a task whose key is not that of its text";
  }
  for (const Record &record : get(database.all({}))) {
    auto task = find_if(
        tasks, [&](const ModuleTask &t) { return t.key == record.taskKey; });
    auto time = parseTimestamp(record.timestamp);
    auto machine = Machine::fromKey(record.machineKey);
    if (task == tasks.end() || !time || *time > now + 100000 || !machine)
      return "kept a record without task, time or machine";
    for (double seconds : record.times)
      if (record.status == MeasureStatus::Ok &&
          seconds < leastSeconds(task->desc, *machine, machine->units))
        return "kept a record with a time of " + std::to_string(seconds);
    if (record.schedule == kDefaultSchedule)
      continue;
    ScheduleAttr schedule = parseScheduleText(record.schedule, context.get());
    if (!schedule || checkSchedule(task->desc, schedule.getValue(), *machine))
      return "kept an illegal schedule: " + record.schedule;
  }
  return "";
}

std::string Forger::checkApplied(Database &database) {
  for (const ModuleTask &task : tasks) {
    mlir::func::FuncOp function = task.function;
    function->removeAttr(PrunerDialect::getScheduleAttrName());
  }
  std::string problem;
  auto none = []() -> WorkerPool * { return nullptr; };
  auto nowhere = []() -> Database * { return nullptr; };
  ApplyOptions options;
  options.what = "record";
  options.workers = none;
  options.store = nowhere;
  auto number =
      applyBestRecords(database, environment, tasks, options, [&](Error error) {
        problem = toString(std::move(error));
        return mlir::failure();
      });
  if (failed(number))
    return "applying failed: " + problem;
  applied += *number;
  mlir::OwningOpRef<mlir::ModuleOp> copy = module->clone();
  if (failed(lowerScheduled(*copy, environment)))
    return "the applied schedules cannot be lowered";
  return "";
}

std::string Forger::runCase(Random &random, StringRef path) {
  std::vector<std::string> changed = lines;
  size_t n = random.uniform(changed.size());
  changed[n] = forge(changed[n], random);
  {
    std::error_code code;
    raw_fd_ostream os(path, code);
    for (const std::string &line : changed)
      os << line << '\n';
  }
  Database fresh = get(Database::open("", OpenMode::Create));
  ImportReport report = get(importJsonLines(fresh, path, &judge));
  ++(report.bad.empty() ? kept : refused);
  for (const BadLine &bad : report.bad)
    if (bad.line != n + 1 && n >= tasks.size())
      return "line " + std::to_string(bad.line) + " was rejected and line " +
             std::to_string(n + 1) + " is forged: " + bad.reason;
  std::string problem = checkKept(fresh);
  return problem.empty() ? checkApplied(fresh) : problem;
}

int main(int argc, char **argv) {
  uint64_t count = 300, seed = 1, first = 0;
  for (int i = 1; i < argc; ++i) {
    StringRef argument = argv[i];
    uint64_t *value = argument.consume_front("--count=")   ? &count
                      : argument.consume_front("--seed=")  ? &seed
                      : argument.consume_front("--first=") ? &first
                                                           : nullptr;
    if (!value || argument.getAsInteger(10, *value)) {
      errs() << "usage: PrunerRecordForgeries [--count=N] [--seed=N] "
                "[--first=N]\n";
      return 2;
    }
  }
  SmallString<128> path;
  if (sys::fs::createTemporaryFile("pruner-forged", "jsonl", path))
    return 2;
  Forger forger;
  forger.prepare();
  uint64_t failed = 0;
  for (uint64_t n = first; n < first + count; ++n) {
    Random random(seed * 1000003 + n);
    std::string problem = forger.runCase(random, path);
    if (problem.empty())
      continue;
    ++failed;
    errs() << "case " << n << " (--seed=" << seed << " --first=" << n
           << " --count=1): " << problem << "\n";
  }
  sys::fs::remove(path);
  outs() << count << " cases: " << forger.refused << " refused, " << forger.kept
         << " kept, " << forger.applied << " schedules applied, " << failed
         << " failed\n";
  return failed ? 1 : 0;
}
