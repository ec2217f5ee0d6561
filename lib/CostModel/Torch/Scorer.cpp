//===- Scorer.cpp - scoring with PaCM and TenSet's MLP --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Kernels.h"
#include "Network.h"

#include <c10/core/GradMode.h>

#include <algorithm>
#include <cstring>

using namespace pruner;

/// Programs that are scored together. Few enough for the activations of one
/// layer to stay in L2, enough for matrix products at full speed.
static constexpr std::int64_t kChunk = 128;

Scorer::Layer Scorer::makeLayer(const Network &network,
                                const std::string &name) {
  return {network.get(name + ".weight").detach().t().contiguous(),
          network.get(name + ".bias").detach().clone()};
}

/// Folds the scaling into a first layer: (x - mean) / scale . W = x . (W /
/// scale) - mean / scale . W.
Scorer::Layer Scorer::makeLayer(const Network &network, const std::string &name,
                                const Scaling &scaling) {
  Layer layer = makeLayer(network, name);
  layer.weight.div_(scaling.scale.unsqueeze(1));
  layer.bias.sub_(at::matmul(scaling.mean, layer.weight));
  return layer;
}

/// max(x . weight + bias, 0). The bias is added in the same pass as the ReLU;
/// addmm() would first write it to all rows.
static at::Tensor applyRelu(const at::Tensor &x, const at::Tensor &weight,
                            const at::Tensor &bias) {
  at::Tensor out = at::mm(x, weight);
  addBiasRelu(out.data_ptr<float>(), out.size(0), out.size(1),
              bias.data_ptr<float>());
  return out;
}

Scorer::Scorer(const Network &network) : parts(network), prior(network.prior) {
  c10::NoGradGuard noGrad;
  if (parts.hasStatements) {
    segment0 =
        makeLayer(network, "segment_encoder.0", network.statementScaling);
    segment2 = makeLayer(network, "segment_encoder.2");
  }
  l0 = makeLayer(network, "l0.0");
  l1 = makeLayer(network, "l1.0");
  decoder = makeLayer(network, "decoder");
  if (parts.terms) {
    terms0 = makeLayer(network, "terms_encoder.0", network.termScaling);
    terms2 = makeLayer(network, "terms_encoder.2");
  }
  if (parts.isPacm) {
    fuse = makeLayer(network, "fuse.0");
    normWeight = network.get("norm.weight").detach().clone();
    normBias = network.get("norm.bias").detach().clone();
    runningMean = network.runningMean.clone();
    runningVar = network.runningVar.clone();
  }
  if (!parts.hasFlow)
    return;
  gemm0 = makeLayer(network, "gemm_encoder.0", network.dataflowScaling);
  gemm2 = makeLayer(network, "gemm_encoder.2");
  at::Tensor weight = network.get("attention.in_proj_weight").detach();
  at::Tensor bias = network.get("attention.in_proj_bias").detach();
  queryKey = {weight.narrow(0, 0, 2 * kFlowWidth).t().contiguous(),
              bias.narrow(0, 0, 2 * kFlowWidth).clone()};
  for (int head = 0; head < kHeads; ++head)
    valueWeights.push_back(
        weight.narrow(0, 2 * kFlowWidth + head * kHeadSize, kHeadSize)
            .t()
            .contiguous());
  valueBias = bias.narrow(0, 2 * kFlowWidth, kFlowWidth) * kDataflowSteps;
  outProjection = makeLayer(network, "attention.out_proj");
  outProjection.bias.mul_(kDataflowSteps);
  zeroFlow = at::empty({1, kFlowWidth}, at::kFloat);
  flowRows(at::zeros({kDataflowSteps, kDataflowFeatureSize}, at::kFloat), 1,
           zeroFlow);
}

