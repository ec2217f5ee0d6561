//===- BorderInputs.cpp - inputs next to clamps and ties ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BorderInputs.h"

#include "BorderSearch.h"
#include "ElementProbe.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <numeric>

using namespace llvm;
using namespace pruner;

using mlir::linalg::LinalgOp;
using Index = ElementProbe::Index;

/// Whether some step of `op` depends on its inputs and not on the accumulator.
/// Which of its terms a maximum keeps is not a border of a number.
static bool hasSteps(LinalgOp op) {
  DenseSet<mlir::Value> accumulated;
  if (op.getNumReductionLoops() > 0)
    for (mlir::BlockArgument argument : op.getRegionOutputArgs())
      accumulated.insert(argument);
  for (mlir::Operation &inner : op.getBlock()->without_terminator()) {
    bool depends = any_of(inner.getOperands(), [&](mlir::Value operand) {
      return accumulated.contains(operand);
    });
    if (depends)
      accumulated.insert(inner.getResults().begin(), inner.getResults().end());
    else if (isStep(&inner))
      return true;
  }
  return false;
}

static SmallVector<LinalgOp> opsWithSteps(const TaskProgram &task) {
  SmallVector<LinalgOp> ops;
  task.module().walk([&](LinalgOp op) {
    if (!op.hasDynamicShape() && op->getNumResults() == op.getNumDpsInits() &&
        op->getNumResults() > 0 && hasSteps(op))
      ops.push_back(op);
  });
  return ops;
}

bool pruner::hasSteps(const TaskProgram &task) {
  return !opsWithSteps(task).empty();
}

static mlir::Type elementOf(mlir::Value tensor) {
  return mlir::getElementTypeOrSelf(tensor.getType());
}

namespace {
/// A row of a factor whose products a reduction sums, and how the sum depends
/// on each element.
struct FactorRow {
  unsigned argument;
  mlir::Type type;
  SmallVector<int64_t> places;
  SmallVector<Scalar> slopes;
  Scalar rest; ///< The sum if all elements are 0.

  bool isReal() const { return isa<mlir::FloatType>(type); }
  /// The largest possible magnitude of the sum.
  double reach() const {
    if (isReal())
      return INFINITY;
    double most = std::ldexp(1.0, int(type.getIntOrFloatBitWidth()) - 1) - 1;
    double sum = std::fabs(double(rest.integer));
    for (Scalar slope : slopes)
      sum += most * std::fabs(double(slope.integer));
    return sum;
  }
};

class BorderPlacer {
public:
  BorderPlacer(const TaskProgram &task, ArrayRef<ArgumentDomain> domains,
               ArrayRef<ArgumentBoxes> boxes, int64_t share,
               ElementStream &random, ElementProbe::Buffers &inputs)
      : task(task), domains(domains), boxes(boxes), share(share),
        random(random), inputs(inputs), probe(task, inputs, mostScalarOps),
        changed(boxes.size(), 0) {}

  int64_t run() {
    for (LinalgOp op : opsWithSteps(task))
      visit(op);
    return placed;
  }

private:
  /// Budget of evaluated scalar ops: about 50 ms.
  static constexpr int64_t mostScalarOps = 400000;
  static constexpr int64_t mostPoints = 512;
  static constexpr int64_t mostTerms = 8192;

  void visit(LinalgOp op);
  std::optional<ElementProbe::Place> choose(LinalgOp op);
  bool mayChange(mlir::Value argument) const;
  bool claim(unsigned argument, int64_t place);
  SmallVector<Scalar> comparable(LinalgOp op, const ElementProbe::Place &varied,
                                 ArrayRef<ElementProbe::Place> read);
  std::optional<FactorRow> factorRow(LinalgOp sum, const Index &index);
  bool readRow(LinalgOp sum, Index point, FactorRow &row,
               mlir::OpOperand *factor);
  void solve(const FactorRow &row, Scalar target);
  void solveIntegers(const FactorRow &row, int64_t target);
  void write(unsigned argument, int64_t place, Scalar value);

  const TaskProgram &task;
  ArrayRef<ArgumentDomain> domains;
  ArrayRef<ArgumentBoxes> boxes;
  int64_t share;
  ElementStream &random;
  ElementProbe::Buffers &inputs;
  ElementProbe probe;
  /// Elements that were given a value, by their first one; none is changed
  /// twice.
  DenseSet<std::pair<unsigned, int64_t>> claimed;
  SmallVector<int64_t> changed; ///< Boxes of each argument.
  int64_t placed = 0;
};
} // namespace

