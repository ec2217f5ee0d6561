//===- TuneTask.cpp - a task on its way through tuning --------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Tune/TuneTask.h"

#include "RemarkGroups.h"

#include "pruner/Analysis/TaskFromIR.h"
#include "pruner/Conversion/ExtractTasks/Passes.h"
#include "pruner/Conversion/Normalize/Passes.h"
#include "pruner/Conversion/PrunerToCPU/Passes.h"
#include "pruner/Conversion/PrunerToGPU/Passes.h"
#include "pruner/Dialect/Pruner/IR/ForeignText.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Dialect/Pruner/Transforms/Passes.h"
#include "pruner/Machine/MachineFile.h"
#include "pruner/Pipelines/Pipelines.h"
#include "pruner/Record/Choice.h"
#include "pruner/Support/JsonLines.h"
#include "pruner/Target/Ptx.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Config/llvm-config.h"

using namespace mlir;
using namespace pruner;

//===----------------------------------------------------------------------===//
// Environment
//===----------------------------------------------------------------------===//

llvm::Expected<Environment> Environment::create(llvm::StringRef target,
                                                unsigned threads) {
  Environment environment;
  environment.target = target.str();
  llvm::Expected<Machine> machine = parseTarget(target);
  if (!machine)
    return machine.takeError();
  environment.machine = std::move(*machine);
  if (environment.machine.isGpu()) {
    // The code generator is asked for the chip, whatever named the machine.
    environment.target = "nvidia:" + environment.machine.arch;
    environment.threads = 1;
    return environment;
  }
  int64_t cores = std::max<int64_t>(environment.machine.units, 1);
  if (threads > cores)
    return llvm::createStringError(
        "option 'threads': %u threads asked for, but this process may use %lld "
        "cores",
        threads, (long long)cores);
  environment.target = "cpu";
  environment.threads = threads == 0 ? unsigned(cores) : threads;
  return environment;
}

std::string Environment::pipelineOptions() const {
  return machine.isGpu() ? "" : "threads=" + std::to_string(threads);
}

double Environment::leastSeconds(double flops, double bytes) const {
  // Elements of a byte: four to a lane, and twice that by dot products. On GPUs
  // tensor cores do up to 30 times what the f32 units do. Caches of both move
  // an order of magnitude more than main memory.
  double scope = machine.isGpu() ? 1 : threads;
  double mostFlops = machine.peakFlops * scope * (machine.isGpu() ? 64 : 8);
  double mostBytes = machine.memoryBandwidth * scope * 64;
  return std::max(mostFlops > 0 ? flops / mostFlops : 0,
                  mostBytes > 0 ? bytes / mostBytes : 0);
}

std::string Environment::toolchain() {
  return "llvm-" LLVM_VERSION_STRING " pruner-" PRUNER_VERSION;
}

RecordQuery Environment::query(const TuneTask &task) const {
  RecordQuery query;
  query.taskKey = task.key;
  query.target = target;
  query.machineKey = machineKey();
  query.toolchain = toolchain();
  return query;
}

//===----------------------------------------------------------------------===//
// Applying
//===----------------------------------------------------------------------===//

/// Bytes that the code of a record spills, as far as an assembler told.
static int64_t spillBytes(const Record &record) {
  llvm::Expected<llvm::json::Object> facts = parseJsonObject(record.facts);
  if (!facts) {
    llvm::consumeError(facts.takeError());
    return 0;
  }
  return facts->getInteger("spill_store_bytes").value_or(0);
}

bool pruner::betterPrediction(const Record &a, const Record &b) {
  bool aSpills = spillBytes(a) > 0, bSpills = spillBytes(b) > 0;
  if (aSpills != bSpills)
    return bSpills;
  return *a.psaLatency < *b.psaLatency;
}

llvm::Expected<std::vector<Record>>
pruner::taskRecords(Database &database, const Environment &environment,
                    const TuneTask &task) {
  std::string options = environment.pipelineOptions();
  std::vector<Record> records;
  auto visit = [&](Record record) -> llvm::Error {
    if (record.pipelineOptions == options)
      records.push_back(std::move(record));
    return llvm::Error::success();
  };
  if (llvm::Error error = database.forEach(environment.query(task), visit))
    return error;
  return records;
}

