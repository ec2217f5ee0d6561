//===- KernelCode.cpp - build the kernel of a schedule in phases ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fuzzing/Schedules/KernelCode.h"

#include "PtxKernels.h"
#include "pruner/Dialect/Pruner/Transforms/EmitKernel.h"
#include "pruner/Dialect/Pruner/Transforms/EmitPacking.h"
#include "pruner/Emulator/Emulator.h"
#include "pruner/Pipelines/Pipelines.h"
#include "pruner/Sketch/Sketch.h"
#include "pruner/Target/InvokeKernel.h"
#include "pruner/Target/ObjectCode.h"
#include "pruner/Verification/Reference.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

using namespace llvm;
using namespace pruner;

Expected<ScheduledKernel>
pruner::emitScheduledKernel(mlir::func::FuncOp function, const TaskIR &task,
                            const Schedule &schedule, bool asyncCopies) {
  mlir::MLIRContext &context = *function.getContext();
  TiledProgram tiled = buildTiledProgram(task.desc, schedule);
  if (!asyncCopies)
    copyThroughRegisters(tiled);
  ScheduledKernel kernel;
  kernel.gpu = sketchOf(schedule).gpu;
  kernel.module = mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
  auto builder = mlir::OpBuilder::atBlockEnd(kernel.module->getBody());
  emitKernel(builder, "kernel", task, tiled);
  for (const BufferDesc &buffer : tiled.buffers) {
    if (!buffer.isPackedAhead())
      continue;
    std::string name = "pack" + std::to_string(buffer.argument);
    auto [pack, packKernel] =
        emitPacking(builder, function.getLoc(), name,
                    cast<mlir::RankedTensorType>(
                        function.getArgumentTypes()[buffer.argument]),
                    buffer);
    pack.erase();
    kernel.packs.push_back({unsigned(buffer.argument), name + "_kernel",
                            buffer.elements() * byteWidth(buffer.type)});
  }
  if (Error error =
          withDiagnostics(context, "verifying the tiled program",
                          [&] { return mlir::verify(*kernel.module); }))
    return error;
  return kernel;
}

static Error lower(mlir::ModuleOp module,
                   function_ref<void(mlir::OpPassManager &)> build) {
  mlir::MLIRContext &context = *module.getContext();
  mlir::PassManager passes(&context);
  build(passes);
  return withDiagnostics(context, "lowering",
                         [&] { return passes.run(module); });
}

Error pruner::mapKernel(ScheduledKernel &kernel, unsigned threads) {
  return lower(*kernel.module, [&](mlir::OpPassManager &passes) {
    KernelOptions options;
    options.threads = threads;
    buildMappingPipeline(passes, options);
  });
}

namespace {
struct EmulatedLaunch {
  std::unique_ptr<EmulatedKernel> code;
  LaunchExtent grid, block;
};

/// Memory for arguments after those of the task, filled with NaNs.
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

struct KernelCode::State {
  std::unique_ptr<JitModule> object;
  void *function = nullptr;
  std::optional<PackedArguments> packed;
  std::vector<EmulatedLaunch> launches;
  std::optional<PtxKernels> ptx;
};

KernelCode::KernelCode(std::unique_ptr<State> state)
    : state(std::move(state)) {}
KernelCode::KernelCode(KernelCode &&) = default;
KernelCode::~KernelCode() = default;

static LaunchExtent extent(mlir::gpu::GPUFuncOp kernel, StringRef name) {
  auto sizes = kernel->getAttrOfType<mlir::DenseI64ArrayAttr>(name);
  return {sizes[0], sizes[1], sizes[2]};
}

int64_t pruner::dynamicSharedBytes(mlir::gpu::GPUFuncOp kernel) {
  auto bytes =
      kernel->getAttrOfType<mlir::IntegerAttr>("pruner.dynamic_shared_bytes");
  return bytes ? bytes.getInt() : 0;
}

/// The kernels of `module` in the order of their launches.
static Expected<std::vector<EmulatedLaunch>>
compileLaunches(mlir::ModuleOp module) {
  EmulatorOptions options;
  options.checkGlobalRaces = true;
  options.optLevel = 0;
  options.stackBytes = 512 << 10;
  std::vector<mlir::gpu::GPUFuncOp> kernels;
  module.walk([&](mlir::gpu::GPUFuncOp kernel) { kernels.push_back(kernel); });
  if (kernels.empty())
    return createStringError("lowering left no kernel");
  std::vector<EmulatedLaunch> launches;
  for (mlir::gpu::GPUFuncOp kernel : kernels) {
    options.dynamicSharedBytes = dynamicSharedBytes(kernel);
    auto code = EmulatedKernel::compile(module, kernel.getName(), options);
    if (!code)
      return code.takeError();
    launches.push_back({std::move(*code), extent(kernel, "pruner.grid"),
                        extent(kernel, "pruner.block")});
  }
  return launches;
}

Expected<KernelCode> KernelCode::compile(ScheduledKernel &kernel,
                                         unsigned alignment) {
  auto state = std::make_unique<State>();
  if (kernel.gpu) {
    auto launches = compileLaunches(*kernel.module);
    if (!launches)
      return launches.takeError();
    state->launches = std::move(*launches);
    return KernelCode(std::move(state));
  }
  if (Error error = lower(*kernel.module, [&](mlir::OpPassManager &passes) {
        KernelOptions options;
        options.alignment = alignment;
        buildCodePipeline(passes, CodeTarget(), options);
      }))
    return error;
  auto object = compileToObject(*kernel.module);
  if (!object)
    return object.takeError();
  auto loaded =
      loadObject(ArrayRef<char>(object->bytes.data(), object->bytes.size()));
  if (!loaded)
    return loaded.takeError();
  state->object = std::move(*loaded);
  auto function = state->object->lookup("kernel");
  if (!function)
    return function.takeError();
  state->function = *function;
  auto packed = PackedArguments::create(*state->object, kernel.packs);
  if (!packed)
    return packed.takeError();
  state->packed = std::move(*packed);
  return KernelCode(std::move(state));
}

Expected<KernelCode> KernelCode::compileToPtx(ScheduledKernel &kernel,
                                              unsigned numInputs,
                                              StringRef chip) {
  auto ptx = PtxKernels::compile(*kernel.module, numInputs, chip);
  if (!ptx)
    return ptx.takeError();
  auto state = std::make_unique<State>();
  state->ptx = std::move(*ptx);
  return KernelCode(std::move(state));
}

std::optional<std::string> KernelCode::call(ArrayRef<void *> arguments) {
  if (state->function) {
    invokeKernel(state->function, state->packed->pack(arguments));
    return state->packed->damage();
  }
  if (state->ptx)
    return state->ptx->call(arguments, /*variant=*/0);
  Workspaces workspaces(state->launches.front().code->argumentBytes(),
                        arguments.size());
  SmallVector<void *> all(arguments);
  append_range(all, workspaces.get());
  for (EmulatedLaunch &launch : state->launches) {
    auto report = launch.code->run(launch.grid, launch.block, all);
    if (!report)
      return toString(report.takeError());
  }
  return std::nullopt;
}