bool BorderPlacer::mayChange(mlir::Value value) const {
  auto argument = dyn_cast<mlir::BlockArgument>(value);
  if (!argument)
    return false;
  const ArgumentDomain &domain = domains[argument.getArgNumber()];
  return !domain.restricted() && !elementOf(value).isInteger(1);
}

bool BorderPlacer::claim(unsigned argument, int64_t place) {
  if (changed[argument] >=
          std::max<int64_t>(1, boxes[argument].count() / share) ||
      !claimed.insert({argument, place}).second)
    return false;
  ++changed[argument];
  return true;
}

void BorderPlacer::write(unsigned argument, int64_t place, Scalar value) {
  ElementType type = task.inputs()[argument].type;
  void *data = inputs[argument].data();
  if (isFloat(type))
    writeElement(data, type, place, value.real);
  else
    writeInteger(data, type, place, value.integer);
}

/// Chooses the element to vary for a step of `op` among those that its last
/// iteration read: that of an argument with an element for each point of `op`,
/// so that no other point is disturbed; else a reduction; else the largest
/// argument.
std::optional<ElementProbe::Place> BorderPlacer::choose(LinalgOp op) {
  double points = 1;
  for (int64_t extent : op.getStaticLoopRanges())
    points *= double(extent);
  const ElementProbe::Place *best = nullptr;
  double bestRank = 0;
  for (const ElementProbe::Place &place : probe.read) {
    bool argument = isa<mlir::BlockArgument>(place.tensor);
    if (argument && !mayChange(place.tensor))
      continue;
    double elements = double(
        cast<mlir::RankedTensorType>(place.tensor.getType()).getNumElements());
    double rank = argument ? elements >= points ? 2 * points : 0.5 : points;
    rank += argument ? elements / (points + elements) : 0;
    if (rank > bestRank) {
      best = &place;
      bestRank = rank;
    }
  }
  return best ? std::optional(*best) : std::nullopt;
}

/// The values that the last iteration of `op` read, of the type of `varied`,
/// and the constants of `op`.
SmallVector<Scalar>
BorderPlacer::comparable(LinalgOp op, const ElementProbe::Place &varied,
                         ArrayRef<ElementProbe::Place> read) {
  SmallVector<Scalar> others;
  mlir::Type type = elementOf(varied.tensor);
  for (const ElementProbe::Place &place : read)
    if (elementOf(place.tensor) == type &&
        (place.tensor != varied.tensor || place.index != varied.index))
      if (auto value = probe.element(place.tensor, place.index))
        others.push_back(*value);
  op.getBlock()->walk([&](mlir::arith::ConstantOp constant) {
    if (constant.getType() != type)
      return;
    if (auto real = dyn_cast<mlir::FloatAttr>(constant.getValue()))
      others.push_back(Scalar::of(real.getValueAsDouble()));
    else if (auto integer = dyn_cast<mlir::IntegerAttr>(constant.getValue()))
      others.push_back(Scalar::of(integer.getValue().getSExtValue()));
  });
  return others;
}

/// Whether `sum` adds terms to its single result.
static bool addsTerms(LinalgOp sum) {
  if (sum->getNumResults() != 1)
    return false;
  mlir::Value accumulator = sum.getRegionOutputArgs()[0];
  mlir::Operation *last =
      sum.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  return isa_and_nonnull<mlir::arith::AddFOp, mlir::arith::AddIOp>(last) &&
         accumulator.hasOneUse() &&
         is_contained(last->getOperands(), accumulator);
}

