//===- Knob.h - one decision of a schedule ----------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All that is known of a decision other than tile factors (Sketch/TileSpace.h):
// where a schedule holds it, how IR spells it, which values a search tries and
// how it draws and changes them, which rules it keeps. There is one object per
// knob, made in a file of lib/Sketch/Knobs. For example `unroll`: a number;
// "unroll = 4" in IR, always written; {1, 2, 4, 8} for a product on a CPU, and
// {1} where nothing is reduced; 40 of 1000 mutations; rule R9.
//
// Readers and writers of schedules go over `allKnobs()` and name none of them.
//
//===----------------------------------------------------------------------===//

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

/// Of 1000 mutations those numbered from `first`.
struct MutationShare {
  unsigned first = 0, count = 0;
};

class Knob {
public:
  /// A number is a list of one.
  using Value = llvm::SmallVector<int64_t, 4>;
  /// Where it stands in schedules and when it is drawn.
  enum Trait : unsigned {
    /// The attribute spells it out where it has its default, too.
    Spelled = 1,
    /// Drawn before the tiles, which are fitted to it.
    BeforeTiles = 2,
    /// Crossover draws for it, and mutation has a share for it, also where it
    /// has one value: what a seed draws goes back to the time when it did.
    AlwaysDrawn = 4,
  };

  llvm::StringRef name() const { return spelling; }
  bool has(Trait trait) const { return traits & trait; }

  //===--- schedules -----------------------------------------------------===//
  virtual Value get(const Schedule &schedule) const = 0;
  virtual void set(Schedule &schedule, llvm::ArrayRef<int64_t> value) const = 0;
  virtual bool equal(const Schedule &a, const Schedule &b) const = 0;
  /// Whether the value is the one of `Schedule()`.
  virtual bool isDefault(const Schedule &schedule) const = 0;
  virtual bool isList() const = 0;
  /// Knobs of words: how IR spells the values from 0 up, and what they are
  /// called ("stage level").
  virtual llvm::ArrayRef<llvm::StringLiteral> words() const { return {}; }
  virtual llvm::StringRef noun() const { return ""; }

  //===--- rules ---------------------------------------------------------===//
  /// The rules of its value that need no machine. The tile factors are as many
  /// as the sketch has levels.
  virtual MaybeViolation check(const TaskDesc &task,
                               const Schedule &schedule) const {
    return std::nullopt;
  }
  /// Those that need one, or only concern code that is made for one. The
  /// schedule keeps all rules without.
  virtual MaybeViolation checkOn(const Machine &machine, const TaskDesc &task,
                                 const Schedule &schedule) const {
    return std::nullopt;
  }

  //===--- search --------------------------------------------------------===//
  /// Whether the value is a list of one for each anchor input, which are chosen
  /// apart: at as many positions. Others have one position.
  virtual bool perInput() const { return false; }
  /// The values to try at `position`; first what a schedule has that nobody
  /// chose. Never empty.
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
  /// Draws one of `values` as experience recommends. Tiles are drawn already.
  virtual void guide(const KnobContext &context, Schedule &schedule,
                     unsigned position, llvm::ArrayRef<Value> values,
                     Random &random) const;
  /// Makes the value fit tiles that have changed.
  virtual void repair(const TaskDesc &task, Schedule &schedule) const {}
  /// Which mutations change it; tiles have those that belong to no knob.
  virtual MutationShare mutations(const Sketch &sketch) const { return {}; }
  /// The knob whose mutations it has a part of, or none.
  virtual const Knob *mutatesWith() const { return nullptr; }

  /// Draws any value that the rules without a machine allow, or nearly any: for
  /// tests of what no search tries.
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

/// All knobs in the order in which IR spells them.
llvm::ArrayRef<const Knob *> allKnobs();

/// A short text that is equal exactly for equal schedules; for sets.
std::string scheduleKey(const Schedule &schedule);

} // namespace pruner

#endif // PRUNER_SKETCH_KNOB_H
