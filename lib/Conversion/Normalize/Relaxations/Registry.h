//===- Registry.h - the relaxations -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_NORMALIZE_RELAXATIONS_REGISTRY_H
#define PRUNER_LIB_CONVERSION_NORMALIZE_RELAXATIONS_REGISTRY_H

#include "pruner/Conversion/Normalize/Accuracy.h"

namespace pruner {

const Relaxation &foldedScales();
const Relaxation &wideSums();
const Relaxation &winogradConvolutions();
const Relaxation &brainFloatProducts();
const Relaxation &brainFloatTensors();
const Relaxation &tensorFloatProducts();
const Relaxation &halfSums();

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_NORMALIZE_RELAXATIONS_REGISTRY_H
