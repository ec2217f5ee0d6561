//===- Differential.h - compare schedules of one task -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_FUZZING_SCHEDULES_DIFFERENTIAL_H
#define PRUNER_FUZZING_SCHEDULES_DIFFERENTIAL_H

#include "Fuzzing/Schedules/KernelCode.h"
#include "Fuzzing/Schedules/PtxKernels.h"
#include "pruner/Machine/CodeTarget.h"
#include "pruner/Recognition/TaskFromIR.h"
#include "pruner/Sketch/Schedule.h"
#include "pruner/Verification/Reference.h"
#include <memory>

namespace pruner {

/// A task under test, with its reference (Reference.h) and memory for its
/// arguments between inaccessible pages. The kernel of any schedule of the
/// right shape (checkScheduleShape), legal or not, must compute the reference,
/// write every element of the output and nothing else, and read nothing
/// outside.
class DifferentialTask {
public:
  /// Parses `text`, a module with one task function. `seed` determines the
  /// inputs. `context` has the dialects of registerBuilderDialects.
  static llvm::Expected<std::unique_ptr<DifferentialTask>>
  create(mlir::MLIRContext &context, llvm::StringRef text, int64_t seed);
  ~DifferentialTask();

  const TaskDesc &desc() const { return task.desc; }
  bool isExact() const { return reference.numerics.exact; }

  /// Lowers, compiles and runs. Returns a description of what was wrong, or
  /// std::nullopt. Accesses out of bounds are signals, so callers that must
  /// survive them fork first. Each set of inputs runs twice: with the first
  /// bytes of the arguments next to an inaccessible page, and with their last
  /// bytes.
  ///
  /// A kernel for GPUs runs in the emulator (Emulator.h) with all its checks:
  /// races in shared and global memory, barriers that some threads miss,
  /// asynchronous copies read before their wait, indices out of bounds,
  /// misaligned vectors. The first set of inputs runs at the first bytes, the
  /// second one at the last. With `ptxChip`, its PTX runs in the PTX machine
  /// instead (Ptx/Machine.h).
  std::optional<std::string> check(const Schedule &schedule,
                                   const DifferentialOptions &options = {});

  /// The PTX of a GPU schedule, with its launches.
  llvm::Expected<PtxKernels> compilePtx(const Schedule &schedule,
                                        llvm::StringRef chip,
                                        bool asyncCopies = true);
  /// Runs PTX on all sets of inputs. Returns what was wrong, or std::nullopt.
  std::optional<std::string> checkPtx(PtxKernels &code);

  /// The result of running a kernel on a device. After `lost` this process
  /// cannot use the device again.
  struct DeviceVerdict {
    std::string wrong;   ///< What was wrong; empty if nothing.
    std::string skipped; ///< Why it could not be run; no verdict on the code.
    bool lost = false;
  };
  /// Compiles for `target` like the tuner and verifies on the first CUDA
  /// device, with guard bytes after every output.
  DeviceVerdict checkOnDevice(const Schedule &schedule,
                              const CodeTarget &target);

  /// The task with `schedule` attached, in the form that pruner-opt reads.
  std::string withSchedule(const Schedule &schedule) const;

private:
  class Memory;
  DifferentialTask(TaskProgram program);
  using Call =
      llvm::function_ref<std::optional<std::string>(llvm::ArrayRef<void *>)>;
  std::optional<std::string> run(Call call, unsigned set, bool atEnd,
                                 unsigned alignment);

  TaskProgram program;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  TaskIR task;
  Reference reference;
  std::vector<Memory> memory; ///< Inputs, then outputs.
};

} // namespace pruner

#endif // PRUNER_FUZZING_SCHEDULES_DIFFERENTIAL_H
