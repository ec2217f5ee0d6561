//===- Training.cpp - one training run ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Training.h"
#include "MosesSteps.h"
#include "Tensors.h"
#include "pruner/CostModel/LambdaRank.h"
#include "pruner/CostModel/PairwiseRank.h"

// Must come first; the other headers depend on it.
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
#include <optional>
#include <random>

using namespace pruner;

/// The number of lists of each task that a network's statistics are computed
/// from.
static constexpr std::size_t kStatisticsLists = 4;

std::unique_ptr<torch::optim::Optimizer>
pruner::makeOptimizer(const std::vector<at::Tensor> &parameters,
                      const NetworkOptions &options) {
  // With partial steps only parameters without gradient steps decay.
  double decay = options.partialSteps() ? 0 : options.weightDecay;
  if (options.optimizer == "sgd")
    return std::make_unique<torch::optim::SGD>(
        parameters,
        torch::optim::SGDOptions(options.learningRate).weight_decay(decay));
  return std::make_unique<torch::optim::AdamW>(
      parameters,
      torch::optim::AdamWOptions(options.learningRate).weight_decay(decay));
}

double pruner::setLearningRate(torch::optim::Optimizer &optimizer, double done,
                               const NetworkOptions &options) {
  if (options.schedule != "cosine")
    return options.learningRate;
  double rate = options.learningRate * std::min(1.0, 20 * done + 0.01) * 0.5 *
                (1 + std::cos(M_PI * done));
  for (auto &group : optimizer.param_groups())
    group.options().set_lr(rate);
  return rate;
}

/// Fisher-Yates; std::shuffle differs between standard libraries.
template <typename T>
static void shuffle(std::vector<T> &order, std::mt19937_64 &engine) {
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[engine() % i]);
}

namespace {
using List = ProgramList;

/// Returns the programs of a task in random order, without repetition until all
/// were returned.
class Deck {
public:
  explicit Deck(List cards)
      : cards(std::move(cards)), next(this->cards.size()) {}

  /// The number of lists of at most \p size programs that cover all programs
  /// once, but not more than \p most if that is not 0.
  std::size_t listCount(std::size_t size, std::size_t most) const {
    std::size_t count = (cards.size() + size - 1) / size;
    return most ? std::min(count, most) : count;
  }

