//===- CdmppNetwork.h - CDMPP, the network ----------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CDMPP (Hu et al., EuroSys 2024) predicts how long a program takes on a
// device. A program is a sequence of leaves, its statements: Ansor's 164
// columns of each, to which the code of the leaf's place in the tree of loops
// is added. Layers of a transformer's encoder work among the leaves; the mean
// and the maximum over these go through linear layers to the embedding z_x, the
// device through others to z_v, and a decoder reads z = tanh(z_x z_v).
//
// One network takes any number of leaves. docs/design/decisions/0018 says what
// differs from the paper and from the released code.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_COSTMODEL_TORCH_CDMPPNETWORK_H
#define PRUNER_LIB_COSTMODEL_TORCH_CDMPPNETWORK_H

#include "Scaling.h"
#include "Tensors.h"
#include "pruner/CostModel/Features.h"
#include "pruner/CostModel/LatencyScale.h"

namespace pruner {

/// Sizes; published ones are 11, 2048, 985, 69 and 930.
struct CdmppShape {
  std::int64_t layers = 2;
  /// Width between the two linear layers of each of them.
  std::int64_t feedForward = 256;
  /// Width of the three linear layers behind the pooling.
  std::int64_t encoderWidth = 256;
  std::int64_t embedding = 64;
  /// Width of the three linear layers of the decoder.
  std::int64_t decoderWidth = 256;
  /// Numbers of the analytical model that go into z_x beside the leaves.
  std::int64_t terms = 0;
};

/// Programs as tensors. L: leaves of the largest program.
struct CdmppBatch {
  at::Tensor leaves; ///< programs x L x 164, scaled and with places added.
  at::Tensor mask;   ///< programs x L: 0, or -infinity behind the end.
  at::Tensor device; ///< programs x 12.
  at::Tensor terms;  ///< programs x terms, scaled; undefined without.
};

struct CdmppNetwork {
  CdmppShape shape;
  NamedTensors parameters;
  Scaling leafScaling, termScaling;
  LatencyScale latency;

  static CdmppNetwork create(const CdmppShape &shape, std::uint64_t seed);
  /// Independent storage.
  CdmppNetwork clone() const;
  void to(at::Device device);
  at::Device device() const { return leafScaling.mean.device(); }
  std::int64_t parameterCount() const;

  void computeScaling(const std::vector<const ProgramFeatures *> &programs,
                      bool standard);
  /// Gathers the programs with these indices.
  CdmppBatch makeBatch(const std::vector<const ProgramFeatures *> &programs,
                       const std::size_t *indices, std::size_t count) const;
  /// The latent representation z, programs x embedding, within [-1, 1]. A share
  /// `dropout` of some activations is left out, by lots of \p generator.
  at::Tensor encode(const CdmppBatch &batch, double dropout,
                    at::Generator generator) const;
  /// Labels of `latency`, [programs].
  at::Tensor decode(const at::Tensor &z) const;

  void write(TensorFile &file) const;
  /// Replaces everything by what \p file has. Returns an empty string or the
  /// error; nothing changes then.
  std::string read(const TensorFile &file);

private:
  at::Tensor linear(const std::string &name, const at::Tensor &x) const {
    return applyLinear(parameters, name, x);
  }
  at::Tensor norm(const std::string &name, const at::Tensor &x) const;
  /// Three layers and one more to the output.
  at::Tensor perceptron(const std::string &name, at::Tensor x) const;
  at::Tensor attend(const std::string &name, const CdmppBatch &batch,
                    const at::Tensor &x) const;
};

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_TORCH_CDMPPNETWORK_H
