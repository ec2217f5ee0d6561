//===- TrainingTest.cpp - training in the plug-in -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Models.h"
#include "../TestData.h"

#include "gtest/gtest.h"
#include <cmath>
#include <cstring>

using namespace pruner;
using namespace pruner_test;

static std::unique_ptr<CostModel> make(const std::string &name,
                                       const std::string &options = "{}") {
  CostModelOrError made = createModel(name, options, PRUNER_TORCH_PLUGIN);
  EXPECT_EQ("", made.error);
  return std::move(made.model);
}

namespace {
struct TorchTraining : public ::testing::Test {
  std::vector<ProgramFeatures> programs = randomProgramsWithTerms(300, 21, 7);
  std::vector<float> labels = learnableLabels(programs);
  std::vector<int> groups = std::vector<int>(300, 0);
};
} // namespace

TEST_F(TorchTraining, LearnsToRank) {
  auto test = randomProgramsWithTerms(200, 22, 7);
  for (const char *name : {"pacm", "tensetmlp"})
    for (const char *list : {"batch", "task"}) {
      auto model = make(
          name,
          std::string(R"({"batch": 64, "epochs": 25, "lists-per-task": 0, )") +
              R"("list": ")" + list + "\"}");
      for (int i = 0; i < 300; ++i)
        groups[i] = i % 3;
      TrainingReport report = model->update(programs, labels, groups);
      ASSERT_TRUE(report.trained) << report.message;
      EXPECT_GT(report.epochs, 1);
      EXPECT_TRUE(std::isfinite(report.loss));
      EXPECT_GT(pairAccuracy(model->predict(programs), labels), 0.9)
          << name << ' ' << list;
      EXPECT_GT(pairAccuracy(model->predict(test), learnableLabels(test)), 0.8)
          << name << ' ' << list;
    }
}

TEST_F(TorchTraining, IsDeterministic) {
  const char *options = R"({"epochs": 3, "steps": 0, "batch": 100, "seed": 5})";
  auto first = make("pacm", options), second = make("pacm", options);
  auto other =
      make("pacm", R"({"epochs": 3, "steps": 0, "batch": 100, "seed": 6})");
  for (auto *model : {&first, &second, &other})
    ASSERT_TRUE((*model)->update(programs, labels, groups).trained);
  EXPECT_EQ(first->predict(programs), second->predict(programs));
  EXPECT_NE(first->predict(programs), other->predict(programs));
}

TEST_F(TorchTraining, SurvivesSaving) {
  auto model = make("pacm", R"({"epochs": 2, "steps": 0})");
  ASSERT_TRUE(model->update(programs, labels, groups).trained);
  TemporaryFile file("trained");
  ASSERT_EQ("", saveWeights(*model, file.path));
  auto other = make("pacm");
  ASSERT_EQ("", loadWeights(*other, file.path));
  EXPECT_EQ(model->predict(programs), other->predict(programs));
}

TEST_F(TorchTraining, StartsFromScratchOrContinues) {
  // When training from scratch, a second update with the same data gives the
  // same weights.
  auto fresh = make("pacm", R"({"epochs": 2, "steps": 0})");
  fresh->update(programs, labels, groups);
  auto once = fresh->predict(programs);
  fresh->update(programs, labels, groups);
  EXPECT_EQ(once, fresh->predict(programs));
  auto further =
      make("pacm", R"({"epochs": 2, "steps": 0, "adapt": "fine-tune"})");
  TrainingReport first = further->update(programs, labels, groups);
  TrainingReport second = further->update(programs, labels, groups);
  EXPECT_NE(once, further->predict(programs));
  EXPECT_LT(second.loss, first.loss);
}

TEST_F(TorchTraining, EarlyStopEndsIt) {
  // Without a learning rate the smoothed loss does not improve.
  auto model = make(
      "pacm",
      R"({"epochs": 200, "patience": 2, "learning-rate": 0, "batch": 1000})");
  TrainingReport report = model->update(programs, labels, groups);
  ASSERT_TRUE(report.trained);
  EXPECT_LT(report.epochs, 200);
}

TEST_F(TorchTraining, ListsHaveNoProgramLeftOver) {
  // Lists of 64 would leave one program, which makes no pair, and batches of
  // one have no variance.
  programs.resize(65);
  labels.resize(65);
  groups.resize(65);
  for (const char *options :
       {R"({"epochs": 3, "steps": 0, "batch": 64, "list-size": 64})",
        R"({"epochs": 3, "steps": 0, "batch": 2, "list-size": 2})"}) {
    TrainingReport report =
        make("pacm", options)->update(programs, labels, groups);
    EXPECT_TRUE(report.trained) << report.message;
  }
  // Tasks of one program each.
  for (int i = 0; i < 65; ++i)
    groups[i] = i;
  EXPECT_EQ("no task has two programs to compare",
            make("pacm")->update(programs, labels, groups).message);
}

TEST_F(TorchTraining, LittleDataHasMoreEpochs) {
  // 300 programs are two lists of 32 an epoch, and these are one step.
  auto report = [&](const char *options) {
    return make("tensetmlp", options)->update(programs, labels, groups);
  };
  EXPECT_EQ(9, report(R"({"epochs": 2, "steps": 9})").epochs);
  EXPECT_EQ(12, report(R"({"epochs": 12, "steps": 9})").epochs);
}

