//===- Network.cpp - training of PaCM and TenSet's MLP --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Network.h"
#include "Kernels.h"

#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/types.h>

#include <cmath>
#include <cstring>

using namespace pruner;

static_assert(kSteps == kDataflowSteps);

/// An upper limit for the number of terms in any version.
static constexpr std::int64_t kMostTerms = 4096;
static constexpr double kNormEps = 1e-5, kNormMomentum = 0.1;

namespace {
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

/// sumPositiveRows with its gradient by the rows only.
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

/// The same result as attentionPool.
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

NetworkParts NetworkParts::of(bool isPacm, const std::string &branches) {
  NetworkParts parts;
  parts.isPacm = isPacm;
  parts.hasStatements = !isPacm || branches != "dataflow";
  parts.hasFlow = isPacm && branches != "statements";
  return parts;
}

std::string NetworkParts::branches() const {
  if (!isPacm || hasStatements == hasFlow)
    return "both";
  return hasFlow ? "dataflow" : "statements";
}

Network Network::create(const NetworkParts &parts, std::uint64_t seed) {
  c10::NoGradGuard noGrad;
  Network network;
  static_cast<NetworkParts &>(network) = parts;
  Initializer add(network.parameters, seed);
  if (parts.hasStatements) {
    add.linear("segment_encoder.0", kStatementFeatureSize, 256);
    add.linear("segment_encoder.2", 256, 256);
  }
  if (parts.isPacm) {
    add.constant("norm.weight", 256, 1.0f);
    add.constant("norm.bias", 256, 0.0f);
    add.linear("fuse.0", 256 + kFlowWidth, 256);
    network.runningMean = at::zeros({256}, at::kFloat);
    network.runningVar = at::ones({256}, at::kFloat);
  }
  add.linear("l0.0", 256, 256);
  add.linear("l1.0", 256, 256);
  if (parts.hasFlow) {
    add.linear("gemm_encoder.0", kDataflowFeatureSize, 64);
    add.linear("gemm_encoder.2", 64, kFlowWidth);
    add.attention("attention", kFlowWidth);
  }
  add.linear("decoder", 256, 1);
  if (parts.terms) {
    add.linear("terms_encoder.0", parts.terms, 256);
    add.linear("terms_encoder.2", 256, 256);
  }
  network.statementScaling = Scaling::none(kStatementFeatureSize);
  network.dataflowScaling = Scaling::none(kDataflowFeatureSize);
  network.termScaling = Scaling::none(parts.terms);
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
  return findParameter(parameters, name);
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
  return applyLinear(parameters, name, input);
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
  // Per head: heads x programs x kHeadSize.
  at::Tensor mixed = at::bmm(pooled.transpose(0, 1), values.transpose(1, 2));
  mixed = mixed.transpose(0, 1).reshape({programs, kFlowWidth}) +
          bias.narrow(0, 2 * kFlowWidth, kFlowWidth) * kDataflowSteps;
  at::Tensor out = at::linear(mixed, get("attention.out_proj.weight"),
                              get("attention.out_proj.bias") * kDataflowSteps);
  return out + steps.view({programs, kDataflowSteps, kFlowWidth}).sum(1);
}

at::Tensor Network::encode(const Batch &batch) const {
  std::int64_t programs = batch.flowOf.size(0);
  at::Tensor x;
  if (hasStatements) {
    at::Tensor rows = at::relu(linear(batch.rows, "segment_encoder.0"));
    rows = linear(rows, "segment_encoder.2");
    x = usesPlain() ? plainSumPositiveRows(rows, batch.offsets)
                    : SumPositiveRows::apply(rows, batch.offsets);
  } else {
    x = at::zeros({programs, 256}, batch.rows.options());
  }
  if (terms)
    x = x + at::relu(linear(at::relu(linear(batch.terms, "terms_encoder.0")),
                            "terms_encoder.2"));
  if (!isPacm)
    return x;
  at::Tensor flow =
      hasFlow ? flowBranch(batch.flow).index_select(0, batch.flowOf)
              : at::zeros({programs, kFlowWidth}, batch.rows.options());
  return at::relu(linear(at::cat({x, flow}, 1), "fuse.0"));
}

at::Tensor Network::head(at::Tensor x, const Batch &batch) const {
  x = at::relu(linear(x, "l0.0")) + x;
  x = at::relu(linear(x, "l1.0")) + x;
  x = linear(x, "decoder").squeeze(1);
  return batch.prior.defined() ? x + batch.prior : x;
}

at::Tensor Network::forward(const Batch &batch, double dropout,
                            at::Generator generator, at::Tensor &encoded) {
  at::Tensor x = encoded = encode(batch);
  if (isPacm) {
    x = at::batch_norm(x, get("norm.weight"), get("norm.bias"), runningMean,
                       runningVar, /*training=*/true, kNormMomentum, kNormEps,
                       /*cudnn_enabled=*/false);
    ++trackedBatches;
  }
  x = dropOut(x, dropout, generator);
  return head(x, batch);
}

at::Tensor Network::evaluate(const Batch &batch, bool batchStatistics) const {
  at::Tensor x = encode(batch);
  if (isPacm)
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
  if (isPacm)
    names.push_back("norm.num_batches_tracked");
  return names;
}

void Network::write(TensorFile &file, const std::string &prefix) const {
  for (auto &[name, tensor] : const_cast<Network *>(this)->namedTensors()) {
    file.tensors.push_back(packTensor(prefix + name, *tensor));
    if (name != "norm.running_var")
      continue;
    TensorData counter{prefix + "norm.num_batches_tracked", "I64", {}, {}};
    counter.bytes.resize(sizeof(trackedBatches));
    std::memcpy(counter.bytes.data(), &trackedBatches, sizeof(trackedBatches));
    file.tensors.push_back(std::move(counter));
  }
}

std::string Network::read(const TensorFile &file, const std::string &prefix) {
  c10::NoGradGuard noGrad;
  const TensorData *found = file.find(prefix + "terms_encoder.0.weight");
  std::int64_t columns =
      found && found->shape.size() == 2 ? found->shape[1] : 0;
  if (columns < 0 || columns > kMostTerms)
    return "tensor '" + found->name + "' has too many terms";
  // Files without this entry have both branches.
  auto branches = file.metadata.find("branches");
  std::string word =
      branches == file.metadata.end() ? "both" : branches->second;
  NetworkParts parts = NetworkParts::of(isPacm, word);
  if (parts.branches() != word)
    return "unknown branches '" + word + "'";
  parts.terms = columns;
  Network next = create(parts, 0);
  next.plain = plain;
  for (auto &[name, tensor] : next.namedTensors()) {
    // The published format stores maxima instead of scales, and no means.
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
    std::string error = readTensor(file, prefix + stored, *tensor);
    if (!error.empty())
      return error;
    bool isScale =
        suffix != std::string::npos && name.find("_scale") != std::string::npos;
    if (isScale && !(*tensor > 0).all().item<bool>())
      return "tensor '" + prefix + stored + "' is not positive";
    if (name == "norm.running_var" && !(*tensor >= 0).all().item<bool>())
      return "tensor '" + prefix + name + "' is negative";
  }
  if (isPacm) {
    std::string error =
        findTensor(file, prefix + "norm.num_batches_tracked", "I64", {}, found);
    if (!error.empty())
      return error;
    std::memcpy(&next.trackedBatches, found->bytes.data(),
                sizeof(next.trackedBatches));
  }
  *this = std::move(next);
  return {};
}
