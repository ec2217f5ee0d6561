//===- XgboostModel.cpp - gradient-boosted trees as a cost model ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "XgboostModel.h"
#include "pruner/CostModel/BoostedTrees.h"
#include "pruner/CostModel/OptionRules.h"
#include "pruner/CostModel/PairwiseRank.h"
#include "pruner/CostModel/Safetensors.h"
#include "pruner/CostModel/TermsVersion.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
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

/// The number of other programs that each program is compared with per round.
static constexpr unsigned kPartners = 6;

namespace {
/// Rows of terms, row-major.
struct Rows {
  std::size_t columns = 0;
  std::vector<float> values;

  std::size_t count() const { return columns ? values.size() / columns : 0; }
};

/// Training data: lists of programs to rank, one after another.
struct TrainingSet {
  Rows data;
  std::vector<float> labels;
  std::vector<unsigned> lists;
};

/// Loaded trees are kept. Each update discards the trees of the previous update
/// and adds new ones to the loaded trees, from all measurements. Without loaded
/// trees it trains from scratch.
class XgboostModel : public CostModel {
public:
  XgboostModel(const XgboostOptions &options, PrunerGrowTreesFn plugin,
               std::string why)
      : options(options), plugin(plugin), why(std::move(why)) {}

  std::string name() const override { return "xgboost"; }
  std::string cannotLearn() const override { return why; }
  FeatureParts reads() const override { return {false, true}; }
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
           (trees.columns == 0 ||
            program.terms.size() == std::size_t(trees.columns));
  }
  std::string grow(const TrainingSet &training);
  /// Adds the analytical model's prediction of each row to the margins, so that
  /// the trees learn its error.
  void addPrior(const Rows &data, std::vector<float> &margins) const {
    for (std::size_t row = 0; row < margins.size(); ++row)
      margins[row] -= float(options.prior) * data.values[row * data.columns];
  }

  XgboostOptions options;
  PrunerGrowTreesFn plugin;
  std::string why;
  /// The loaded trees; empty if training starts from scratch.
  BoostedTrees foundation;
  BoostedTrees trees; ///< Has no columns until they are known.
};
} // namespace

std::vector<float>
XgboostModel::predict(const std::vector<ProgramFeatures> &programs) {
  const float none = -std::numeric_limits<float>::infinity();
  std::vector<float> scores(programs.size(), none);
  Rows data;
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
  if (trees.trees()) {
    margins = trees.predict(data.values.data(), where.size());
    addPrior(data, margins);
  }
  // Equal scores keep the draft's order. Leaves of a file may add up to an
  // overflow, and scores are sorted.
  for (std::size_t i = 0; i < where.size(); ++i)
    if (!std::isnan(margins[i]))
      scores[where[i]] = margins[i];
  return scores;
}

std::string XgboostModel::grow(const TrainingSet &training) {
  if (!plugin)
    return why;
  const Rows &data = training.data;
  std::vector<float> before(data.count(), 0);
  if (foundation.trees())
    before = foundation.predict(data.values.data(), data.count());
  addPrior(data, before);
  TreeGrowth growth;
  growth.values = &data.values;
  growth.columns = data.columns;
  growth.rounds = int(foundation.trees() ? options.more : options.rounds);
  growth.depth = int(options.depth);
  growth.threads = int(options.threads);
  growth.rate = options.rate;
  growth.seed = int(options.seed & 0x7fffffff);
  growth.loss = [&](int round, std::vector<float> margins,
                    std::vector<float> &gradient, std::vector<float> &hessian) {
    for (std::size_t row = 0; row < margins.size(); ++row)
      margins[row] += before[row];
    pairwiseRank(margins, training.labels, training.lists, kPartners,
                 std::uint64_t(options.seed) * 1000003 + round, gradient,
                 hessian);
  };
  BoostedTrees grown;
  char problem[1024] = "";
  if (!plugin(&growth, &grown, problem, sizeof(problem)))
    return problem;
  BoostedTrees next = foundation;
  next.append(grown);
  if (std::string broken = next.check(); !broken.empty())
    return "invalid trees of the plug-in: " + broken;
  trees = std::move(next);
  return {};
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
  TrainingSet training;
  Rows &data = training.data;
  data.columns = programs[order.front()].terms.size();
  for (std::size_t n = 0; n < order.size(); ++n) {
    const ProgramFeatures &program = programs[order[n]];
    if (program.terms.size() != data.columns) {
      report.message = "programs have different numbers of terms";
      return report;
    }
    data.values.insert(data.values.end(), program.terms.begin(),
                       program.terms.end());
    training.labels.push_back(labels[order[n]]);
    if (n == 0 || groups[order[n]] != groups[order[n - 1]])
      training.lists.push_back(0);
    ++training.lists.back();
  }
  report.message = grow(training);
  if (!report.message.empty())
    return report;
  report.trained = true;
  report.epochs = int(trees.trees() - foundation.trees());
  report.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
          .count();
  return report;
}

/// With six decimals where these are enough to read the same number.
static std::string exactText(double number) {
  std::string text = std::to_string(number);
  if (std::strtod(text.c_str(), nullptr) == number)
    return text;
  char digits[32];
  std::snprintf(digits, sizeof(digits), "%.17g", number);
  return digits;
}

std::string XgboostModel::save(const std::string &path) const {
  if (!trees.trees())
    return path + ": cannot save an untrained model";
  TensorFile file;
  file.metadata = provenance;
  file.metadata["format"] = "pruner-cost-model";
  file.metadata["model"] = name();
  file.metadata["prior"] = exactText(options.prior);
  writeTermsVersion(file.metadata);
  trees.write(file);
  return writeSafetensors(path, file);
}

std::string XgboostModel::load(const std::string &path) {
  TensorFile file;
  std::string problem = readSafetensors(path, file);
  if (!problem.empty())
    return problem;
  if (file.metadata["model"] != name())
    return path + ": not weights of '" + name() + "'";
  if (problem = checkTermsVersion(file.metadata); !problem.empty())
    return path + ": " + problem;
  BoostedTrees next;
  if (problem = next.read(file); !problem.empty())
    return path + ": invalid trees: " + problem;
  double prior = 0;
  if (auto found = file.metadata.find("prior"); found != file.metadata.end()) {
    XgboostOptions read;
    problem = parseXgboostOptions("{\"prior\": " + found->second + "}", read);
    if (!problem.empty())
      return path + ": " + problem;
    prior = read.prior;
  }
  options.prior = prior;
  foundation = next;
  trees = std::move(next);
  provenance = file.metadata;
  return {};
}

std::string XgboostModel::describe() const {
  return name() + ": " + std::to_string(trees.trees()) + " trees over " +
         std::to_string(trees.columns) + " terms";
}

std::unique_ptr<CostModel>
pruner::createXgboostModel(const XgboostOptions &options,
                           PrunerGrowTreesFn grow, const std::string &why) {
  return std::make_unique<XgboostModel>(options, grow, why);
}
