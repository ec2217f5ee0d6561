//===- Pacm.h - options of "pacm" and "tensetmlp" ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_COSTMODEL_MODELS_PACM_H
#define PRUNER_COSTMODEL_MODELS_PACM_H

#include "pruner/CostModel/Models/NetworkOptions.h"

namespace pruner {

struct TensetMlpOptions : RankingOptions {
  std::string kernels = "fused";
  std::string terms = "yes";
  double prior = 0;
  /// With "running", the score of a program does not depend on the programs
  /// that are scored with it. With "batch" it does; a call with one program
  /// then uses "running", where the published code fails.
  std::string batchNorm = "running";

  TensetMlpOptions() { earlyTrials = 0; }
  void declare(OptionTable &table);
};

struct PacmOptions : TensetMlpOptions {
  std::string branches = "both";

  void declare(OptionTable &table);
};

} // namespace pruner

#endif // PRUNER_COSTMODEL_MODELS_PACM_H
