//===- FeatureDetail.h - features of one buffer access ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_ANALYSIS_FEATUREDETAIL_H
#define PRUNER_LIB_ANALYSIS_FEATUREDETAIL_H

#include "pruner/Program/Summary.h"

#include <cmath>

namespace pruner::detail {

/// log2(x + 1), extended to negative numbers as an odd function.
inline float slog(double x) {
  return float(x < 0 ? -std::log2(1 - x) : std::log2(x + 1));
}

enum class Reuse { LoopMultipleRead, SerialMultipleReadWrite, None };

/// Ansor's features of a statement's use of one buffer (group 2).
struct BufferUse {
  AccessKind kind = AccessKind::Read;
  double bytes = 0, uniqueBytes = 0, lines = 0, uniqueLines = 0;
  Reuse reuse = Reuse::None;
  double distanceIterations = 0, distanceBytes = 0, reuses = 0;
  double stride = 0;
};

constexpr int kBufferUseColumns = 18;

BufferUse bufferUse(const ProgramSummary &program, unsigned statement,
                    unsigned access);
/// Writes kBufferUseColumns columns.
void writeBufferUse(const BufferUse &use, float *columns);

} // namespace pruner::detail

#endif // PRUNER_LIB_ANALYSIS_FEATUREDETAIL_H
