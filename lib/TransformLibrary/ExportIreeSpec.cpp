//===- ExportIreeSpec.cpp - pruner-export-iree-spec -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/TransformLibrary/Passes.h"

#include "IreeConfig.h"
#include "IreeSpec.h"
#include "Sites.h"

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Support/OutputFile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace pruner {
#define GEN_PASS_DEF_EXPORTIREESPECPASS
#include "pruner/TransformLibrary/Passes.h.inc"
} // namespace pruner

using namespace mlir;
using namespace pruner;

namespace {

struct ExportIreeSpecPass
    : public pruner::impl::ExportIreeSpecPassBase<ExportIreeSpecPass> {
  using ExportIreeSpecPassBase::ExportIreeSpecPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<PrunerDialect, arith::ArithDialect, func::FuncDialect,
                    linalg::LinalgDialect, math::MathDialect,
                    tensor::TensorDialect>();
  }
  void runOnOperation() override {
    if (failed(write()))
      signalPassFailure();
  }

  LogicalResult fail(const Twine &message) {
    return emitError(getOperation().getLoc(), "pruner-export-iree-spec: ")
           << message;
  }
  LogicalResult write();
  void add(const Site &site, IreeTarget to, IreeVersion version);

  struct Entry {
    IreeEntry entry;
    const ScheduledTask *task;
  };
  std::vector<Entry> entries;
  SiteRemarks remarks;
};

} // namespace

void ExportIreeSpecPass::add(const Site &site, IreeTarget to,
                             IreeVersion version) {
  const ScheduledTask &task = *site.task;
  std::string whose = "the schedule of '" + task.name + "' is ";
  auto leave = [&](llvm::Error error) {
    ++numLeft;
    remarks.emit(site,
                 whose + "not exported: " + llvm::toString(std::move(error)));
  };
  llvm::Expected<std::string> conditions = ireeConditions(site.anchor);
  if (!conditions)
    return leave(conditions.takeError());
  llvm::Expected<IreeConfig> config = ireeConfig(site, to, version);
  if (!config)
    return leave(config.takeError());
  ++numSites;
  std::string name = "match_" + task.name;
  unsigned ofTask = 0;
  for (const Entry &other : entries) {
    if (other.entry.conditions == *conditions) {
      if (other.task != &task)
        remarks.emit(site, "IREE's matchers cannot distinguish this op of '" +
                               task.name + "' from ops of '" +
                               other.task->name + "', whose schedule it gets");
      return;
    }
    ofTask += other.task->name == task.name;
  }
  if (ofTask)
    name += "_" + std::to_string(ofTask);
  for (const std::string &lost : config->lost)
    remarks.emit(site, whose + "exported without " + lost);
  entries.push_back({{name, *conditions, config->text}, &task});
}

LogicalResult ExportIreeSpecPass::write() {
  entries.clear();
  remarks = SiteRemarks();
  if (schedules.empty())
    return fail("option 'schedules': expected a file");
  if (output.empty())
    return fail("option 'output': expected a file");
  if (target != "llvm-cpu" && target != "cuda")
    return fail("option 'target': unknown target '" + target +
                "'; expected 'llvm-cpu' or 'cuda'");
  llvm::Expected<IreeVersion> version = IreeVersion::parse(ireeVersion);
  if (!version)
    return fail("option 'iree-version': " +
                llvm::toString(version.takeError()));
  FailureOr<Sites> found =
      findSites(getOperation(), schedules,
                [&](const Twine &message) { return fail(message); });
  if (failed(found))
    return failure();
  for (const Site &site : found->sites)
    add(site, target == "cuda" ? IreeTarget::Cuda : IreeTarget::Cpu, *version);
  numTasks = found->tasks.size();
  numMatchers = entries.size();
  std::vector<IreeEntry> written;
  for (const Entry &entry : entries)
    written.push_back(entry.entry);
  llvm::Error error = writeOutputFile(output, [&](llvm::raw_ostream &os) {
    os << ireeSpec(written);
    return llvm::Error::success();
  });
  if (error)
    return fail("option 'output': '" + output +
                "': " + llvm::toString(std::move(error)));
  return success();
}
