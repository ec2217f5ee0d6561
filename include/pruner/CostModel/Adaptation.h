//===- Adaptation.h - ways to adapt weights ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adaptation is how a model continues from weights that were trained on other
// machines:
//
//   scratch    weights are not used; the model trains on new measurements only
//   none       weights are frozen
//   fine-tune  each training continues from the result of the last one
//   moa        each training starts from a slow copy of the weights, which then
//              moves a little towards the result (MoA-Pruner, momentum
//              adaptation)
//   moses      like fine-tune, but trains only the parameters that matter most
//              for programs of the new machine, towards representations that do
//              not distinguish the machines; the others decay (Moses, HotMobile
//              2023, section 3.3)

#ifndef PRUNER_COSTMODEL_ADAPTATION_H
#define PRUNER_COSTMODEL_ADAPTATION_H

#include <string>
#include <vector>

namespace pruner {

/// The names above, in their order.
const std::vector<std::string> &adaptationNames();

/// Returns why a model cannot be adapted in this way, or an empty string if it
/// can. Accepts unknown models, which other code rejects.
std::string refuseAdaptation(const std::string &model,
                             const std::string &adaptation);

/// The adaptation that "auto" and "" mean, with and without weights.
std::string defaultAdaptation(bool hasWeights);

} // namespace pruner

#endif // PRUNER_COSTMODEL_ADAPTATION_H
