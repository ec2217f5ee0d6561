//===- KernelCode.h - a schedule's kernel, phase by phase -------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_FUZZING_SCHEDULES_KERNELCODE_H
#define PRUNER_FUZZING_SCHEDULES_KERNELCODE_H

#include "pruner/Builder/PackedArguments.h"
#include "pruner/Builder/TaskProgram.h"
#include "pruner/Recognition/TaskFromIR.h"
#include "pruner/Sketch/Schedule.h"
#include <memory>
#include <optional>

namespace pruner {

/// How a schedule is lowered for a differential run.
struct DifferentialOptions {
  /// Shares of the core band. They run one after the other.
  unsigned threads = 1;
  /// What the code may assume of its arguments, in bytes: 64, or 0 for no more
  /// than their element type needs. Without it buffers end flush with an
  /// inaccessible page, whatever their size.
  unsigned alignment = 64;
};

/// The kernels of a task under one schedule, and the functions that pack its
/// arguments.
struct ScheduledKernel {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<ArgumentPack> packs;
  bool gpu = false;
};

/// Phase 3: the tiled kernel. `function` is the task's, which `task` was read
/// from. The schedule must have the right shape (checkScheduleShape); it need
/// not be legal on any machine.
llvm::Expected<ScheduledKernel> emitScheduledKernel(mlir::func::FuncOp function,
                                                    const TaskIR &task,
                                                    const Schedule &schedule);

/// From phase 3 to phase 4, in place.
llvm::Error mapKernel(ScheduledKernel &kernel, unsigned threads = 1);

/// Code of a kernel of phase 4 that can be called here: the object code of this
/// CPU, or a GPU kernel in the emulator (Emulator.h) with all its checks.
class KernelCode {
public:
  /// Lowers `kernel.module` in place. `alignment` as in DifferentialOptions;
  /// GPU kernels assume 16 bytes.
  static llvm::Expected<KernelCode> compile(ScheduledKernel &kernel,
                                            unsigned alignment);
  KernelCode(KernelCode &&);
  ~KernelCode();

  /// Packs what is packed ahead and runs all kernels on the addresses of the
  /// task's arguments. What was wrong in words, or nothing; accesses out of
  /// bounds of object code are signals.
  std::optional<std::string> call(llvm::ArrayRef<void *> arguments);

  /// What a GPU kernel may assume of its arguments, in bytes.
  static constexpr unsigned gpuAlignment = 16;

private:
  struct State;
  explicit KernelCode(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

} // namespace pruner

#endif // PRUNER_FUZZING_SCHEDULES_KERNELCODE_H
