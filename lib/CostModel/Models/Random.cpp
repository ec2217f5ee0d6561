//===- Random.cpp - random scores as a baseline ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../TypedKind.h"
#include "Models.h"

#include <cstring>
#include <limits>

using namespace pruner;

static constexpr const char *kNoWeights = "the random model has no weights";

namespace {
/// Scores are independent uniform numbers in [0, 1).
class RandomModel : public CostModel {
public:
  explicit RandomModel(std::uint64_t seed) : seed(seed) {}

  std::string name() const override { return "random"; }
  FeatureParts reads() const override { return {true, false}; }

  std::vector<float>
  predict(const std::vector<ProgramFeatures> &programs) override {
    std::vector<float> scores;
    scores.reserve(programs.size());
    for (const ProgramFeatures &program : programs) {
      // A float holds 24 bits exactly.
      float score = static_cast<float>(hash(program) >> 40) * 0x1p-24f;
      scores.push_back(program.isValid(reads())
                           ? score
                           : -std::numeric_limits<float>::infinity());
    }
    return scores;
  }

  TrainingReport update(const std::vector<ProgramFeatures> &programs,
                        const std::vector<float> &,
                        const std::vector<int> &) override {
    known = programs.size();
    TrainingReport report;
    report.message = "the random model does not learn";
    return report;
  }

  std::string save(TensorFile &) const override { return kNoWeights; }
  std::string load(const TensorFile &) override { return kNoWeights; }
  std::string describe() const override {
    return "random: seeded uniform scores, no training";
  }

private:
  /// FNV-1a over the features. A score therefore depends on the seed, the
  /// program and the number of measurements only, and not on earlier calls. A
  /// resumed run gets the same scores as an uninterrupted one.
  std::uint64_t hash(const ProgramFeatures &program) const {
    std::uint64_t state = 1469598103934665603u;
    auto mix = [&](std::uint64_t word) {
      state = (state ^ word) * 1099511628211u;
    };
    mix(seed);
    mix(known);
    for (float feature : program.statements) {
      std::uint32_t bits;
      std::memcpy(&bits, &feature, sizeof(bits));
      mix(bits);
    }
    // The finalizer of SplitMix64: every input bit affects every output bit.
    state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9u;
    state = (state ^ (state >> 27)) * 0x94d049bb133111ebu;
    return state ^ (state >> 31);
  }

  std::uint64_t seed, known = 0;
};
} // namespace

namespace {
struct RandomOptions {
  std::int64_t seed = 0;

  void declare(OptionTable &table) {
    table.integer("seed", seed, 0, 9e18, "seed of the scores");
  }
};

class RandomKind : public TypedKind<RandomOptions> {
  std::string name() const override { return "random"; }
  std::string summary() const override {
    return "seeded random scores, a baseline that does not train";
  }
  std::string lacks(Ability) const override {
    return "the random model does not train";
  }
  CostModelOrError make(const RandomOptions &options,
                        const std::string &) const override {
    return {std::make_unique<RandomModel>(options.seed), {}, {}};
  }
};
} // namespace

const ModelKind &pruner::randomKind() {
  static const RandomKind kind;
  return kind;
}
