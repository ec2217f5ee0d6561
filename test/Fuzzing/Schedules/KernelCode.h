//===- KernelCode.h - build the kernel of a schedule in phases --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_FUZZING_SCHEDULES_KERNELCODE_H
#define PRUNER_FUZZING_SCHEDULES_KERNELCODE_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "pruner/Builder/PackedArguments.h"
#include "pruner/Builder/TaskProgram.h"
#include "pruner/Recognition/TaskFromIR.h"
#include "pruner/Sketch/Schedule.h"
#include <memory>
#include <optional>
#include <string>

namespace pruner {

/// How to lower a schedule for a differential run.
struct DifferentialOptions {
  /// Number of shares of the core band, which run one after the other.
  unsigned threads = 1;
  /// The alignment of its arguments that the code may assume, in bytes: 64, or
  /// 0 for that of their element type. In the latter case buffers of any size
  /// end directly at an inaccessible page.
  unsigned alignment = 64;
  /// Run GPU kernels as PTX for this architecture; empty for the emulator.
  std::string ptxChip = {};
  /// GPU: copies that may be asynchronous are. Otherwise all go through
  /// registers.
  bool asyncCopies = true;
};

/// The kernels of a task under one schedule, and the functions that pack its
/// arguments.
struct ScheduledKernel {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<ArgumentPack> packs;
  bool gpu = false;
};

/// Phase 3: the tiled kernel. `function` is that of the task, from which `task`
/// was built. The schedule must have the right shape (checkScheduleShape); it
/// need not be legal on any machine. `asyncCopies` as in DifferentialOptions.
llvm::Expected<ScheduledKernel> emitScheduledKernel(mlir::func::FuncOp function,
                                                    const TaskIR &task,
                                                    const Schedule &schedule,
                                                    bool asyncCopies = true);

/// From phase 3 to phase 4, in place.
llvm::Error mapKernel(ScheduledKernel &kernel, unsigned threads = 1);

/// Bytes of dynamic shared memory that a kernel of phase 4 is launched with.
int64_t dynamicSharedBytes(mlir::gpu::GPUFuncOp kernel);

/// Callable code of a kernel of phase 4: object code for this CPU, or a GPU
/// kernel in the emulator (Emulator.h) or the PTX machine (PtxKernels.h) with
/// all checks.
class KernelCode {
public:
  /// Lowers `kernel.module` in place. `alignment` as in DifferentialOptions;
  /// GPU kernels assume 16 bytes.
  static llvm::Expected<KernelCode> compile(ScheduledKernel &kernel,
                                            unsigned alignment);
  /// GPU kernels as PTX for `chip`; the task has `numInputs` inputs.
  static llvm::Expected<KernelCode> compileToPtx(ScheduledKernel &kernel,
                                                 unsigned numInputs,
                                                 llvm::StringRef chip);
  KernelCode(KernelCode &&);
  ~KernelCode();

  /// Packs the arguments that are packed ahead, and runs all kernels on the
  /// addresses of the task's arguments. Returns a description of what was
  /// wrong, or std::nullopt. In object code, accesses out of bounds are
  /// signals.
  std::optional<std::string> call(llvm::ArrayRef<void *> arguments);

  /// The alignment of its arguments that a GPU kernel may assume, in bytes.
  static constexpr unsigned gpuAlignment = 16;

private:
  struct State;
  explicit KernelCode(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

} // namespace pruner

#endif // PRUNER_FUZZING_SCHEDULES_KERNELCODE_H
