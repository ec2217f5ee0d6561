//===- MatmulReport.cpp - one product's contenders ------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatmulReport.h"

#include "pruner/Support/Table.h"

using namespace pruner;
using namespace pruner::bench;
namespace json = llvm::json;

static bool isPeer(const Contender &contender) {
  return contender.role == Role::Peer;
}

void bench::printShape(llvm::raw_ostream &os, const ShapeResult &result) {
  std::vector<Row> rows = rowsOf(result.contenders);
  const Row *peer = fastest(rows, isPeer);
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
    if (!row.usable()) {
      table.addRow(
          {contender.name, "", "-", "", "", "", "", "", "", "", "",
           contender.failure.empty() ? "not timed" : contender.failure});
      continue;
    }
    double rate = result.shape.flops() / s.median;
    double roof = result.roofs.best() * contender.threads;
    table.addRow(
        {contender.name, std::to_string(contender.threads),
         (s.byCpu ? "~" : "") + formatSeconds(s.median),
         formatSeconds(s.minimum), formatNumber("%.2f", s.spread),
         formatNumber("%.1f", rate / 1e9),
         formatNumber("%.1f", 100 * rate / roof),
         peer ? formatNumber("%.3f", peer->statistics.median / s.median) : "",
         std::to_string(s.kept), std::to_string(s.dropped),
         formatNumber("%.2f", s.cpuShare), contender.detail});
  }
  os << "\n" << result.shape.text() << "\n";
  table.print(os);
  printRoofs(os, result.roofs);
}

json::Object bench::toJson(const ShapeResult &result) {
  json::Array contenders;
  std::vector<Row> rows = rowsOf(result.contenders);
  const Row *peer = fastest(rows, isPeer);
  for (const Row &row : rows) {
    json::Object object = toJson(row);
    if (row.usable()) {
      double rate = result.shape.flops() / row.statistics.median;
      object["flops_per_s"] = rate;
      object["roof_share"] =
          rate / (result.roofs.best() * row.contender->threads);
      if (peer)
        object["speed_of_best_peer"] =
            peer->statistics.median / row.statistics.median;
    }
    contenders.push_back(std::move(object));
  }
  return json::Object{{"m", result.shape.m},
                      {"n", result.shape.n},
                      {"k", result.shape.k},
                      {"threads", result.threads},
                      {"roof_flops_per_s", toJson(result.roofs)},
                      {"contenders", std::move(contenders)}};
}
