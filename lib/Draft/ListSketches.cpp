//===- ListSketches.cpp - print the schedule spaces of a module -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Draft/Passes.h"
#include "pruner/Machine/MachineFile.h"
#include "pruner/ModuleTasks/ModuleTask.h"
#include "pruner/Schedule/Space.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/Support/Format.h"

namespace pruner {
#define GEN_PASS_DEF_LISTSKETCHESPASS
#include "pruner/Draft/Passes.h.inc"
} // namespace pruner

using namespace mlir;
using namespace pruner;

namespace {
struct ListSketches : pruner::impl::ListSketchesPassBase<ListSketches> {
  using ListSketchesPassBase::ListSketchesPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<func::FuncDialect, linalg::LinalgDialect,
                    tensor::TensorDialect>();
  }

  void runOnOperation() override {
    auto machine = parseTarget(target);
    if (!machine) {
      emitError(getOperation().getLoc(), "pruner-list-sketches: option "
                                         "'target': ")
          << llvm::toString(machine.takeError());
      return signalPassFailure();
    }
    auto tasks = collectTasks(getOperation(), {false, "", {*machine}});
    if (failed(tasks))
      return signalPassFailure();
    std::string text;
    llvm::raw_string_ostream os(text);
    for (const ModuleTask &task : *tasks)
      print(os, task.desc, *machine);
    llvm::errs() << text;
  }

private:
  void print(llvm::raw_ostream &os, const TaskDesc &task,
             const Machine &machine) {
    os << task.name << "\n";
    ScheduleSpace space(task, machine);
    for (const Sketch *sketch : allSketches()) {
      if (sketch->gpu != machine.isGpu())
        continue;
      if (MaybeViolation violation = sketch->fits(task))
        os << "  " << sketch->name << ": " << violation->message << "\n";
      else
        for (const SketchSpace &filled : space.sketches())
          if (filled.sketch().id == sketch->id)
            printSpace(os, filled);
    }
  }

  void printSpace(llvm::raw_ostream &os, const SketchSpace &space) {
    Random random(0);
    RejectionStats stats;
    while (stats.total() < draws)
      if (!space.sample(random, &stats))
        break;
    ++numSpaces;
    numDrawn += stats.total();
    numLegal += stats.accepted;
    double total = double(std::max<uint64_t>(1, stats.total()));
    os << "  " << space.sketch().name << ": "
       << llvm::format("%.3g schedules, %.0f %% of %llu draws legal",
                       space.size(), 100 * double(stats.accepted) / total,
                       (unsigned long long)stats.total());
    const char *separator = " (";
    for (const auto &[rule, count] : stats.rejected) {
      os << separator << rule
         << llvm::format(" %.0f %%", 100 * double(count) / total);
      separator = ", ";
    }
    os << (stats.rejected.empty() ? "\n" : ")\n");
    // Skip the first line, which repeats the name of the space.
    StringRef knobs = StringRef(describe = space.describe()).split('\n').second;
    for (StringRef line : llvm::split(knobs.rtrim(), '\n'))
      os << "  " << line << "\n";
  }

  std::string describe;
};
} // namespace
