//===- Cdmpp.h - options of the model "cdmpp" -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_COSTMODEL_MODELS_CDMPP_H
#define PRUNER_COSTMODEL_MODELS_CDMPP_H

#include "pruner/CostModel/Models/NetworkOptions.h"

namespace pruner {

struct CdmppOptions : NetworkOptions {
  std::string terms = "no";
  std::int64_t layers = 2;
  std::int64_t feedForward = 256;
  std::int64_t encoderWidth = 256;
  std::int64_t embedding = 64;
  std::int64_t decoderWidth = 256;
  double percentage = 1e-3;
  double alpha = 1;

  CdmppOptions() {
    dropout = 0;
    batch = 256;
    steps = 1000;
  }
  void declare(OptionTable &table);
};

} // namespace pruner

#endif // PRUNER_COSTMODEL_MODELS_CDMPP_H
