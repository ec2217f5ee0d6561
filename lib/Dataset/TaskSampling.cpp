//===- TaskSampling.cpp - choice of representative tasks ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskSampling.h"

#include "pruner/Dataset/Evaluate.h"
#include "pruner/Support/Random.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <numeric>

using namespace llvm;
using namespace pruner;

using Point = std::vector<double>;

/// A limit for Lloyd's algorithm, which usually converges earlier.
static constexpr unsigned kMaxIterations = 100;
/// Smaller deviations are rounding errors.
static constexpr double kLeastDeviation = 1e-6;

static double squaredDistance(const Point &a, const Point &b) {
  double sum = 0;
  for (auto [x, y] : zip_equal(a, b))
    sum += (x - y) * (x - y);
  return sum;
}

static size_t nearest(const Point &point, ArrayRef<Point> centers) {
  size_t best = 0;
  double least = squaredDistance(point, centers[0]);
  for (size_t c = 1; c < centers.size(); ++c)
    if (double distance = squaredDistance(point, centers[c]);
        distance < least) {
      least = distance;
      best = c;
    }
  return best;
}

/// k-means++: points far from the previous centers are more likely.
static std::vector<Point> firstCenters(ArrayRef<Point> points, size_t count,
                                       uint64_t seed) {
  Random random(seed);
  std::vector<Point> centers = {points[random.uniform(points.size())]};
  std::vector<double> distances;
  for (const Point &point : points)
    distances.push_back(squaredDistance(point, centers[0]));
  while (centers.size() < count) {
    double sum = std::accumulate(distances.begin(), distances.end(), 0.0);
    if (sum <= 0)
      break;
    double drawn = random.uniformReal() * sum;
    size_t next = 0;
    while (next + 1 < points.size() && (drawn -= distances[next]) >= 0)
      ++next;
    // Rounding may select a point that is a center already.
    if (distances[next] == 0)
      next = size_t(llvm::max_element(distances) - distances.begin());
    centers.push_back(points[next]);
    for (auto [point, distance] : zip_equal(points, distances))
      distance = std::min(distance, squaredDistance(point, centers.back()));
  }
  return centers;
}

Clusters pruner::kMeans(ArrayRef<Point> points, size_t count, uint64_t seed) {
  Clusters clusters;
  if (points.empty() || count == 0)
    return clusters;
  clusters.centers = firstCenters(points, count, seed);
  std::vector<size_t> clusterOf(points.size());
  for (unsigned round = 0; round < kMaxIterations; ++round) {
    bool changed = round == 0;
    for (auto [point, cluster] : zip_equal(points, clusterOf)) {
      size_t next = nearest(point, clusters.centers);
      changed |= next != cluster;
      cluster = next;
    }
    clusters.sizes.assign(clusters.centers.size(), 0);
    for (size_t cluster : clusterOf)
      ++clusters.sizes[cluster];
    if (!changed)
      break;
    // A center without points does not move.
    for (auto [center, size] : zip_equal(clusters.centers, clusters.sizes))
      if (size)
        center.assign(center.size(), 0);
    for (auto [point, cluster] : zip_equal(points, clusterOf))
      for (auto [sum, x] : zip_equal(clusters.centers[cluster], point))
        sum += x / double(clusters.sizes[cluster]);
  }
  return clusters;
}

/// The mean of a program's rows.
static Point pointOf(const ProgramFeatures &program) {
  Point point(kAnsorFeatureSize);
  for (int row = 0; row < program.rows; ++row)
    for (int c = 0; c < kAnsorFeatureSize; ++c)
      point[c] +=
          double(program.statements[size_t(row) * kStatementFeatureSize + c]) /
          program.rows;
  return point;
}

static void standardise(std::vector<Point> &points) {
  for (size_t c = 0; c < points.front().size(); ++c) {
    double mean = 0, variance = 0;
    for (const Point &point : points)
      mean += point[c] / double(points.size());
    for (const Point &point : points)
      variance += (point[c] - mean) * (point[c] - mean) / double(points.size());
    double deviation = std::max(std::sqrt(variance), kLeastDeviation);
    for (Point &point : points)
      point[c] = (point[c] - mean) / deviation;
  }
}

std::vector<size_t> pruner::sampleTasks(ArrayRef<SampledTask> tasks,
                                        size_t count, uint64_t seed) {
  std::vector<Point> points;
  std::vector<size_t> ends;
  FeatureParts parts;
  parts.tree = true;
  for (const SampledTask &sampled : tasks) {
    MeasuredFeatures features(*sampled.task, parts);
    for (const MeasuredSchedule *schedule : sampled.schedules)
      points.push_back(pointOf(features(*schedule)));
    ends.push_back(points.size());
  }
  std::vector<size_t> taken;
  if (points.empty())
    return taken;
  standardise(points);
  Clusters clusters = kMeans(points, count, seed);
  std::vector<size_t> order(clusters.centers.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::stable_sort(order, [&](size_t a, size_t b) {
    return clusters.sizes[a] > clusters.sizes[b];
  });
  for (size_t cluster : order) {
    size_t best = tasks.size();
    double least = INFINITY;
    for (size_t task = 0, begin = 0; task < tasks.size();
         begin = ends[task++]) {
      if (ends[task] == begin || is_contained(taken, task))
        continue;
      double sum = 0;
      for (const Point &point :
           ArrayRef(points).slice(begin, ends[task] - begin))
        sum += std::sqrt(squaredDistance(point, clusters.centers[cluster]));
      if (double mean = sum / double(ends[task] - begin); mean < least) {
        least = mean;
        best = task;
      }
    }
    if (best < tasks.size())
      taken.push_back(best);
  }
  return taken;
}