llvm::Expected<std::optional<Record>>
pruner::bestRecord(Database &database, const Environment &environment,
                   const TuneTask &task, bool unmeasured) {
  auto records = taskRecords(database, environment, task);
  if (!records)
    return records.takeError();
  Choice choice = chooseRecord(*records);
  if (choice.record || choice.keptDefault || !unmeasured)
    return choice.record;
  const Record *predicted = nullptr;
  for (const Record &record : *records)
    if (record.status == MeasureStatus::Unmeasured && record.psaLatency &&
        isScheduleText(record.schedule) &&
        (!predicted || betterPrediction(record, *predicted)))
      predicted = &record;
  return predicted ? std::optional<Record>(*predicted) : std::nullopt;
}

LogicalResult pruner::attachSchedule(const TuneTask &task,
                                     llvm::StringRef schedule) {
  ScheduleAttr attribute =
      parseScheduleText(schedule, task.function->getContext());
  if (!attribute)
    return task.function->emitError("recorded schedule does not parse: ")
           << schedule.take_front(200);
  // A task function may be shared with other modules of the context.
  func::FuncOp function = task.function;
  function->setAttr(PrunerDialect::getScheduleAttrName(), attribute);
  return success();
}

FailureOr<unsigned>
pruner::applyBestRecords(Database &database, const Environment &environment,
                         llvm::ArrayRef<TuneTask> tasks, bool unmeasured,
                         llvm::StringRef what, bool verboseRemarks,
                         llvm::function_ref<LogicalResult(llvm::Error)> fail) {
  unsigned applied = 0;
  RemarkGroups remarks(verboseRemarks);
  for (const TuneTask &task : tasks) {
    auto record = bestRecord(database, environment, task, unmeasured);
    if (!record)
      return fail(record.takeError());
    if (!*record) {
      func::FuncOp function = task.function;
      remarks.add(function.getLoc(),
                  ("'" + function.getName() + "': no verified " + what +
                   " is faster than the untuned default; the task is left as "
                   "it was")
                      .str());
      continue;
    }
    if (failed(attachSchedule(task, (*record)->schedule)))
      return failure();
    ++applied;
  }
  remarks.emit();
  return applied;
}

/// Every gpu.module becomes a gpu.binary of the same name with its PTX.
static LogicalResult compileKernels(ModuleOp module, llvm::StringRef chip) {
  SmallVector<gpu::GPUModuleOp> kernels(module.getOps<gpu::GPUModuleOp>());
  for (gpu::GPUModuleOp kernel : kernels) {
    PtxOptions options;
    options.chip = chip.str();
    llvm::Expected<PtxCode> ptx = emitPtx(kernel, options);
    if (!ptx)
      return kernel.emitError(llvm::toString(ptx.takeError()));
    OpBuilder builder(kernel);
    auto target = NVVM::NVVMTargetAttr::get(
        builder.getContext(), /*optLevel=*/3, "nvptx64-nvidia-cuda", chip);
    Attribute object =
        gpu::ObjectAttr::get(target, gpu::CompilationTarget::Assembly,
                             builder.getStringAttr(ptx->text));
    gpu::BinaryOp::create(builder, kernel.getLoc(), kernel.getName(),
                          /*offloadingHandler=*/Attribute(),
                          ArrayRef<Attribute>{object});
    kernel.erase();
  }
  return success();
}

LogicalResult pruner::lowerScheduled(ModuleOp module,
                                     const Environment &environment) {
  PassManager passes(module.getContext());
  PrunerTileOptions tile;
  tile.target = environment.target;
  passes.addPass(createPrunerTile(tile));
  ConvertPrunerToCPUOptions convert;
  convert.threads = environment.threads;
  passes.addPass(createConvertPrunerToCPU(convert));
  passes.addPass(createConvertPrunerToGPU());
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  if (environment.machine.isGpu())
    buildToNVVMPipeline(passes, ToNVVMOptions());
  if (failed(passes.run(module)))
    return failure();
  return environment.machine.isGpu()
             ? compileKernels(module, environment.machine.arch)
             : success();
}
