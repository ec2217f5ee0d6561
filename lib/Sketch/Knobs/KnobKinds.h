//===- KnobKinds.h - knobs that are one field -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_SKETCH_KNOBS_KNOBKINDS_H
#define PRUNER_LIB_SKETCH_KNOBS_KNOBKINDS_H

#include "../Registry.h"
#include "pruner/Sketch/Knob.h"
#include "pruner/Sketch/Sketch.h"

namespace pruner {

/// A knob that is a number of the schedule.
class NumberKnob : public Knob {
public:
  Value get(const Schedule &s) const final { return {s.*field}; }
  void set(Schedule &s, llvm::ArrayRef<int64_t> value) const final {
    s.*field = value.front();
  }
  bool equal(const Schedule &a, const Schedule &b) const final {
    return a.*field == b.*field;
  }
  bool isDefault(const Schedule &s) const final { return s.*field == initial; }
  bool isList() const final { return false; }

protected:
  NumberKnob(llvm::StringLiteral name, unsigned traits,
             int64_t Schedule::*field)
      : Knob(name, traits), field(field), initial(Schedule().*field) {}
  ~NumberKnob() = default;
  static std::vector<Value> numbers(llvm::ArrayRef<int64_t> all) {
    std::vector<Value> values;
    for (int64_t number : all)
      values.push_back({number});
    return values;
  }

private:
  int64_t Schedule::*field;
  int64_t initial;
};

/// A knob that is a list of numbers; empty by default.
class ListKnob : public Knob {
public:
  Value get(const Schedule &s) const final { return s.*field; }
  void set(Schedule &s, llvm::ArrayRef<int64_t> value) const final {
    (s.*field).assign(value.begin(), value.end());
  }
  bool equal(const Schedule &a, const Schedule &b) const final {
    return a.*field == b.*field;
  }
  bool isDefault(const Schedule &s) const final { return (s.*field).empty(); }
  bool isList() const final { return true; }

protected:
  ListKnob(llvm::StringLiteral name, unsigned traits, Value Schedule::*field)
      : Knob(name, traits), field(field) {}
  ~ListKnob() = default;

private:
  Value Schedule::*field;
};

/// Draws an entry of a table.
template <size_t N> int64_t drawOf(const int64_t (&table)[N], Random &random) {
  return table[random.uniform(N)];
}

} // namespace pruner

#endif // PRUNER_LIB_SKETCH_KNOBS_KNOBKINDS_H
