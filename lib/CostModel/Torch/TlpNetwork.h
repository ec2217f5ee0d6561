//===- TlpNetwork.h - TLP and MTL-TLP ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// TLP (Zhai et al., ASPLOS 2023, sections 4.4 and 5) reads a schedule as a
// sequence of primitives, a row of 24 numbers each, and nothing else. With
// width W (256 as published), for each primitive:
//
//   encoder:    Linear 24->W/4, W/4->W/2, W/2->W, W->W, ReLU after each
//   attention:  W/32 heads of 32 among the primitives of a schedule, + residual
//   l0, l1:     x = ReLU(Linear W->W (x)) + x
//   decoder:    Linear W->W, W->W/2, W/2->W/4, W/4->1, ReLU between; the score
//               is the sum over the primitives
//
// The network has 610,497 parameters. (The published network reads 22 numbers
// and counts 65,792 parameters of a layer that no score depends on.) MTL-TLP
// shares all layers except the decoder: every platform has its own decoder, its
// head. A head scores and trains on programs of its platform only, so programs
// need not be measured on every platform.
//
// Sequences are not padded: attention and sum cover the existing primitives
// only. Positions are not encoded, so the order of primitives does not matter,
// and equal primitives are encoded once per batch.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_COSTMODEL_TORCH_TLPNETWORK_H
#define PRUNER_LIB_COSTMODEL_TORCH_TLPNETWORK_H

#include "Scaling.h"
#include "Tensors.h"
#include "pruner/CostModel/Features.h"

namespace pruner {

/// The shape of a network, stored with its weights.
struct TlpShape {
  std::int64_t width = 256;
  /// Maximum number of primitives that are read from a schedule.
  std::int64_t sequence = 25;
  /// Numbers are transformed to sign(x) log2(1 + |x|).
  bool logarithms = true;
  /// Reads the primitives of the tuner that measured the records.
  bool recorded = false;
};

/// The programs of one step. Each distinct primitive is stored once.
struct TlpBatch {
  std::int64_t programs = 0;
  std::int64_t longest = 0; ///< The length of the longest sequence, L.
  at::Tensor rows;          ///< U x 24, scaled: the distinct primitives.
  /// S: the row of each primitive, program by program.
  at::Tensor rowOf;
  /// S: the program of each primitive, and its position among programs x L.
  at::Tensor programOf, placeOf;
  /// programs * L: the row at each position, or U for padding.
  at::Tensor rowAt;
  /// programs x L: 0, or -infinity for padding.
  at::Tensor mask;
  /// The heads that score programs, with the primitives of their programs.
  /// `primitives` is undefined if there is a single head.
  struct OfHead {
    std::int64_t head;
    at::Tensor primitives;
  };
  std::vector<OfHead> heads;

  void to(at::Device device);
};

struct TlpNetwork {
  TlpShape shape;
  /// Names of the platforms with a head, in order.
  std::vector<std::string> platforms;
  NamedTensors parameters;
  /// [24 x 24]: of the columns, by type of primitive.
  Scaling scaling;

  static TlpNetwork create(const TlpShape &shape,
                           std::vector<std::string> platforms,
                           std::uint64_t seed);
  /// Adds a head, a copy of the first.
  void addPlatform(const std::string &platform);
  /// Returns the head of that platform, or -1 if it has none.
  std::int64_t headOf(const std::string &platform) const;

  /// Returns a copy with independent storage.
  TlpNetwork clone() const;
  void to(at::Device device);
  at::Device device() const { return scaling.mean.device(); }
  std::int64_t parameterCount() const;

  /// Computes the scaling of primitives. \p standard as in ColumnStatistics.
  /// With \p byType, parameters are scaled over the primitives of their type,
  /// and the columns of types stay 0 and 1; otherwise every column is scaled
  /// over all primitives.
  void computeScaling(const std::vector<const ProgramFeatures *> &programs,
                      bool standard, bool byType);
  /// Gathers the programs with these indices. The first head scores programs of
  /// platforms without a head.
  TlpBatch makeBatch(const std::vector<const ProgramFeatures *> &programs,
                     const std::size_t *indices, std::size_t count) const;
  /// Returns the scores, [programs]. Applies dropout with probability `dropout`
  /// after the trunk, drawn from \p generator. If \p representations is not
  /// null, sets it to the trunk's output summed over the primitives of each
  /// program, [programs x W].
  at::Tensor forward(const TlpBatch &batch, double dropout,
                     at::Generator generator,
                     at::Tensor *representations = nullptr) const;

  void write(TensorFile &file) const;
  /// Reads shape, platforms and weights from \p file. Returns an empty string
  /// or an error; nothing changes after an error.
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
