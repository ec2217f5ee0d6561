//===- ReadTargets.h - machines that an option names ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_NORMALIZE_READTARGETS_H
#define PRUNER_LIB_CONVERSION_NORMALIZE_READTARGETS_H

#include "pruner/Machine/MachineFile.h"

#include "mlir/IR/Diagnostics.h"

namespace pruner {

/// The machines that the option `targets` of a pass names; without a name, this
/// host. Fails with a diagnostic at `loc`.
inline mlir::FailureOr<std::vector<Machine>>
readTargets(mlir::Location loc, llvm::ArrayRef<std::string> names) {
  std::vector<Machine> machines;
  for (llvm::StringRef name : names) {
    llvm::Expected<Machine> machine = parseTarget(name);
    if (!machine)
      return mlir::emitError(loc)
             << "option 'targets': " << llvm::toString(machine.takeError());
    machines.push_back(std::move(*machine));
  }
  return machines.empty() ? readTargets(loc, {"cpu"}) : std::move(machines);
}

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_NORMALIZE_READTARGETS_H
