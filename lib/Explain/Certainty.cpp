//===- Certainty.cpp - the evidence for a choice --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Explainer.h"

#include "pruner/Dataset/Metrics.h"
#include "pruner/Record/Choice.h"
#include "pruner/Schedule/Space.h"

using namespace pruner;

/// Correlations of fewer pairs are meaningless.
static constexpr size_t kLeastPairs = 4;

static std::optional<double> correlation(llvm::ArrayRef<double> a,
                                         llvm::ArrayRef<double> b) {
  if (a.size() < kLeastPairs || llvm::all_equal(a) || llvm::all_equal(b))
    return std::nullopt;
  return rankCorrelation(a, b);
}

/// Computes how well the predictions ranked the trials.
static void addRanks(llvm::ArrayRef<Record> records, Certainty &certainty) {
  std::vector<double> drafts, drafted, scores, scored;
  for (const Record &record : records) {
    std::optional<double> seconds = medianTime(record);
    if (isOfFinal(record) || record.status != MeasureStatus::Ok || !seconds ||
        !isScheduleText(record.schedule))
      continue;
    if (record.psaLatency) {
      drafts.push_back(*record.psaLatency);
      drafted.push_back(*seconds);
    }
    // An untrained model scores 0.
    if (record.score && *record.score != 0) {
      scores.push_back(*record.score);
      scored.push_back(-*seconds);
    }
  }
  certainty.drafted = drafts.size();
  certainty.scored = scores.size();
  certainty.draftRank = correlation(drafts, drafted);
  certainty.scoreRank = correlation(scores, scored);
}

/// Times of the comparison if both took part, else of the trials.
static void addLead(const RecordIndex::Entry &best,
                    const RecordIndex::Entry &other, Certainty &certainty) {
  const Record *a = best.final, *b = other.final;
  if (!a || !b || !medianTime(*a) || !medianTime(*b)) {
    a = fastestTrial(best);
    b = fastestTrial(other);
  } else {
    certainty.turns = std::min(a->times.size(), b->times.size());
    for (unsigned turn = 0; turn < certainty.turns; ++turn)
      certainty.won += a->times[turn] < b->times[turn];
  }
  if (!a || !b)
    return;
  certainty.lead = *medianTime(*b) / *medianTime(*a);
  certainty.clear = clearlyFaster(a->times, b->times);
}

Certainty Explainer::certainty(const ScheduleView &best,
                               const Comparison *runnerUp) {
  Certainty certainty;
  for (const Record &record : subject.records) {
    if (isOfFinal(record) || !isScheduleText(record.schedule))
      continue;
    ++certainty.trials;
    certainty.failed += record.status != MeasureStatus::Ok &&
                        record.status != MeasureStatus::Unmeasured;
  }
  certainty.schedules = index.entries().size();
  certainty.space =
      ScheduleSpace(subject.task.desc, subject.environment.machine).size();
  certainty.decidedBy = best.measured.finalSeconds   ? index.decisive().str()
                        : best.measured.trialSeconds ? "trial"
                                                     : "prediction";
  addRanks(subject.records, certainty);
  const RecordIndex::Entry *own = index.find(best.schedule);
  if (own && runnerUp)
    if (const RecordIndex::Entry *other = index.find(runnerUp->view.schedule))
      addLead(*own, *other, certainty);
  if (own)
    certainty.predictedPlace =
        1 + llvm::count_if(index.entries(), [&](const auto &entry) {
          return model(entry.schedule) < best.predictedSeconds;
        });
  return certainty;
}
