//===- TorchModelTest.cpp - scores and weight files of the plug-in --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Models.h"
#include "../TestData.h"
#include "NaiveNetwork.h"

#include "pruner/CostModel/TermsVersion.h"

#include "gtest/gtest.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

using namespace pruner;
using namespace pruner_test;

// A variable for another machine, as a shell may set it. The loader must
// override it; see ChoosesItsKernels.
static const int wrongKernels = setenv("OPENBLAS_CORETYPE", "Prescott", 1);

static std::unique_ptr<CostModel> make(const std::string &name,
                                       const std::string &options = "{}") {
  CostModelOrError made = createModel(name, options, PRUNER_TORCH_PLUGIN);
  EXPECT_EQ("", made.error);
  return std::move(made.model);
}

/// Weights of an untrained model, as a file and as a model that uses them.
struct Weights {
  explicit Weights(const std::string &name, int seed = 1)
      : file(name + std::to_string(seed)) {
    auto model = make(name, "{\"seed\": " + std::to_string(seed) + "}");
    EXPECT_EQ("", saveWeights(*model, file.path));
    EXPECT_EQ("", readTensors(file.path, tensors));
  }
  /// Sets statistics and scales to values other than 0 and 1.
  void makeGeneral() {
    std::mt19937_64 engine(7);
    for (TensorData &tensor : tensors.tensors) {
      bool positive = tensor.name.find("_var") != std::string::npos ||
                      tensor.name.find("_scale") != std::string::npos;
      if (!positive && tensor.name.find("_mean") == std::string::npos &&
          tensor.name.find("norm.") != 0 && tensor.name.find("attention.") != 0)
        continue;
      if (tensor.dtype != "F32" ||
          tensor.name.find("_weight") != std::string::npos)
        continue;
      for (std::size_t i = 0; i < tensor.bytes.size() / 4; ++i) {
        float value =
            positive ? 0.5f + 20 * uniform(engine) : uniform(engine) - 0.5f;
        std::memcpy(tensor.bytes.data() + 4 * i, &value, 4);
      }
    }
    EXPECT_EQ("", writeSafetensors(file.path, tensors));
  }
  TensorData &get(const std::string &name) {
    return const_cast<TensorData &>(*tensors.find(name));
  }
  TemporaryFile file;
  TensorFile tensors;
};

static void expectNear(const std::vector<double> &expected,
                       const std::vector<float> &scores) {
  ASSERT_EQ(expected.size(), scores.size());
  double scale = 0;
  for (double value : expected)
    scale = std::max(scale, std::fabs(value));
  ASSERT_GT(scale, 0.01);
  for (std::size_t i = 0; i < scores.size(); ++i)
    EXPECT_NEAR(expected[i], scores[i], 1e-5 * scale) << "program " << i;
}

TEST(TorchModel, HasThePublishedSize) {
  EXPECT_NE(std::string::npos,
            make("pacm")->describe().find("pacm: 417409 parameters"));
  EXPECT_NE(std::string::npos,
            make("tensetmlp")->describe().find("tensetmlp: 242433 parameters"));
  Weights weights("pacm");
  // 25 entries of the published files, two vectors of means and two of scales.
  EXPECT_EQ(29u, weights.tensors.tensors.size());
  EXPECT_EQ((std::vector<std::int64_t>{384, 128}),
            weights.get("attention.in_proj_weight").shape);
  EXPECT_EQ("I64", weights.get("norm.num_batches_tracked").dtype);
}

// The published format: no schema, and maxima instead of scales and means.
TEST(TorchModel, PublishedWeightsReadReleasedFeaturesOfGpus) {
  Weights weights("pacm", 5);
  auto ours = make("pacm");
  ASSERT_EQ("", loadWeights(*ours, weights.file.path));
  EXPECT_FALSE(ours->reads().released);
  EXPECT_EQ("", ours->refusal(/*gpu=*/false));

  TensorFile published;
  for (TensorData tensor : weights.tensors.tensors) {
    std::size_t suffix = tensor.name.find("_feature_");
    if (suffix != std::string::npos) {
      if (tensor.name.find("_mean") != std::string::npos)
        continue;
      tensor.name = tensor.name.substr(0, suffix) + "_feature_max";
    }
    published.tensors.push_back(std::move(tensor));
  }
  TemporaryFile file("published");
  ASSERT_EQ("", writeSafetensors(file.path, published));
  auto theirs = make("pacm");
  ASSERT_EQ("", loadWeights(*theirs, file.path));
  EXPECT_TRUE(theirs->reads().released);
  EXPECT_EQ("", theirs->refusal(/*gpu=*/true));
  EXPECT_NE("", theirs->refusal(/*gpu=*/false));
  auto programs = randomPrograms(20, 3);
  EXPECT_EQ(ours->predict(programs), theirs->predict(programs));

  // Derived weights have the same property.
  TemporaryFile saved("saved");
  ASSERT_EQ("", saveWeights(*theirs, saved.path));
  ASSERT_EQ("", loadWeights(*ours, saved.path));
  EXPECT_TRUE(ours->reads().released);
  ASSERT_EQ("", loadWeights(*ours, weights.file.path));
  EXPECT_FALSE(ours->reads().released);
}

