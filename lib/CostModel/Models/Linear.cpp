//===- Linear.cpp - ridge regression on statement features ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../TypedKind.h"
#include "Models.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>

using namespace pruner;

namespace {
constexpr int kWidth = kStatementFeatureSize;
/// The columns and the intercept.
constexpr int kUnknowns = kWidth + 1;

/// Ridge regression of the label on the statement features, which are summed
/// over the statements of a program and scaled by the maximum of each column in
/// the training data. It is deterministic and trains in milliseconds. Before
/// the first update every valid program scores 0.
class LinearModel : public CostModel {
public:
  explicit LinearModel(double ridge) : ridge(ridge) {}

  std::string name() const override { return "linear"; }
  FeatureParts reads() const override { return {true, false}; }
  std::vector<float>
  predict(const std::vector<ProgramFeatures> &programs) override;
  TrainingReport update(const std::vector<ProgramFeatures> &programs,
                        const std::vector<float> &labels,
                        const std::vector<int> &groups) override;
  bool updatesFromScratch() const override { return true; }
  std::string save(TensorFile &file) const override;
  std::string load(const TensorFile &file) override;
  std::string describe() const override {
    return "linear: ridge regression on summed statement features, " +
           std::to_string(kUnknowns) + " parameters";
  }

private:
  using Row = std::array<double, kUnknowns>;
  /// Sums the statements, divides by the column maxima, appends 1.
  Row input(const ProgramFeatures &program) const {
    Row row{};
    for (int r = 0; r < program.rows; ++r)
      for (int c = 0; c < kWidth; ++c)
        row[c] += program.statements[std::size_t(r) * kWidth + c];
    for (int c = 0; c < kWidth; ++c)
      row[c] /= maximum[c];
    row[kWidth] = 1.0;
    return row;
  }

  double ridge;
  std::array<double, kUnknowns> weights{};
  std::array<double, kWidth> maximum = filledWithOnes();
  static std::array<double, kWidth> filledWithOnes() {
    std::array<double, kWidth> ones;
    ones.fill(1.0);
    return ones;
  }
};

} // namespace

/// Solves the symmetric positive definite system a x = b in place by Cholesky
/// factorisation. Returns false if \p a is not positive definite.
static bool solveCholesky(std::vector<double> &a,
                          std::array<double, kUnknowns> &b) {
  const int n = kUnknowns;
  for (int j = 0; j < n; ++j) {
    double diagonal = a[j * n + j];
    for (int k = 0; k < j; ++k)
      diagonal -= a[j * n + k] * a[j * n + k];
    if (!(diagonal > 0.0))
      return false;
    a[j * n + j] = std::sqrt(diagonal);
    for (int i = j + 1; i < n; ++i) {
      double value = a[i * n + j];
      for (int k = 0; k < j; ++k)
        value -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = value / a[j * n + j];
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k)
      b[i] -= a[i * n + k] * b[k];
    b[i] /= a[i * n + i];
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k)
      b[i] -= a[k * n + i] * b[k];
    b[i] /= a[i * n + i];
  }
  return true;
}
std::vector<float>
LinearModel::predict(const std::vector<ProgramFeatures> &programs) {
  std::vector<float> scores;
  scores.reserve(programs.size());
  for (const ProgramFeatures &program : programs) {
    if (!program.isValid(reads())) {
      scores.push_back(-std::numeric_limits<float>::infinity());
      continue;
    }
    Row row = input(program);
    double score = 0.0;
    for (int c = 0; c < kUnknowns; ++c)
      score += weights[c] * row[c];
    // Weights of a file may overflow here, and scores are sorted.
    scores.push_back(std::isnan(score) ? -std::numeric_limits<float>::infinity()
                                       : static_cast<float>(score));
  }
  return scores;
}

