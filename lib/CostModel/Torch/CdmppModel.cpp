//===- CdmppModel.cpp - the model "cdmpp" ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CdmppTraining.h"
#include "Export.h"
#include "LearnedModel.h"
#include "pruner/CostModel/TermsVersion.h"

#include <c10/core/GradMode.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <optional>

using namespace pruner;

/// Programs that are scored in one call of the network.
static constexpr std::size_t kChunk = 256;

namespace {
class CdmppModel : public LearnedModel, public LatencyModel {
public:
  explicit CdmppModel(const CdmppOptions &options)
      : LearnedModel("cdmpp", options), options(options),
        network(CdmppNetwork::create(shapeOf(options, 0), options.seed)) {}

  FeatureParts reads() const override {
    FeatureParts parts;
    parts.tree = true;
    parts.terms = ready ? network.shape.terms > 0 : options.terms == "yes";
    return parts;
  }
  LatencyModel *latency() override { return this; }
  std::vector<double>
  predictSeconds(const std::vector<ProgramFeatures> &programs) override;
  TrainingReport update(const std::vector<ProgramFeatures> &,
                        const std::vector<float> &,
                        const std::vector<int> &) override {
    TrainingReport report;
    report.message = "cdmpp trains on seconds, not on relative speeds";
    return report;
  }
  TrainingReport updateSeconds(const std::vector<ProgramFeatures> &programs,
                               const std::vector<double> &seconds,
                               const std::vector<char> &target) override;
  std::string describe() const override {
    return describeWith(network.parameterCount());
  }

private:
  static CdmppShape shapeOf(const CdmppOptions &options, std::size_t terms) {
    return {
        options.layers,       options.feedForward,
        options.encoderWidth, options.embedding,
        options.decoderWidth, options.terms == "yes" ? std::int64_t(terms) : 0};
  }
  bool isUsable(const ProgramFeatures &program) const override {
    return program.isValid(reads()) &&
           (!ready || !network.shape.terms ||
            std::int64_t(program.terms.size()) == network.shape.terms);
  }
  /// Scores are negated labels, so that larger is faster.
  void score(const Programs &programs, float *scores) override;
  void write(TensorFile &file) const override;
  std::string read(const TensorFile &file) override;
  TrainingReport train(const Programs &, const std::vector<float> &,
                       const std::vector<int> &) override {
    return {};
  }
  TrainingReport train(const LatencyTrainingSet &training);

  CdmppOptions options;
  /// Stays on the CPU. Training and scoring use copies on the device.
  CdmppNetwork network;
  std::optional<CdmppNetwork> elsewhere;
};
} // namespace

void CdmppModel::score(const Programs &programs, float *scores) {
  c10::NoGradGuard noGrad;
  if (!device.is_cpu() && !elsewhere) {
    elsewhere = network.clone();
    elsewhere->to(device);
  }
  const CdmppNetwork &used = elsewhere ? *elsewhere : network;
  scoreInChunks(
      programs.size(), kChunk,
      [&](const std::size_t *indices, std::size_t count) {
        CdmppBatch batch = used.makeBatch(programs, indices, count);
        return used.decode(used.encode(batch, 0, {})).neg();
      },
      scores);
}

std::vector<double>
CdmppModel::predictSeconds(const std::vector<ProgramFeatures> &programs) {
  std::vector<double> result(programs.size(),
                             std::numeric_limits<double>::quiet_NaN());
  if (!ready)
    return result;
  std::vector<float> scores = predict(programs);
  for (std::size_t i = 0; i < scores.size(); ++i)
    if (std::isfinite(scores[i]))
      result[i] = network.latency.seconds(-double(scores[i]));
  return result;
}

