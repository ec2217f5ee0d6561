//===- Primitives.h - a schedule as a sequence of primitives ----*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The decisions for a task as words of a language: a sequence of primitives,
// each of a type with numbers and names behind it, as in the lists of steps
// that Ansor's programs are made by. It is what TLP learns from (Zhai et al.,
// ASPLOS 2023, section 4). docs/reference/ScheduleLanguage.md has the grammar;
// a product on a GPU reads
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
// Nothing of a schedule is lost: scheduleOf() gives it back. Of the task it
// says what distinguishes schedules (extents, which inputs a dimension reads,
// what is computed), not enough to make the task of it.
//
// No IR, no program and no summary is built. What belongs to the task is
// computed once (PrimitiveWriter).
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_SKETCH_PRIMITIVES_H
#define PRUNER_SKETCH_PRIMITIVES_H

#include "pruner/Program/Task.h"
#include "pruner/Sketch/Schedule.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace pruner {

/// The types of primitives. Those from FirstKnob are the knobs in the order of
/// `allKnobs()`, so that a knob that is added is one more type.
enum class PrimitiveType : unsigned {
  /// How tile levels nest and what runs them (Ansor: RE, FU and AN). Sketch,
  /// parallel dimensions, reduction dimensions, bytes of a result's element.
  Nest,
  /// A statement and where it is computed (CA, CI, FSP). Its number, its role,
  /// reduction dimensions, inputs, arithmetic of a point, of that divisions and
  /// mathematical functions.
  Compute,
  /// A dimension of the anchor cut into tile levels (SP). Its number, kind,
  /// extent; as bits the anchor inputs that it reads along, and those of which
  /// it moves in the last coordinate; the factors, outer to inner.
  Tile,
  FirstKnob,
};

/// How many types there are.
unsigned primitiveTypeCount();
/// "nest", "compute", "tile", or the name of the knob.
llvm::StringRef primitiveName(unsigned type);

/// One word. Names stand as tokens: numbers from 1, in the order in which the
/// grammar lists them.
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

  /// The sequence of `schedule`, which must fit the task: as many lists of
  /// tiles as the anchor has dimensions.
  PrimitiveSequence operator()(const Schedule &schedule) const;
  /// The same into a sequence whose memory is used again.
  void write(const Schedule &schedule, PrimitiveSequence &sequence) const;

private:
  /// The sequence without a sketch, factors and knobs.
  PrimitiveSequence frame;
};

/// The schedule that `sequence` was written of. Fails where it follows the
/// grammar in its words but not in their order, number or values: no `nest` in
/// front, dimensions that are not numbered from 0, factors that are not as many
/// as the sketch has levels, values that a knob cannot have, anything twice.
/// Whether the schedule is legal is another question (Analysis/Legality.h).
llvm::Expected<Schedule> scheduleOf(llvm::ArrayRef<Primitive> sequence);

/// A line for each primitive.
void printPrimitives(llvm::ArrayRef<Primitive> sequence, llvm::raw_ostream &os);

/// Reads what printPrimitives() writes; primitives end at ends of lines or at
/// semicolons. The error names the primitive by its number, from 1.
llvm::Expected<PrimitiveSequence> parsePrimitives(llvm::StringRef text);

} // namespace pruner

#endif // PRUNER_SKETCH_PRIMITIVES_H
