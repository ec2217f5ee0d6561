//===- Booster.cpp - XGBoost's booster as an object -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Booster.h"

#include "Ubjson.h"
#include "pruner/CostModel/BoostedTrees.h"

#include <xgboost/c_api.h>

#include <cmath>
#include <cstdlib>

using namespace pruner;

/// XGBoost's error message without its stack trace.
static std::string lastError() {
  std::string text = XGBGetLastError();
  std::size_t end = text.find("\nStack trace");
  return "XGBoost: " + text.substr(0, end);
}

namespace {
/// XGBoost's copy of the rows.
class Matrix {
public:
  ~Matrix() {
    if (handle)
      XGDMatrixFree(handle);
  }

  std::string fill(const std::vector<float> &values, std::size_t columns) {
    rows = columns ? values.size() / columns : 0;
    if (XGDMatrixCreateFromMat(values.data(), rows, columns, std::nanf(""),
                               &handle) != 0)
      return lastError();
    return {};
  }

  DMatrixHandle handle = nullptr;
  std::size_t rows = 0;
};
} // namespace

Booster::~Booster() {
  if (handle)
    XGBoosterFree(handle);
}

/// Returns a margin for each row of the matrix.
static std::string predictMatrix(BoosterHandle booster, const Matrix &matrix,
                                 std::vector<float> &margins) {
  // Requests the sum of all trees without the objective's transformation.
  static const char config[] =
      R"({"type": 1, "training": false, "iteration_begin": 0,
          "iteration_end": 0, "strict_shape": false})";
  bst_ulong const *shape = nullptr;
  bst_ulong dimensions = 0;
  float const *found = nullptr;
  if (XGBoosterPredictFromDMatrix(booster, matrix.handle, config, &shape,
                                  &dimensions, &found) != 0)
    return lastError();
  bst_ulong count = 1;
  for (bst_ulong d = 0; d < dimensions; ++d)
    count *= shape[d];
  if (count != matrix.rows)
    return "XGBoost: " + std::to_string(count) + " predictions for " +
           std::to_string(matrix.rows) + " rows";
  margins.assign(found, found + count);
  return {};
}

std::string Booster::train(const TreeGrowth &growth) {
  Matrix matrix;
  std::string problem = matrix.fill(*growth.values, growth.columns);
  if (!problem.empty())
    return problem;
  if (!handle && XGBoosterCreate(&matrix.handle, 1, &handle) != 0)
    return lastError();
  const std::pair<const char *, std::string> parameters[] = {
      {"base_score", "0"},
      {"tree_method", "hist"},
      {"max_depth", std::to_string(growth.depth)},
      {"eta", std::to_string(growth.rate)},
      {"subsample", "0.8"},
      {"colsample_bytree", "0.6"},
      {"min_child_weight", "0.001"},
      // XGBoost's generator is process-wide and keeps its state otherwise.
      {"seed_per_iteration", "true"},
      {"seed", std::to_string(growth.seed)},
      {"nthread", std::to_string(growth.threads)},
      {"verbosity", "0"}};
  for (const auto &[name, value] : parameters)
    if (XGBoosterSetParam(handle, name, value.c_str()) != 0)
      return lastError();
  std::vector<float> margins, gradient, hessian;
  for (int round = 0; round < growth.rounds; ++round) {
    problem = predictMatrix(handle, matrix, margins);
    if (!problem.empty())
      return problem;
    growth.loss(round, margins, gradient, hessian);
    if (XGBoosterBoostOneIter(handle, matrix.handle, gradient.data(),
                              hessian.data(), gradient.size()) != 0)
      return lastError();
  }
  return {};
}

std::string Booster::predict(const std::vector<float> &values,
                             std::size_t columns,
                             std::vector<float> &margins) const {
  Matrix matrix;
  std::string problem = matrix.fill(values, columns);
  return problem.empty() ? predictMatrix(handle, matrix, margins) : problem;
}

/// Adds one of XGBoost's trees. XGBoost may keep pruned nodes and order nodes
/// arbitrarily, so nodes are renumbered from the root.
static bool addTree(const Ubjson &from, BoostedTrees &trees) {
  static const char *const names[] = {"left_children", "right_children",
                                      "split_indices", "split_conditions",
                                      "default_left"};
  const std::vector<double> *arrays[5];
  for (int n = 0; n < 5; ++n) {
    const Ubjson *array = from.find({names[n]});
    if (!array || array->numbers.empty() ||
        array->numbers.size() != from.find({names[0]})->numbers.size())
      return false;
    arrays[n] = &array->numbers;
  }
  const auto &[left, right, column, condition, goesLeft] = arrays;
  const Ubjson *kinds = from.find({"split_type"});
  auto begin = std::int32_t(trees.nodes());
  std::vector<std::size_t> order = {0};
  for (std::size_t n = 0; n < order.size(); ++n) {
    std::size_t node = order[n];
    // Categorical splits are not supported.
    if (node >= left->size() || order.size() > 2 * left->size() ||
        (kinds && node < kinds->numbers.size() && kinds->numbers[node] != 0))
      return false;
    bool leaf = (*left)[node] < 0;
    auto child = std::int32_t(order.size()) + begin;
    trees.feature.push_back(leaf ? -1 : std::int32_t((*column)[node]));
    trees.value.push_back(float((*condition)[node]));
    trees.missing.push_back(!leaf && (*goesLeft)[node] != 0);
    trees.left.push_back(leaf ? -1 : child);
    trees.right.push_back(leaf ? -1 : child + 1);
    if (!leaf)
      for (const std::vector<double> *side : {left, right})
        order.push_back(std::size_t((*side)[node]));
  }
  trees.offsets.push_back(std::int32_t(trees.nodes()));
  return true;
}

std::string Booster::trees(BoostedTrees &trees) const {
  bst_ulong size = 0;
  const char *bytes = nullptr;
  if (XGBoosterSaveModelToBuffer(handle, R"({"format": "ubj"})", &size,
                                 &bytes) != 0)
    return lastError();
  Ubjson model;
  const std::string problem = "unexpected format of XGBoost's model";
  if (!parseUbjson(bytes, size, model))
    return problem;
  const Ubjson *list =
      model.find({"learner", "gradient_booster", "model", "trees"});
  const Ubjson *base =
      model.find({"learner", "learner_model_param", "base_score"});
  const Ubjson *columns =
      model.find({"learner", "learner_model_param", "num_feature"});
  if (!list || !base || !columns)
    return problem;
  BoostedTrees next;
  // Later versions write a list with one element.
  next.base = std::strtof(base->text.c_str() + (base->text[0] == '['), nullptr);
  next.columns = std::atoi(columns->text.c_str());
  for (const Ubjson &tree : list->elements)
    if (!addTree(tree, next))
      return problem;
  trees = std::move(next);
  return trees.check();
}
