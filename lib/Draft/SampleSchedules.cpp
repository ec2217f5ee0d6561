//===- SampleSchedules.cpp - random legal schedules as JSON lines ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Draft/Passes.h"
#include "pruner/ModuleTasks/ModuleTask.h"
#include "pruner/Pipelines/GeneratorIdentity.h"
#include "pruner/Record/RecordJson.h"
#include "pruner/Schedule/Space.h"
#include "pruner/Support/JsonLines.h"
#include "pruner/Support/OutputFile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace pruner {
#define GEN_PASS_DEF_SAMPLEPASS
#include "pruner/Draft/Passes.h.inc"
} // namespace pruner

using namespace mlir;
using namespace pruner;

namespace {
struct SampleSchedules : pruner::impl::SamplePassBase<SampleSchedules> {
  using SamplePassBase::SamplePassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<PrunerDialect, func::FuncDialect, linalg::LinalgDialect,
                    tensor::TensorDialect>();
  }

  void runOnOperation() override {
    if (failed(sampleAll()))
      signalPassFailure();
  }

private:
  LogicalResult fail(const Twine &message) {
    return emitError(getOperation().getLoc(), "pruner-sample: ") << message;
  }

  LogicalResult sampleAll() {
    if (output.empty())
      return fail("option 'out' must name a file");
    auto environment = Environment::create(target, threads);
    if (!environment)
      return fail(llvm::toString(environment.takeError()));
    auto tasks = collectTasks(
        getOperation(),
        {environment->machine.isGpu(), "", {environment->machine}});
    if (failed(tasks))
      return failure();
    llvm::Error error = writeOutputFile(output, [&](llvm::raw_ostream &os) {
      for (const ModuleTask &task : *tasks)
        sample(os, task, *environment);
      return llvm::Error::success();
    });
    if (error)
      return fail("'" + output + "': " + llvm::toString(std::move(error)));
    return success();
  }

  void sample(llvm::raw_ostream &os, const ModuleTask &task,
              const Environment &environment) {
    llvm::json::Object line = toJson(task.stored());
    (*line.getObject("pruner"))["environment"] =
        llvm::json::Object{{"target", environment.target.str()},
                           {"machine", environment.machineKey()},
                           {"pipeline_options", environment.pipelineOptions()},
                           {"toolchain", Environment::toolchain()},
                           {"generator", generatorIdentity()},
                           {"host", environment.machine.name},
                           {"version", Environment::prunerVersion()}};
    os << toJsonLine(line) << "\n";
    ++numTasks;
    ScheduleSpace space(task.desc, environment.machine);
    Random random(seed);
    space.sampleDistinct(count, random, [&](const Schedule &schedule) {
      std::string text;
      llvm::raw_string_ostream(text)
          << ScheduleAttr::get(&getContext(), schedule);
      ++numSchedules;
      os << toJsonLine(
                llvm::json::Object{{"key", task.key}, {"schedule", text}})
         << "\n";
    });
  }
};
} // namespace
