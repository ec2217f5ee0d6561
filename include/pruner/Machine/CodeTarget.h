//===- CodeTarget.h - the target of code generation -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A machine describes how fast kernels run and which are possible. A code
// target is the input of the code generator. Several machines share one code
// target: an H200 and an H100 both have nvidia:sm_90a. Records, build requests
// and pipelines use the code target.

#ifndef PRUNER_MACHINE_CODETARGET_H
#define PRUNER_MACHINE_CODETARGET_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace pruner {

struct Machine;

/// `nvidia:<model>`, the form of names of machines and targets.
std::string nvidiaName(llvm::StringRef model);
/// Removes the prefix `nvidia:` from a name; returns false if it has none.
bool consumeNvidia(llvm::StringRef &name);

class CodeTarget {
public:
  enum class Family { Cpu, Nvidia };

  /// This host's CPU.
  CodeTarget() = default;

  /// Parses `cpu` (this host), `cpu:<LLVM CPU>` or `nvidia:<chip>`. Does not
  /// check whether LLVM knows the CPU or chip.
  static llvm::Expected<CodeTarget> parse(llvm::StringRef text);

  /// The target of kernels for `machine`: its chip, or this host. Code for
  /// another CPU is generated only if its name is given explicitly.
  static CodeTarget of(const Machine &machine);

  Family family() const { return kind; }
  bool isCpu() const { return kind == Family::Cpu; }
  bool isGpu() const { return kind == Family::Nvidia; }

  /// `sm_90a`, or LLVM's name of a CPU; empty for this host.
  const std::string &chip() const { return name; }

  /// The text from which `parse` reads this target.
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
