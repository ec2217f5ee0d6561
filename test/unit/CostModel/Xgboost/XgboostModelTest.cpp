//===- XgboostModelTest.cpp -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Models.h"

#include "pruner/CostModel/TermsVersion.h"
#include "gtest/gtest.h"

#include <cmath>
#include <limits>
#include <random>

using namespace pruner;
using namespace pruner_test;

static std::unique_ptr<CostModel> create(const std::string &options = "{}") {
  CostModelOrError made =
      createModel("xgboost", options, PRUNER_XGBOOST_PLUGIN);
  EXPECT_EQ(made.error, "");
  return std::move(made.model);
}

static std::string errorOf(const std::string &options) {
  return createModel("xgboost", options, PRUNER_XGBOOST_PLUGIN).error;
}

namespace {
/// Programs of tasks that are fast if the second term is near a value of the
/// task. The other terms are noise.
struct Data {
  std::vector<ProgramFeatures> programs;
  std::vector<float> labels;
  std::vector<int> groups;

  Data(unsigned tasks, unsigned each, unsigned seed, float offset = 0) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> draw(0, 8);
    for (unsigned task = 0; task < tasks; ++task)
      for (unsigned i = 0; i < each; ++i) {
        ProgramFeatures program;
        program.terms = {float(task % 5)};
        for (unsigned term = 1; term < 10; ++term)
          program.terms.push_back(draw(random));
        float best = offset + float(task % 5);
        labels.push_back(std::exp2(-std::abs(program.terms[1] - best)));
        groups.push_back(int(task));
        programs.push_back(std::move(program));
      }
  }
};
} // namespace

/// The share of pairs of the same task that the scores order like the labels.
static double pairsRight(const Data &data, const std::vector<float> &scores) {
  double right = 0, pairs = 0;
  for (size_t a = 0; a < scores.size(); ++a)
    for (size_t b = a + 1; b < scores.size(); ++b)
      if (data.groups[a] == data.groups[b]) {
        ++pairs;
        right += (data.labels[a] < data.labels[b]) == (scores[a] < scores[b]);
      }
  return right / pairs;
}

static std::string temporary(const char *name) {
  return testing::TempDir() + "/" + name;
}

TEST(XgboostModel, RanksUnseenTasks) {
  auto model = create();
  Data train(10, 200, 1), test(5, 60, 2);
  for (float score : model->predict(test.programs))
    EXPECT_EQ(score, 0);
  TrainingReport report =
      model->update(train.programs, train.labels, train.groups);
  ASSERT_TRUE(report.trained) << report.message;
  EXPECT_GT(pairsRight(test, model->predict(test.programs)), 0.9);
  // Training again gives the same result.
  auto again = create();
  again->update(train.programs, train.labels, train.groups);
  EXPECT_EQ(model->predict(test.programs), again->predict(test.programs));
}

// With a prior, an untrained tree keeps the order of the first term. Loaded
// weights keep their own prior.
TEST(XgboostModel, TreesAddToThePrior) {
  auto model = create(R"({"rounds": 1, "rate": 1e-6, "prior": 2})");
  Data train(10, 20, 10);
  for (size_t i = 0; i < train.programs.size(); ++i)
    train.programs[i].terms[0] = float(i % 7);
  model->update(train.programs, train.labels, train.groups);
  std::vector<float> scores = model->predict(train.programs);
  for (size_t i = 0; i < scores.size(); ++i)
    EXPECT_NEAR(scores[i], -2 * float(i % 7), 1e-3);
  std::string path = temporary("prior.safetensors");
  ASSERT_EQ(saveWeights(*model, path), "");
  auto other = create(R"({"prior": 50})");
  ASSERT_EQ(loadWeights(*other, path), "");
  EXPECT_EQ(other->predict(train.programs), scores);
}

TEST(XgboostModel, WeightsKeepTheirProvenance) {
  auto model = create();
  std::string path = temporary("trees.safetensors");
  EXPECT_NE(saveWeights(*model, path), "");
  Data train(10, 100, 3), test(5, 40, 4);
  model->update(train.programs, train.labels, train.groups);
  ASSERT_EQ(saveWeights(*model, path, {{"trained.machines", "a machine"}}), "");
  auto other = create();
  WeightFile file;
  ASSERT_EQ(readWeights(path, file), "");
  ASSERT_EQ(loadWeights(*other, file), "");
  EXPECT_EQ(other->predict(test.programs), model->predict(test.programs));
  EXPECT_EQ(file.metadata["trained.machines"], "a machine");
  EXPECT_EQ(other->describe(), "xgboost: 150 trees over 10 terms");
}

// Members are the models of their seeds, and the score is the mean of theirs.
TEST(XgboostModel, MembersAreAveraged) {
  Data train(10, 100, 3), test(5, 40, 4);
  auto trained = [&](const char *options) {
    auto model = create(options);
    EXPECT_TRUE(
        model->update(train.programs, train.labels, train.groups).trained);
    return model;
  };
  auto first = trained(R"({"rounds": 20})");
  auto second = trained(R"({"rounds": 20, "seed": 1048576})");
  auto both = trained(R"({"rounds": 20, "members": 2})");
  EXPECT_EQ(both->describe(), "xgboost: 40 trees of 2 members over 10 terms");
  std::string path = temporary("members.safetensors");
  ASSERT_EQ(saveWeights(*both, path), "");
  auto loaded = create();
  ASSERT_EQ(loadWeights(*loaded, path), "");
  std::vector<float> a = first->predict(test.programs),
                     b = second->predict(test.programs),
                     mean = both->predict(test.programs),
                     spread = loaded->spread(test.programs);
  EXPECT_NE(a, b);
  EXPECT_EQ(loaded->predict(test.programs), mean);
  EXPECT_TRUE(first->spread(test.programs).empty());
  ASSERT_EQ(spread.size(), a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(mean[i], (a[i] + b[i]) / 2, 1e-4);
    EXPECT_NEAR(spread[i], std::fabs(a[i] - b[i]) / 2, 1e-4);
  }
}

