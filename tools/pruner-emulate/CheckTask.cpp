//===- CheckTask.cpp - compare kernels with their task --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CheckTask.h"

#include "pruner/Builder/Candidate.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Machine/CodeTarget.h"
#include "pruner/Machine/MachineFile.h"
#include "pruner/Support/InputFile.h"
#include "pruner/Worker/RunArtifact.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace pruner;

static std::string textOf(Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream(text) << attribute;
  return text;
}

llvm::Expected<std::string> pruner::checkTask(const TaskCheck &check) {
  llvm::Expected<Machine> machine = parseTarget(check.target);
  if (!machine)
    return machine.takeError();
  if (machine->isCpu())
    return llvm::createStringError("option '--target': '" + check.target +
                                   "' is not a GPU");
  auto input = openInputFile(check.file);
  if (!input)
    return input.takeError();
  DialectRegistry registry;
  registerBuilderDialects(registry);
  MLIRContext context(registry);
  auto task = TaskProgram::parse(context, (*input)->getBuffer());
  if (!task)
    return task.takeError();
  auto function = task->module().lookupSymbol<func::FuncOp>(task->entry());
  Attribute schedule =
      function->removeDiscardableAttr(PrunerDialect::getScheduleAttrName());
  if (!schedule)
    return llvm::createStringError(check.file +
                                   ": expected a schedule on the function '" +
                                   task->entry() + "'");
  auto built = buildCandidate(*task, textOf(schedule), CodeTarget::of(*machine),
                              {1, /*assemble=*/false});
  if (!built)
    return built.takeError();
  auto reference = makeReference(*task, (*input)->getBuffer(), check.seed,
                                 /*cacheDir=*/"");
  if (!reference)
    return reference.takeError();

  RunRequest request;
  request.format = built->format;
  request.artifact = std::move(built->artifact);
  request.entry = built->entry;
  request.facts = std::move(built->facts);
  request.emulate = check.limit;
  if (!check.ptx.empty()) {
    auto other = openInputFile(check.ptx);
    if (!other)
      return other.takeError();
    request.artifact = (*other)->getBuffer().str();
  }
  RunReply reply = emulateKernel(*task, *reference, request);
  if (reply.status != MeasureStatus::Ok)
    return llvm::createStringError(reply.reason);
  return llvm::formatv("{0}: right on {1} sets of inputs; {2:P0} of the blocks "
                       "ran",
                       task->entry(), reference->sets.size(),
                       reply.emulated.value_or(0))
      .str();
}
