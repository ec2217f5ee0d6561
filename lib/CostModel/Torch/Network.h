//===- Network.h - PaCM and TenSet's MLP ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PaCM, the pattern-aware cost model of Pruner, and TenSet's MLP, which is PaCM
// without the dataflow branch, the fusion and the norm:
//
//   statements: Linear 174->256, ReLU, Linear 256->256, ReLU, sum over rows
//   dataflow:   Linear 23->64, ReLU, Linear 64->128, ReLU,
//               attention (4 heads of 32) + residual, sum over the 8 steps
//   fuse:       concatenation, Linear 384->256, ReLU
//   norm:       BatchNorm 256, eps 1e-5, momentum 0.1
//   l0, l1:     x = ReLU(Linear 256->256 (x)) + x
//   decoder:    Linear 256->1
//
//   terms:      Linear T->256, ReLU, Linear 256->256, ReLU, added to the sum of
//               the statements' rows
//
// PaCM has 417,409 trainable parameters and TenSet's MLP 242,433, without the
// branch of the analytical model's terms, which the published networks lack.
// Weights have the names of the published checkpoints. The file also stores the
// scaling of the features, x -> (x - mean) / scale per column
// (statement_feature_mean [174], dataflow_feature_scale [23], ...). Files in
// the published format have statement_feature_max and dataflow_feature_max
// instead: scales with means of 0.
//
// `prior` times the logarithm of the seconds that the analytical model predicts
// (column 0 of the terms, not scaled) is subtracted from the network's output.

#ifndef PRUNER_LIB_COSTMODEL_TORCH_NETWORK_H
#define PRUNER_LIB_COSTMODEL_TORCH_NETWORK_H

#include "Scaling.h"
#include "Tensors.h"
#include "pruner/CostModel/Features.h"
#include "pruner/CostModel/Safetensors.h"

#include <ATen/ATen.h>

#include <string>
#include <utility>
#include <vector>

namespace pruner {

/// Programs of one training step.
struct Batch {
  /// R x 174, scaled.
  at::Tensor rows;
  /// B + 1 indices into rows, int64.
  at::Tensor offsets;
  /// U x 8 x 23, scaled: the distinct dataflows. All programs without a pattern
  /// share one that was zero before scaling.
  at::Tensor flow;
  /// B indices into flow, int64.
  at::Tensor flowOf;
  /// B x T, scaled; undefined if the network reads no terms.
  at::Tensor terms;
  /// B: added to the network's output; undefined without a prior.
  at::Tensor prior;

  Batch to(at::Device device) const;
};

/// The parts of a network.
struct NetworkParts {
  /// Fusion and norm. If false, this is TenSet's MLP, which reads statements
  /// only.
  bool isPacm = true;
  bool hasStatements = true, hasFlow = true;
  /// Number of the analytical model's terms that the network reads; 0: none.
  std::int64_t terms = 0;

  /// The parts of a model, given the value of the option `branches`, which is
  /// "statements" or "dataflow" if PaCM has only one branch.
  static NetworkParts of(bool isPacm, const std::string &branches);
  /// The value of the option `branches`.
  std::string branches() const;
};

/// The weights and everything else that scores depend on.
struct Network : NetworkParts {
  double prior = 0;
  /// Whether to use LibTorch's operations only. Always set on devices other
  /// than CPUs.
  bool plain = false;
  /// Trainable, in the order of the published checkpoints.
  NamedTensors parameters;
  /// Running statistics of the norm; undefined without one.
  at::Tensor runningMean, runningVar;
  /// Training steps that went into the running statistics.
  std::int64_t trackedBatches = 0;
  Scaling statementScaling, dataflowScaling, termScaling;

  /// Creates random weights: uniform within 1/sqrt(inputs); the attention's
  /// input projection Xavier uniform with zero biases; scales 1, means 0.
  static Network create(const NetworkParts &parts, std::uint64_t seed);

  /// Returns a copy with independent storage.
  Network clone() const;
  /// Moves all tensors.
  void to(at::Device device);
  at::Device device() const { return statementScaling.mean.device(); }
  const at::Tensor &get(const std::string &name) const;
  std::int64_t parameterCount() const;
  void requireGradients(bool required);

  /// Returns the scores [B] in training mode, recorded for autograd, and
  /// updates the running statistics. B must be at least 2. Applies dropout with
  /// probability `dropout` after the norm, drawn from \p generator. Sets \p
  /// encoded to the result of encode().
  at::Tensor forward(const Batch &batch, double dropout,
                     at::Generator generator, at::Tensor &encoded);
  /// Returns the input of the norm, or of l0 without a norm, [B x 256].
  at::Tensor encode(const Batch &batch) const;
  /// Returns the scores [B], normalized with the statistics of the batch (of at
  /// least two programs) or with the running ones. Changes nothing.
  at::Tensor evaluate(const Batch &batch, bool batchStatistics) const;

  /// Appends all tensors, with this prefix of their names.
  void write(TensorFile &file, const std::string &prefix) const;
  /// Replaces all weights by those of \p file. Every tensor must be present
  /// with its dtype and shape and be finite. Returns an empty string or an
  /// error.
  std::string read(const TensorFile &file, const std::string &prefix);
  /// The names that write() uses.
  std::vector<std::string> tensorNames() const;

private:
  bool usesPlain() const { return plain || !device().is_cpu(); }
  at::Tensor linear(const at::Tensor &input, const std::string &name) const;
  at::Tensor head(at::Tensor x, const Batch &batch) const;
  at::Tensor flowBranch(const at::Tensor &flow) const;
  /// (name, tensor) of everything in a file except the counter.
  std::vector<std::pair<std::string, at::Tensor *>> namedTensors();
};

/// A network that is prepared for scoring: scaling is folded into the first
/// layers, workspaces are allocated, and the dataflow branch of programs
/// without a pattern is computed once.
class Scorer {
public:
  explicit Scorer(const Network &network);

  /// Returns the scores of valid programs. With \p batchStatistics, normalizes
  /// with the statistics of these programs (if there are at least two) instead
  /// of the running ones.
  void score(const std::vector<const ProgramFeatures *> &programs,
             bool batchStatistics, float *scores);

private:
  struct Layer {
    at::Tensor weight; ///< inputs x outputs
    at::Tensor bias;
  };
  static Layer makeLayer(const Network &network, const std::string &name);
  static Layer makeLayer(const Network &network, const std::string &name,
                         const Scaling &scaling);
  void addTerms(const ProgramFeatures *const *programs, std::int64_t count,
                at::Tensor to);
  void encode(const ProgramFeatures *const *programs, std::int64_t count,
              at::Tensor fused);
  void setStatements(const ProgramFeatures *const *programs, std::int64_t count,
                     at::Tensor to);
  void setFlow(const ProgramFeatures *const *programs, std::int64_t count,
               at::Tensor to);
  at::Tensor firstLayer(const at::Tensor &rows);
  void flowRows(const at::Tensor &flow, std::int64_t count, at::Tensor out);
  void head(at::Tensor x, float *scores);

  NetworkParts parts;
  double prior;
  Layer segment0, segment2, gemm0, gemm2, queryKey, outProjection, fuse, l0, l1,
      decoder, terms0, terms2;
  /// Per head: kFlowWidth x kHeadSize, and the bias times the eight steps.
  std::vector<at::Tensor> valueWeights;
  at::Tensor valueBias;
  at::Tensor normWeight, normBias, runningMean, runningVar;
  at::Tensor zeroFlow;
};

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_TORCH_NETWORK_H
