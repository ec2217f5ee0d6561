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
#include <random>
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

/// Programs whose terms are random numbers and a constant.
static std::vector<ProgramFeatures> programsOnPlane(unsigned count,
                                                    std::uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(0, 1);
  std::vector<ProgramFeatures> programs(count);
  for (ProgramFeatures &program : programs)
    program.terms = {uniform(random), 1000 * uniform(random), 7};
  return programs;
}

static std::vector<float>
labelsOnPlane(const std::vector<ProgramFeatures> &in) {
  std::vector<float> labels;
  for (const ProgramFeatures &program : in)
    labels.push_back((program.terms[0] + program.terms[1] / 1000) / 2);
  return labels;
}

TEST(NearestModel, LearnsAndGeneralizes) {
  auto model = make("nearest");
  auto train = programsOnPlane(1500, 1), test = programsOnPlane(200, 2);
  EXPECT_EQ(std::vector<float>(200, 0.0f), model->predict(test));
  TrainingReport report =
      model->update(train, labelsOnPlane(train), std::vector<int>(1500, 0));
  ASSERT_TRUE(report.trained) << report.message;
  EXPECT_GT(pairAccuracy(model->predict(test), labelsOnPlane(test)), 0.95);
  // Programs of the training have their own labels.
  std::vector<float> scores = model->predict(train);
  std::vector<float> labels = labelsOnPlane(train);
  for (std::size_t i = 0; i < scores.size(); ++i)
    EXPECT_NEAR(labels[i], scores[i], 0.02);
}

TEST(NearestModel, AveragesByDistance) {
  std::vector<ProgramFeatures> programs(3);
  for (int i = 0; i < 3; ++i)
    programs[i].terms = {float(2 * i)};
  auto model = make("nearest", R"({"neighbors": 2})");
  ASSERT_TRUE(model->update(programs, {0, 0.5, 1}, {0, 0, 0}).trained);
  std::vector<ProgramFeatures> between(1);
  between[0].terms = {3};
  EXPECT_NEAR(0.75, model->predict(between)[0], 1e-6);
  // The labels 0.5 and 1 at a third and two thirds of the distance.
  between[0].terms = {2 + 2 / 3.0f};
  EXPECT_NEAR((4 * 0.5 + 1 * 1.0) / 5, model->predict(between)[0], 1e-5);
}

TEST(NearestModel, SavesAndLoads) {
  auto programs = programsOnPlane(100, 1);
  auto model = make("nearest", R"({"neighbors": 3})");
  model->update(programs, labelsOnPlane(programs), std::vector<int>(100, 0));
  TemporaryFile file("nearest");
  ASSERT_EQ("", saveWeights(*model, file.path));
  auto other = make("nearest");
  auto test = programsOnPlane(50, 2);
  ASSERT_EQ("", loadWeights(*other, file.path));
  EXPECT_EQ(model->predict(test), other->predict(test));
  // An update keeps the loaded programs, and replaces those of the last one.
  for (int round = 0; round < 2; ++round)
    EXPECT_TRUE(other
                    ->update(test, std::vector<float>(50, 1.0f),
                             std::vector<int>(50, 0))
                    .trained);
  EXPECT_EQ("nearest: 3 of 150 programs, 3 terms", other->describe());
  EXPECT_NEAR(1, other->predict(test)[0], 1e-3);
}

TEST(NearestModel, OneMeasurementIsNotEnough) {
  auto model = make("nearest");
  EXPECT_EQ("fewer than two programs with terms to learn from",
            model->update(programsOnPlane(1, 1), {1}, {0}).message);
  TensorFile file;
  EXPECT_EQ("cannot save an untrained model", model->save(file));
}

TEST(NearestModel, RejectsInvalidWeights) {
  auto programs = programsOnPlane(4, 1);
  auto model = make("nearest");
  model->update(programs, labelsOnPlane(programs), {0, 0, 0, 0});
  TensorFile good;
  ASSERT_EQ("", model->save(good));
  good.metadata["model"] = "nearest";
  auto error = [&](auto change) {
    TensorFile file = good;
    change(file);
    return make("nearest")->load(file);
  };
  auto tensor = [](TensorFile &file, const std::string &name) -> TensorData & {
    for (TensorData &each : file.tensors)
      if (each.name == name)
        return each;
    std::abort();
  };
  auto write = [&](TensorFile &file, const char *name, float value) {
    std::memcpy(tensor(file, name).bytes.data(), &value, sizeof(value));
  };
  EXPECT_EQ("", error([](TensorFile &) {}));
  EXPECT_EQ("'neighbors' must be an integer from 1 to 1024",
            error([](TensorFile &f) { f.metadata["neighbors"] = "0"; }));
  EXPECT_EQ("'neighbors' must be an integer from 1 to 1024",
            error([](TensorFile &f) { f.metadata.erase("neighbors"); }));
  EXPECT_EQ("the file does not state the version of the terms",
            error([](TensorFile &f) { f.metadata.erase("terms"); }));
  EXPECT_EQ("expected the tensors 'mean' and 'labels' of one dimension each",
            error([](TensorFile &f) { f.tensors.clear(); }));
  EXPECT_EQ("tensor 'points' must be F32 of 3 x 4 elements",
            error([&](TensorFile &f) { tensor(f, "points").shape = {4, 3}; }));
  EXPECT_EQ("tensor 'scale' has invalid numbers",
            error([&](TensorFile &f) { write(f, "scale", -1); }));
  EXPECT_EQ("tensor 'points' has invalid numbers",
            error([&](TensorFile &f) { write(f, "points", NAN); }));
  EXPECT_EQ("tensor 'labels' has invalid numbers",
            error([&](TensorFile &f) { write(f, "labels", 2); }));
}

TEST(NearestModel, DistancesThatOverflowScoreLowest) {
  auto model = make("nearest");
  auto programs = programsOnPlane(10, 1);
  model->update(programs, labelsOnPlane(programs), std::vector<int>(10, 0));
  programs.resize(1);
  programs[0].terms[0] = 3e38f;
  EXPECT_EQ(std::vector<float>{-INFINITY}, model->predict(programs));
  programs[0].terms = {1};
  EXPECT_EQ(std::vector<float>{-INFINITY}, model->predict(programs));
}

TEST(BuiltinModels, OptionErrors) {
  EXPECT_EQ("cost model 'random': unknown option 'speed'; expected one of "
            "seed; did you mean 'seed'?",
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
            "tlp, cdmpp, xgboost, nearest, linear, random",
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
