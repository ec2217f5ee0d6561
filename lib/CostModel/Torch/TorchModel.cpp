//===- TorchModel.cpp - the learned models --------------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TorchModel.h"
#include "Blas.h"
#include "Device.h"
#include "Training.h"

#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>
#include <torch/version.h>

#include <cmath>
#include <cstring>
#include <exception>
#include <limits>
#include <numeric>
#include <optional>

using namespace pruner;

/// Programs whose statistics the published code mixes in one scoring call;
/// also bounds the memory of a call.
static constexpr std::size_t kScoreBatch = 4096;
static const char kSiamese[] = "siamese.";

namespace {
/// PaCM, TenSetMLP, and MoA, which is PaCM with momentum adaptation: a slow
/// (Siamese) copy of the weights from which every training starts and that
/// follows the trained ones by a small share. It is not trained itself.
class TorchModel : public CostModel {
public:
  TorchModel(std::string modelName, bool hasFlow, bool hasMomentum,
             const ModelOptions &options)
      : modelName(std::move(modelName)), hasMomentum(hasMomentum),
        options(options), device(openDevice(options.device)),
        network(Network::create(hasFlow, 0, options.seed)) {
    network.plain = options.kernels == "plain";
  }

  std::string name() const override { return modelName; }
  FeatureParts reads() const override {
    bool terms = ready ? network.terms || network.prior > 0
                       : options.terms == "yes" || options.prior > 0;
    return {true, terms};
  }
  std::string lastError() const override { return error; }
  std::vector<float>
  predict(const std::vector<ProgramFeatures> &programs) override;
  TrainingReport update(const std::vector<ProgramFeatures> &programs,
                        const std::vector<float> &labels,
                        const std::vector<int> &groups) override;
  bool updatesFromScratch() const override {
    return !hasMomentum && !continues() && !keepsScaling();
  }
  std::string save(const std::string &path) const override;
  std::string load(const std::string &path) override;
  std::string describe() const override;

private:
  void useThreads() const {
    // One setting per process; models with other options may share it.
    if (at::get_num_threads() != options.threads)
      at::set_num_threads(static_cast<int>(options.threads));
  }
  /// Whether training goes on from the present weights.
  bool continues() const {
    return options.start == "continue" || (options.start == "auto" && loaded);
  }
  /// Whether the scaling of the features stays as it was loaded or first seen.
  bool keepsScaling() const {
    return options.normalization == "keep" ||
           (options.normalization == "auto" && loaded);
  }
  bool isUsable(const ProgramFeatures &program) const {
    return program.isValid(reads()) &&
           (!ready || !network.terms ||
            std::int64_t(program.terms.size()) == network.terms);
  }
  /// A network for programs of so many terms, with what training begins by.
  Network startingPoint(std::int64_t terms) const;
  TrainingReport train(const std::vector<const ProgramFeatures *> &programs,
                       const std::vector<float> &labels,
                       const std::vector<int> &groups);
  void score(const std::vector<const ProgramFeatures *> &programs,
             float *scores);

  std::string modelName;
  bool hasMomentum;
  ModelOptions options;
  at::Device device;
  /// On the CPU; training and scoring take copies elsewhere.
  Network network;
  /// MoA's slow weights; until the first training they are `network`.
  std::optional<Network> siamese;
  std::optional<Scorer> scorer;
  /// In its place where kernels are plain: the network on its device.
  std::optional<Network> elsewhere;
  /// Weights came from a file / mean something at all.
  bool loaded = false, ready = false;
  std::int64_t updates = 0;
  std::string error;
};
} // namespace

std::vector<float>
TorchModel::predict(const std::vector<ProgramFeatures> &programs) {
  const float none = -std::numeric_limits<float>::infinity();
  std::vector<float> scores(programs.size(), none);
  error.clear();
  std::vector<const ProgramFeatures *> valid;
  std::vector<std::size_t> where;
  for (std::size_t i = 0; i < programs.size(); ++i)
    if (isUsable(programs[i])) {
      valid.push_back(&programs[i]);
      where.push_back(i);
    }
  std::vector<float> found(valid.size(), 0.0f);
  // Random weights would shuffle the draft's order; equal scores keep it.
  if (ready) {
    try {
      useThreads();
      for (std::size_t begin = 0; begin < valid.size(); begin += kScoreBatch) {
        std::size_t end = std::min(valid.size(), begin + kScoreBatch);
        score({valid.begin() + begin, valid.begin() + end},
              found.data() + begin);
      }
    } catch (const std::exception &exception) {
      error = modelName + ": " + exception.what();
      return scores;
    }
  }
  for (std::size_t i = 0; i < where.size(); ++i)
    scores[where[i]] = std::isnan(found[i]) ? none : found[i];
  return scores;
}

void TorchModel::score(const std::vector<const ProgramFeatures *> &programs,
                       float *scores) {
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
  if (ready && (hasMomentum || continues()))
    return network.clone();
  Network fresh = Network::create(
      network.hasFlow, options.terms == "yes" ? terms : 0, options.seed);
  fresh.prior = options.prior;
  return fresh;
}

