//===- PacmModel.cpp - the models "pacm" and "tensetmlp" ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Export.h"
#include "LearnedModel.h"
#include "PacmTraining.h"
#include "SourceSample.h"
#include "pruner/CostModel/Models/Pacm.h"
#include "pruner/CostModel/TermsVersion.h"

#include <c10/core/GradMode.h>

#include <cstring>
#include <exception>
#include <numeric>
#include <optional>

using namespace pruner;

static const char kSiamese[] = "siamese.";

namespace {
/// PaCM and TenSetMLP. MoA (momentum adaptation) keeps a slow (Siamese) copy of
/// the weights. Every training starts from this copy, which then moves a little
/// towards the trained weights. It is not trained itself.
class PacmModel : public LearnedModel {
public:
  /// \p branches as in NetworkParts::of.
  PacmModel(std::string modelName, const TensetMlpOptions &options, bool isPacm,
            const std::string &branches)
      : LearnedModel(std::move(modelName), options), options(options),
        branches(branches),
        network(
            Network::create(NetworkParts::of(isPacm, branches), options.seed)) {
    network.plain = options.kernels == "plain";
  }

  FeatureParts reads() const override {
    bool terms = ready ? network.terms || network.prior > 0
                       : options.terms == "yes" || options.prior > 0;
    FeatureParts parts;
    parts.statements = true;
    parts.terms = terms;
    parts.released = released;
    return parts;
  }
  std::string describe() const override {
    return describeWith(network.parameterCount());
  }

private:
  bool isUsable(const ProgramFeatures &program) const override {
    return program.isValid(reads()) &&
           (!ready || !network.terms ||
            std::int64_t(program.terms.size()) == network.terms);
  }
  /// The network that training starts from, for programs with this many terms.
  Network startingPoint(std::int64_t terms) const;
  void write(TensorFile &file) const override;
  std::string read(const TensorFile &file) override;
  TrainingReport train(const Programs &programs,
                       const std::vector<float> &labels,
                       const std::vector<int> &groups) override;
  void score(const Programs &programs, float *scores) override;
  std::string reasonToSkip() override;

  TensetMlpOptions options;
  std::string branches;
  /// See `FeatureParts::released`.
  bool released = false;
  /// Stays on the CPU. Training and scoring use copies on the device.
  Network network;
  /// MoA's slow weights. Before the first training they equal `network`.
  std::optional<Network> siamese;
  std::optional<Scorer> scorer;
  /// The network on its device, used instead of the scorer with plain kernels.
  std::optional<Network> elsewhere;
  std::int64_t updates = 0;
  /// Representations of the programs that the weights were trained on;
  /// undefined if unknown.
  at::Tensor source;
};
} // namespace

void PacmModel::score(const Programs &programs, float *scores) {
  bool batchStatistics = options.batchNorm == "batch";
  if (device.is_cpu() && !network.plain) {
    if (!scorer)
      scorer.emplace(network);
    return scorer->score(programs, batchStatistics, scores);
  }
  c10::NoGradGuard noGrad;
  if (!elsewhere) {
    elsewhere = network.clone();
    elsewhere->to(device);
  }
  std::vector<std::size_t> all(programs.size());
  std::iota(all.begin(), all.end(), std::size_t(0));
  Batch batch = makeBatch(*elsewhere, programs, all.data(), all.size());
  at::Tensor found =
      elsewhere->evaluate(batch, batchStatistics && all.size() > 1)
          .to(at::kCPU);
  std::memcpy(scores, found.data_ptr<float>(), all.size() * sizeof(float));
}

Network PacmModel::startingPoint(std::int64_t terms) const {
  if (options.slowCopy() && siamese)
    return siamese->clone();
  if (ready && continues())
    return network.clone();
  auto parts = NetworkParts::of(network.isPacm, branches);
  parts.terms = options.terms == "yes" ? terms : 0;
  Network fresh = Network::create(parts, options.seed);
  fresh.prior = options.prior;
  return fresh;
}

std::string PacmModel::reasonToSkip() {
  ++updates;
  const SlowCopy *slow = options.slowCopy();
  if (!slow || updates % slow->period == 0)
    return {};
  return "momentum adaptation trains at every " + std::to_string(slow->period) +
         "th update, this is " + std::to_string(updates);
}

