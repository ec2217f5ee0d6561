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
  std::string strategy, model, weights, device;
  uint64_t seed = 0;
};

/// Makes the model. Null for 'none', for strategies that ask no model, and
/// where 'auto' finds none; the latter two warn on `warnings`. Options that
/// contradict each other are an error that names them.
llvm::Expected<std::unique_ptr<CostModel>>
createTuneModel(const ModelOption &option, llvm::raw_ostream &warnings);

} // namespace pruner

#endif // PRUNER_LIB_TUNE_MODELOPTION_H
