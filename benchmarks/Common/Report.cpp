//===- Report.cpp - output of comparisons ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Report.h"

#include "Process.h"

#include "pruner/Machine/HostCpu.h"
#include "pruner/ModuleTasks/ModuleTask.h"
#include "pruner/Record/Record.h"
#include "pruner/Runtime/FmaPeak.h"

#include "llvm/Support/Format.h"

#include <cstdlib>
#include <sys/utsname.h>

using namespace pruner;
using namespace pruner::bench;
namespace json = llvm::json;

std::string bench::formatNumber(const char *format, double value) {
  std::string result;
  llvm::raw_string_ostream(result) << llvm::format(format, value);
  return result;
}

std::vector<Row> bench::rowsOf(const std::vector<Contender> &contenders) {
  std::vector<Row> rows;
  for (const Contender &contender : contenders)
    rows.push_back({&contender, summarize(contender.batches)});
  return rows;
}

json::Object bench::toJson(const Row &row) {
  const Contender &contender = *row.contender;
  const Statistics &s = row.statistics;
  json::Object object{{"name", contender.name},
                      {"role", roleName(contender.role)},
                      {"detail", contender.detail},
                      {"threads", contender.threads}};
  for (const auto &fact : contender.facts)
    object[fact.first] = fact.second;
  if (!row.usable()) {
    object["failure"] =
        contender.failure.empty() ? "not timed" : contender.failure;
    return object;
  }
  object["median_s"] = s.median;
  object["min_s"] = s.minimum;
  object["spread"] = s.spread;
  object["by_cpu_time"] = s.byCpu;
  object["kept"] = int64_t(s.kept);
  object["dropped"] = int64_t(s.dropped);
  object["cpu_share"] = s.cpuShare;
  json::Array batches;
  for (const Batch &batch : contender.batches)
    batches.push_back(
        json::Array{batch.runs, batch.wall, batch.cpu, batch.waited});
  object["batches"] = std::move(batches);
  return object;
}

json::Array bench::toJson(const Probes &probes) {
  return json::Array(probes.all());
}

void bench::printRoofs(llvm::raw_ostream &os, const Probes &flops,
                       llvm::StringRef instruction) {
  os << "roofline of one core, GFLOP/s:";
  for (double rate : flops.all())
    os << llvm::format(" %.1f", rate / 1e9);
  os << " (" << instruction << ")";
  if (flops.steadiness() < 0.97)
    os << llvm::format(", unsteady: the slowest is %.0f %% of the fastest",
                       100 * flops.steadiness());
  os << "\n";
}

json::Array bench::loadAverage() {
  double load[3];
  if (getloadavg(load, 3) != 3)
    return {};
  return json::Array{load[0], load[1], load[2]};
}

/// Describes CPU, kernel and load.
static json::Object describeMachine() {
  Machine machine = queryHostCpu();
  json::Object object{{"cpu", machine.name},
                      {"arch", machine.arch},
                      {"cores", machine.units},
                      {"fma", fmaPeakVariant()}};
  utsname names;
  if (uname(&names) == 0)
    object["kernel"] = std::string(names.sysname) + " " + names.release;
  object["load_average"] = loadAverage();
  return object;
}

json::Object bench::describeRun(llvm::StringRef benchmark,
                                std::string commandLine) {
  json::Object machine = describeMachine();
  machine["key"] = queryHostCpu().key();
  return json::Object{{"benchmark", benchmark},
                      {"time", currentTimestamp()},
                      {"command", std::move(commandLine)},
                      {"commit", sourceCommit()},
                      {"toolchain", Environment::toolchain()},
                      {"machine", std::move(machine)}};
}