TrainingReport PacmModel::train(const Programs &programs,
                                const std::vector<float> &labels,
                                const std::vector<int> &groups) {
  const Network begin = startingPoint(programs.front()->terms.size());
  for (const ProgramFeatures *program : programs)
    if (begin.terms && std::int64_t(program->terms.size()) != begin.terms) {
      TrainingReport report;
      report.message = "programs have different numbers of terms";
      return report;
    }
  Network next = begin.clone();
  if (keepsScaling() && ready) {
    next.statementScaling = network.statementScaling;
    next.dataflowScaling = network.dataflowScaling;
    next.termScaling = network.termScaling;
  } else {
    computeScaling(programs, options.scaling == "standard", next);
  }
  next.plain = network.plain;
  next.to(device);
  PacmTrainee trainee(next, programs);
  TrainingReport report =
      trainNetwork(trainee, labels, groups, options, source);
  if (!report.trained)
    return report;
  if (!options.partialSteps())
    source = trainee.represent(sampleOf(programs.size()));
  next.to(at::kCPU);
  if (const SlowCopy *how = options.slowCopy()) {
    // Copies parameters only. The slow copy keeps its running statistics.
    Network slow = begin.clone();
    c10::NoGradGuard noGrad;
    for (std::size_t i = 0; i < slow.parameters.size(); ++i)
      slow.parameters[i]
          .second.mul_(how->momentum)
          .add_(next.parameters[i].second, 1.0 - how->momentum);
    siamese = std::move(slow);
  }
  network = std::move(next);
  scorer.reset();
  elsewhere.reset();
  ready = true;
  return report;
}

void PacmModel::write(TensorFile &file) const {
  file.metadata["schema"] = std::to_string(kFeatureSchemaVersion);
  writePrior(file.metadata, network.prior);
  file.metadata["branches"] = network.branches();
  if (network.terms || network.prior > 0)
    writeTermsVersion(file.metadata);
  file.metadata.erase("features");
  if (released)
    file.metadata["features"] = "released";
  network.write(file, "");
  if (siamese)
    siamese->write(file, kSiamese);
  writeSample(file, source);
}

std::string PacmModel::read(const TensorFile &file) {
  const std::string notOurs = "not weights of '" + modelName + "': ";
  // Published files have no schema.
  auto schema = file.metadata.find("schema");
  if (schema != file.metadata.end() &&
      schema->second != std::to_string(kFeatureSchemaVersion))
    return "trained on feature schema " + schema->second +
           ", but this build has schema " +
           std::to_string(kFeatureSchemaVersion);
  Network next = network.clone();
  std::string problem = next.read(file, "");
  if (!problem.empty())
    return notOurs + problem;
  // Files without a prior keep that of the options.
  if (file.metadata.count("prior"))
    problem = readPrior(file.metadata, next.prior);
  if (problem.empty() && (next.terms || next.prior > 0))
    problem = checkTermsVersion(file.metadata);
  if (!problem.empty())
    return problem;
  // The slow copy is optional. All other tensors must be read.
  std::optional<Network> slow;
  bool hasSiamese = file.find(kSiamese + std::string("decoder.bias"));
  // The published format stores maxima instead of scales and means.
  std::size_t published = 0;
  for (const char *name : {"statement_feature_max", "dataflow_feature_max"})
    published += file.find(name) != nullptr;
  std::size_t expected = next.tensorNames().size() - published;
  if (hasSiamese) {
    slow = next.clone();
    problem = slow->read(file, kSiamese);
    slow->prior = next.prior;
    if (!problem.empty())
      return "not the slow weights of '" + modelName + "': " + problem;
    expected *= 2;
  }
  expected += samplesIn(file);
  at::Tensor sample;
  problem = readSample(file, next.get("decoder.weight").size(1), sample);
  if (!problem.empty())
    return notOurs + problem;
  if (file.tensors.size() != expected)
    return notOurs + std::to_string(file.tensors.size()) +
           " tensors instead of " + std::to_string(expected);
  network = std::move(next);
  source = std::move(sample);
  siamese.reset();
  if (options.slowCopy() && slow)
    siamese = std::move(slow);
  scorer.reset();
  elsewhere.reset();
  released =
      schema == file.metadata.end() || file.stated("features") == "released";
  return {};
}

extern "C" PRUNER_EXPORT CostModel *
prunerCreatePacm(const PacmOptions &options, char *error, std::size_t size) {
  return createGuarded(error, size, [&] {
    return new PacmModel("pacm", options, /*isPacm=*/true, options.branches);
  });
}

extern "C" PRUNER_EXPORT CostModel *
prunerCreateTensetMlp(const TensetMlpOptions &options, char *error,
                      std::size_t size) {
  return createGuarded(error, size, [&] {
    return new PacmModel("tensetmlp", options, /*isPacm=*/false, "both");
  });
}
