//===- Models.h - descriptions of the models --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_COSTMODEL_MODELS_MODELS_H
#define PRUNER_LIB_COSTMODEL_MODELS_MODELS_H

#include "pruner/CostModel/ModelKind.h"

namespace pruner {

/// The models. The first one is the default of a run without weights.
#define PRUNER_MODELS(MODEL)                                                   \
  MODEL(pacm)                                                                  \
  MODEL(tensetMlp)                                                             \
  MODEL(tlp)                                                                   \
  MODEL(cdmpp)                                                                 \
  MODEL(xgboost)                                                               \
  MODEL(nearest)                                                               \
  MODEL(linear)                                                                \
  MODEL(random)

#define MODEL(name) const ModelKind &name##Kind();
PRUNER_MODELS(MODEL)
#undef MODEL

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_MODELS_MODELS_H
