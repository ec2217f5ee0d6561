//===- TlpNetwork.h - TLP and MTL-TLP ------------------------- -*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// TLP (Zhai et al., ASPLOS 2023, sections 4.4 and 5): a schedule is a sequence
// of primitives, a row of 22 numbers each, and the network sees nothing else.
// With width W (256 as published), for each primitive:
//
//   encoder:    Linear 22->W/4, W/4->W/2, W/2->W, W->W, ReLU behind each
//   attention:  W/32 heads of 32 among the primitives of a schedule, + residual
//   l0, l1:     x = ReLU(Linear W->W (x)) + x
//   decoder:    Linear W->W, W->W/2, W/2->W/4, W/4->1, ReLU between; the score
//               is the sum over the primitives
//
// 610,369 parameters. (The published network counts 65,792 more, of a layer
// that no score depends on.) MTL-TLP shares all but the decoder: every platform
// has one of its own, its head. A program is scored by the head of its
// platform, so that a head learns from its own platform's measurements alone,
// and programs need not be measured everywhere.
//
// Sequences are not padded: attention, and the sum, are over the primitives
// that are there. Nothing depends on the order of primitives, as no position is
// encoded, so equal primitives are encoded once for all schedules of a batch.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_COSTMODEL_TORCH_TLPNETWORK_H
#define PRUNER_LIB_COSTMODEL_TORCH_TLPNETWORK_H

#include "Scaling.h"
#include "Tensors.h"
#include "pruner/CostModel/Features.h"

namespace pruner {

/// What weights are made for, beside their numbers.
struct TlpShape {
  std::int64_t width = 256;
  /// Most primitives of a schedule that are read, the first ones.
  std::int64_t sequence = 25;
  /// Numbers are read as sign(x) log2(1 + |x|).
  bool logarithms = true;
  /// Primitives are those of the records' tuner.
  bool recorded = false;
};

/// Programs of one step: their primitives, each different one once.
struct TlpBatch {
  std::int64_t programs = 0;
  std::int64_t longest = 0; ///< Primitives of the longest sequence: L.
  at::Tensor rows;          ///< U x 22, scaled: the different primitives.
  /// S: which of the rows each primitive is, program by program.
  at::Tensor rowOf;
  /// S: whose it is; where it stands among programs x L.
  at::Tensor programOf, placeOf;
  /// programs * L: which row stands there, U behind the end.
  at::Tensor rowAt;
  /// programs x L: 0, or -infinity behind the end.
  at::Tensor mask;
  /// The heads that score programs, and which primitives theirs are; of one
  /// head for all `primitives` is undefined.
  struct OfHead {
    std::int64_t head;
    at::Tensor primitives;
  };
  std::vector<OfHead> heads;

  void to(at::Device device);
};

struct TlpNetwork {
  TlpShape shape;
  /// Names of the platforms that have a head, in order.
  std::vector<std::string> platforms;
  NamedTensors parameters;
  Scaling scaling;

  static TlpNetwork create(const TlpShape &shape,
                           std::vector<std::string> platforms,
                           std::uint64_t seed);
  /// One more head, a copy of the first.
  void addPlatform(const std::string &platform);
  /// The head of that platform; nothing if it has none.
  std::int64_t headOf(const std::string &platform) const;

  /// Independent storage.
  TlpNetwork clone() const;
  void to(at::Device device);
  at::Device device() const { return scaling.mean.device(); }
  std::int64_t parameterCount() const;

  /// What primitives need to be scaled by. \p standard as in ColumnStatistics.
  void computeScaling(const std::vector<const ProgramFeatures *> &programs,
                      bool standard);
  /// Gathers the programs with these indices. Those of platforms without a head
  /// are scored by the first.
  TlpBatch makeBatch(const std::vector<const ProgramFeatures *> &programs,
                     const std::size_t *indices, std::size_t count) const;
  /// Scores, [programs]. Behind the trunk a share `dropout` of the activations
  /// is left out, by lots of \p generator; 0: none.
  /// \p representations, unless null, becomes what the trunk makes of each
  /// program, the sum over its primitives, [programs x W].
  at::Tensor forward(const TlpBatch &batch, double dropout,
                     at::Generator generator,
                     at::Tensor *representations = nullptr) const;

  void write(TensorFile &file) const;
  /// Replaces shape, platforms and weights by those of \p file. Returns an
  /// empty string or the error; nothing changes then.
  std::string read(const TensorFile &file);

private:
  at::Tensor linear(const std::string &name, const at::Tensor &x) const {
    return applyLinear(parameters, name, x);
  }
  at::Tensor attend(const TlpBatch &batch, const at::Tensor &rows) const;
  at::Tensor decode(std::int64_t head, at::Tensor x) const;
};

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_TORCH_TLPNETWORK_H
