//===- Tensors.cpp - named parameters and tensor files --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Tensors.h"

#include <ATen/CPUGeneratorImpl.h>
#include <c10/core/GradMode.h>

#include <cmath>
#include <cstring>
#include <stdexcept>

using namespace pruner;

const at::Tensor &pruner::findParameter(const NamedTensors &parameters,
                                        const std::string &name) {
  for (const auto &[key, tensor] : parameters)
    if (key == name)
      return tensor;
  throw std::logic_error("the network has no parameter " + name);
}

std::vector<float> pruner::toVector(const at::Tensor &tensor) {
  at::Tensor here = tensor.detach().to(at::kCPU).contiguous();
  return {here.data_ptr<float>(), here.data_ptr<float>() + here.numel()};
}

at::Tensor pruner::dropOut(const at::Tensor &x, double share,
                           at::Generator generator) {
  if (share <= 0)
    return x;
  c10::NoGradGuard noGrad;
  at::Tensor kept = at::empty(x.sizes(), at::kFloat);
  kept.bernoulli_(1 - share, std::move(generator)).div_(1 - share);
  c10::AutoGradMode grad(true);
  return x * kept.to(x.device());
}

at::Tensor pruner::applyLinear(const NamedTensors &parameters,
                               const std::string &name, const at::Tensor &x) {
  return at::linear(x, findParameter(parameters, name + ".weight"),
                    findParameter(parameters, name + ".bias"));
}

Initializer::Initializer(NamedTensors &parameters, std::uint64_t seed)
    : parameters(parameters), generator(at::detail::createCPUGenerator(seed)) {}

void Initializer::uniform(const std::string &name,
                          std::vector<std::int64_t> shape, double bound) {
  c10::NoGradGuard noGrad;
  at::Tensor tensor = at::empty(shape, at::kFloat);
  tensor.uniform_(-bound, bound, generator);
  parameters.emplace_back(name, tensor);
}

void Initializer::constant(const std::string &name, std::int64_t size,
                           float value) {
  parameters.emplace_back(name, at::full({size}, value, at::kFloat));
}

void Initializer::linear(const std::string &name, std::int64_t in,
                         std::int64_t out) {
  uniform(name + ".weight", {out, in}, 1.0 / std::sqrt(double(in)));
  uniform(name + ".bias", {out}, 1.0 / std::sqrt(double(in)));
}

void Initializer::attention(const std::string &name, std::int64_t width) {
  uniform(name + ".in_proj_weight", {3 * width, width},
          std::sqrt(6.0 / double(4 * width)));
  constant(name + ".in_proj_bias", 3 * width, 0.0f);
  uniform(name + ".out_proj.weight", {width, width},
          1.0 / std::sqrt(double(width)));
  constant(name + ".out_proj.bias", width, 0.0f);
}

static std::string shapeText(const std::vector<std::int64_t> &shape) {
  std::string text = "[";
  for (std::int64_t size : shape)
    text += (text.size() > 1 ? ", " : "") + std::to_string(size);
  return text + "]";
}

std::string pruner::findTensor(const TensorFile &file, const std::string &name,
                               const char *dtype,
                               const std::vector<std::int64_t> &shape,
                               const TensorData *&found) {
  found = file.find(name);
  if (!found)
    return "tensor '" + name + "' is missing";
  if (found->dtype != dtype || found->shape != shape)
    return "tensor '" + name + "' is " + found->dtype + " " +
           shapeText(found->shape) + ", but must be " + dtype + " " +
           shapeText(shape);
  return {};
}

std::string pruner::readTensor(const TensorFile &file, const std::string &name,
                               at::Tensor &to) {
  const TensorData *found = nullptr;
  std::string error = findTensor(file, name, "F32", to.sizes().vec(), found);
  if (!error.empty())
    return error;
  std::memcpy(to.data_ptr<float>(), found->bytes.data(), found->bytes.size());
  if (!at::isfinite(to).all().item<bool>())
    return "tensor '" + name + "' is not finite";
  return {};
}

std::optional<std::int64_t> pruner::numberAt(const TensorFile &file,
                                             const std::string &name,
                                             std::int64_t least,
                                             std::int64_t most) {
  auto found = file.metadata.find(name);
  if (found == file.metadata.end() || found->second.empty() ||
      found->second.size() > 6 ||
      found->second.find_first_not_of("0123456789") != std::string::npos)
    return std::nullopt;
  std::int64_t value = std::stoll(found->second);
  return value >= least && value <= most ? std::optional(value) : std::nullopt;
}

TensorData pruner::packTensor(const std::string &name,
                              const at::Tensor &tensor) {
  at::Tensor dense = tensor.detach().contiguous();
  TensorData packed{name, "F32", dense.sizes().vec(), {}};
  packed.bytes.resize(std::size_t(dense.numel()) * sizeof(float));
  std::memcpy(packed.bytes.data(), dense.data_ptr<float>(),
              packed.bytes.size());
  return packed;
}
