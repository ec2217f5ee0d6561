//===- Mutation.h - kernels with one fault ----------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_FUZZING_MUTATION_MUTATION_H
#define PRUNER_FUZZING_MUTATION_MUTATION_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <string>
#include <vector>

namespace pruner {

/// What a mutation spoils.
enum class MutationKind {
  Iteration, ///< An innermost loop loses its first or last iteration.
  Tile,      ///< A loop around others, or a launch, loses one.
  Lane,      ///< A lane of a vector holds zero or its neighbour's value.
  Tail,      ///< A bound, clamp or mask of edges is off by one or lost.
  Neighbour, ///< An access is one element beside its place.
  Stride,    ///< A factor in an address is off by one.
  Start,     ///< An accumulator starts from another value or from none.
  Operands,  ///< The operands of an operation that is not commutative.
  Inputs,    ///< Two inputs of a statement are exchanged.
  Scale,     ///< A result is multiplied by 1 + 2^-10.
  Operation, ///< An operation becomes another one: maximum to minimum.
  Constant,  ///< A constant changes by one part in 64, or by one.
  Skipped,   ///< An operation is left out: its operand takes its place.
  Store,     ///< A store is left out.
  Barrier,   ///< Threads do not wait for each other.
  Wait,      ///< Or not for their asynchronous copies.
  /// A scale, zero point, rounding, shift or clamp of quantized numbers.
  Requantization,
  HighHalf,   ///< An integer loses the high half of its bits.
  NotANumber, ///< NaN passes where it did not, or not; no infinity at the
              ///< start.
  Mask,       ///< A selection is lost or inverted.
  Sign,       ///< Signed for unsigned, or the other way round.
  Rounding,   ///< A narrow type keeps the wide value between two operations.
  Extremum,   ///< A maximum or minimum alone leaves an element out.
};
inline constexpr unsigned numMutationKinds =
    unsigned(MutationKind::Extremum) + 1;

/// "iteration", "tile", ...
llvm::StringRef nameOf(MutationKind kind);

/// Every mutation of a module of phase 3 (`pruner` dialect) or of phase 4
/// (scf, vector, memref, arith, gpu), in the order of its operations. The list
/// depends on the module's text alone, so a number names the same mutation
/// whenever that text is made again.
///
/// Reads: functions with bodies and what is in them. A mutation is one rewrite
/// at one operation; the result passes the verifier or `apply` says why not.
class MutationList {
public:
  struct Mutation {
    MutationKind kind;
    std::string what; ///< "last iteration of scf.for".
    std::function<void()> rewrite;
  };

  explicit MutationList(mlir::ModuleOp module);

  size_t size() const { return mutations.size(); }
  const Mutation &operator[](size_t n) const { return mutations[n]; }

  /// Rewrites the module. Afterwards the list is of no more use.
  llvm::Error apply(size_t n);

private:
  mlir::ModuleOp module;
  std::vector<Mutation> mutations;
};

} // namespace pruner

#endif // PRUNER_FUZZING_MUTATION_MUTATION_H
