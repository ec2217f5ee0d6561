//===- InputSets.cpp - input sets for verification ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InputSets.h"

#include "BorderInputs.h"
#include "MaskedInputs.h"
#include "RegularInputs.h"
#include "SpecialInputs.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <cmath>

using namespace llvm;
using namespace pruner;

/// Sets of reals are repeated until they have this many elements of each
/// result, if that takes almost no time. A fault in the rounding to a 16-bit
/// type changes few elements, and most of them by less than the bound.
static int64_t leastResults(const TaskProgram &task) {
  bool rounded = any_of(task.outputs(), [](const TensorSpec &spec) {
    return isFloat(spec.type) && byteWidth(spec.type) == 2;
  });
  return rounded ? 8192 : 256;
}

/// Whether some reduction selects one of its terms.
static bool reducesToExtrema(const TaskProgram &task) {
  bool found = false;
  task.module().walk([&](mlir::linalg::LinalgOp op) {
    if (op.getNumReductionLoops() == 0)
      return;
    using namespace mlir::arith;
    for (mlir::Operation &inner : *op.getBlock())
      found |= isa<MaximumFOp, MinimumFOp, MaxNumFOp, MinNumFOp, MaxSIOp,
                   MinSIOp, MaxUIOp, MinUIOp, CmpFOp, CmpIOp>(inner);
  });
  task.module().walk([&](mlir::linalg::SoftmaxOp) { found = true; });
  return found;
}

bool pruner::isWideInteger(const TensorSpec &spec) {
  return !isFloat(spec.type) && byteWidth(spec.type) >= 4;
}

static int64_t wideIntegers(const TaskProgram &task) {
  return count_if(task.inputs(), isWideInteger);
}

/// The number of float arguments, at most 4, of a task that compares floats
/// element by element.
static int64_t comparedFloats(const TaskProgram &task) {
  bool compares = false, reduces = false;
  task.module().walk([&](mlir::linalg::LinalgOp op) {
    reduces |= op.getNumReductionLoops() > 0;
    using namespace mlir::arith;
    for (mlir::Operation &inner : *op.getBlock())
      compares |=
          isa<CmpFOp, MaximumFOp, MinimumFOp, MaxNumFOp, MinNumFOp>(inner);
  });
  if (!compares || reduces)
    return 0;
  return std::min<int64_t>(4, count_if(task.inputs(), [](const TensorSpec &s) {
                             return isFloat(s.type);
                           }));
}

/// The number of float arguments that are not masks; 0 if there is no mask.
static int64_t unmaskedFloats(const TaskProgram &task,
                              const std::vector<bool> &masks) {
  if (!is_contained(masks, true))
    return 0;
  return count_if(enumerate(task.inputs()), [&](auto input) {
    return isFloat(input.value().type) && !masks[input.index()];
  });
}

