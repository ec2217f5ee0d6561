//===- Training.cpp - one training run ------------------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Training.h"
#include "pruner/CostModel/LambdaRank.h"
#include "pruner/CostModel/PairwiseRank.h"

// Before the others, which rely on it.
#include <torch/types.h>

#include <ATen/CPUGeneratorImpl.h>
#include <c10/core/GradMode.h>

#include <torch/nn/utils/clip_grad.h>
#include <torch/optim/adamw.h>
#include <torch/optim/sgd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <random>

using namespace pruner;

/// Lists of each task that the norm's statistics are taken from.
static constexpr std::size_t kStatisticsLists = 4;
static constexpr int kFlowSize = kDataflowSteps * kDataflowFeatureSize;

namespace {
/// Means and deviations, or maxima, of the columns of rows that come by.
class Columns {
public:
  explicit Columns(std::size_t count)
      : sum(count), squares(count), most(count) {}
  void add(const float *values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t column = i % sum.size();
      sum[column] += values[i];
      squares[column] += double(values[i]) * values[i];
      most[column] = std::max(most[column], values[i]);
    }
    rows += double(count / sum.size());
  }
  Scaling scaling(bool standard) const {
    std::int64_t columns = sum.size();
    Scaling result{at::zeros({columns}, at::kFloat),
                   at::ones({columns}, at::kFloat)};
    for (std::int64_t c = 0; c < columns; ++c) {
      double scale = most[c];
      if (standard) {
        double mean = sum[c] / rows;
        result.mean.data_ptr<float>()[c] = float(mean);
        scale = std::sqrt(std::max(0.0, squares[c] / rows - mean * mean));
      }
      if (scale > kLeastScale)
        result.scale.data_ptr<float>()[c] = float(scale);
    }
    return result;
  }

  bool any() const { return rows > 0; }

private:
  /// Deviations below that are rounding errors of the sums.
  static constexpr double kLeastScale = 1e-3;
  std::vector<double> sum, squares;
  std::vector<float> most;
  double rows = 0;
};
} // namespace

void pruner::computeScaling(
    const std::vector<const ProgramFeatures *> &programs, bool standard,
    Network &network) {
  Columns statement(kStatementFeatureSize), dataflow(kDataflowFeatureSize),
      terms(std::max<std::size_t>(1, network.terms));
  for (const ProgramFeatures *program : programs) {
    statement.add(program->statements.data(), program->statements.size());
    if (program->hasDataflow)
      dataflow.add(program->dataflow.data(), kFlowSize);
    if (network.terms)
      terms.add(program->terms.data(), program->terms.size());
  }
  network.statementScaling = statement.scaling(standard);
  if (dataflow.any())
    network.dataflowScaling = dataflow.scaling(standard);
  if (network.terms)
    network.termScaling = terms.scaling(standard);
}

Batch pruner::makeBatch(const Network &network,
                        const std::vector<const ProgramFeatures *> &programs,
                        const std::size_t *indices, std::size_t count) {
  Batch batch;
  std::int64_t rows = 0, flows = 0;
  bool anyWithout = false;
  for (std::size_t i = 0; i < count; ++i) {
    rows += programs[indices[i]]->rows;
    flows += programs[indices[i]]->hasDataflow;
    anyWithout |= !programs[indices[i]]->hasDataflow;
  }
  batch.rows = at::empty({rows, kStatementFeatureSize}, at::kFloat);
  batch.offsets = at::empty({std::int64_t(count) + 1}, at::kLong);
  batch.flow = at::zeros(
      {flows + anyWithout, kDataflowSteps, kDataflowFeatureSize}, at::kFloat);
  batch.flowOf = at::empty({std::int64_t(count)}, at::kLong);
  float *row = batch.rows.data_ptr<float>();
  float *flow = batch.flow.data_ptr<float>();
  std::int64_t *offset = batch.offsets.data_ptr<std::int64_t>();
  offset[0] = 0;
  std::int64_t nextFlow = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const ProgramFeatures &program = *programs[indices[i]];
    row = std::copy(program.statements.begin(), program.statements.end(), row);
    offset[i + 1] = offset[i] + program.rows;
    // The zeros that all programs without a pattern share stand at the end.
    std::int64_t which = flows;
    if (program.hasDataflow) {
      which = nextFlow++;
      flow = std::copy(program.dataflow.begin(), program.dataflow.end(), flow);
    }
    batch.flowOf.data_ptr<std::int64_t>()[i] = which;
  }
  std::int64_t terms = network.terms;
  if (terms)
    batch.terms = at::empty({std::int64_t(count), terms}, at::kFloat);
  if (network.prior > 0)
    batch.prior = at::empty({std::int64_t(count)}, at::kFloat);
  for (std::size_t i = 0; i < count; ++i) {
    const std::vector<float> &from = programs[indices[i]]->terms;
    if (terms)
      std::copy(from.begin(), from.end(),
                batch.terms.data_ptr<float>() + i * terms);
    if (network.prior > 0)
      batch.prior.data_ptr<float>()[i] = -float(network.prior) * from.front();
  }
  batch = batch.to(network.device());
  auto scale = [](at::Tensor &tensor, const Scaling &scaling) {
    tensor.sub_(scaling.mean).div_(scaling.scale);
  };
  scale(batch.rows, network.statementScaling);
  scale(batch.flow, network.dataflowScaling);
  if (terms)
    scale(batch.terms, network.termScaling);
  return batch;
}

