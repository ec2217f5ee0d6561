//===- Xgboost.cpp - gradient-boosted trees as a cost model ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Gradient-boosted trees over the terms of programs (ProgramFeatures::terms).
// The first term is the analytical model's prediction. The loss ranks pairs of
// programs of a task (CostModel/PairwiseRank.h). Ansor's model also consists of
// such trees, over its statement features (OSDI 2020, section 5.2).
//
// With several `members` the score is the mean of models that differ in their
// random numbers. The spread of the members shows where a score is uncertain.
//
// Trees are plain arrays (CostModel/BoostedTrees.h), which this component
// reads, evaluates and writes. XGBoost, in a plug-in, is needed for training
// only.

#include "../TypedKind.h"
#include "Models.h"
#include "pruner/CostModel/BoostedTrees.h"
#include "pruner/CostModel/PairwiseRank.h"
#include "pruner/CostModel/TermsVersion.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>

using namespace pruner;

/// The number of other programs that each program is compared with per round.
static constexpr unsigned kPartners = 6;

namespace {
struct XgboostOptions {
  std::string device = "cpu";
  std::int64_t seed = 0, threads = 1, rounds = 150, more = 30, depth = 7,
               members = 1;
  double rate = 0.1, prior = 0;

  void declare(OptionTable &table) {
    table.word("device", device, {"cpu", "auto"}, "both mean the CPU");
    table.integer("seed", seed, 0, 9e18, "seed of the random draws");
    table.integer("threads", threads, 1, 1024,
                  "threads of XGBoost; the result depends on their number");
    table.integer("rounds", rounds, 1, 10000,
                  "trees of a member trained from scratch");
    table.integer("members", members, 1, kMaxTreeMembers,
                  "models that a training from scratch averages");
    table.integer("more", more, 1, 10000,
                  "trees that an update adds to loaded weights");
    table.integer("depth", depth, 1, 16, "depth of a tree");
    table.real("rate", rate, 1e-6, 1,
               "learning rate: share of the gradient that a tree takes");
    table.real("prior", prior, 0, kMaxPrior,
               "weight of the analytical model's prediction: half of its "
               "seconds raise the score by this; loaded weights keep their "
               "own");
  }
};

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
  /// \p plugin is null if there is no plug-in; \p why is then the reason. Such
  /// a model scores with loaded weights and cannot train.
  XgboostModel(const XgboostOptions &options, PrunerGrowTreesFn *plugin,
               std::string why)
      : options(options), plugin(plugin), why(std::move(why)) {}

  std::string name() const override { return "xgboost"; }
  std::string cannotLearn() const override { return why; }
  FeatureParts reads() const override { return {false, true}; }
  bool updatesFromScratch() const override { return true; }
  std::vector<float>
  predict(const std::vector<ProgramFeatures> &programs) override;
  bool hasSpread() const override { return !trees.members.empty(); }
  std::vector<float>
  spread(const std::vector<ProgramFeatures> &programs) override;
  TrainingReport update(const std::vector<ProgramFeatures> &programs,
                        const std::vector<float> &labels,
                        const std::vector<int> &groups) override;
  std::string save(TensorFile &file) const override;
  std::string load(const TensorFile &file) override;
  std::string describe() const override;

private:
  bool isUsable(const ProgramFeatures &program) const {
    return program.isValid(reads()) &&
           (trees.columns == 0 ||
            program.terms.size() == std::size_t(trees.columns));
  }
  /// Appends the terms of usable programs to \p data and returns their indices.
  std::vector<std::size_t>
  usableRows(const std::vector<ProgramFeatures> &programs, Rows &data) const;
  std::string grow(const TrainingSet &training);
  /// Adds the analytical model's prediction of each row to the margins, so that
  /// the trees learn its error.
  void addPrior(const Rows &data, std::vector<float> &margins) const {
    for (std::size_t row = 0; row < margins.size(); ++row)
      margins[row] -= float(options.prior) * data.values[row * data.columns];
  }

  XgboostOptions options;
  PrunerGrowTreesFn *plugin;
  std::string why;
  /// The loaded trees; empty if training starts from scratch.
  BoostedTrees foundation;
  BoostedTrees trees; ///< Has no columns until they are known.
};
} // namespace

std::vector<std::size_t>
XgboostModel::usableRows(const std::vector<ProgramFeatures> &programs,
                         Rows &data) const {
  std::vector<std::size_t> where;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    if (!isUsable(programs[i]))
      continue;
    where.push_back(i);
    const std::vector<float> &terms = programs[i].terms;
    data.columns = terms.size();
    data.values.insert(data.values.end(), terms.begin(), terms.end());
  }
  return where;
}

