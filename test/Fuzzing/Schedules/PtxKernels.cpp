//===- PtxKernels.cpp - kernels of a schedule as PTX ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PtxKernels.h"

#include "Fuzzing/Schedules/KernelCode.h"

#include "pruner/Machine/CodeTarget.h"
#include "pruner/Pipelines/Pipelines.h"
#include "pruner/Program/Task.h"
#include "pruner/Recognition/TaskFromIR.h"
#include "pruner/Target/Ptx.h"
#include "pruner/Verification/Reference.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/PassManager.h"
#include <cstring>

using namespace llvm;
using namespace pruner;

static std::array<unsigned, 3> extentOf(mlir::gpu::GPUFuncOp kernel,
                                        StringRef name) {
  auto sizes = kernel->getAttrOfType<mlir::DenseI64ArrayAttr>(name);
  return {unsigned(sizes[0]), unsigned(sizes[1]), unsigned(sizes[2])};
}

Expected<PtxKernels> PtxKernels::compile(mlir::ModuleOp module,
                                         unsigned numInputs, StringRef chip) {
  PtxKernels code;
  code.numInputs = numInputs;
  module.walk([&](mlir::gpu::GPUFuncOp kernel) {
    Launch launch;
    launch.kernel = kernel.getName().str();
    launch.grid = extentOf(kernel, "pruner.grid");
    launch.block = extentOf(kernel, "pruner.block");
    launch.dynamicSharedBytes = dynamicSharedBytes(kernel);
    for (mlir::Type type : kernel.getArgumentTypes()) {
      auto memref = cast<mlir::MemRefType>(type);
      launch.argumentBytes.push_back(
          memref.getNumElements() *
          byteWidth(*elementTypeOf(memref.getElementType())));
    }
    code.list.push_back(std::move(launch));
  });
  if (code.list.empty())
    return createStringError("lowering left no kernel");
  auto target = CodeTarget::parse(nvidiaName(chip));
  if (!target)
    return target.takeError();
  mlir::PassManager passes(module.getContext());
  buildCodePipeline(passes, *target);
  if (Error error = withDiagnostics(*module.getContext(), "lowering to NVVM",
                                    [&] { return passes.run(module); }))
    return error;
  mlir::gpu::GPUModuleOp kernels;
  module.walk([&](mlir::gpu::GPUModuleOp op) { kernels = op; });
  PtxOptions options;
  options.chip = chip.str();
  auto emitted = emitPtx(kernels, options);
  if (!emitted)
    return emitted.takeError();
  if (Error error = code.replaceText(emitted->text))
    return error;
  return code;
}

Error PtxKernels::replaceText(StringRef text) {
  auto module = ptx::parse(text);
  if (!module)
    return module.takeError();
  for (Launch &launch : list) {
    auto program = ptx::Program::decode(*module, launch.kernel);
    if (!program)
      return program.takeError();
    launch.program = std::move(*program);
  }
  ptx = text.str();
  return Error::success();
}

std::optional<std::string>
PtxKernels::launchAll(ArrayRef<void *> arguments,
                      const ptx::LaunchOptions &base) {
  // Kernels share workspaces after the arguments of the task. Only the first
  // one may not depend on what is in them.
  std::vector<std::vector<char>> workspaces;
  SmallVector<void *> pointers(arguments);
  for (uint64_t bytes :
       ArrayRef(list.front().argumentBytes).drop_front(arguments.size())) {
    workspaces.emplace_back(bytes, char(0xff));
    pointers.push_back(workspaces.back().data());
  }
  counted.clear();
  for (unsigned number = 0; number != list.size(); ++number) {
    const Launch &launch = list[number];
    std::vector<ptx::Argument> bound;
    for (auto [n, bytes] : enumerate(launch.argumentBytes)) {
      ptx::Argument argument;
      argument.data = pointers[n];
      argument.bytes = bytes;
      argument.isReadOnly = n < numInputs;
      argument.isUninitialized = n >= numInputs && number == 0;
      bound.push_back(argument);
    }
    ptx::LaunchOptions options = base;
    options.grid = launch.grid;
    options.block = launch.block;
    options.dynamicSharedBytes = launch.dynamicSharedBytes;
    options.stepLimit = stepLimit;
    auto counts = launch.program->launch(bound, options);
    if (!counts) {
      std::string message;
      handleAllErrors(counts.takeError(), [&](const ptx::Fault &fault) {
        violated = fault.violation;
        message = launch.kernel + ": " + fault.text;
      });
      return message;
    }
    counted.push_back(std::move(*counts));
  }
  return std::nullopt;
}

std::optional<std::string> PtxKernels::call(ArrayRef<void *> arguments,
                                            unsigned variant) {
  violated.reset();
  ptx::LaunchOptions options;
  options.addressOffset = variant % 2 ? 16 : 0;
  options.approximationError = double(variant % 3) - 1;
  options.copies = ptx::CopyTiming::AtIssue;
  if (!StringRef(ptx).contains("cp.async"))
    return launchAll(arguments, options);
  if (auto wrong = launchAll(arguments, options))
    return *wrong + " (copies at their issue)";
  std::vector<std::vector<char>> early;
  for (unsigned n = numInputs; n != arguments.size(); ++n) {
    const char *data = static_cast<const char *>(arguments[n]);
    early.emplace_back(data, data + list.front().argumentBytes[n]);
  }
  options.copies = ptx::CopyTiming::AtWait;
  if (auto wrong = launchAll(arguments, options))
    return *wrong + " (copies at their wait)";
  for (auto [n, bytes] : enumerate(early))
    if (std::memcmp(arguments[numInputs + n], bytes.data(), bytes.size()) != 0)
      return "the result depends on when asynchronous copies happen";
  return std::nullopt;
}