  /// Adds \p count lists of at most \p size programs to \p lists. The lengths
  /// of lists that cover all programs once differ by at most one.
  void deal(std::size_t size, std::size_t count, std::mt19937_64 &engine,
            std::vector<List> &lists) {
    std::size_t covering = listCount(size, /*most=*/0);
    std::size_t length = (cards.size() + covering - 1) / covering;
    for (; count > 0; --count) {
      if (cards.size() - next < 2) {
        shuffle(cards, engine);
        next = 0;
      }
      std::size_t end = std::min(cards.size(), next + length);
      // A single remaining program would make no pair.
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

/// The programs of a task, in the order of their measurement.
class TaskPrograms {
public:
  /// If there are at least two programs after the first \p early ones, half of
  /// the lists are drawn from these and half from the others. A tuner's first
  /// trials are of all qualities, and its later ones are near its optimum; in a
  /// list of both, the loss is about the difference between them.
  TaskPrograms(List programs, std::size_t early) {
    if (early > 1 && programs.size() > early + 1) {
      auto border = programs.begin() + std::ptrdiff_t(early);
      decks.emplace_back(List(programs.begin(), border));
      decks.emplace_back(List(border, programs.end()));
    } else {
      decks.emplace_back(std::move(programs));
    }
  }

  /// Adds lists of at most \p size programs: \p most of them, or as many as
  /// cover all programs once.
  void deal(std::size_t size, std::size_t most, std::mt19937_64 &engine,
            std::vector<List> &lists) {
    if (decks.size() == 1)
      return decks[0].deal(size, decks[0].listCount(size, most), engine, lists);
    std::size_t covering = std::max(decks[0].listCount(size, /*most=*/0),
                                    decks[1].listCount(size, /*most=*/0));
    std::size_t count = most ? (most + 1) / 2 : covering;
    for (Deck &deck : decks)
      deck.deal(size, count, engine, lists);
  }

private:
  std::vector<Deck> decks;
};

/// The loss of a batch of whole lists, and its gradient by the scores.
class Loss {
public:
  Loss(const std::vector<float> &labels, const RankingOptions &options)
      : labels(labels), lambda(options.loss == "lambda") {}

  /// The loss of scores that are not finite is infinity.
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
      // Averages over the programs, so that the limit of the gradient norm does
      // not depend on the list size.
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

std::size_t pruner::gatherLists(const std::vector<ProgramList> &lists,
                                std::size_t begin, std::size_t least,
                                ProgramList &programs,
                                std::vector<unsigned> &lengths) {
  programs.clear();
  lengths.clear();
  for (; begin < lists.size() && programs.size() < least; ++begin) {
    programs.insert(programs.end(), lists[begin].begin(), lists[begin].end());
    lengths.push_back(unsigned(lists[begin].size()));
  }
  return begin;
}

/// The number of epochs like that of \p lists that have this many steps.
static std::int64_t epochsOf(std::int64_t steps, const std::vector<List> &lists,
                             std::size_t batch) {
  List programs;
  std::vector<unsigned> lengths;
  std::int64_t each = 0;
  for (std::size_t n = 0; n < lists.size(); ++each)
    n = gatherLists(lists, n, batch, programs, lengths);
  return (steps + each - 1) / each;
}

TrainingReport pruner::trainNetwork(Trainee &network,
                                    const std::vector<float> &labels,
                                    const std::vector<int> &groups,
                                    const RankingOptions &options,
                                    const at::Tensor &source) {
  auto start = std::chrono::steady_clock::now();
  TrainingReport report;
  std::mt19937_64 engine(options.seed);
  std::map<int, List> tasks;
  for (std::size_t i = 0; i < labels.size(); ++i)
    tasks[options.list == "task" ? groups[i] : 0].push_back(i);
  std::size_t early =
      options.list == "task" ? std::size_t(options.earlyTrials) : 0;
  std::vector<TaskPrograms> dealers;
  for (auto &[task, members] : tasks)
    if (members.size() > 1)
      dealers.emplace_back(std::move(members), early);
  if (dealers.empty()) {
    report.message = "no task has two programs to compare";
    return report;
  }
  std::vector<at::Tensor> parameters = network.begin();
  auto optimizer = makeOptimizer(parameters, options);
  at::Generator generator = at::detail::createCPUGenerator(options.seed);
  Loss lossOf(labels, options);
  auto deal = [&](std::size_t most) {
    std::vector<List> lists;
    for (TaskPrograms &task : dealers)
      task.deal(std::size_t(options.listSize), most, engine, lists);
    shuffle(lists, engine);
    return lists;
  };
  List batch;
  std::vector<unsigned> lengths;
  std::vector<float> gradient;
  auto forget = [&] {
    // Resets gradients to undefined instead of zero: a parameter that takes no
    // part in the step, such as another platform's head, must keep its value,
    // momentum and decay.
    for (at::Tensor &parameter : parameters)
      parameter.mutable_grad() = at::Tensor();
  };
  std::optional<MosesSteps> moses;
  // Adds the gradient of the batch's loss and returns the loss.
  auto learnFrom = [&](double dropout, double done) {
    at::Tensor scores = network.forward(batch, dropout, generator);
    double loss = lossOf(toVector(scores), batch, lengths, gradient);
    if (!std::isfinite(loss))
      return loss;
    at::Tensor total =
        (scores * at::from_blob(gradient.data(),
                                {std::int64_t(gradient.size())}, at::kFloat)
                      .to(network.device()))
            .sum();
    if (moses && done >= 0) {
      at::Tensor hidden = network.representations();
      if (at::Tensor slope = moses->domainGradient(hidden, done);
          slope.defined())
        total = total + (hidden * slope).sum();
    }
    total.backward();
    return loss;
  };
  auto diverged = [&](std::int64_t epoch) {
    report.message =
        "training diverged in epoch " + std::to_string(epoch + 1) +
        "; the previous weights are kept. Lower the learning-rate.";
    return report;
  };
  if (const PartialSteps *partial = options.partialSteps()) {
    moses.emplace(parameters, source, *partial);
    std::vector<List> lists = deal(options.listsPerTask);
    forget();
    for (std::size_t n = 0; n < lists.size();) {
      n = gatherLists(lists, n, options.batch, batch, lengths);
      if (!std::isfinite(learnFrom(/*dropout=*/0, /*done=*/-1)))
        return diverged(0);
    }
    moses->divide();
  }

  double smoothed = 0.0, best = std::numeric_limits<double>::infinity();
  std::int64_t steps = 0, bestEpoch = 0;
  std::int64_t epochs = options.epochs;
  for (std::int64_t epoch = 0; epoch < epochs; ++epoch) {
    std::vector<List> lists = deal(options.listsPerTask);
    if (epoch == 0)
      epochs = std::max(epochs, epochsOf(options.steps, lists, options.batch));
    double total = 0.0;
    int batches = 0;
    for (std::size_t n = 0; n < lists.size(); ++batches) {
      double done = (epoch + double(n) / lists.size()) / epochs;
      double rate = setLearningRate(*optimizer, done, options);
      n = gatherLists(lists, n, options.batch, batch, lengths);
      forget();
      double loss = learnFrom(options.dropout, done);
      if (!std::isfinite(loss))
        return diverged(epoch);
      if (options.clip > 0)
        torch::nn::utils::clip_grad_norm_(parameters, options.clip);
      if (moses)
        moses->begin();
      optimizer->step();
      if (moses)
        moses->end(rate);
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
  network.finish(deal(kStatisticsLists));
  report.trained = true;
  report.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  return report;
}