TrainingReport
TorchModel::train(const std::vector<const ProgramFeatures *> &programs,
                  const std::vector<float> &labels,
                  const std::vector<int> &groups) {
  useThreads();
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
  TrainingReport report = trainNetwork(next, programs, labels, groups, options);
  if (!report.trained)
    return report;
  next.to(at::kCPU);
  if (hasMomentum) {
    // Parameters only: the running statistics of the slow copy stay.
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

TrainingReport TorchModel::update(const std::vector<ProgramFeatures> &programs,
                                  const std::vector<float> &labels,
                                  const std::vector<int> &groups) {
  TrainingReport report;
  if (labels.size() != programs.size() || groups.size() != programs.size()) {
    report.message = "there are " + std::to_string(programs.size()) +
                     " programs, but " + std::to_string(labels.size()) +
                     " labels and " + std::to_string(groups.size()) + " groups";
    return report;
  }
  ++updates;
  if (hasMomentum && updates % options.period != 0) {
    report.message = "momentum adaptation trains at every " +
                     std::to_string(options.period) + "th update, this is " +
                     std::to_string(updates);
    return report;
  }
  std::vector<const ProgramFeatures *> valid;
  std::vector<float> y;
  std::vector<int> g;
  for (std::size_t i = 0; i < programs.size(); ++i)
    if (isUsable(programs[i]) && labels[i] >= 0.0f && labels[i] <= 1.0f) {
      valid.push_back(&programs[i]);
      y.push_back(labels[i]);
      g.push_back(groups[i]);
    }
  if (valid.size() < 2) {
    report.message = "fewer than two valid programs to learn from";
    return report;
  }
  try {
    report = train(valid, y, g);
  } catch (const std::exception &exception) {
    report = TrainingReport();
    report.message = modelName + ": " + exception.what();
  }
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
    if (network.terms || network.prior > 0)
      file.metadata["terms"] = std::to_string(kProgramTermsVersion);
    network.write(file, "");
    if (siamese)
      siamese->write(file, kSiamese);
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
    // Files from elsewhere carry no schema: they are of the published form.
    auto schema = file.metadata.find("schema");
    if (schema != file.metadata.end() &&
        schema->second != std::to_string(kFeatureSchemaVersion))
      return path + ": made for feature schema " + schema->second +
             ", this is schema " + std::to_string(kFeatureSchemaVersion);
    auto terms = file.metadata.find("terms");
    if (terms != file.metadata.end() &&
        terms->second != std::to_string(kProgramTermsVersion))
      return path + ": made for version " + terms->second +
             " of the terms, this is version " +
             std::to_string(kProgramTermsVersion);
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
    // The weights of "moa" may serve as those of "pacm"; nothing else is left
    // unread.
    std::optional<Network> slow;
    bool hasSiamese = file.find(kSiamese + std::string("decoder.bias"));
    // Maxima stand for scales and means.
    std::size_t published = 0;
    for (const char *name : {"statement_feature_max", "dataflow_feature_max"})
      published += file.find(name) != nullptr;
    std::size_t expected = next.tensorNames().size() - published;
    if (hasSiamese && next.hasFlow) {
      slow = next.clone();
      problem = slow->read(file, kSiamese);
      slow->prior = next.prior;
      if (!problem.empty())
        return path + ": not weights of 'moa': " + problem;
      expected *= 2;
    }
    if (file.tensors.size() != expected)
      return path + ": not weights of '" + modelName +
             "': " + std::to_string(file.tensors.size()) +
             " tensors instead of " + std::to_string(expected);
    network = std::move(next);
    siamese.reset();
    if (hasMomentum && slow)
      siamese = std::move(slow);
    scorer.reset();
    elsewhere.reset();
    loaded = ready = true;
    provenance = file.metadata;
    return {};
  } catch (const std::exception &exception) {
    return path + ": " + exception.what();
  }
}

std::string TorchModel::describe() const {
  std::string blas = describeBlas();
  if (blas.empty())
    blas = at::hasMKL() ? "MKL inside LibTorch" : "the BLAS inside LibTorch";
  std::string warning = blasWarning();
  return modelName + ": " + std::to_string(network.parameterCount()) +
         " parameters, LibTorch " TORCH_VERSION ", " + blas + ", " +
         std::to_string(options.threads) + " thread" +
         (options.threads == 1 ? "" : "s") +
         (device.is_cpu() ? "" : ", on " + device.str()) +
         (warning.empty() ? "" : "; warning: " + warning);
}

std::unique_ptr<CostModel>
pruner::createTorchModel(const std::string &name, const ModelOptions &options) {
  bool isMoa = name == "moa";
  if (name != "pacm" && name != "tensetmlp" && !isMoa)
    return nullptr;
  // Once per process; refused after the first parallel work.
  [[maybe_unused]] static const bool interop = [] {
    try {
      at::set_num_interop_threads(1);
    } catch (const std::exception &) {
      return false;
    }
    return true;
  }();
  return std::make_unique<TorchModel>(name, name != "tensetmlp", isMoa,
                                      options);
}
