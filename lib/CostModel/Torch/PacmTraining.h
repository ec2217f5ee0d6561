//===- PacmTraining.h - batches and scales of PaCM --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_COSTMODEL_TORCH_PACMTRAINING_H
#define PRUNER_LIB_COSTMODEL_TORCH_PACMTRAINING_H

#include "Network.h"
#include "Training.h"

namespace pruner {

/// Sets the scaling of \p network from the features of these programs: mean and
/// standard deviation, or 0 and the maximum.
void computeScaling(const std::vector<const ProgramFeatures *> &programs,
                    bool standard, Network &network);

/// Gathers the programs with these indices, scales them as \p network requires
/// and moves them to its device.
Batch makeBatch(const Network &network,
                const std::vector<const ProgramFeatures *> &programs,
                const std::size_t *indices, std::size_t count);

/// Trains a network. At the end, recomputes the norm's statistics with the
/// final weights.
class PacmTrainee : public Trainee {
public:
  /// Both arguments must outlive this object.
  PacmTrainee(Network &network,
              const std::vector<const ProgramFeatures *> &programs)
      : network(network), programs(programs) {}

  at::Device device() const override { return network.device(); }
  std::vector<at::Tensor> begin() override;
  at::Tensor forward(const ProgramList &list, double dropout,
                     at::Generator generator) override;
  at::Tensor representations() const override { return encoded; }
  void finish(const std::vector<ProgramList> &lists) override;
  /// Returns the representations of these programs with the current weights, on
  /// the CPU.
  at::Tensor represent(const ProgramList &list) const;

private:
  void estimateStatistics(const std::vector<ProgramList> &lists);

  Network &network;
  const std::vector<const ProgramFeatures *> &programs;
  at::Tensor encoded;
};

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_TORCH_PACMTRAINING_H
