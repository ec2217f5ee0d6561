//===- TuneHooks.h - a tuning run inside another program --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Callbacks for a program that embeds the tuner: to follow its progress, to
// stop it, and to redirect its messages from stderr. The command line needs
// none of them.

#ifndef PRUNER_TUNE_TUNEHOOKS_H
#define PRUNER_TUNE_TUNEHOOKS_H

#include "pruner/Tune/Passes.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <functional>
#include <memory>
#include <optional>

namespace pruner {

/// The progress of a run.
struct TuneStatus {
  /// "trials", then "defaults" (the untuned code is timed), "finals" (the best
  /// schedules of each task are compared) and "network" (they are compared in
  /// the compiled network).
  llvm::StringRef phase;
  /// Steps of this phase; recorded trials of the same run count. In "network",
  /// libraries are built and timed, and sometimes both again, so `total` may
  /// grow from 2 to 4.
  unsigned done = 0, total = 0;
  /// Trials of this run that failed.
  unsigned failed = 0;
  /// The task of the last step; empty before the first one.
  llvm::StringRef task;
  /// Its best time so far.
  std::optional<double> seconds;
};

struct TuneHooks {
  /// Called at the start of each phase, after each batch, and at the end of the
  /// phase, on the thread that runs the pass. If it returns false, the run ends
  /// as if it were interrupted: the measurements stay in the database, and the
  /// pass fails. May be empty.
  std::function<bool(const TuneStatus &)> onProgress;
  /// Receives progress, warnings and the final table.
  llvm::raw_ostream *log = &llvm::errs();
  /// Whether SIGINT, SIGTERM and SIGHUP stop the run. Set to false in a program
  /// with its own handlers.
  bool signals = true;
};

/// `pruner-tune` with hooks; `log` must outlive the pass.
std::unique_ptr<mlir::Pass> createPrunerTuneWith(TuneHooks hooks);

/// Stops the run of this process, if any, after the current batch. May be
/// called from any thread and from signal handlers.
void stopTuning();

} // namespace pruner

#endif // PRUNER_TUNE_TUNEHOOKS_H
