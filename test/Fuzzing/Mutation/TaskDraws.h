//===- TaskDraws.h - draw tasks of each kind --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_FUZZING_MUTATION_TASKDRAWS_H
#define PRUNER_FUZZING_MUTATION_TASKDRAWS_H

#include "pruner/Support/Random.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace pruner {

/// An extent of at most `limit`: ones, primes, tiles and tiles +-1.
int64_t drawExtent(Random &random, int64_t limit);

/// A way to combine elements: the body of a reduction that reads %y0 and %x0
/// and writes %r0, and its initial value.
struct Combination {
  std::string neutral, body;
};
/// A sum, maximum or minimum.
Combination drawCombination(const std::string &type, Random &random);

/// Lines that compute `to` from `from`: a ReLU, tanh, GELU, sigmoid, or a
/// quotient.
std::string functionOf(const std::string &type, const std::string &from,
                       const std::string &to, Random &random);

std::string drawReduction(llvm::StringRef type, Random &random);
std::string drawElementwise(llvm::StringRef type, Random &random);
std::string drawFunction(llvm::StringRef type, Random &random);
std::string drawQuantize(llvm::StringRef type, Random &random);
/// A task as in pruner-fuzz schedules: any, a chain between two products, a
/// product with weights of bytes or halves of bytes.
std::string drawAny(llvm::StringRef type, Random &random);
std::string drawJoined(llvm::StringRef type, Random &random);
std::string drawWeightOnly(llvm::StringRef type, Random &random);

std::string drawSoftmax(llvm::StringRef type, Random &random);
/// Scores times a scale plus a mask, and their softmax.
std::string drawAttention(llvm::StringRef type, Random &random);
/// A softmax of scores with a mask of -inf, possibly with 0 for completely
/// masked rows.
std::string drawMaskedSoftmax(llvm::StringRef type, Random &random);
std::string drawLayerNorm(llvm::StringRef type, Random &random);
std::string drawRmsNorm(llvm::StringRef type, Random &random);

/// Accumulators of i32 converted to i8: multiplied by a scale (an f32, or an
/// integer and a shift; one for all or one per channel), rounded, plus a zero
/// point, clamped.
std::string drawRequantization(llvm::StringRef type, Random &random);
std::string drawQuantizedMatmul(llvm::StringRef type, Random &random);
std::string drawQuantizedConvolution(llvm::StringRef type, Random &random);
std::string drawWide(llvm::StringRef type, Random &random);
std::string drawChain(llvm::StringRef type, Random &random);
std::string drawSmall(llvm::StringRef type, Random &random);

} // namespace pruner

#endif // PRUNER_FUZZING_MUTATION_TASKDRAWS_H
