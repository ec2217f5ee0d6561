//===- CdmppNetwork.cpp - CDMPP, the network ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CdmppNetwork.h"

#include <c10/core/GradMode.h>
#include <torch/types.h>

#include <cmath>

using namespace pruner;

static constexpr std::int64_t kLeaf = kAnsorFeatureSize, kAttentionHeads = 4,
                              kHidden = 3, kDeviceWidth = 128;

static std::string layerName(std::int64_t n) {
  return "layers." + std::to_string(n);
}

namespace {
class Builder : public Initializer {
public:
  Builder(NamedTensors &parameters, std::uint64_t seed)
      : Initializer(parameters, seed) {}

  void norm(const std::string &name, std::int64_t width) {
    constant(name + ".weight", width, 1);
    constant(name + ".bias", width, 0);
  }
  /// `kHidden` layers with norms, and an output layer.
  void perceptron(const std::string &name, std::int64_t in, std::int64_t width,
                  std::int64_t out) {
    for (std::int64_t n = 0; n < kHidden; ++n) {
      std::string layer = name + "." + std::to_string(n);
      linear(layer, n ? width : in, width);
      norm(layer + ".norm", width);
    }
    linear(name + "." + std::to_string(kHidden), width, out);
  }
};
} // namespace

CdmppNetwork CdmppNetwork::create(const CdmppShape &shape, std::uint64_t seed) {
  CdmppNetwork network;
  network.shape = shape;
  Builder init(network.parameters, seed);
  for (std::int64_t n = 0; n < shape.layers; ++n) {
    init.attention(layerName(n) + ".attention", kLeaf);
    init.norm(layerName(n) + ".norm0", kLeaf);
    init.linear(layerName(n) + ".linear0", kLeaf, shape.feedForward);
    init.linear(layerName(n) + ".linear1", shape.feedForward, kLeaf);
    init.norm(layerName(n) + ".norm1", kLeaf);
  }
  init.perceptron("encoder", 2 * kLeaf + shape.terms, shape.encoderWidth,
                  shape.embedding);
  init.norm("encoder.norm", shape.embedding);
  init.perceptron("device", kDeviceFeatureSize, kDeviceWidth, shape.embedding);
  init.norm("device.norm", shape.embedding);
  init.perceptron("decoder", shape.embedding, shape.decoderWidth, 1);
  network.leafScaling = Scaling::none(kLeaf);
  network.termScaling = Scaling::none(std::max<std::int64_t>(1, shape.terms));
  return network;
}

CdmppNetwork CdmppNetwork::clone() const {
  c10::NoGradGuard noGrad;
  CdmppNetwork copy = *this;
  for (auto &[name, tensor] : copy.parameters)
    tensor = tensor.detach().clone();
  for (Scaling *scaling : {&copy.leafScaling, &copy.termScaling})
    *scaling = {scaling->mean.clone(), scaling->scale.clone()};
  return copy;
}

void CdmppNetwork::to(at::Device device) {
  c10::NoGradGuard noGrad;
  for (auto &[name, tensor] : parameters)
    tensor = tensor.detach().to(device);
  for (Scaling *scaling : {&leafScaling, &termScaling})
    *scaling = {scaling->mean.to(device), scaling->scale.to(device)};
}

std::int64_t CdmppNetwork::parameterCount() const {
  std::int64_t count = 0;
  for (const auto &[name, tensor] : parameters)
    count += tensor.numel();
  return count;
}

at::Tensor CdmppNetwork::norm(const std::string &name,
                              const at::Tensor &x) const {
  return at::layer_norm(x, {x.size(-1)},
                        findParameter(parameters, name + ".weight"),
                        findParameter(parameters, name + ".bias"));
}

at::Tensor CdmppNetwork::perceptron(const std::string &name,
                                    at::Tensor x) const {
  for (std::int64_t n = 0; n < kHidden; ++n) {
    std::string layer = name + "." + std::to_string(n);
    x = at::relu(norm(layer + ".norm", linear(layer, x)));
  }
  return linear(name + "." + std::to_string(kHidden), x);
}

/// Attention among the leaves of each program: programs x L x kLeaf.
at::Tensor CdmppNetwork::attend(const std::string &name,
                                const CdmppBatch &batch,
                                const at::Tensor &x) const {
  std::int64_t programs = x.size(0), l = x.size(1);
  std::int64_t size = kLeaf / kAttentionHeads;
  at::Tensor parts =
      at::linear(x, findParameter(parameters, name + ".in_proj_weight"),
                 findParameter(parameters, name + ".in_proj_bias"))
          .view({programs, l, 3, kAttentionHeads, size})
          .permute({2, 0, 3, 1, 4});
  at::Tensor logits = at::matmul(parts[0], parts[1].transpose(-1, -2)) /
                      std::sqrt(double(size));
  at::Tensor weights =
      at::softmax(logits + batch.mask.view({programs, 1, 1, l}), -1);
  at::Tensor mixed = at::matmul(weights, parts[2])
                         .permute({0, 2, 1, 3})
                         .reshape({programs, l, kLeaf});
  return linear(name + ".out_proj", mixed);
}

at::Tensor CdmppNetwork::encode(const CdmppBatch &batch, double dropout,
                                at::Generator generator) const {
  at::Tensor x = batch.leaves;
  for (std::int64_t n = 0; n < shape.layers; ++n) {
    std::string layer = layerName(n);
    x = norm(layer + ".norm0", x + attend(layer + ".attention", batch, x));
    at::Tensor inner = at::relu(linear(layer + ".linear0", x));
    x = norm(layer + ".norm1", x + dropOut(linear(layer + ".linear1", inner),
                                           dropout, generator));
  }
  // Pools over the leaves that exist, without padding.
  at::Tensor there = at::isfinite(batch.mask).to(at::kFloat).unsqueeze(-1);
  at::Tensor mean = (x * there).sum(1) / there.sum(1);
  at::Tensor most = std::get<0>((x + batch.mask.unsqueeze(-1)).max(1));
  std::vector<at::Tensor> pooled = {mean, most};
  if (shape.terms)
    pooled.push_back(batch.terms);
  at::Tensor ofProgram =
      norm("encoder.norm", perceptron("encoder", at::cat(pooled, 1)));
  at::Tensor ofDevice = norm("device.norm", perceptron("device", batch.device));
  return at::tanh(ofProgram * ofDevice);
}

at::Tensor CdmppNetwork::decode(const at::Tensor &z) const {
  return perceptron("decoder", z).squeeze(1);
}
