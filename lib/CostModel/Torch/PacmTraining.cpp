//===- PacmTraining.cpp - batches and scales of PaCM ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PacmTraining.h"

#include <c10/core/GradMode.h>

#include <algorithm>

using namespace pruner;

static constexpr int kFlowSize = kDataflowSteps * kDataflowFeatureSize;

void pruner::computeScaling(
    const std::vector<const ProgramFeatures *> &programs, bool standard,
    Network &network) {
  ColumnStatistics statement(kStatementFeatureSize),
      dataflow(kDataflowFeatureSize),
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
    // The zeros that all programs without a pattern share are the last entry.
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
  network.statementScaling.apply(batch.rows);
  network.dataflowScaling.apply(batch.flow);
  if (terms)
    network.termScaling.apply(batch.terms);
  return batch;
}

std::vector<at::Tensor> PacmTrainee::begin() {
  network.requireGradients(true);
  std::vector<at::Tensor> parameters;
  for (const auto &[name, tensor] : network.parameters)
    parameters.push_back(tensor);
  return parameters;
}

at::Tensor PacmTrainee::forward(const ProgramList &list, double dropout,
                                at::Generator generator) {
  return network.forward(makeBatch(network, programs, list.data(), list.size()),
                         dropout, generator, encoded);
}

at::Tensor PacmTrainee::represent(const ProgramList &list) const {
  c10::NoGradGuard noGrad;
  return network.encode(makeBatch(network, programs, list.data(), list.size()))
      .to(at::kCPU);
}

void PacmTrainee::finish(const std::vector<ProgramList> &lists) {
  estimateStatistics(lists);
  network.requireGradients(false);
  encoded = at::Tensor();
  for (auto &[name, tensor] : network.parameters)
    tensor.mutable_grad() = at::Tensor();
}

/// Recomputes the norm's statistics over \p lists with the final weights,
/// because the moving average includes older weights.
void PacmTrainee::estimateStatistics(const std::vector<ProgramList> &lists) {
  if (!network.isPacm)
    return;
  c10::NoGradGuard noGrad;
  at::Tensor sum, squares;
  double count = 0;
  ProgramList batch;
  std::vector<unsigned> lengths;
  for (std::size_t n = 0; n < lists.size();) {
    n = gatherLists(lists, n, 1024, batch, lengths);
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
