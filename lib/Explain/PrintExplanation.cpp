//===- PrintExplanation.cpp - explanations as text ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Explain/Explain.h"
#include "pruner/Support/Table.h"

#include "llvm/Support/Format.h"

using namespace pruner;

using Align = Table::Align;

/// The number of differences that are shown; JSON has all.
static constexpr size_t kShown = 8;

static std::string text(const char *format, double value) {
  std::string out;
  llvm::raw_string_ostream(out) << llvm::format(format, value);
  return out;
}

static std::string seconds(const std::optional<double> &value) {
  return value ? formatSeconds(*value) : "-";
}

static std::string number(const std::optional<double> &value) {
  return value ? text("%.6g", *value) : "-";
}

/// "trial 5.2 ms", "comparison 5.1 ms", "wrong-result", "not tried".
static std::string outcome(const Measured &m) {
  std::string said;
  if (m.finalSeconds)
    said = "comparison " + formatSeconds(*m.finalSeconds);
  if (m.trialSeconds)
    said +=
        (said.empty() ? "trial " : ", trial ") + formatSeconds(*m.trialSeconds);
  if (m.failure != MeasureStatus::Ok)
    said += (said.empty() ? "" : ", ") +
            stringifyMeasureStatus(m.failure).str() +
            (m.reason.empty() ? "" : " (" + m.reason + ")");
  if (said.empty())
    return m.known() ? "not measured" : "not tried";
  return said;
}

static void printLimits(const ScheduleView &view, llvm::raw_ostream &os) {
  os << "\nlimits according to the analytical model:\n";
  Table table({{"statement", Align::Left},
               {"predicted", Align::Right},
               {"share", Align::Right},
               {"compute", Align::Right},
               {"memory", Align::Right},
               {"limited by", Align::Left}});
  for (const StatementView &s : view.statements)
    table.addRow({s.name, formatSeconds(s.psa.seconds),
                  text("%.0f %%", 100 * s.psa.seconds / view.predictedSeconds),
                  formatSeconds(s.psa.computeSeconds),
                  formatSeconds(s.psa.memorySeconds), s.limit});
  table.print(os);
}

static void printNeighbors(const Explanation &e, llvm::raw_ostream &os) {
  const Neighbors &n = e.neighbors;
  os << "\nneighbors (one knob or tile factor changed): " << n.legal
     << " legal, " << n.predictedFaster << " predicted faster, " << n.measured
     << " tried\n";
  Table table({{"change", Align::Left},
               {"predicted", Align::Right},
               {"ratio", Align::Right},
               {"measured", Align::Left}});
  const double own = e.best.predictedSeconds;
  bool placed = false;
  auto place = [&] {
    table.addRow({"(this schedule)", formatSeconds(own), "1.00",
                  outcome(e.best.measured)});
    placed = true;
  };
  for (const Neighbor &neighbor : n.shown) {
    if (!placed && neighbor.predictedSeconds >= own)
      place();
    table.addRow({neighbor.change, formatSeconds(neighbor.predictedSeconds),
                  text("%.2f", neighbor.predictedSeconds / own),
                  outcome(neighbor.measured)});
  }
  if (!placed)
    place();
  table.print(os);
}

static void printDifferences(llvm::StringRef what, llvm::StringRef other,
                             llvm::ArrayRef<Difference> differences,
                             llvm::raw_ostream &os) {
  if (differences.empty())
    return;
  Table table({{what.str(), Align::Left},
               {"this", Align::Right},
               {other.str(), Align::Right}});
  for (const Difference &d : differences.take_front(kShown)) {
    bool time = llvm::StringRef(d.what).ends_with("seconds");
    auto spell = time ? seconds : number;
    table.addRow({d.what, spell(d.best), spell(d.other)});
  }
  table.print(os);
  if (differences.size() > kShown)
    os << "and " << differences.size() - kShown << " more (--json has all)\n";
}