std::vector<InputChoice> pruner::chooseInputs(const TaskProgram &task,
                                              const TaskNumerics &numerics,
                                              ArrayRef<ArgumentBoxes> boxes,
                                              double points) {
  double bytes = 0;
  bool floats = false;
  // The relevant boxes are those of the arguments with the most elements.
  int64_t most = 0, fewest = INT64_MAX, places = 1;
  for (auto [spec, box] : zip(task.inputs(), boxes)) {
    bytes += double(spec.bytes());
    floats |= isFloat(spec.type);
    if (spec.elements() > most) {
      most = spec.elements();
      fewest = std::max<int64_t>(1, box.count());
      // The number of sets that have a box for each position, and some for its
      // edges.
      places = std::clamp<int64_t>(
          (box.length() * 4 / 3 + 24 + fewest - 1) / fewest, 1, 8);
    }
  }
  int64_t fewestResults = INT64_MAX;
  for (const TensorSpec &spec : task.outputs()) {
    bytes += 16.0 * double(spec.elements()); // A value and a bound.
    fewestResults = std::min(fewestResults, spec.elements());
  }
  std::vector<InputChoice> choices{{InputPattern::Integers}};
  // Adds `kinds` sets of `pattern`; those after the first `needed` only if they
  // cost almost nothing.
  auto add = [&](InputPattern pattern, int64_t kinds = 1, int64_t needed = 1) {
    for (int64_t repetition = 0; repetition < kinds; ++repetition) {
      // Including this one and the reals.
      double sets = double(choices.size()) + 2;
      double limit = repetition < needed ? 1 : 0x1p-8;
      if (bytes * sets <= limit * double(512 << 20) &&
          points * sets <= limit * 1e9)
        choices.push_back({pattern, repetition});
    }
  };
  // The number of sets needed for `kinds` kinds of boxes, half of them at a
  // time.
  auto times = [&](int64_t kinds, int64_t limit) {
    int64_t special = std::max<int64_t>(1, fewest / 2);
    return std::clamp<int64_t>((kinds + special - 1) / special, 1, limit);
  };
  if (reducesToExtrema(task)) {
    add(InputPattern::Ascending);
    add(InputPattern::Descending);
    add(InputPattern::Dominant, places);
    if (int64_t others = unmaskedFloats(task, maskArguments(task)))
      add(InputPattern::Masked, 1 + others, 2);
  }
  if (floats) {
    if (!numerics.linear) {
      if (numerics.longestSum > 1)
        add(InputPattern::Scaled);
      add(InputPattern::Balanced);
      add(InputPattern::Shifted);
      add(InputPattern::EqualRows, 2, 2);
    }
    int64_t undefined = comparedFloats(task);
    add(InputPattern::Undefined, undefined, undefined);
    add(InputPattern::Specials, times(numSpecialBoxes, numSpecialBoxes));
    add(InputPattern::Magnitudes, 8);
  }
  if (hasSteps(task)) {
    // The full range of an integer argument saturates most results.
    if (!floats) {
      add(InputPattern::Scaled, 6);
      int64_t signs = wideIntegers(task) > 1 ? 4 : 2;
      add(InputPattern::Saturated, signs, signs);
    }
    add(InputPattern::Borders, times(32, 6), /*needed=*/0);
  }
  // A few elements meet few rare cases, such as a comparison that a single
  // rounding decides.
  int64_t repetitions = std::min<int64_t>(
      256, leastResults(task) / std::max<int64_t>(1, fewestResults));
  add(InputPattern::Reals, repetitions, /*needed=*/0);
  choices.push_back({InputPattern::Reals, repetitions});
  return choices;
}

/// Adds or subtracts 64 in half of the rows. A value that is, or should be,
/// subtracted from all elements of a row only shows if it is large. A single
/// row is always shifted, because other sets have means near zero.
static void shiftRows(void *data, const TensorSpec &spec,
                      ElementStream &random) {
  if (spec.shape.size() < 2)
    return;
  int64_t count = spec.elements(), length = spec.shape.back();
  for (int64_t row = 0; row < count; row += length) {
    int64_t kind = count == length ? 1 : random.between(0, 3);
    double shift = kind == 1 ? 64 : kind == 2 ? -64 : 0;
    for (int64_t i = row; i < row + length; ++i)
      writeElement(data, spec.type, i, readElement(data, spec.type, i) + shift);
  }
}

/// Reals times a power of two for each box, or for each single element in one
/// box of four. A few boxes are denormal; only a few, because many CPUs take a
/// hundred cycles for each operation on such numbers. One box of eight has
/// larger numbers, but only slightly larger if they are added (`adds`), because
/// sums that may or may not overflow decide nothing.
static void fillMagnitudes(void *data, const TensorSpec &spec,
                           const ArgumentBoxes &boxes, bool adds,
                           ElementStream &random) {
  int most = spec.type == ElementType::F16   ? 5
             : spec.type == ElementType::F64 ? 60
                                             : 30;
  int64_t mostDenormal =
      boxes.reduced() ? 4 : std::max<int64_t>(4, boxes.count() / 256);
  auto among = uint64_t(std::max<int64_t>(8, boxes.count() / mostDenormal));
  SmallVector<int64_t> places;
  for (int64_t box = 0; box < boxes.count(); ++box) {
    boxes.elements(box, places);
    bool denormal = random.uniform(among) == 0, alone = random.uniform(4) == 0;
    int limit = random.uniform(8) ? most : adds ? most * 5 / 4 : 2 * most;
    auto draw = [&] {
      return std::ldexp(1.0, int(random.between(-limit, limit)));
    };
    double scale = draw();
    for (int64_t i : places) {
      double value = readElement(data, spec.type, i);
      if (denormal) { // As far as the type has bits for it.
        double unit = smallestNormal(spec.type) * 2 * unitRoundoff(spec.type);
        value = std::nearbyint(value * smallestNormal(spec.type) / unit) * unit;
      } else {
        value *= alone ? draw() : scale;
      }
      writeElement(data, spec.type, i, value);
    }
  }
}

