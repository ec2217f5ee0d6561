//===- Throughput.h - compare times with vector libraries -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TOOLS_CHECKMATH_THROUGHPUT_H
#define PRUNER_TOOLS_CHECKMATH_THROUGHPUT_H

#include "mlir/IR/MLIRContext.h"

#include <string>

namespace pruner::checkmath {

/// Prints the nanoseconds per f32 element of generated code, of glibc's libmvec
/// and of SLEEF (the functions of 1 ulp), with vectors of 512 bits. Times are
/// medians of interleaved rounds over 4096 numbers in the first-level cache. A
/// column is empty if its library or AVX-512 is missing. `peers` are more
/// columns of the form `<name>=<directory>`, where `<function>.so` exports
/// `void pruner_peer(const float *x, const float *y, float *z)` for 4096
/// numbers. Returns false after an error.
bool printThroughput(mlir::MLIRContext &context,
                     llvm::ArrayRef<std::string> names,
                     llvm::ArrayRef<std::string> peers);

} // namespace pruner::checkmath

#endif // PRUNER_TOOLS_CHECKMATH_THROUGHPUT_H