static void printComparison(const Explanation &e, const Comparison &c,
                            llvm::StringRef other, llvm::raw_ostream &os) {
  os << "  " << c.view.text
     << "\n  change: " << (c.change.empty() ? "none, it is the same" : c.change)
     << "\n  measured: " << outcome(c.view.measured)
     << "; this one: " << outcome(e.best.measured)
     << "\n  predicted: " << formatSeconds(c.view.predictedSeconds) << ", "
     << text("%.2f", c.view.predictedSeconds / e.best.predictedSeconds)
     << " times this one's\n";
  printDifferences("symbols that differ", other, c.symbols, os);
  printDifferences("facts of the code that differ", other, c.facts, os);
  if (c.facts.empty())
    os << "facts of the code: "
       << (e.best.code.facts.empty() || c.view.code.facts.empty()
               ? "this one " + e.best.code.source + ", " + other.str() + " " +
                     c.view.code.source
               : std::string("the same"))
       << "\n";
  else if (e.best.code.source != c.view.code.source)
    os << "facts of the code: this one's are " << e.best.code.source
       << ", the other's " << c.view.code.source << "\n";
}

static void printCertainty(const Explanation &e, llvm::raw_ostream &os) {
  const Certainty &c = e.certainty;
  os << "\ncertainty:\n  " << c.schedules << " schedules in " << c.trials
     << " trials (" << c.failed << " failed), of " << text("%.3g", c.space)
     << " in the space\n";
  if (c.decidedBy == "prediction")
    os << "  chosen by prediction alone; nothing was measured\n";
  else
    os << "  decided by "
       << (c.decidedBy == "trial"
               ? "single trials, of which the fastest may be "
                 "the luckiest"
           : c.decidedBy == "final" ? "a head-to-head comparison"
                                    : "a comparison in the network")
       << "; " << e.best.measured.times << " times"
       << (e.best.measured.spread
               ? ", median " + text("%.3f", *e.best.measured.spread) +
                     " times the least"
               : std::string())
       << "\n";
  if (c.lead) {
    os << "  the runner-up takes " << text("%.3f", *c.lead) << " times as long";
    if (c.turns > 0)
      os << ", and lost " << c.won << " of " << c.turns << " turns";
    os << (c.clear ? ": a clear difference\n" : ": within noise\n");
  }
  auto ranks = [&](const char *model, const std::optional<double> &rank,
                   unsigned pairs) {
    if (rank)
      os << "  rank correlation of " << model
         << " with the trials: " << text("%.2f", *rank) << " (" << pairs
         << " trials)\n";
  };
  ranks("the analytical model", c.draftRank, c.drafted);
  ranks("the learned model", c.scoreRank, c.scored);
  if (c.predictedPlace > 0)
    os << "  the analytical model ranks this schedule " << c.predictedPlace
       << " of the " << c.schedules << " that were tried\n";
}

void pruner::print(const Explanation &e, llvm::raw_ostream &os) {
  os << e.task << ": " << text("%.4g", e.flops * 1e-9) << " GFLOP, "
     << text("%.4g", e.bytes * 1e-6) << " MB, on " << e.machine
     << (e.options.empty() ? "" : ", ") << e.options << "\n"
     << e.records << " records"
     << (e.current ? "" : " from another build of the code generator");
  if (!e.cacheState.empty())
    os << ", caches " << e.cacheState;
  if (e.otherConditions > 0)
    os << "; " << e.otherConditions << " under other conditions";
  os << "\n\nschedule: " << e.best.text << "\n  ";
  if (!e.applied)
    os << "not applied: the untuned default takes " << seconds(e.defaultSeconds)
       << ", and this is not clearly faster\n  ";
  os << outcome(e.best.measured);
  if (e.applied && e.seconds) {
    if (e.flops > 0)
      os << ", " << text("%.1f", e.flops / *e.seconds * 1e-9) << " GFLOP/s";
    if (e.defaultSeconds)
      os << "; untuned " << formatSeconds(*e.defaultSeconds) << ", speed-up "
         << text("%.2f", *e.defaultSeconds / *e.seconds);
  }
  os << "; predicted " << formatSeconds(e.best.predictedSeconds) << "\n";
  printLimits(e.best, os);
  printNeighbors(e, os);
  if (e.runnerUp) {
    os << "\nrunner-up:\n";
    printComparison(e, *e.runnerUp, "runner-up", os);
  }
  printCertainty(e, os);
  for (const WhyNot &why : e.whyNot) {
    os << "\nwhy not:\n";
    if (why.broken)
      os << "  " << why.text << "\n  it is illegal: " << why.broken->message
         << "\n";
    else
      printComparison(e, *why.comparison, "that one", os);
  }
}
