//===- AmdMachines.h - AMD devices known by name ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_MACHINE_AMDMACHINES_H
#define PRUNER_LIB_MACHINE_AMDMACHINES_H

#include "pruner/Machine/Machine.h"

#include "llvm/ADT/StringRef.h"

namespace pruner {

/// "amd:mi50" for "mi50".
std::string amdName(llvm::StringRef model);

/// Names with the prefix, newest first.
std::vector<std::string> amdMachineNames();

/// The device called `name`, in lower case and with the prefix, or nothing.
std::optional<Machine> amdMachine(llvm::StringRef name);

} // namespace pruner

#endif // PRUNER_LIB_MACHINE_AMDMACHINES_H
