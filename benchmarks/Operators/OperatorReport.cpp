//===- OperatorReport.cpp - results of a suite ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OperatorReport.h"

#include "pruner/Support/Table.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace pruner;
using namespace pruner::bench;
namespace json = llvm::json;
using Align = Table::Align;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

void CallTimes::add(llvm::ArrayRef<Contender> contenders) {
  for (const Contender &contender : contenders) {
    Statistics statistics = summarize(contender.batches);
    if (!contender.failure.empty() || statistics.median <= 0)
      continue;
    auto [entry, isNew] =
        seconds.try_emplace(contender.name, statistics.median);
    if (!isNew)
      entry->second = std::min(entry->second, statistics.median);
  }
}

double CallTimes::of(const std::string &name) const {
  auto found = seconds.find(name);
  return found == seconds.end() ? 0 : found->second;
}

json::Object CallTimes::toJson() const {
  json::Object object;
  for (const auto &[name, time] : seconds)
    object[name] = time;
  return object;
}

OperatorSummary bench::summarize(const OperatorResult &result,
                                 const CallTimes &calls,
                                 const Machine &machine) {
  OperatorSummary summary;
  summary.rows = rowsOf(result.contenders);
  for (const Row &row : summary.rows) {
    const Contender &contender = *row.contender;
    if (!row.usable())
      continue;
    if (contender.role == Role::Tuned)
      summary.tuned = &row;
    else if (contender.name == "kernels")
      summary.kernels = &row;
    else if (contender.name == "default")
      summary.plain = &row;
    else if (contender.role != Role::Own)
      summary.peers.push_back({contender.name, contender.role,
                               row.statistics.median,
                               calls.of(contender.name)});
  }
  summary.best =
      fastestPeer(summary.peers, [](const PeerTime &) { return true; });
  summary.bestAtRunTime = fastestPeer(
      summary.peers, [](const PeerTime &p) { return p.role == Role::Peer; });
  summary.roof = roofline(result.op.flops, result.op.bytes(),
                          result.flops.best(), result.bytes.best(), machine);
  return summary;
}

static std::string time(const Row *row) {
  if (!row)
    return "-";
  return (row->statistics.byCpu ? "~" : "") +
         formatSeconds(row->statistics.median);
}

/// The peer's time over Pruner's.
static std::string ratio(const PeerTime *peer, const Row *ours) {
  return peer && ours
             ? formatNumber("%.2f", peer->net() / ours->statistics.median)
             : "-";
}

