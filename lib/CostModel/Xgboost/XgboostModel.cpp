//===- XgboostModel.cpp - boosted trees as a cost model -------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "XgboostModel.h"
#include "Booster.h"

#include "pruner/CostModel/OptionRules.h"
#include "pruner/CostModel/PairwiseRank.h"
#include "pruner/CostModel/Safetensors.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <numeric>

using namespace pruner;

std::string pruner::parseXgboostOptions(const std::string &json,
                                        XgboostOptions &options) {
  XgboostOptions result;
  std::string device;
  using R = OptionRule;
  std::string error =
      readOptions(json, {R::word("device", device, {"cpu", "auto"}),
                         R::integer("seed", result.seed, 0, 9e18),
                         R::integer("threads", result.threads, 1, 1024),
                         R::integer("rounds", result.rounds, 1, 10000),
                         R::integer("more", result.more, 1, 10000),
                         R::integer("depth", result.depth, 1, 16),
                         R::real("rate", result.rate, 1e-6, 1),
                         R::real("prior", result.prior, 0, 100)});
  if (error.empty())
    options = result;
  return error;
}

/// Programs of its list that each program is compared with in a round.
static constexpr unsigned kPartners = 6;

namespace {
/// What is learned from: lists of programs that are ranked, one behind another.
struct Lessons {
  BoosterData data;
  std::vector<float> labels;
  std::vector<unsigned> lists;
};

/// Trees that were loaded stay: each update grows others on top of these, from
/// all that was measured since. Without any it begins with the first tree.
class XgboostModel : public CostModel {
public:
  explicit XgboostModel(const XgboostOptions &options) : options(options) {}

  std::string name() const override { return "xgboost"; }
  FeatureParts reads() const override { return {false, true}; }
  std::string lastError() const override { return error; }
  bool updatesFromScratch() const override { return true; }
  std::vector<float>
  predict(const std::vector<ProgramFeatures> &programs) override;
  TrainingReport update(const std::vector<ProgramFeatures> &programs,
                        const std::vector<float> &labels,
                        const std::vector<int> &groups) override;
  std::string save(const std::string &path) const override;
  std::string load(const std::string &path) override;
  std::string describe() const override;

private:
  bool isUsable(const ProgramFeatures &program) const {
    return program.isValid(reads()) &&
           (columns == 0 || program.terms.size() == columns);
  }
  std::string grow(const Lessons &lessons);
  /// What the analytical model says, of each row, is added to what the trees
  /// say: they learn by how much it is wrong.
  void addPrior(const BoosterData &data, std::vector<float> &margins) const {
    for (std::size_t row = 0; row < margins.size(); ++row)
      margins[row] -= float(options.prior) * data.values[row * data.columns];
  }

  XgboostOptions options;
  /// What was loaded; nothing in a model that begins anew.
  std::vector<unsigned char> foundation;
  std::unique_ptr<Booster> trees;
  std::size_t columns = 0; ///< 0 until it is known.
  std::string error;
};
} // namespace

std::vector<float>
XgboostModel::predict(const std::vector<ProgramFeatures> &programs) {
  const float none = -std::numeric_limits<float>::infinity();
  std::vector<float> scores(programs.size(), none);
  error.clear();
  BoosterData data;
  std::vector<std::size_t> where;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    if (!isUsable(programs[i]))
      continue;
    where.push_back(i);
    const std::vector<float> &terms = programs[i].terms;
    data.columns = terms.size();
    data.values.insert(data.values.end(), terms.begin(), terms.end());
  }
  std::vector<float> margins(where.size(), 0);
  if (trees && !where.empty())
    error = trees->predict(data, margins);
  if (!error.empty())
    return scores;
  if (trees)
    addPrior(data, margins);
  // Equal scores keep the draft's order.
  for (std::size_t i = 0; i < where.size(); ++i)
    scores[where[i]] = margins[i];
  return scores;
}

std::string XgboostModel::grow(const Lessons &lessons) {
  auto next = std::make_unique<Booster>();
  if (!foundation.empty())
    if (std::string problem = next->read(foundation); !problem.empty())
      return problem;
  BoosterParameters parameters = {
      {"base_score", "0"},
      {"tree_method", "hist"},
      {"max_depth", std::to_string(options.depth)},
      {"eta", std::to_string(options.rate)},
      {"subsample", "0.8"},
      {"colsample_bytree", "0.6"},
      {"min_child_weight", "0.001"},
      // Its generator is the process', and goes on from where it was.
      {"seed_per_iteration", "true"},
      {"seed", std::to_string(options.seed & 0x7fffffff)},
      {"nthread", std::to_string(options.threads)},
      {"verbosity", "0"}};
  auto loss = [&](int round, std::vector<float> margins,
                  std::vector<float> &gradient, std::vector<float> &hessian) {
    addPrior(lessons.data, margins);
    pairwiseRank(margins, lessons.labels, lessons.lists, kPartners,
                 std::uint64_t(options.seed) * 1000003 + round, gradient,
                 hessian);
  };
  std::string problem = next->train(
      lessons.data, parameters,
      int(foundation.empty() ? options.rounds : options.more), loss);
  if (problem.empty())
    trees = std::move(next);
  return problem;
}

