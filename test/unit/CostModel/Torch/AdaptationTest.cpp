//===- AdaptationTest.cpp - adaptation of weights in the plug-in ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Models.h"
#include "../TestData.h"

#include "gtest/gtest.h"
#include <algorithm>
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
struct TorchAdaptation : public ::testing::Test {
  std::vector<ProgramFeatures> programs = randomProgramsWithTerms(300, 21, 7);
  std::vector<float> labels = learnableLabels(programs);
  std::vector<int> groups = std::vector<int>(300, 0);
  TemporaryFile source{"source"};

  /// Weights of a few steps, in `source`.
  void makeSource(const std::string &name,
                  const char *options = R"({"epochs": 4, "steps": 0})") {
    auto model = make(name, options);
    ASSERT_TRUE(model->update(programs, labels, groups).trained);
    ASSERT_EQ("", saveWeights(*model, source.path));
  }
  std::unique_ptr<CostModel> adapted(const std::string &name,
                                     const std::string &options) {
    auto model = make(name, options);
    EXPECT_EQ("", loadWeights(*model, source.path));
    return model;
  }
};
} // namespace

static TensorFile contents(const CostModel &model) {
  TemporaryFile file("contents");
  TensorFile tensors;
  EXPECT_EQ("", saveWeights(model, file.path));
  EXPECT_EQ("", readTensors(file.path, tensors));
  return tensors;
}

static std::vector<float> numbers(const TensorData &tensor) {
  std::vector<float> values(tensor.bytes.size() / 4);
  std::memcpy(values.data(), tensor.bytes.data(), tensor.bytes.size());
  return values;
}

// In each tensor a quarter of the parameters takes Adam's steps, each of which
// is at most a few learning rates long. The others lose a tenth of their value
// in each step.
TEST_F(TorchAdaptation, MosesDecaysWhatIsNotTransferable) {
  makeSource("tensetmlp");
  auto model = adapted("tensetmlp",
                       R"({"adapt": "moses", "transferable": 0.25,
                           "decay": 100, "learning-rate": 1e-3,
                           "schedule": "constant", "adversary": 0,
                           "epochs": 3, "steps": 0})");
  TensorFile before = contents(*model);
  ASSERT_EQ(3, model->update(programs, labels, groups).epochs);
  TensorFile after = contents(*model);
  int seen = 0;
  for (const TensorData &tensor : before.tensors) {
    std::vector<float> was = numbers(tensor),
                       is = numbers(*after.find(tensor.name));
    if (tensor.name.find(".weight") == std::string::npos) {
      if (tensor.name.find(".bias") == std::string::npos)
        EXPECT_EQ(was, is) << tensor.name;
      continue;
    }
    ++seen;
    std::size_t decayed = 0;
    for (std::size_t i = 0; i < was.size(); ++i) {
      bool lost =
          std::abs(is[i] - 0.729f * was[i]) < 1e-5f * std::abs(was[i]) + 1e-12f;
      decayed += lost;
      if (!lost)
        EXPECT_LT(std::abs(is[i] - was[i]), 4e-3f) << tensor.name;
    }
    double share = double(decayed) / double(was.size());
    EXPECT_GE(share, 0.75 - 1. / double(was.size())) << tensor.name;
    EXPECT_LT(share, 0.9) << tensor.name;
  }
  EXPECT_GE(seen, 6);
}

TEST_F(TorchAdaptation, MosesAdaptsToAnotherMachine) {
  auto other = labels;
  for (float &label : other)
    label = 1 - label;
  makeSource("tensetmlp", "{}");
  for (const char *options :
       {R"({"adapt": "moses"})",
        R"({"adapt": "moses", "boundary": "network", "kernels": "plain"})"}) {
    auto model = adapted("tensetmlp", options);
    EXPECT_GT(pairAccuracy(model->predict(programs), labels), 0.8);
    ASSERT_TRUE(model->update(programs, other, groups).trained);
    EXPECT_GT(pairAccuracy(model->predict(programs), other), 0.8) << options;
  }
}

// Two models with the same weights are updated alike, even if one was saved and
// loaded in between. The source's sample is kept.
TEST_F(TorchAdaptation, MosesContinuesFromAFile) {
  makeSource("pacm");
  const char *options =
      R"({"adapt": "moses", "epochs": 2, "steps": 0, "adversary": 1})";
  auto whole = adapted("pacm", options), half = adapted("pacm", options);
  whole->update(programs, labels, groups);
  half->update(programs, labels, groups);
  TemporaryFile file("half");
  ASSERT_EQ("", saveWeights(*half, file.path));
  auto rest = make("pacm", options);
  ASSERT_EQ("", loadWeights(*rest, file.path));
  whole->update(programs, labels, groups);
  rest->update(programs, labels, groups);
  EXPECT_EQ(whole->predict(programs), rest->predict(programs));
  const char *sample = "source_representations";
  TensorFile first;
  ASSERT_EQ("", readTensors(source.path, first));
  ASSERT_TRUE(first.find(sample));
  EXPECT_EQ((std::vector<std::int64_t>{256, 256}), first.find(sample)->shape);
  EXPECT_EQ(first.find(sample)->bytes, contents(*rest).find(sample)->bytes);
  // The adversary has an effect.
  auto without = adapted(
      "pacm", R"({"adapt": "moses", "epochs": 2, "steps": 0, "adversary": 0})");
  without->update(programs, labels, groups);
  EXPECT_NE(without->predict(programs), half->predict(programs));
}

