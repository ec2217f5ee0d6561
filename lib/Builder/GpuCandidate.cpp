//===- GpuCandidate.cpp - candidates for NVIDIA GPUs ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GpuCandidate.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "pruner/Target/Ptx.h"
#include "pruner/Target/Ptxas.h"

using namespace llvm;
using namespace pruner;

/// The grid, block and dynamic shared memory that the kernel was lowered for.
static json::Object launchOf(mlir::gpu::GPUFuncOp kernel) {
  auto list = [](std::optional<ArrayRef<int32_t>> sizes) {
    json::Array values;
    for (int32_t size : sizes.value_or(ArrayRef<int32_t>{1, 1, 1}))
      values.push_back(size);
    return values;
  };
  json::Object launch{{"grid", list(kernel.getKnownGridSize())},
                      {"block", list(kernel.getKnownBlockSize())}};
  if (auto bytes = kernel->getAttrOfType<mlir::IntegerAttr>(
          "pruner.dynamic_shared_bytes"))
    launch["dynamic_shared"] = bytes.getInt();
  return launch;
}

Expected<GpuKernel> pruner::findGpuKernels(mlir::ModuleOp module,
                                           size_t taskArguments) {
  GpuKernel found;
  json::Array then, workspaces;
  module.walk([&](mlir::gpu::GPUFuncOp kernel) {
    if (!found.function.empty()) {
      json::Object next = launchOf(kernel);
      next["kernel"] = kernel.getName();
      then.push_back(std::move(next));
      return;
    }
    found.function = kernel.getName().str();
    found.launch = launchOf(kernel);
    for (mlir::Type type :
         kernel.getArgumentTypes().drop_front(taskArguments)) {
      auto memref = cast<mlir::MemRefType>(type);
      workspaces.push_back(memref.getNumElements() *
                           byteWidth(*elementTypeOf(memref.getElementType())));
    }
  });
  if (found.function.empty())
    return createStringError("lowering produced no kernel");
  if (!then.empty())
    found.launch["then"] = std::move(then);
  if (!workspaces.empty())
    found.launch["workspaces"] = std::move(workspaces);
  return found;
}

/// Adds registers, spills and shared memory as reported by ptxas, or the reason
/// why they are missing.
static Error assemble(const PtxCode &ptx, StringRef chip,
                      BuiltCandidate &built) {
  PtxasOptions options;
  options.chip = chip.str();
  auto cubin = assemblePtx(ptx.text, options);
  if (cubin) {
    built.format = "cubin";
    built.ptx = std::exchange(built.artifact, {});
    built.artifact.assign(cubin->bytes.begin(), cubin->bytes.end());
    built.times.assemble = cubin->assemble;
    int64_t dynamic = 0;
    if (const json::Object *launch = built.facts.getObject("launch"))
      dynamic = launch->getInteger("dynamic_shared").value_or(0);
    for (const KernelResources &kernel : cubin->kernels) {
      if (kernel.name != built.entry)
        continue;
      built.facts["registers"] = int64_t(kernel.registers);
      built.facts["spill_store_bytes"] = int64_t(kernel.spillStoreBytes);
      built.facts["spill_load_bytes"] = int64_t(kernel.spillLoadBytes);
      built.facts["stack_bytes"] = int64_t(kernel.stackFrameBytes);
      built.facts["shared_bytes"] = int64_t(kernel.sharedBytes) + dynamic;
    }
    return Error::success();
  }
  // A missing assembler for this chip is not an error of the candidate.
  auto note = [&](const ErrorInfoBase &e) {
    std::string reason;
    raw_string_ostream os(reason);
    e.log(os);
    built.facts["ptxas"] = reason;
  };
  return handleErrors(
      cubin.takeError(), [&](const PtxasUnavailable &e) { note(e); },
      [&](const PtxasUnsupportedChip &e) { note(e); });
}

Expected<BuiltCandidate> pruner::compileGpuKernel(mlir::ModuleOp module,
                                                  const GpuKernel &kernel,
                                                  StringRef chip,
                                                  bool wantCubin) {
  mlir::gpu::GPUModuleOp gpuModule;
  module.walk([&](mlir::gpu::GPUModuleOp op) { gpuModule = op; });
  if (!gpuModule)
    return createStringError("lowering produced no gpu.module");
  PtxOptions options;
  options.chip = chip.str();
  auto ptx = emitPtx(gpuModule, options);
  if (!ptx)
    return ptx.takeError();
  BuiltCandidate built;
  built.format = "ptx";
  built.artifact = ptx->text;
  built.entry = kernel.function;
  built.times.code = ptx->timings;
  built.facts["launch"] = json::Object(kernel.launch);
  if (wantCubin)
    if (Error error = assemble(*ptx, chip, built))
      return error;
  return built;
}
