//===- CandidateSpeed.cpp - candidates scored per second ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// pruner-bench-candidates DATASET [model[:options]...]: the time of a search to
// score a schedule on one core, for the features and for the network.
//
//   taskset -c 0 pruner-bench-candidates
//   data/survey-zen4.jsonl.gz
//     pacm tlp 'tlp:{"width": 64}'
//
// Schedules are drawn from the spaces of the dataset's tasks on its machine, as
// a search draws them. Features of models that read programs are computed as in
// a search: a summarizer, whose memory is used again, receives the program.
// Figures are medians over tasks, in candidates per second of CPU time.

#include "pruner/Analysis/DraftModel.h"
#include "pruner/Analysis/ScheduleFeatures.h"
#include "pruner/CostModel/ModelKind.h"
#include "pruner/Dataset/DatasetView.h"
#include "pruner/Schedule/Space.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <ctime>
#include <unistd.h>

using namespace llvm;
using namespace pruner;

static constexpr size_t kTasks = 16, kSchedules = 512;
static constexpr int kRepetitions = 7;

static double cpuSeconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

static double median(std::vector<double> values) {
  llvm::sort(values);
  return values[values.size() / 2];
}

/// The median time of a call.
static double secondsOf(function_ref<void()> work) {
  std::vector<double> seconds;
  for (int i = 0; i < kRepetitions; ++i) {
    double begin = cpuSeconds();
    work();
    seconds.push_back(cpuSeconds() - begin);
  }
  return median(seconds);
}

namespace {
struct Candidates {
  const MeasuredTask *task;
  std::vector<Schedule> schedules;
};
} // namespace

/// Schedules of tasks from all over the dataset.
static std::vector<Candidates> drawCandidates(const DatasetView &view) {
  std::vector<Candidates> result;
  size_t step = std::max<size_t>(1, view.tasks.size() / kTasks);
  Random random(0);
  for (size_t n = 0; n < view.tasks.size() && result.size() < kTasks;
       n += step) {
    const MeasuredTask &task = view.tasks[n];
    ScheduleSpace space(task.desc, *task.machine);
    Candidates candidates{&task, {}};
    while (candidates.schedules.size() < kSchedules)
      if (std::optional<Schedule> schedule = space.sample(random))
        candidates.schedules.push_back(std::move(*schedule));
      else
        break;
    if (candidates.schedules.size() == kSchedules)
      result.push_back(std::move(candidates));
  }
  return result;
}

static std::vector<ProgramFeatures> featuresOf(const Candidates &candidates,
                                               FeatureParts parts) {
  const MeasuredTask &task = *candidates.task;
  ScheduleFeatures features(task.desc, *task.machine, parts);
  std::vector<ProgramFeatures> programs(candidates.schedules.size());
  if (!features.readsProgram()) {
    for (auto [program, schedule] : zip_equal(programs, candidates.schedules))
      program = features(schedule);
    return programs;
  }
  DraftModel drafts(task.desc, *task.machine);
  for (auto [program, schedule] : zip_equal(programs, candidates.schedules))
    program = features(schedule, drafts.summaryOf(schedule));
  return programs;
}

static CostModelOrError create(StringRef name, StringRef options) {
  OptionValues values;
  if (!options.empty())
    if (std::string error = parseOptions(options.str(), values); !error.empty())
      return {nullptr, error, {}};
  return createCostModel(name.str(), values);
}

/// A model with weights. Untrained ones return zeros without work; those that
/// one step of training leaves will do.
static CostModelOrError train(StringRef name, StringRef options,
                              const std::vector<ProgramFeatures> &programs) {
  CostModelOrError made = create(name, options);
  if (!made.model)
    return made;
  std::vector<float> labels(programs.size());
  for (auto [n, label] : enumerate(labels))
    label = float(n) / float(labels.size());
  TrainingReport report =
      made.model->latency()
          ? made.model->latency()->updateSeconds(
                programs, {labels.begin(), labels.end()}, {})
          : made.model->update(programs, labels,
                               std::vector<int>(programs.size(), 0));
  if (!report.trained)
    made.error = report.message;
  return made;
}

static bool measure(StringRef spec, ArrayRef<Candidates> all) {
  auto [name, options] = spec.split(':');
  CostModelOrError bare = create(name, options);
  if (!bare.model) {
    errs() << bare.error << '\n';
    return false;
  }
  for (const std::string &warning : bare.warnings)
    errs() << "warning: " << warning << '\n';
  FeatureParts parts = bare.model->reads();
  CostModelOrError made = train(name, options, featuresOf(all.front(), parts));
  if (!made.error.empty()) {
    errs() << spec << ": " << made.error << '\n';
    return false;
  }
  std::vector<double> features, network, both;
  for (const Candidates &candidates : all) {
    double count = double(candidates.schedules.size());
    std::vector<ProgramFeatures> programs;
    double f = secondsOf([&] { programs = featuresOf(candidates, parts); });
    made.model->predict(programs); // First-touch costs.
    double p = secondsOf([&] { made.model->predict(programs); });
    features.push_back(count / f);
    network.push_back(count / p);
    both.push_back(count / (f + p));
  }
  outs() << formatv("{0,-28} features {1,10:f0} /s   network {2,8:f0} /s   "
                    "both {3,8:f0} /s\n",
                    spec, median(features), median(network), median(both));
  outs() << "  " << made.model->describe() << '\n';
  outs().flush();
  return true;
}

int main(int argc, char **argv) {
  std::vector<StringRef> words(argv + std::min(argc, 1), argv + argc);
  if (words.empty()) {
    errs() << "usage: pruner-bench-candidates DATASET [model[:options]...]\n";
    return 2;
  }
  Expected<DatasetView> view = readDatasets(words.front());
  if (!view) {
    logAllUnhandledErrors(view.takeError(), errs(), "error: ");
    return 1;
  }
  std::vector<Candidates> all = drawCandidates(*view);
  if (all.empty()) {
    errs() << "error: no task with " << kSchedules << " schedules\n";
    return 1;
  }
  outs() << all.size() << " tasks on " << all.front().task->machine->name
         << ", " << kSchedules << " schedules each\n";
  std::vector<StringRef> models(words.begin() + 1, words.end());
  if (models.empty())
    models = {"pacm", "tlp", R"(tlp:{"width": 64})"};
  bool good = true;
  for (StringRef spec : models)
    good &= measure(spec, all);
  return good ? 0 : 1;
}
