//===- TaskWriter.h - write task functions as text --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_FUZZING_SCHEDULES_TASKWRITER_H
#define PRUNER_FUZZING_SCHEDULES_TASKWRITER_H

#include "pruner/Support/Random.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace pruner {

/// A value of the function that is being written.
struct TextTensor {
  std::string value;
  std::vector<int64_t> shape;
  std::string element;

  std::string type() const;
};

/// A tensor and its indexing map, one expression per coordinate.
struct TextOperand {
  TextTensor tensor;
  std::vector<std::string> map;
};

/// Writes one task function, op by op.
class TaskWriter {
public:
  /// A constant, so that schedules may pack it ahead of time.
  TextTensor argument(std::vector<int64_t> shape, llvm::StringRef element);
  TextTensor empty(std::vector<int64_t> shape, llvm::StringRef element);
  /// A tensor filled with the constant `text`.
  TextTensor filled(std::vector<int64_t> shape, llvm::StringRef element,
                    llvm::StringRef text);

  /// `tensor` with `low` and `high` additional elements with the constant
  /// `text` before and after every coordinate.
  TextTensor pad(const TextTensor &tensor, const std::vector<int64_t> &low,
                 const std::vector<int64_t> &high, llvm::StringRef text);

  /// A linalg.generic over dimensions of the given iterator types ("ppr": two
  /// parallel, one reduction). `body` reads %x0, %x1, ... and %acc, and writes
  /// %r, which is yielded.
  TextTensor generic(llvm::StringRef iterators,
                     llvm::ArrayRef<TextOperand> inputs,
                     const TextOperand &output, llvm::StringRef body);

  /// The module, whose function returns `result`.
  std::string finish(const TextTensor &result) const;

private:
  std::string arguments, text;
  int next = 0;
};

/// Names of `dims` as expressions: {0, 2} to {"d0", "d2"}.
std::vector<std::string> dimNames(llvm::ArrayRef<unsigned> dims);

/// Operand and accumulator types of a multiply-add, and its body.
struct MultiplyAdd {
  const char *operand, *result, *body;
};

/// f32 every second time, otherwise any of the types.
MultiplyAdd multiplyAdd(Random &random);

} // namespace pruner

#endif // PRUNER_FUZZING_SCHEDULES_TASKWRITER_H
