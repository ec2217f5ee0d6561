//===- ModelOption.h - the cost model of a tuning run -----------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_TUNE_MODELOPTION_H
#define PRUNER_LIB_TUNE_MODELOPTION_H

#include "pruner/CostModel/CostModel.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>
#include <string>

namespace pruner {

/// The options of `pruner-tune` that choose a model.
struct ModelOption {
  std::string strategy, model, weights, adapt, device;
  double transferable = 0; ///< Of Moses; 0: as the model has it.
  uint64_t seed = 0;
  std::string machine; ///< The target's name, such as "nvidia:v100".
  bool forGpu = false;
};

/// What the search asks.
struct TuneModel {
  std::unique_ptr<CostModel> model; ///< May be null.
  /// Hash of the file of weights that it started from; empty without one.
  std::string weights;
  /// What becomes of these (CostModel/Adaptation.h), with what was asked for
  /// about it.
  std::string adaptation;
  bool learns = true; ///< Whether it is trained by what is measured.
};

/// Makes the model. None for 'none', for strategies that ask no model, and
/// where 'auto' finds none; the latter two warn on `warnings`. Options that
/// contradict each other are an error that names them.
///
/// 'auto' is, for machines that the pretrained weights were trained by, boosted
/// trees with these; for other machines, for "learned-all", and where the file
/// or the trees' plug-in is not to be had, PaCM that has learned nothing yet.
/// Of given weights it is the model that they are of. 'moa' is PaCM that is
/// adapted so.
llvm::Expected<TuneModel> createTuneModel(const ModelOption &option,
                                          llvm::raw_ostream &warnings);

} // namespace pruner

#endif // PRUNER_LIB_TUNE_MODELOPTION_H
