//===- JitModule.h - object code made callable ------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_TARGET_JITMODULE_H
#define PRUNER_TARGET_JITMODULE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace llvm::orc {
class LLJIT;
}

namespace pruner {

/// An object loaded into this process. Its code is unmapped on destruction.
class JitModule {
public:
  ~JitModule();

  /// The address of a function. The first call links the object; symbols that
  /// neither the object nor this process define are an error that names them.
  llvm::Expected<void *> lookup(llvm::StringRef name);

  /// The same, as a function pointer: `module.function<void(float *)>("k")`.
  template <typename Signature>
  llvm::Expected<Signature *> function(llvm::StringRef name) {
    auto address = lookup(name);
    if (!address)
      return address.takeError();
    return reinterpret_cast<Signature *>(*address);
  }

  /// The section with the code of a function: of all that the object defines
  /// beside it.
  llvm::Expected<llvm::ArrayRef<uint8_t>> sectionOf(llvm::StringRef function);

private:
  friend llvm::Expected<std::unique_ptr<JitModule>>
      loadObject(llvm::ArrayRef<char>);
  JitModule();
  std::unique_ptr<llvm::orc::LLJIT> jit;
  std::string errors;
  /// Where a function lies in its section, and the bytes of that.
  struct Position {
    uint64_t offset = 0, section = 0;
  };
  llvm::StringMap<Position> positions;
};

/// Loads a relocatable object of the host's architecture. What calls the OpenMP
/// runtime runs on the threads of Runtime/KernelTeam.h.
llvm::Expected<std::unique_ptr<JitModule>>
loadObject(llvm::ArrayRef<char> bytes);

} // namespace pruner

#endif // PRUNER_TARGET_JITMODULE_H
