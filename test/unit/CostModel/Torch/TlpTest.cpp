//===- TlpTest.cpp - TLP and MTL-TLP of the plug-in -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Models.h"
#include "../TestData.h"
#include "NaiveNetwork.h"

#include "gtest/gtest.h"
#include <algorithm>
#include <cmath>
#include <cstring>

using namespace pruner;
using namespace pruner_test;

static std::unique_ptr<CostModel> make(const std::string &options = "{}") {
  CostModelOrError made = createModel("tlp", options, PRUNER_TORCH_PLUGIN);
  EXPECT_EQ("", made.error);
  return std::move(made.model);
}

static std::string problem(const std::string &options) {
  return createModel("tlp", options, PRUNER_TORCH_PLUGIN).error;
}

static void expectNear(const std::vector<double> &expected,
                       const std::vector<float> &scores) {
  ASSERT_EQ(expected.size(), scores.size());
  double scale = 0;
  for (double value : expected)
    scale = std::max(scale, std::fabs(value));
  ASSERT_GT(scale, 0.001);
  for (std::size_t i = 0; i < scores.size(); ++i)
    EXPECT_NEAR(expected[i], scores[i], 1e-5 * scale) << "program " << i;
}

namespace {
/// Measurements of two platforms. Programs that are fast on one are slow on the
/// other.
struct Tlp : public ::testing::Test {
  std::vector<float> labels, theirLabels;
  std::vector<ProgramFeatures> programs = randomSequences(300, 1, labels),
                               theirs = randomSequences(300, 2, theirLabels,
                                                        "there");
  std::vector<int> groups = std::vector<int>(300, 0);

  void SetUp() override {
    for (float &label : theirLabels)
      label = 1 - 0.9f * label;
  }
  void join() {
    programs.insert(programs.end(), theirs.begin(), theirs.end());
    labels.insert(labels.end(), theirLabels.begin(), theirLabels.end());
    groups.resize(programs.size(), 1);
  }
  TensorFile tensorsOf(const CostModel &model) {
    TemporaryFile file("tlp");
    TensorFile tensors;
    EXPECT_EQ("", saveWeights(model, file.path));
    EXPECT_EQ("", readTensors(file.path, tensors));
    return tensors;
  }
};
} // namespace

// 676,161 of the published network less 65,792 that no score depends on, and 64
// for each of two primitives more than it has.
TEST_F(Tlp, HasThePublishedSize) {
  EXPECT_NE(std::string::npos, make()->describe().find("610497 parameters"));
  EXPECT_NE(std::string::npos,
            make(R"({"width": 64})")->describe().find("tlp: "));
}

TEST_F(Tlp, ReadsSchedulesOnly) {
  for (const char *language : {"schedule", "recorded"}) {
    FeatureParts parts =
        make(std::string(R"({"language": ")") + language + "\"}")->reads();
    EXPECT_FALSE(parts.ofPrograms());
    EXPECT_EQ(parts.primitives, std::string(language) == "schedule");
    EXPECT_EQ(parts.recordedPrimitives, !parts.primitives);
  }
}

TEST_F(Tlp, EqualsTheNaiveNetwork) {
  join();
  for (const char *options :
       {R"({"epochs": 1, "steps": 3})",
        R"({"epochs": 1, "steps": 3, "width": 64, "sequence": 6})",
        R"({"epochs": 1, "steps": 3, "heads": "one", "numbers": "raw"})",
        R"({"epochs": 1, "steps": 3, "scale-by": "column"})"}) {
    auto model = make(options);
    ASSERT_TRUE(model->update(programs, labels, groups).trained);
    TensorFile tensors = tensorsOf(*model);
    expectNear(naiveTlpScores(tensors, programs), model->predict(programs));
    // Independent of other programs in the call.
    auto alone = model->predict({programs[7]});
    EXPECT_NEAR(alone[0], model->predict(programs)[7],
                1e-5 * (1 + std::fabs(alone[0])));
  }
}

