//===- FuzzModels.cpp - options and weights of cost models ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The first line of the input names a model and gives its options as JSON; the
// rest is a file of weights.

#include "MemoryFile.h"
#include "pruner/CostModel/BoostedTrees.h"
#include "pruner/CostModel/ModelKind.h"
#include "pruner/CostModel/WeightFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

#include <cmath>

using namespace pruner;

static void require(bool condition) {
  if (!condition)
    std::abort();
}

namespace {
struct Directory {
  llvm::SmallString<128> path;
  Directory() {
    require(!llvm::sys::fs::createUniqueDirectory("fuzz-models", path));
  }
  ~Directory() { llvm::sys::fs::remove_directories(path); }
};
} // namespace

/// Programs with small, large and missing features, and `terms` terms each.
static std::vector<ProgramFeatures> makePrograms(std::size_t terms) {
  std::vector<ProgramFeatures> programs(4);
  for (std::size_t n = 0; n < programs.size(); ++n) {
    ProgramFeatures &program = programs[n];
    program.rows = int(n);
    program.statements.resize(n * kStatementFeatureSize);
    for (std::size_t i = 0; i < program.statements.size(); ++i)
      program.statements[i] = n == 3 ? 3e38f : float(i % 7) * 0.5f;
    program.terms.resize(terms);
    for (std::size_t i = 0; i < terms; ++i)
      program.terms[i] = n == 3 ? (i % 2 ? -3e38f : 3e38f) : float(i % 5);
  }
  return programs;
}

/// The columns of the trees in the file, which need as many terms.
static std::size_t columnsOf(const std::string &content) {
  TensorFile file;
  BoostedTrees trees;
  if (!parseSafetensors(content, file).empty() || !trees.read(file).empty() ||
      trees.columns > 4096)
    return 3;
  return std::size_t(trees.columns);
}

static std::unique_ptr<CostModel> create(llvm::StringRef name,
                                         llvm::StringRef options) {
  OptionValues values;
  if (!options.empty() && !parseOptions(options.str(), values).empty())
    return nullptr;
  CostModelOrError created = createCostModel(name.str(), values);
  require(created.error.empty() == bool(created.model));
  return std::move(created.model);
}

/// Scores are sorted: none may be NaN.
static std::vector<float> scores(CostModel &model,
                                 const std::vector<ProgramFeatures> &programs) {
  std::vector<float> found = model.predict(programs);
  require(found.size() == programs.size());
  for (float score : found)
    require(!std::isnan(score));
  return found;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const Directory directory;
  auto [line, weights] =
      llvm::StringRef(reinterpret_cast<const char *>(data), size).split('\n');
  auto [name, options] = line.split(' ');
  std::unique_ptr<CostModel> model = create(name, options);
  if (!model)
    return 0;
  std::vector<ProgramFeatures> programs =
      makePrograms(columnsOf(weights.str()));
  if (weights.empty()) {
    // Without weights the options define the model that is trained.
    model->update(programs, {0, 0.25, 0.5, 1}, {0, 0, 0, 0});
    scores(*model, programs);
    return 0;
  }
  MemoryFile file(weights);
  WeightFile read;
  std::string error;
  if (!readWeights(file.path(), read).empty() ||
      !loadWeights(*model, read).empty())
    return 0;
  require(kindOf(read, error)->name() == model->name());
  std::vector<float> before = scores(*model, programs);
  std::string path = (directory.path + "/weights").str();
  require(saveWeights(*model, path).empty());
  std::unique_ptr<CostModel> second = create(name, options);
  require(second && loadWeights(*second, path).empty());
  require(scores(*second, programs) == before);
  return 0;
}
