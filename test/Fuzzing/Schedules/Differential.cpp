//===- Differential.cpp - compare schedules of one task -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fuzzing/Schedules/Differential.h"

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

#include "GuardedMemory.h"
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

/// Makes one call and checks it.
std::optional<std::string> DifferentialTask::run(Call call, unsigned number,
                                                 bool atEnd,
                                                 unsigned alignment) {
  const ReferenceSet &set = reference.sets[number];
  std::string where =
      " (" + patternName(set.pattern).str() +
      (atEnd ? ", at the end of a page)" : ", at the start of a page)");
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
  if (!options.ptxChip.empty()) {
    auto code = compilePtx(schedule, options.ptxChip, options.asyncCopies);
    if (!code)
      return toString(code.takeError());
    return checkPtx(*code);
  }
  auto kernel = emitScheduledKernel(
      module->lookupSymbol<mlir::func::FuncOp>(program.entry()), task, schedule,
      options.asyncCopies);
  if (!kernel)
    return toString(kernel.takeError());
  if (Error error = mapKernel(*kernel, options.threads))
    return toString(std::move(error));
  auto code = KernelCode::compile(*kernel, options.alignment);
  if (!code)
    return toString(code.takeError());
  unsigned alignment =
      kernel->gpu ? KernelCode::gpuAlignment : options.alignment;
  auto call = [&](ArrayRef<void *> arguments) { return code->call(arguments); };
  for (unsigned set = 0; set < reference.sets.size(); ++set) {
    // The emulator checks bounds itself, so one run for each set is enough.
    if (kernel->gpu) {
      if (auto wrong = run(call, set, /*atEnd=*/set % 2 == 1, alignment))
        return wrong;
      continue;
    }
    for (bool atEnd : {false, true})
      if (auto wrong = run(call, set, atEnd, alignment))
        return wrong;
  }
  return std::nullopt;
}

Expected<PtxKernels> DifferentialTask::compilePtx(const Schedule &schedule,
                                                  StringRef chip,
                                                  bool asyncCopies) {
  auto kernel = emitScheduledKernel(
      module->lookupSymbol<mlir::func::FuncOp>(program.entry()), task, schedule,
      asyncCopies);
  if (!kernel)
    return kernel.takeError();
  if (Error error = mapKernel(*kernel))
    return error;
  return PtxKernels::compile(*kernel->module, program.inputs().size(), chip);
}

std::optional<std::string> DifferentialTask::checkPtx(PtxKernels &code) {
  for (unsigned set = 0; set < reference.sets.size(); ++set)
    if (auto wrong = run(
            [&](ArrayRef<void *> arguments) {
              return code.call(arguments, set);
            },
            set, /*atEnd=*/set % 2 == 1, KernelCode::gpuAlignment))
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