// The weight files of PaCM's authors (github.com/qiaolian9/Pruner,
// scripts/ckpt), converted to safetensors, with their maxima of features, in
// the directory PRUNER_PUBLISHED_WEIGHTS. They cannot be distributed here. The
// expected scores are those of the naive network and of a NumPy implementation.
TEST(TorchModel, AuthorsFilesGiveExpectedScores) {
  const char *directory = getenv("PRUNER_PUBLISHED_WEIGHTS");
  if (!directory)
    GTEST_SKIP() << "PRUNER_PUBLISHED_WEIGHTS names no directory";
  struct {
    const char *name;
    std::vector<double> scores;
  } files[] = {{"pacm-k80-6m",
                {-41.1073179, 36.1460019, -80.552706, 18.0593488, -7.39218765,
                 -51.6969964}},
               {"pacm-a100-finetuned",
                {18.1907771, 58.047011, -46.3275631, 136.106562, 13.8009409,
                 -67.3852967}}};
  auto programs = randomPrograms(6, 23);
  for (const auto &[name, scores] : files) {
    std::string path = directory + std::string("/") + name + ".safetensors";
    auto model = make("pacm");
    ASSERT_EQ("", loadWeights(*model, path));
    EXPECT_TRUE(model->reads().released);
    EXPECT_NE("", model->refusal(/*gpu=*/false));
    expectNear(scores, model->predict(programs));
    TensorFile tensors;
    ASSERT_EQ("", readTensors(path, tensors));
    expectNear(naiveScores(tensors, programs, false), model->predict(programs));
  }
}

TEST(TorchModel, ChoosesItsKernels) {
  std::string text = make("pacm")->describe();
  EXPECT_EQ(std::string::npos, text.find("Prescott kernels")) << text;
  EXPECT_EQ(std::string::npos, text.find("warning")) << text;
  EXPECT_STREQ("Prescott", getenv("OPENBLAS_CORETYPE"));
}

TEST(TorchModel, UntrainedScoresKeepTheDraftOrder) {
  EXPECT_EQ(std::vector<float>(9, 0.0f),
            make("pacm")->predict(randomProgramsWithTerms(9, 1, 3)));
}

TEST(TorchModel, EqualsTheNaiveNetwork) {
  auto programs = randomPrograms(300, 11);
  for (const char *name : {"pacm", "tensetmlp"}) {
    Weights weights(name);
    weights.makeGeneral();
    auto model = make(name);
    ASSERT_EQ("", loadWeights(*model, weights.file.path));
    expectNear(naiveScores(weights.tensors, programs, false),
               model->predict(programs));
  }
}

// Files in the published format have maxima only.
TEST(TorchModel, MaximaReplaceMeansAndScales) {
  auto programs = randomPrograms(50, 17);
  Weights weights("pacm");
  weights.makeGeneral();
  weights.tensors.metadata.clear();
  for (const char *name : {"statement_feature", "dataflow_feature"}) {
    weights.get(name + std::string("_scale")).name = name + std::string("_max");
    std::vector<TensorData> &all = weights.tensors.tensors;
    all.erase(std::find_if(all.begin(), all.end(), [&](const TensorData &each) {
      return each.name == name + std::string("_mean");
    }));
  }
  ASSERT_EQ("", writeSafetensors(weights.file.path, weights.tensors));
  auto model = make("pacm");
  ASSERT_EQ("", loadWeights(*model, weights.file.path));
  EXPECT_FALSE(model->reads().terms);
  expectNear(naiveScores(weights.tensors, programs, false),
             model->predict(programs));
}