TEST_F(Tlp, LearnsToRank) {
  std::vector<float> testLabels;
  auto test = randomSequences(200, 3, testLabels);
  programs = randomSequences(600, 1, labels);
  groups.assign(programs.size(), 0);
  for (const char *loss : {"lambda", "pairs"}) {
    auto model = make(std::string(R"({"width": 64, "early-trials": 0, )") +
                      R"("steps": 400, "loss": ")" + loss + "\"}");
    TrainingReport report = model->update(programs, labels, groups);
    ASSERT_TRUE(report.trained) << report.message;
    EXPECT_GT(pairAccuracy(model->predict(programs), labels), 0.85) << loss;
    EXPECT_GT(pairAccuracy(model->predict(test), testLabels), 0.85) << loss;
  }
}

// Each head follows its own platform. A single head for both cannot.
TEST_F(Tlp, PlatformsHaveHeads) {
  const std::vector<ProgramFeatures> own = programs;
  const std::vector<float> ownLabels = labels;
  join();
  auto model = make(R"({"width": 64, "early-trials": 0, "steps": 400})");
  ASSERT_TRUE(model->update(programs, labels, groups).trained);
  EXPECT_NE(std::string::npos, model->describe().find("2 heads"));
  EXPECT_GT(pairAccuracy(model->predict(own), ownLabels), 0.85);
  EXPECT_GT(pairAccuracy(model->predict(theirs), theirLabels), 0.85);
  // An unknown platform uses the first head.
  auto unknown = own;
  for (ProgramFeatures &program : unknown)
    program.platform = "elsewhere";
  EXPECT_EQ(model->predict(unknown), model->predict(own));
  auto one =
      make(R"({"width": 64, "heads": "one", "early-trials": 0, "steps": 400})");
  ASSERT_TRUE(one->update(programs, labels, groups).trained);
  EXPECT_NE(std::string::npos, one->describe().find("1 head"));
  EXPECT_LT(std::min(pairAccuracy(one->predict(own), ownLabels),
                     pairAccuracy(one->predict(theirs), theirLabels)),
            0.8);
}

// A head trains on its own platform's labels only. Labels of other platforms do
// not change it.
TEST_F(Tlp, OtherPlatformsLabelsAreMasked) {
  auto model = make(R"({"width": 64})");
  join();
  ASSERT_TRUE(model->update(programs, labels, groups).trained);
  TemporaryFile file("two");
  ASSERT_EQ("", saveWeights(*model, file.path));
  auto adapted = make(R"({"width": 64, "trunk": "keep", "steps": 20})");
  ASSERT_EQ("", loadWeights(*adapted, file.path));
  auto before = adapted->predict(programs);
  ASSERT_TRUE(
      adapted->update(theirs, theirLabels, std::vector<int>(300, 0)).trained);
  auto after = adapted->predict(programs);
  for (std::size_t i = 0; i < 300; ++i)
    EXPECT_EQ(before[i], after[i]);
  EXPECT_FALSE(
      std::equal(before.begin() + 300, before.end(), after.begin() + 300));
}

TEST_F(Tlp, AdaptsToAnotherPlatform) {
  auto model = make(R"({"width": 64})");
  ASSERT_TRUE(model->update(programs, labels, groups).trained);
  TemporaryFile file("adapt");
  ASSERT_EQ("", saveWeights(*model, file.path));
  auto adapted = make(R"({"steps": 300})");
  ASSERT_EQ("", loadWeights(*adapted, file.path));
  EXPECT_LT(pairAccuracy(adapted->predict(theirs), theirLabels), 0.5);
  ASSERT_TRUE(
      adapted->update(theirs, theirLabels, std::vector<int>(300, 0)).trained);
  EXPECT_NE(std::string::npos, adapted->describe().find("2 heads"));
  EXPECT_GT(pairAccuracy(adapted->predict(theirs), theirLabels), 0.85);
}

