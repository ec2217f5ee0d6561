//===- Adaptation.h - weights from elsewhere, and what becomes of them
//-----===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How a model goes on from weights that were trained on other machines:
//
//   scratch    not at all: it learns from what is measured alone
//   none       it stays as it was loaded (frozen)
//   fine-tune  every training goes on from where the last one ended
//   moa        every training starts from a slow copy that follows by a small
//              share (MoA-Pruner, momentum adaptation)
//   moses      as fine-tune, but only the parameters that matter most to the
//              new machine's programs learn, towards representations that do
//              not tell the machines apart; the others decay (Moses, HotMobile
//              2023, section 3.3)
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_COSTMODEL_ADAPTATION_H
#define PRUNER_COSTMODEL_ADAPTATION_H

#include <string>
#include <vector>

namespace pruner {

/// The words above, in their order.
const std::vector<std::string> &adaptationNames();

/// Why that model cannot be adapted so; empty if it can. Unknown models are
/// refused by others.
std::string refuseAdaptation(const std::string &model,
                             const std::string &adaptation);

/// What the words "auto" and "" stand for, with weights and without.
std::string defaultAdaptation(bool hasWeights);

} // namespace pruner

#endif // PRUNER_COSTMODEL_ADAPTATION_H
