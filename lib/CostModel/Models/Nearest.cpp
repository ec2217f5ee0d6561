//===- Nearest.cpp - nearest neighbors as a cost model --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The score of a program is the mean label of the programs that are nearest to
// it, weighted by the inverse of the squared distance (Shepard, "A
// two-dimensional interpolation function for irregularly-spaced data", 1968).
// Distances are Euclidean, over the terms of programs, standardized. Trees read
// the same columns, so this is the baseline that a trained model must beat.
//
// A weight file holds the programs themselves:
//
//   mean    F32 [columns]           means of the terms
//   scale   F32 [columns]           1 / standard deviation; 0: not compared
//   points  F32 [columns, points]   standardized terms
//   labels  F32 [points]            from 0 to 1
//
// Its metadata has the number of neighbors, `neighbors`.

#include "../TypedKind.h"
#include "Models.h"
#include "pruner/CostModel/TermsVersion.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>

using namespace pruner;

/// Added to squared distances, so that equal programs have a finite weight.
static constexpr float kSmallestDistance = 1e-6f;
/// Points whose distances are computed at once; they stay in the L1 cache.
static constexpr std::size_t kBlock = 512;
static constexpr int kMaxNeighbors = 1024;

namespace {
struct NearestOptions {
  std::int64_t neighbors = 8;

  void declare(OptionTable &table) {
    table.integer("neighbors", neighbors, 1, kMaxNeighbors,
                  "programs whose labels a score averages");
  }
};

/// Standardized programs with their labels.
struct Points {
  std::vector<float> mean, scale;
  /// One column after another, so that distances are computed in vectors.
  std::vector<float> values;
  std::vector<float> labels;

  std::size_t columns() const { return mean.size(); }
  std::size_t count() const { return labels.size(); }
};

/// Each update replaces the measurements of the previous one. Loaded points,
/// and their scaling, are kept. Without any points every program scores 0.
class NearestModel : public CostModel {
public:
  explicit NearestModel(std::size_t neighbors) : neighbors(neighbors) {}

  std::string name() const override { return "nearest"; }
  FeatureParts reads() const override { return {false, true}; }
  std::vector<float>
  predict(const std::vector<ProgramFeatures> &programs) override;
  TrainingReport update(const std::vector<ProgramFeatures> &programs,
                        const std::vector<float> &labels,
                        const std::vector<int> &groups) override;
  bool updatesFromScratch() const override { return true; }
  std::string save(TensorFile &file) const override;
  std::string load(const TensorFile &file) override;
  std::string describe() const override {
    return "nearest: " + std::to_string(neighbors) + " of " +
           std::to_string(points.count()) + " programs, " +
           std::to_string(points.columns()) + " terms";
  }

private:
  /// Whether the program has as many terms as the points, whose number is
  /// `columns`. Without points (0), any number of terms is usable.
  bool isUsable(const ProgramFeatures &program, std::size_t columns) const {
    return program.isValid(reads()) &&
           (columns == 0 || program.terms.size() == columns);
  }
  float score(const std::vector<float> &terms) const;

  std::size_t neighbors;
  Points foundation; ///< The loaded points.
  Points points;
};
} // namespace

float NearestModel::score(const std::vector<float> &terms) const {
  struct Neighbor {
    float distance;
    std::size_t point;
    bool operator<(const Neighbor &other) const {
      return distance < other.distance ||
             (distance == other.distance && point < other.point);
    }
  };
  std::vector<Neighbor> nearest;
  for (std::size_t first = 0; first < points.count(); first += kBlock) {
    std::size_t size = std::min(kBlock, points.count() - first);
    float distances[kBlock] = {};
    for (std::size_t c = 0; c < points.columns(); ++c) {
      float at = (terms[c] - points.mean[c]) * points.scale[c];
      const float *column = &points.values[c * points.count() + first];
      for (std::size_t p = 0; p < size; ++p)
        distances[p] += (column[p] - at) * (column[p] - at);
    }
    for (std::size_t p = 0; p < size; ++p)
      if (std::isfinite(distances[p]))
        nearest.push_back({distances[p], first + p});
  }
  std::size_t used = std::min(neighbors, nearest.size());
  std::partial_sort(nearest.begin(), nearest.begin() + used, nearest.end());
  double sum = 0, total = 0;
  for (std::size_t n = 0; n < used; ++n) {
    double weight = 1.0 / (double(nearest[n].distance) + kSmallestDistance);
    sum += weight * points.labels[nearest[n].point];
    total += weight;
  }
  // Terms far beyond those of the points have no finite distance.
  return used ? float(sum / total) : -std::numeric_limits<float>::infinity();
}

std::vector<float>
NearestModel::predict(const std::vector<ProgramFeatures> &programs) {
  std::vector<float> scores;
  scores.reserve(programs.size());
  for (const ProgramFeatures &program : programs) {
    if (!isUsable(program, points.columns()))
      scores.push_back(-std::numeric_limits<float>::infinity());
    else
      scores.push_back(points.count() ? score(program.terms) : 0);
  }
  return scores;
}

/// Computes the mean and the scale of each column of \p programs.
static Points scalingOf(const std::vector<const ProgramFeatures *> &programs) {
  Points points;
  for (std::size_t c = 0; c < programs.front()->terms.size(); ++c) {
    double mean = 0, variance = 0;
    for (const ProgramFeatures *program : programs)
      mean += double(program->terms[c]) / double(programs.size());
    for (const ProgramFeatures *program : programs)
      variance += std::pow(program->terms[c] - mean, 2) / programs.size();
    // Rounding leaves a rest in constant columns.
    bool varies = std::sqrt(variance) > 1e-6 * std::max(1.0, std::abs(mean));
    points.mean.push_back(float(mean));
    points.scale.push_back(varies ? float(1 / std::sqrt(variance)) : 0);
  }
  return points;
}

