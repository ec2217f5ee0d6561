//===- TestData.h - programs for cost model tests ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TEST_UNIT_COSTMODEL_TESTDATA_H
#define PRUNER_TEST_UNIT_COSTMODEL_TESTDATA_H

#include "pruner/CostModel/Features.h"

#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <unistd.h>

namespace pruner_test {

/// Uniform in [0, 1), the same on all platforms.
inline float uniform(std::mt19937_64 &engine) {
  return float(engine() >> 40) * 0x1p-24f;
}

/// Valid random programs of 1 to 7 statements; about one in four without a
/// dataflow pattern.
inline std::vector<pruner::ProgramFeatures> randomPrograms(std::size_t count,
                                                           unsigned seed) {
  std::mt19937_64 engine(seed);
  std::vector<pruner::ProgramFeatures> programs(count);
  for (pruner::ProgramFeatures &program : programs) {
    program.rows = 1 + int(engine() % 7);
    program.hasDataflow = engine() % 4 != 0;
    program.statements.resize(std::size_t(program.rows) *
                              pruner::kStatementFeatureSize);
    for (float &value : program.statements)
      value = uniform(engine) < 0.5f ? 0.0f : 20.0f * uniform(engine);
    if (program.hasDataflow)
      for (float &value : program.dataflow)
        value = 20.0f * uniform(engine);
  }
  return programs;
}

/// With \p columns random terms each; the first, the logarithm of predicted
/// seconds, is negative.
inline std::vector<pruner::ProgramFeatures>
randomProgramsWithTerms(std::size_t count, unsigned seed, std::size_t columns) {
  std::vector<pruner::ProgramFeatures> programs = randomPrograms(count, seed);
  std::mt19937_64 engine(seed);
  for (pruner::ProgramFeatures &program : programs) {
    program.terms.push_back(-20 + 10 * uniform(engine));
    while (program.terms.size() < columns)
      program.terms.push_back(20 * uniform(engine));
  }
  return programs;
}

/// Sequences of 4 to 11 primitives of 12 types, some of which repeat, and a
/// throughput that depends on two of their numbers.
inline std::vector<pruner::ProgramFeatures>
randomSequences(std::size_t count, unsigned seed, std::vector<float> &labels,
                const std::string &platform = "here") {
  constexpr std::size_t columns = pruner::kPrimitiveFeatureSize, types = 12;
  std::mt19937_64 engine(seed);
  std::vector<pruner::ProgramFeatures> programs(count);
  labels.clear();
  for (pruner::ProgramFeatures &program : programs) {
    program.platform = platform;
    std::size_t steps = 4 + engine() % 8;
    program.primitives.resize(steps * columns);
    for (std::size_t s = 0; s < steps; ++s) {
      float *row = &program.primitives[s * columns];
      row[s % types] = 1;
      for (std::size_t c = types; c < columns && engine() % 4; ++c)
        row[c] = s == 0 ? 5.0f : float(1 << engine() % 6) - 1.0f;
    }
    float *second = &program.primitives[columns];
    second[types] = float(1 << engine() % 8);
    second[types + 1] = float(1 << engine() % 8);
    float sum = std::log2(second[types]) - 0.5f * std::log2(second[types + 1]);
    labels.push_back(1.0f / (1.0f + std::exp(-0.5f * sum)));
  }
  return programs;
}

/// A throughput in (0, 1] that depends smoothly on a few columns of the
/// statement features, so that a model can learn it.
inline std::vector<float>
learnableLabels(const std::vector<pruner::ProgramFeatures> &programs) {
  std::vector<float> labels;
  for (const pruner::ProgramFeatures &program : programs) {
    float sum = 0.0f;
    for (int r = 0; r < program.rows; ++r) {
      const float *row =
          &program.statements[std::size_t(r) * pruner::kStatementFeatureSize];
      sum += row[3] + 0.5f * row[40] - 0.7f * row[100];
    }
    labels.push_back(1.0f / (1.0f + std::exp(-0.05f * sum)));
  }
  return labels;
}

/// The share of pairs with different labels that the scores order correctly.
inline double pairAccuracy(const std::vector<float> &scores,
                           const std::vector<float> &labels) {
  double right = 0, all = 0;
  for (std::size_t i = 0; i < scores.size(); ++i)
    for (std::size_t j = 0; j < scores.size(); ++j)
      if (labels[i] > labels[j]) {
        all += 1;
        right += scores[i] > scores[j] ? 1.0 : scores[i] == scores[j] ? 0.5 : 0;
      }
  return right / all;
}

/// A unique file name; the file is removed at the end.
struct TemporaryFile {
  explicit TemporaryFile(const std::string &name)
      : path("pruner-test-" + std::to_string(getpid()) + "-" + name) {
    std::remove(path.c_str());
  }
  ~TemporaryFile() { std::remove(path.c_str()); }
  std::string path;
};

} // namespace pruner_test

#endif // PRUNER_TEST_UNIT_COSTMODEL_TESTDATA_H
