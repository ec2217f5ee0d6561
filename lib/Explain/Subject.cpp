//===- Subject.cpp - tasks to explain, with their records -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Explain/Subject.h"

#include "pruner/Machine/MachineFile.h"
#include "pruner/Pipelines/GeneratorIdentity.h"
#include "pruner/Recognition/TaskText.h"
#include "pruner/TaskRecords/RecordCheck.h"
#include "pruner/TaskRecords/TaskRecords.h"

#include "llvm/Support/Regex.h"

#include <tuple>

using namespace pruner;

/// Creates a task from the database like the passes do from a module.
static llvm::Expected<Subject> readSubject(const StoredTask &stored,
                                           mlir::MLIRContext &context) {
  llvm::Expected<ParsedTask> parsed = parseTaskText(stored.text, &context);
  if (!parsed)
    return parsed.takeError();
  Subject subject;
  subject.module = std::move(parsed->module);
  subject.task.function = *subject.module->getOps<mlir::func::FuncOp>().begin();
  subject.task.desc = std::move(parsed->ir.desc);
  subject.task.desc.name = stored.name;
  subject.task.key = parsed->key;
  subject.task.text = stored.text;
  subject.task.flops = stored.flops;
  subject.task.bytes = stored.bytes;
  return subject;
}

namespace {

/// Selects tasks by name or key.
class TaskPattern {
public:
  explicit TaskPattern(const std::string &text) : text(text), regex(text) {}

  llvm::Error check() const {
    std::string problem;
    if (text.empty() || regex.isValid(problem))
      return llvm::Error::success();
    return llvm::createStringError("option 'task': " + problem);
  }
  bool matches(llvm::StringRef name, llvm::StringRef key) const {
    return text.empty() || key.starts_with(text) || regex.match(name);
  }
  /// Returns an error that lists the tasks.
  llvm::Error noMatch(llvm::ArrayRef<std::string> names) const {
    constexpr size_t kShown = 5;
    std::string known;
    for (const std::string &name : names.take_front(kShown))
      known += (known.empty() ? "'" : ", '") + name + "'";
    if (names.size() > kShown)
      known += " and " + std::to_string(names.size() - kShown) + " more";
    return llvm::createStringError(
        "no task has a name that matches '" + text +
        "' or a key that begins with it; " +
        (names.empty() ? "there are no tasks" : "the tasks are " + known));
  }

private:
  std::string text;
  llvm::Regex regex;
};

/// The conditions under which records are comparable.
struct Conditions {
  std::string machineKey, target, options, toolchain, generator, cacheState;

  static Conditions of(const Record &r) {
    return {r.machineKey, r.target,    r.pipelineOptions,
            r.toolchain,  r.generator, r.cacheState};
  }
  bool isCurrentBuild() const {
    return toolchain == Environment::toolchain() &&
           generator == generatorIdentity();
  }
  bool operator==(const Conditions &o) const {
    return std::tie(machineKey, target, options, toolchain, generator,
                    cacheState) == std::tie(o.machineKey, o.target, o.options,
                                            o.toolchain, o.generator,
                                            o.cacheState);
  }
};

} // namespace

static void warn(const ModuleTask &task, const llvm::Twine &text) {
  mlir::func::FuncOp function = task.function;
  mlir::emitWarning(function.getLoc())
      << "'" << task.desc.name << "': " << text;
}

static llvm::Expected<std::vector<Subject>>
collectSubjects(Database &database, mlir::MLIRContext &context,
                mlir::ModuleOp module, const TaskPattern &pattern) {
  std::vector<Subject> subjects;
  std::vector<std::string> names;
  if (module) {
    TaskOptions extraction;
    extraction.ofAllForms = true;
    mlir::FailureOr<std::vector<ModuleTask>> tasks =
        collectTasks(module, extraction);
    if (failed(tasks))
      return llvm::createStringError("cannot read the tasks of the module");
    for (ModuleTask &task : *tasks) {
      names.push_back(task.desc.name);
      if (!pattern.matches(task.desc.name, task.key))
        continue;
      Subject &subject = subjects.emplace_back();
      subject.task = std::move(task);
    }
  } else {
    auto stored = database.tasks();
    if (!stored)
      return stored.takeError();
    for (const StoredTask &task : *stored) {
      names.push_back(task.name);
      if (!pattern.matches(task.name, task.key))
        continue;
      llvm::Expected<Subject> subject = readSubject(task, context);
      if (!subject) {
        mlir::emitWarning(mlir::UnknownLoc::get(&context))
            << "'" << task.name << "': " << llvm::toString(subject.takeError());
        continue;
      }
      subjects.push_back(std::move(*subject));
    }
  }
  if (subjects.empty())
    return pattern.noMatch(names);
  return subjects;
}