TEST(TorchModel, TermsAndPriorAreRead) {
  auto programs = randomProgramsWithTerms(150, 18, 5);
  for (const char *name : {"pacm", "tensetmlp"})
    for (const char *kernels : {"fused", "plain"}) {
      std::string options =
          R"({"epochs": 1, "steps": 3, "prior": 0.5, "kernels": ")";
      auto model = make(name, options + kernels + "\"}");
      ASSERT_TRUE(model
                      ->update(programs, learnableLabels(programs),
                               std::vector<int>(programs.size(), 0))
                      .trained);
      EXPECT_TRUE(model->reads().terms);
      TemporaryFile file("terms");
      ASSERT_EQ("", saveWeights(*model, file.path));
      TensorFile tensors;
      ASSERT_EQ("", readTensors(file.path, tensors));
      expectNear(naiveScores(tensors, programs, false),
                 model->predict(programs));
      auto loaded = make(name);
      ASSERT_EQ("", loadWeights(*loaded, file.path));
      EXPECT_EQ(loaded->predict(programs).size(), programs.size());
      // Programs with fewer terms, or none, cannot be scored.
      auto fewer = programs;
      fewer[0].terms.pop_back();
      fewer[1].terms.clear();
      auto scores = model->predict(fewer);
      EXPECT_EQ(-INFINITY, scores[0]);
      EXPECT_EQ(-INFINITY, scores[1]);
      EXPECT_TRUE(std::isfinite(scores[2]));
      tensors.metadata["terms"] = "99";
      ASSERT_EQ("", writeSafetensors(file.path, tensors));
      EXPECT_EQ(file.path +
                    ": trained on version 99 of the terms, but this build has "
                    "version " +
                    std::to_string(kProgramTermsVersion) +
                    "; train the weights again",
                loadWeights(*loaded, file.path));
    }
}

// PaCM with one branch, as in the ablations of its paper.
TEST(TorchModel, BranchesCanBeOmitted) {
  auto programs = randomProgramsWithTerms(150, 18, 7);
  for (const char *branches : {"statements", "dataflow"})
    for (const char *kernels : {"fused", "plain"})
      for (const char *terms : {"yes", "no"}) {
        std::string options = R"({"epochs": 1, "steps": 3, "branches": ")";
        options += std::string(branches) + R"(", "terms": ")" + terms +
                   R"(", "kernels": ")" + kernels + "\"}";
        auto model = make("pacm", options);
        ASSERT_TRUE(model
                        ->update(programs, learnableLabels(programs),
                                 std::vector<int>(programs.size(), 0))
                        .trained);
        TemporaryFile file("branches");
        ASSERT_EQ("", saveWeights(*model, file.path));
        TensorFile tensors;
        ASSERT_EQ("", readTensors(file.path, tensors));
        EXPECT_EQ(branches, tensors.metadata["branches"]);
        bool flowAlone = branches == std::string("dataflow");
        EXPECT_EQ(flowAlone, !tensors.find("segment_encoder.0.weight"));
        EXPECT_EQ(!flowAlone, !tensors.find("attention.in_proj_weight"));
        auto scores = model->predict(programs);
        expectNear(naiveScores(tensors, programs, false), scores);

        // The features of the absent branch have no effect.
        auto others = programs;
        for (auto &program : others)
          if (flowAlone)
            program.statements.assign(program.statements.size(), 1);
          else
            program.dataflow.fill(1);
        EXPECT_EQ(scores, model->predict(others));
        // The network of a file does not depend on the model's options.
        auto loaded =
            make("pacm", std::string(R"({"kernels": ")") + kernels + "\"}");
        ASSERT_EQ("", loadWeights(*loaded, file.path));
        EXPECT_EQ(scores, loaded->predict(programs));
        tensors.metadata["branches"] = "roots";
        ASSERT_EQ("", writeSafetensors(file.path, tensors));
        EXPECT_EQ(file.path + ": not weights of 'pacm': unknown branches "
                              "'roots'",
                  loadWeights(*loaded, file.path));
      }
  // Files without the entry have both branches.
  Weights weights("pacm");
  weights.tensors.metadata.erase("branches");
  ASSERT_EQ("", writeSafetensors(weights.file.path, weights.tensors));
  auto loaded = make("pacm", R"({"branches": "dataflow"})");
  ASSERT_EQ("", loadWeights(*loaded, weights.file.path));
  expectNear(naiveScores(weights.tensors, programs, false),
             loaded->predict(programs));
}

