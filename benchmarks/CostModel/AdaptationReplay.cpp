//===- AdaptationReplay.cpp - pruner-bench-adaptation ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts the measurements that weights from another machine save. Tasks of a
// dataset whose shapes were not in the training are tuned again, with recorded
// times. Each task in rotation gets a batch of its recorded schedules, which
// are chosen as the tuner chooses among drafts. The model is trained between
// batches by the tuner's rule.
//
// A contender is an adaptation (CostModel/Adaptation.h) with options of the
// model, `moses:{"transferable": 0.3}`, or `random` or `psa`. One with
// `+end=0.05` ends tasks by the variation of predictions (Search/Certainty.h).
//
// With --undrafted, schedules are chosen at random before the first training,
// as in the papers, and not by the analytical model.
//
// stdout has one JSON object. For each task and contender it has the numbers of
// the trials that reached 0.9, 0.95 and 0.99 of the best recorded speed (null
// if no trial did), and the share of this speed after each batch.

#include "pruner/CostModel/ModelKind.h"
#include "pruner/CostModel/WeightFile.h"
#include "pruner/Dataset/Train.h"
#include "pruner/Search/Certainty.h"
#include "pruner/Support/Random.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace llvm;
using namespace pruner;

/// The same values as in lib/Tune/Rounds.cpp and SearchOptions.
static constexpr size_t kTrainingShare = 16;
static constexpr double kTrustAfter = 50, kRandomShare = 0.1;
static constexpr double kTargets[] = {0.9, 0.95, 0.99};

namespace {
struct Contender {
  std::string name, adaptation;
  OptionValues options;
  CertaintyOptions certainty;
};

struct Settings {
  WeightFile weights;
  const ModelKind *model = nullptr; ///< Of the weights.
  OptionValues options; ///< Of the model, unless a contender has others.
  std::vector<Contender> contenders;
  unsigned batch = 10, trials = 100;
  bool undrafted = false;
  size_t first = 0; ///< Use only this many schedules of each task; 0: all.
  uint64_t seed = 0;
};

/// A task without measurements.
struct Replayed {
  const MeasuredTask *task;
  std::vector<ProgramFeatures> programs;
  std::vector<double> drafts; ///< Seconds by the analytical model.
  double fastest = 0;         ///< Seconds of the best recorded.
};

/// The course of one contender at one task.
struct Course {
  std::vector<size_t> chosen; ///< In order.
  std::vector<std::vector<size_t>> batches;
  std::vector<bool> known;
  double best = INFINITY;
  std::vector<std::optional<size_t>> reached;
  std::vector<double> after; ///< fastest / best after each batch.
  bool ended = false;
};
} // namespace

/// The schedules with the best scores that are not known yet, and a random
/// share. While the model has little data, the analytical model chooses a part.
static std::vector<size_t> choose(const Replayed &task, const Course &course,
                                  const std::vector<float> &scores,
                                  double share, bool undrafted, unsigned count,
                                  Random &random) {
  std::vector<size_t> byModel, byDraft, left;
  for (size_t i = 0; i < task.programs.size(); ++i)
    if (!course.known[i])
      left.push_back(i);
  byModel = byDraft = left;
  auto isDraftedBefore = [&](size_t a, size_t b) {
    return task.drafts[a] < task.drafts[b];
  };
  llvm::stable_sort(byDraft, isDraftedBefore);
  if (undrafted) {
    byDraft = left;
    random.shuffle(byDraft);
  }
  if (scores.empty())
    byModel = byDraft;
  else
    llvm::stable_sort(
        byModel, [&](size_t a, size_t b) { return scores[a] > scores[b]; });
  random.shuffle(left);
  std::set<size_t> taken;
  std::vector<size_t> result;
  auto take = [&](const std::vector<size_t> &from) {
    for (size_t i : from)
      if (taken.insert(i).second) {
        result.push_back(i);
        return;
      }
  };
  double draftDue = random.uniformReal(), randomDue = random.uniformReal();
  while (result.size() < std::min<size_t>(count, left.size())) {
    if ((randomDue += kRandomShare) >= 1) {
      randomDue -= 1;
      take(left);
    } else if ((draftDue += share) >= 1) {
      draftDue -= 1;
      take(byDraft);
    } else {
      take(byModel);
    }
  }
  return result;
}

