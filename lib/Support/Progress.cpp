//===- Progress.cpp - progress of a long job ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Support/Progress.h"

#include "llvm/Support/Format.h"

#include <algorithm>
#include <chrono>

using namespace llvm;
using namespace pruner;

static double steadySeconds() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

/// "1:02:03" or "02:03".
static std::string formatClock(double seconds) {
  uint64_t whole = seconds > 0 ? static_cast<uint64_t>(seconds) : 0;
  std::string text;
  raw_string_ostream stream(text);
  if (whole >= 3600)
    stream << whole / 3600 << ':';
  stream << format("%02u:%02u", static_cast<unsigned>(whole / 60 % 60),
                   static_cast<unsigned>(whole % 60));
  return text;
}

Progress::Progress(StringRef label, uint64_t total, Options opts)
    : label(label), total(total), os(opts.os ? *opts.os : errs()),
      options(std::move(opts)) {
  terminal = options.terminal.value_or(os.is_displayed());
  if (!options.clock)
    options.clock = steadySeconds;
  start = options.clock();
  // A terminal shows the first state at once. A log shows it only after a
  // while, so that a short job leaves one line.
  lastDrawn = terminal ? start - options.redrawSeconds : start;
}

void Progress::update(uint64_t steps, StringRef newNote) {
  if (finished)
    return;
  done = total ? std::min(steps, total) : steps;
  note = newNote.str();
  pending = true;
  double wait = terminal ? options.redrawSeconds : options.lineSeconds;
  if (options.clock() - lastDrawn >= wait)
    draw();
}

void Progress::finish() {
  if (finished)
    return;
  if (pending)
    draw();
  finished = true;
  if (drawn)
    os << '\n';
  os.flush();
}

void Progress::clear() {
  if (!drawn)
    return;
  os << "\r\033[K";
  os.flush();
  drawn = false;
  pending = true;
}

std::string Progress::describe() const {
  double elapsed = options.clock() - start;
  std::string text;
  raw_string_ostream stream(text);
  stream << done;
  if (total)
    stream << '/' << total;
  stream << ", " << formatClock(elapsed);
  if (total && done && done < total)
    stream << ", " << formatClock(elapsed / done * (total - done)) << " left";
  if (!note.empty())
    stream << ", " << note;
  return text;
}

void Progress::draw() {
  if (terminal) {
    os << "\r\033[K" << label << ' ';
    if (total) {
      constexpr unsigned kWidth = 24;
      auto filled = static_cast<unsigned>(kWidth * (double(done) / total));
      os << '[' << std::string(filled, '=') << std::string(kWidth - filled, ' ')
         << "] ";
    }
    os << describe();
    drawn = true;
  } else {
    os << label << ": " << describe() << '\n';
  }
  os.flush();
  lastDrawn = options.clock();
  pending = false;
}
