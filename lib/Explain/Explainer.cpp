//===- Explainer.cpp - views of schedules of one task ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Explainer.h"

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Machine/MachineFile.h"
#include "pruner/Support/JsonLines.h"
#include "pruner/TaskRecords/TaskRecords.h"

#include <set>

using namespace pruner;

Explainer::Explainer(const Subject &subject)
    : subject(subject), index(subject),
      model(subject.task.desc, subject.environment.machine,
            psaOptions(subject.environment, subject.task)) {}

std::string Explainer::spell(const Schedule &schedule) const {
  mlir::func::FuncOp function = subject.task.function;
  std::string text;
  llvm::raw_string_ostream(text)
      << ScheduleAttr::get(function->getContext(), schedule);
  return text;
}

ScheduleView Explainer::view(const Schedule &schedule) {
  ScheduleView view;
  view.schedule = schedule;
  view.text = spell(schedule);
  const Machine &machine = subject.environment.machine;
  const ProgramSummary &program = model.summaryOf(schedule);
  PsaReport report = analyzePsa(program, machine,
                                psaOptions(subject.environment, subject.task));
  view.predictedSeconds = report.seconds;
  for (auto [statement, psa] :
       llvm::zip_equal(program.statements, report.statements)) {
    std::string name = (statementKindName(statement.kind) + " " +
                        program.buffers[statement.written().buffer].name)
                           .str();
    view.statements.push_back(
        {std::move(name), psa, explainLimit(psa, machine)});
  }
  view.measured = index.measured(schedule);
  return view;
}

//===----------------------------------------------------------------------===//
// Facts of code
//===----------------------------------------------------------------------===//

/// Collects the numbers of an object by path. Positions of loops in the file
/// and build times are left out, because they do not describe the code.
static void flatten(const llvm::json::Object &object, const std::string &prefix,
                    std::map<std::string, double> &facts) {
  for (const auto &[key, value] : object) {
    llvm::StringRef name = key;
    if (name == "stages" || name == "begin" || name == "end")
      continue;
    std::string path = prefix.empty() ? name.str() : prefix + "." + name.str();
    if (auto number = value.getAsNumber())
      facts[path] = *number;
    else if (const llvm::json::Object *inner = value.getAsObject())
      flatten(*inner, path, facts);
  }
}

bool Explainer::canBuild() const {
  const Machine &machine = subject.environment.machine;
  if (machine.isGpu())
    return true;
  llvm::Expected<Machine> host = parseTarget("cpu");
  if (host)
    return host->key() == machine.key();
  llvm::consumeError(host.takeError());
  return false;
}

