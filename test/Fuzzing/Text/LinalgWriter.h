//===- LinalgWriter.h - write a linalg function as text ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_FUZZING_TEXT_LINALGWRITER_H
#define PRUNER_FUZZING_TEXT_LINALGWRITER_H

#include "LinalgText.h"

namespace pruner {

/// Writes one function, operation by operation:
///
///     LinalgWriter w;
///     TextTensor x = w.argument({8, 16}), sums = w.filled({8}, "f32", "0.0");
///     TextTensor y = w.generic("pr", {{x, {"d0", "d1"}}}, {sums, {"d0"}},
///                              "    %r0 = arith.addf %y0, %x0 : f32\n");
///     std::string module = w.finish(y);
class LinalgWriter {
public:
  /// An argument; `attributes` as in the text: "{pruner.constant}".
  TextTensor argument(Shape shape, llvm::StringRef element = "f32",
                      llvm::StringRef attributes = "");
  /// A scalar constant; `literal` as in the text. Returns its name.
  std::string constant(llvm::StringRef literal,
                       llvm::StringRef element = "f32");
  TextTensor empty(Shape shape, llvm::StringRef element = "f32");
  /// `init`, filled with a scalar of the function.
  TextTensor fill(const TextTensor &init, const std::string &scalar);
  /// A tensor filled with the constant `literal`.
  TextTensor filled(Shape shape, llvm::StringRef element,
                    llvm::StringRef literal);
  /// `x` with `low` and `high` additional elements, which hold a scalar of the
  /// function, before and after every coordinate.
  TextTensor pad(const TextTensor &x, const Shape &low, const Shape &high,
                 const std::string &scalar);
  /// The box of `x` at `offsets` with `strides`, of shape `sizes`.
  TextTensor slice(const TextTensor &x, const Shape &offsets,
                   const Shape &sizes, const Shape &strides);
  /// `into` with `x` at `offsets`, with `strides`.
  TextTensor insert(const TextTensor &x, const TextTensor &into,
                    const Shape &offsets, const Shape &strides);
  /// tensor.expand_shape or tensor.collapse_shape by `groups`:
  /// "[[0, 1], [2]]".
  TextTensor reshape(const TextTensor &x, Shape shape, llvm::StringRef groups);
  /// An operation in destination-passing style with one result:
  /// "linalg.matmul".
  TextTensor named(llvm::StringRef mnemonic, llvm::ArrayRef<TextTensor> inputs,
                   const TextTensor &init, llvm::StringRef attributes = "");
  TextTensor transpose(const TextTensor &x, const TextTensor &init,
                       llvm::ArrayRef<int64_t> permutation);
  TextTensor broadcast(const TextTensor &x, const TextTensor &init,
                       llvm::ArrayRef<int64_t> dimensions);

  /// A linalg.generic over loops of the given iterator types ("ppr": two
  /// parallel, one reduction). `body` consists of lines that read %x0, %x1, ...
  /// (elements of the inputs) and %y0, %y1, ... (of the outputs). `yields` are
  /// the yielded values; by default %r0, %r1, ..., or the inputs if the body is
  /// empty.
  std::vector<TextTensor> generic(llvm::StringRef iterators,
                                  llvm::ArrayRef<TextOperand> inputs,
                                  llvm::ArrayRef<TextOperand> outputs,
                                  llvm::StringRef body,
                                  std::vector<std::string> yields);
  TextTensor generic(llvm::StringRef iterators,
                     llvm::ArrayRef<TextOperand> inputs,
                     const TextOperand &output, llvm::StringRef body) {
    return generic(iterators, inputs, llvm::ArrayRef(output), body, {})[0];
  }

  /// Any operation with one result.
  TextTensor op(Shape shape, llvm::StringRef element,
                const std::string &operation);
  /// A new name: name("v") is "%v3" if three names exist.
  std::string name(llvm::StringRef prefix);

  /// The module, whose function returns `result`.
  std::string finish(const TextTensor &result,
                     llvm::StringRef function = "task") const;

protected:
  /// The operations so far, one per line.
  std::string written;
  unsigned names = 0;

private:
  std::vector<std::string> arguments;
};

/// Writes a task, whose arguments are constants, so that schedules may pack
/// them ahead of time.
class TaskWriter : public LinalgWriter {
public:
  TextTensor argument(Shape shape, llvm::StringRef element) {
    return LinalgWriter::argument(std::move(shape), element,
                                  "{pruner.constant}");
  }
};

} // namespace pruner

#endif // PRUNER_FUZZING_TEXT_LINALGWRITER_H