// The implementation of other devices, run on the CPU.
TEST(TorchModel, PlainKernelsAreTheSameNetwork) {
  auto programs = randomPrograms(300, 11);
  for (const char *name : {"pacm", "tensetmlp"})
    for (bool batchStatistics : {false, true}) {
      Weights weights(name);
      weights.makeGeneral();
      auto model =
          make(name, batchStatistics
                         ? R"({"kernels": "plain", "batch-norm": "batch"})"
                         : R"({"kernels": "plain"})");
      ASSERT_EQ("", loadWeights(*model, weights.file.path));
      expectNear(naiveScores(weights.tensors, programs, batchStatistics),
                 model->predict(programs));
      expectNear(naiveScores(weights.tensors, {programs[0]}, false),
                 model->predict({programs[0]}));
    }
}

TEST(TorchModel, ConstantColumnsGiveTheSameScores) {
  // Real features have many constant columns, which are omitted from the first
  // product.
  auto programs = randomPrograms(140, 16);
  for (ProgramFeatures &program : programs)
    for (std::size_t i = 0; i < program.statements.size(); ++i) {
      std::size_t column = i % kStatementFeatureSize;
      if (column % 3 == 0)
        program.statements[i] = column % 2 ? 0.0f : 7.0f;
    }
  Weights weights("pacm");
  weights.makeGeneral();
  auto model = make("pacm");
  ASSERT_EQ("", loadWeights(*model, weights.file.path));
  expectNear(naiveScores(weights.tensors, programs, false),
             model->predict(programs));
  programs.resize(1);
  programs[0].rows = 1;
  programs[0].statements.resize(kStatementFeatureSize);
  expectNear(naiveScores(weights.tensors, programs, false),
             model->predict(programs));
}

TEST(TorchModel, BatchStatisticsOnRequest) {
  Weights weights("pacm");
  weights.makeGeneral();
  auto programs = randomPrograms(150, 12);
  auto model = make("pacm", R"({"batch-norm": "batch"})");
  ASSERT_EQ("", loadWeights(*model, weights.file.path));
  expectNear(naiveScores(weights.tensors, programs, true),
             model->predict(programs));
  // A single program has no statistics, so the running ones are used.
  programs.resize(1);
  expectNear(naiveScores(weights.tensors, programs, false),
             model->predict(programs));
}

TEST(TorchModel, ScoresDoNotDependOnOtherPrograms) {
  Weights weights("pacm");
  auto model = make("pacm");
  ASSERT_EQ("", loadWeights(*model, weights.file.path));
  auto programs = randomPrograms(200, 13);
  auto together = model->predict(programs);
  for (std::size_t i = 0; i < programs.size(); i += 19)
    EXPECT_NEAR(together[i], model->predict({programs[i]})[0], 1e-4);
  EXPECT_TRUE(model->predict({}).empty());
}

TEST(TorchModel, InvalidProgramsScoreLowest) {
  Weights weights("pacm");
  auto model = make("pacm");
  ASSERT_EQ("", loadWeights(*model, weights.file.path));
  auto programs = randomPrograms(4, 14);
  auto good = model->predict({programs[3]});
  programs[0].rows += 1;
  programs[1].statements[7] = INFINITY;
  programs[2] = ProgramFeatures();
  auto scores = model->predict(programs);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(-INFINITY, scores[i]);
  EXPECT_EQ(good[0], scores[3]);
}

