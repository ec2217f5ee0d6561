//===- Adaptations.h - constructors of the adaptations ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_COSTMODEL_ADAPTATIONS_ADAPTATIONS_H
#define PRUNER_LIB_COSTMODEL_ADAPTATIONS_ADAPTATIONS_H

#include "pruner/CostModel/Adaptation.h"

namespace pruner {

/// The adaptations.
#define PRUNER_ADAPTATIONS(ADAPTATION)                                         \
  ADAPTATION(Scratch)                                                          \
  ADAPTATION(Frozen)                                                           \
  ADAPTATION(FineTune)                                                         \
  ADAPTATION(Moa)                                                              \
  ADAPTATION(Moses)

#define ADAPTATION(name) std::unique_ptr<Adaptation> create##name();
PRUNER_ADAPTATIONS(ADAPTATION)
#undef ADAPTATION

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_ADAPTATIONS_ADAPTATIONS_H