void Explainer::addCode(ScheduleView &view, WorkerPool *pool) const {
  if (const RecordIndex::Entry *entry = index.find(view.schedule))
    for (const Record *record : entry->records) {
      llvm::Expected<llvm::json::Object> facts = parseJsonObject(record->facts);
      if (facts)
        flatten(*facts, "", view.code.facts);
      else
        llvm::consumeError(facts.takeError());
    }
  if (!view.code.facts.empty()) {
    view.code.source = "recorded";
    return;
  }
  if (!pool || !canBuild()) {
    view.code.source = pool ? "this host cannot build code for the machine"
                            : "not recorded, and not built";
    return;
  }
  MeasureJob job = measureJob(subject.environment, subject.task);
  MeasureItem item{&job, view.text};
  MeasureResult built = pool->build(item).front();
  if (built.ok()) {
    flatten(built.build.facts, "", view.code.facts);
    view.code.source = "built now";
  } else {
    view.code.source =
        ("the build failed: " + stringifyMeasureStatus(built.status) + ": " +
         built.reason)
            .str();
  }
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

/// Returns the symbols of the analytical model, named as in `pruner-psa`.
static std::vector<std::pair<const char *, double>>
symbolList(const StatementPsa &psa, PsaForm form) {
  const Symbols &s = psa.symbols;
  std::vector<std::pair<const char *, double>> list{
      {"S1 registers", s.l0Alloc},       {"S2 operations", s.l0Ops},
      {"S3 local bytes", s.l1Alloc},     {"S4 lanes", s.l1Parallel},
      {"S5 traffic bytes", s.l2Traffic}, {"S6 chunks", s.l2Parallel},
      {"S7 run bytes", s.l2Run},         {"S8 all operations", s.l2Ops}};
  if (form == PsaForm::Cpu)
    for (auto [term, seconds] : zip_equal(cpuTerms(), psa.termSeconds))
      list.push_back({term->summary.data(), seconds});
  if (form == PsaForm::Throughput)
    list.insert(list.end(), {{"issue cycles", psa.cycles.issue},
                             {"load/store cycles", psa.cycles.loadStore},
                             {"tensor cycles", psa.cycles.tensor},
                             {"wait cycles", psa.cycles.wait},
                             {"blocks at a time", psa.occupancy.blocks},
                             {"spilled", psa.occupancy.spilled}});
  return list;
}

using Values = std::map<std::string, double>;

/// Returns the statements by name; repeated names are numbered.
static std::map<std::string, const StatementPsa *>
statementsOf(const ScheduleView &view) {
  std::map<std::string, const StatementPsa *> statements;
  std::map<std::string, unsigned> seen;
  for (const StatementView &statement : view.statements) {
    unsigned n = ++seen[statement.name];
    statements[statement.name + (n > 1 ? " #" + std::to_string(n) : "")] =
        &statement.psa;
  }
  return statements;
}

/// Returns the symbols of all statements. For a statement that `other` lacks,
/// only its time.
static Values symbolValues(const ScheduleView &view, const ScheduleView &other,
                           PsaForm form) {
  Values values;
  auto others = statementsOf(other);
  for (const auto &[name, psa] : statementsOf(view)) {
    values[name + ": seconds"] = psa->seconds;
    if (others.count(name))
      for (auto [symbol, value] : symbolList(*psa, form))
        values[name + ": " + symbol] = value;
  }
  return values;
}

static std::optional<double> lookup(const Values &values,
                                    const std::string &name) {
  auto found = values.find(name);
  return found == values.end() ? std::nullopt
                               : std::optional<double>(found->second);
}

/// Returns the difference of two values for sorting. Values that only one has
/// come first.
static double distance(const Difference &d) {
  if (!d.best || !d.other || *d.best <= 0 || *d.other <= 0)
    return std::numeric_limits<double>::infinity();
  return std::fabs(std::log(*d.best / *d.other));
}

/// Largest differences first.
static std::vector<Difference> differences(const Values &best,
                                           const Values &other) {
  std::set<std::string> names;
  for (const Values *values : {&best, &other})
    for (const auto &[name, value] : *values)
      names.insert(name);
  std::vector<Difference> list;
  constexpr double kSame = 1e-6;
  for (const std::string &name : names) {
    Difference d{name, lookup(best, name), lookup(other, name)};
    // One line is enough for a statement that only one has.
    bool zero = d.best.value_or(0) == 0 && d.other.value_or(0) == 0;
    if (!zero && distance(d) > kSame)
      list.push_back(std::move(d));
  }
  llvm::stable_sort(list, [](const Difference &a, const Difference &b) {
    return distance(a) > distance(b);
  });
  return list;
}

Comparison Explainer::compare(const ScheduleView &best, const Schedule &other,
                              WorkerPool *pool) {
  Comparison comparison;
  comparison.view = view(other);
  addCode(comparison.view, pool);
  comparison.change = describeChange(subject.task.desc, best.schedule, other);
  PsaForm form =
      subject.environment.machine.isGpu() ? PsaForm::Throughput : PsaForm::Cpu;
  comparison.symbols = differences(symbolValues(best, comparison.view, form),
                                   symbolValues(comparison.view, best, form));
  if (!best.code.facts.empty() && !comparison.view.code.facts.empty())
    comparison.facts = differences(best.code.facts, comparison.view.code.facts);
  return comparison;
}
