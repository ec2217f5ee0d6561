//===- TorchModel.cpp - the learned models --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TorchModel.h"
#include "LearnedModel.h"
#include "PacmTraining.h"
#include "SourceSample.h"
#include "pruner/CostModel/TermsVersion.h"

#include <ATen/Parallel.h>
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
class TorchModel : public LearnedModel {
public:
  TorchModel(std::string modelName, bool isPacm, const ModelOptions &options)
      : LearnedModel(std::move(modelName), options),
        hasMomentum(options.adapt == "moa"),
        network(Network::create(NetworkParts::of(isPacm, options.branches),
                                options.seed)) {
    network.plain = options.kernels == "plain";
  }

  FeatureParts reads() const override {
    bool terms = ready ? network.terms || network.prior > 0
                       : options.terms == "yes" || options.prior > 0;
    FeatureParts parts;
    parts.statements = true;
    parts.terms = terms;
    return parts;
  }
  bool updatesFromScratch() const override {
    return !continues() && !keepsScaling();
  }
  bool readsReleasedFeatures() const override { return released; }
  std::string save(const std::string &path) const override;
  std::string load(const std::string &path) override;
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
  TrainingReport train(const Programs &programs,
                       const std::vector<float> &labels,
                       const std::vector<int> &groups) override;
  void score(const Programs &programs, float *scores) override;
  std::string reasonToSkip() override;

  bool hasMomentum;
  /// See `readsReleasedFeatures`.
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

void TorchModel::score(const Programs &programs, float *scores) {
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

Network TorchModel::startingPoint(std::int64_t terms) const {
  if (hasMomentum && siamese)
    return siamese->clone();
  if (ready && continues())
    return network.clone();
  auto parts = NetworkParts::of(network.isPacm, options.branches);
  parts.terms = options.terms == "yes" ? terms : 0;
  Network fresh = Network::create(parts, options.seed);
  fresh.prior = options.prior;
  return fresh;
}

std::string TorchModel::reasonToSkip() {
  ++updates;
  if (!hasMomentum || updates % options.period == 0)
    return {};
  return "momentum adaptation trains at every " +
         std::to_string(options.period) + "th update, this is " +
         std::to_string(updates);
}

TrainingReport TorchModel::train(const Programs &programs,
                                 const std::vector<float> &labels,
                                 const std::vector<int> &groups) {
  if (std::string lacking = lacksWeights(); !lacking.empty()) {
    TrainingReport report;
    report.message = lacking;
    return report;
  }
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
  if (options.adapt != "moses")
    source = trainee.represent(sampleOf(programs.size()));
  next.to(at::kCPU);
  if (hasMomentum) {
    // Copies parameters only. The slow copy keeps its running statistics.
    Network slow = begin.clone();
    c10::NoGradGuard noGrad;
    for (std::size_t i = 0; i < slow.parameters.size(); ++i)
      slow.parameters[i]
          .second.mul_(options.momentum)
          .add_(next.parameters[i].second, 1.0 - options.momentum);
    siamese = std::move(slow);
  }
  network = std::move(next);
  scorer.reset();
  elsewhere.reset();
  ready = true;
  return report;
}

std::string TorchModel::save(const std::string &path) const {
  try {
    TensorFile file;
    file.metadata = provenance;
    file.metadata["format"] = "pruner-cost-model";
    file.metadata["model"] = modelName;
    file.metadata["schema"] = std::to_string(kFeatureSchemaVersion);
    file.metadata["prior"] = std::to_string(network.prior);
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
    return writeSafetensors(path, file);
  } catch (const std::exception &exception) {
    return path + ": " + exception.what();
  }
}

std::string TorchModel::load(const std::string &path) {
  try {
    TensorFile file;
    std::string problem = readSafetensors(path, file);
    if (!problem.empty())
      return problem;
    // Published files have no schema.
    auto schema = file.metadata.find("schema");
    if (schema != file.metadata.end() &&
        schema->second != std::to_string(kFeatureSchemaVersion))
      return path + ": trained on feature schema " + schema->second +
             ", but this build has schema " +
             std::to_string(kFeatureSchemaVersion);
    Network next = network.clone();
    problem = next.read(file, "");
    if (!problem.empty())
      return path + ": not weights of '" + modelName + "': " + problem;
    if (auto prior = file.metadata.find("prior");
        prior != file.metadata.end()) {
      ModelOptions read;
      problem = parseModelOptions("{\"prior\": " + prior->second + "}", read);
      if (!problem.empty())
        return path + ": " + problem;
      next.prior = read.prior;
    }
    if (next.terms || next.prior > 0)
      if (problem = checkTermsVersion(file.metadata); !problem.empty())
        return path + ": " + problem;
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
        return path + ": not the slow weights of '" + modelName +
               "': " + problem;
      expected *= 2;
    }
    expected += samplesIn(file);
    at::Tensor sample;
    problem = readSample(file, next.get("decoder.weight").size(1), sample);
    if (!problem.empty())
      return path + ": not weights of '" + modelName + "': " + problem;
    if (file.tensors.size() != expected)
      return path + ": not weights of '" + modelName +
             "': " + std::to_string(file.tensors.size()) +
             " tensors instead of " + std::to_string(expected);
    network = std::move(next);
    source = std::move(sample);
    siamese.reset();
    if (hasMomentum && slow)
      siamese = std::move(slow);
    scorer.reset();
    elsewhere.reset();
    loaded = ready = true;
    auto features = file.metadata.find("features");
    released =
        schema == file.metadata.end() ||
        (features != file.metadata.end() && features->second == "released");
    provenance = file.metadata;
    return {};
  } catch (const std::exception &exception) {
    return path + ": " + exception.what();
  }
}

std::unique_ptr<CostModel>
pruner::createTorchModel(const std::string &name, const ModelOptions &options) {
  if (name != "pacm" && name != "tensetmlp" && name != "tlp" && name != "cdmpp")
    return nullptr;
  // LibTorch permits this once per process, before the first parallel work.
  [[maybe_unused]] static const bool interop = [] {
    try {
      at::set_num_interop_threads(1);
    } catch (const std::exception &) {
      return false;
    }
    return true;
  }();
  if (name == "tlp")
    return createTlpModel(options);
  if (name == "cdmpp")
    return createCdmppModel(options);
  return std::make_unique<TorchModel>(name, name != "tensetmlp", options);
}