bool BorderPlacer::readRow(LinalgOp sum, Index point, FactorRow &row,
                           mlir::OpOperand *factor) {
  mlir::AffineMap map = sum.getMatchingIndexingMap(factor);
  SmallVector<unsigned> loops = reductionLoops(sum);
  SmallVector<int64_t> extents = sum.getStaticLoopRanges();
  bool real = row.isReal();
  auto init = probe.element(sum.getDpsInits()[0], [&] {
    Index index;
    mlir::AffineMap out = sum.getMatchingIndexingMap(sum.getDpsInitOperand(0));
    for (mlir::AffineExpr expr : out.getResults())
      index.push_back(point[cast<mlir::AffineDimExpr>(expr).getPosition()]);
    return index;
  }());
  if (!init)
    return false;
  row.rest = *init;
  do {
    Index index;
    for (mlir::AffineExpr expr : map.getResults())
      index.push_back(point[cast<mlir::AffineDimExpr>(expr).getPosition()]);
    row.places.push_back(ElementProbe::linear(factor->get(), index));
    probe.setFree({factor->get(), index});
    Scalar terms[3];
    // A few values are enough to test whether terms are linear in the factor.
    unsigned values = row.places.size() <= 4 ? 3 : 2;
    for (unsigned n = 0; n < values; ++n) {
      probe.freeValue = real ? Scalar::of(double(n)) : Scalar::of(int64_t(n));
      auto term = probe.iterate(sum, point);
      probe.clearFree();
      if (!term)
        return false;
      terms[n] = term->front();
      probe.setFree({factor->get(), index});
    }
    probe.clearFree();
    Scalar slope;
    slope.real = terms[1].real - terms[0].real;
    auto difference = [&](unsigned n) {
      return int64_t(uint64_t(terms[n].integer) -
                     uint64_t(terms[n - 1].integer));
    };
    slope.integer = difference(1);
    if (values == 3 && (terms[2].real - terms[1].real != slope.real ||
                        difference(2) != slope.integer))
      return false;
    row.slopes.push_back(slope);
    row.rest.real += terms[0].real;
    row.rest.integer =
        int64_t(uint64_t(row.rest.integer) + uint64_t(terms[0].integer));
  } while (advance(point, loops, extents));
  return true;
}

/// A row that no other sum of `sum` shares at this position of the result,
/// except those along the loops that the factor lacks.
std::optional<FactorRow> BorderPlacer::factorRow(LinalgOp sum,
                                                 const Index &index) {
  auto point = pointOf(sum, 0, index);
  SmallVector<unsigned> loops = reductionLoops(sum);
  double terms = 1;
  SmallVector<int64_t> extents = sum.getStaticLoopRanges();
  for (unsigned loop : loops)
    terms *= double(extents[loop]);
  if (!point || !addsTerms(sum) || terms > double(mostTerms))
    return std::nullopt;
  SmallVector<mlir::OpOperand *> factors;
  for (mlir::OpOperand *operand : sum.getDpsInputOperands()) {
    mlir::AffineMap map = sum.getMatchingIndexingMap(operand);
    if (mayChange(operand->get()) && map.isProjectedPermutation() &&
        isa<mlir::FloatType>(elementOf(operand->get())) ==
            isa<mlir::FloatType>(elementOf(sum->getResult(0))) &&
        all_of(loops, [&](unsigned loop) { return map.isFunctionOfDim(loop); }))
      factors.push_back(operand);
  }
  // The factor with more rows serves more sums.
  sort(factors, [&](mlir::OpOperand *a, mlir::OpOperand *b) {
    auto elements = [](mlir::OpOperand *operand) {
      return cast<mlir::RankedTensorType>(operand->get().getType())
          .getNumElements();
    };
    return elements(a) > elements(b);
  });
  for (mlir::OpOperand *factor : factors) {
    FactorRow row;
    row.argument = cast<mlir::BlockArgument>(factor->get()).getArgNumber();
    row.type = elementOf(factor->get());
    Index first;
    for (mlir::AffineExpr expr :
         sum.getMatchingIndexingMap(factor).getResults())
      first.push_back((*point)[cast<mlir::AffineDimExpr>(expr).getPosition()]);
    if (claim(row.argument, ElementProbe::linear(factor->get(), first)) &&
        readRow(sum, *point, row, factor))
      return row;
  }
  return std::nullopt;
}

void BorderPlacer::solveIntegers(const FactorRow &row, int64_t target) {
  unsigned width = row.type.getIntOrFloatBitWidth();
  int64_t least = INT64_MIN >> (64 - width), most = INT64_MAX >> (64 - width);
  SmallVector<size_t> order;
  for (size_t k = 0; k < row.slopes.size(); ++k)
    if (row.slopes[k].integer != 0)
      order.push_back(k);
  // Numbers of few bits first. The remainder is then compensated by the
  // steepest terms first, and at the end by the flattest.
  int bits = int(random.uniform(std::min(width, 8u)));
  SmallVector<int64_t> values(row.places.size(), 0);
  uint64_t left = uint64_t(target) - uint64_t(row.rest.integer);
  for (size_t k = 0; k < values.size(); ++k) {
    values[k] = random.uniform(2) ? int64_t(random.next()) >> (63 - bits) : 0;
    values[k] = std::clamp(values[k], least, most);
    left -= uint64_t(values[k]) * uint64_t(row.slopes[k].integer);
  }
  auto size = [&](size_t k) {
    int64_t slope = row.slopes[k].integer;
    return slope < 0 ? 0 - uint64_t(slope) : uint64_t(slope);
  };
  sort(order, [&](size_t a, size_t b) {
    return std::pair(size(a), a) > std::pair(size(b), b);
  });
  for (size_t k : order) {
    if (left == 0)
      break;
    int64_t slope = row.slopes[k].integer, wanted;
    // Its negation would overflow.
    if (slope == -1 && int64_t(left) == INT64_MIN)
      continue;
    int64_t steps = int64_t(left) / slope;
    if (AddOverflow(values[k], steps, wanted))
      wanted = steps < 0 ? least : most;
    wanted = std::clamp(wanted, least, most);
    left -= (uint64_t(wanted) - uint64_t(values[k])) * uint64_t(slope);
    values[k] = wanted;
  }
  for (auto [place, value] : zip(row.places, values))
    write(row.argument, place, Scalar::of(value));
}

