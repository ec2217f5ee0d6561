//===- PsaReport.cpp - the draft model's findings for people --------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Analysis/Psa.h"

#include "llvm/Support/Format.h"

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

std::string pruner::explainLimit(const StatementPsa &statement,
                                 const Machine &machine) {
  const Symbols &s = statement.symbols;
  const Penalties &p = statement.penalties;
  bool gpu = machine.isGpu();
  switch (statement.limit) {
  case PsaLimit::Compute:
    return "the peak rate";
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
    return "traffic between L1 and L2: the inner loops touch " +
           number(s.l1Alloc) + " bytes, L1 has " +
           number(double(machine.l1Bytes));
  case PsaLimit::Bandwidth:
    return "memory bandwidth: " + number(s.l2Traffic) + " bytes";
  case PsaLimit::Transactions:
    return "memory transactions: runs of " + number(s.l2Run) + " bytes use " +
           percent(p.l2Memory) + " of pieces of " +
           number(double(machine.transactionBytes));
  case PsaLimit::Concurrency:
    return "too few bytes in flight: " + percent(p.concurrency) +
           " of what the bandwidth needs";
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
    statements.push_back(llvm::json::Object{
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
        {"penalties", llvm::json::Object{{"l0_memory", p.l0Memory},
                                         {"l0_compute", p.l0Compute},
                                         {"l1_memory", p.l1Memory},
                                         {"l1_compute", p.l1Compute},
                                         {"l2_memory", p.l2Memory},
                                         {"l2_compute", p.l2Compute},
                                         {"concurrency", p.concurrency}}},
        {"compute_rate", psa.computeRate},
        {"memory_rate", psa.memoryRate},
        {"compute_seconds", psa.computeSeconds},
        {"memory_seconds", psa.memorySeconds},
        {"seconds", psa.seconds}});
  }
  return llvm::json::Object{{"seconds", report.seconds},
                            {"slowest", report.slowest},
                            {"statements", std::move(statements)}};
}
