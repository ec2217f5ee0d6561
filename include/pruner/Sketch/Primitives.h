//===- Primitives.h - a schedule as a sequence of primitives ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The decisions for a task as a sequence of primitives, in the manner of
// Ansor's transform steps: each has a type, followed by numbers and names. The
// TLP model reads such sequences (Zhai et al., ASPLOS 2023, section 4).
// docs/reference/ScheduleLanguage.md has the grammar. A product on a GPU reads
//
//   nest simt_tile 2 1 4
//   compute 0 anchor 1 2 2 0
//   tile 0 parallel 512 1 0 [1, 16, 2, 2]
//   tile 1 parallel 512 2 2 [1, 16, 1, 4]
//   tile 2 reduction 1024 3 1 [8, 2]
//   stages [inner, inner]
//   vector 4
//   unroll 64
//
// A sequence contains the whole schedule; scheduleOf() restores it. Of the task
// it contains what distinguishes schedules (extents, the inputs that a
// dimension reads, the computation), but not the whole task.
//
// No IR, program or summary is built. The part that depends only on the task is
// computed once (PrimitiveWriter).

#ifndef PRUNER_SKETCH_PRIMITIVES_H
#define PRUNER_SKETCH_PRIMITIVES_H

#include "pruner/Program/Task.h"
#include "pruner/Sketch/Schedule.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace pruner {

/// The types of primitives. Those from FirstKnob on are the knobs in the order
/// of `allKnobs()`, so a new knob adds a type.
enum class PrimitiveType : unsigned {
  /// The nest of tile levels and their execution (Ansor: RE, FU and AN).
  /// Sketch, parallel dimensions, reduction dimensions, bytes of an element of
  /// the result.
  Nest,
  /// A statement and the place of its computation (CA, CI, FSP). Its number,
  /// its role, reduction dimensions, inputs, arithmetic operations per point,
  /// and how many of these are divisions and mathematical functions.
  Compute,
  /// A dimension of the anchor, split into tile levels (SP). Its number, kind
  /// and extent; as bits, the anchor inputs that it reads along, and those
  /// whose last coordinate it moves; the factors, outer to inner.
  Tile,
  FirstKnob,
};

/// The number of types.
unsigned primitiveTypeCount();
/// "nest", "compute", "tile", or the name of the knob.
llvm::StringRef primitiveName(unsigned type);

/// One primitive. Names are stored as tokens: numbers from 1, in the order in
/// which the grammar lists them.
struct Primitive {
  unsigned type = 0;
  llvm::SmallVector<int64_t, 10> parameters;

  bool is(PrimitiveType other) const { return type == unsigned(other); }
  bool operator==(const Primitive &other) const {
    return type == other.type && parameters == other.parameters;
  }
};

using PrimitiveSequence = llvm::SmallVector<Primitive, 0>;

/// Writes the schedules of one task as sequences.
class PrimitiveWriter {
public:
  explicit PrimitiveWriter(const TaskDesc &task);

  /// The sequence of `schedule`, which must have one list of tiles for each
  /// dimension of the anchor.
  PrimitiveSequence operator()(const Schedule &schedule) const;
  /// Writes into a sequence to reuse its memory.
  void write(const Schedule &schedule, PrimitiveSequence &sequence) const;

private:
  /// The sequence without sketch, factors and knobs.
  PrimitiveSequence frame;
};

/// The schedule that `sequence` represents. Fails if the order, number or
/// values of valid primitives are wrong: no `nest` at the start, dimensions
/// that are not numbered from 0, a number of factors that differs from the
/// levels of the sketch, values that a knob cannot have, or duplicates. Does
/// not check whether the schedule is legal (Analysis/Legality.h).
llvm::Expected<Schedule> scheduleOf(llvm::ArrayRef<Primitive> sequence);

/// Prints one line for each primitive.
void printPrimitives(llvm::ArrayRef<Primitive> sequence, llvm::raw_ostream &os);

/// Parses the output of printPrimitives(). Line ends or semicolons separate
/// primitives. The error names the primitive by its number, from 1.
llvm::Expected<PrimitiveSequence> parsePrimitives(llvm::StringRef text);

} // namespace pruner

#endif // PRUNER_SKETCH_PRIMITIVES_H