void BorderPlacer::solve(const FactorRow &row, Scalar target) {
  if (!row.isReal())
    return solveIntegers(row, target.integer);
  // A single term rounds least; if its slope is a power of two, it does not
  // round at all.
  size_t best = 0;
  auto rank = [&](size_t k) {
    int exponent;
    double slope = row.slopes[k].real;
    if (slope == 0 || !std::isfinite(slope))
      return 0;
    return std::fabs(std::frexp(slope, &exponent)) == 0.5 ? 2 : 1;
  };
  for (size_t k = 0; k < row.places.size(); ++k)
    if (rank(k) > rank(best))
      best = k;
  if (rank(best) == 0)
    return;
  for (auto [k, place] : enumerate(row.places))
    write(row.argument, place,
          Scalar::of(k == best
                         ? (target.real - row.rest.real) / row.slopes[k].real
                         : 0.0));
}

void BorderPlacer::visit(LinalgOp op) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  double points = 1;
  for (int64_t extent : extents)
    points *= double(extent);
  if (points == 0)
    return;
  SmallVector<unsigned> loops(extents.size());
  std::iota(loops.begin(), loops.end(), 0);
  Index point(extents.size(), 0);
  bool all = points <= double(mostPoints);
  int64_t attempts = int64_t(std::min(points, double(mostPoints)));
  int64_t success = 0, turn = int64_t(random.uniform(6));
  for (int64_t n = 0; n < attempts && probe.left() > 0; ++n) {
    // There are no borders, or all elements are used.
    if (n - success >= 64)
      return;
    if (all && n > 0)
      advance(point, loops, extents);
    if (!all)
      for (auto [at, extent] : zip(point, extents))
        at = int64_t(random.uniform(uint64_t(extent)));
    probe.record = true;
    bool known = probe.iterate(op, point).has_value();
    probe.record = false;
    if (!known)
      continue;
    std::optional<ElementProbe::Place> varied = choose(op);
    if (!varied)
      return;
    std::vector<ElementProbe::Place> read = probe.read;
    std::optional<FactorRow> row;
    auto argument = dyn_cast<mlir::BlockArgument>(varied->tensor);
    int64_t at = ElementProbe::linear(varied->tensor, varied->index);
    if (argument) {
      if (!claim(argument.getArgNumber(), at))
        continue;
    } else {
      row = factorRow(cast<LinalgOp>(varied->tensor.getDefiningOp()),
                      varied->index);
      if (!row)
        continue;
    }
    SmallVector<Scalar> others = comparable(op, *varied, read);
    probe.setFree(*varied);
    BorderSearch search(
        elementOf(varied->tensor), row ? row->reach() : INFINITY,
        [&](Scalar value) -> std::optional<uint64_t> {
          probe.freeValue = value;
          auto yields = probe.iterate(op, point);
          if (!yields)
            return std::nullopt;
          uint64_t trail = 0;
          for (const Scalar &yielded : *yields)
            trail = mixTrails(trail, yielded.trail);
          return trail;
        },
        others, random);
    std::optional<Scalar> value = search.find(turn++);
    probe.clearFree();
    if (!value)
      continue;
    if (row)
      solve(*row, *value);
    else
      write(argument.getArgNumber(), at, *value);
    probe.forget();
    ++placed;
    success = n;
  }
}

int64_t pruner::placeBorders(const TaskProgram &task,
                             ArrayRef<ArgumentDomain> domains,
                             ArrayRef<ArgumentBoxes> boxes, int64_t share,
                             ElementStream &random,
                             std::vector<std::vector<uint8_t>> &inputs) {
  return BorderPlacer(task, domains, boxes, share, random, inputs).run();
}