/// Integers of every width, of up to `width` bits and a sign. If they are
/// reduced, some boxes have a width of their own and some are sparse, so that
/// sums also have every magnitude. The first `plain` boxes are neither and have
/// no zeros.
static void fillWidths(void *data, const TensorSpec &spec,
                       const ArgumentBoxes &boxes, int width, int64_t plain,
                       ElementStream &random) {
  SmallVector<int64_t> places;
  for (int64_t box = 0; box < boxes.count(); ++box) {
    boxes.elements(box, places);
    int limit = width;
    uint64_t among = 1;
    if (boxes.reduced() && box >= plain)
      switch (random.uniform(4)) {
      case 0:
        limit = int(random.between(1, width));
        break;
      case 1:
        among = uint64_t(1) << random.uniform(6);
        break;
      default:
        break;
      }
    for (int64_t i : places) {
      int64_t value = random.uniform(among) ? 0 : drawInteger(limit, random);
      if (value == 0 && box < plain)
        value = random.uniform(2) ? 1 : -1;
      writeInteger(data, spec.type, i, value);
    }
  }
}

/// Integers of `width` bits with the highest bit set; half of them negative if
/// `signs`.
static void fillHigh(void *data, const TensorSpec &spec, int width, bool signs,
                     ElementStream &random) {
  auto high = uint64_t(1) << (width - 1);
  for (int64_t i = 0, e = spec.elements(); i < e; ++i) {
    auto value = int64_t(high | (random.next() & (high - 1)));
    writeInteger(data, spec.type, i,
                 signs && random.next() & 1 ? -value : value);
  }
}

/// Integers of `width` bits and a sign. Half of them have the highest bit set,
/// so that sums of products with them become large.
static void fillLarge(void *data, const TensorSpec &spec, int width,
                      ElementStream &random) {
  for (int64_t i = 0, e = spec.elements(); i < e; ++i) {
    int64_t value = drawInteger(width, random);
    if (random.uniform(2)) {
      int64_t top = int64_t(uint64_t(1) << (width - 1)),
              rest = int64_t(random.next() & uint64_t(top - 1));
      value = random.next() & 1 ? top + rest : -top - rest;
    }
    writeInteger(data, spec.type, i, value);
  }
}

/// Moves integers to the domain of the task.
static void restrict(void *data, const TensorSpec &spec,
                     const ArgumentDomain &domain) {
  if (isFloat(spec.type) || (!domain.divisor && !domain.shift))
    return;
  for (int64_t i = 0, e = spec.elements(); i < e; ++i) {
    int64_t value = readInteger(data, spec.type, i);
    if (domain.shift) {
      auto span = uint64_t(domain.most - domain.least) + 1;
      value = domain.least + int64_t(uint64_t(value) % span);
    }
    // Neither zero nor -1, the divisor whose quotient may overflow.
    if (domain.divisor && (value == 0 || value == -1))
      value = spec.type == ElementType::I1 ? 1 : 3;
    writeInteger(data, spec.type, i, value);
  }
}

/// Negates an argument of integers; the least one becomes the greatest.
static void negate(void *data, const TensorSpec &spec) {
  int width = int(byteWidth(spec.type)) * 8;
  int64_t least = INT64_MIN >> (64 - width);
  for (int64_t i = 0, e = spec.elements(); i < e; ++i) {
    int64_t value = readInteger(data, spec.type, i);
    writeInteger(data, spec.type, i, value == least ? -(value + 1) : -value);
  }
}