static std::unique_ptr<torch::optim::Optimizer>
makeOptimizer(const std::vector<at::Tensor> &parameters,
              const ModelOptions &options) {
  if (options.optimizer == "sgd")
    return std::make_unique<torch::optim::SGD>(
        parameters, torch::optim::SGDOptions(options.learningRate)
                        .weight_decay(options.weightDecay));
  return std::make_unique<torch::optim::AdamW>(
      parameters, torch::optim::AdamWOptions(options.learningRate)
                      .weight_decay(options.weightDecay));
}

/// Fisher-Yates; std::shuffle differs between standard libraries.
template <typename T>
static void shuffle(std::vector<T> &order, std::mt19937_64 &engine) {
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[engine() % i]);
}

namespace {
using List = std::vector<std::size_t>;

/// The programs of a task like a pack of cards: all are dealt before any comes
/// again.
class Deck {
public:
  explicit Deck(List cards)
      : cards(std::move(cards)), next(this->cards.size()) {}

  /// Adds lists of at most \p size to \p lists: \p most of them, or as many as
  /// deal all cards once; of equal lengths but for one.
  void deal(std::size_t size, std::size_t most, std::mt19937_64 &engine,
            std::vector<List> &lists) {
    std::size_t count = (cards.size() + size - 1) / size;
    std::size_t length = (cards.size() + count - 1) / count;
    if (most)
      count = std::min(count, most);
    for (; count > 0; --count) {
      if (cards.size() - next < 2) {
        shuffle(cards, engine);
        next = 0;
      }
      std::size_t end = std::min(cards.size(), next + length);
      // One card left makes no pair.
      if (cards.size() - end == 1)
        ++end;
      lists.emplace_back(cards.begin() + next, cards.begin() + end);
      next = end;
    }
  }

private:
  List cards;
  std::size_t next;
};

/// What a batch of whole lists costs, and the gradient by its scores.
class Loss {
public:
  Loss(const std::vector<float> &labels, const ModelOptions &options)
      : labels(labels), lambda(options.loss == "lambda") {}

  /// Scores that are not finite have an infinite loss.
  double operator()(const std::vector<float> &scores, const List &programs,
                    const std::vector<unsigned> &lists,
                    std::vector<float> &gradient) const {
    if (!std::all_of(scores.begin(), scores.end(),
                     [](float x) { return std::isfinite(x); }))
      return INFINITY;
    std::vector<float> y;
    for (std::size_t program : programs)
      y.push_back(labels[program]);
    if (!lambda) {
      std::vector<float> hessian;
      double loss = pairwiseRank(scores, y, lists, /*partners=*/1u << 20,
                                 /*seed=*/0, gradient, hessian);
      // A program's share, so that the bound on gradients means the same for
      // all sizes of lists.
      for (float &slope : gradient)
        slope /= float(scores.size());
      return loss / double(scores.size());
    }
    std::vector<int> groups;
    for (std::size_t n = 0; n < lists.size(); ++n)
      groups.insert(groups.end(), lists[n], int(n));
    return lambdaRank(scores, y, &groups, gradient);
  }

private:
  const std::vector<float> &labels;
  bool lambda;
};
} // namespace

static std::vector<float> toVector(const at::Tensor &tensor) {
  at::Tensor here = tensor.detach().to(at::kCPU).contiguous();
  return {here.data_ptr<float>(), here.data_ptr<float>() + here.numel()};
}

/// Joins lists from \p begin on until they have \p least programs.
static std::size_t gather(const std::vector<List> &lists, std::size_t begin,
                          std::size_t least, List &programs,
                          std::vector<unsigned> &lengths) {
  programs.clear();
  lengths.clear();
  for (; begin < lists.size() && programs.size() < least; ++begin) {
    programs.insert(programs.end(), lists[begin].begin(), lists[begin].end());
    lengths.push_back(unsigned(lists[begin].size()));
  }
  return begin;
}

/// How many epochs like the one of \p lists have so many steps.
static std::int64_t epochsOf(std::int64_t steps, const std::vector<List> &lists,
                             std::size_t batch) {
  List programs;
  std::vector<unsigned> lengths;
  std::int64_t each = 0;
  for (std::size_t n = 0; n < lists.size(); ++each)
    n = gather(lists, n, batch, programs, lengths);
  return (steps + each - 1) / each;
}