static void measure(const Replayed &task, const std::vector<size_t> &batch,
                    Course &course) {
  for (size_t i : batch) {
    course.known[i] = true;
    course.chosen.push_back(i);
    if (auto seconds = task.task->schedules[i].seconds)
      course.best = std::min(course.best, *seconds);
    for (auto [target, reached] : zip_equal(kTargets, course.reached))
      if (!reached && task.fastest >= target * course.best)
        reached = course.chosen.size();
  }
  course.batches.push_back(batch);
  course.after.push_back(task.fastest / course.best);
}

/// The model learns everything that is known.
static TrainingReport trainModel(CostModel &model, ArrayRef<Replayed> tasks,
                                 ArrayRef<Course> courses) {
  std::vector<ProgramFeatures> programs;
  std::vector<float> labels;
  std::vector<int> groups;
  for (auto [n, task] : enumerate(tasks))
    for (size_t i : courses[n].chosen) {
      programs.push_back(task.programs[i]);
      auto seconds = task.task->schedules[i].seconds;
      labels.push_back(seconds ? float(courses[n].best / *seconds) : 0);
      groups.push_back(int(n));
    }
  return model.update(programs, labels, groups);
}

static Expected<std::unique_ptr<CostModel>> makeModel(const Settings &settings,
                                                      const Contender &of) {
  std::unique_ptr<Adaptation> adaptation = createAdaptation(of.adaptation);
  if (!adaptation)
    return nullptr;
  if (std::string why = refuseAdaptation(*settings.model, of.adaptation);
      !why.empty())
    return createStringError(of.name + ": " + why);
  OptionValues options = settings.options;
  for (const auto &[key, value] : of.options)
    options[key] = value;
  options["seed"] = int64_t(settings.seed);
  if (settings.model->hasOption("adapt") && adaptation->trains())
    options["adapt"] = of.adaptation;
  CostModelOrError made = settings.model->create(options);
  if (!made.model)
    return createStringError(made.error);
  if (adaptation->usesWeights())
    if (std::string error = loadWeights(*made.model, settings.weights);
        !error.empty())
      return createStringError(error);
  return std::move(made.model);
}

static void endCertain(CostModel &model, ArrayRef<Replayed> tasks,
                       const CertaintyOptions &options,
                       MutableArrayRef<Course> courses) {
  for (auto [n, course] : enumerate(courses)) {
    std::vector<std::vector<float>> scores;
    for (const std::vector<size_t> &batch : course.batches) {
      std::vector<ProgramFeatures> programs;
      for (size_t i : batch)
        programs.push_back(tasks[n].programs[i]);
      scores.push_back(model.predict(programs));
    }
    course.ended |= isCertain(scores, options);
  }
}