/// Negates arguments of integers for a set that has the stream of another one.
/// `Scaled` sets negate all, so that each element has both signs. `Saturated`
/// sets negate a single one, the first wide one or the last one in a second
/// pair, so that each result is at both ends.
static void negateForPair(const TaskProgram &task,
                          ArrayRef<ArgumentDomain> domains, InputChoice choice,
                          std::vector<std::vector<uint8_t>> &inputs) {
  SmallVector<size_t> chosen, wide;
  for (auto [n, spec] : enumerate(task.inputs())) {
    if (isFloat(spec.type) || spec.type == ElementType::I1 ||
        domains[n].restricted() || domains[n].computedDivisor)
      continue;
    chosen.push_back(n);
    if (isWideInteger(spec))
      wide.push_back(n);
  }
  if (choice.pattern == InputPattern::Saturated) {
    if (!wide.empty())
      chosen = {choice.repetition < 2 ? wide.front() : wide.back()};
    chosen.truncate(1);
  }
  for (size_t n : chosen)
    negate(inputs[n].data(), task.inputs()[n]);
}

/// Masks: each element drawn separately or, in half of the boxes, all, none,
/// all but one, or only one.
static void fillMask(void *data, const TensorSpec &spec,
                     const ArgumentBoxes &boxes, InputChoice choice,
                     ElementStream &random) {
  SmallVector<int64_t> places;
  // Every set begins with another kind, so that even a single row gets all of
  // them.
  uint64_t first = uint64_t(choice.pattern) + uint64_t(choice.repetition);
  for (int64_t box = 0; box < boxes.count(); ++box) {
    boxes.elements(box, places);
    uint64_t kind = (first + uint64_t(box)) % 8;
    for (int64_t i : places)
      writeInteger(data, spec.type, i,
                   kind < 4 ? int64_t(kind & 1) : int64_t(random.next() & 1));
    if (kind == 2 || kind == 3)
      writeInteger(data, spec.type, places[random.uniform(places.size())],
                   kind == 2);
  }
}

/// Fills an integer argument for a set of this pattern. `anyWide`: some
/// argument has wide integers.
static void fillInteger(void *data, const TensorSpec &spec,
                        const ArgumentDomain &domain,
                        const ArgumentBoxes &boxes,
                        const TaskNumerics &numerics, InputChoice choice,
                        bool anyWide, ElementStream &random) {
  const InputRange &range = numerics.range;
  InputPattern pattern = choice.pattern;
  int width = int(byteWidth(spec.type)) * 8 - 1;
  if (spec.type == ElementType::I1 && !domain.address)
    return fillMask(data, spec, boxes, choice, random);
  if (domain.address || domain.computedDivisor)
    return fillReals(data, spec.type, spec.elements(), range, random);
  if (pattern == InputPattern::Integers && numerics.exact)
    return fillIntegers(data, spec.type, spec.elements(), range, random);
  if (pattern == InputPattern::Borders && boxes.reduced())
    return fillLarge(data, spec, width, random);
  if (pattern == InputPattern::Saturated) {
    if (isWideInteger(spec))
      return fillHigh(data, spec, width - 1, /*signs=*/true, random);
    if (!anyWide)
      return fillHigh(data, spec, width, /*signs=*/false, random);
  }
  // Sets before the last one have inputs that do not saturate the functions of
  // tasks that round. Products of bytes need their full range.
  bool narrow = pattern == InputPattern::Integers ||
                (pattern == InputPattern::Scaled && width > 7);
  int64_t plain = pattern == InputPattern::Reals ? 1
                  : pattern == InputPattern::Scaled && choice.repetition < 2
                      ? boxes.count()
                      : 0;
  fillWidths(data, spec, boxes, narrow ? std::max(3, width / 2) : width, plain,
             random);
}

