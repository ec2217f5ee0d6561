//===- Descent.h - steepest descent over neighbors --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_SEARCH_DESCENT_H
#define PRUNER_LIB_SEARCH_DESCENT_H

#include "pruner/Search/Evolution.h"

namespace pruner {

/// Replaces each schedule by the best of its neighbors
/// (ScheduleSpace::neighbors) until no neighbor has a higher score. Returns the
/// distinct schedules where this ends, best first; ties go to the one whose
/// start came first. A start without a finite score is ignored.
Evolved descend(const ScheduleSpace &space, llvm::ArrayRef<Schedule> starts,
                ScoreFunction score);

} // namespace pruner

#endif // PRUNER_LIB_SEARCH_DESCENT_H