TEST_F(TorchTraining, TasksAreNotComparedWithEachOther) {
  // The second task's labels contradict the first one's between the tasks, but
  // not within them.
  std::vector<ProgramFeatures> both = programs;
  both.insert(both.end(), programs.begin(), programs.end());
  std::vector<float> mixed;
  std::vector<int> tasks;
  for (int task : {0, 1})
    for (float label : labels) {
      mixed.push_back(task ? 0.1f * label : label);
      tasks.push_back(task);
    }
  auto model = make("tensetmlp");
  ASSERT_TRUE(model->update(both, mixed, tasks).trained);
  EXPECT_GT(pairAccuracy(model->predict(programs), labels), 0.9);
}

// The first 32 programs say the opposite of the other 3968. A short training by
// lists of all programs hardly meets them; with half of the lists it does.
TEST_F(TorchTraining, HalfOfTheListsAreEarly) {
  constexpr std::size_t early = 32;
  auto many = randomProgramsWithTerms(4000, 23, 7);
  std::vector<float> y = learnableLabels(many);
  for (std::size_t i = 0; i < early; ++i)
    y[i] = 1 - y[i];
  auto earlyAccuracy = [&](const std::string &trials) {
    auto model =
        make("tensetmlp",
             R"({"epochs": 1, "steps": 40, "early-trials": )" + trials + "}");
    EXPECT_TRUE(
        model->update(many, y, std::vector<int>(many.size(), 0)).trained);
    std::vector<float> scores = model->predict(many);
    scores.resize(early);
    return pairAccuracy(scores, {y.begin(), y.begin() + early});
  };
  EXPECT_LT(earlyAccuracy("0"), 0.5);
  EXPECT_GT(earlyAccuracy("32"), 0.8);
  // There are no others.
  EXPECT_EQ(earlyAccuracy("0"), earlyAccuracy("4000"));
}

TEST_F(TorchTraining, ScaleOfFeaturesDoesNotMatter) {
  // A column with a large mean and small differences, like logarithms of sizes.
  auto shifted = programs;
  for (ProgramFeatures &program : shifted)
    for (int r = 0; r < program.rows; ++r)
      program.statements[r * kStatementFeatureSize + 3] =
          1000 + 0.1f * program.statements[r * kStatementFeatureSize + 3];
  auto learn = [&](const std::vector<ProgramFeatures> &from,
                   const char *options) {
    auto model = make("tensetmlp", options);
    EXPECT_TRUE(model->update(from, labels, groups).trained);
    return pairAccuracy(model->predict(from), labels);
  };
  EXPECT_NEAR(learn(shifted, "{}"), learn(programs, "{}"), 0.02);
}

TEST_F(TorchTraining, TooLittleDataIsNotAnError) {
  auto model = make("pacm");
  EXPECT_EQ("fewer than two valid programs to learn from",
            model->update({programs[0]}, {1.0f}, {0}).message);
  EXPECT_EQ("fewer than two valid programs to learn from",
            model->update({}, {}, {}).message);
  // An invalid label is skipped like an invalid program.
  EXPECT_FALSE(
      model->update({programs[0], programs[1]}, {1.0f, NAN}, {0, 0}).trained);
  EXPECT_TRUE(
      model->update({programs[0], programs[1]}, {1.0f, 0.5f}, {0, 0}).trained);
}

TEST_F(TorchTraining, DivergenceKeepsTheWeights) {
  auto model = make("pacm");
  TemporaryFile file("huge");
  ASSERT_EQ("", saveWeights(*model, file.path));
  // Finite weights whose scores overflow at once.
  TensorFile tensors;
  ASSERT_EQ("", readTensors(file.path, tensors));
  for (TensorData &tensor : tensors.tensors)
    if (tensor.name == "decoder.weight")
      for (std::size_t i = 0; i < tensor.bytes.size() / 4; ++i) {
        const float huge = 3e38f;
        std::memcpy(tensor.bytes.data() + 4 * i, &huge, 4);
      }
  ASSERT_EQ("", writeSafetensors(file.path, tensors));
  ASSERT_EQ("", loadWeights(*model, file.path));
  auto before = model->predict(programs);
  TrainingReport report = model->update(programs, labels, groups);
  EXPECT_FALSE(report.trained);
  EXPECT_EQ(
      "training diverged in epoch 1; the previous weights are kept. Lower the "
      "learning-rate.",
      report.message);
  EXPECT_EQ(before, model->predict(programs));
}

TEST_F(TorchTraining, PlainKernelsLearnTheSame) {
  for (const char *name : {"pacm", "tensetmlp"}) {
    auto fused = make(name, R"({"epochs": 3, "steps": 0})"),
         plain = make(name, R"({"epochs": 3, "steps": 0, "kernels": "plain"})");
    double a = fused->update(programs, labels, groups).loss,
           b = plain->update(programs, labels, groups).loss;
    EXPECT_NEAR(a, b, 1e-3 * a) << name;
    auto x = fused->predict(programs), y = plain->predict(programs);
    for (std::size_t i = 0; i < x.size(); ++i)
      EXPECT_NEAR(x[i], y[i], 1e-2 * std::max(1.0f, std::abs(x[i]))) << name;
  }
}

TEST_F(TorchTraining, MissingDevicesAreReported) {
  // "auto" uses any available device.
  auto any = make("pacm", R"({"epochs": 1, "steps": 0, "device": "auto"})");
  EXPECT_TRUE(any->update(programs, labels, groups).trained);
  CostModelOrError none =
      createModel("pacm", R"({"device": "cuda"})", PRUNER_TORCH_PLUGIN);
  if (!none.model)
    EXPECT_EQ(0u, none.error.find("cost model 'pacm': no CUDA device for "
                                  "LibTorch: "))
        << none.error;
}