TrainingReport CdmppModel::train(const LatencyTrainingSet &training) {
  std::vector<double> times;
  std::vector<const ProgramFeatures *> timed;
  for (std::size_t i = 0; i < training.programs.size(); ++i)
    if (training.seconds[i] > 0) {
      times.push_back(training.seconds[i]);
      timed.push_back(training.programs[i]);
    }
  TrainingReport report;
  if (timed.size() < 2) {
    report.message = "fewer than two valid programs with a time to learn from";
    return report;
  }
  std::size_t terms = timed.front()->terms.size();
  bool goesOn = ready && continues();
  CdmppNetwork next =
      goesOn ? network.clone()
             : CdmppNetwork::create(shapeOf(options, terms), options.seed);
  if (next.shape.terms && std::int64_t(terms) != next.shape.terms) {
    report.message = "programs have different numbers of terms";
    return report;
  }
  if (ready && keepsScaling() && next.shape.terms == network.shape.terms) {
    next.leafScaling = network.clone().leafScaling;
    next.termScaling = network.clone().termScaling;
  } else {
    next.computeScaling(timed, options.scaling == "standard");
  }
  // Loaded weights predict the labels they were trained on, so the
  // transformation stays and only its bounds grow.
  LatencyScale latency = LatencyScale::of(times);
  if (goesOn) {
    next.latency.lowest = std::min(next.latency.lowest, latency.lowest);
    next.latency.highest = std::max(next.latency.highest, latency.highest);
  } else {
    next.latency = latency;
  }
  next.to(device);
  report = trainCdmpp(next, training, options);
  if (!report.trained)
    return report;
  next.to(at::kCPU);
  network = std::move(next);
  elsewhere.reset();
  ready = true;
  return report;
}

TrainingReport
CdmppModel::updateSeconds(const std::vector<ProgramFeatures> &programs,
                          const std::vector<double> &seconds,
                          const std::vector<char> &target) {
  TrainingReport report;
  if (seconds.size() != programs.size() ||
      (!target.empty() && target.size() != programs.size())) {
    report.message = "there are " + std::to_string(programs.size()) +
                     " programs, but " + std::to_string(seconds.size()) +
                     " times and " + std::to_string(target.size()) + " targets";
    return report;
  }
  LatencyTrainingSet training;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    bool timed = seconds[i] > 0 && std::isfinite(seconds[i]);
    bool ofTarget = !target.empty() && target[i];
    if (!isUsable(programs[i]) || (!timed && !ofTarget))
      continue;
    training.programs.push_back(&programs[i]);
    training.seconds.push_back(timed ? seconds[i] : 0);
    training.target.push_back(ofTarget);
  }
  try {
    ThreadCount threads(common.threads);
    report = train(training);
  } catch (const std::exception &exception) {
    report = TrainingReport();
    report.message = modelName + ": " + exception.what();
  }
  return report;
}

void CdmppModel::write(TensorFile &file) const {
  file.metadata["schema"] = std::to_string(kFeatureSchemaVersion);
  file.metadata["tree"] = std::to_string(kProgramTreeVersion);
  if (network.shape.terms)
    writeTermsVersion(file.metadata);
  network.write(file);
}

std::string CdmppModel::read(const TensorFile &file) {
  const std::pair<const char *, int> versions[] = {
      {"schema", kFeatureSchemaVersion}, {"tree", kProgramTreeVersion}};
  for (auto [name, current] : versions) {
    auto version = file.metadata.find(name);
    if (version != file.metadata.end() &&
        version->second != std::to_string(current))
      return "trained on version " + version->second + " of '" + name +
             "', but this build has version " + std::to_string(current);
  }
  CdmppNetwork next = network;
  if (std::string problem = next.read(file); !problem.empty())
    return "not weights of 'cdmpp': " + problem;
  if (next.shape.terms)
    if (std::string problem = checkTermsVersion(file.metadata);
        !problem.empty())
      return problem;
  network = std::move(next);
  elsewhere.reset();
  return {};
}

extern "C" PRUNER_EXPORT CostModel *
prunerCreateCdmpp(const CdmppOptions &options, char *error, std::size_t size) {
  return createGuarded(error, size, [&] { return new CdmppModel(options); });
}
