//===- LinalgText.h - parts of linalg programs as text ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_FUZZING_TEXT_LINALGTEXT_H
#define PRUNER_FUZZING_TEXT_LINALGTEXT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pruner {

class Random;

using Shape = std::vector<int64_t>;

/// "[1, 2]".
std::string listText(llvm::ArrayRef<int64_t> values);
std::string listText(llvm::ArrayRef<std::string> values);

/// A tensor in the text: its name, such as "%v3", its extents and its element
/// type.
struct TextTensor {
  std::string name;
  Shape shape; ///< -1: dynamic.
  std::string element = "f32";
  unsigned uses = 0; ///< Counted by drawers, not by the writer.

  /// "tensor<2x3xf32>".
  std::string type() const;
  size_t rank() const { return shape.size(); }
  int64_t elements() const;
  bool isReal() const;
};

/// Expressions of an indexing map, one per coordinate: {"d0", "d1 * 2"}.
using TextMap = std::vector<std::string>;

/// {0, 2} as {"d0", "d2"}.
TextMap dimNames(llvm::ArrayRef<unsigned> dims);
/// {"d0", "d1", ...}.
TextMap allDims(size_t rank);

/// A tensor and its indexing map.
struct TextOperand {
  TextTensor tensor;
  TextMap map;
};

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

bool isFloatName(llvm::StringRef element);
/// "0" or "0.0".
std::string zeroOf(llvm::StringRef element);
/// The bits of an infinity in MLIR's spelling.
std::string infinityOf(llvm::StringRef element, bool negative);
/// The type in which products of `element` are summed.
std::string accumulatorOf(llvm::StringRef element);

//===----------------------------------------------------------------------===//
// Bodies of generics
//===----------------------------------------------------------------------===//

/// "arith." and the operation for this type.
std::string arithOf(llvm::StringRef element, llvm::StringRef floatOperation,
                    llvm::StringRef intOperation);

/// The line `to` = `operation` `operands` : `types`.
std::string bodyLine(llvm::StringRef to, llvm::StringRef operation,
                     llvm::StringRef operands, llvm::StringRef types);

/// Adds the product of %x0 and %x1, of type `operand`, to %y0, of type
/// `result`. The factors are extended first if the types differ; integers by
/// zeros if the factor is unsigned.
std::string multiplyAddBody(llvm::StringRef operand, llvm::StringRef result,
                            bool unsigned0 = false, bool unsigned1 = false);

/// A body, line by line; each line defines a new value.
class BodyText {
public:
  /// Adds `operation` with operands and type: add("arith.addf", "%x0, %y0",
  /// "f32"). Returns the name of its result.
  std::string add(llvm::StringRef operation, llvm::StringRef operands,
                  llvm::StringRef types);
  std::string text;

private:
  unsigned next = 0;
};

//===----------------------------------------------------------------------===//
// Random choices
//===----------------------------------------------------------------------===//

/// One of `values` that is at most `limit`. One of them must be.
int64_t drawExtent(Random &random, llvm::ArrayRef<int64_t> values,
                   int64_t limit);

} // namespace pruner

#endif // PRUNER_FUZZING_TEXT_LINALGTEXT_H