TrainingReport LinearModel::update(const std::vector<ProgramFeatures> &programs,
                                   const std::vector<float> &labels,
                                   const std::vector<int> &groups) {
  TrainingReport report;
  auto start = std::chrono::steady_clock::now();
  if (labels.size() != programs.size() || groups.size() != programs.size()) {
    report.message = "there are " + std::to_string(programs.size()) +
                     " programs, but " + std::to_string(labels.size()) +
                     " labels and " + std::to_string(groups.size()) + " groups";
    return report;
  }
  std::vector<std::size_t> used;
  for (std::size_t i = 0; i < programs.size(); ++i)
    if (programs[i].isValid(reads()) && labels[i] >= 0.0f && labels[i] <= 1.0f)
      used.push_back(i);
  if (used.size() < 2) {
    report.message = "fewer than two valid programs to learn from";
    return report;
  }

  LinearModel next(ridge);
  std::array<double, kWidth> largest{};
  for (std::size_t i : used) {
    Row row = next.input(programs[i]);
    for (int c = 0; c < kWidth; ++c)
      largest[c] = std::max(largest[c], row[c]);
  }
  for (int c = 0; c < kWidth; ++c)
    next.maximum[c] = largest[c] > 0.0 ? largest[c] : 1.0;

  std::vector<double> normal(std::size_t(kUnknowns) * kUnknowns, 0.0);
  for (std::size_t i : used) {
    Row row = next.input(programs[i]);
    for (int a = 0; a < kUnknowns; ++a) {
      next.weights[a] += row[a] * labels[i];
      for (int b = 0; b <= a; ++b)
        normal[a * kUnknowns + b] += row[a] * row[b];
    }
  }
  double trace = 0.0;
  for (int a = 0; a < kUnknowns; ++a)
    trace += normal[a * kUnknowns + a];
  // This alone keeps the system definite for columns that are always zero.
  double penalty = std::max(ridge, 1e-9) * trace / kUnknowns;
  for (int a = 0; a < kUnknowns; ++a)
    normal[a * kUnknowns + a] += penalty;
  auto isFinite = [](double weight) { return std::isfinite(weight); };
  if (!solveCholesky(normal, next.weights) ||
      !std::all_of(next.weights.begin(), next.weights.end(), isFinite)) {
    report.message = "the normal equations are singular";
    return report;
  }

  weights = next.weights;
  maximum = next.maximum;
  for (std::size_t i : used) {
    Row row = input(programs[i]);
    double difference = -labels[i];
    for (int c = 0; c < kUnknowns; ++c)
      difference += weights[c] * row[c];
    report.loss += difference * difference / double(used.size());
  }
  report.trained = true;
  report.epochs = 1;
  report.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  return report;
}

std::string LinearModel::save(TensorFile &file) const {
  file.metadata["schema"] = std::to_string(kFeatureSchemaVersion);
  auto add = [&](const char *name, const auto &values) {
    TensorData tensor{name, "F64", {std::int64_t(values.size())}, {}};
    tensor.bytes.resize(values.size() * sizeof(double));
    std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
    file.tensors.push_back(std::move(tensor));
  };
  add("weights", weights);
  add("statement_feature_max", maximum);
  return {};
}

std::string LinearModel::load(const TensorFile &file) {
  if (std::string model = file.stated("model"); model != name())
    return "holds the model '" + model + "', not 'linear'";
  if (std::string schema = file.stated("schema");
      schema != std::to_string(kFeatureSchemaVersion))
    return "trained on feature schema " + schema +
           ", but this build has schema " +
           std::to_string(kFeatureSchemaVersion);
  LinearModel next(ridge);
  auto get = [&](const char *name, auto &values) {
    const TensorData *tensor = file.find(name);
    if (!tensor || tensor->dtype != "F64" ||
        tensor->shape != std::vector<std::int64_t>{std::int64_t(values.size())})
      return "tensor '" + std::string(name) + "' must be F64 of " +
             std::to_string(values.size()) + " elements";
    std::memcpy(values.data(), tensor->bytes.data(), tensor->bytes.size());
    for (double value : values)
      if (!std::isfinite(value))
        return "tensor '" + std::string(name) + "' is not finite";
    return std::string();
  };
  if (std::string error;
      !(error = get("weights", next.weights)).empty() ||
      !(error = get("statement_feature_max", next.maximum)).empty())
    return error;
  for (double value : next.maximum)
    if (value <= 0.0)
      return "a feature maximum is not positive";
  weights = next.weights;
  maximum = next.maximum;
  return {};
}

namespace {
struct LinearOptions {
  double ridge = 1e-3;

  void declare(OptionTable &table) {
    table.real("ridge", ridge, 0, 1e30,
               "penalty on squared weights, relative to the mean diagonal of "
               "the normal equations");
  }
};

class LinearKind : public TypedKind<LinearOptions> {
  std::string name() const override { return "linear"; }
  std::string summary() const override {
    return "ridge regression on summed statements, a baseline";
  }
  std::string lacks(Ability ability) const override {
    return ability == Ability::Learns
               ? ""
               : "its weights are solved from scratch at each update";
  }
  CostModelOrError make(const LinearOptions &options,
                        const std::string &) const override {
    return {std::make_unique<LinearModel>(options.ridge), {}, {}};
  }
};
} // namespace

const ModelKind &pruner::linearKind() {
  static const LinearKind kind;
  return kind;
}
