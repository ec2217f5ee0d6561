//===- TlpNetwork.cpp - layers of TLP and MTL-TLP -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TlpNetwork.h"

#include <c10/core/GradMode.h>

#include <cmath>

using namespace pruner;

static constexpr std::int64_t kHeadSize = 32;
/// Linear layers with a ReLU in between.
static constexpr int kDecoderLayers = 4;

static std::string layer(const std::string &name, int n) {
  return name + "." + std::to_string(2 * n);
}

/// The name of a head's decoder. The first head has the name of a network with
/// a single head.
static std::string decoderOf(std::size_t head) {
  return head ? "decoder" + std::to_string(head) : "decoder";
}

TlpNetwork TlpNetwork::create(const TlpShape &shape,
                              std::vector<std::string> platforms,
                              std::uint64_t seed) {
  TlpNetwork network;
  network.shape = shape;
  network.platforms = std::move(platforms);
  std::int64_t w = shape.width;
  Initializer add(network.parameters, seed);
  add.linear(layer("encoder", 0), kPrimitiveFeatureSize, w / 4);
  add.linear(layer("encoder", 1), w / 4, w / 2);
  add.linear(layer("encoder", 2), w / 2, w);
  add.linear(layer("encoder", 3), w, w);
  add.attention("attention", w);
  add.linear("l0.0", w, w);
  add.linear("l1.0", w, w);
  for (std::size_t head = 0; head < network.platforms.size(); ++head) {
    std::string name = decoderOf(head);
    add.linear(layer(name, 0), w, w);
    add.linear(layer(name, 1), w, w / 2);
    add.linear(layer(name, 2), w / 2, w / 4);
    add.linear(layer(name, 3), w / 4, 1);
  }
  constexpr std::int64_t columns = kPrimitiveFeatureSize;
  network.scaling = {at::zeros({columns, columns}, at::kFloat),
                     at::ones({columns, columns}, at::kFloat)};
  return network;
}

void TlpNetwork::addPlatform(const std::string &platform) {
  std::string name = decoderOf(platforms.size());
  for (int n = 0; n < kDecoderLayers; ++n)
    for (const char *part : {".weight", ".bias"})
      parameters.emplace_back(
          layer(name, n) + part,
          findParameter(parameters, layer(decoderOf(0), n) + part)
              .detach()
              .clone());
  platforms.push_back(platform);
}

std::int64_t TlpNetwork::headOf(const std::string &platform) const {
  for (std::size_t head = 0; head < platforms.size(); ++head)
    if (platforms[head] == platform)
      return std::int64_t(head);
  return -1;
}

TlpNetwork TlpNetwork::clone() const {
  c10::NoGradGuard noGrad;
  TlpNetwork copy = *this;
  for (auto &[name, tensor] : copy.parameters)
    tensor = tensor.detach().clone();
  copy.scaling = {scaling.mean.clone(), scaling.scale.clone()};
  return copy;
}

void TlpNetwork::to(at::Device device) {
  c10::NoGradGuard noGrad;
  for (auto &[name, tensor] : parameters)
    tensor = tensor.detach().to(device);
  scaling = {scaling.mean.to(device), scaling.scale.to(device)};
}

std::int64_t TlpNetwork::parameterCount() const {
  std::int64_t count = 0;
  for (const auto &[name, tensor] : parameters)
    count += tensor.numel();
  return count;
}

/// Attention among the primitives of each program, before the output
/// projection: S x W. \p rows holds the encoded distinct primitives.
at::Tensor TlpNetwork::attend(const TlpBatch &batch,
                              const at::Tensor &rows) const {
  std::int64_t w = shape.width, heads = w / kHeadSize, l = batch.longest;
  at::Tensor projected =
      at::linear(rows, findParameter(parameters, "attention.in_proj_weight"),
                 findParameter(parameters, "attention.in_proj_bias"));
  // The content of the padding does not matter; its weight is 0.
  at::Tensor padded =
      at::cat({projected, at::zeros({1, 3 * w}, projected.options())});
  // Query, key and value x programs x heads x L x kHeadSize.
  at::Tensor parts = padded.index_select(0, batch.rowAt)
                         .view({batch.programs, l, 3, heads, kHeadSize})
                         .permute({2, 0, 3, 1, 4});
  at::Tensor logits = at::matmul(parts[0], parts[1].transpose(-1, -2)) /
                      std::sqrt(double(kHeadSize));
  at::Tensor weights =
      at::softmax(logits + batch.mask.view({batch.programs, 1, 1, l}), -1);
  return at::matmul(weights, parts[2])
      .permute({0, 2, 1, 3})
      .reshape({batch.programs * l, w})
      .index_select(0, batch.placeOf);
}

at::Tensor TlpNetwork::decode(std::int64_t head, at::Tensor x) const {
  std::string name = decoderOf(std::size_t(head));
  for (int n = 0; n < kDecoderLayers - 1; ++n)
    x = at::relu(linear(layer(name, n), x));
  return linear(layer(name, kDecoderLayers - 1), x).squeeze(1);
}

at::Tensor TlpNetwork::forward(const TlpBatch &batch, double dropout,
                               at::Generator generator,
                               at::Tensor *representations) const {
  at::Tensor rows = batch.rows;
  for (int n = 0; n < 4; ++n)
    rows = at::relu(linear(layer("encoder", n), rows));
  at::Tensor x = rows.index_select(0, batch.rowOf) +
                 linear("attention.out_proj", attend(batch, rows));
  x = at::relu(linear("l0.0", x)) + x;
  x = at::relu(linear("l1.0", x)) + x;
  if (representations)
    *representations = at::zeros({batch.programs, shape.width}, x.options())
                           .index_add(0, batch.programOf, x);
  x = dropOut(x, dropout, generator);
  at::Tensor scores = at::zeros({batch.programs}, x.options());
  for (const TlpBatch::OfHead &of : batch.heads) {
    if (!of.primitives.defined()) {
      scores = scores.index_add(0, batch.programOf, decode(of.head, x));
      continue;
    }
    at::Tensor own = decode(of.head, x.index_select(0, of.primitives));
    scores = scores.index_add(0, batch.programOf.index_select(0, of.primitives),
                              own);
  }
  return scores;
}
