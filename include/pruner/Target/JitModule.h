//===- JitModule.h - load object code into the process ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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

/// An object loaded into this process. The destructor unmaps its code.
class JitModule {
public:
  ~JitModule();

  /// The address of a function. The first call links the object and fails if a
  /// symbol is defined neither by the object nor by this process; the error
  /// names it.
  llvm::Expected<void *> lookup(llvm::StringRef name);

  /// The same, as a function pointer: `module.function<void(float *)>("k")`.
  template <typename Signature>
  llvm::Expected<Signature *> function(llvm::StringRef name) {
    auto address = lookup(name);
    if (!address)
      return address.takeError();
    return reinterpret_cast<Signature *>(*address);
  }

  /// The section that contains the code of a function, including other
  /// definitions of the object.
  llvm::Expected<llvm::ArrayRef<uint8_t>> sectionOf(llvm::StringRef function);

private:
  friend llvm::Expected<std::unique_ptr<JitModule>>
      loadObject(llvm::ArrayRef<char>);
  JitModule();
  std::unique_ptr<llvm::orc::LLJIT> jit;
  std::string errors;
  /// The position of a function in its section, and the bytes of the section.
  struct Position {
    uint64_t offset = 0, section = 0;
  };
  llvm::StringMap<Position> positions;
};

/// Loads a relocatable object of the host's architecture. Calls of the OpenMP
/// runtime run on the threads of Runtime/KernelTeam.h.
llvm::Expected<std::unique_ptr<JitModule>>
loadObject(llvm::ArrayRef<char> bytes);

} // namespace pruner

#endif // PRUNER_TARGET_JITMODULE_H
