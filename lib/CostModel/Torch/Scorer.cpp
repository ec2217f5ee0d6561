//===- Scorer.cpp - PaCM and TenSet's MLP, scoring form -------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "Network.h"

#include <cstring>

using namespace pruner;

/// Programs that go through the network together. Small enough for the
/// activations of one layer to stay in the second-level cache, large enough
/// for the matrix products to run at full speed.
static constexpr std::int64_t kChunk = 128;

Scorer::Layer Scorer::makeLayer(const Network &network,
                                const std::string &name) {
  return {network.get(name + ".weight").detach().t().contiguous(),
          network.get(name + ".bias").detach().clone()};
}

static at::Tensor apply(const at::Tensor &x, const at::Tensor &weight,
                        const at::Tensor &bias) {
  return at::addmm(bias, x, weight);
}

Scorer::Scorer(const Network &network) : hasFlow(network.hasFlow) {
  at::NoGradGuard noGrad;
  // x / max . W = x . (W / max): one division less per feature.
  segment0 = makeLayer(network, "segment_encoder.0");
  segment0.weight.div_(network.statementMax.unsqueeze(1));
  segment2 = makeLayer(network, "segment_encoder.2");
  l0 = makeLayer(network, "l0.0");
  l1 = makeLayer(network, "l1.0");
  decoder = makeLayer(network, "decoder");
  if (!hasFlow)
    return;
  gemm0 = makeLayer(network, "gemm_encoder.0");
  gemm0.weight.div_(network.dataflowMax.unsqueeze(1));
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
  fuse = makeLayer(network, "fuse.0");
  normWeight = network.get("norm.weight").detach().clone();
  normBias = network.get("norm.bias").detach().clone();
  runningMean = network.runningMean.clone();
  runningVar = network.runningVar.clone();
  zeroFlow = at::empty({1, kFlowWidth}, at::kFloat);
  flowRows(at::zeros({kDataflowSteps, kDataflowFeatureSize}, at::kFloat), 1,
           zeroFlow);
}

/// The dataflow branch of \p count programs into count x kFlowWidth.
void Scorer::flowRows(const at::Tensor &flow, std::int64_t count,
                      at::Tensor out) {
  at::Tensor steps = apply(flow, gemm0.weight, gemm0.bias).relu_();
  steps = apply(steps, gemm2.weight, gemm2.bias).relu_();
  at::Tensor both = apply(steps, queryKey.weight, queryKey.bias);
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

/// The input of the norm (PaCM) or of l0 (TenSetMLP) of \p count programs.
void Scorer::encode(const ProgramFeatures *const *programs, std::int64_t count,
                    at::Tensor fused) {
  std::vector<std::int64_t> offsets{0}, withFlow;
  for (std::int64_t p = 0; p < count; ++p) {
    offsets.push_back(offsets.back() + programs[p]->rows);
    if (programs[p]->hasDataflow)
      withFlow.push_back(p);
  }
  at::Tensor rows =
      at::empty({offsets.back(), kStatementFeatureSize}, at::kFloat);
  for (std::int64_t p = 0; p < count; ++p)
    std::memcpy(rows.data_ptr<float>() + offsets[p] * kStatementFeatureSize,
                programs[p]->statements.data(),
                programs[p]->statements.size() * sizeof(float));
  rows = apply(rows, segment0.weight, segment0.bias).relu_();
  rows = apply(rows, segment2.weight, segment2.bias);
  if (!hasFlow) {
    sumPositiveRows(rows.data_ptr<float>(), offsets.data(), count, 256,
                    fused.data_ptr<float>(), 256);
    return;
  }

  at::Tensor both = at::empty({count, 256 + kFlowWidth}, at::kFloat);
  sumPositiveRows(rows.data_ptr<float>(), offsets.data(), count, 256,
                  both.data_ptr<float>(), 256 + kFlowWidth);
  at::Tensor flowPart = both.narrow(1, 256, kFlowWidth);
  std::int64_t flows = withFlow.size();
  if (flows < count)
    flowPart.copy_(zeroFlow.expand({count, kFlowWidth}));
  if (flows > 0) {
    constexpr int size = kDataflowSteps * kDataflowFeatureSize;
    at::Tensor flow =
        at::empty({flows * kDataflowSteps, kDataflowFeatureSize}, at::kFloat);
    for (std::int64_t i = 0; i < flows; ++i)
      std::memcpy(flow.data_ptr<float>() + i * size,
                  programs[withFlow[i]]->dataflow.data(), size * sizeof(float));
    if (flows == count) {
      flowRows(flow, flows, flowPart);
    } else {
      at::Tensor out = at::empty({flows, kFlowWidth}, at::kFloat);
      flowRows(flow, flows, out);
      for (std::int64_t i = 0; i < flows; ++i)
        flowPart[withFlow[i]].copy_(out[i]);
    }
  }
  at::addmm_out(fused, fuse.bias, both, fuse.weight);
  fused.relu_();
}

void Scorer::head(at::Tensor x, float *scores) {
  x = apply(x, l0.weight, l0.bias).relu_().add_(x);
  x = apply(x, l1.weight, l1.bias).relu_().add_(x);
  at::Tensor out = apply(x, decoder.weight, decoder.bias);
  std::memcpy(scores, out.data_ptr<float>(), out.numel() * sizeof(float));
}

void Scorer::score(const std::vector<const ProgramFeatures *> &programs,
                   bool batchStatistics, float *scores) {
  at::NoGradGuard noGrad;
  std::int64_t count = programs.size();
  if (count == 0)
    return;
  at::Tensor fused = at::empty({count, 256}, at::kFloat);
  for (std::int64_t begin = 0; begin < count; begin += kChunk) {
    std::int64_t size = std::min(kChunk, count - begin);
    encode(programs.data() + begin, size, fused.narrow(0, begin, size));
  }
  if (hasFlow) {
    at::Tensor mean = runningMean, variance = runningVar;
    // One program has no variance.
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
}
