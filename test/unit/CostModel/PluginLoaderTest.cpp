//===- PluginLoaderTest.cpp - finding and rejecting plug-ins --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/CostModel/PluginLoader.h"
#include "Models.h"
#include "TestData.h"
#include "pruner/CostModel/BlasSetup.h"
#include "pruner/CostModel/PluginAbi.h"
#include "pruner/Support/CodeDirectory.h"

#include "gtest/gtest.h"
#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>

using namespace pruner;
using namespace pruner_test;

// Each kind of invalid plug-in is rejected before the first valid one is open,
// so the tests do not affect each other.

TEST(PluginLoader, MissingFileNamesTriedPaths) {
  CostModelOrError made = createModel("pacm", "{}", "/nonexistent/p.so");
  EXPECT_EQ(nullptr, made.model);
  EXPECT_EQ("cost model 'pacm': the cost model plug-in libPrunerTorch.so was "
            "not found; tried '/nonexistent/p.so'. Build Pruner with "
            "-DPRUNER_ENABLE_TORCH=ON, name the file, or choose the model "
            "'linear' or 'random'",
            made.error);
}

TEST(PluginLoader, SearchesNextToTheExecutable) {
  bool found = false;
  for (const std::string &path : costModelPluginCandidates("libPrunerTorch.so"))
    found |= path.find("/../lib/libPrunerTorch.so") != std::string::npos;
  EXPECT_TRUE(found);
}

TEST(PluginLoader, WeightsBelongToTheBuild) {
  std::vector<std::string> paths = pretrainedWeights("gpu");
  ASSERT_FALSE(paths.empty());
  for (const std::string &path : paths) {
    EXPECT_EQ(path.find(codeDirectory().value_or("none") + "/../"), 0u) << path;
    EXPECT_NE(path.find("/pruner/models/gpu.safetensors"), std::string::npos);
  }
  WeightFile file;
  std::string error = readWeights("/nonexistent/cpu.safetensors", file);
  EXPECT_EQ(error.find("/nonexistent/cpu.safetensors: "), 0u) << error;
}

TEST(PluginLoader, OtherFilesAreRejectedUnopened) {
  pruner_test::TemporaryFile file("not-a-plugin.so");
  std::FILE *out = std::fopen(file.path.c_str(), "w");
  std::fputs("hello", out);
  std::fclose(out);
  std::string error = createModel("pacm", "{}", file.path).error;
  EXPECT_NE(std::string::npos, error.find("is not a Pruner cost model plug-in"))
      << error;
  EXPECT_NE(std::string::npos, error.find(file.path)) << error;
}

TEST(PluginLoader, UnloadableFileGivesReason) {
  pruner_test::TemporaryFile file("broken-plugin.so");
  std::FILE *out = std::fopen(file.path.c_str(), "w");
  std::fputs("@pruner-cost-model-plugin blas=internal;", out);
  std::fclose(out);
  std::string error = createModel("pacm", "{}", file.path).error;
  EXPECT_NE(std::string::npos, error.find("cannot open '")) << error;
  EXPECT_NE(std::string::npos, error.find("install the library")) << error;
}

TEST(PluginLoader, AbiVersionMustMatch) {
  std::string error = createModel("pacm", "{}", PRUNER_STALE_PLUGIN).error;
  EXPECT_NE(std::string::npos,
            error.find("has plug-in ABI version 999, but version " +
                       std::to_string(PRUNER_COSTMODEL_PLUGIN_ABI) +
                       " is needed"))
      << error;
}

// The list of open plug-ins is shared.
TEST(PluginLoader, IsThreadSafe) {
  std::atomic<int> refused = 0, made = 0;
  std::vector<std::thread> threads;
  for (int n = 0; n < 4; ++n)
    threads.emplace_back([&] {
      for (int turn = 0; turn < 20; ++turn) {
        refused += !createModel("pacm", "{}", "/nonexistent/p.so").model;
        made += bool(createModel("linear").model);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(refused, 80);
  EXPECT_EQ(made, 80);
}

TEST(BlasSetup, KernelsFollowInstructionSets) {
  CpuFeatures cpu;
  EXPECT_EQ("", openBlasCoreType(cpu));
  cpu.avx = true;
  EXPECT_EQ("Sandybridge", openBlasCoreType(cpu));
  cpu.avx2Fma = true;
  EXPECT_EQ("Haswell", openBlasCoreType(cpu));
  cpu.isAmd = true;
  EXPECT_EQ("Zen", openBlasCoreType(cpu));
  cpu.avx512 = true;
  EXPECT_EQ("SkylakeX", openBlasCoreType(cpu));
  cpu.avx512Bf16 = true;
  EXPECT_EQ("Cooperlake", openBlasCoreType(cpu));
}

TEST(BlasSetup, EnvironmentIsReplacedAndRestored) {
  setenv("OPENBLAS_CORETYPE", "Prescott", 1);
  setenv("OPENBLAS_L2_SIZE", "512", 1);
  unsetenv("OPENBLAS_NUM_THREADS");
  {
    OpenBlasEnvironment environment("Haswell", 2);
    EXPECT_STREQ("Haswell", getenv("OPENBLAS_CORETYPE"));
    EXPECT_STREQ("2", getenv("OPENBLAS_NUM_THREADS"));
    EXPECT_EQ(nullptr, getenv("OPENBLAS_L2_SIZE"));
  }
  EXPECT_STREQ("Prescott", getenv("OPENBLAS_CORETYPE"));
  EXPECT_STREQ("512", getenv("OPENBLAS_L2_SIZE"));
  EXPECT_EQ(nullptr, getenv("OPENBLAS_NUM_THREADS"));
  unsetenv("OPENBLAS_CORETYPE");
  unsetenv("OPENBLAS_L2_SIZE");
}