TEST_F(Tlp, FilesGiveTheSameScores) {
  join();
  auto model = make(R"({"epochs": 1, "steps": 5, "width": 96})");
  ASSERT_TRUE(model->update(programs, labels, groups).trained);
  TemporaryFile file("same");
  ASSERT_EQ("", saveWeights(*model, file.path));
  auto loaded = make();
  ASSERT_EQ("", loadWeights(*loaded, file.path));
  EXPECT_EQ(model->predict(programs), loaded->predict(programs));
  EXPECT_EQ("tlp", modelOfWeights(file.path));
}

// Types stay 0 and 1. A parameter has mean 0 and variance 1 among the
// primitives of its type, whatever the other types have in that column.
TEST_F(Tlp, ParametersAreScaledByType) {
  constexpr std::size_t columns = kPrimitiveFeatureSize;
  for (ProgramFeatures &program : programs)
    for (float &number : program.primitives)
      if (number == 5)
        number = 1e6f; // Of the first type only, and constant.
  auto model = make(R"({"epochs": 1, "steps": 1, "width": 32})");
  ASSERT_TRUE(model->update(programs, labels, groups).trained);
  std::vector<float> mean(columns * columns), scale(mean);
  for (const TensorData &tensor : tensorsOf(*model).tensors)
    for (auto [name, to] : {std::pair("primitive_feature_mean", &mean),
                            std::pair("primitive_feature_scale", &scale)})
      if (tensor.name == name) {
        ASSERT_EQ(tensor.shape, (std::vector<std::int64_t>{columns, columns}));
        std::memcpy(to->data(), tensor.bytes.data(), tensor.bytes.size());
      }
  for (std::size_t type = 0; type < 12; ++type)
    for (std::size_t c = 0; c < 12; ++c) {
      EXPECT_EQ(0, mean[type * columns + c]);
      EXPECT_EQ(1, scale[type * columns + c]);
    }
  double sum = 0, squares = 0;
  for (const ProgramFeatures &program : programs) {
    // The second primitive has the second type.
    double x = std::log2(1 + program.primitives[columns + 12]);
    x = (x - mean[columns + 12]) / scale[columns + 12];
    sum += x / 300;
    squares += x * x / 300;
  }
  // Later primitives of some sequences have the type too, but no 13th type.
  EXPECT_NEAR(0, sum, 1e-3);
  EXPECT_NEAR(1, squares, 1e-3);
}

TEST_F(Tlp, FilesWithOneScalingForAllTypesAreRead) {
  auto model =
      make(R"({"epochs": 1, "steps": 5, "width": 32, "scale-by": "column"})");
  ASSERT_TRUE(model->update(programs, labels, groups).trained);
  TensorFile older = tensorsOf(*model);
  for (TensorData &tensor : older.tensors)
    if (tensor.name.rfind("primitive_feature_", 0) == 0) {
      tensor.shape = {kPrimitiveFeatureSize};
      tensor.bytes.resize(kPrimitiveFeatureSize * sizeof(float));
    }
  TemporaryFile file("older");
  ASSERT_EQ("", writeSafetensors(file.path, older));
  auto loaded = make();
  ASSERT_EQ("", loadWeights(*loaded, file.path));
  EXPECT_EQ(model->predict(programs), loaded->predict(programs));
}

// Training on repeated sequences equals training on each once, with one label.
TEST_F(Tlp, EqualSequencesAreOneProgram) {
  std::vector<ProgramFeatures> repeated = programs;
  std::vector<float> with = labels;
  std::vector<int> of = groups;
  for (float factor : {0.5f, 1.25f})
    for (std::size_t i = 0; i < programs.size(); i += 3) {
      repeated.push_back(programs[i]);
      with.push_back(std::min(1.0f, factor * labels[i]));
      of.push_back(0);
    }
  auto learn = [&](const char *equal, const auto &from, const auto &y,
                   const auto &g) {
    auto model =
        make(std::string(R"({"epochs": 1, "steps": 5, "width": 32, )") +
             R"("equal": ")" + equal + "\"}");
    EXPECT_TRUE(model->update(from, y, g).trained);
    return model->predict(programs);
  };
  std::vector<float> best = labels;
  for (std::size_t i = 0; i < best.size(); i += 3)
    best[i] = std::min(1.0f, 1.25f * best[i]);
  std::vector<float> once = learn("apart", programs, labels, groups);
  EXPECT_EQ(once, learn("median", repeated, with, of));
  EXPECT_NE(once, learn("apart", repeated, with, of));
  EXPECT_NE(once, learn("best", repeated, with, of));
  EXPECT_EQ(learn("apart", programs, best, groups),
            learn("best", repeated, with, of));
}

