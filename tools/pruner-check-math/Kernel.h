//===- Kernel.h - a compiled function on vectors ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TOOLS_CHECKMATH_KERNEL_H
#define PRUNER_TOOLS_CHECKMATH_KERNEL_H

#include "Functions.h"

#include "pruner/Target/JitModule.h"
#include "pruner/Target/ObjectCode.h"

#include "mlir/IR/MLIRContext.h"

namespace pruner::checkmath {

constexpr size_t kBlock = 4096; ///< Numbers per call.

/// A function compiled as in CPU kernels, on vectors of 16 lanes.
class Kernel {
public:
  static llvm::Expected<Kernel> compile(mlir::MLIRContext &context,
                                        const Function &function,
                                        const Format &format,
                                        const CpuOptions &cpu);

  /// Buffers of kBlock numbers, aligned to 64 bytes.
  void operator()(void *x, void *y, void *result) { entry(x, y, result); }

private:
  std::unique_ptr<JitModule> code;
  void (*entry)(void *, void *, void *) = nullptr;
};

} // namespace pruner::checkmath

#endif // PRUNER_TOOLS_CHECKMATH_KERNEL_H
