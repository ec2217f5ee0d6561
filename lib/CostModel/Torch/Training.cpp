//===- Training.cpp - one training run ------------------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Training.h"
#include "pruner/CostModel/LambdaRank.h"

// Before the others, which rely on it.
#include <torch/types.h>

#include <torch/nn/utils/clip_grad.h>
#include <torch/optim/adam.h>
#include <torch/optim/sgd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

using namespace pruner;

static constexpr int kFlowSize = kDataflowSteps * kDataflowFeatureSize;

void pruner::computeMaxima(const std::vector<const ProgramFeatures *> &programs,
                           Network &network) {
  std::vector<float> statement(kStatementFeatureSize, 0.0f);
  std::vector<float> dataflow(kDataflowFeatureSize, 0.0f);
  for (const ProgramFeatures *program : programs) {
    for (std::size_t i = 0; i < program->statements.size(); ++i) {
      float &most = statement[i % kStatementFeatureSize];
      most = std::max(most, program->statements[i]);
    }
    if (program->hasDataflow)
      for (int i = 0; i < kFlowSize; ++i) {
        float &most = dataflow[i % kDataflowFeatureSize];
        most = std::max(most, program->dataflow[i]);
      }
  }
  auto store = [](const std::vector<float> &maxima, at::Tensor &tensor) {
    tensor = at::empty({std::int64_t(maxima.size())}, at::kFloat);
    for (std::size_t i = 0; i < maxima.size(); ++i)
      tensor.data_ptr<float>()[i] = maxima[i] > 0.0f ? maxima[i] : 1.0f;
  };
  store(statement, network.statementMax);
  store(dataflow, network.dataflowMax);
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
  batch = batch.to(network.device());
  batch.rows.div_(network.statementMax);
  batch.flow.div_(network.dataflowMax);
  return batch;
}

/// Cuts 0..count into steps of \p size; a last step of one program, which has
/// no pairs and no variance, joins the one before.
static std::vector<std::size_t> cutBatches(std::size_t count,
                                           std::size_t size) {
  std::vector<std::size_t> cuts{0};
  while (cuts.back() < count) {
    std::size_t end = std::min(count, cuts.back() + size);
    cuts.push_back(count - end == 1 ? count : end);
  }
  return cuts;
}

static std::unique_ptr<torch::optim::Optimizer>
makeOptimizer(const std::vector<at::Tensor> &parameters,
              const ModelOptions &options) {
  if (options.optimizer == "sgd")
    return std::make_unique<torch::optim::SGD>(
        parameters, torch::optim::SGDOptions(options.learningRate)
                        .weight_decay(options.weightDecay));
  return std::make_unique<torch::optim::Adam>(
      parameters, torch::optim::AdamOptions(options.learningRate)
                      .weight_decay(options.weightDecay));
}

/// Fisher-Yates; std::shuffle differs between standard libraries.
static void shuffle(std::vector<std::size_t> &order, std::mt19937_64 &engine) {
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[engine() % i]);
}

TrainingReport pruner::trainNetwork(
    Network &network, const std::vector<const ProgramFeatures *> &programs,
    const std::vector<float> &labels, const std::vector<int> &groups,
    const ModelOptions &options) {
  auto start = std::chrono::steady_clock::now();
  TrainingReport report;
  network.requireGradients(true);
  std::vector<at::Tensor> parameters;
  for (const auto &[name, tensor] : network.parameters)
    parameters.push_back(tensor);
  auto optimizer = makeOptimizer(parameters, options);

  std::vector<std::size_t> order(programs.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::vector<std::size_t> cuts = cutBatches(order.size(), options.batch);
  std::mt19937_64 engine(options.seed);
  double smoothed = 0.0, best = std::numeric_limits<double>::infinity();
  std::int64_t steps = 0, bestEpoch = 0;
  for (std::int64_t epoch = 0; epoch < options.epochs; ++epoch) {
    shuffle(order, engine);
    double total = 0.0;
    for (std::size_t b = 0; b + 1 < cuts.size(); ++b) {
      std::size_t begin = cuts[b], count = cuts[b + 1] - begin;
      at::Tensor scores = network.forward(
          makeBatch(network, programs, order.data() + begin, count));
      at::Tensor here = scores.detach().to(at::kCPU);
      std::vector<float> s(here.data_ptr<float>(),
                           here.data_ptr<float>() + count);
      std::vector<float> y, gradient;
      std::vector<int> g;
      for (std::size_t i = begin; i < begin + count; ++i) {
        y.push_back(labels[order[i]]);
        g.push_back(groups[order[i]]);
      }
      bool finite = std::all_of(s.begin(), s.end(),
                                [](float x) { return std::isfinite(x); });
      double loss =
          finite ? lambdaRank(s, y, options.list == "task" ? &g : nullptr,
                              gradient)
                 : NAN;
      if (!std::isfinite(loss)) {
        report.message = "training diverged in epoch " +
                         std::to_string(epoch + 1) +
                         "; the former weights stay. Lower learning-rate.";
        return report;
      }
      optimizer->zero_grad();
      scores.backward(
          at::from_blob(gradient.data(), {std::int64_t(count)}, at::kFloat)
              .to(network.device()));
      if (options.clip > 0)
        torch::nn::utils::clip_grad_norm_(parameters, options.clip);
      optimizer->step();
      total += loss;
      smoothed = steps++ == 0 ? loss : 0.95 * smoothed + 0.05 * loss;
    }
    report.loss = total / double(cuts.size() - 1);
    report.epochs = static_cast<int>(epoch + 1);
    if (smoothed < best) {
      best = smoothed;
      bestEpoch = epoch;
    } else if (options.patience > 0 && epoch - bestEpoch >= options.patience) {
      break;
    }
  }
  network.requireGradients(false);
  for (auto &[name, tensor] : network.parameters)
    tensor.mutable_grad() = at::Tensor();
  report.trained = true;
  report.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  return report;
}
