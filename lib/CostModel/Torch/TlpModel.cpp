//===- TlpModel.cpp - the model "tlp" -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "EqualSequences.h"
#include "Export.h"
#include "LearnedModel.h"
#include "SourceSample.h"
#include "TlpNetwork.h"
#include "Training.h"
#include "pruner/CostModel/Models/Tlp.h"

#include <c10/core/GradMode.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>

using namespace pruner;

/// Programs that are scored together: enough for primitives to repeat, few
/// enough for activations to stay in the cache.
static constexpr std::size_t kChunk = 512;

namespace {
class TlpTrainee : public Trainee {
public:
  /// With \p headsOnly, only the decoders are trained.
  TlpTrainee(TlpNetwork &network,
             const std::vector<const ProgramFeatures *> &programs,
             bool headsOnly)
      : network(network), programs(programs), headsOnly(headsOnly) {}

  at::Device device() const override { return network.device(); }
  std::vector<at::Tensor> begin() override {
    std::vector<at::Tensor> trained;
    for (auto &[name, tensor] : network.parameters)
      if (!headsOnly || name.rfind("decoder", 0) == 0)
        trained.push_back(tensor.set_requires_grad(true));
    return trained;
  }
  at::Tensor forward(const ProgramList &list, double dropout,
                     at::Generator generator) override {
    return network.forward(
        network.makeBatch(programs, list.data(), list.size()), dropout,
        generator, &last);
  }
  at::Tensor representations() const override { return last; }
  /// Returns the representations of these programs with the current weights, on
  /// the CPU.
  at::Tensor represent(const ProgramList &list) {
    c10::NoGradGuard noGrad;
    forward(list, 0, {});
    return std::exchange(last, {}).to(at::kCPU);
  }
  void finish(const std::vector<ProgramList> &) override {
    for (auto &[name, tensor] : network.parameters) {
      tensor.set_requires_grad(false);
      tensor.mutable_grad() = at::Tensor();
    }
    last = at::Tensor();
  }

private:
  TlpNetwork &network;
  const std::vector<const ProgramFeatures *> &programs;
  bool headsOnly;
  at::Tensor last;
};

class TlpModel : public LearnedModel {
public:
  explicit TlpModel(const TlpOptions &options)
      : LearnedModel("tlp", options), options(options),
        network(TlpNetwork::create(shapeOf(options), {""}, options.seed)) {}

  FeatureParts reads() const override {
    FeatureParts parts;
    (network.shape.recorded ? parts.recordedPrimitives : parts.primitives) =
        true;
    return parts;
  }
  std::string describe() const override {
    std::string heads = std::to_string(network.platforms.size());
    return describeWith(network.parameterCount()) + ", " + heads +
           (heads == "1" ? " head" : " heads");
  }

private:
  static TlpShape shapeOf(const TlpOptions &options) {
    return {options.width, options.sequence, options.numbers == "log",
            options.language == "recorded"};
  }
  bool isUsable(const ProgramFeatures &program) const override {
    return program.isValid(reads());
  }
  void score(const Programs &programs, float *scores) override;
  void write(TensorFile &file) const override;
  std::string read(const TensorFile &file) override;
  TrainingReport train(const Programs &programs,
                       const std::vector<float> &labels,
                       const std::vector<int> &groups) override;
  /// The network that training starts from, with a head for every platform of
  /// the programs.
  TlpNetwork startingPoint(const Programs &programs) const;

  TlpOptions options;
  /// Stays on the CPU. Training and scoring use copies on the device.
  TlpNetwork network;
  std::optional<TlpNetwork> elsewhere;
  /// Representations of the programs that the weights were trained on;
  /// undefined if unknown.
  at::Tensor source;
};
} // namespace

void TlpModel::score(const Programs &programs, float *scores) {
  c10::NoGradGuard noGrad;
  if (!device.is_cpu() && !elsewhere) {
    elsewhere = network.clone();
    elsewhere->to(device);
  }
  const TlpNetwork &used = elsewhere ? *elsewhere : network;
  scoreInChunks(
      programs.size(), kChunk,
      [&](const std::size_t *indices, std::size_t count) {
        return used.forward(used.makeBatch(programs, indices, count), 0, {});
      },
      scores);
}

TlpNetwork TlpModel::startingPoint(const Programs &programs) const {
  std::vector<std::string> platforms;
  for (const ProgramFeatures *program : programs)
    if (std::find(platforms.begin(), platforms.end(), program->platform) ==
        platforms.end())
      platforms.push_back(program->platform);
  if (options.heads == "one")
    platforms.resize(1);
  if (!ready || !continues())
    return TlpNetwork::create(network.shape, std::move(platforms),
                              options.seed);
  TlpNetwork next = network.clone();
  if (options.heads != "one")
    for (const std::string &platform : platforms)
      if (next.headOf(platform) < 0)
        next.addPlatform(platform);
  return next;
}

TrainingReport TlpModel::train(const Programs &programs,
                               const std::vector<float> &labels,
                               const std::vector<int> &groups) {
  bool headsOnly = options.trunk == "keep";
  if (headsOnly && !(ready && continues())) {
    TrainingReport report;
    report.message = "option 'trunk=keep' requires weights";
    return report;
  }
  TlpNetwork next = startingPoint(programs);
  LabeledPrograms joined =
      joinEqual({programs, labels, groups}, std::size_t(next.shape.sequence),
                options.equal);
  if (keepsScaling() && ready)
    next.scaling = {network.scaling.mean.clone(),
                    network.scaling.scale.clone()};
  else
    next.computeScaling(joined.programs, options.scaling == "standard",
                        options.scaleBy == "type");
  next.to(device);
  TlpTrainee trainee(next, joined.programs, headsOnly);
  TrainingReport report =
      trainNetwork(trainee, joined.labels, joined.groups, options, source);
  if (!report.trained)
    return report;
  if (!options.partialSteps())
    source = trainee.represent(sampleOf(joined.programs.size()));
  next.to(at::kCPU);
  network = std::move(next);
  elsewhere.reset();
  ready = true;
  return report;
}

void TlpModel::write(TensorFile &file) const {
  file.metadata["primitives"] = std::to_string(kPrimitivesVersion);
  network.write(file);
  writeSample(file, source);
}

std::string TlpModel::read(const TensorFile &file) {
  auto version = file.metadata.find("primitives");
  if (version != file.metadata.end() &&
      version->second != std::to_string(kPrimitivesVersion))
    return "trained on version " + version->second +
           " of the primitives, but this build has version " +
           std::to_string(kPrimitivesVersion);
  TlpNetwork next = network.clone();
  std::string problem = next.read(file);
  at::Tensor sample;
  if (problem.empty())
    problem = readSample(file, next.shape.width, sample);
  if (!problem.empty())
    return "not weights of 'tlp': " + problem;
  source = std::move(sample);
  network = std::move(next);
  elsewhere.reset();
  return {};
}

extern "C" PRUNER_EXPORT CostModel *
prunerCreateTlp(const TlpOptions &options, char *error, std::size_t size) {
  return createGuarded(error, size, [&] { return new TlpModel(options); });
}
