//===- OptionOverride.h - an option of LLVM for a while ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_SUPPORT_OPTIONOVERRIDE_H
#define PRUNER_SUPPORT_OPTIONOVERRIDE_H

#include "llvm/ADT/StringRef.h"

namespace llvm::cl {
class Option;
} // namespace llvm::cl

namespace pruner {

/// Sets an option of LLVM's command line during its lifetime, for behavior that
/// LLVM has no other interface for. It applies to the whole process, other
/// threads included. A choice of the user stays, and an option that this LLVM
/// does not have is ignored.
class OptionOverride {
public:
  OptionOverride(llvm::StringRef name, llvm::StringRef value);
  ~OptionOverride();
  OptionOverride(const OptionOverride &) = delete;
  OptionOverride &operator=(const OptionOverride &) = delete;

private:
  llvm::cl::Option *option = nullptr;
};

} // namespace pruner

#endif // PRUNER_SUPPORT_OPTIONOVERRIDE_H