TEST(TorchModel, InvalidWeightsAreRejectedAndChangeNothing) {
  Weights good("pacm");
  auto model = make("pacm");
  ASSERT_EQ("", loadWeights(*model, good.file.path));
  auto programs = randomPrograms(5, 15);
  auto before = model->predict(programs);
  auto expectError = [&](Weights &weights, const std::string &message) {
    ASSERT_EQ("", writeSafetensors(weights.file.path, weights.tensors));
    EXPECT_EQ(weights.file.path + ": " + message,
              loadWeights(*model, weights.file.path));
    EXPECT_EQ(before, model->predict(programs));
  };
  {
    Weights weights("pacm", 2);
    weights.get("l0.0.weight").shape = {128, 512};
    expectError(weights, "not weights of 'pacm': tensor 'l0.0.weight' is F32 "
                         "[128, 512], but must be F32 [256, 256]");
  }
  {
    Weights weights("pacm", 3);
    weights.tensors.tensors.erase(weights.tensors.tensors.begin());
    expectError(weights, "not weights of 'pacm': tensor "
                         "'segment_encoder.0.weight' is missing");
  }
  {
    Weights weights("pacm", 4);
    weights.tensors.tensors.push_back({"more", "U8", {1}, {1}});
    expectError(weights, "not weights of 'pacm': 30 tensors instead of 29");
  }
  {
    Weights weights("pacm", 5);
    float nan = NAN;
    std::memcpy(weights.get("decoder.bias").bytes.data(), &nan, 4);
    expectError(weights,
                "not weights of 'pacm': tensor 'decoder.bias' is not finite");
  }
  {
    Weights weights("pacm", 6);
    std::memset(weights.get("statement_feature_scale").bytes.data(), 0, 4);
    expectError(weights, "not weights of 'pacm': tensor "
                         "'statement_feature_scale' is not positive");
  }
  {
    Weights weights("pacm", 7);
    weights.tensors.metadata["schema"] = "99";
    expectError(weights,
                "trained on feature schema 99, but this build has schema 2");
  }
  Weights mlp("tensetmlp");
  EXPECT_NE("", loadWeights(*model, mlp.file.path));
}

/// A function of the plug-in's LibTorch, which tests are not linked with.
template <typename Function> static Function *libTorch(const char *name) {
  void *plugin = dlopen(PRUNER_TORCH_PLUGIN, RTLD_NOW | RTLD_NOLOAD);
  return reinterpret_cast<Function *>(plugin ? dlsym(plugin, name) : nullptr);
}

// The number of threads belongs to the process, which may be the user's.
TEST(TorchModel, RestoresTheNumberOfThreads) {
  auto model = make("pacm", R"({"threads": 1, "steps": 2, "terms": "no"})");
  auto *get = libTorch<int()>("_ZN2at15get_num_threadsEv");
  auto *set = libTorch<void(int)>("_ZN2at15set_num_threadsEi");
  auto *between = libTorch<void(int)>("_ZN2at23set_num_interop_threadsEi");
  ASSERT_TRUE(get && set && between);
  auto programs = randomPrograms(64, 1);
  std::vector<float> labels(64, 0.5f);
  labels[3] = 1;
  set(3);
  EXPECT_TRUE(model->update(programs, labels, std::vector<int>(64, 0)).trained);
  EXPECT_EQ(3, get());
  model->predict(programs);
  EXPECT_EQ(3, get());
  TemporaryFile file("threads");
  EXPECT_EQ("", saveWeights(*model, file.path));
  EXPECT_EQ(3, get());
  // LibTorch lets this be set once per process, so models leave it alone.
  between(2);
}

// A user may tune under torch.no_grad().
TEST(TorchModel, TrainsWhereTheCallerRecordsNoGradients) {
  auto model = make("pacm", R"({"threads": 1, "steps": 2, "terms": "no"})");
  auto *set = libTorch<void(bool)>("_ZN3c108GradMode11set_enabledEb");
  auto *get = libTorch<bool()>("_ZN3c108GradMode10is_enabledEv");
  ASSERT_TRUE(get && set);
  std::vector<float> labels(64, 0.5f);
  labels[3] = 1;
  set(false);
  TrainingReport report =
      model->update(randomPrograms(64, 1), labels, std::vector<int>(64, 0));
  bool after = get();
  set(true);
  EXPECT_TRUE(report.trained) << report.message;
  EXPECT_FALSE(after);
}

TEST(TorchModel, OptionErrors) {
  auto error = [](const std::string &name, const std::string &options) {
    return createModel(name, options, PRUNER_TORCH_PLUGIN).error;
  };
  EXPECT_EQ("cost model 'pacm': option 'batch' must be an integer from 2 to "
            "65536",
            error("pacm", R"({"batch": 1})"));
  EXPECT_EQ("cost model 'pacm': option 'list' must be one of 'batch', 'task'",
            error("pacm", R"({"list": "all"})"));
  EXPECT_EQ(0u,
            error("pacm", R"({"lr": 1})")
                .find("cost model 'pacm': unknown option 'lr'; expected one of "
                      "device, threads, seed, epochs,"));
  EXPECT_EQ("cost model 'gpt': unknown model; expected one of pacm, "
            "tensetmlp, tlp, cdmpp, xgboost, nearest, linear, random",
            error("gpt", "{}"));
}
