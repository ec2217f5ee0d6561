//===- CdmppTest.cpp - CDMPP through the plug-in --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Models.h"
#include "../TestData.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace pruner;
using namespace pruner_test;

static std::unique_ptr<CostModel> make(const std::string &options = "{}") {
  CostModelOrError made = createModel("cdmpp", options, PRUNER_TORCH_PLUGIN);
  EXPECT_EQ("", made.error);
  return std::move(made.model);
}

static const char kSmall[] =
    R"({"layers": 1, "feed-forward": 32, "encoder-width": 32, "embedding": 16,
        "decoder-width": 32, "batch": 64, "steps": 400, "epochs": 1})";

/// A few steps, for tests that do not depend on the result.
static const char kQuick[] =
    R"({"layers": 1, "feed-forward": 32, "encoder-width": 32, "embedding": 16,
        "decoder-width": 32, "batch": 64, "steps": 20, "epochs": 1})";

static double meanError(const std::vector<double> &predicted,
                        const std::vector<double> &seconds) {
  double sum = 0;
  for (std::size_t i = 0; i < seconds.size(); ++i)
    sum += std::fabs(predicted[i] / seconds[i] - 1) / double(seconds.size());
  return sum;
}

namespace {
/// Programs of 1 to 7 leaves whose times depend on two of their columns and on
/// the device.
struct Cdmpp : public ::testing::Test {
  static std::vector<ProgramFeatures> make(std::size_t count, unsigned seed,
                                           float device,
                                           std::vector<double> &seconds) {
    auto programs = randomPrograms(count, seed);
    for (ProgramFeatures &program : programs) {
      float x = 0;
      for (int row = 0; row < program.rows; ++row) {
        float *leaf =
            &program.statements[std::size_t(row) * kStatementFeatureSize];
        for (int c = 8; c < kStatementFeatureSize; ++c)
          leaf[c] = 0;
        x = std::max(x, leaf[2]);
        program.positions.push_back(float(4 * row + 3));
      }
      program.device.assign(kDeviceFeatureSize, device);
      seconds.push_back(1e-5 * std::exp(double(x) / 5) * (1 + device));
    }
    return programs;
  }
  void SetUp() override { programs = make(400, 1, 0.25f, seconds); }

  std::vector<ProgramFeatures> programs;
  std::vector<double> seconds;
};
} // namespace

TEST_F(Cdmpp, ReadsTreesAndPredictsSeconds) {
  auto model = ::make();
  EXPECT_TRUE(model->latency());
  EXPECT_TRUE(model->reads().tree);
  EXPECT_FALSE(model->reads().statements);
  EXPECT_FALSE(model->reads().terms);
  EXPECT_TRUE(::make(R"({"terms": "yes"})")->reads().terms);
  // It is untrained, and does not train on relative speeds.
  EXPECT_TRUE(std::isnan(model->latency()->predictSeconds({programs[0]})[0]));
  EXPECT_EQ(model->predict({programs[0]}), std::vector<float>{0});
  TrainingReport report = model->update(programs, std::vector<float>(400, 1),
                                        std::vector<int>(400));
  EXPECT_FALSE(report.trained);
  EXPECT_EQ(report.message, "cdmpp trains on seconds, not on relative speeds");
  // Other models do not predict seconds.
  auto other = createModel("pacm", "{}", PRUNER_TORCH_PLUGIN).model;
  EXPECT_FALSE(other->latency());
}

TEST_F(Cdmpp, LearnsSecondsOfAnyNumberOfLeaves) {
  auto model = ::make(kSmall);
  TrainingReport report =
      model->latency()->updateSeconds(programs, seconds, {});
  ASSERT_TRUE(report.trained) << report.message;
  std::vector<double> known = model->latency()->predictSeconds(programs);
  EXPECT_LT(meanError(known, seconds), 0.1);
  std::vector<double> testSeconds;
  auto test = make(200, 2, 0.25f, testSeconds);
  EXPECT_LT(meanError(model->latency()->predictSeconds(test), testSeconds),
            0.15);
  // More leaves than any program of the training data.
  ProgramFeatures longer = test[0];
  while (longer.rows < 12) {
    longer.statements.resize(longer.statements.size() + kStatementFeatureSize);
    longer.positions.push_back(float(4 * longer.rows++ + 3));
  }
  EXPECT_TRUE(std::isfinite(model->latency()->predictSeconds({longer})[0]));
  // Scores have the order of the times, and do not depend on other programs in
  // the call.
  std::vector<float> scores = model->predict(programs);
  for (std::size_t i = 1; i < scores.size(); ++i)
    EXPECT_EQ(scores[i] > scores[0], known[i] < known[0]);
  EXPECT_NEAR(model->latency()->predictSeconds({programs[7]})[0], known[7],
              1e-4 * known[7]);
  ProgramFeatures broken = programs[0];
  broken.positions.pop_back();
  EXPECT_TRUE(std::isnan(model->latency()->predictSeconds({broken})[0]));
  EXPECT_TRUE(std::isinf(model->predict({broken})[0]));
}