TEST_F(Tlp, InvalidFilesAreRejected) {
  auto model = make(R"({"epochs": 1, "steps": 2, "width": 32})");
  ASSERT_TRUE(model->update(programs, labels, groups).trained);
  const TensorFile good = tensorsOf(*model);
  TemporaryFile file("bad");
  auto problemWith = [&](auto change) {
    TensorFile bad = good;
    change(bad);
    EXPECT_EQ("", writeSafetensors(file.path, bad));
    auto scores = model->predict(programs);
    std::string error = loadWeights(*model, file.path);
    EXPECT_EQ(scores, model->predict(programs));
    return error;
  };
  const std::string notWeights = file.path + ": not weights of 'tlp': ";
  EXPECT_EQ(problemWith([](TensorFile &f) { f.metadata["primitives"] = "9"; }),
            file.path +
                ": trained on version 9 of the primitives, but this build has "
                "version 4");
  for (const char *width : {"", "33", "-32", "4096", "99999999999999999999"})
    EXPECT_EQ(
        problemWith([&](TensorFile &f) { f.metadata["tlp.width"] = width; }),
        notWeights + "the file does not describe its network");
  EXPECT_EQ(problemWith([](TensorFile &f) {
              f.metadata["tlp.platforms"] = std::string(100, '\n');
            }),
            notWeights + "more than 64 platforms");
  auto scaleIn = [](TensorFile &file) {
    return std::find_if(file.tensors.begin(), file.tensors.end(),
                        [](const TensorData &tensor) {
                          return tensor.name == "primitive_feature_scale";
                        });
  };
  EXPECT_EQ(problemWith([&](TensorFile &f) { f.tensors.erase(scaleIn(f)); }),
            notWeights + "26 tensors instead of 27");
  EXPECT_EQ(problemWith([](TensorFile &f) {
              float nan = NAN;
              std::memcpy(f.tensors[0].bytes.data(), &nan, 4);
            }),
            notWeights + "tensor 'encoder.0.weight' is not finite");
  EXPECT_EQ(problemWith([&](TensorFile &f) {
              float zero = 0;
              std::memcpy(scaleIn(f)->bytes.data(), &zero, 4);
            }),
            notWeights + "tensor 'primitive_feature_scale' is not positive");
}

TEST_F(Tlp, InvalidOptionsAndProgramsAreRejected) {
  EXPECT_NE(std::string::npos,
            problem(R"({"width": 100})")
                .find("option 'width' must be a multiple of 32"));
  EXPECT_NE(std::string::npos,
            problem(R"({"language": "french"})")
                .find("must be one of 'schedule', 'recorded'"));
  auto frozen = make(R"({"trunk": "keep"})");
  EXPECT_EQ("option 'trunk=keep' requires weights",
            frozen->update(programs, labels, groups).message);
  auto model = make(R"({"epochs": 1, "steps": 2, "width": 32})");
  ASSERT_TRUE(model->update(programs, labels, groups).trained);
  auto bad = programs;
  bad[0].primitives.clear();
  bad[1].primitives.pop_back();
  bad[2].primitives[3] = NAN;
  auto scores = model->predict(bad);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(-INFINITY, scores[i]);
  EXPECT_TRUE(std::isfinite(scores[3]));
}
