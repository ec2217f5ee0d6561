//===- CdmppTraining.h - CDMPP, one training run ----------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_COSTMODEL_TORCH_CDMPPTRAINING_H
#define PRUNER_LIB_COSTMODEL_TORCH_CDMPPTRAINING_H

#include "CdmppNetwork.h"
#include "Options.h"
#include "pruner/CostModel/CostModel.h"

namespace pruner {

/// What a network of latency learns from.
struct LatencyLessons {
  std::vector<const ProgramFeatures *> programs;
  std::vector<double> seconds; ///< 0: not known.
  std::vector<char> target;    ///< Of the target domain.
};

/// Trains a network in place, on its device, by equation 3 of CDMPP, and where
/// there are both programs of the target domain and others by equation 7: plus
/// `alpha` times the central moment discrepancy of their latent
/// representations. Then half of what has a time in a step is of each. When
/// the numbers leave the finite range the report says so, `trained` is false
/// and the network must be thrown away.
TrainingReport trainCdmpp(CdmppNetwork &network, const LatencyLessons &lessons,
                          const ModelOptions &options);

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_TORCH_CDMPPTRAINING_H
