//===- Progress.h - progress of a long job ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_SUPPORT_PROGRESS_H
#define PRUNER_SUPPORT_PROGRESS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace pruner {

/// Shows the progress of a long job. On a terminal it redraws a bar in place;
/// elsewhere, such as in a log file, it prints a plain line from time to time.
/// It writes to stderr by default, never to stdout, which is for IR. Not thread
/// safe.
class Progress {
public:
  struct Options {
    /// The stream to write to; stderr if null.
    llvm::raw_ostream *os = nullptr;
    /// Whether `os` is a terminal; detected if not set.
    std::optional<bool> terminal;
    /// Minimum seconds between two plain lines, and between two redraws.
    double lineSeconds = 10;
    double redrawSeconds = 0.1;
    /// Seconds of a monotonic clock; a steady clock if empty.
    std::function<double()> clock;
  };

  /// `total` is the number of steps, 0 if unknown.
  Progress(llvm::StringRef label, uint64_t total, Options options);
  Progress(llvm::StringRef label, uint64_t total)
      : Progress(label, total, Options()) {}
  ~Progress() { finish(); }
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// Sets the number of completed steps; `note` is shown after the bar.
  void update(uint64_t done, llvm::StringRef note = "");

  /// Shows the last state and ends the line. Later calls do nothing.
  void finish();

  /// Removes the bar so that another message can be printed. The next update
  /// draws it again.
  void clear();

private:
  void draw();
  std::string describe() const;

  std::string label, note;
  uint64_t total, done = 0;
  llvm::raw_ostream &os;
  bool terminal;
  Options options;
  double start, lastDrawn;
  bool pending = false; ///< There is a state that is not shown yet.
  bool drawn = false;   ///< The current line shows a bar.
  bool finished = false;
};

} // namespace pruner

#endif // PRUNER_SUPPORT_PROGRESS_H
