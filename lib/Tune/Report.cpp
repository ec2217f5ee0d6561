//===- Report.cpp - the final table ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/ModuleTasks/Forms.h"
#include "pruner/Support/Table.h"
#include "pruner/Tune/Tuner.h"

#include "llvm/Support/Format.h"

using namespace pruner;

static std::string text(const char *format, double value) {
  std::string out;
  llvm::raw_string_ostream(out) << llvm::format(format, value);
  return out;
}

static void printTimes(llvm::raw_ostream &os, const TimeSplit &times) {
  os << "time: draft " << formatSeconds(times.draft) << ", predict "
     << formatSeconds(times.predict) << ", train "
     << formatSeconds(times.train);
  if (times.overlapped > times.waited)
    os << " (of these " << formatSeconds(times.overlapped - times.waited)
       << " while candidates ran)";
  os << ", build " << formatSeconds(times.build) << ", measure "
     << formatSeconds(times.measure);
  const RunCosts &runs = times.runs;
  if (runs.timing > 0)
    os << " (references " << formatSeconds(runs.reference) << ", loading "
       << formatSeconds(runs.load) << ", checks " << formatSeconds(runs.check)
       << ", timing " << formatSeconds(runs.timing) << ")";
  if (times.network > 0)
    os << ", network " << formatSeconds(times.network);
  os << "\n";
}

void pruner::printBuildReport(llvm::raw_ostream &os,
                              llvm::ArrayRef<ModuleTask> tasks,
                              llvm::ArrayRef<TaskOutcome> outcomes,
                              const TimeSplit &times) {
  using Align = Table::Align;
  Table table({{"task", Align::Left},
               {"weight", Align::Right},
               {"predicted", Align::Right},
               {"registers", Align::Right},
               {"spilled bytes", Align::Right},
               {"shared bytes", Align::Right},
               {"emulated", Align::Right},
               {"built", Align::Right},
               {"failed", Align::Right}});
  for (auto [task, outcome] : llvm::zip_equal(tasks, outcomes)) {
    std::vector<std::string> row{task.desc.name, text("%.0f", task.weight)};
    row.push_back(outcome.predictedSeconds
                      ? formatSeconds(*outcome.predictedSeconds)
                      : "-");
    for (llvm::StringRef fact :
         {"registers", "spill_store_bytes", "shared_bytes"}) {
      auto value = outcome.facts.getInteger(fact);
      row.push_back(value ? std::to_string(*value) : "-");
    }
    auto emulated = outcome.facts.getNumber("emulated");
    row.push_back(emulated ? text("%.3g %%", 100 * *emulated) : "-");
    row.push_back(std::to_string(outcome.trials - outcome.failed));
    row.push_back(std::to_string(outcome.failed));
    table.addRow(std::move(row));
  }
  table.print(os);
  printTimes(os, times);
}

/// Largest ratio of two measurements of the peak.
static constexpr double kPeakNoise = 1.1;

/// Calls `visit(task, what, flops/s)` for each result that exceeds the measured
/// peak. Narrower elements have a higher peak and are left out.
static void forEachBeyondPeak(
    llvm::ArrayRef<ModuleTask> tasks, llvm::ArrayRef<TaskOutcome> outcomes,
    double peak,
    llvm::function_ref<void(const ModuleTask &, llvm::StringRef, double)>
        visit) {
  if (!(peak > 0))
    return;
  for (auto [task, outcome] : llvm::zip_equal(tasks, outcomes)) {
    if (llvm::any_of(task.desc.tensors, [](const TensorDesc &tensor) {
          return byteWidth(tensor.type) < 4;
        }))
      continue;
    for (auto [what, seconds] : {std::pair("tuned", outcome.bestSeconds),
                                 std::pair("default", outcome.defaultSeconds)})
      if (seconds && task.flops / *seconds > kPeakNoise * peak)
        visit(task, what, task.flops / *seconds);
  }
}

bool pruner::exceedsPeak(llvm::ArrayRef<ModuleTask> tasks,
                         llvm::ArrayRef<TaskOutcome> outcomes, double peak) {
  bool exceeds = false;
  forEachBeyondPeak(
      tasks, outcomes, peak,
      [&](const ModuleTask &, llvm::StringRef, double) { exceeds = true; });
  return exceeds;
}

