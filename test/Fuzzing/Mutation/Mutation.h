//===- Mutation.h - kernels with one fault ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_FUZZING_MUTATION_MUTATION_H
#define PRUNER_FUZZING_MUTATION_MUTATION_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <string>
#include <vector>

namespace pruner {

/// The kind of fault of a mutation.
enum class MutationKind {
  Iteration, ///< An innermost loop loses its first or last iteration.
  Tile,      ///< A loop around others, or a launch, loses one.
  Lane,      ///< A lane of a vector holds zero or its neighbor's value.
  Tail,      ///< A bound, clamp or mask at an edge is off by one or missing.
  Neighbor,  ///< An access is off by one element.
  Stride,    ///< A factor in an address is off by one.
  Start,     ///< An accumulator has another initial value or none.
  Operands,  ///< The operands of a noncommutative operation are exchanged.
  Inputs,    ///< Two inputs of a statement are exchanged.
  Scale,     ///< A result is multiplied by 1 + 2^-10.
  Operation, ///< An operation becomes another one: maximum to minimum.
  Constant,  ///< A constant changes by one part in 64, or by one.
  Skipped,   ///< An operation is replaced by its operand.
  Store,     ///< A store is missing.
  Barrier,   ///< Threads do not wait for each other.
  Wait,      ///< Threads do not wait for their asynchronous copies.
  /// A scale, zero point, rounding, shift or clamp of quantized numbers.
  Requantization,
  HighHalf,   ///< An integer loses the high half of its bits.
  NotANumber, ///< NaN passes where it did not, or not; no infinity at the
              ///< start.
  Mask,       ///< A selection is removed or inverted.
  Sign,       ///< Signed instead of unsigned, or the other way round.
  /// A value is not rounded to its narrow type between two operations.
  Rounding,
  Extremum, ///< A maximum or minimum leaves an element out.
};
inline constexpr unsigned numMutationKinds =
    unsigned(MutationKind::Extremum) + 1;

/// "iteration", "tile", ...
llvm::StringRef nameOf(MutationKind kind);

/// Every mutation of a module of phase 3 (`pruner` dialect) or of phase 4 (scf,
/// vector, memref, arith, gpu), in the order of its operations. The list
/// depends only on the text of the module, so a number identifies the same
/// mutation whenever that text is built again.
///
/// Covers functions with bodies and their contents. A mutation is one rewrite
/// at one operation. The result passes the verifier, or `apply` returns its
/// error.
class MutationList {
public:
  struct Mutation {
    MutationKind kind;
    std::string what; ///< For example "last iteration of scf.for".
    std::function<void()> rewrite;
  };

  explicit MutationList(mlir::ModuleOp module);

  size_t size() const { return mutations.size(); }
  const Mutation &operator[](size_t n) const { return mutations[n]; }

  /// Rewrites the module. The list cannot be used afterwards.
  llvm::Error apply(size_t n);

private:
  mlir::ModuleOp module;
  std::vector<Mutation> mutations;
};

} // namespace pruner

#endif // PRUNER_FUZZING_MUTATION_MUTATION_H
