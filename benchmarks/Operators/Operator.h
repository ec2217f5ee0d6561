//===- Operator.h - one operation of a suite --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_BENCHMARKS_OPERATORS_OPERATOR_H
#define PRUNER_BENCHMARKS_OPERATORS_OPERATOR_H

#include "FloatBuffer.h"

#include "pruner/Program/Task.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <string>
#include <vector>

namespace pruner::bench {

/// The element types of an operation. Float operations add in f32 and round
/// their results once.
struct ElementTypes {
  /// As in suites: "f32", "bf16", "f16", or the signs and widths of both
  /// factors: "u8s8", "s8s8".
  llvm::StringLiteral name;
  ElementType operands, result;
  /// Whether elements of the first operand are unsigned integers.
  bool unsignedFirst;
  /// The largest permitted difference of a result from the reference, relative
  /// to the root mean square of all results. Integers are exact.
  double tolerance;

  bool integers() const { return result == ElementType::I32; }
};

/// An operand, row-major.
struct OperandSpec {
  std::vector<int64_t> shape;
  /// A weight; peers may receive it ahead of time.
  bool constant = false;
  /// Floats are uniform in `offset` +- `range`, integers in their whole range.
  double range = 1, offset = 0;

  int64_t elements() const;
};

/// An operation. A suite describes it in one line by a name, a kind, numbers
/// and, for products and convolutions, its element types:
///
///     conv_64_56_64_k3  conv c=64 h=56 f=64 k=3 p=1
///     mm_512x512x512_u8s8  mm m=512 n=512 k=512 types=u8s8
///
/// Images are 1 x C x H x H, filters F x C/G x K x K (C x F x K x K for
/// transposed convolutions), products A (M x K) times B (K x N).
struct Operator {
  std::string name, kind;
  std::map<std::string, std::vector<int64_t>> parameters;

  const ElementTypes *types = nullptr; ///< Never null once it is parsed.
  std::vector<OperandSpec> inputs;
  std::vector<int64_t> result;
  /// Nominal floating-point operations: two for each multiply-add of products
  /// and convolutions (for transposed ones without the inserted zeros), one for
  /// each element of a sum, 0 for operations that memory limits.
  double flops = 0;

  /// The bytes of every operand and the result, counted once.
  double bytes() const;
  int64_t resultElements() const;
  /// Returns a parameter with one number, which must exist.
  int64_t get(const char *name) const;
  /// The extents of `shape`.
  const std::vector<int64_t> &shape() const { return parameters.at("shape"); }
  /// Whether there is one filter for each channel.
  bool depthwise() const;

  static llvm::Expected<Operator> parse(llvm::StringRef line);
};

/// Parses operations of a command line: kinds and numbers as in a suite, "mm
/// m=2 n=3 k=4". Their names are derived, "mm_m2_n3_k4".
llvm::Expected<std::vector<Operator>>
readOperators(llvm::ArrayRef<std::string> texts);

/// Reads a suite file. Empty lines and text after '#' are ignored. Errors name
/// the line.
llvm::Expected<std::vector<Operator>> readSuite(const std::string &path);

/// Returns the operations of `texts`, or if there are none, of a suite file,
/// whose name matches the regular expression `only`. Fails if there are none.
llvm::Expected<std::vector<Operator>>
selectOperators(llvm::ArrayRef<std::string> texts, const std::string &path,
                const std::string &only);

/// Writes the module of linalg on tensors that PyTorch's exporter makes of an
/// operation, with one function @main. Layer normalization computes its
/// variance in f64, as in the exporter, only with `f64=1`. Constant weights
/// carry the attribute for it, and all arguments their names.
enum class Weights { AtRunTime, Constant };
std::string moduleText(const Operator &op,
                       Weights weights = Weights::AtRunTime);

/// The name of operand number `n` in such a module.
std::string operandName(size_t n);

/// The same with images and filters channels-last (NHWC, HWCF), for compilers
/// that prefer this layout. Empty for operations without such a form.
struct ChannelsLast {
  std::string text;
  /// For each operand the permutation from the operation's layout to that of
  /// the text, and the reverse for the result.
  std::vector<std::vector<int64_t>> inputPermutations;
  std::vector<int64_t> resultPermutation;
};
ChannelsLast channelsLastText(const Operator &op);

/// Computes the result in f64 by plain loops over the definition. `inputs` are
/// the values of the operands. Results are not rounded to the result's type.
std::vector<double> reference(const Operator &op,
                              llvm::ArrayRef<FloatBuffer> inputs);

} // namespace pruner::bench

#endif // PRUNER_BENCHMARKS_OPERATORS_OPERATOR_H
