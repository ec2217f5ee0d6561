//===- Registry.h - the terms of the GPU model ---------------- -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A new term is a file in this directory and a line in PRUNER_GPU_TERMS; the
// order is that of reports and feature columns.

#ifndef PRUNER_LIB_ANALYSIS_GPUMODEL_TERMS_REGISTRY_H
#define PRUNER_LIB_ANALYSIS_GPUMODEL_TERMS_REGISTRY_H

#include "../GpuTerm.h"

#define PRUNER_GPU_TERMS(TERM)                                                 \
  TERM(MultiplyAdds)                                                           \
  TERM(TensorCores)                                                            \
  TERM(WarpIssue)                                                              \
  TERM(Integers)                                                               \
  TERM(LoadStore)                                                              \
  TERM(Waits)                                                                  \
  TERM(LastWave)                                                               \
  TERM(BlockLaunch)                                                            \
  TERM(MemoryBandwidth)

namespace pruner::detail {

#define PRUNER_DECLARE_TERM(name) const GpuTerm &get##name();
PRUNER_GPU_TERMS(PRUNER_DECLARE_TERM)
#undef PRUNER_DECLARE_TERM

} // namespace pruner::detail

#endif // PRUNER_LIB_ANALYSIS_GPUMODEL_TERMS_REGISTRY_H
