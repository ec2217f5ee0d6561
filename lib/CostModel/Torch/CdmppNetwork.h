//===- CdmppNetwork.h - CDMPP, the network ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CDMPP (Hu et al., EuroSys 2024) predicts the latency of a program on a
// device. A program is a sequence of leaves, which are its statements: Ansor's
// 164 columns each, plus the encoding of the leaf's position in the tree of
// loops. The layers of a transformer encoder process the leaves. Linear layers
// map their mean and maximum to the embedding z_x, and the device's features to
// z_v. A decoder reads z = tanh(z_x z_v).
//
// One network handles any number of leaves. docs/design/decisions/0018 lists
// the differences from the paper and from the released code.

#ifndef PRUNER_LIB_COSTMODEL_TORCH_CDMPPNETWORK_H
#define PRUNER_LIB_COSTMODEL_TORCH_CDMPPNETWORK_H

#include "Scaling.h"
#include "Tensors.h"
#include "pruner/CostModel/Features.h"
#include "pruner/CostModel/LatencyScale.h"

namespace pruner {

/// Sizes; the published ones are 11, 2048, 985, 69 and 930.
struct CdmppShape {
  std::int64_t layers = 2;
  /// Width between the two linear layers of an encoder layer.
  std::int64_t feedForward = 256;
  /// Width of the three linear layers after the pooling.
  std::int64_t encoderWidth = 256;
  std::int64_t embedding = 64;
  /// Width of the three linear layers of the decoder.
  std::int64_t decoderWidth = 256;
  /// Number of the analytical model's terms that enter z_x in addition to the
  /// leaves.
  std::int64_t terms = 0;
};

/// A batch of programs. L is the number of leaves of the largest program.
struct CdmppBatch {
  at::Tensor leaves; ///< programs x L x 164, scaled and with positions added.
  at::Tensor mask;   ///< programs x L: 0, or -infinity for padding.
  at::Tensor device; ///< programs x 12.
  at::Tensor terms;  ///< programs x terms, scaled; undefined if there are none.
};

struct CdmppNetwork {
  CdmppShape shape;
  NamedTensors parameters;
  Scaling leafScaling, termScaling;
  LatencyScale latency;

  static CdmppNetwork create(const CdmppShape &shape, std::uint64_t seed);
  /// Returns a copy with independent storage.
  CdmppNetwork clone() const;
  void to(at::Device device);
  at::Device device() const { return leafScaling.mean.device(); }
  std::int64_t parameterCount() const;

  void computeScaling(const std::vector<const ProgramFeatures *> &programs,
                      bool standard);
  /// Gathers the programs with these indices.
  CdmppBatch makeBatch(const std::vector<const ProgramFeatures *> &programs,
                       const std::size_t *indices, std::size_t count) const;
  /// Returns the latent representation z, programs x embedding, within [-1, 1].
  /// Applies dropout with probability `dropout`, drawn from \p generator.
  at::Tensor encode(const CdmppBatch &batch, double dropout,
                    at::Generator generator) const;
  /// Returns the labels of `latency`, [programs].
  at::Tensor decode(const at::Tensor &z) const;

  void write(TensorFile &file) const;
  /// Reads the network from \p file. Returns an empty string or an error;
  /// nothing changes after an error.
  std::string read(const TensorFile &file);

private:
  at::Tensor linear(const std::string &name, const at::Tensor &x) const {
    return applyLinear(parameters, name, x);
  }
  at::Tensor norm(const std::string &name, const at::Tensor &x) const;
  /// Three hidden layers and an output layer.
  at::Tensor perceptron(const std::string &name, at::Tensor x) const;
  at::Tensor attend(const std::string &name, const CdmppBatch &batch,
                    const at::Tensor &x) const;
};

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_TORCH_CDMPPNETWORK_H
