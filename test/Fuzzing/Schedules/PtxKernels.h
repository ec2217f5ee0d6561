//===- PtxKernels.h - kernels of a schedule as PTX --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_FUZZING_SCHEDULES_PTXKERNELS_H
#define PRUNER_FUZZING_SCHEDULES_PTXKERNELS_H

#include "mlir/IR/BuiltinOps.h"
#include "pruner/Ptx/Machine.h"

namespace pruner {

/// The kernels of a schedule as the PTX that a driver would assemble. They run
/// in the PTX machine (Ptx/Machine.h) with all its checks.
class PtxKernels {
public:
  /// One kernel and how it is launched.
  struct Launch {
    std::string kernel;
    std::array<unsigned, 3> grid, block;
    uint64_t dynamicSharedBytes = 0;
    /// Bytes of each argument. All arguments are buffers.
    std::vector<uint64_t> argumentBytes;
    std::unique_ptr<ptx::Program> program;
  };

  /// Lowers `module`, which is in phase 4, in place. The first `numInputs`
  /// arguments are only read.
  static llvm::Expected<PtxKernels>
  compile(mlir::ModuleOp module, unsigned numInputs, llvm::StringRef chip);

  /// The same for other text with the same kernels.
  llvm::Error replaceText(llvm::StringRef text);

  /// Runs all kernels on the task's arguments. Kernels with asynchronous copies
  /// run again with copies that happen at their issue, and must compute the
  /// same bytes. `variant` selects the addresses of the arguments and the error
  /// of approximate functions. Returns what was wrong, or std::nullopt.
  std::optional<std::string> call(llvm::ArrayRef<void *> arguments,
                                  unsigned variant);

  const std::string &text() const { return ptx; }
  llvm::ArrayRef<Launch> launches() const { return list; }
  /// The counts of the launches of the last call, by kernel.
  llvm::ArrayRef<ptx::Counts> counts() const { return counted; }
  /// The rule that the last call violated.
  std::optional<ptx::Violation> violation() const { return violated; }

  uint64_t stepLimit = uint64_t(1) << 28;

private:
  std::optional<std::string> launchAll(llvm::ArrayRef<void *> arguments,
                                       const ptx::LaunchOptions &base);

  std::string ptx;
  std::vector<Launch> list;
  std::vector<ptx::Counts> counted;
  std::optional<ptx::Violation> violated;
  unsigned numInputs = 0;
};

} // namespace pruner

#endif // PRUNER_FUZZING_SCHEDULES_PTXKERNELS_H