std::vector<float>
XgboostModel::predict(const std::vector<ProgramFeatures> &programs) {
  const float none = -std::numeric_limits<float>::infinity();
  std::vector<float> scores(programs.size(), none);
  Rows data;
  std::vector<std::size_t> where = usableRows(programs, data);
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

std::vector<float>
XgboostModel::spread(const std::vector<ProgramFeatures> &programs) {
  if (!hasSpread())
    return {};
  Rows data;
  std::vector<std::size_t> where = usableRows(programs, data);
  std::vector<float> found = trees.spread(data.values.data(), where.size());
  std::vector<float> result(programs.size(), 0);
  for (std::size_t i = 0; i < where.size(); ++i)
    if (!std::isnan(found[i]))
      result[where[i]] = found[i];
  return result;
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
  std::uint64_t seed = 0;
  growth.loss = [&](int round, std::vector<float> margins,
                    std::vector<float> &gradient, std::vector<float> &hessian) {
    for (std::size_t row = 0; row < margins.size(); ++row)
      margins[row] += before[row];
    pairwiseRank(margins, training.labels, training.lists, kPartners,
                 seed * 1000003 + round, gradient, hessian);
  };
  std::vector<BoostedTrees> grown(
      foundation.trees() ? 1 : std::size_t(options.members));
  for (std::size_t member = 0; member < grown.size(); ++member) {
    // The seeds of members are far apart, so that two models whose seeds are
    // neighbors have no member in common.
    seed = std::uint64_t(options.seed) + (std::uint64_t(member) << 20);
    growth.seed = int(seed & 0x7fffffff);
    char problem[1024] = "";
    if (!plugin(&growth, &grown[member], problem, sizeof(problem)))
      return problem;
  }
  BoostedTrees next = foundation;
  if (foundation.trees())
    next.append(grown.front());
  else
    next = BoostedTrees::mean(grown);
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

std::string XgboostModel::save(TensorFile &file) const {
  if (!trees.trees())
    return "cannot save an untrained model";
  writePrior(file.metadata, options.prior);
  writeTermsVersion(file.metadata);
  trees.write(file);
  return {};
}

std::string XgboostModel::load(const TensorFile &file) {
  if (file.stated("model") != name())
    return "not weights of '" + name() + "'";
  if (std::string problem = checkTermsVersion(file.metadata); !problem.empty())
    return problem;
  BoostedTrees next;
  if (std::string problem = next.read(file); !problem.empty())
    return "invalid trees: " + problem;
  double prior;
  if (std::string problem = readPrior(file.metadata, prior); !problem.empty())
    return problem;
  options.prior = prior;
  foundation = next;
  trees = std::move(next);
  return {};
}

std::string XgboostModel::describe() const {
  std::string members =
      trees.members.empty()
          ? ""
          : " of " + std::to_string(trees.members.size() - 1) + " members";
  return name() + ": " + std::to_string(trees.trees()) + " trees" + members +
         " over " + std::to_string(trees.columns) + " terms";
}

namespace {
class XgboostKind : public TypedKind<XgboostOptions> {
  std::string name() const override { return "xgboost"; }
  std::string summary() const override {
    return "gradient-boosted trees over the terms of the analytical model";
  }
  std::string lacks(Ability ability) const override {
    return ability == Ability::ChangesSteps
               ? "gradient-boosted trees are not trained by gradient steps"
               : "";
  }
  CostModelOrError make(const XgboostOptions &options,
                        const std::string &path) const override {
    CostModelOrError result;
    Plugin plugin;
    std::string problem =
        openPlugin(kXgboostPlugin, path, int(options.threads), plugin);
    PrunerGrowTreesFn *grow = nullptr;
    if (problem.empty())
      grow = plugin.function<PrunerGrowTreesFn>("prunerGrowTrees", problem);
    // A plug-in that the user names must exist.
    if (!grow && !path.empty()) {
      result.error = problem;
      return result;
    }
    if (!problem.empty())
      problem = "cost model '" + name() + "': " + problem;
    result.model = std::make_unique<XgboostModel>(options, grow, problem);
    result.warnings = plugin.warnings;
    return result;
  }
};
} // namespace

const ModelKind &pruner::xgboostKind() {
  static const XgboostKind kind;
  return kind;
}
