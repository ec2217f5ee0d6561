//===- Network.cpp - PaCM and TenSet's MLP, training form -----------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Network.h"
#include "Kernels.h"

#include <ATen/CPUGeneratorImpl.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/types.h>

#include <cmath>
#include <cstring>
#include <stdexcept>

using namespace pruner;

static_assert(kSteps == kDataflowSteps);

/// More columns than any version of the terms has.
static constexpr std::int64_t kMostTerms = 4096;
static constexpr double kNormEps = 1e-5, kNormMomentum = 0.1;

namespace {
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

/// sumPositiveRows with its gradient. Gradients with respect to the rows only.
struct SumPositiveRows : public torch::autograd::Function<SumPositiveRows> {
  static at::Tensor forward(AutogradContext *context, at::Tensor rows,
                            at::Tensor offsets) {
    rows = rows.contiguous();
    context->save_for_backward({rows, offsets});
    std::int64_t programs = offsets.size(0) - 1, width = rows.size(1);
    at::Tensor out = at::empty({programs, width}, rows.options());
    sumPositiveRows(rows.data_ptr<float>(), offsets.data_ptr<std::int64_t>(),
                    programs, width, nullptr, out.data_ptr<float>(), width);
    return out;
  }
  static tensor_list backward(AutogradContext *context, tensor_list grads) {
    auto saved = context->get_saved_variables();
    at::Tensor grad = grads[0].contiguous();
    at::Tensor gradRows = at::empty_like(saved[0]);
    sumPositiveRowsBackward(saved[0].data_ptr<float>(),
                            saved[1].data_ptr<std::int64_t>(),
                            saved[1].size(0) - 1, saved[0].size(1),
                            grad.data_ptr<float>(), gradRows.data_ptr<float>());
    return {gradRows, at::Tensor()};
  }
};

/// attentionPool with its gradient.
struct AttentionPool : public torch::autograd::Function<AttentionPool> {
  static at::Tensor forward(AutogradContext *context, at::Tensor queryKey,
                            at::Tensor steps) {
    queryKey = queryKey.contiguous();
    steps = steps.contiguous();
    context->save_for_backward({queryKey, steps});
    std::int64_t programs = steps.size(0) / kDataflowSteps;
    at::Tensor pooled =
        at::empty({programs, kHeads, kFlowWidth}, steps.options());
    attentionPool(queryKey.data_ptr<float>(), steps.data_ptr<float>(), programs,
                  pooled.data_ptr<float>());
    return pooled;
  }
  static tensor_list backward(AutogradContext *context, tensor_list grads) {
    auto saved = context->get_saved_variables();
    at::Tensor grad = grads[0].contiguous();
    at::Tensor gradQueryKey = at::empty_like(saved[0]);
    at::Tensor gradSteps = at::empty_like(saved[1]);
    attentionPoolBackward(
        saved[0].data_ptr<float>(), saved[1].data_ptr<float>(), grad.size(0),
        grad.data_ptr<float>(), gradQueryKey.data_ptr<float>(),
        gradSteps.data_ptr<float>());
    return {gradQueryKey, gradSteps};
  }
};
} // namespace

/// The sum of the positive elements of each program's rows.
static at::Tensor plainSumPositiveRows(const at::Tensor &rows,
                                       const at::Tensor &offsets) {
  std::int64_t programs = offsets.size(0) - 1;
  at::Tensor counts =
      offsets.narrow(0, 1, programs) - offsets.narrow(0, 0, programs);
  return at::zeros({programs, rows.size(1)}, rows.options())
      .index_add(0, at::repeat_interleave(counts), at::relu(rows));
}

/// What attentionPool computes.
static at::Tensor plainAttentionPool(const at::Tensor &queryKey,
                                     const at::Tensor &steps) {
  std::int64_t programs = steps.size(0) / kDataflowSteps;
  // Queries and keys x programs x heads x steps x kHeadSize.
  at::Tensor both =
      queryKey.view({programs, kDataflowSteps, 2, kHeads, kHeadSize})
          .permute({2, 0, 3, 1, 4});
  at::Tensor logits = at::matmul(both[0], both[1].transpose(-1, -2)) /
                      std::sqrt(double(kHeadSize));
  at::Tensor weights = at::softmax(logits, -1).sum(2);
  return at::matmul(weights,
                    steps.view({programs, kDataflowSteps, kFlowWidth}));
}