// Updates add trees to the loaded ones, and each update starts from these.
TEST(XgboostModel, UpdatesAddToLoadedTrees) {
  auto base = create();
  Data before(10, 200, 5), now(5, 24, 6, 0.7f), test(5, 60, 7, 0.7f);
  base->update(before.programs, before.labels, before.groups);
  std::string path = temporary("base.safetensors");
  ASSERT_EQ(saveWeights(*base, path), "");

  auto model = create();
  ASSERT_EQ(loadWeights(*model, path), "");
  EXPECT_TRUE(model->updatesFromScratch());
  double loaded = pairsRight(test, model->predict(test.programs));
  ASSERT_TRUE(model->update(now.programs, now.labels, now.groups).trained);
  std::vector<float> once = model->predict(test.programs);
  EXPECT_GT(pairsRight(test, once), loaded);
  EXPECT_EQ(model->describe(), "xgboost: 180 trees over 10 terms");
  model->update(now.programs, now.labels, now.groups);
  EXPECT_EQ(model->predict(test.programs), once);
}

TEST(XgboostModel, ProgramsWithoutTermsScoreLowest) {
  auto model = create();
  Data train(5, 60, 8);
  model->update(train.programs, train.labels, train.groups);
  std::vector<ProgramFeatures> programs(train.programs.begin(),
                                        train.programs.begin() + 4);
  programs[0].terms.clear();
  programs[1].terms.push_back(1);
  programs[2].terms[0] = NAN;
  std::vector<float> scores = model->predict(programs);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(scores[i], -std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isfinite(scores[3]));
  EXPECT_FALSE(model->update({programs[0]}, {1}, {0}).trained);
}

TEST(XgboostModel, ForeignFilesAreRejected) {
  auto model = create();
  Data train(5, 60, 9);
  model->update(train.programs, train.labels, train.groups);
  std::string path = temporary("spoiled.safetensors");
  auto spoil = [&](auto change) {
    EXPECT_EQ(saveWeights(*model, path), "");
    TensorFile file;
    EXPECT_EQ(readTensors(path, file), "");
    change(file);
    EXPECT_EQ(writeSafetensors(path, file), "");
    return loadWeights(*create(), path);
  };
  EXPECT_EQ(spoil([](TensorFile &file) { file.metadata["model"] = "pacm"; }),
            path + ": not weights of 'xgboost'");
  EXPECT_EQ(
      spoil([](TensorFile &file) { file.metadata["terms"] = "99"; }),
      path +
          ": trained on version 99 of the terms, but this build has version " +
          std::to_string(kProgramTermsVersion) + "; train the weights again");
  EXPECT_EQ(
      spoil([](TensorFile &file) {
        file.metadata["terms.fingerprint"] = "0123";
      }),
      path +
          ": trained on other terms (fingerprint '0123', but this build has '" +
          kProgramTermsFingerprint + "'); train the weights again");
  EXPECT_EQ(spoil([](TensorFile &file) { file.metadata.erase("terms"); }),
            path + ": the file does not state the version of the terms");
  EXPECT_EQ(spoil([](TensorFile &file) { file.metadata["prior"] = "-1"; }),
            path + ": option 'prior' must be a number from 0 to 100");
  EXPECT_EQ(spoil([](TensorFile &file) { file.tensors[3].name = "bush"; }),
            path + ": invalid trees: BT1: expected one tensor 'feature' of "
                   "I32 with one dimension");
  // XGBoost's own format, as in older files.
  EXPECT_EQ(spoil([](TensorFile &file) {
              file.tensors.resize(1);
              file.tensors[0].name = "trees";
            }),
            path + ": invalid trees: BT1: expected one tensor 'columns' of "
                   "I32 with one dimension");
}

// There is no plug-in outside of the tools' directory.
TEST(XgboostModel, TrainsWithThePluginOnly) {
  auto model = create();
  EXPECT_EQ(model->cannotLearn(), "");
  EXPECT_EQ(
      createModel("xgboost", "{}", "/nonexistent/p.so")
          .error.find(
              "cost model 'xgboost': the cost model plug-in "
              "libPrunerXgboost.so was not found; tried '/nonexistent/p.so'"),
      0u);
}

TEST(XgboostModel, OptionsAreChecked) {
  EXPECT_EQ(errorOf(R"({"rounds": 0})"),
            "cost model 'xgboost': option 'rounds' must be an integer from 1 "
            "to 10000");
  EXPECT_EQ(
      errorOf(R"({"leaves": 3})"),
      "cost model 'xgboost': unknown option 'leaves'; expected one of device, "
      "seed, threads, rounds, members, more, depth, rate, prior");
  EXPECT_EQ(create(R"({"rounds": 7})")->name(), "xgboost");
}
