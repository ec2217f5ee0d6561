//===- Arguments.h - arguments of an emulated kernel ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TOOLS_EMULATE_ARGUMENTS_H
#define PRUNER_TOOLS_EMULATE_ARGUMENTS_H

#include "mlir/IR/Types.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <memory>
#include <random>

namespace pruner {

enum class Fill { Iota, RandomInt, Ones, Zeros };

/// One argument as the bytes that the kernel reads and writes.
struct EmulatedArgument {
  mlir::Type element;
  int64_t count = 1;
  bool scalar = false;
  std::unique_ptr<char, void (*)(void *)> bytes{nullptr, std::free};

  unsigned elementBytes() const;
  uint64_t size() const { return count * elementBytes(); }
  /// Allocates the elements and gives them their values.
  void fill(Fill with, std::mt19937_64 &random);
  void set(int64_t n, double value);
  /// Prints " <value>" for each element.
  void print(llvm::raw_ostream &os) const;
};

} // namespace pruner

#endif // PRUNER_TOOLS_EMULATE_ARGUMENTS_H
