//===- CodeTarget.h - what code is generated for ----------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A machine says how fast kernels run and which may exist; a code target says
// what its code generator is asked for. Several machines share one: an H200 and
// an H100 are both nvidia:sm_90a. Records, build requests and pipelines go by
// the code target.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_MACHINE_CODETARGET_H
#define PRUNER_MACHINE_CODETARGET_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace pruner {

struct Machine;

/// `nvidia:<model>`, as machines and targets are named.
std::string nvidiaName(llvm::StringRef model);
/// Takes the family off such a name; false if it has another one.
bool consumeNvidia(llvm::StringRef &name);

class CodeTarget {
public:
  enum class Family { Cpu, Nvidia };

  /// This host's CPU.
  CodeTarget() = default;

  /// `cpu` (this host), `cpu:<LLVM CPU>` or `nvidia:<chip>`; an error for
  /// anything else. Whether LLVM knows the CPU or chip is not asked.
  static llvm::Expected<CodeTarget> parse(llvm::StringRef text);

  /// What kernels for `machine` are generated for: its chip, or this host. Code
  /// for another CPU is only made where its name is asked for.
  static CodeTarget of(const Machine &machine);

  Family family() const { return kind; }
  bool isCpu() const { return kind == Family::Cpu; }
  bool isGpu() const { return kind == Family::Nvidia; }

  /// `sm_90a`, or LLVM's name of a CPU; empty for this host.
  const std::string &chip() const { return name; }

  /// What `parse` reads as this target.
  std::string str() const;

  friend bool operator==(const CodeTarget &a, const CodeTarget &b) {
    return a.kind == b.kind && a.name == b.name;
  }
  friend bool operator!=(const CodeTarget &a, const CodeTarget &b) {
    return !(a == b);
  }

private:
  CodeTarget(Family kind, std::string name)
      : kind(kind), name(std::move(name)) {}

  Family kind = Family::Cpu;
  std::string name;
};

} // namespace pruner

#endif // PRUNER_MACHINE_CODETARGET_H
