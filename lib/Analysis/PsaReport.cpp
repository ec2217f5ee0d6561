//===- PsaReport.cpp - reports of the analytical model --------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Analysis/Psa.h"

#include "llvm/Support/Format.h"

#include <cmath>

using namespace pruner;

static std::string number(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.4g", value);
  return text;
}

static std::string percent(double part) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.0f %%", 100 * part);
  return text;
}

/// "3 of 64 warps, by registers (40 of a thread)".
static std::string residentWarps(const StatementPsa &statement,
                                 const Machine &machine) {
  const Occupancy &o = statement.occupancy;
  double lanes = double(machine.lanes);
  double warps = std::ceil(statement.symbols.l1Parallel / lanes) * o.blocks;
  std::string text = number(warps) + " of " +
                     number(double(machine.maxThreadsPerUnit) / lanes) +
                     " warps, by ";
  switch (o.limit) {
  case OccupancyLimit::Grid:
    return text + "the grid of " + number(statement.symbols.l2Parallel) +
           " blocks";
  case OccupancyLimit::Blocks:
    return text + "the limit of blocks";
  case OccupancyLimit::Threads:
    return text + "the limit of threads";
  case OccupancyLimit::Registers:
    return text + "registers (" + number(o.registers) + " of a thread)";
  case OccupancyLimit::SharedMemory:
    return text + "shared memory (" + number(statement.symbols.l1Alloc) +
           " bytes of a block)";
  }
  return text;
}

std::string pruner::explainLimit(const StatementPsa &statement,
                                 const Machine &machine) {
  const Symbols &s = statement.symbols;
  const Penalties &p = statement.penalties;
  bool gpu = machine.isGpu();
  const SmCycles &c = statement.cycles;
  auto cycles = [&](double some) {
    // A statement without cycles takes no time.
    return percent(c.total() > 0 ? some / c.total() : 0) + " of the cycles";
  };
  switch (statement.limit) {
  case PsaLimit::Compute:
    return c.total() > 0 ? "multiply-adds: " + cycles(c.multiplyAdds)
                         : "the peak rate";
  case PsaLimit::Registers:
    return "registers: " + number(s.l0Alloc) + " elements of " +
           number(double(machine.registersPerThread));
  case PsaLimit::OperandLoads:
    return std::string(gpu ? "operand loads" : "operand loads and latency") +
           " of the register tile: " + percent(p.l0Compute) + " of the peak";
  case PsaLimit::Capacity:
    return "shared memory: " + number(s.l1Alloc) + " bytes of " +
           number(double(machine.sharedBytesPerBlock));
  case PsaLimit::Lanes:
    return std::string(gpu ? "idle lanes and schedulers: "
                           : "idle vector lanes: ") +
           number(s.l1Parallel) + (gpu ? " threads use " : " lanes use ") +
           percent(p.l1Compute);
  case PsaLimit::Balance:
    return "the last wave: " + number(s.l2Parallel) +
           (gpu ? " blocks on " : " chunks on ") +
           number(double(machine.units)) + (gpu ? " SMs use " : " cores use ") +
           percent(p.l2Compute);
  case PsaLimit::Cache:
    return "traffic between L1 and L2: the inner loops access " +
           number(s.l1Alloc) + " bytes, L1 has " +
           number(double(machine.l1Bytes));
  case PsaLimit::Bandwidth:
    return "memory bandwidth: " + number(statement.bytes) + " bytes";
  case PsaLimit::Transactions:
    return "memory transactions: runs of " + number(s.l2Run) + " bytes use " +
           percent(p.l2Memory) + " of pieces of " +
           number(double(machine.transactionBytes));
  case PsaLimit::Concurrency:
    return "too few bytes in flight: " + percent(p.concurrency) +
           " of what the bandwidth needs";
  case PsaLimit::Issue:
    return "instructions: " + cycles(c.issue);
  case PsaLimit::Addresses:
    return "arithmetic of addresses: " + cycles(c.integer);
  case PsaLimit::LoadStore:
    return "loads and stores: " + cycles(c.loadStore) +
           (statement.occupancy.spilled > 0
                ? ", with " + number(statement.occupancy.spilled) +
                      " registers spilled"
                : "");
  case PsaLimit::Waits:
    return "waiting: " + cycles(c.wait) + " with " +
           residentWarps(statement, machine);
  }
  return "";
}

static llvm::StringRef formName(PsaForm form) {
  switch (form) {
  case PsaForm::Throughput:
    return "throughput";
  case PsaForm::Paper:
    return "paper";
  case PsaForm::Released:
    return "released";
  }
  return "";
}

llvm::json::Value pruner::toJson(const ProgramSummary &program,
                                 const PsaReport &report) {
  llvm::json::Array statements;
  for (unsigned i = 0; i < report.statements.size(); ++i) {
    const StatementPsa &psa = report.statements[i];
    const StatementSummary &statement = program.statements[i];
    const Symbols &s = psa.symbols;
    const Penalties &p = psa.penalties;
    llvm::json::Object object{
        {"kind", statementKindName(statement.kind)},
        {"buffer", program.buffers[statement.written().buffer].name},
        {"symbols", llvm::json::Object{{"S1", s.l0Alloc},
                                       {"S2", s.l0Ops},
                                       {"S3", s.l1Alloc},
                                       {"S4", s.l1Parallel},
                                       {"S5", s.l2Traffic},
                                       {"S6", s.l2Parallel},
                                       {"S7", s.l2Run},
                                       {"S8", s.l2Ops}}},
        {"compute_seconds", psa.computeSeconds},
        {"memory_seconds", psa.memorySeconds},
        {"seconds", psa.seconds}};
    if (report.form == PsaForm::Throughput) {
      object["cycles"] =
          llvm::json::Object{{"issue", psa.cycles.issue},
                             {"multiply_adds", psa.cycles.multiplyAdds},
                             {"integer", psa.cycles.integer},
                             {"load_store", psa.cycles.loadStore},
                             {"wait", psa.cycles.wait}};
      object["occupancy"] =
          llvm::json::Object{{"blocks", psa.occupancy.blocks},
                             {"registers", psa.occupancy.registers},
                             {"spilled", psa.occupancy.spilled}};
      object["lanes_used"] = p.l1Compute;
      object["waves_used"] = p.l2Compute;
      object["bytes"] = psa.bytes;
    } else {
      object["penalties"] = llvm::json::Object{
          {"l0_memory", p.l0Memory},     {"l0_compute", p.l0Compute},
          {"l1_memory", p.l1Memory},     {"l1_compute", p.l1Compute},
          {"l2_memory", p.l2Memory},     {"l2_compute", p.l2Compute},
          {"concurrency", p.concurrency}};
      object["compute_rate"] = psa.computeRate;
      object["memory_rate"] = psa.memoryRate;
    }
    statements.push_back(std::move(object));
  }
  return llvm::json::Object{{"form", formName(report.form)},
                            {"seconds", report.seconds},
                            {"slowest", report.slowest},
                            {"statements", std::move(statements)}};
}