Batch Batch::to(at::Device device) const {
  return {rows.to(device),
          offsets.to(device),
          flow.to(device),
          flowOf.to(device),
          terms.defined() ? terms.to(device) : terms,
          prior.defined() ? prior.to(device) : prior};
}

void Network::to(at::Device device) {
  c10::NoGradGuard noGrad;
  for (auto &[name, tensor] : namedTensors())
    if (tensor->defined())
      *tensor = tensor->detach().to(device);
}

Network Network::create(bool hasFlow, std::int64_t terms, std::uint64_t seed) {
  c10::NoGradGuard noGrad;
  at::Generator generator = at::detail::createCPUGenerator(seed);
  Network network;
  network.hasFlow = hasFlow;
  network.terms = terms;
  auto uniform = [&](const std::string &name, std::vector<std::int64_t> shape,
                     double bound) {
    at::Tensor tensor = at::empty(shape, at::kFloat);
    tensor.uniform_(-bound, bound, generator);
    network.parameters.emplace_back(name, tensor);
  };
  auto constant = [&](const std::string &name, std::int64_t size, float value) {
    network.parameters.emplace_back(name, at::full({size}, value, at::kFloat));
  };
  auto linear = [&](const std::string &name, std::int64_t in,
                    std::int64_t out) {
    uniform(name + ".weight", {out, in}, 1.0 / std::sqrt(double(in)));
    uniform(name + ".bias", {out}, 1.0 / std::sqrt(double(in)));
  };
  linear("segment_encoder.0", kStatementFeatureSize, 256);
  linear("segment_encoder.2", 256, 256);
  if (hasFlow) {
    constant("norm.weight", 256, 1.0f);
    constant("norm.bias", 256, 0.0f);
    linear("fuse.0", 256 + kFlowWidth, 256);
    network.runningMean = at::zeros({256}, at::kFloat);
    network.runningVar = at::ones({256}, at::kFloat);
  }
  linear("l0.0", 256, 256);
  linear("l1.0", 256, 256);
  if (hasFlow) {
    linear("gemm_encoder.0", kDataflowFeatureSize, 64);
    linear("gemm_encoder.2", 64, kFlowWidth);
    uniform("attention.in_proj_weight", {3 * kFlowWidth, kFlowWidth},
            std::sqrt(6.0 / (4 * kFlowWidth)));
    constant("attention.in_proj_bias", 3 * kFlowWidth, 0.0f);
    uniform("attention.out_proj.weight", {kFlowWidth, kFlowWidth},
            1.0 / std::sqrt(double(kFlowWidth)));
    constant("attention.out_proj.bias", kFlowWidth, 0.0f);
  }
  linear("decoder", 256, 1);
  if (terms) {
    linear("terms_encoder.0", terms, 256);
    linear("terms_encoder.2", 256, 256);
  }
  auto unscaled = [](std::int64_t columns) {
    return Scaling{at::zeros({columns}, at::kFloat),
                   at::ones({columns}, at::kFloat)};
  };
  network.statementScaling = unscaled(kStatementFeatureSize);
  network.dataflowScaling = unscaled(kDataflowFeatureSize);
  network.termScaling = unscaled(terms);
  return network;
}

Network Network::clone() const {
  c10::NoGradGuard noGrad;
  Network copy = *this;
  for (auto &[name, tensor] : copy.namedTensors())
    *tensor = tensor->detach().clone();
  return copy;
}

const at::Tensor &Network::get(const std::string &name) const {
  for (const auto &[key, tensor] : parameters)
    if (key == name)
      return tensor;
  throw std::logic_error("the network has no parameter " + name);
}

std::int64_t Network::parameterCount() const {
  std::int64_t count = 0;
  for (const auto &[name, tensor] : parameters)
    count += tensor.numel();
  return count;
}

void Network::requireGradients(bool required) {
  for (auto &[name, tensor] : parameters)
    tensor.set_requires_grad(required);
}

at::Tensor Network::linear(const at::Tensor &input,
                           const std::string &name) const {
  return at::linear(input, get(name + ".weight"), get(name + ".bias"));
}