/// Writes the dataflow branch of \p count programs, count x kFlowWidth.
void Scorer::flowRows(const at::Tensor &flow, std::int64_t count,
                      at::Tensor out) {
  at::Tensor steps = applyRelu(flow, gemm0.weight, gemm0.bias);
  steps = applyRelu(steps, gemm2.weight, gemm2.bias);
  at::Tensor both = at::addmm(queryKey.bias, steps, queryKey.weight);
  at::Tensor pooled = at::empty({count, kHeads, kFlowWidth}, at::kFloat);
  attentionPool(both.data_ptr<float>(), steps.data_ptr<float>(), count,
                pooled.data_ptr<float>());
  at::Tensor mixed = at::empty({count, kFlowWidth}, at::kFloat);
  for (int head = 0; head < kHeads; ++head) {
    at::Tensor part = mixed.narrow(1, head * kHeadSize, kHeadSize);
    at::mm_out(part, pooled.select(1, head), valueWeights[head]);
  }
  mixed.add_(valueBias);
  at::Tensor summed = steps.view({count, kDataflowSteps, kFlowWidth}).sum(1);
  summed.add_(outProjection.bias);
  out.copy_(at::addmm(summed, mixed, outProjection.weight));
}

/// The first layer of the statement branch. Columns that are constant over all
/// rows are moved into the bias.
at::Tensor Scorer::firstLayer(const at::Tensor &rows) {
  std::vector<unsigned char> isConstant(kStatementFeatureSize);
  findConstantColumns(rows.data_ptr<float>(), rows.size(0),
                      kStatementFeatureSize, isConstant.data());
  std::vector<std::int64_t> varying, constant;
  for (std::int64_t c = 0; c < kStatementFeatureSize; ++c)
    (isConstant[c] ? constant : varying).push_back(c);
  // For only a few constant columns, copying the others does not pay off.
  if (constant.size() < 16)
    return applyRelu(rows, segment0.weight, segment0.bias);
  at::Tensor where = at::from_blob(constant.data(),
                                   {std::int64_t(constant.size())}, at::kLong);
  at::Tensor bias =
      at::addmv(segment0.bias, segment0.weight.index_select(0, where).t(),
                rows[0].index_select(0, where));
  at::Tensor kept =
      at::empty({rows.size(0), std::int64_t(varying.size())}, at::kFloat);
  const float *from = rows.data_ptr<float>();
  float *to = kept.data_ptr<float>();
  for (std::int64_t r = 0; r < rows.size(0); ++r, from += kStatementFeatureSize)
    for (std::int64_t c : varying)
      *to++ = from[c];
  where =
      at::from_blob(varying.data(), {std::int64_t(varying.size())}, at::kLong);
  return applyRelu(kept, segment0.weight.index_select(0, where), bias);
}

/// Adds the branch of the terms, if there is one, to count x 256.
void Scorer::addTerms(const ProgramFeatures *const *programs,
                      std::int64_t count, at::Tensor to) {
  std::int64_t terms = parts.terms;
  if (!terms)
    return;
  at::Tensor x = at::empty({count, terms}, at::kFloat);
  for (std::int64_t p = 0; p < count; ++p)
    std::memcpy(x.data_ptr<float>() + p * terms, programs[p]->terms.data(),
                terms * sizeof(float));
  x = applyRelu(x, terms0.weight, terms0.bias);
  to.add_(applyRelu(x, terms2.weight, terms2.bias));
}

/// Writes the branch of the statements to count x 256, or zeros if there is
/// none. The rows of \p to may be strided.
void Scorer::setStatements(const ProgramFeatures *const *programs,
                           std::int64_t count, at::Tensor to) {
  if (!parts.hasStatements) {
    to.zero_();
    return;
  }
  std::vector<std::int64_t> offsets{0};
  for (std::int64_t p = 0; p < count; ++p)
    offsets.push_back(offsets.back() + programs[p]->rows);
  at::Tensor rows =
      at::empty({offsets.back(), kStatementFeatureSize}, at::kFloat);
  for (std::int64_t p = 0; p < count; ++p)
    std::memcpy(rows.data_ptr<float>() + offsets[p] * kStatementFeatureSize,
                programs[p]->statements.data(),
                programs[p]->statements.size() * sizeof(float));
  rows = firstLayer(rows);
  rows = at::mm(rows, segment2.weight);
  sumPositiveRows(rows.data_ptr<float>(), offsets.data(), count, 256,
                  segment2.bias.data_ptr<float>(), to.data_ptr<float>(),
                  to.stride(0));
}