TEST_F(Cdmpp, PositionsMatter) {
  auto model = ::make(kQuick);
  ASSERT_TRUE(model->latency()->updateSeconds(programs, seconds, {}).trained);
  ProgramFeatures moved = programs[0];
  for (float &place : moved.positions)
    place += 2;
  EXPECT_NE(model->predict({moved}), model->predict({programs[0]}));
}

TEST_F(Cdmpp, SavedAndLoadedPredictsTheSame) {
  auto model = ::make(kQuick);
  ASSERT_TRUE(model->latency()->updateSeconds(programs, seconds, {}).trained);
  TemporaryFile file("cdmpp"), changed("cdmpp-changed");
  ASSERT_EQ("", saveWeights(*model, file.path));
  // The sizes are those of the file, whatever the options are.
  auto other = ::make();
  ASSERT_EQ("", loadWeights(*other, file.path));
  EXPECT_EQ(other->latency()->predictSeconds(programs),
            model->latency()->predictSeconds(programs));
  EXPECT_EQ(modelOfWeights(file.path), "cdmpp");
  TensorFile tensors;
  ASSERT_EQ("", readTensors(file.path, tensors));
  for (auto [name, value, expected] :
       {std::tuple("latency.lambda", "x", "'latency.lambda' is missing"),
        {"latency.scale", "-1", "labels cannot be inverted"},
        {"cdmpp.layers", "3", "is missing"},
        {"cdmpp.embedding", "0", "'cdmpp.embedding' is missing or wrong"},
        {"tree", "0", "trained on version 0 of 'tree'"}}) {
    TensorFile wrong = tensors;
    wrong.metadata[name] = value;
    ASSERT_EQ("", writeSafetensors(changed.path, wrong));
    EXPECT_NE(loadWeights(*other, changed.path).find(expected),
              std::string::npos)
        << name << ": " << loadWeights(*other, changed.path);
  }
  EXPECT_EQ(other->latency()->predictSeconds(programs),
            model->latency()->predictSeconds(programs));
}

TEST_F(Cdmpp, DependsOnTheSeedAlone) {
  auto predictions = [&](const char *seed) {
    auto model = ::make(std::string(R"({"steps": 20, "epochs": 1, "layers": 1,
                                        "seed": )") +
                        seed + "}");
    EXPECT_TRUE(model->latency()->updateSeconds(programs, seconds, {}).trained);
    return model->latency()->predictSeconds(programs);
  };
  EXPECT_EQ(predictions("3"), predictions("3"));
  EXPECT_NE(predictions("3"), predictions("4"));
}

// Another device with only a few times benefits from the training on the first
// one. Without times only the programs are aligned.
TEST_F(Cdmpp, AdaptsToAnotherDevice) {
  std::vector<double> theirSeconds, all = seconds;
  auto theirs = make(200, 5, 1, theirSeconds);
  auto model = ::make(kSmall);
  ASSERT_TRUE(model->latency()->updateSeconds(programs, seconds, {}).trained);
  TemporaryFile file("cdmpp-source");
  ASSERT_EQ("", saveWeights(*model, file.path));
  double before =
      meanError(model->latency()->predictSeconds(theirs), theirSeconds);
  auto joined = programs;
  std::vector<char> target(programs.size(), 0);
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    joined.push_back(theirs[i]);
    all.push_back(i < 20 ? theirSeconds[i] : 0);
    target.push_back(1);
  }
  auto adapted = ::make(kSmall);
  ASSERT_EQ("", loadWeights(*adapted, file.path));
  TrainingReport report =
      adapted->latency()->updateSeconds(joined, all, target);
  ASSERT_TRUE(report.trained) << report.message;
  double after =
      meanError(adapted->latency()->predictSeconds(theirs), theirSeconds);
  EXPECT_LT(after, 0.3);
  EXPECT_LT(after, before);
  // The discrepancy is part of the loss.
  auto free = ::make(R"({"alpha": 0, "batch": 64, "steps": 30, "epochs": 1})");
  ASSERT_EQ("", loadWeights(*free, file.path));
  auto bound = ::make(R"({"alpha": 9, "batch": 64, "steps": 30, "epochs": 1})");
  ASSERT_EQ("", loadWeights(*bound, file.path));
  EXPECT_LT(free->latency()->updateSeconds(joined, all, target).loss,
            bound->latency()->updateSeconds(joined, all, target).loss);
  std::fill(all.begin(), all.end(), 0);
  EXPECT_EQ(adapted->latency()->updateSeconds(joined, all, target).message,
            "fewer than two valid programs with a time to learn from");
  EXPECT_EQ(adapted->latency()->updateSeconds(joined, seconds, target).message,
            "there are 600 programs, but 400 times and 600 targets");
}
