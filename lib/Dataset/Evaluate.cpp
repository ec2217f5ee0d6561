//===- Evaluate.cpp - evaluation of models on datasets --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dataset/Evaluate.h"
#include "AnsorPrimitives.h"
#include "pruner/Dataset/Metrics.h"
#include "pruner/Dataset/Train.h"

#include "pruner/Analysis/Legality.h"
#include "pruner/Sketch/BuildProgram.h"
#include "pruner/Support/NearestName.h"

#include "llvm/Support/Path.h"

using namespace llvm;
using namespace pruner;

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

static constexpr std::pair<StringLiteral, double Penalties::*> kPenalties[] = {
    {"l0-memory", &Penalties::l0Memory},
    {"l0-compute", &Penalties::l0Compute},
    {"l1-memory", &Penalties::l1Memory},
    {"l1-compute", &Penalties::l1Compute},
    {"l2-memory", &Penalties::l2Memory},
    {"l2-compute", &Penalties::l2Compute},
    {"concurrency", &Penalties::concurrency}};

/// `cold`: as if caches held nothing when a program begins. `without`: the name
/// of a term that costs nothing, on machines whose model has it.
static ScoringModel psaModel(std::string name, PsaOptions options,
                             bool cold = false, std::string without = {}) {
  auto seconds = [=](const MeasuredTask &task,
                     ArrayRef<MeasuredProgram> programs) {
    PsaOptions psa = options;
    psa.threads = task.threads;
    if (!cold)
      psa.caches = task.caches;
    psa.withoutTerm =
        findTerm(task.machine->isGpu() ? gpuTerms() : cpuTerms(), without);
    std::vector<double> seconds;
    for (const MeasuredProgram &program : programs)
      seconds.push_back(psaSeconds(program.summary, *task.machine, psa));
    return seconds;
  };
  auto scores = [seconds](const MeasuredTask &task,
                          ArrayRef<MeasuredProgram> programs) {
    std::vector<double> scores = seconds(task, programs);
    for (double &score : scores)
      score = -score;
    return scores;
  };
  return {std::move(name), std::move(scores), {}, std::move(seconds)};
}

static ScoringModel randomModel() {
  return {"random",
          [](const MeasuredTask &, ArrayRef<MeasuredProgram> programs) {
            return std::vector<double>(programs.size(), 0);
          },
          {},
          {}};
}

ScoringModel pruner::scoringModel(StringRef name,
                                  std::shared_ptr<CostModel> model,
                                  const Metadata &origin) {
  auto rowsOf = [model](const MeasuredTask &task,
                        ArrayRef<MeasuredProgram> programs) {
    MeasuredFeatures features(task, model->reads(), FeatureOptions::of(*model));
    std::vector<ProgramFeatures> rows;
    for (const MeasuredProgram &program : programs)
      rows.push_back(features(program));
    return rows;
  };
  ScoringModel result{
      name.str(), {}, trainedShapes(origin), {}, model->refusal(/*gpu=*/false)};
  result.scores = [=](const MeasuredTask &task,
                      ArrayRef<MeasuredProgram> programs) {
    std::vector<float> scores = model->predict(rowsOf(task, programs));
    return std::vector<double>(scores.begin(), scores.end());
  };
  if (model->latency())
    result.seconds = [=](const MeasuredTask &task,
                         ArrayRef<MeasuredProgram> programs) {
      return model->latency()->predictSeconds(rowsOf(task, programs));
    };
  return result;
}

static Expected<ScoringModel> learnedModel(StringRef path) {
  Expected<LoadedModel> loaded = loadModel(path, errs());
  if (!loaded)
    return loaded.takeError();
  return scoringModel(sys::path::stem(path), std::move(loaded->model),
                      loaded->file.metadata);
}

static constexpr std::pair<StringLiteral, PsaForm> kForms[] = {
    {"psa-throughput", PsaForm::Throughput},
    {"psa-paper", PsaForm::Paper},
    {"psa-released", PsaForm::Released}};

