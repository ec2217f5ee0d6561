//===- Explainer.h - views of schedules of one task -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_EXPLAIN_EXPLAINER_H
#define PRUNER_LIB_EXPLAIN_EXPLAINER_H

#include "RecordIndex.h"

#include "pruner/Analysis/DraftModel.h"

namespace pruner {

/// Collects the facts about schedules of one task.
class Explainer {
public:
  explicit Explainer(const Subject &subject);

  /// The schedule must be legal.
  ScheduleView view(const Schedule &schedule);
  Comparison compare(const ScheduleView &best, const Schedule &other,
                     WorkerPool *pool);
  Neighbors neighbors(const ScheduleView &best, unsigned shown);
  Certainty certainty(const ScheduleView &best, const Comparison *runnerUp);
  /// Finds facts of the code in the records, or builds the schedule.
  void addCode(ScheduleView &view, WorkerPool *pool) const;
  std::string spell(const Schedule &schedule) const;
  /// Whether this host can build code for the machine of the records.
  bool canBuild() const;

  const Subject &subject;
  const RecordIndex index;

private:
  DraftModel model;
};

} // namespace pruner

#endif // PRUNER_LIB_EXPLAIN_EXPLAINER_H
