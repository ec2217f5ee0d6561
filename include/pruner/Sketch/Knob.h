//===- Knob.h - one decision of a schedule ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything about one decision of a schedule other than tile factors
// (Sketch/TileSpace.h): the field that holds it, its spelling in IR, the values
// that search tries and how it draws and changes them, and its rules. There is
// one object per knob, defined in a file of lib/Sketch/Knobs. For example
// `unroll` is a number. IR always spells it: "unroll = 4". Its values are {1,
// 2, 4, 8} for a product on a CPU, and {1} if nothing is reduced. It gets 40 of
// 1000 mutations. Its rule is R9.
//
// Readers and writers of schedules iterate over `allKnobs()` and name no knob.

#ifndef PRUNER_SKETCH_KNOB_H
#define PRUNER_SKETCH_KNOB_H

#include "pruner/Machine/Machine.h"
#include "pruner/Program/Task.h"
#include "pruner/Sketch/Schedule.h"
#include "pruner/Sketch/Violation.h"
#include "pruner/Support/Random.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace pruner {

class Sketch;

/// What the values of a knob depend on.
struct KnobContext {
  const TaskDesc &task;
  const Machine &machine;
  const Sketch &sketch;
};

/// A knob gets `count` of 1000 mutations, numbered from `first`.
struct MutationShare {
  unsigned first = 0, count = 0;
};

class Knob {
public:
  /// A number is a list with one element.
  using Value = llvm::SmallVector<int64_t, 4>;
  /// Properties of spelling and drawing.
  enum Trait : unsigned {
    /// The attribute spells it even if it has its default.
    Spelled = 1,
    /// Drawn before the tiles, which are then fitted to it.
    BeforeTiles = 2,
    /// Crossover and mutation draw for it even if it has only one value, so
    /// that the random numbers of a seed stay the same.
    AlwaysDrawn = 4,
  };

  llvm::StringRef name() const { return spelling; }
  bool has(Trait trait) const { return traits & trait; }

  //===--- schedules -----------------------------------------------------===//
  virtual Value get(const Schedule &schedule) const = 0;
  virtual void set(Schedule &schedule, llvm::ArrayRef<int64_t> value) const = 0;
  virtual bool equal(const Schedule &a, const Schedule &b) const = 0;
  /// Whether the value is that of `Schedule()`.
  virtual bool isDefault(const Schedule &schedule) const = 0;
  virtual bool isList() const = 0;
  /// Knobs with words: the spellings of the values 0, 1, ... in IR, and the
  /// noun for the values in messages ("stage level").
  virtual llvm::ArrayRef<llvm::StringLiteral> words() const { return {}; }
  virtual llvm::StringRef noun() const { return ""; }

  //===--- rules ---------------------------------------------------------===//
  /// Checks the rules of its value that do not depend on the machine. The
  /// number of tile factors already matches the sketch.
  virtual MaybeViolation check(const TaskDesc &task,
                               const Schedule &schedule) const {
    return std::nullopt;
  }
  /// Checks the rules that depend on the machine, or apply only to code for
  /// one. The schedule already satisfies all other rules.
  virtual MaybeViolation checkOn(const Machine &machine, const TaskDesc &task,
                                 const Schedule &schedule) const {
    return std::nullopt;
  }

  //===--- search --------------------------------------------------------===//
  /// Whether the value is a list with one independent choice for each anchor
  /// input. Such a knob has as many positions; others have one.
  virtual bool perInput() const { return false; }
  /// The values to try at `position`, never empty. The first one is used if
  /// nothing is chosen.
  virtual std::vector<Value> values(const KnobContext &context,
                                    unsigned position) const = 0;
  virtual void choose(Schedule &schedule, unsigned position,
                      const Value &value) const {
    set(schedule, value);
  }
  virtual void copy(Schedule &to, const Schedule &from,
                    unsigned position) const {
    set(to, get(from));
  }
  /// Draws one of `values` by a heuristic. Tiles are drawn before.
  virtual void guide(const KnobContext &context, Schedule &schedule,
                     unsigned position, llvm::ArrayRef<Value> values,
                     Random &random) const;
  /// Adjusts the value to tiles that have changed.
  virtual void repair(const TaskDesc &task, Schedule &schedule) const {}
  /// The mutations that change this knob. Those that belong to no knob change
  /// tiles.
  virtual MutationShare mutations(const Sketch &sketch) const { return {}; }
  /// The knob whose mutations it shares, or null.
  virtual const Knob *mutatesWith() const { return nullptr; }

  /// Draws any value that the machine-independent rules allow, or almost any.
  /// For tests of values that search does not try.
  virtual void drawAny(const TaskDesc &task, Schedule &schedule,
                       Random &random) const {}

  //===--- text for people -----------------------------------------------===//
  virtual std::string title(unsigned position) const { return spelling.str(); }
  virtual std::string describe(const Value &value) const {
    return std::to_string(value.front());
  }

protected:
  constexpr Knob(llvm::StringLiteral name, unsigned traits)
      : spelling(name), traits(traits) {}
  ~Knob() = default;

private:
  llvm::StringLiteral spelling;
  unsigned traits;
};

/// All knobs, in the order of their spelling in IR.
llvm::ArrayRef<const Knob *> allKnobs();

/// A short text that is equal exactly for equal schedules, for use in sets.
std::string scheduleKey(const Schedule &schedule);

} // namespace pruner

#endif // PRUNER_SKETCH_KNOB_H