at::Tensor Network::flowBranch(const at::Tensor &flow) const {
  std::int64_t programs = flow.size(0);
  at::Tensor steps = flow.reshape({-1, kDataflowFeatureSize});
  steps = at::relu(linear(steps, "gemm_encoder.0"));
  steps = at::relu(linear(steps, "gemm_encoder.2"));
  const at::Tensor &weight = get("attention.in_proj_weight");
  const at::Tensor &bias = get("attention.in_proj_bias");
  at::Tensor queryKey = at::linear(steps, weight.narrow(0, 0, 2 * kFlowWidth),
                                   bias.narrow(0, 0, 2 * kFlowWidth));
  at::Tensor pooled = usesPlain() ? plainAttentionPool(queryKey, steps)
                                  : AttentionPool::apply(queryKey, steps);
  at::Tensor values = weight.narrow(0, 2 * kFlowWidth, kFlowWidth)
                          .view({kHeads, kHeadSize, kFlowWidth});
  // Head by head: heads x programs x kHeadSize.
  at::Tensor mixed = at::bmm(pooled.transpose(0, 1), values.transpose(1, 2));
  mixed = mixed.transpose(0, 1).reshape({programs, kFlowWidth}) +
          bias.narrow(0, 2 * kFlowWidth, kFlowWidth) * kDataflowSteps;
  at::Tensor out = at::linear(mixed, get("attention.out_proj.weight"),
                              get("attention.out_proj.bias") * kDataflowSteps);
  return out + steps.view({programs, kDataflowSteps, kFlowWidth}).sum(1);
}

at::Tensor Network::encode(const Batch &batch) const {
  at::Tensor rows = at::relu(linear(batch.rows, "segment_encoder.0"));
  rows = linear(rows, "segment_encoder.2");
  at::Tensor x = usesPlain() ? plainSumPositiveRows(rows, batch.offsets)
                             : SumPositiveRows::apply(rows, batch.offsets);
  if (terms)
    x = x + at::relu(linear(at::relu(linear(batch.terms, "terms_encoder.0")),
                            "terms_encoder.2"));
  if (!hasFlow)
    return x;
  at::Tensor flow = flowBranch(batch.flow).index_select(0, batch.flowOf);
  return at::relu(linear(at::cat({x, flow}, 1), "fuse.0"));
}

at::Tensor Network::head(at::Tensor x, const Batch &batch) const {
  x = at::relu(linear(x, "l0.0")) + x;
  x = at::relu(linear(x, "l1.0")) + x;
  x = linear(x, "decoder").squeeze(1);
  return batch.prior.defined() ? x + batch.prior : x;
}

at::Tensor Network::forward(const Batch &batch, double dropout,
                            at::Generator generator) {
  at::Tensor x = encode(batch);
  if (hasFlow) {
    x = at::batch_norm(x, get("norm.weight"), get("norm.bias"), runningMean,
                       runningVar, /*training=*/true, kNormMomentum, kNormEps,
                       /*cudnn_enabled=*/false);
    ++trackedBatches;
  }
  if (dropout > 0) {
    c10::NoGradGuard noGrad;
    at::Tensor kept = at::empty(x.sizes(), at::kFloat);
    kept.bernoulli_(1 - dropout, generator).div_(1 - dropout);
    c10::AutoGradMode grad(true);
    x = x * kept.to(x.device());
  }
  return head(x, batch);
}

at::Tensor Network::evaluate(const Batch &batch, bool batchStatistics) const {
  at::Tensor x = encode(batch);
  if (hasFlow)
    x = at::batch_norm(x, get("norm.weight"), get("norm.bias"),
                       batchStatistics ? at::Tensor() : runningMean,
                       batchStatistics ? at::Tensor() : runningVar,
                       /*training=*/batchStatistics, kNormMomentum, kNormEps,
                       /*cudnn_enabled=*/false);
  return head(x, batch);
}

std::vector<std::pair<std::string, at::Tensor *>> Network::namedTensors() {
  std::vector<std::pair<std::string, at::Tensor *>> all;
  for (auto &[name, tensor] : parameters) {
    all.emplace_back(name, &tensor);
    if (name == "norm.bias") {
      all.emplace_back("norm.running_mean", &runningMean);
      all.emplace_back("norm.running_var", &runningVar);
    }
  }
  auto add = [&](const std::string &name, Scaling &scaling) {
    all.emplace_back(name + "_feature_mean", &scaling.mean);
    all.emplace_back(name + "_feature_scale", &scaling.scale);
  };
  add("statement", statementScaling);
  add("dataflow", dataflowScaling);
  if (terms)
    add("term", termScaling);
  return all;
}

