//===- TargetOption.h - the `target` option of passes -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_DIALECT_PRUNER_TRANSFORMS_TARGETOPTION_H
#define PRUNER_LIB_DIALECT_PRUNER_TRANSFORMS_TARGETOPTION_H

#include "pruner/Machine/Machine.h"

#include "mlir/IR/Operation.h"

#include <map>

namespace pruner {

/// Resolves a pass's `target` option to a machine (see `parseTarget`). The
/// default is the host for CPU programs and nvidia:sm_80 for GPU programs. Each
/// machine is looked up on first use.
class TargetOption {
public:
  /// Errors are emitted at `where`.
  TargetOption(llvm::StringRef target, mlir::Operation *where)
      : target(target.str()), where(where) {}

  /// The machine for a GPU or a CPU program; null after an error.
  const Machine *get(bool gpu);

private:
  std::string target;
  mlir::Operation *where;
  std::map<std::string, Machine> machines;
};

} // namespace pruner

#endif // PRUNER_LIB_DIALECT_PRUNER_TRANSFORMS_TARGETOPTION_H
