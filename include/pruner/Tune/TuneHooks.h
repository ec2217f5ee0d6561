//===- TuneHooks.h - a tuning run inside another program --------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a program that holds the tuner may want of a run besides its outcome: to
// be told how far it is, to end it, and to keep what it says off stderr. The
// command line needs none of it.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_TUNE_TUNEHOOKS_H
#define PRUNER_TUNE_TUNEHOOKS_H

#include "pruner/Tune/Passes.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <functional>
#include <memory>
#include <optional>

namespace pruner {

/// How far a run has come.
struct TuneStatus {
  /// "trials", then "defaults" (the untuned ones are timed), "finals" and
  /// "network" (the best schedules compete in the compiled network).
  llvm::StringRef phase;
  /// Of that phase; trials that the database had count. In "network" libraries
  /// are built and timed, and perhaps both again: `total` may grow from 2 to 4.
  unsigned done = 0, total = 0;
  /// Trials of this run that failed.
  unsigned failed = 0;
  /// The task that was at last worked on; empty before the first one.
  llvm::StringRef task;
  /// Its best time so far.
  std::optional<double> seconds;
};

struct TuneHooks {
  /// Called at the start of each phase, after each of its batches and at its
  /// end, by the thread that runs the pass. Where it returns false the run ends
  /// as if it were interrupted: what was measured is in the database, and the
  /// pass fails. May be empty.
  std::function<bool(const TuneStatus &)> goOn;
  /// Where progress, warnings and the final table go.
  llvm::raw_ostream *log = &llvm::errs();
  /// Whether the run takes SIGINT, SIGTERM and SIGHUP for a wish to end it. A
  /// program with handlers of its own says no.
  bool signals = true;
};

/// `pruner-tune` with hooks; `log` must outlive the pass.
std::unique_ptr<mlir::Pass> createPrunerTuneWith(TuneHooks hooks);

/// Ends the run of this process, if there is one, after the batch that is being
/// measured. May be called by any thread and by handlers of signals.
void stopTuning();

} // namespace pruner

#endif // PRUNER_TUNE_TUNEHOOKS_H
