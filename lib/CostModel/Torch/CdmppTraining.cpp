//===- CdmppTraining.cpp - one training run of CDMPP ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CdmppTraining.h"
#include "Training.h"
#include "pruner/CostModel/MomentDiscrepancy.h"

#include <torch/types.h>

#include <ATen/CPUGeneratorImpl.h>

#include <torch/nn/utils/clip_grad.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>

using namespace pruner;

namespace {
/// Returns programs in random order, without repetition until all were
/// returned.
class Deck {
public:
  bool empty() const { return cards.empty(); }
  std::size_t size() const { return cards.size(); }
  void add(std::size_t card) {
    cards.push_back(card);
    next = cards.size();
  }
  void deal(std::size_t count, std::mt19937_64 &engine,
            std::vector<std::size_t> &to) {
    for (; count > 0 && !cards.empty(); --count) {
      if (next == cards.size()) {
        for (std::size_t i = cards.size(); i > 1; --i)
          std::swap(cards[i - 1], cards[engine() % i]);
        next = 0;
      }
      to.push_back(cards[next++]);
    }
  }

private:
  std::vector<std::size_t> cards;
  std::size_t next = 0;
};

/// The programs of one training step, in this order.
struct Step {
  std::vector<std::size_t> programs;
  std::size_t sources = 0; ///< The first programs, of other domains.
  std::size_t timed = 0;   ///< Programs with a time: sources, then targets.
};

class Dealer {
public:
  Dealer(const LatencyTrainingSet &training, const CdmppOptions &options)
      : batch(std::size_t(options.batch)), engine(options.seed) {
    for (std::size_t i = 0; i < training.programs.size(); ++i)
      (training.seconds[i] <= 0 ? untimed
       : training.target[i]     ? targets
                                : sources)
          .add(i);
  }
  std::size_t timed() const { return sources.size() + targets.size(); }
  std::int64_t stepsPerEpoch() const {
    return std::int64_t((timed() + batch - 1) / batch);
  }
  Step deal() {
    Step step;
    std::size_t count = std::min(batch, timed());
    std::size_t ofTargets = sources.empty()   ? count
                            : targets.empty() ? 0
                                              : (count + 1) / 2;
    sources.deal(count - ofTargets, engine, step.programs);
    step.sources = step.programs.size();
    targets.deal(ofTargets, engine, step.programs);
    step.timed = step.programs.size();
    if (step.sources > 0)
      untimed.deal(std::min(untimed.size(), (batch + 1) / 2), engine,
                   step.programs);
    return step;
  }

private:
  std::size_t batch;
  std::mt19937_64 engine;
  Deck sources, targets, untimed;
};
} // namespace

static at::Tensor toTensor(std::vector<float> &values, at::IntArrayRef shape,
                           at::Device device) {
  return at::from_blob(values.data(), shape, at::kFloat).clone().to(device);
}

/// Returns a sum whose gradients are those of `alpha` times the discrepancy
/// between the first rows of \p z and the others. Sets \p loss to the
/// discrepancy's value.
static at::Tensor alignment(const at::Tensor &z, std::size_t sources,
                            double alpha, double &loss) {
  std::vector<float> all = toVector(z), ofSources, ofTargets;
  std::size_t width = std::size_t(z.size(1));
  std::vector<float> a(all.begin(),
                       all.begin() + std::ptrdiff_t(sources * width)),
      b(all.begin() + std::ptrdiff_t(sources * width), all.end());
  // Between -1 and 1.
  double distance =
      momentDiscrepancy(a, b, width, /*span=*/2, ofSources, ofTargets);
  loss += alpha * distance;
  ofSources.insert(ofSources.end(), ofTargets.begin(), ofTargets.end());
  return (z * toTensor(ofSources, z.sizes(), z.device())).sum() * alpha;
}

/// Returns the loss of a step and accumulates the gradients of the parameters.
static double backward(const CdmppNetwork &network,
                       const LatencyTrainingSet &training, const Step &step,
                       const CdmppOptions &options, at::Generator generator) {
  at::Tensor z =
      network.encode(network.makeBatch(training.programs, step.programs.data(),
                                       step.programs.size()),
                     options.dropout, std::move(generator));
  at::Tensor predicted =
      network.decode(z.narrow(0, 0, std::int64_t(step.timed)));
  std::vector<double> seconds;
  for (std::size_t i = 0; i < step.timed; ++i)
    seconds.push_back(training.seconds[step.programs[i]]);
  std::vector<float> slopes;
  double loss = hybridLoss(network.latency, toVector(predicted), seconds,
                           options.percentage, slopes);
  if (!std::isfinite(loss))
    return loss;
  at::Tensor sum =
      (predicted * toTensor(slopes, predicted.sizes(), z.device())).sum();
  if (options.alpha > 0 && step.sources > 0 &&
      step.sources < step.programs.size())
    sum = sum + alignment(z, step.sources, options.alpha, loss);
  sum.backward();
  return loss;
}

TrainingReport pruner::trainCdmpp(CdmppNetwork &network,
                                  const LatencyTrainingSet &training,
                                  const CdmppOptions &options) {
  auto start = std::chrono::steady_clock::now();
  TrainingReport report;
  Dealer dealer(training, options);
  if (dealer.timed() == 0) {
    report.message = "no program has a known time";
    return report;
  }
  std::vector<at::Tensor> parameters;
  for (auto &[name, tensor] : network.parameters)
    parameters.push_back(tensor.set_requires_grad(true));
  auto optimizer = makeOptimizer(parameters, options);
  at::Generator generator = at::detail::createCPUGenerator(options.seed);
  std::int64_t each = dealer.stepsPerEpoch();
  std::int64_t epochs =
      std::max(options.epochs, (options.steps + each - 1) / each);
  for (std::int64_t epoch = 0; epoch < epochs; ++epoch) {
    double total = 0;
    for (std::int64_t n = 0; n < each; ++n) {
      double done = (double(epoch) + double(n) / double(each)) / double(epochs);
      setLearningRate(*optimizer, done, options);
      optimizer->zero_grad();
      double loss =
          backward(network, training, dealer.deal(), options, generator);
      if (!std::isfinite(loss)) {
        report.message =
            "training diverged in epoch " + std::to_string(epoch + 1) +
            "; the previous weights are kept. Lower the learning-rate.";
        return report;
      }
      if (options.clip > 0)
        torch::nn::utils::clip_grad_norm_(parameters, options.clip);
      optimizer->step();
      total += loss;
    }
    report.loss = total / double(each);
    report.epochs = int(epoch + 1);
  }
  for (at::Tensor &parameter : parameters) {
    parameter.set_requires_grad(false);
    parameter.mutable_grad() = at::Tensor();
  }
  report.trained = true;
  report.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  return report;
}