std::vector<std::string> Network::tensorNames() const {
  std::vector<std::string> names;
  for (auto &[name, tensor] : const_cast<Network *>(this)->namedTensors())
    names.push_back(name);
  if (hasFlow)
    names.push_back("norm.num_batches_tracked");
  return names;
}

void Network::write(TensorFile &file, const std::string &prefix) const {
  auto add = [&](const std::string &name, const char *dtype,
                 std::vector<std::int64_t> shape, const void *data,
                 std::size_t bytes) {
    TensorData tensor{prefix + name, dtype, std::move(shape), {}};
    tensor.bytes.resize(bytes);
    std::memcpy(tensor.bytes.data(), data, bytes);
    file.tensors.push_back(std::move(tensor));
  };
  for (auto &[name, tensor] : const_cast<Network *>(this)->namedTensors()) {
    at::Tensor dense = tensor->detach().contiguous();
    add(name, "F32", dense.sizes().vec(), dense.data_ptr<float>(),
        dense.numel() * sizeof(float));
    if (name == "norm.running_var")
      add("norm.num_batches_tracked", "I64", {}, &trackedBatches,
          sizeof(trackedBatches));
  }
}

std::string Network::read(const TensorFile &file, const std::string &prefix) {
  c10::NoGradGuard noGrad;
  auto shapeText = [](const std::vector<std::int64_t> &shape) {
    std::string text = "[";
    for (std::int64_t size : shape)
      text += (text.size() > 1 ? ", " : "") + std::to_string(size);
    return text + "]";
  };
  auto check = [&](const std::string &name, const char *dtype,
                   const std::vector<std::int64_t> &shape,
                   const TensorData *&found) -> std::string {
    found = file.find(prefix + name);
    if (!found)
      return "tensor '" + prefix + name + "' is missing";
    if (found->dtype != dtype || found->shape != shape)
      return "tensor '" + prefix + name + "' is " + found->dtype + " " +
             shapeText(found->shape) + ", but must be " + dtype + " " +
             shapeText(shape);
    return {};
  };
  const TensorData *found = file.find(prefix + "terms_encoder.0.weight");
  std::int64_t columns =
      found && found->shape.size() == 2 ? found->shape[1] : 0;
  if (columns < 0 || columns > kMostTerms)
    return "tensor '" + found->name + "' is for too many terms";
  Network next = create(hasFlow, columns, 0);
  next.plain = plain;
  for (auto &[name, tensor] : next.namedTensors()) {
    // The published form has maxima instead of scales, and no means.
    std::string stored = name;
    std::size_t suffix = name.rfind("_feature_");
    if (suffix != std::string::npos) {
      std::string maximum = name.substr(0, suffix) + "_feature_max";
      if (file.find(prefix + maximum)) {
        if (tensor == &next.statementScaling.mean ||
            tensor == &next.dataflowScaling.mean)
          continue;
        stored = maximum;
      }
    }
    std::string error = check(stored, "F32", tensor->sizes().vec(), found);
    if (!error.empty())
      return error;
    std::memcpy(tensor->data_ptr<float>(), found->bytes.data(),
                found->bytes.size());
    if (!at::isfinite(*tensor).all().item<bool>())
      return "tensor '" + prefix + stored + "' is not finite";
    bool isScale =
        suffix != std::string::npos && name.find("_scale") != std::string::npos;
    if (isScale && !(*tensor > 0).all().item<bool>())
      return "tensor '" + prefix + stored + "' is not positive";
    if (name == "norm.running_var" && !(*tensor >= 0).all().item<bool>())
      return "tensor '" + prefix + name + "' is negative";
  }
  if (hasFlow) {
    std::string error = check("norm.num_batches_tracked", "I64", {}, found);
    if (!error.empty())
      return error;
    std::memcpy(&next.trackedBatches, found->bytes.data(),
                sizeof(next.trackedBatches));
  }
  *this = std::move(next);
  return {};
}
