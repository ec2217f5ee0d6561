//===- Operator.h - one operation of a suite --------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_BENCHMARKS_OPERATORS_OPERATOR_H
#define PRUNER_BENCHMARKS_OPERATORS_OPERATOR_H

#include "FloatBuffer.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <string>
#include <vector>

namespace pruner::bench {

/// An f32 operand, row-major.
struct OperandSpec {
  std::vector<int64_t> shape;
  /// A weight: peers may have it ahead of time.
  bool constant = false;
  /// The data are uniform in `offset` +- `range`.
  double range = 1, offset = 0;

  int64_t elements() const;
};

/// An operation, written in a suite as a line of a name, a kind and numbers:
///
///     conv_64_56_64_k3  conv c=64 h=56 f=64 k=3 p=1
///
/// Images are 1 x C x H x H, filters F x C/G x K x K (C x F x K x K of
/// transposed convolutions), products A (M x K) times B (K x N).
struct Operator {
  std::string name, kind;
  std::map<std::string, std::vector<int64_t>> parameters;

  std::vector<OperandSpec> inputs;
  std::vector<int64_t> result;
  /// Nominal floating-point operations: two for each multiply-add of products
  /// and convolutions (of transposed ones without the zeros between), one for
  /// each element of a sum, 0 for what memory bounds anyway.
  double flops = 0;

  /// Every operand and the result once.
  double bytes() const;
  int64_t resultElements() const;
  /// A parameter of one number; it has one.
  int64_t get(const char *name) const;
  /// The extents of `shape`.
  const std::vector<int64_t> &shape() const { return parameters.at("shape"); }
  /// One filter for each channel.
  bool depthwise() const;

  static llvm::Expected<Operator> parse(llvm::StringRef line);
};

/// Operations of a command line: kinds and numbers as in a suite, "mm m=2 n=3
/// k=4", which name them, "mm_m2_n3_k4".
llvm::Expected<std::vector<Operator>>
readOperators(llvm::ArrayRef<std::string> texts);

/// The operations of a suite file; empty lines and what follows a '#' are
/// comments. Errors name the line.
llvm::Expected<std::vector<Operator>> readSuite(const std::string &path);

/// Those of `texts`, or if there are none, of a suite file, whose name has a
/// match of the regular expression `only`, one at least.
llvm::Expected<std::vector<Operator>>
selectOperators(llvm::ArrayRef<std::string> texts, const std::string &path,
                const std::string &only);

/// The module of linalg on tensors that PyTorch's exporter makes of an
/// operation, one function @main. Layer normalisation computes its variance in
/// f64, as the exporter does, with `f64=1` only. Constant weights carry the
/// attribute that says so, and all arguments their names.
enum class Weights { AtRunTime, Constant };
std::string moduleText(const Operator &op,
                       Weights weights = Weights::AtRunTime);

/// The name of operand number `n` in such a module.
std::string operandName(size_t n);

/// The same with images and filters channels-last (NHWC, HWCF), for compilers
/// that prefer them. Empty for operations that have no such form here.
struct ChannelsLast {
  std::string text;
  /// By operand, from the operation's layout to that of the text, and of the
  /// result back.
  std::vector<std::vector<int64_t>> inputPermutations;
  std::vector<int64_t> resultPermutation;
};
ChannelsLast channelsLastText(const Operator &op);

/// The result in f64, computed by plain loops over the definition.
std::vector<double> reference(const Operator &op,
                              llvm::ArrayRef<FloatBuffer> inputs);

} // namespace pruner::bench

#endif // PRUNER_BENCHMARKS_OPERATORS_OPERATOR_H