TrainingReport
XgboostModel::update(const std::vector<ProgramFeatures> &programs,
                     const std::vector<float> &labels,
                     const std::vector<int> &groups) {
  TrainingReport report;
  auto begin = std::chrono::steady_clock::now();
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < programs.size(); ++i)
    if (isUsable(programs[i]) && labels[i] >= 0 && labels[i] <= 1)
      order.push_back(i);
  if (order.size() < 2) {
    report.message = "fewer than two programs with terms to learn from";
    return report;
  }
  std::stable_sort(
      order.begin(), order.end(),
      [&](std::size_t a, std::size_t b) { return groups[a] < groups[b]; });
  Lessons lessons;
  BoosterData &data = lessons.data;
  data.columns = programs[order.front()].terms.size();
  for (std::size_t n = 0; n < order.size(); ++n) {
    const ProgramFeatures &program = programs[order[n]];
    if (program.terms.size() != data.columns) {
      report.message = "programs have different numbers of terms";
      return report;
    }
    data.values.insert(data.values.end(), program.terms.begin(),
                       program.terms.end());
    lessons.labels.push_back(labels[order[n]]);
    if (n == 0 || groups[order[n]] != groups[order[n - 1]])
      lessons.lists.push_back(0);
    ++lessons.lists.back();
  }
  report.message = grow(lessons);
  if (!report.message.empty())
    return report;
  columns = data.columns;
  report.trained = true;
  report.epochs = int(foundation.empty() ? options.rounds : options.more);
  report.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
          .count();
  return report;
}

std::string XgboostModel::save(const std::string &path) const {
  if (!trees)
    return path + ": there is nothing to save: the model has learned nothing";
  TensorFile file;
  file.metadata = provenance;
  file.metadata["format"] = "pruner-cost-model";
  file.metadata["model"] = name();
  file.metadata["terms"] = std::to_string(kProgramTermsVersion);
  file.metadata["prior"] = std::to_string(options.prior);
  TensorData tensor;
  tensor.name = "trees";
  tensor.dtype = "U8";
  if (std::string problem = trees->write(tensor.bytes); !problem.empty())
    return path + ": " + problem;
  tensor.shape = {std::int64_t(tensor.bytes.size())};
  file.tensors.push_back(std::move(tensor));
  return writeSafetensors(path, file);
}

std::string XgboostModel::load(const std::string &path) {
  TensorFile file;
  std::string problem = readSafetensors(path, file);
  if (!problem.empty())
    return problem;
  auto version = file.metadata.find("terms");
  if (file.metadata["model"] != name() || version == file.metadata.end())
    return path + ": not weights of '" + name() + "'";
  if (version->second != std::to_string(kProgramTermsVersion))
    return path + ": made for version " + version->second +
           " of the terms, this is version " +
           std::to_string(kProgramTermsVersion);
  const TensorData *tensor = file.find("trees");
  if (!tensor || tensor->dtype != "U8" || file.tensors.size() != 1)
    return path + ": not weights of '" + name() +
           "': expected one tensor 'trees' of bytes";
  auto next = std::make_unique<Booster>();
  int count = 0;
  std::size_t width = 0;
  problem = next->read(tensor->bytes);
  if (problem.empty())
    problem = next->shape(count, width);
  if (!problem.empty())
    return path + ": " + problem;
  double prior = 0;
  if (auto found = file.metadata.find("prior"); found != file.metadata.end()) {
    XgboostOptions read;
    problem = parseXgboostOptions("{\"prior\": " + found->second + "}", read);
    if (!problem.empty())
      return path + ": " + problem;
    prior = read.prior;
  }
  options.prior = prior;
  foundation = tensor->bytes;
  trees = std::move(next);
  columns = width;
  provenance = file.metadata;
  return {};
}

std::string XgboostModel::describe() const {
  int count = 0;
  std::size_t width = 0;
  if (trees)
    trees->shape(count, width);
  return name() + ": " + std::to_string(count) + " trees over " +
         std::to_string(width) + " terms";
}

std::unique_ptr<CostModel>
pruner::createXgboostModel(const XgboostOptions &options) {
  return std::make_unique<XgboostModel>(options);
}