static Expected<std::vector<Course>> replay(ArrayRef<Replayed> tasks,
                                            const Settings &settings,
                                            const Contender &of) {
  auto model = makeModel(settings, of);
  if (!model)
    return model.takeError();
  bool learns = *model && of.adaptation != "none";
  bool trusted = of.adaptation != "scratch";
  std::vector<Course> courses(tasks.size());
  for (auto [task, course] : zip_equal(tasks, courses)) {
    course.known.assign(task.programs.size(), false);
    course.reached.resize(std::size(kTargets));
  }
  size_t learned = 0, trained = 0;
  unsigned updates = 0;
  Random random(settings.seed);
  for (unsigned round = 0; round * settings.batch < settings.trials; ++round) {
    for (auto [n, task] : enumerate(tasks)) {
      Course &course = courses[n];
      if (course.ended || course.chosen.size() == task.programs.size())
        continue;
      std::vector<float> scores;
      if (*model && (trusted || updates > 0))
        scores = (*model)->predict(task.programs);
      Random drawing = random.fork(round * tasks.size() + n);
      std::vector<size_t> batch;
      if (of.adaptation == "random") {
        for (size_t i = 0; i < task.programs.size(); ++i)
          if (!course.known[i])
            batch.push_back(i);
        drawing.shuffle(batch);
        batch.resize(std::min<size_t>(batch.size(), settings.batch));
      } else {
        // A model that has learned nothing before has to earn its places.
        double measured = double(course.chosen.size());
        double share = trusted ? 0 : kTrustAfter / (kTrustAfter + measured);
        if (settings.undrafted && of.adaptation != "psa")
          share = 0;
        batch = choose(task, course, scores, share,
                       settings.undrafted && of.adaptation != "psa",
                       settings.batch, drawing);
      }
      measure(task, batch, course);
      learned += batch.size();
      bool first = round == 0 && n + 1 < tasks.size();
      if (!learns || first || learned - trained < trained / kTrainingShare ||
          learned == trained)
        continue;
      trained = learned;
      TrainingReport report = trainModel(**model, tasks, courses);
      updates += report.trained;
      if (report.trained && of.certainty.below > 0)
        endCertain(**model, tasks, of.certainty, courses);
    }
  }
  errs() << formatv("{0}: {1} updates\n", of.name, updates);
  return std::move(courses);
}

/// Reads JSON, or nothing.
static std::string readOptions(StringRef json, OptionValues &options) {
  return json.empty() ? "" : parseOptions(json.str(), options);
}

/// NAME[:JSON][+end=VARIATION]
static Expected<Contender> parseContender(StringRef text) {
  Contender result;
  result.name = text.str();
  auto [rest, end] = text.split("+end=");
  if (!end.empty() && (end.getAsDouble(result.certainty.below) ||
                       !(result.certainty.below > 0)))
    return createStringError("'" + text + "': +end= takes a positive number");
  auto [name, options] = rest.split(':');
  result.adaptation = name.str();
  if (name != "random" && name != "psa" && !createAdaptation(name.str())) {
    std::string known;
    for (const std::unique_ptr<Adaptation> &each : adaptations())
      known += ", " + each->name();
    return createStringError("unknown choice '" + name +
                             "'; expected one of random, psa" + known);
  }
  if (std::string error = readOptions(options, result.options); !error.empty())
    return createStringError(error);
  return std::move(result);
}

static Error parse(ArrayRef<StringRef> words, Settings &settings,
                   std::vector<StringRef> &files) {
  for (StringRef word : words) {
    auto [name, value] = word.split('=');
    if (!name.starts_with("--")) {
      files.push_back(word);
    } else if (name == "--by") {
      Expected<Contender> contender = parseContender(value);
      if (!contender)
        return contender.takeError();
      settings.contenders.push_back(std::move(*contender));
    } else if (word == "--undrafted") {
      settings.undrafted = true;
    } else if (name == "--options") {
      if (std::string error = readOptions(value, settings.options);
          !error.empty())
        return createStringError(error);
    } else if (name == "--weights") {
      settings.weights.path = value.str();
    } else if ((name == "--batch" && !value.getAsInteger(10, settings.batch) &&
                settings.batch) ||
               (name == "--trials" &&
                !value.getAsInteger(10, settings.trials)) ||
               (name == "--first" && !value.getAsInteger(10, settings.first)) ||
               (name == "--seed" && !value.getAsInteger(10, settings.seed))) {
      continue;
    } else {
      return createStringError("'" + word +
                               "' is not an option, or has no number");
    }
  }
  if (files.empty() || settings.weights.path.empty() ||
      settings.contenders.empty())
    return createStringError(
        "usage: pruner-bench-adaptation --weights=FILE --by=NAME... "
        "[--options=JSON] [--batch=N] [--trials=N] [--first=N] [--undrafted] "
        "[--seed=N] "
        "DATASET...");
  std::string error = readWeights(settings.weights.path, settings.weights);
  if (error.empty())
    settings.model = kindOf(settings.weights, error);
  return error.empty() ? Error::success() : createStringError(error);
}

