//===- InputSets.cpp - what candidates are checked with -------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InputSets.h"

#include "pruner/Analysis/Divisors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <cmath>

using namespace llvm;
using namespace pruner;

/// Calls `found` for every argument of the task that `value` depends on.
static void forEachSource(mlir::Value value, DenseSet<mlir::Value> &seen,
                          function_ref<void(unsigned)> found) {
  if (!seen.insert(value).second)
    return;
  if (auto argument = dyn_cast<mlir::BlockArgument>(value)) {
    mlir::Operation *parent = argument.getOwner()->getParentOp();
    if (isa<mlir::func::FuncOp>(parent))
      found(argument.getArgNumber());
    else if (auto op = dyn_cast<mlir::linalg::LinalgOp>(parent))
      forEachSource(op->getOperand(argument.getArgNumber()), seen, found);
    return;
  }
  for (mlir::Value operand : value.getDefiningOp()->getOperands())
    forEachSource(operand, seen, found);
}

std::vector<ArgumentDomain> pruner::argumentDomains(const TaskProgram &task) {
  std::vector<ArgumentDomain> domains(task.inputs().size());
  auto function = task.module().lookupSymbol<mlir::func::FuncOp>(task.entry());
  for (auto [domain, use] : zip(domains, findDivisors(function)))
    domain.divisor = use != DivisorUse::None;
  function.walk([&](mlir::Operation *op) {
    if (!isa<mlir::arith::ShLIOp, mlir::arith::ShRSIOp, mlir::arith::ShRUIOp>(
            op))
      return;
    mlir::Type type = op->getOperand(1).getType();
    DenseSet<mlir::Value> seen;
    forEachSource(op->getOperand(1), seen, [&](unsigned n) {
      domains[n].shiftBelow =
          type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
    });
  });
  return domains;
}

/// Whether some reduction keeps one of its terms, wherever that stands.
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
  return found;
}

std::vector<InputPattern> pruner::choosePatterns(const TaskProgram &task,
                                                 const TaskNumerics &numerics,
                                                 double points) {
  double bytes = 0;
  bool floats = false;
  for (const TensorSpec &spec : task.inputs()) {
    bytes += double(spec.bytes());
    floats |= isFloat(spec.type);
  }
  for (const TensorSpec &spec : task.outputs())
    bytes += 16.0 * double(spec.elements()); // A value and a bound.
  std::vector<InputPattern> patterns{InputPattern::Integers};
  auto add = [&](InputPattern pattern) {
    double sets = double(patterns.size()) + 2; // With it and the reals.
    if (bytes * sets <= double(512 << 20) && points * sets <= 1e9)
      patterns.push_back(pattern);
  };
  if (reducesToExtrema(task)) {
    add(InputPattern::Ascending);
    add(InputPattern::Descending);
  }
  if (floats) {
    if (!numerics.linear) {
      if (numerics.longestSum > 1)
        add(InputPattern::Scaled);
      add(InputPattern::Balanced);
      add(InputPattern::EqualRows);
    }
    add(InputPattern::Specials);
    add(InputPattern::Magnitudes);
  }
  patterns.push_back(InputPattern::Reals);
  return patterns;
}

/// Integers whose sum along any dimensions is zero: the sign changes where an
/// index is reflected, the magnitude does not. In the middle of an odd extent
/// they are 0.
static void fillBalanced(void *data, const TensorSpec &spec, int64_t most,
                         ElementStream &random) {
  uint64_t key = random.next();
  SmallVector<int64_t> index(spec.shape.size(), 0);
  for (int64_t i = 0, e = spec.elements(); i < e; ++i) {
    int64_t sign = 1, folded = 0;
    for (auto [at, extent] : zip(index, spec.shape)) {
      if (extent > 1)
        sign *= 2 * at + 1 < extent ? 1 : 2 * at + 1 > extent ? -1 : 0;
      folded = folded * extent + std::min(at, extent - 1 - at);
    }
    ElementStream place(key ^ uint64_t(folded));
    writeElement(data, spec.type, i, double(sign * place.between(1, most)));
    for (size_t d = index.size(); d-- > 0 && ++index[d] == spec.shape[d];)
      index[d] = 0;
  }
}

/// Adds 64, or takes it away, in half of the rows: what is subtracted from all
/// elements of a row, or should be, shows where it is large. A single row has
/// it for certain, as other sets have means near zero.
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

static void fillEqualRows(void *data, const TensorSpec &spec, int64_t most,
                          ElementStream &random) {
  int64_t count = spec.elements();
  int64_t rows = spec.shape.size() < 2 ? 1 : spec.shape[0];
  for (int64_t row = 0; row < rows; ++row) {
    double value = double(random.between(-most, most));
    int64_t length = count / rows;
    for (int64_t i = row * length; i < (row + 1) * length; ++i)
      writeElement(data, spec.type, i, value);
  }
}

/// Integers up to `most` times the power of two that brings the standard
/// deviation of the longest sum of them, or of products of two, below 1.
static void fillScaled(void *data, const TensorSpec &spec, int64_t most,
                       const TaskNumerics &numerics, ElementStream &random) {
  double variance = double(most * (most + 1)) / 3;
  double deviation = std::sqrt(numerics.longestSum * variance *
                               (numerics.addsProducts ? variance : 1));
  int places = int(std::ceil(std::log2(deviation)));
  if (numerics.addsProducts)
    places = (places + 1) / 2;
  const double unit = std::ldexp(1.0, -places);
  for (int64_t i = 0, e = spec.elements(); i < e; ++i)
    writeElement(data, spec.type, i,
                 unit * double(random.between(-most, most)));
}

