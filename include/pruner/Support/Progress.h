//===- Progress.h - how far a long job has come -----------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_SUPPORT_PROGRESS_H
#define PRUNER_SUPPORT_PROGRESS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace pruner {

/// Tells a person how far a long job has come: a bar redrawn in place when the
/// stream is a terminal, otherwise (a log file) a plain line now and then. It
/// writes to stderr unless told otherwise, never to stdout, which is for IR.
/// Not thread safe.
class Progress {
public:
  struct Options {
    /// Where to write; stderr if null.
    llvm::raw_ostream *os = nullptr;
    /// Whether `os` is a terminal; asked from `os` if not given.
    std::optional<bool> terminal;
    /// Least seconds between two plain lines, and between two redraws.
    double lineSeconds = 10;
    double redrawSeconds = 0.1;
    /// Seconds on a clock that never goes back; a steady clock if empty.
    std::function<double()> clock;
  };

  /// `total` is the number of steps, 0 if unknown.
  Progress(llvm::StringRef label, uint64_t total, Options options);
  Progress(llvm::StringRef label, uint64_t total)
      : Progress(label, total, Options()) {}
  ~Progress() { finish(); }
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// `done` steps are behind us; `note` is shown after the bar.
  void update(uint64_t done, llvm::StringRef note = "");

  /// Shows the last state and ends the line. Later calls do nothing.
  void finish();

  /// Takes the bar off the screen so that another message can be printed; the
  /// next update draws it again.
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
  bool pending = false; ///< Something to show that is not shown yet.
  bool drawn = false;   ///< A bar stands on the current line.
  bool finished = false;
};

} // namespace pruner

#endif // PRUNER_SUPPORT_PROGRESS_H