/// The tasks whose shapes were not in the training of the weights, with more
/// schedules than one batch.
static Expected<std::vector<Replayed>> readTasks(const DatasetView &view,
                                                 const Settings &settings) {
  Expected<LoadedModel> model = loadModel(settings.weights.path, errs());
  if (!model)
    return model.takeError();
  StringSet<> seen = trainedShapes(model->file.metadata);
  auto drafts = createScoringModels("psa");
  if (!drafts)
    return drafts.takeError();
  std::vector<Replayed> result;
  for (const MeasuredTask &task : view.tasks) {
    if (seen.contains(taskShape(task.desc)) ||
        task.schedules.size() <= settings.batch)
      continue;
    Replayed replayed{&task, {}, {}, INFINITY};
    MeasuredFeatures features(task, model->model->reads(),
                              FeatureOptions::of(*model->model));
    std::vector<MeasuredProgram> programs;
    ArrayRef<MeasuredSchedule> schedules = task.schedules;
    if (settings.first)
      schedules = schedules.take_front(settings.first);
    for (const MeasuredSchedule &measured : schedules) {
      programs.push_back(
          {&measured, summarizeMeasured(task, measured.schedule)});
      replayed.programs.push_back(features(measured));
      if (measured.seconds)
        replayed.fastest = std::min(replayed.fastest, *measured.seconds);
    }
    for (double score : drafts->front().scores(task, programs))
      replayed.drafts.push_back(-score);
    if (std::isfinite(replayed.fastest))
      result.push_back(std::move(replayed));
  }
  if (result.empty())
    return createStringError(
        "expected a task whose shape is not in the training "
        "data of the weights");
  return std::move(result);
}

static json::Value toJson(const Course &course) {
  json::Array reached, after;
  for (const std::optional<size_t> &trial : course.reached)
    reached.push_back(trial ? json::Value(int64_t(*trial)) : nullptr);
  for (double share : course.after)
    after.push_back(std::round(share * 1e4) / 1e4);
  return json::Object{{"trials", int64_t(course.chosen.size())},
                      {"reached", std::move(reached)},
                      {"after", std::move(after)}};
}

static Error run(ArrayRef<StringRef> words) {
  Settings settings;
  std::vector<StringRef> files;
  if (Error error = parse(words, settings, files))
    return error;
  Expected<DatasetView> view = readDatasets(files);
  if (!view)
    return view.takeError();
  auto tasks = readTasks(*view, settings);
  if (!tasks)
    return tasks.takeError();
  json::Array described;
  for (const Replayed &task : *tasks)
    described.push_back(
        json::Object{{"name", task.task->name},
                     {"kind", task.task->kind},
                     {"schedules", int64_t(task.programs.size())},
                     {"by", json::Object()}});
  for (const Contender &contender : settings.contenders) {
    auto courses = replay(*tasks, settings, contender);
    if (!courses)
      return courses.takeError();
    for (auto [task, course] : zip_equal(described, *courses))
      (*task.getAsObject()->getObject("by"))[contender.name] = toJson(course);
  }
  outs() << formatv(
      "{0:1}\n",
      json::Value(json::Object{{"model", settings.model->name()},
                               {"machine", tasks->front().task->machine->name},
                               {"batch", int64_t(settings.batch)},
                               {"trials", int64_t(settings.trials)},
                               {"first", int64_t(settings.first)},
                               {"undrafted", settings.undrafted},
                               {"seed", int64_t(settings.seed)},
                               {"tasks", std::move(described)}}));
  return Error::success();
}

int main(int argc, char **argv) {
  std::vector<StringRef> words(argv + std::min(argc, 1), argv + argc);
  Error error = run(words);
  bool good = !error;
  logAllUnhandledErrors(std::move(error), errs(),
                        "pruner-bench-adaptation: error: ");
  return good ? 0 : 1;
}
