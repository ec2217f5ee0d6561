//===- Primitives.cpp - a schedule as a sequence of primitives ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Sketch/Primitives.h"

#include "PrimitiveWords.h"

#include "pruner/Sketch/Knob.h"
#include "pruner/Sketch/Sketch.h"

#include "llvm/ADT/STLExtras.h"

using namespace pruner;
using namespace pruner::primitives;

static constexpr unsigned kFirstKnob = unsigned(PrimitiveType::FirstKnob);

unsigned pruner::primitiveTypeCount() { return kFirstKnob + allKnobs().size(); }

llvm::StringRef pruner::primitiveName(unsigned type) {
  static constexpr llvm::StringLiteral names[] = {"nest", "compute", "tile"};
  static_assert(std::size(names) == kFirstKnob);
  return type < kFirstKnob ? llvm::StringRef(names[type])
                           : allKnobs()[type - kFirstKnob]->name();
}

//===----------------------------------------------------------------------===//
// From schedules
//===----------------------------------------------------------------------===//

/// A bit for each anchor input whose address depends on `dim`; with `last`, on
/// its last coordinate only.
static int64_t inputsAlong(const StatementDesc &anchor, unsigned dim,
                           bool last) {
  // Only reduction trees with many operands have more; they share the last bit.
  constexpr unsigned kMostInputs = 16;
  int64_t mask = 0;
  for (auto [n, input] : llvm::enumerate(anchor.inputs)) {
    llvm::ArrayRef<LinearExpr> map = input.map;
    if (last)
      map = map.take_back();
    if (llvm::any_of(map, [&](const LinearExpr &e) { return e.uses(dim); }))
      mask |= int64_t(1) << std::min<unsigned>(unsigned(n), kMostInputs - 1);
  }
  return mask;
}

static Role roleOf(const TaskDesc &task, int statement) {
  if (statement == task.anchor)
    return Role::Anchor;
  if (task.rows)
    return Role::Chain;
  return statement == task.epilogue ? Role::Epilogue : Role::Prologue;
}

PrimitiveWriter::PrimitiveWriter(const TaskDesc &task) {
  const StatementDesc &anchor = task.anchorStatement();
  auto add = [&](PrimitiveType type) -> Primitive & {
    return frame.emplace_back(Primitive{unsigned(type), {}});
  };
  int64_t reductions = llvm::count_if(
      task.dims(), [](const IterDim &dim) { return dim.reduction; });
  add(PrimitiveType::Nest).parameters = {
      0, int64_t(task.dims().size()) - reductions, reductions,
      byteWidth(task.tensors[anchor.output.tensor].type)};
  for (auto [n, statement] : llvm::enumerate(task.statements))
    add(PrimitiveType::Compute).parameters = {
        int64_t(n),
        int64_t(roleOf(task, int(n))),
        llvm::count_if(statement.dims,
                       [](const IterDim &dim) { return dim.reduction; }),
        int64_t(statement.inputs.size()),
        statement.ops.arithmetic(),
        statement.ops.floatDivMod + statement.ops.floatMath};
  for (auto [d, dim] : llvm::enumerate(task.dims()))
    add(PrimitiveType::Tile).parameters = {
        int64_t(d), int64_t(task.kindOf(d)) + 1, dim.extent,
        inputsAlong(anchor, unsigned(d), false),
        inputsAlong(anchor, unsigned(d), true)};
}

void PrimitiveWriter::write(const Schedule &schedule,
                            PrimitiveSequence &sequence) const {
  sequence = frame;
  sequence.front().parameters[0] = int64_t(schedule.sketch) + 1;
  // The tiles are the last primitives of the frame.
  size_t first = frame.size() - schedule.tiles.size();
  for (auto [d, factors] : llvm::enumerate(schedule.tiles))
    llvm::append_range(sequence[first + d].parameters, factors);
  for (auto [n, knob] : llvm::enumerate(allKnobs())) {
    if (!knob->has(Knob::Spelled) && knob->isDefault(schedule))
      continue;
    Primitive &primitive = sequence.emplace_back();
    primitive.type = kFirstKnob + unsigned(n);
    // Zero means that there is no parameter, so words begin with 1.
    int64_t shift = knob->words().empty() ? 0 : 1;
    for (int64_t value : knob->get(schedule))
      primitive.parameters.push_back(value + shift);
  }
}

PrimitiveSequence PrimitiveWriter::operator()(const Schedule &schedule) const {
  PrimitiveSequence sequence;
  write(schedule, sequence);
  return sequence;
}

//===----------------------------------------------------------------------===//
// To schedules
//===----------------------------------------------------------------------===//

namespace {
/// Reads primitives one after the other.
class Reader {
public:
  llvm::Error take(const Primitive &primitive);
  llvm::Expected<Schedule> finish();

private:
  llvm::Error takeNest(llvm::ArrayRef<int64_t> p);
  llvm::Error takeCompute(llvm::ArrayRef<int64_t> p);
  llvm::Error takeTile(llvm::ArrayRef<int64_t> p);
  llvm::Error takeKnob(unsigned number, llvm::ArrayRef<int64_t> p);

  Schedule schedule;
  bool nested = false;
  int64_t parallel = 0, reductions = 0, statements = 0;
  llvm::SmallVector<bool, 16> seen;
};
} // namespace