static void fillFloat(void *data, const TensorSpec &spec,
                      const ArgumentBoxes &boxes, const TaskNumerics &numerics,
                      InputChoice choice, bool minor, ElementStream &random) {
  const InputRange &range = numerics.range;
  switch (choice.pattern) {
  case InputPattern::Integers:
    if (numerics.exact)
      return fillIntegers(data, spec.type, spec.elements(), range, random);
    fillIntegers(data, spec.type, spec.elements(), {4, 1, 0}, random);
    return shiftRows(data, spec, random);
  case InputPattern::Balanced:
    return fillBalanced(data, spec, 4, 0, random);
  case InputPattern::Shifted:
    return fillBalanced(data, spec, 4, minor ? 0 : exactMean(4, numerics),
                        random);
  case InputPattern::EqualRows:
    return fillEqualRows(data, spec, 4, choice.repetition > 0, random);
  case InputPattern::Scaled:
    return fillScaled(data, spec, 4, numerics, random);
  default:
    break;
  }
  fillReals(data, spec.type, spec.elements(), range, random);
  if (choice.pattern == InputPattern::Magnitudes)
    fillMagnitudes(data, spec, boxes, numerics.longestSum > 1, random);
  else if (choice.pattern == InputPattern::Specials)
    placeSpecials(data, spec, boxes, choice.repetition, minor,
                  numerics.longestSum > 1, random);
}

/// Makes the float argument number `n` NaN everywhere.
static void makeUndefined(const TaskProgram &task, int64_t n,
                          std::vector<std::vector<uint8_t>> &inputs) {
  for (auto [spec, input] : zip(task.inputs(), inputs)) {
    if (!isFloat(spec.type) || n-- != 0)
      continue;
    for (int64_t i = 0, e = spec.elements(); i < e; ++i)
      writeElement(input.data(), spec.type, i, NAN);
  }
}

std::vector<std::vector<uint8_t>>
pruner::makeInputs(const TaskProgram &task, const TaskNumerics &numerics,
                   ArrayRef<ArgumentDomain> domains,
                   ArrayRef<ArgumentBoxes> boxes, InputChoice choice,
                   const Random &random) {
  InputPattern pattern = choice.pattern;
  bool ordered =
      pattern == InputPattern::Ascending || pattern == InputPattern::Descending;
  int64_t most = 0;
  for (const TensorSpec &spec : task.inputs())
    most = std::max(most, isFloat(spec.type) ? spec.elements() : 0);
  const bool anyWide = wideIntegers(task) > 0;
  const std::vector<bool> masks = maskArguments(task);
  int64_t others = unmaskedFloats(task, masks);
  std::vector<std::vector<uint8_t>> inputs;
  for (auto [spec, domain, box] : zip(task.inputs(), domains, boxes)) {
    ElementStream stream(random.fork(inputs.size()).next());
    void *data = inputs.emplace_back(spec.bytes()).data();
    if (ordered && !domain.address)
      fillInOrder(data, spec, pattern == InputPattern::Ascending);
    else if (pattern == InputPattern::Dominant && !domain.address &&
             spec.type != ElementType::I1)
      fillDominant(data, spec, box, choice.repetition, stream);
    else if (isFloat(spec.type))
      fillFloat(data, spec, box, numerics, choice, spec.elements() < most,
                stream);
    else
      fillInteger(data, spec, domain, box, numerics, choice, anyWide, stream);
    if (pattern == InputPattern::Masked) {
      bool isMask = masks[inputs.size() - 1];
      if (isMask && isMaskOfRows(spec, box) && !domain.restricted())
        fillMasked(data, spec, box, /*first=*/0, stream);
      else if (!isMask && isFloat(spec.type) &&
               --others == choice.repetition - 1)
        placeOutliers(data, spec, stream);
    }
    restrict(data, spec, domain);
  }
  if (pattern == InputPattern::Masked || pattern == InputPattern::Reals)
    placePositions(task, domains, inputs);
  if (pattern == InputPattern::Undefined)
    makeUndefined(task, choice.repetition, inputs);
  if (choice.isNegated())
    negateForPair(task, domains, choice, inputs);
  return inputs;
}

bool pruner::moveToBorders(const TaskProgram &task,
                           ArrayRef<ArgumentDomain> domains,
                           ArrayRef<ArgumentBoxes> boxes, InputChoice choice,
                           const Random &random,
                           std::vector<std::vector<uint8_t>> &inputs) {
  // A quarter of the last set is also at borders, because large tasks have no
  // separate set for that.
  int64_t share = choice.pattern == InputPattern::Borders ? 1
                  : choice.pattern == InputPattern::Reals ? 4
                                                          : 0;
  if (share == 0)
    return false;
  ElementStream stream(random.fork(inputs.size()).next());
  return placeBorders(task, domains, boxes, share, stream, inputs) > 0;
}
