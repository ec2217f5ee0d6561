//===- Psa.cpp - report the analytical model's estimates ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TargetOption.h"

#include "pruner/Analysis/SummaryFromIR.h"
#include "pruner/Dialect/Pruner/Transforms/Passes.h"
#include "pruner/Support/OutputFile.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/Format.h"

namespace pruner {
#define GEN_PASS_DEF_PSAPASS
#include "pruner/Dialect/Pruner/Transforms/Passes.h.inc"
} // namespace pruner

using namespace mlir;
using namespace pruner;

/// Formats with six significant digits, so counts below a million are exact.
static std::string number(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.6g", value);
  return text;
}

/// Formats names and values for the notes: "S1 = 70, S2 = 512".
static std::string list(ArrayRef<std::pair<const char *, double>> named) {
  std::string text;
  for (auto [name, value] : named)
    text +=
        (text.empty() ? "" : ", ") + std::string(name) + " = " + number(value);
  return text;
}

/// "loads = 0.26, l2 = 0.1": the terms that cost something, in microseconds.
static std::string termList(const StatementPsa &psa) {
  SmallVector<std::pair<const char *, double>> named;
  for (auto [term, seconds] : llvm::zip_equal(cpuTerms(), psa.termSeconds))
    if (seconds > 0)
      named.push_back({term->name.data(), seconds * 1e6});
  return list(named);
}

static void remarkStatement(Operation *op, StringRef what, PsaForm form,
                            const StatementPsa &psa, const Machine &machine) {
  const Symbols &s = psa.symbols;
  const Penalties &p = psa.penalties;
  InFlightDiagnostic remark =
      op->emitRemark() << what << ": " << number(psa.seconds * 1e6)
                       << " us, compute " << number(psa.computeSeconds * 1e6)
                       << (form == PsaForm::Throughput ? ", memory "
                                                       : " + memory ")
                       << number(psa.memorySeconds * 1e6) << ", limited by "
                       << explainLimit(psa, machine);
  remark.attachNote() << list({{"S1", s.l0Alloc},
                               {"S2", s.l0Ops},
                               {"S3", s.l1Alloc},
                               {"S4", s.l1Parallel},
                               {"S5", s.l2Traffic},
                               {"S6", s.l2Parallel},
                               {"S7", s.l2Run},
                               {"S8", s.l2Ops}});
  if (form == PsaForm::Throughput)
    remark.attachNote() << list({{"issue", psa.cycles.issue},
                                 {"multiply-adds", psa.cycles.multiplyAdds},
                                 {"integer", psa.cycles.integer},
                                 {"load/store", psa.cycles.loadStore},
                                 {"tensor", psa.cycles.tensor},
                                 {"wait", psa.cycles.wait},
                                 {"blocks", psa.occupancy.blocks},
                                 {"registers", psa.occupancy.registers},
                                 {"spilled", psa.occupancy.spilled},
                                 {"lanes used", p.l1Compute},
                                 {"waves used", p.l2Compute},
                                 {"bytes", psa.bytes}});
  else
    remark.attachNote() << list({{"P_l0,m", p.l0Memory},
                                 {"P_l0,c", p.l0Compute},
                                 {"P_l1,m", p.l1Memory},
                                 {"P_l1,c", p.l1Compute},
                                 {"P_l2,m", p.l2Memory},
                                 {"P_l2,c", p.l2Compute},
                                 {"concurrency", p.concurrency}});
  if (form == PsaForm::Cpu)
    remark.attachNote() << termList(psa);
}

namespace {
struct PsaPass : public pruner::impl::PsaPassBase<PsaPass> {
  using PsaPassBase::PsaPassBase;