static llvm::Error wrong(const llvm::Twine &what) {
  return llvm::createStringError(what);
}

static llvm::Error checkCount(const Primitive &primitive, size_t least,
                              size_t most) {
  size_t count = primitive.parameters.size();
  if (count >= least && count <= most)
    return llvm::Error::success();
  return wrong(primitiveName(primitive.type) + " expects " +
               llvm::Twine(least) + (most == least ? "" : " or more") +
               " parameters, but has " + llvm::Twine(count));
}

llvm::Error Reader::take(const Primitive &primitive) {
  constexpr size_t kAny = ~size_t(0);
  if (primitive.type >= primitiveTypeCount())
    return wrong("unknown primitive type " + llvm::Twine(primitive.type));
  llvm::ArrayRef<int64_t> p = primitive.parameters;
  if (nested == primitive.is(PrimitiveType::Nest))
    return wrong(nested ? "nest occurs twice"
                        : "expected nest as first primitive");
  switch (PrimitiveType(primitive.type)) {
  case PrimitiveType::Nest:
    if (llvm::Error error = checkCount(primitive, 4, 4))
      return error;
    return takeNest(p);
  case PrimitiveType::Compute:
    if (llvm::Error error = checkCount(primitive, 6, 6))
      return error;
    return takeCompute(p);
  case PrimitiveType::Tile:
    if (llvm::Error error = checkCount(primitive, kTileFixed, kAny))
      return error;
    return takeTile(p);
  default:
    return takeKnob(primitive.type - kFirstKnob, p);
  }
}

llvm::Error Reader::takeNest(llvm::ArrayRef<int64_t> p) {
  if (p[0] < 1 || p[0] > int64_t(allSketches().size()))
    return wrong("unknown sketch " + llvm::Twine(p[0]));
  if (p[1] < 0 || p[2] < 0 || p[3] < 1)
    return wrong(
        "nest expects counts of at least 0 and elements of at least 1 byte");
  schedule.sketch = allSketches()[size_t(p[0] - 1)]->id;
  parallel = p[1], reductions = p[2];
  nested = true;
  return llvm::Error::success();
}

llvm::Error Reader::takeCompute(llvm::ArrayRef<int64_t> p) {
  if (p[0] != statements++)
    return wrong("expected statement " + llvm::Twine(statements - 1) +
                 ", but got " + llvm::Twine(p[0]));
  if (p[1] < 1 || p[1] > int64_t(roleNames().size()))
    return wrong("unknown role " + llvm::Twine(p[1]));
  return llvm::Error::success();
}

llvm::Error Reader::takeTile(llvm::ArrayRef<int64_t> p) {
  if (p[0] != int64_t(schedule.tiles.size()))
    return wrong("expected dimension " + llvm::Twine(schedule.tiles.size()) +
                 ", but got " + llvm::Twine(p[0]));
  if (p[1] < 1 || p[1] > int64_t(kindNames().size()))
    return wrong("unknown kind of dimension " + llvm::Twine(p[1]));
  auto kind = DimKind(p[1] - 1);
  bool reduction = kind == DimKind::Reduction || kind == DimKind::Terms;
  llvm::ArrayRef<int64_t> factors = p.drop_front(kTileFixed);
  size_t levels = sketchOf(schedule).levels(kind).size();
  if (factors.size() != levels)
    return wrong("expected " + llvm::Twine(levels) +
                 " factors, one per level of " + sketchOf(schedule).name +
                 ", but got " + llvm::Twine(factors.size()));
  if (p[2] < 1 || llvm::any_of(factors, [](int64_t f) { return f < 1; }))
    return wrong("extents and factors must be at least 1");
  schedule.tiles.emplace_back(factors);
  --(reduction ? reductions : parallel);
  return llvm::Error::success();
}

llvm::Error Reader::takeKnob(unsigned number, llvm::ArrayRef<int64_t> p) {
  const Knob &knob = *allKnobs()[number];
  seen.resize(allKnobs().size());
  if (seen[number])
    return wrong(knob.name() + " occurs twice");
  seen[number] = true;
  if (!knob.isList() && p.size() != 1)
    return wrong(knob.name() + " expects 1 parameter, but has " +
                 llvm::Twine(p.size()));
  Knob::Value value(p.begin(), p.end());
  int64_t words = int64_t(knob.words().size());
  for (int64_t &each : value) {
    if (words && (each < 1 || each > words))
      return wrong("unknown " + knob.noun() + " " + llvm::Twine(each));
    each -= words ? 1 : 0;
  }
  knob.set(schedule, value);
  return llvm::Error::success();
}

llvm::Expected<Schedule> Reader::finish() {
  if (!nested)
    return wrong("expected nest as first primitive");
  if (parallel || reductions)
    return wrong("the tiled dimensions do not match the counts of nest");
  return std::move(schedule);
}

llvm::Expected<Schedule>
pruner::scheduleOf(llvm::ArrayRef<Primitive> sequence) {
  Reader reader;
  for (auto [n, primitive] : llvm::enumerate(sequence))
    if (llvm::Error error = reader.take(primitive))
      return wrong("primitive " + llvm::Twine(n + 1) + ": " +
                   llvm::toString(std::move(error)));
  return reader.finish();
}