static void addAblations(StringRef wanted, std::vector<ScoringModel> &models) {
  for (auto [name, penalty] : kPenalties) {
    std::string model = ("psa-without-" + name).str();
    PsaOptions options{PsaForm::Paper};
    options.without = penalty;
    if (wanted == "ablation-paper" || wanted == model)
      models.push_back(psaModel(model, options));
  }
  StringSet<> added;
  for (auto [group, terms] : {std::pair("ablation", gpuTerms()),
                              std::pair("ablation-cpu", cpuTerms())})
    for (const ModelTerm *term : terms) {
      std::string model = ("psa-without-" + term->name).str();
      // Terms of both kinds of devices may have the same name.
      if (wanted == group || (wanted == model && added.insert(model).second))
        models.push_back(psaModel(model, {}, /*cold=*/false, term->name.str()));
    }
}

Expected<std::vector<ScoringModel>>
pruner::createScoringModels(StringRef names) {
  std::vector<ScoringModel> models;
  for (StringRef name : llvm::split(names, ',')) {
    size_t before = models.size();
    addAblations(name, models);
    if (name == "psa")
      models.push_back(psaModel("psa", {}));
    if (name == "psa-cold")
      models.push_back(psaModel("psa-cold", {}, /*cold=*/true));
    for (auto [model, form] : kForms)
      if (name == model)
        models.push_back(psaModel(model.str(), {form}));
    if (name == "random")
      models.push_back(randomModel());
    if (name.ends_with(".safetensors")) {
      Expected<ScoringModel> learned = learnedModel(name);
      if (!learned)
        return learned.takeError();
      models.push_back(std::move(*learned));
    }
    if (models.size() == before)
      return createStringError(
          "unknown model '" + name +
          "'; expected one of psa, psa-cold, psa-throughput, psa-paper, "
          "psa-released, "
          "psa-without-<term>, ablation, ablation-paper, random, "
          "FILE.safetensors" +
          didYouMean(name,
                     {"psa", "psa-cold", "psa-throughput", "psa-paper",
                      "psa-released", "ablation", "ablation-paper", "random"}));
  }
  return std::move(models);
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

/// Lays out staged buffers in the order of the tensor's dimensions.
static void orderAsTensors(TiledProgram &program, std::vector<Node> &nodes) {
  for (Node &node : nodes) {
    if (auto *band = std::get_if<BandNode>(&node.value))
      orderAsTensors(program, band->body);
    auto *stage = std::get_if<StageNode>(&node.value);
    if (!stage || program.buffers[stage->buffer].level != MemoryLevel::Shared)
      continue;
    BufferDesc &buffer = program.buffers[stage->buffer];
    int64_t pad = buffer.shape.back() - stage->box[buffer.layout.back().coord];
    buffer.shape.assign(stage->box.begin(), stage->box.end());
    buffer.shape.back() += pad;
    buffer.layout.clear();
    for (unsigned r = 0; r < buffer.shape.size(); ++r)
      buffer.layout.push_back({r, 1, 0});
  }
}

ProgramSummary pruner::summarizeMeasured(const MeasuredTask &task,
                                         const Schedule &schedule) {
  StringRef toolchain = task.toolchain;
  TiledProgram program = buildTiledProgram(task.desc, schedule);
  if (!toolchain.starts_with("pruner"))
    for (std::vector<Node> &kernel : program.kernels)
      orderAsTensors(program, kernel);
  ProgramSummary summary = summarize(task.desc, program);
  // TVM's limit also counts the copies of the register tile.
  if (toolchain.starts_with("tvm"))
    summary.unrollMaxStep /=
        std::max<int64_t>(1, summary.kernels.front().accumulators);
  return summary;
}

static PsaOptions psaOf(const MeasuredTask &task) {
  PsaOptions psa;
  psa.threads = task.threads;
  return psa;
}

MeasuredFeatures::MeasuredFeatures(const MeasuredTask &task, FeatureParts parts,
                                   const FeatureOptions &options)
    : task(task), parts(parts),
      features(task.desc, *task.machine, parts, options, psaOf(task)) {}

ProgramFeatures
MeasuredFeatures::operator()(const MeasuredSchedule &measured) const {
  MeasuredProgram program{&measured, {}};
  if (parts.ofPrograms())
    program.summary = summarizeMeasured(task, measured.schedule);
  return (*this)(program);
}

ProgramFeatures
MeasuredFeatures::operator()(const MeasuredProgram &program) const {
  const MeasuredSchedule &measured = *program.measured;
  ProgramFeatures result = parts.ofPrograms()
                               ? features(measured.schedule, program.summary)
                               : features(measured.schedule);
  // Unreadable primitives were reported as bad lines. Missing ones add nothing
  // to the score.
  if (parts.recordedPrimitives && !measured.primitives.empty())
    result.primitives = cantFail(
        ansorPrimitiveRows(measured.primitives, task.machine->isGpu()));
  return result;
}

/// `speeds` are relative to the fastest schedule; failed ones have 0.
static ChoiceQuality judge(ArrayRef<double> scores, ArrayRef<double> speeds) {
  ChoiceQuality quality;
  std::vector<double> scoresOfOk, speedsOfOk;
  for (auto [score, speed] : llvm::zip_equal(scores, speeds))
    if (speed > 0) {
      scoresOfOk.push_back(score);
      speedsOfOk.push_back(speed);
    }
  quality.correlation = rankCorrelation(scoresOfOk, speedsOfOk);
  quality.pairs = pairwiseAccuracy(scores, speeds);
  for (auto [count, best] : llvm::zip_equal(kChoices, quality.best))
    if (count < scores.size())
      best = bestOfHighest(scores, speeds, count);
  return quality;
}

static TaskEvaluation evaluateTask(const MeasuredTask &task,
                                   ArrayRef<ScoringModel> models,
                                   const EvaluationOptions &options) {
  TaskEvaluation result;
  result.task = &task;
  std::vector<MeasuredProgram> programs;
  std::vector<double> speeds;
  double fastest = std::numeric_limits<double>::infinity();
  size_t count = task.schedules.size();
  if (options.first)
    count = std::min(count, options.first);
  for (const MeasuredSchedule &measured :
       ArrayRef(task.schedules).take_front(count)) {
    const Schedule &schedule = measured.schedule;
    if (schedule.unroll < options.leastUnroll)
      continue;
    if (checkSchedule(task.desc, schedule, *task.machine)) {
      ++result.illegal;
      if (options.legalOnly)
        continue;
    }
    programs.push_back({&measured, summarizeMeasured(task, schedule)});
    speeds.push_back(measured.seconds ? 1 / *measured.seconds : 0);
    if (measured.seconds)
      fastest = std::min(fastest, *measured.seconds);
    else
      ++result.failed;
  }
  result.schedules = speeds.size();
  if (result.schedules < result.failed + 2)
    return result;
  for (double &speed : speeds)
    speed *= fastest;
  for (const ScoringModel &model : models)
    result.models.push_back(judge(model.scores(task, programs), speeds));
  return result;
}

std::vector<TaskEvaluation> pruner::evaluate(const DatasetView &view,
                                             ArrayRef<ScoringModel> models,
                                             const EvaluationOptions &options) {
  std::vector<TaskEvaluation> all;
  for (const MeasuredTask &task : view.tasks) {
    std::string shape = taskShape(task.desc);
    if (options.unseenOnly && any_of(models, [&](const ScoringModel &model) {
          return model.trainedBy.contains(shape);
        }))
      continue;
    TaskEvaluation result = evaluateTask(task, models, options);
    if (!result.models.empty())
      all.push_back(std::move(result));
  }
  return all;
}