/// The norm's statistics over \p lists by the present weights, in place of a
/// moving average over weights that were.
static void
estimateStatistics(Network &network,
                   const std::vector<const ProgramFeatures *> &programs,
                   const std::vector<List> &lists) {
  if (!network.hasFlow)
    return;
  c10::NoGradGuard noGrad;
  at::Tensor sum, squares;
  double count = 0;
  List batch;
  std::vector<unsigned> lengths;
  for (std::size_t n = 0; n < lists.size();) {
    n = gather(lists, n, 1024, batch, lengths);
    at::Tensor x =
        network.encode(makeBatch(network, programs, batch.data(), batch.size()))
            .to(at::kDouble);
    at::Tensor s = x.sum(0), q = x.square().sum(0);
    sum = sum.defined() ? sum + s : s;
    squares = squares.defined() ? squares + q : q;
    count += double(batch.size());
  }
  at::Tensor mean = sum / count;
  network.runningMean = mean.to(at::kFloat);
  network.runningVar =
      (squares / count - mean.square()).clamp_min(0).to(at::kFloat);
}

TrainingReport pruner::trainNetwork(
    Network &network, const std::vector<const ProgramFeatures *> &programs,
    const std::vector<float> &labels, const std::vector<int> &groups,
    const ModelOptions &options) {
  auto start = std::chrono::steady_clock::now();
  TrainingReport report;
  std::mt19937_64 engine(options.seed);
  std::map<int, List> tasks;
  for (std::size_t i = 0; i < programs.size(); ++i)
    tasks[options.list == "task" ? groups[i] : 0].push_back(i);
  std::vector<Deck> decks;
  for (auto &[task, members] : tasks)
    if (members.size() > 1)
      decks.emplace_back(std::move(members));
  if (decks.empty()) {
    report.message = "no task has two programs to compare";
    return report;
  }
  network.requireGradients(true);
  std::vector<at::Tensor> parameters;
  for (const auto &[name, tensor] : network.parameters)
    parameters.push_back(tensor);
  auto optimizer = makeOptimizer(parameters, options);
  at::Generator generator = at::detail::createCPUGenerator(options.seed);
  Loss lossOf(labels, options);
  auto deal = [&](std::size_t most) {
    std::vector<List> lists;
    for (Deck &deck : decks)
      deck.deal(options.listSize, most, engine, lists);
    shuffle(lists, engine);
    return lists;
  };

  double smoothed = 0.0, best = std::numeric_limits<double>::infinity();
  std::int64_t steps = 0, bestEpoch = 0;
  List batch;
  std::vector<unsigned> lengths;
  std::vector<float> gradient;
  std::int64_t epochs = options.epochs;
  for (std::int64_t epoch = 0; epoch < epochs; ++epoch) {
    std::vector<List> lists = deal(options.listsPerTask);
    if (epoch == 0)
      epochs = std::max(epochs, epochsOf(options.steps, lists, options.batch));
    double total = 0.0;
    int batches = 0;
    for (std::size_t n = 0; n < lists.size(); ++batches) {
      if (options.schedule == "cosine") {
        double done = (epoch + double(n) / lists.size()) / epochs;
        double rate = options.learningRate * std::min(1.0, 20 * done + 0.01) *
                      0.5 * (1 + std::cos(M_PI * done));
        for (auto &group : optimizer->param_groups())
          group.options().set_lr(rate);
      }
      n = gather(lists, n, options.batch, batch, lengths);
      at::Tensor scores = network.forward(
          makeBatch(network, programs, batch.data(), batch.size()),
          options.dropout, generator);
      double loss = lossOf(toVector(scores), batch, lengths, gradient);
      if (!std::isfinite(loss)) {
        report.message = "training diverged in epoch " +
                         std::to_string(epoch + 1) +
                         "; the former weights stay. Lower learning-rate.";
        return report;
      }
      optimizer->zero_grad();
      scores.backward(at::from_blob(gradient.data(),
                                    {std::int64_t(gradient.size())}, at::kFloat)
                          .to(network.device()));
      if (options.clip > 0)
        torch::nn::utils::clip_grad_norm_(parameters, options.clip);
      optimizer->step();
      total += loss;
      smoothed = steps++ == 0 ? loss : 0.95 * smoothed + 0.05 * loss;
    }
    report.loss = total / batches;
    report.epochs = static_cast<int>(epoch + 1);
    if (smoothed < best) {
      best = smoothed;
      bestEpoch = epoch;
    } else if (options.patience > 0 && epoch - bestEpoch >= options.patience) {
      break;
    }
  }
  estimateStatistics(network, programs, deal(kStatisticsLists));
  network.requireGradients(false);
  for (auto &[name, tensor] : network.parameters)
    tensor.mutable_grad() = at::Tensor();
  report.trained = true;
  report.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  return report;
}
