//===- Tensors.h - parameters by name, and in files ----------- -*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

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

/// The parameter of that name, which must be there.
const at::Tensor &findParameter(const NamedTensors &parameters,
                                const std::string &name);

/// x . weight^T + bias of the layer \p name.
at::Tensor applyLinear(const NamedTensors &parameters, const std::string &name,
                       const at::Tensor &x);

/// The numbers of a tensor of floats, row by row.
std::vector<float> toVector(const at::Tensor &tensor);

/// \p x with that share of its elements zero, by lot, and the others larger
/// accordingly; \p x itself for a share of 0.
at::Tensor dropOut(const at::Tensor &x, double share, at::Generator generator);

/// Adds random parameters.
class Initializer {
public:
  Initializer(NamedTensors &parameters, std::uint64_t seed);

  /// Within +-bound.
  void uniform(const std::string &name, std::vector<std::int64_t> shape,
               double bound);
  void constant(const std::string &name, std::int64_t size, float value);
  /// LibTorch's default: weight and bias within 1/sqrt(in).
  void linear(const std::string &name, std::int64_t in, std::int64_t out);
  /// Of width `width`: the input projection Xavier uniform, its biases zero,
  /// and an output projection.
  void attention(const std::string &name, std::int64_t width);

private:
  NamedTensors &parameters;
  at::Generator generator;
};

/// Finds a tensor of this type and shape. Returns an empty string, or what is
/// wrong.
std::string findTensor(const TensorFile &file, const std::string &name,
                       const char *dtype,
                       const std::vector<std::int64_t> &shape,
                       const TensorData *&found);

/// Replaces the numbers of \p to, of floats on the CPU, by those of the tensor
/// \p name, which must have its shape and be finite. Returns an empty string,
/// or what is wrong.
std::string readTensor(const TensorFile &file, const std::string &name,
                       at::Tensor &to);

/// A whole number of a file's metadata in [least, most]; nothing if there is
/// none.
std::optional<std::int64_t> numberAt(const TensorFile &file,
                                     const std::string &name,
                                     std::int64_t least, std::int64_t most);

/// A tensor of floats for a file.
TensorData packTensor(const std::string &name, const at::Tensor &tensor);

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_TORCH_TENSORS_H