/// Numbers from -most to most, in order: as many different ones as there is
/// room for in the type.
static void fillInOrder(void *data, const TensorSpec &spec, bool ascending) {
  int64_t count = spec.elements();
  double most = spec.type == ElementType::F16    ? 1024
                : spec.type == ElementType::BF16 ? 128
                : spec.type == ElementType::I1   ? 1
                : spec.type == ElementType::I8   ? 127
                                                 : 32767;
  for (int64_t i = 0; i < count; ++i) {
    double place = count > 1 ? 2 * double(i) / double(count - 1) - 1 : 0;
    double value = std::nearbyint(most * place);
    writeElement(data, spec.type, i, ascending ? value : -value);
  }
}

/// Reals times a power of two that belongs to their row, some rows denormal: a
/// few, since many CPUs take a hundred cycles for each operation on such
/// numbers. A single row has a power for each element.
static void fillMagnitudes(void *data, const TensorSpec &spec,
                           ElementStream &random) {
  int most = spec.type == ElementType::F16   ? 5
             : spec.type == ElementType::F64 ? 60
                                             : 30;
  int64_t count = spec.elements();
  int64_t length = spec.shape.size() < 2 ? 1 : spec.shape.back();
  if (length == count)
    length = 1;
  constexpr int64_t mostDenormal = 4;
  uint64_t among =
      uint64_t(std::max<int64_t>(8, count / length / mostDenormal));
  for (int64_t row = 0; row < count; row += length) {
    bool denormal = random.uniform(among) == 0;
    double scale = std::ldexp(1.0, int(random.between(-most, most)));
    for (int64_t i = row; i < row + length; ++i) {
      double value = readElement(data, spec.type, i);
      if (denormal) { // As far as the type has bits for it.
        double unit = smallestNormal(spec.type) * 2 * unitRoundoff(spec.type);
        value = std::nearbyint(value * smallestNormal(spec.type) / unit) * unit;
      } else {
        value *= scale;
      }
      writeElement(data, spec.type, i, value);
    }
  }
}

static bool hasReductions(const TaskProgram &task) {
  bool found = false;
  task.module().walk([&](mlir::linalg::LinalgOp op) {
    found |= op.getNumReductionLoops() > 0;
  });
  return found;
}

/// The values below at random places: enough for some rows and columns to have
/// one, and few enough to leave most without if something is `reduced`.
static void placeSpecials(void *data, const TensorSpec &spec, bool reduced,
                          ElementStream &random) {
  int64_t count = spec.elements();
  if (count < 64)
    return;
  int64_t length = spec.shape.back();
  int64_t places =
      reduced
          ? std::clamp<int64_t>(std::min(count / length, length) / 16, 1, 64)
          : count / 32;
  for (double value : {double(NAN), double(INFINITY), -double(INFINITY), 0.0,
                       -0.0, smallestNormal(spec.type), 1.0})
    for (int64_t i = 0; i < places; ++i)
      writeElement(data, spec.type, int64_t(random.uniform(uint64_t(count))),
                   value);
}

/// Moves integers to where the task is defined.
static void restrict(void *data, const TensorSpec &spec,
                     const ArgumentDomain &domain) {
  if (isFloat(spec.type) || (!domain.divisor && !domain.shiftBelow))
    return;
  for (int64_t i = 0, e = spec.elements(); i < e; ++i) {
    double value = readElement(data, spec.type, i);
    if (domain.shiftBelow)
      value = std::fmod(std::fabs(value), double(domain.shiftBelow));
    // Neither zero nor the one divisor whose quotient may overflow.
    if (domain.divisor && (value == 0 || value == -1))
      value = spec.type == ElementType::I1 ? 1 : 3;
    writeElement(data, spec.type, i, value);
  }
}

std::vector<std::vector<uint8_t>>
pruner::makeInputs(const TaskProgram &task, const TaskNumerics &numerics,
                   ArrayRef<ArgumentDomain> domains, InputPattern pattern,
                   const Random &random) {
  const InputRange &range = numerics.range;
  bool reduced = hasReductions(task);
  std::vector<std::vector<uint8_t>> inputs;
  for (auto [spec, domain] : zip(task.inputs(), domains)) {
    ElementStream stream(random.fork(inputs.size()).next());
    void *data = inputs.emplace_back(spec.bytes()).data();
    if (pattern == InputPattern::Integers && numerics.exact)
      fillIntegers(data, spec.type, spec.elements(), range, stream);
    else if (pattern == InputPattern::Integers && isFloat(spec.type)) {
      fillIntegers(data, spec.type, spec.elements(), {4, 1, 0}, stream);
      shiftRows(data, spec, stream);
    } else
      fillReals(data, spec.type, spec.elements(), range, stream);
    if ((pattern == InputPattern::Ascending ||
         pattern == InputPattern::Descending) &&
        range.indexBelow == 0)
      fillInOrder(data, spec, pattern == InputPattern::Ascending);
    if (isFloat(spec.type)) {
      if (pattern == InputPattern::Balanced)
        fillBalanced(data, spec, 4, stream);
      else if (pattern == InputPattern::EqualRows)
        fillEqualRows(data, spec, 4, stream);
      else if (pattern == InputPattern::Scaled)
        fillScaled(data, spec, 4, numerics, stream);
      else if (pattern == InputPattern::Magnitudes)
        fillMagnitudes(data, spec, stream);
      else if (pattern == InputPattern::Specials)
        placeSpecials(data, spec, reduced, stream);
    }
    restrict(data, spec, domain);
  }
  return inputs;
}