/// Warns of times that exceed the measured peak.
static void warnBeyondPeak(llvm::raw_ostream &os,
                           llvm::ArrayRef<ModuleTask> tasks,
                           llvm::ArrayRef<TaskOutcome> outcomes, double peak) {
  forEachBeyondPeak(
      tasks, outcomes, peak,
      [&](const ModuleTask &task, llvm::StringRef what, double rate) {
        os << "pruner-tune: warning: '" << task.desc.name << "' (" << what
           << "): " << text("%.0f", 100 * rate / peak)
           << " % of the measured FMA peak; the time or the "
              "peak is wrong\n";
      });
}

void pruner::printReport(llvm::raw_ostream &os,
                         llvm::ArrayRef<ModuleTask> tasks,
                         const Environment &environment,
                         llvm::ArrayRef<TaskOutcome> outcomes,
                         const std::optional<NetworkOutcome> &network,
                         const TimeSplit &times, double peakFlops) {
  using Align = Table::Align;
  Table table({{"task", Align::Left},
               {"weight", Align::Right},
               {"default", Align::Right},
               {"tuned", Align::Right},
               {"speed-up", Align::Right},
               {"GFLOP/s", Align::Right},
               {"% of peak", Align::Right},
               {"trials", Align::Right},
               {"failed", Align::Right},
               {"", Align::Left}});
  double defaultTotal = 0, tunedTotal = 0;
  bool complete = true;
  double peak = peakFlops * environment.threads;
  mlir::func::FuncOp any = tasks.front().function;
  auto module = any->getParentOfType<mlir::ModuleOp>();
  const std::vector<double> calls =
      readNetwork(module, tasks).fastestCalls(secondsAlone(outcomes));
  for (auto [task, outcome, count] : llvm::zip_equal(tasks, outcomes, calls)) {
    // A task of a form that is not executed has no weight.
    const bool isExecuted = count > 0 || task.weight == 0;
    std::vector<std::string> row{task.desc.name,
                                 isExecuted ? text("%.0f", count) : "-"};
    row.push_back(
        outcome.defaultSeconds ? formatSeconds(*outcome.defaultSeconds) : "-");
    row.push_back(outcome.bestSeconds ? formatSeconds(*outcome.bestSeconds)
                                      : "-");
    if (outcome.defaultSeconds && outcome.bestSeconds)
      row.push_back(
          text("%.2f", *outcome.defaultSeconds / *outcome.bestSeconds));
    else
      row.push_back("-");
    if (outcome.bestSeconds && task.flops > 0) {
      double rate = task.flops / *outcome.bestSeconds;
      row.push_back(text("%.1f", rate * 1e-9));
      row.push_back(peak > 0 ? text("%.1f", 100 * rate / peak) : "-");
    } else {
      row.insert(row.end(), {"-", "-"});
    }
    row.push_back(std::to_string(outcome.trials));
    row.push_back(std::to_string(outcome.failed));
    row.push_back(outcome.keptDefault ? "left untuned" : "");
    table.addRow(std::move(row));
    complete &= !isExecuted || (outcome.defaultSeconds && outcome.bestSeconds);
    // A schedule that is slower than the untuned default is not applied.
    if (outcome.defaultSeconds && outcome.bestSeconds) {
      defaultTotal += count * *outcome.defaultSeconds;
      tunedTotal +=
          count * std::min(*outcome.bestSeconds, *outcome.defaultSeconds);
    }
  }
  table.print(os);
  for (const std::string &line :
       describeForms(timeForms(module, tasks, callTimes(outcomes))))
    os << "parts with several forms: " << line << "\n";
  warnBeyondPeak(os, tasks, outcomes, peak);
  if (tunedTotal > 0)
    os << "tasks in total, weighted" << (complete ? "" : " (measured ones)")
       << ": default " << formatSeconds(defaultTotal) << ", tuned "
       << formatSeconds(tunedTotal) << ", speed-up "
       << text("%.2f", defaultTotal / tunedTotal) << "\n";
  if (network)
    os << "the network takes " << formatSeconds(network->seconds)
       << ", of which "
       << text("%.1f", 100 * network->taskSeconds / network->seconds)
       << " % in its tasks\n";
  if (peak > 0)
    os << "FMA peak: " << text("%.1f", peakFlops * 1e-9)
       << " GFLOP/s per core, measured; " << environment.threads
       << (environment.threads == 1 ? " thread\n" : " threads\n");
  printTimes(os, times);
}
