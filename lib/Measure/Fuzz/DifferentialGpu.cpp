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
  mlir::gpu::GPUFuncOp kernel;
  (*kernels)->walk([&](mlir::gpu::GPUFuncOp function) { kernel = function; });
  if (!kernel)
    return "lowering left no kernel";
  EmulatorOptions options;
  options.checkGlobalRaces = true;
  options.optLevel = 0;
  options.stackBytes = 512 << 10;
  auto compiled = EmulatedKernel::compile(**kernels, kernel.getName(), options);
  if (!compiled)
    return toString(compiled.takeError());
  LaunchExtent grid = extent(kernel, "pruner.grid"),
               block = extent(kernel, "pruner.block");
  auto call = [&](ArrayRef<void *> arguments) -> std::optional<std::string> {
    auto report = (*compiled)->run(grid, block, arguments);
    if (!report)
      return toString(report.takeError());
    return std::nullopt;
  };
  // Kernels may assume no more of their arguments.
  constexpr unsigned alignment = 16;
  for (unsigned set = 0; set < reference.sets.size(); ++set)
    if (auto wrong = run(call, set, /*atEnd=*/set % 2 == 1, alignment))
      return wrong;
  return std::nullopt;
}