/// A remark that affects the interpretation of the numbers.
static std::string note(const OperatorResult &result,
                        const OperatorSummary &summary) {
  const Contender *tuned = nullptr;
  for (const Contender &contender : result.contenders)
    if (contender.role == Role::Tuned)
      tuned = &contender;
  if (tuned && !tuned->failure.empty())
    return tuned->failure;
  std::vector<std::string> notes;
  if (result.tasks > 0 && result.applied == 0)
    notes.push_back("left untuned");
  else if (result.applied < result.tasks)
    notes.push_back(std::to_string(result.applied) + " of " +
                    std::to_string(result.tasks) + " tasks tuned");
  else if (result.tasks > 1)
    notes.push_back(std::to_string(result.tasks) + " tasks");
  if (result.tasks == 0)
    notes.push_back("no tasks");
  // The gain below which tuning does not prefer a schedule.
  else if (result.applied == result.tasks && summary.tuned && summary.plain &&
           summary.tuned->statistics.median >
               0.97 * summary.plain->statistics.median)
    notes.push_back("no faster than untuned");
  if (result.flops.steadiness() < 0.97)
    notes.push_back(formatNumber("unsteady roofline, %.0f %%",
                                 100 * result.flops.steadiness()));
  return llvm::join(notes, ", ");
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

void bench::printProgress(llvm::raw_ostream &os, const OperatorResult &result,
                          const OperatorSummary &summary) {
  os << result.op.name << ": " << time(summary.tuned);
  if (summary.best)
    os << ", best peer " << summary.best->name << " "
       << formatSeconds(summary.best->net()) << ", ratio "
       << ratio(summary.best, summary.tuned);
  if (summary.tuned)
    os << formatNumber(", %.0f %% of roof",
                       100 * summary.roofShare(*summary.tuned));
  os << "\n";
  for (const Row &row : summary.rows)
    if (!row.usable())
      os << "  " << row.contender->name << ": "
         << (row.contender->failure.empty() ? "not timed"
                                            : row.contender->failure)
         << "\n";
}

void bench::printContenders(llvm::raw_ostream &os, const OperatorResult &result,
                            const OperatorSummary &summary) {
  Table table({{"contender", Align::Left},
               {"threads", Align::Right},
               {"median", Align::Right},
               {"min", Align::Right},
               {"spread", Align::Right},
               {"GFLOP/s", Align::Right},
               {"% of roof", Align::Right},
               {"of best peer", Align::Right},
               {"kept", Align::Right},
               {"dropped", Align::Right},
               {"cpu/wall", Align::Right},
               {"", Align::Left}});
  for (const Row &row : summary.rows) {
    const Contender &contender = *row.contender;
    const Statistics &s = row.statistics;
    if (!row.usable()) {
      table.addRow(
          {contender.name, "", "-", "", "", "", "", "", "", "", "",
           contender.failure.empty() ? "not timed" : contender.failure});
      continue;
    }
    table.addRow({contender.name, std::to_string(contender.threads), time(&row),
                  formatSeconds(s.minimum), formatNumber("%.2f", s.spread),
                  result.op.flops > 0
                      ? formatNumber("%.1f", result.op.flops / s.median / 1e9)
                      : "-",
                  formatNumber("%.1f", 100 * summary.roofShare(row)),
                  ratio(summary.best, &row), std::to_string(s.kept),
                  std::to_string(s.dropped), formatNumber("%.2f", s.cpuShare),
                  contender.detail});
  }
  os << "\n" << result.op.name << "\n";
  table.print(os);
  printRoofs(os, result.flops, result.instruction);
}

static void printOperators(llvm::raw_ostream &os,
                           llvm::ArrayRef<OperatorResult> results,
                           const CallTimes &calls, const Machine &machine) {
  Table table({{"operator", Align::Left},
               {"pruner", Align::Right},
               {"kernels", Align::Right},
               {"default", Align::Right},
               {"best peer", Align::Right},
               {"", Align::Left},
               {"ratio", Align::Right},
               {"run-time weights", Align::Right},
               {"% of roof", Align::Right},
               {"bound", Align::Left},
               {"trials", Align::Right},
               {"", Align::Left},
               {"the schedule's limit", Align::Left}});
  for (const OperatorResult &result : results) {
    OperatorSummary s = summarize(result, calls, machine);
    table.addRow(
        {result.op.name, time(s.tuned), time(s.kernels), time(s.plain),
         s.best ? formatSeconds(s.best->net()) : "-",
         s.best ? s.best->name : "", ratio(s.best, s.tuned),
         ratio(s.bestAtRunTime, s.tuned),
         s.tuned ? formatNumber("%.0f", 100 * s.roofShare(*s.tuned)) : "-",
         s.roof.bound, std::to_string(result.trials), note(result, s),
         result.limit});
  }
  table.print(os);
  os << "best peer, ratio: peers of any kind, also with prepared weights and "
        "other layouts; the time of an empty call is subtracted\n";
}

/// Times of calls, one column per peer.
static void printPeers(llvm::raw_ostream &os,
                       llvm::ArrayRef<OperatorResult> results,
                       const CallTimes &calls, const Machine &machine) {
  std::vector<std::string> names;
  for (const OperatorResult &result : results)
    for (const PeerTime &peer : summarize(result, calls, machine).peers)
      if (!llvm::is_contained(names, peer.name))
        names.push_back(peer.name);
  if (names.empty())
    return;
  std::vector<Table::Column> columns{{"as called", Align::Left}};
  for (const std::string &name : names)
    columns.push_back({name, Align::Right});
  Table table(std::move(columns));
  for (const OperatorResult &result : results) {
    std::vector<std::string> cells{result.op.name};
    OperatorSummary s = summarize(result, calls, machine);
    for (const std::string &name : names) {
      const PeerTime *found = fastestPeer(
          s.peers, [&](const PeerTime &peer) { return peer.name == name; });
      cells.push_back(found ? formatSeconds(found->seconds) : "-");
    }
    table.addRow(std::move(cells));
  }
  std::vector<std::string> cells{"an empty call"};
  for (const std::string &name : names)
    cells.push_back(formatSeconds(calls.of(name)));
  table.addRow(std::move(cells));
  os << "\n";
  table.print(os);
}

static Comparison compare(llvm::ArrayRef<OperatorResult> results,
                          const CallTimes &calls, const Machine &machine) {
  Comparison comparison;
  for (const OperatorResult &result : results) {
    OperatorSummary s = summarize(result, calls, machine);
    if (s.tuned)
      comparison.add(result.op.name, s.tuned->statistics.median, s.peers);
  }
  return comparison;
}

void bench::printSuite(llvm::raw_ostream &os,
                       llvm::ArrayRef<OperatorResult> results,
                       const CallTimes &calls, const Machine &machine) {
  printOperators(os, results, calls, machine);
  printPeers(os, results, calls, machine);
  std::vector<ComparisonRow> rows = compare(results, calls, machine).rows();
  os << "\nTheir time / pruner's (above 1, pruner is faster), geometric means; "
     << results.size() << " operators\n";
  Table table({{"peer", Align::Left},
               {"ratio", Align::Right},
               {"as called", Align::Right},
               {"operators", Align::Right},
               {"least", Align::Right},
               {"", Align::Left},
               {"most", Align::Right},
               {"", Align::Left}});
  for (const ComparisonRow &row : rows)
    table.addRow({row.peer, formatNumber("%.3f", row.mean),
                  formatNumber("%.3f", row.asCalled), std::to_string(row.count),
                  formatNumber("%.2f", row.least), row.leastAt,
                  formatNumber("%.2f", row.most), row.mostAt});
  if (!rows.empty())
    table.print(os);
  // One line for each instruction whose rate is a ceiling.
  std::map<std::string, Probes> roofs;
  for (const OperatorResult &result : results)
    for (double rate : result.flops.all())
      roofs[result.instruction].add(rate);
  for (const auto &[instruction, all] : roofs)
    os << formatNumber("roofline of one core: %.1f Gop/s", all.best() / 1e9)
       << " (" << instruction << ")"
       << formatNumber(", the slowest probe %.0f %% of it\n",
                       100 * all.steadiness());
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static json::Object toJson(const OperatorResult &result, const CallTimes &calls,
                           const Machine &machine) {
  OperatorSummary s = summarize(result, calls, machine);
  json::Array contenders;
  for (const Row &row : s.rows) {
    json::Object object = toJson(row);
    if (row.usable()) {
      object["roof_share"] = s.roofShare(row);
      object["call_s"] = calls.of(row.contender->name);
    }
    contenders.push_back(std::move(object));
  }
  json::Object parameters;
  for (const auto &[name, numbers] : result.op.parameters)
    parameters[name] = json::Array(numbers);
  json::Object object{{"name", result.op.name},
                      {"kind", result.op.kind},
                      {"parameters", std::move(parameters)},
                      {"types", result.op.types->name},
                      {"flops", result.op.flops},
                      {"bytes", result.op.bytes()},
                      {"roof_s", s.roof.seconds()},
                      {"bound", s.roof.bound},
                      {"roof_flops_per_s", toJson(result.flops)},
                      {"roof_instruction", result.instruction},
                      {"roof_bytes_per_s", toJson(result.bytes)},
                      {"trials", int64_t(result.trials)},
                      {"tasks", json::Array(result.taskFacts)},
                      {"tuned_tasks", int64_t(result.applied)},
                      {"note", note(result, s)},
                      {"limit", result.limit},
                      {"contenders", std::move(contenders)}};
  if (s.tuned)
    object["pruner_s"] = s.tuned->statistics.median;
  auto versus = [&](const char *name, const PeerTime *peer) {
    if (!peer)
      return;
    json::Object best{{"name", peer->name},
                      {"role", roleName(peer->role)},
                      {"seconds", peer->seconds},
                      {"net_s", peer->net()}};
    if (s.tuned) {
      best["ratio"] = peer->net() / s.tuned->statistics.median;
      best["ratio_as_called"] = peer->seconds / s.tuned->statistics.median;
    }
    object[name] = std::move(best);
  };
  versus("best_peer", s.best);
  versus("best_peer_weights_at_run_time", s.bestAtRunTime);
  return object;
}

json::Object bench::toJson(llvm::ArrayRef<OperatorResult> results,
                           const CallTimes &calls, const Machine &machine) {
  json::Array operators, summary;
  for (const OperatorResult &result : results)
    operators.push_back(::toJson(result, calls, machine));
  for (const ComparisonRow &row : compare(results, calls, machine).rows())
    summary.push_back(json::Object{{"peer", row.peer},
                                   {"operators", int64_t(row.count)},
                                   {"ratio", row.mean},
                                   {"ratio_as_called", row.asCalled},
                                   {"least", row.least},
                                   {"least_at", row.leastAt},
                                   {"most", row.most},
                                   {"most_at", row.mostAt}});
  return json::Object{{"empty_call_s", calls.toJson()},
                      {"operators", std::move(operators)},
                      {"summary", std::move(summary)}};
}
