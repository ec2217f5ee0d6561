//===- Report.cpp - tables and JSON of a comparison -----------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "pruner/Machine/HostCpu.h"
#include "pruner/Runtime/FmaPeak.h"
#include "pruner/Support/Table.h"

#include "llvm/Support/Format.h"

#include <algorithm>
#include <cstdlib>
#include <sys/utsname.h>

using namespace pruner;
using namespace pruner::bench;
namespace json = llvm::json;

static std::string text(const char *format, double value) {
  std::string result;
  llvm::raw_string_ostream(result) << llvm::format(format, value);
  return result;
}

double ShapeResult::roof(unsigned count) const {
  double best = 0;
  for (double roof : roofs)
    best = std::max(best, roof);
  return best * count;
}

double ShapeResult::steadiness() const {
  if (roofs.empty())
    return 1;
  return *std::min_element(roofs.begin(), roofs.end()) / roof(1);
}

namespace {
struct Row {
  const Contender *contender;
  Statistics statistics;
};
} // namespace

static std::vector<Row> rowsOf(const ShapeResult &result) {
  std::vector<Row> rows;
  for (const Contender &contender : result.contenders)
    rows.push_back({&contender, summarize(contender.batches)});
  return rows;
}

static bool usable(const Row &row) {
  return row.contender->failure.empty() && row.statistics.median > 0;
}

/// The fastest contender of a role, or null.
static const Row *fastest(const std::vector<Row> &rows, Role role) {
  const Row *best = nullptr;
  for (const Row &row : rows)
    if (usable(row) && row.contender->role == role &&
        (!best || row.statistics.median < best->statistics.median))
      best = &row;
  return best;
}

void bench::printShape(llvm::raw_ostream &os, const ShapeResult &result) {
  std::vector<Row> rows = rowsOf(result);
  const Row *peer = fastest(rows, Role::Peer);
  using Align = Table::Align;
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
  for (const Row &row : rows) {
    const Contender &contender = *row.contender;
    const Statistics &s = row.statistics;
    if (!usable(row)) {
      table.addRow(
          {contender.name, "", "-", "", "", "", "", "", "", "", "",
           contender.failure.empty() ? "not timed" : contender.failure});
      continue;
    }
    double rate = result.shape.flops() / s.median;
    table.addRow({contender.name, std::to_string(contender.threads),
                  (s.byCpu ? "~" : "") + formatSeconds(s.median),
                  formatSeconds(s.minimum), text("%.2f", s.spread),
                  text("%.1f", rate / 1e9),
                  text("%.1f", 100 * rate / result.roof(contender.threads)),
                  peer ? text("%.3f", peer->statistics.median / s.median) : "",
                  std::to_string(s.kept), std::to_string(s.dropped),
                  text("%.2f", s.cpuShare), contender.detail});
  }
  os << "\n" << result.shape.text() << "\n";
  table.print(os);
  os << "one core's roof, GFLOP/s:";
  for (double roof : result.roofs)
    os << llvm::format(" %.1f", roof / 1e9);
  os << " (" << fmaPeakVariant() << ")";
  if (result.steadiness() < 0.97)
    os << llvm::format(", unsteady: the slowest is %.0f %% of the fastest",
                       100 * result.steadiness());
  os << "\n";
}

json::Object bench::toJson(const ShapeResult &result) {
  json::Array contenders, roofs;
  for (double roof : result.roofs)
    roofs.push_back(roof);
  std::vector<Row> rows = rowsOf(result);
  const Row *peer = fastest(rows, Role::Peer);
  for (const Row &row : rows) {
    const Contender &contender = *row.contender;
    const Statistics &s = row.statistics;
    json::Object object{{"name", contender.name},
                        {"role", roleName(contender.role)},
                        {"detail", contender.detail},
                        {"threads", contender.threads}};
    if (!usable(row)) {
      object["failure"] = contender.failure;
      contenders.push_back(std::move(object));
      continue;
    }
    double rate = result.shape.flops() / s.median;
    object["median_s"] = s.median;
    object["min_s"] = s.minimum;
    object["spread"] = s.spread;
    object["flops_per_s"] = rate;
    object["roof_share"] = rate / result.roof(contender.threads);
    if (peer)
      object["speed_of_best_peer"] = peer->statistics.median / s.median;
    object["by_cpu_time"] = s.byCpu;
    object["kept"] = int64_t(s.kept);
    object["dropped"] = int64_t(s.dropped);
    object["cpu_share"] = s.cpuShare;
    json::Array batches;
    for (const Batch &batch : contender.batches)
      batches.push_back(
          json::Array{batch.runs, batch.wall, batch.cpu, batch.waited});
    object["batches"] = std::move(batches);
    for (const auto &fact : contender.facts)
      object[fact.first] = fact.second;
    contenders.push_back(std::move(object));
  }
  return json::Object{{"m", result.shape.m},
                      {"n", result.shape.n},
                      {"k", result.shape.k},
                      {"threads", result.threads},
                      {"roof_flops_per_s", std::move(roofs)},
                      {"contenders", std::move(contenders)}};
}

json::Object bench::describeMachine() {
  Machine machine = queryHostCpu();
  json::Object object{{"cpu", machine.name},
                      {"arch", machine.arch},
                      {"cores", machine.units},
                      {"fma", fmaPeakVariant()}};
  utsname names;
  if (uname(&names) == 0)
    object["kernel"] = std::string(names.sysname) + " " + names.release;
  double load[3];
  if (getloadavg(load, 3) == 3)
    object["load_average"] = json::Array{load[0], load[1], load[2]};
  return object;
}