TrainingReport
NearestModel::update(const std::vector<ProgramFeatures> &programs,
                     const std::vector<float> &labels,
                     const std::vector<int> & /*groups*/) {
  TrainingReport report;
  auto begin = std::chrono::steady_clock::now();
  std::vector<const ProgramFeatures *> used;
  std::vector<float> measured;
  std::size_t columns = foundation.columns();
  for (std::size_t i = 0; i < programs.size(); ++i) {
    if (!isUsable(programs[i], columns) || !(labels[i] >= 0 && labels[i] <= 1))
      continue;
    columns = programs[i].terms.size();
    used.push_back(&programs[i]);
    measured.push_back(labels[i]);
  }
  if (used.size() < 2) {
    report.message = "fewer than two programs with terms to learn from";
    return report;
  }
  Points next = foundation.count() ? foundation : scalingOf(used);
  next.values.clear();
  for (std::size_t c = 0; c < columns; ++c) {
    auto loaded = foundation.values.begin() + c * foundation.count();
    next.values.insert(next.values.end(), loaded, loaded + foundation.count());
    for (const ProgramFeatures *program : used)
      next.values.push_back((program->terms[c] - next.mean[c]) * next.scale[c]);
  }
  next.labels.insert(next.labels.end(), measured.begin(), measured.end());
  points = std::move(next);
  report.trained = true;
  report.epochs = 1;
  report.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
          .count();
  return report;
}

std::string NearestModel::save(TensorFile &file) const {
  if (!points.count())
    return "cannot save an untrained model";
  writeTermsVersion(file.metadata);
  file.metadata["neighbors"] = std::to_string(neighbors);
  auto add = [&](const char *name, const std::vector<float> &values,
                 std::vector<std::int64_t> shape) {
    TensorData tensor{name, "F32", std::move(shape), {}};
    tensor.bytes.resize(values.size() * sizeof(float));
    std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
    file.tensors.push_back(std::move(tensor));
  };
  auto columns = std::int64_t(points.columns());
  auto count = std::int64_t(points.count());
  add("mean", points.mean, {columns});
  add("scale", points.scale, {columns});
  add("points", points.values, {columns, count});
  add("labels", points.labels, {count});
  return {};
}

std::string NearestModel::load(const TensorFile &file) {
  if (file.stated("model") != name())
    return "not weights of '" + name() + "'";
  if (std::string problem = checkTermsVersion(file.metadata); !problem.empty())
    return problem;
  std::string text = file.stated("neighbors");
  int stated = 0;
  auto [end, failed] =
      std::from_chars(text.data(), text.data() + text.size(), stated);
  if (failed != std::errc() || end != text.data() + text.size() || stated < 1 ||
      stated > kMaxNeighbors)
    return "'neighbors' must be an integer from 1 to " +
           std::to_string(kMaxNeighbors);
  auto length = [&](const char *name) {
    const TensorData *tensor = file.find(name);
    return tensor && tensor->shape.size() == 1 ? tensor->shape[0] : 0;
  };
  std::int64_t columns = length("mean"), count = length("labels");
  if (columns == 0 || count == 0)
    return "expected the tensors 'mean' and 'labels' of one dimension each";
  auto read = [&](const char *name, std::vector<std::int64_t> shape, auto valid,
                  std::vector<float> &values) -> std::string {
    const TensorData *tensor = file.find(name);
    if (!tensor || tensor->dtype != "F32" || tensor->shape != shape)
      return "tensor '" + std::string(name) + "' must be F32 of " +
             std::to_string(shape[0]) +
             (shape.size() == 2 ? " x " + std::to_string(shape[1]) : "") +
             " elements";
    values.resize(tensor->bytes.size() / sizeof(float));
    std::memcpy(values.data(), tensor->bytes.data(), tensor->bytes.size());
    return std::all_of(values.begin(), values.end(), valid)
               ? ""
               : "tensor '" + std::string(name) + "' has invalid numbers";
  };
  auto finite = [](float value) { return std::isfinite(value); };
  Points next;
  std::string problem = read("mean", {columns}, finite, next.mean);
  if (problem.empty())
    problem = read(
        "scale", {columns},
        [](float value) { return std::isfinite(value) && value >= 0; },
        next.scale);
  if (problem.empty())
    problem = read("points", {columns, count}, finite, next.values);
  if (problem.empty())
    problem = read(
        "labels", {count}, [](float value) { return value >= 0 && value <= 1; },
        next.labels);
  if (!problem.empty())
    return problem;
  neighbors = stated;
  foundation = next;
  points = std::move(next);
  return {};
}

namespace {
class NearestKind : public TypedKind<NearestOptions> {
  std::string name() const override { return "nearest"; }
  std::string summary() const override {
    return "mean of the nearest programs by terms, a baseline";
  }
  std::string lacks(Ability ability) const override {
    return ability == Ability::ChangesSteps
               ? "nearest neighbors are not trained by gradient steps"
               : "";
  }
  CostModelOrError make(const NearestOptions &options,
                        const std::string &) const override {
    return {std::make_unique<NearestModel>(options.neighbors), {}, {}};
  }
};
} // namespace

const ModelKind &pruner::nearestKind() {
  static const NearestKind kind;
  return kind;
}
