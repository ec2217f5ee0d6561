//===- Tlp.h - options of the model "tlp" -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_COSTMODEL_MODELS_TLP_H
#define PRUNER_COSTMODEL_MODELS_TLP_H

#include "pruner/CostModel/Models/NetworkOptions.h"

namespace pruner {

struct TlpOptions : RankingOptions {
  std::int64_t width = 256;
  std::string language = "schedule";
  std::int64_t sequence = 25;
  std::string numbers = "log";
  std::string heads = "platform";
  std::string trunk = "train";
  std::string scaleBy = "type";
  std::string equal = "median";

  TlpOptions() {
    loss = "lambda";
    dropout = 0;
  }
  void declare(OptionTable &table);
};

} // namespace pruner

#endif // PRUNER_COSTMODEL_MODELS_TLP_H
