//===- ModuleWriter.h - text of linalg on tensors ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_BENCHMARKS_OPERATORS_MODULEWRITER_H
#define PRUNER_BENCHMARKS_OPERATORS_MODULEWRITER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Twine.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pruner::bench {

/// A tensor in the text: its name, extents and element type.
struct Value {
  std::string name;
  std::vector<int64_t> shape;
  std::string element = "f32";
};

/// "tensor<2x3xf32>".
std::string tensorType(llvm::ArrayRef<int64_t> shape,
                       llvm::StringRef element = "f32");

/// Writes the single function of a module, one operation per line. Generics use
/// the types of their operands, all else is f32.
class ModuleWriter {
public:
  /// `attributes` as in the text: " {name = 1}".
  Value argument(std::vector<int64_t> shape, std::string attributes = "");
  /// A scalar constant; `literal` as in the text.
  std::string constant(llvm::StringRef literal, llvm::StringRef type = "f32");
  Value empty(std::vector<int64_t> shape, llvm::StringRef element = "f32");
  Value fill(std::vector<int64_t> shape, const std::string &scalar,
             llvm::StringRef element = "f32");
  /// Pads each of `dims` by `amount` on both sides.
  Value pad(const Value &value, llvm::ArrayRef<size_t> dims, int64_t amount,
            const std::string &scalar);
  /// tensor.expand_shape or tensor.collapse_shape.
  Value reshape(const Value &value, std::vector<int64_t> shape,
                llvm::StringRef groups);
  /// A named op with one result, initialized with `init`.
  Value named(llvm::StringRef name, llvm::StringRef attributes,
              llvm::ArrayRef<Value> inputs, const Value &init);
  Value broadcast(const Value &value, const Value &init,
                  llvm::StringRef dimensions);
  Value transpose(const Value &value, const Value &init);

  /// An operand of a generic and the right-hand side of its map: "d0, 0".
  struct Mapped {
    Value value;
    std::string map;
  };
  /// A generic over `rank` dimensions, of which those in `reductions` are
  /// reductions. `body` has lines over %in0, %in1, ... and %out; the last one
  /// is the name to yield.
  Value generic(size_t rank, llvm::ArrayRef<size_t> reductions,
                llvm::ArrayRef<Mapped> inputs, const Mapped &init,
                llvm::ArrayRef<std::string> body);

  /// Writes a line unchanged. Returns the name of its result, or of the first
  /// of several.
  std::string line(const llvm::Twine &text, unsigned results = 1);

  /// Returns the module with the result `result`.
  std::string finish(const Value &result) const;

private:
  std::vector<Value> arguments;
  std::vector<std::string> argumentAttributes;
  std::string body;
  unsigned names = 0;
};

/// "d0, d1, ..." of `rank` dimensions.
std::string identityMap(size_t rank);

} // namespace pruner::bench

#endif // PRUNER_BENCHMARKS_OPERATORS_MODULEWRITER_H
