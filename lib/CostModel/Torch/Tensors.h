//===- Tensors.h - named parameters and tensor files ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_COSTMODEL_TORCH_TENSORS_H
#define PRUNER_LIB_COSTMODEL_TORCH_TENSORS_H

#include "pruner/CostModel/Safetensors.h"

#include <ATen/ATen.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pruner {

/// Parameters of a network, in order.
using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

/// Returns the parameter of that name, which must exist.
const at::Tensor &findParameter(const NamedTensors &parameters,
                                const std::string &name);

/// x . weight^T + bias of the layer \p name.
at::Tensor applyLinear(const NamedTensors &parameters, const std::string &name,
                       const at::Tensor &x);

/// Returns the elements of a float tensor in row-major order.
std::vector<float> toVector(const at::Tensor &tensor);

/// Applies dropout with probability \p share: zeros random elements and scales
/// the others. Returns \p x itself for 0.
at::Tensor dropOut(const at::Tensor &x, double share, at::Generator generator);

/// Adds random parameters.
class Initializer {
public:
  Initializer(NamedTensors &parameters, std::uint64_t seed);

  /// Uniform within +-bound.
  void uniform(const std::string &name, std::vector<std::int64_t> shape,
               double bound);
  void constant(const std::string &name, std::int64_t size, float value);
  /// LibTorch's default: weight and bias within 1/sqrt(in).
  void linear(const std::string &name, std::int64_t in, std::int64_t out);
  /// Attention of width `width`: the input projection Xavier uniform with zero
  /// biases, and an output projection.
  void attention(const std::string &name, std::int64_t width);

private:
  NamedTensors &parameters;
  at::Generator generator;
};

/// Finds a tensor of this type and shape. Returns an empty string or an error.
std::string findTensor(const TensorFile &file, const std::string &name,
                       const char *dtype,
                       const std::vector<std::int64_t> &shape,
                       const TensorData *&found);

/// Replaces the elements of \p to, floats on the CPU, by those of the tensor \p
/// name, which must have the same shape and be finite. Returns an empty string
/// or an error.
std::string readTensor(const TensorFile &file, const std::string &name,
                       at::Tensor &to);

/// An integer of a file's metadata within [least, most]; nothing if it is
/// absent or out of range.
std::optional<std::int64_t> numberAt(const TensorFile &file,
                                     const std::string &name,
                                     std::int64_t least, std::int64_t most);

/// Packs a float tensor for a file.
TensorData packTensor(const std::string &name, const at::Tensor &tensor);

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_TORCH_TENSORS_H
