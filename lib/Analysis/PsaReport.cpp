//===- PsaReport.cpp - reports of the analytical model --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PsaDetail.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"

using namespace pruner;
using namespace pruner::detail;

std::string detail::number(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.4g", value);
  return text;
}

std::string detail::percent(double part) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.0f %%", 100 * part);
  return text;
}

/// "conflict misses between operands: 40 % of the time".
static std::string explainTerm(const StatementPsa &statement,
                               const Machine &machine) {
  const ModelTerm &term = *statement.limitTerm;
  llvm::ArrayRef<const ModelTerm *> terms =
      machine.isGpu() ? gpuTerms() : cpuTerms();
  size_t index = llvm::find(terms, &term) - terms.begin();
  // A statement without any work is over at once.
  double part = statement.seconds > 0
                    ? statement.termSeconds[index] / statement.seconds
                    : 0;
  return term.summary.str() + ": " +
         term.explain(statement, machine, percent(part) + " of the time");
}

std::string pruner::explainLimit(const StatementPsa &statement,
                                 const Machine &machine) {
  if (statement.limitTerm)
    return explainTerm(statement, machine);
  const Symbols &s = statement.symbols;
  const Penalties &p = statement.penalties;
  switch (statement.limit) {
  case PsaLimit::Compute:
    return "the peak rate";
  case PsaLimit::Registers:
    return "registers: " + number(s.l0Alloc) + " elements of " +
           number(double(machine.registersPerThread));
  case PsaLimit::OperandLoads:
    return "operand loads of the register tile: " + percent(p.l0Compute) +
           " of the peak";
  case PsaLimit::Capacity:
    return "shared memory: " + number(s.l1Alloc) + " bytes of " +
           number(double(machine.sharedBytesPerBlock));
  case PsaLimit::Lanes:
    return "idle lanes and schedulers: " + number(s.l1Parallel) +
           " threads use " + percent(p.l1Compute);
  case PsaLimit::Balance:
    return "the last wave: " + number(s.l2Parallel) + " blocks on " +
           number(double(machine.units)) + " SMs use " + percent(p.l2Compute);
  case PsaLimit::Bandwidth:
    return "memory bandwidth: " + number(statement.bytes) + " bytes";
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

static llvm::StringRef formName(PsaForm form) {
  switch (form) {
  case PsaForm::Cpu:
    return "cpu";
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
                             {"tensor", psa.cycles.tensor},
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
    if (psa.limitTerm) {
      llvm::json::Object seconds;
      for (auto [term, value] : llvm::zip_equal(
               program.gpu ? gpuTerms() : cpuTerms(), psa.termSeconds))
        seconds[term->name] = value;
      object["term_seconds"] = std::move(seconds);
    }
    statements.push_back(std::move(object));
  }
  return llvm::json::Object{{"form", formName(report.form)},
                            {"seconds", report.seconds},
                            {"slowest", report.slowest},
                            {"statements", std::move(statements)}};
}