/// Returns the machine of a record with its rates: the target, this host, or a
/// device by name.
static llvm::Expected<Machine> machineOf(const Record &record,
                                         llvm::StringRef target) {
  std::string name = target.str();
  if (name.empty()) // "cpu:znver4", "nvidia:a100-40".
    name = llvm::StringRef(record.machineKey).split(';').first.str();
  llvm::Expected<Machine> machine = parseTarget(name);
  if (machine && machine->key() == record.machineKey)
    return machine;
  std::string why = machine ? "" : ": " + llvm::toString(machine.takeError());
  return llvm::createStringError(
      "the machine of the records is unknown ('" + name + "'" + why +
      "); pass its file, written by pruner-machine, with option 'target'");
}

/// Groups the records of the task by conditions and chooses a group: the
/// current build first, then the latest.
static llvm::Error readRecords(Database &database, Subject &subject,
                               const std::string &machineKey,
                               const std::string &hostKey) {
  RecordQuery query;
  query.taskKey = subject.task.key;
  query.machineKey = machineKey;
  std::vector<Record> all;
  mlir::func::FuncOp function = subject.task.function;
  RecordCheck check(*function->getContext());
  auto visit = [&](Record record) -> llvm::Error {
    std::string problem = check.problemOf(record, subject.task.desc);
    if (problem.empty())
      all.push_back(std::move(record));
    else
      warn(subject.task, "trial " + llvm::Twine(record.trial) + " of run '" +
                             record.runId + "': " + problem +
                             "; the record is not used");
    return llvm::Error::success();
  };
  std::vector<BadRow> bad;
  if (llvm::Error error = database.forEach(query, visit, &bad))
    return error;
  if (llvm::Error error = warnOfReadRows(database, bad, function->getLoc()))
    return error;
  if (all.empty())
    return llvm::Error::success();
  auto rank = [&](const Record &record) {
    return std::tuple(record.machineKey == hostKey,
                      Conditions::of(record).isCurrentBuild(),
                      parseTimestamp(record.timestamp));
  };
  const Record *latest = &all.front();
  for (const Record &record : all)
    if (rank(record) >= rank(*latest))
      latest = &record;
  const Conditions conditions = Conditions::of(*latest);
  subject.current = conditions.isCurrentBuild();
  for (Record &record : all)
    if (Conditions::of(record) == conditions)
      subject.records.push_back(record);
  subject.otherConditions = all.size() - subject.records.size();
  return llvm::Error::success();
}

static llvm::Error setEnvironment(Subject &subject, llvm::StringRef target) {
  const Record &record = subject.records.front();
  llvm::Expected<Machine> machine = machineOf(record, target);
  if (!machine)
    return machine.takeError();
  subject.environment.machine = std::move(*machine);
  subject.environment.target = CodeTarget::of(subject.environment.machine);
  llvm::StringRef threads = record.pipelineOptions;
  // The judge of records checked that it is a number.
  if (threads.consume_front("threads="))
    threads.getAsInteger(10, subject.environment.threads);
  if (auto state = CacheState::parse(record.cacheState))
    subject.task.cacheState = std::move(*state);
  return llvm::Error::success();
}

llvm::Expected<std::vector<Subject>>
pruner::findSubjects(Database &database, mlir::MLIRContext &context,
                     mlir::ModuleOp module, const SubjectOptions &options) {
  TaskPattern pattern(options.task);
  if (llvm::Error error = pattern.check())
    return error;
  std::string machineKey, hostKey;
  if (!options.target.empty()) {
    llvm::Expected<Machine> machine = parseTarget(options.target);
    if (!machine)
      return machine.takeError();
    machineKey = machine->key();
  } else if (llvm::Expected<Machine> host = parseTarget("cpu")) {
    hostKey = host->key();
  } else {
    llvm::consumeError(host.takeError());
  }
  auto subjects = collectSubjects(database, context, module, pattern);
  if (!subjects)
    return subjects.takeError();
  for (Subject &subject : *subjects) {
    if (llvm::Error error = readRecords(database, subject, machineKey, hostKey))
      return error;
    if (subject.records.empty())
      warn(subject.task,
           "the task has no record" + (options.target.empty()
                                           ? std::string()
                                           : " for '" + options.target + "'"));
    else if (llvm::Error error = setEnvironment(subject, options.target))
      return error;
  }
  llvm::erase_if(*subjects, [](const Subject &s) { return s.records.empty(); });
  if (subjects->empty())
    return llvm::createStringError("'" + database.path().str() +
                                   "' has no matching record");
  return std::move(*subjects);
}
