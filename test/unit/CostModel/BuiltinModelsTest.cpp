//===- BuiltinModelsTest.cpp - models without a plug-in -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Models.h"
#include "TestData.h"
#include "pruner/CostModel/BoostedTrees.h"
#include "pruner/CostModel/Safetensors.h"
#include "pruner/CostModel/TermsVersion.h"

#include "gtest/gtest.h"
#include <cmath>
#include <cstring>
#include <set>

using namespace pruner;
using namespace pruner_test;

static std::unique_ptr<CostModel> make(const std::string &name,
                                       const std::string &options = "{}") {
  CostModelOrError made = createModel(name, options);
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
  ASSERT_EQ("", saveWeights(*model, file.path));
  auto other = make("linear");
  ASSERT_EQ("", loadWeights(*other, file.path));
  EXPECT_EQ(model->predict(programs), other->predict(programs));
  EXPECT_NE("", loadWeights(*other, "/nonexistent/w"));
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

static TensorData tensorOf(const char *name,
                           const std::vector<double> &values) {
  TensorData tensor{name, "F64", {std::int64_t(values.size())}, {}};
  tensor.bytes.resize(values.size() * sizeof(double));
  std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
  return tensor;
}

// infinity - infinity.
TEST(LinearModel, WeightsThatOverflowScoreLowest) {
  TensorFile weights;
  weights.metadata = {{"model", "linear"},
                      {"schema", std::to_string(kFeatureSchemaVersion)}};
  std::vector<double> columns(kStatementFeatureSize + 1, 0);
  columns[0] = 1;
  columns[1] = -1;
  weights.tensors.push_back(tensorOf("weights", columns));
  columns.pop_back();
  columns.assign(columns.size(), 1e-308);
  weights.tensors.push_back(tensorOf("statement_feature_max", columns));
  TemporaryFile file("overflow");
  ASSERT_EQ("", writeSafetensors(file.path, weights));
  auto model = make("linear");
  ASSERT_EQ("", loadWeights(*model, file.path));
  auto programs = randomPrograms(1, 1);
  programs[0].statements[0] = programs[0].statements[1] = 100;
  EXPECT_EQ(std::vector<float>{-INFINITY}, model->predict(programs));
}

/// A file of trees of one leaf each.
static TensorFile leaves(const std::vector<float> &values,
                         const std::string &prior) {
  BoostedTrees trees;
  trees.columns = 1;
  trees.offsets = {0};
  for (float value : values) {
    trees.offsets.push_back(trees.offsets.back() + 1);
    trees.feature.push_back(-1);
    trees.value.push_back(value);
    trees.left.push_back(-1);
    trees.right.push_back(-1);
    trees.missing.push_back(0);
  }
  TensorFile file;
  file.metadata = {{"model", "xgboost"}, {"prior", prior}};
  writeTermsVersion(file.metadata);
  trees.write(file);
  return file;
}

static std::vector<ProgramFeatures> programsWithTerm(float term) {
  std::vector<ProgramFeatures> programs(1);
  programs[0].terms = {term};
  return programs;
}

TEST(XgboostModel, LeavesThatOverflowScoreLowest) {
  TemporaryFile file("leaves");
  ASSERT_EQ("", writeSafetensors(file.path, leaves({3e38f, 3e38f}, "100")));
  auto model = make("xgboost");
  ASSERT_EQ("", loadWeights(*model, file.path));
  EXPECT_EQ(std::vector<float>{-INFINITY},
            model->predict(programsWithTerm(3e38f)));
}

TEST(XgboostModel, APriorOfManyDigitsComesBack) {
  for (const char *prior : {"1e-7", "0.12345678901234567", "0.5"}) {
    TemporaryFile file("prior"), again("again");
    ASSERT_EQ("", writeSafetensors(file.path, leaves({1}, prior)));
    auto model = make("xgboost"), other = make("xgboost");
    ASSERT_EQ("", loadWeights(*model, file.path));
    ASSERT_EQ("", saveWeights(*model, again.path));
    ASSERT_EQ("", loadWeights(*other, again.path));
    EXPECT_EQ(model->predict(programsWithTerm(1e7f)),
              other->predict(programsWithTerm(1e7f)))
        << prior;
  }
}

TEST(BuiltinModels, OptionErrors) {
  EXPECT_EQ("cost model 'random': unknown option 'speed'; expected one of seed",
            createModel("random", R"({"speed": 1})").error);
  EXPECT_EQ(
      "cost model 'random': option 'seed' must be an integer from 0 to 9e+18",
      createModel("random", R"({"seed": 1.5})").error);
  EXPECT_EQ(
      "cost model 'linear': option 'ridge' must be a number from 0 to 1e+30",
      createModel("linear", R"({"ridge": -1})").error);
  EXPECT_EQ("not a JSON object", createModel("linear", "3").error);
}

TEST(ModelKinds, DescribeThemselves) {
  std::set<std::string> names;
  for (const ModelKind *kind : modelKinds()) {
    EXPECT_TRUE(names.insert(kind->name()).second) << kind->name();
    EXPECT_NE("", kind->summary());
    std::set<std::string> options;
    for (const OptionInfo &option : kind->options()) {
      EXPECT_TRUE(options.insert(option.name).second) << option.name;
      EXPECT_NE("", option.help);
    }
    TensorFile file;
    file.metadata["model"] = kind->name();
    std::string error;
    EXPECT_EQ(kind, kindOf(file, error));
  }
  TensorFile published, older, unknown;
  older.metadata["model"] = "moa";
  unknown.metadata["model"] = "gpt";
  std::string error;
  EXPECT_EQ("pacm", kindOf(published, error)->name());
  EXPECT_EQ("pacm", kindOf(older, error)->name());
  EXPECT_EQ(nullptr, kindOf(unknown, error));
  EXPECT_EQ("cost model 'gpt': unknown model; expected one of pacm, tensetmlp, "
            "tlp, cdmpp, xgboost, linear, random",
            error);
}

// No plug-in is needed to reject options.
TEST(ModelKinds, OptionsOfOthersAreRejected) {
  auto error = [](const char *model, const char *options) {
    return createModel(model, options, "/nonexistent/p.so").error;
  };
  EXPECT_EQ(0u, error("pacm", R"({"width": 64})")
                    .find("cost model 'pacm': unknown option 'width'; expected "
                          "one of device, threads, seed, "));
  EXPECT_EQ("cost model 'pacm': option 'momentum' needs 'adapt=moa'",
            error("pacm", R"({"momentum": 1})"));
  EXPECT_EQ("cost model 'tlp': option 'decay' needs 'adapt=moses'",
            error("tlp", R"({"decay": 1, "adapt": "fine-tune"})"));
  EXPECT_EQ("cost model 'pacm': option 'momentum' must be a number from 0 to 1",
            error("pacm", R"({"momentum": 2, "adapt": "moa"})"));
  EXPECT_EQ("cost model 'cdmpp': option 'adapt': cdmpp has its own adaptation, "
            "the central moment discrepancy between platforms, which is part "
            "of fine-tune",
            error("cdmpp", R"({"adapt": "moses"})"));
  EXPECT_EQ("cost model 'pacm': option 'epochs' must be an integer from 1 to "
            "100000",
            error("pacm", R"({"epochs": null})"));
  EXPECT_EQ("an object has two members of the same name",
            error("pacm", R"({"seed": 1, "seed": 2})"));
  EXPECT_EQ("an object has two members of the same name",
            error("pacm", R"({"a\"": {"b:": 1, "b\u003a": 2}})"));
}
