//===- DifferentialGpu.cpp - GPU kernels in the emulator ------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Measure/Differential.h"

#include "GuardedMemory.h"
#include "pruner/Conversion/PrunerToGPU/Passes.h"
#include "pruner/Emulator/Emulator.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/PassManager.h"

using namespace llvm;
using namespace pruner;

static LaunchExtent extent(mlir::gpu::GPUFuncOp kernel, StringRef name) {
  auto sizes = kernel->getAttrOfType<mlir::DenseI64ArrayAttr>(name);
  return {sizes[0], sizes[1], sizes[2]};
}

namespace {
struct CompiledKernel {
  std::unique_ptr<EmulatedKernel> code;
  LaunchExtent grid, block;
};

/// Memory for arguments behind those of the task, filled with NaNs.
class Workspaces {
public:
  Workspaces(ArrayRef<uint64_t> bytes, size_t given) {
    for (uint64_t size : bytes.drop_front(given)) {
      memory.emplace_back(size + 64, char(0xff));
      pointers.push_back(
          reinterpret_cast<void *>(alignAddr(memory.back().data(), Align(64))));
    }
  }
  ArrayRef<void *> get() const { return pointers; }

private:
  std::vector<std::vector<char>> memory;
  std::vector<void *> pointers;
};
} // namespace

/// The kernels of `module` in the order of their launches.
static Expected<std::vector<CompiledKernel>>
compileKernels(mlir::ModuleOp module) {
  EmulatorOptions options;
  options.checkGlobalRaces = true;
  options.optLevel = 0;
  options.stackBytes = 512 << 10;
  std::vector<mlir::gpu::GPUFuncOp> kernels;
  module.walk([&](mlir::gpu::GPUFuncOp kernel) { kernels.push_back(kernel); });
  if (kernels.empty())
    return createStringError("lowering left no kernel");
  std::vector<CompiledKernel> compiled;
  for (mlir::gpu::GPUFuncOp kernel : kernels) {
    auto code = EmulatedKernel::compile(module, kernel.getName(), options);
    if (!code)
      return code.takeError();
    compiled.push_back({std::move(*code), extent(kernel, "pruner.grid"),
                        extent(kernel, "pruner.block")});
  }
  return compiled;
}

std::optional<std::string>
DifferentialTask::checkEmulated(const Schedule &schedule) {
  auto kernels = emit(schedule);
  if (!kernels)
    return toString(kernels.takeError());
  mlir::MLIRContext &context = *module->getContext();
  mlir::PassManager passes(&context);
  passes.addPass(createConvertPrunerToGPU());
  if (Error error = withDiagnostics(context, "lowering",
                                    [&] { return passes.run(**kernels); }))
    return toString(std::move(error));
  auto compiled = compileKernels(**kernels);
  if (!compiled)
    return toString(compiled.takeError());
  auto call = [&](ArrayRef<void *> arguments) -> std::optional<std::string> {
    Workspaces workspaces(compiled->front().code->argumentBytes(),
                          arguments.size());
    SmallVector<void *> all(arguments);
    append_range(all, workspaces.get());
    for (CompiledKernel &kernel : *compiled) {
      auto report = kernel.code->run(kernel.grid, kernel.block, all);
      if (!report)
        return toString(report.takeError());
    }
    return std::nullopt;
  };
  // Kernels may assume no more of their arguments.
  constexpr unsigned alignment = 16;
  for (unsigned set = 0; set < reference.sets.size(); ++set)
    if (auto wrong = run(call, set, /*atEnd=*/set % 2 == 1, alignment))
      return wrong;
  return std::nullopt;
}