/// Writes the branch of the dataflow to count x kFlowWidth, or zeros if there
/// is none.
void Scorer::setFlow(const ProgramFeatures *const *programs, std::int64_t count,
                     at::Tensor to) {
  if (!parts.hasFlow) {
    to.zero_();
    return;
  }
  std::vector<std::int64_t> withFlow;
  for (std::int64_t p = 0; p < count; ++p)
    if (programs[p]->hasDataflow)
      withFlow.push_back(p);
  std::int64_t flows = withFlow.size();
  if (flows < count)
    to.copy_(zeroFlow.expand({count, kFlowWidth}));
  if (!flows)
    return;
  constexpr int size = kDataflowSteps * kDataflowFeatureSize;
  at::Tensor flow =
      at::empty({flows * kDataflowSteps, kDataflowFeatureSize}, at::kFloat);
  for (std::int64_t i = 0; i < flows; ++i)
    std::memcpy(flow.data_ptr<float>() + i * size,
                programs[withFlow[i]]->dataflow.data(), size * sizeof(float));
  if (flows == count) {
    flowRows(flow, flows, to);
    return;
  }
  at::Tensor out = at::empty({flows, kFlowWidth}, at::kFloat);
  flowRows(flow, flows, out);
  for (std::int64_t i = 0; i < flows; ++i)
    to[withFlow[i]].copy_(out[i]);
}

/// Computes the input of the norm (PaCM) or of l0 (TenSetMLP) for \p count
/// programs.
void Scorer::encode(const ProgramFeatures *const *programs, std::int64_t count,
                    at::Tensor fused) {
  if (!parts.isPacm) {
    setStatements(programs, count, fused);
    addTerms(programs, count, fused);
    return;
  }
  at::Tensor both = at::empty({count, 256 + kFlowWidth}, at::kFloat);
  setStatements(programs, count, both.narrow(1, 0, 256));
  addTerms(programs, count, both.narrow(1, 0, 256));
  setFlow(programs, count, both.narrow(1, 256, kFlowWidth));
  at::mm_out(fused, both, fuse.weight);
  addBiasRelu(fused.data_ptr<float>(), count, 256, fuse.bias.data_ptr<float>());
}

void Scorer::head(at::Tensor x, float *scores) {
  for (const Layer *layer : {&l0, &l1}) {
    at::Tensor y = at::mm(x, layer->weight);
    addPositive(x.data_ptr<float>(), y.data_ptr<float>(), x.size(0), x.size(1),
                layer->bias.data_ptr<float>());
  }
  at::Tensor out = at::addmm(decoder.bias, x, decoder.weight);
  std::memcpy(scores, out.data_ptr<float>(), out.numel() * sizeof(float));
}

void Scorer::score(const std::vector<const ProgramFeatures *> &programs,
                   bool batchStatistics, float *scores) {
  c10::NoGradGuard noGrad;
  std::int64_t count = programs.size();
  if (count == 0)
    return;
  at::Tensor fused = at::empty({count, 256}, at::kFloat);
  for (std::int64_t begin = 0; begin < count; begin += kChunk) {
    std::int64_t size = std::min(kChunk, count - begin);
    encode(programs.data() + begin, size, fused.narrow(0, begin, size));
  }
  if (parts.isPacm) {
    at::Tensor mean = runningMean, variance = runningVar;
    // A single program has no variance.
    if (batchStatistics && count > 1) {
      mean = fused.mean(0);
      variance = fused.var(0, /*unbiased=*/false);
    }
    at::Tensor scale = normWeight * (variance + 1e-5).rsqrt();
    fused.mul_(scale).add_(normBias - mean * scale);
  }
  for (std::int64_t begin = 0; begin < count; begin += kChunk) {
    std::int64_t size = std::min(kChunk, count - begin);
    head(fused.narrow(0, begin, size), scores + begin);
  }
  if (prior > 0)
    for (std::int64_t p = 0; p < count; ++p)
      scores[p] -= float(prior) * programs[p]->terms.front();
}
