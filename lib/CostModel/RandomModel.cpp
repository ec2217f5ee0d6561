//===- RandomModel.cpp - scores without knowledge -------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/CostModel/BuiltinModels.h"

#include <limits>
#include <random>

using namespace pruner;

namespace {
class RandomModel : public CostModel {
public:
  explicit RandomModel(std::uint64_t seed) : engine(seed) {}

  std::string name() const override { return "random"; }

  std::vector<float>
  predict(const std::vector<ProgramFeatures> &programs) override {
    std::vector<float> scores;
    scores.reserve(programs.size());
    for (const ProgramFeatures &program : programs) {
      // 24 bits are what a float holds: std::uniform_real_distribution differs
      // between standard libraries and may return 1.
      float score = static_cast<float>(engine() >> 40) * 0x1p-24f;
      scores.push_back(
          program.isValid() ? score : -std::numeric_limits<float>::infinity());
    }
    return scores;
  }

  TrainingReport update(const std::vector<ProgramFeatures> &,
                        const std::vector<float> &,
                        const std::vector<int> &) override {
    TrainingReport report;
    report.message = "the random model does not learn";
    return report;
  }

  std::string save(const std::string &path) const override {
    return "cannot write '" + path + "': the random model has no weights";
  }
  std::string load(const std::string &path) override {
    return "cannot read '" + path + "': the random model has no weights";
  }
  std::string describe() const override {
    return "random: seeded uniform scores, no training";
  }

private:
  std::mt19937_64 engine;
};
} // namespace

std::unique_ptr<CostModel> pruner::createRandomModel(std::uint64_t seed) {
  return std::make_unique<RandomModel>(seed);
}