  void runOnOperation() override {
    TargetOption machines(target, getOperation());
    // All kernels of a function form one program.
    SmallVector<KernelOp> kernels;
    getOperation().walk([&](KernelOp kernel) {
      if (kernel == *kernel->getBlock()->getOps<KernelOp>().begin())
        kernels.push_back(kernel);
    });
    llvm::json::Array reports;
    for (KernelOp kernel : kernels)
      if (failed(analyze(kernel, machines, reports)))
        return signalPassFailure();
    if (format == PsaFormat::Json && failed(write(std::move(reports))))
      return signalPassFailure();
    if (!annotate)
      markAllAnalysesPreserved();
  }

  LogicalResult analyze(KernelOp kernel, TargetOption &machines,
                        llvm::json::Array &reports) {
    const Machine *machine = machines.get(kernel.isGpu());
    if (!machine)
      return failure();
    if (machine->isGpu() != kernel.isGpu())
      return kernel.emitError("the kernel is for ")
             << stringifyTargetKind(kernel.getTarget()) << ", but the machine "
             << machine->name << " is a " << (machine->isGpu() ? "GPU" : "CPU");
    FailureOr<KernelSummary> read = summarizeKernels(kernel);
    if (failed(read))
      return failure();
    const ProgramSummary &summary = read->summary;
    PsaReport report = analyzePsa(summary, *machine, {form, threads});
    if (format == PsaFormat::Json)
      reports.push_back(toObject(kernel, summary, report, *machine));
    else
      remark(kernel, *read, report, *machine);
    if (annotate) {
      for (auto [op, psa] : llvm::zip_equal(read->ops, report.statements))
        leave(op, psa.seconds, explainLimit(psa, *machine));
      leave(kernel, report.seconds, machine->name);
    }
    ++numKernels;
    numStatements += report.statements.size();
    return success();
  }

  static void remark(KernelOp kernel, const KernelSummary &read,
                     const PsaReport &report, const Machine &machine) {
    const ProgramSummary &summary = read.summary;
    for (auto [n, psa] : llvm::enumerate(report.statements)) {
      const StatementSummary &statement = summary.statements[n];
      std::string what = (statementKindName(statement.kind) + " " +
                          summary.buffers[statement.written().buffer].name)
                             .str();
      remarkStatement(read.ops[n], what, report.form, psa, machine);
    }
    InFlightDiagnostic total = kernel.emitRemark()
                               << number(report.seconds * 1e6) << " us on "
                               << machine.name;
    if (report.slowest >= 0)
      total << ", most of it in statement " << report.slowest;
  }

  static llvm::json::Value toObject(KernelOp kernel,
                                    const ProgramSummary &summary,
                                    const PsaReport &report,
                                    const Machine &machine) {
    llvm::json::Value value = toJson(summary, report);
    llvm::json::Object &object = *value.getAsObject();
    if (auto function = kernel->getParentOfType<FunctionOpInterface>())
      object["name"] = function.getName().str();
    object["machine"] = machine.name;
    llvm::json::Array &statements = *object.getArray("statements");
    for (auto [n, psa] : llvm::enumerate(report.statements))
      (*statements[n].getAsObject())["limit"] = explainLimit(psa, machine);
    return value;
  }

  static void leave(Operation *op, double seconds, StringRef limit) {
    Builder builder(op->getContext());
    bool total = isa<KernelOp>(op);
    op->setAttr("pruner.psa",
                builder.getDictionaryAttr(
                    {builder.getNamedAttr(total ? "machine" : "limit",
                                          builder.getStringAttr(limit)),
                     builder.getNamedAttr("seconds",
                                          builder.getF64FloatAttr(seconds))}));
  }

  LogicalResult write(llvm::json::Array reports) {
    llvm::json::Value all = llvm::json::Object{{"kernels", std::move(reports)}};
    if (output.empty()) {
      llvm::errs() << llvm::formatv("{0:2}", all) << "\n";
      return success();
    }
    llvm::Error error = writeOutputFile(output, [&](llvm::raw_ostream &os) {
      os << llvm::formatv("{0:2}", all) << "\n";
      return llvm::Error::success();
    });
    if (error)
      return getOperation().emitError("'")
             << output << "': " << llvm::toString(std::move(error));
    return success();
  }
};
} // namespace