// Weights in the published format have no sample.
TEST_F(TorchAdaptation, MosesWithoutASample) {
  makeSource("tensetmlp");
  TensorFile file;
  ASSERT_EQ("", readTensors(source.path, file));
  for (TensorData &tensor : file.tensors)
    if (tensor.name == "source_representations")
      tensor.shape = {tensor.shape[1], tensor.shape[0] / 2, 2};
  ASSERT_EQ("", writeSafetensors(source.path, file));
  EXPECT_NE(std::string::npos,
            loadWeights(*make("tensetmlp"), source.path)
                .find("tensor 'source_representations' is "));
  // NOLINTNEXTLINE(llvm-use-ranges): this component does not use LLVM.
  file.tensors.erase(std::remove_if(file.tensors.begin(), file.tensors.end(),
                                    [](const TensorData &tensor) {
                                      return tensor.name ==
                                             "source_representations";
                                    }),
                     file.tensors.end());
  ASSERT_EQ("", writeSafetensors(source.path, file));
  auto model =
      adapted("tensetmlp", R"({"adapt": "moses", "epochs": 1, "steps": 0})");
  EXPECT_TRUE(model->update(programs, labels, groups).trained);
}

TEST_F(TorchAdaptation, MosesNeedsWeights) {
  for (const char *name : {"pacm", "tensetmlp"})
    EXPECT_EQ("moses needs weights to adapt",
              make(name, R"({"adapt": "moses"})")
                  ->update(programs, labels, groups)
                  .message);
}

TEST_F(TorchAdaptation, InvalidCombinations) {
  auto error = [](const std::string &name, const std::string &adapt) {
    return createModel(name, R"({"adapt": ")" + adapt + "\"}",
                       PRUNER_TORCH_PLUGIN)
        .error;
  };
  EXPECT_EQ("cost model 'tlp': option 'adapt': the slow copy would need a head "
            "for every new platform",
            error("tlp", "moa"));
  EXPECT_EQ("cost model 'pacm': option 'adapt' must be one of 'auto', "
            "'scratch', 'fine-tune', 'moa', 'moses'",
            error("pacm", "slowly"));
}

TEST_F(TorchAdaptation, MomentumAdaptationFollowsItsPeriod) {
  auto model =
      make("pacm", R"({"adapt": "moa", "epochs": 2, "steps": 0, "period": 3})");
  for (int call = 1; call <= 6; ++call) {
    TrainingReport report = model->update(programs, labels, groups);
    EXPECT_EQ(call % 3 == 0, report.trained) << report.message;
  }
  EXPECT_EQ("momentum adaptation trains at every 3th update, this is 7",
            model->update(programs, labels, groups).message);
}

TEST_F(TorchAdaptation, MomentumAdaptationMovesTheSlowWeightsALittle) {
  // With momentum 1 the slow weights do not change, so every training starts
  // from the same point and ends at the same.
  auto still = make(
      "pacm",
      R"({"adapt": "moa", "epochs": 2, "steps": 0, "period": 1, "momentum": 1})");
  still->update(programs, labels, groups);
  auto first = still->predict(programs);
  still->update(programs, labels, groups);
  EXPECT_EQ(first, still->predict(programs));
  auto moving = make(
      "pacm",
      R"({"adapt": "moa", "epochs": 2, "steps": 0, "period": 1, "momentum": 0.5})");
  moving->update(programs, labels, groups);
  EXPECT_EQ(first, moving->predict(programs));
  moving->update(programs, labels, groups);
  EXPECT_NE(first, moving->predict(programs));
  // The slow weights are part of the file: both models continue alike after
  // loading.
  TemporaryFile file("moa");
  ASSERT_EQ("", saveWeights(*moving, file.path));
  const char *options =
      R"({"adapt": "moa", "epochs": 2, "steps": 0, "period": 1, "momentum": 0.5,
          "normalization": "recompute"})";
  auto resumed = make("pacm", options);
  ASSERT_EQ("", loadWeights(*resumed, file.path));
  EXPECT_EQ(moving->predict(programs), resumed->predict(programs));
  moving->update(programs, labels, groups);
  resumed->update(programs, labels, groups);
  EXPECT_EQ(moving->predict(programs), resumed->predict(programs));
  auto plain = make("pacm");
  ASSERT_EQ("", loadWeights(*plain, file.path));
}
