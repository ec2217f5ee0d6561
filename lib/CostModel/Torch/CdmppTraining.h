//===- CdmppTraining.h - one training run of CDMPP --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_COSTMODEL_TORCH_CDMPPTRAINING_H
#define PRUNER_LIB_COSTMODEL_TORCH_CDMPPTRAINING_H

#include "CdmppNetwork.h"
#include "pruner/CostModel/CostModel.h"
#include "pruner/CostModel/Models/Cdmpp.h"

namespace pruner {

/// The training data of a latency model.
struct LatencyTrainingSet {
  std::vector<const ProgramFeatures *> programs;
  std::vector<double> seconds; ///< 0: unknown.
  std::vector<char> target;    ///< Belongs to the target domain.
};

/// Trains a network in place, on its device, by equation 3 of CDMPP. If there
/// are programs of the target domain and of other domains, uses equation 7,
/// which adds `alpha` times the central moment discrepancy of their latent
/// representations; then half of the timed programs of a step belong to each.
/// If training diverges, the report says so, `trained` is false, and the
/// network must be discarded.
TrainingReport trainCdmpp(CdmppNetwork &network,
                          const LatencyTrainingSet &training,
                          const CdmppOptions &options);

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_TORCH_CDMPPTRAINING_H
