//===- ModelOption.h - the cost model of a tuning run -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_TUNE_MODELOPTION_H
#define PRUNER_LIB_TUNE_MODELOPTION_H

#include "pruner/CostModel/CostModel.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace pruner {

/// The options of `pruner-tune` that choose a model.
struct ModelOption {
  std::string strategy, model, weights, adapt, device;
  double transferable = 0; ///< For Moses; 0: the model's default.
  uint64_t seed = 0;
  std::string machine; ///< The target's name, such as "nvidia:v100".
  bool forGpu = false;
};

/// The learned model of a run.
struct TuneModel {
  std::unique_ptr<CostModel> model; ///< May be null.
  /// Hash of the file of weights that the model started from; empty without
  /// one.
  std::string weights;
  /// How the weights are adapted (CostModel/Adaptation.h), with the option
  /// `transferable`; empty for the default. Part of the run identity.
  std::string adaptation;
  bool learns = true; ///< Whether it is trained during the run.
};

/// Creates the learned model. The result has no model for 'none', for
/// strategies that use no model, and if 'auto' finds none; the latter two cases
/// call `warn` with a sentence that says what is used instead, and why. Options
/// that contradict each other are an error.
///
/// With weights, 'auto' is the model of the weights. Without weights it is
/// gradient-boosted trees with the shipped weights, on the machines that these
/// were trained on. On other machines, for strategies that need a model, and
/// if the file or the plug-in of the trees is missing, it is an untrained PaCM.
/// 'moa' is PaCM with that adaptation.
llvm::Expected<TuneModel>
createTuneModel(const ModelOption &option,
                llvm::function_ref<void(const llvm::Twine &)> warn);

} // namespace pruner

#endif // PRUNER_LIB_TUNE_MODELOPTION_H
