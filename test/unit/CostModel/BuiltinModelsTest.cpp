//===- BuiltinModelsTest.cpp - models without a plug-in -------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestData.h"
#include "pruner/CostModel/PluginLoader.h"

#include "gtest/gtest.h"
#include <cmath>

using namespace pruner;
using namespace pruner_test;

static std::unique_ptr<CostModel> make(const std::string &name,
                                       const std::string &options = "{}") {
  CostModelOrError made = createCostModel(name, options);
  EXPECT_EQ("", made.error);
  return std::move(made.model);
}

TEST(RandomModel, IsSeeded) {
  auto programs = randomPrograms(20, 1);
  auto first = make("random", R"({"seed": 3})")->predict(programs);
  EXPECT_EQ(first, make("random", R"({"seed": 3})")->predict(programs));
  EXPECT_NE(first, make("random", R"({"seed": 4})")->predict(programs));
  for (float score : first)
    EXPECT_TRUE(score >= 0.0f && score < 1.0f);
}

TEST(LinearModel, LearnsAndGeneralizes) {
  auto model = make("linear");
  auto train = randomPrograms(800, 1), test = randomPrograms(200, 2);
  EXPECT_EQ(std::vector<float>(200, 0.0f), model->predict(test));
  TrainingReport report =
      model->update(train, learnableLabels(train), std::vector<int>(800, 0));
  ASSERT_TRUE(report.trained) << report.message;
  EXPECT_GT(pairAccuracy(model->predict(test), learnableLabels(test)), 0.9);
}

TEST(LinearModel, SavesAndLoads) {
  auto model = make("linear");
  auto programs = randomPrograms(100, 1);
  model->update(programs, learnableLabels(programs), std::vector<int>(100, 0));
  TemporaryFile file("linear");
  ASSERT_EQ("", model->save(file.path));
  auto other = make("linear");
  ASSERT_EQ("", other->load(file.path));
  EXPECT_EQ(model->predict(programs), other->predict(programs));
  EXPECT_NE("", other->load("/nonexistent/w"));
  EXPECT_EQ(model->predict(programs), other->predict(programs));
}

TEST(LinearModel, OneMeasurementIsNotEnough) {
  auto model = make("linear");
  auto programs = randomPrograms(1, 1);
  TrainingReport report = model->update(programs, {1.0f}, {0});
  EXPECT_FALSE(report.trained);
  EXPECT_EQ("fewer than two valid programs to learn from", report.message);
  report = model->update(programs, {1.0f, 0.5f}, {0});
  EXPECT_EQ("there are 1 programs, but 2 labels and 1 groups", report.message);
}

TEST(BuiltinModels, InvalidProgramsScoreLowest) {
  auto programs = randomPrograms(3, 1);
  programs[0].rows = 0;
  programs[1].statements[5] = NAN;
  for (const char *name : {"random", "linear"}) {
    auto scores = make(name)->predict(programs);
    EXPECT_EQ(-INFINITY, scores[0]);
    EXPECT_EQ(-INFINITY, scores[1]);
    EXPECT_TRUE(std::isfinite(scores[2]));
  }
}

TEST(BuiltinModels, OptionErrors) {
  EXPECT_EQ("the model 'random' has no option 'speed'; it has: seed",
            createCostModel("random", R"({"speed": 1})").error);
  EXPECT_EQ("the option 'seed' of the model 'random' must be an integer",
            createCostModel("random", R"({"seed": 1.5})").error);
  EXPECT_EQ("the option 'ridge' of the model 'linear' must not be negative",
            createCostModel("linear", R"({"ridge": -1})").error);
  EXPECT_EQ("options of the model 'linear': not a JSON object",
            createCostModel("linear", "3").error);
}
