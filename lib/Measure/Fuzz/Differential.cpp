//===- Differential.cpp - one task, many schedules, one answer ------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Measure/Differential.h"

#include "pruner/Conversion/PrunerToCPU/Passes.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Dialect/Pruner/Transforms/EmitKernel.h"
#include "pruner/Dialect/Pruner/Transforms/EmitPacking.h"
#include "pruner/Pipelines/Pipelines.h"
#include "pruner/Program/TiledProgram.h"
#include "pruner/Target/JitModule.h"
#include "pruner/Target/ObjectCode.h"

#include "GuardedMemory.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include <cstring>

using namespace llvm;
using namespace pruner;

DifferentialTask::DifferentialTask(TaskProgram program)
    : program(std::move(program)) {}
DifferentialTask::~DifferentialTask() = default;

Expected<std::unique_ptr<DifferentialTask>>
DifferentialTask::create(mlir::MLIRContext &context, StringRef text,
                         int64_t seed) {
  auto program = TaskProgram::parse(context, text);
  if (!program)
    return program.takeError();
  std::unique_ptr<DifferentialTask> result(
      new DifferentialTask(std::move(*program)));
  result->module = result->program.clone();
  auto function =
      result->module->lookupSymbol<mlir::func::FuncOp>(result->program.entry());
  if (Error error = withDiagnostics(context, "reading the task", [&] {
        auto task = readTask(function);
        if (mlir::succeeded(task))
          result->task = std::move(*task);
        return mlir::LogicalResult(task);
      }))
    return error;
  auto reference = makeReference(result->program, text, seed, /*cacheDir=*/"");
  if (!reference)
    return reference.takeError();
  result->reference = std::move(*reference);
  for (auto specs : {result->program.inputs(), result->program.outputs()})
    for (const TensorSpec &spec : specs) {
      result->memory.emplace_back(spec.bytes());
      if (!result->memory.back().valid())
        return createStringError("no memory for the arguments");
    }
  return result;
}

static std::string packName(int argument) {
  return "pack" + std::to_string(argument);
}

static std::vector<ArgumentPack> packsOf(const TiledProgram &tiled) {
  std::vector<ArgumentPack> packs;
  for (const BufferDesc &buffer : tiled.buffers)
    if (buffer.isPackedAhead())
      packs.push_back({unsigned(buffer.argument),
                       packName(buffer.argument) + "_kernel",
                       buffer.elements() * byteWidth(buffer.type)});
  return packs;
}

/// A module with the tiled kernel of the task under `schedule`.
Expected<mlir::OwningOpRef<mlir::ModuleOp>>
DifferentialTask::emit(const Schedule &schedule) {
  mlir::MLIRContext &context = *module->getContext();
  TiledProgram tiled = buildTiledProgram(task.desc, schedule);
  mlir::OwningOpRef<mlir::ModuleOp> kernels =
      mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
  auto builder = mlir::OpBuilder::atBlockEnd(kernels->getBody());
  emitKernel(builder, "kernel", task, tiled);
  for (const BufferDesc &buffer : tiled.buffers) {
    if (!buffer.isPackedAhead())
      continue;
    auto function = module->lookupSymbol<mlir::func::FuncOp>(program.entry());
    auto [pack, kernel] =
        emitPacking(builder, function.getLoc(), packName(buffer.argument),
                    cast<mlir::RankedTensorType>(
                        function.getArgumentTypes()[buffer.argument]),
                    buffer);
    pack.erase();
  }
  if (Error error = withDiagnostics(context, "verifying the tiled program",
                                    [&] { return mlir::verify(*kernels); }))
    return error;
  return kernels;
}

/// The object code of the task's kernel under `schedule`.
Expected<std::string>
DifferentialTask::compile(const Schedule &schedule,
                          const DifferentialOptions &options) {
  auto kernels = emit(schedule);
  if (!kernels)
    return kernels.takeError();
  mlir::MLIRContext &context = *module->getContext();
  mlir::PassManager passes(&context);
  ConvertPrunerToCPUOptions convert;
  convert.threads = options.threads;
  passes.addPass(createConvertPrunerToCPU(convert));
  ToLLVMOptions toLLVM;
  toLLVM.alignment = options.alignment;
  buildToLLVMPipeline(passes, toLLVM);
  if (Error error = withDiagnostics(context, "lowering",
                                    [&] { return passes.run(**kernels); }))
    return error;
  auto object = compileToObject(**kernels);
  if (!object)
    return object.takeError();
  return std::string(object->bytes.begin(), object->bytes.end());
}

/// One call, checked.
std::optional<std::string> DifferentialTask::run(Call call, unsigned number,
                                                 bool atEnd,
                                                 unsigned alignment) {
  std::string where =
      std::string(number == 0 ? " (integers" : " (reals") +
      (atEnd ? ", at the end of a page)" : ", at the start of a page)");
  const ReferenceSet &set = reference.sets[number];
  std::vector<void *> arguments;
  size_t numInputs = program.inputs().size();
  for (auto [n, buffer] : enumerate(memory)) {
    arguments.push_back(buffer.place(atEnd, alignment));
    if (n < numInputs)
      std::memcpy(buffer.data, set.inputs[n].data(), buffer.size());
  }
  if (auto wrong = call(arguments))
    return *wrong + where;
  for (auto [n, buffer] : enumerate(memory)) {
    std::string name = "argument " + std::to_string(n);
    if (!buffer.surroundingsIntact())
      return "wrote around " + name + where;
    if (n < numInputs &&
        std::memcmp(buffer.data, set.inputs[n].data(), buffer.size()) != 0)
      return "changed the input " + name + where;
  }
  double errorOverBound = 0;
  for (auto [n, expected] : enumerate(set.outputs))
    if (auto wrong =
            compareOutput(program.outputs()[n], memory[numInputs + n].data,
                          expected, errorOverBound))
      return "wrong result: " + *wrong + where;
  return std::nullopt;
}

std::optional<std::string>
DifferentialTask::check(const Schedule &schedule,
                        const DifferentialOptions &options) {
  if (isGpu(schedule.variant))
    return checkEmulated(schedule);
  auto object = compile(schedule, options);
  if (!object)
    return toString(object.takeError());
  auto loaded = loadObject(ArrayRef<char>(object->data(), object->size()));
  if (!loaded)
    return toString(loaded.takeError());
  auto function = (*loaded)->lookup("kernel");
  if (!function)
    return toString(function.takeError());
  auto packed = PackedArguments::create(
      **loaded, packsOf(buildTiledProgram(task.desc, schedule)));
  if (!packed)
    return toString(packed.takeError());
  auto call = [&](ArrayRef<void *> arguments) {
    invokeKernel(*function, packed->pack(arguments));
    return packed->damage();
  };
  for (unsigned set = 0; set < reference.sets.size(); ++set)
    for (bool atEnd : {false, true})
      if (auto wrong = run(call, set, atEnd, options.alignment))
        return wrong;
  return std::nullopt;
}

std::string DifferentialTask::withSchedule(const Schedule &schedule) const {
  mlir::OwningOpRef<mlir::ModuleOp> copy = program.clone();
  auto function = copy->lookupSymbol<mlir::func::FuncOp>(program.entry());
  function->setAttr(PrunerDialect::getScheduleAttrName(),
                    ScheduleAttr::get(copy->getContext(), schedule));
  std::string text;
  raw_string_ostream(text) << *copy;
  return text;
}
