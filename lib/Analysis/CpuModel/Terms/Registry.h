//===- Registry.h - the terms of the CPU model ---------------- -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A new term is a file in this directory and a line in PRUNER_CPU_TERMS; the
// order is that of reports and feature columns.

#ifndef PRUNER_LIB_ANALYSIS_CPUMODEL_TERMS_REGISTRY_H
#define PRUNER_LIB_ANALYSIS_CPUMODEL_TERMS_REGISTRY_H

#include "../CpuTerm.h"

#define PRUNER_CPU_TERMS(TERM)                                                 \
  TERM(Arithmetic)                                                             \
  TERM(AccumulationLatency)                                                    \
  TERM(Shuffles)                                                               \
  TERM(Loads)                                                                  \
  TERM(Stores)                                                                 \
  TERM(Issue)                                                                  \
  TERM(CopyVectors)                                                            \
  TERM(RowEnds)                                                                \
  TERM(RowConflicts)                                                           \
  TERM(SetConflicts)                                                           \
  TERM(CopyMisses)                                                             \
  TERM(LoopEnds)                                                               \
  TERM(HorizontalReductions)                                                   \
  TERM(Accumulators)                                                           \
  TERM(ShortRuns)                                                              \
  TERM(Spills)                                                                 \
  TERM(Balance)                                                                \
  TERM(CacheTraffic)                                                           \
  TERM(ReuseConflicts)                                                         \
  TERM(LastLevelTraffic)                                                       \
  TERM(MemoryTraffic)                                                          \
  TERM(WriteAllocate)                                                          \
  TERM(PageWalks)                                                              \
  TERM(MemoryRuns)

namespace pruner::detail {

#define PRUNER_DECLARE_TERM(name) const CpuTerm &get##name();
PRUNER_CPU_TERMS(PRUNER_DECLARE_TERM)
#undef PRUNER_DECLARE_TERM

} // namespace pruner::detail

#endif // PRUNER_LIB_ANALYSIS_CPUMODEL_TERMS_REGISTRY_H
