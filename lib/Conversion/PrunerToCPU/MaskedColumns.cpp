//===- MaskedColumns.cpp - columns that a kernel need not compute ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//
// A proof executes the statements of a block with intervals instead of numbers,
// for three columns of a row: one that is left out, any that is computed, and
// the one whose score is the maximum of the row. It is repeated for each kind
// of number that the maximum may be.
//
//===----------------------------------------------------------------------===//

#include "MaskedColumns.h"

#include "Bounds.h"

#include "pruner/Dialect/Pruner/IR/Combiner.h"
#include "pruner/Dialect/Pruner/Utils/BufferAccess.h"
#include "pruner/Support/Sizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/SmallPtrSet.h"

#include <array>
#include <numeric>

using namespace mlir;
using namespace pruner;

/// Elements of the factors of scores below this magnitude have products whose
/// sums are below `kLargestScore`, in any order.
static constexpr double kLargestFactor = 0x1p40;
static constexpr double kLargestScore = 0x1p100;
static constexpr int64_t kMostTerms = int64_t(1) << 20;
/// A check reads all columns once. It pays off if this many rows use them.
static constexpr int64_t kRowsPerCheck = 16;
/// Columns are left out in parts of at most 1/4 of the row.
static constexpr int64_t kFewestParts = 4;

int64_t pruner::spanInside(Block *block, ComputeOp compute, unsigned dim) {
  int64_t span = 1;
  for (Operation *op = compute->getParentOp(); op && op != block->getParentOp();
       op = op->getParentOp())
    if (auto band = dyn_cast<BandOp>(op))
      for (auto [d, trips, step] :
           llvm::zip_equal(band.getDims(), band.getTrips(), band.getSteps()))
        if (d == int64_t(dim))
          span += (trips - 1) * step;
  for (auto [d, extent, step] :
       llvm::zip_equal(compute.getLoopDims(), compute.getLoopExtents(),
                       compute.getLoopSteps()))
    if (d == int64_t(dim))
      span += (extent - 1) * step;
  return span;
}

namespace {

enum Column { LeftOut, Computed, Largest };
using Columns = std::array<Bounds, 3>;

/// What the maximum of a row may be.
enum class Maximum { MinusInfinity, Finite, PlusInfinity, NaN };

/// The search in one block, for one dimension.
class Search {
public:
  Search(KernelOp kernel, Block &block, unsigned dim)
      : kernel(kernel), block(block), dim(dim) {
    block.walk([&](ComputeOp compute) { computes.push_back(compute); });
  }

  std::optional<MaskedColumns> run() {
    if (llvm::any_of(computes,
                     [&](ComputeOp op) { return !isSupported(op); }) ||
        !findScores() || !findUnit() || !maskHides() ||
        !isSame(Maximum::MinusInfinity) || !isSame(Maximum::Finite) ||
        !isSame(Maximum::PlusInfinity) || !isSame(Maximum::NaN) || !addChecks())
      return std::nullopt;
    found.block = &block;
    found.dim = dim;
    return found;
  }

private:
  bool isSupported(ComputeOp op) const;
  bool findScores();
  bool findUnit();
  bool maskHides();
  bool hides(Value mask, const Bounds &hiding, const Bounds &other);
  bool isSame(Maximum maximum);
  bool update(ComputeOp op);
  bool isReductionOfColumns(ComputeOp op) {
    return op.getRole() == Role::Update && op.reducesAlong(dim);
  }
  std::array<BoundsOfValues, 3> evaluate(ComputeOp op);
  bool startsFromZero(Value accumulator);
  bool addChecks();
  bool addCheck(ComputeOp op, unsigned input, double limit);
  Block *placeOf(ArrayRef<ElementRead> reads);
  bool readsColumns(ComputeOp op, unsigned input) const {
    return usesDim(op.getMap(input), dim);
  }

  KernelOp kernel;
  Block &block;
  unsigned dim;
  SmallVector<ComputeOp> computes;
  MaskedColumns found;
  /// The scores are minus infinity only if the product is a finite number.
  bool needsFiniteProduct = false;
  /// The first product, and reductions of columns whose other factor is read
  /// from an argument.
  ComputeOp firstProduct;
  SmallVector<std::pair<ComputeOp, unsigned>> values;

  // The state of a proof.
  Maximum maximum = Maximum::Finite;
  /// Bounds of buffers with an element per column, and of all others. The
  /// map by which each buffer was written.
  DenseMap<Value, Columns> columnsOf;
  DenseMap<Value, Bounds> rowsOf;
  DenseMap<Value, AffineMap> mapOf;
};

} // namespace

/// Buffers of a block are written only by its statements, and results do not
/// have a value per column.
bool Search::isSupported(ComputeOp op) const {
  Value output = op.getOutput();
  if (op.getPaddings())
    return false;
  if (auto alloc = output.getDefiningOp<AllocOp>())
    return block.getParentOp()->isProperAncestor(alloc);
  return isa<BlockArgument>(output) && !usesDim(op.getOutputMap(), dim);
}

/// The scores are computed from the result of the first product.
bool Search::findScores() {
  for (ComputeOp op : computes) {
    if (op.getRole() != Role::Finish || !usesDim(op.getOutputMap(), dim) ||
        op.getOutput().getDefiningOp<AllocOp>()->getBlock() != &block)
      continue;
    for (auto [n, input] : llvm::enumerate(op.getInputs())) {
      if (!input.getDefiningOp<AllocOp>())
        continue;
      for (ComputeOp writer : computes)
        if (writer.getOutput() == input && writer.getRole() == Role::Update &&
            !writer.reducesAlong(dim) && !firstProduct) {
          firstProduct = writer;
          found.scores = op;
          found.product = n;
        }
    }
    // The mask must be in arguments, which are read before the scores.
    if (firstProduct)
      for (auto [n, input] : llvm::enumerate(op.getInputs()))
        if (n != found.product && !isa<BlockArgument>(input))
          return false;
    return bool(firstProduct);
  }
  return false;
}

/// All statements process the columns in multiples of the unit.
bool Search::findUnit() {
  int64_t extent = kernel.getExtents()[dim];
  for (ComputeOp op : computes) {
    int64_t width = 1;
    for (unsigned l = 0; l < op.getNumLoops(); ++l) {
      if (op.getLoopDims()[l] != int64_t(dim))
        continue;
      int64_t step = op.getLoopSteps()[l];
      if (op.getLoopLevel(l) == LoopKind::Serial)
        found.unit = std::lcm(found.unit, step);
      else
        width += (op.getLoopExtents()[l] - 1) * step;
    }
    found.unit = std::lcm(found.unit, width);
    if (found.unit * kFewestParts > extent)
      return false;
  }
  // Loops around the block would already process parts of the columns.
  for (Operation *op = block.getParentOp(); op != kernel;
       op = op->getParentOp())
    if (auto band = dyn_cast<BandOp>(op);
        band && llvm::is_contained(band.getDims(), int64_t(dim)))
      return false;
  return true;
}

/// Finds the value of the mask in the body of the scores.
bool Search::maskHides() {
  Block &body = found.scores.getBody().front();
  llvm::SmallPtrSet<Value, 16> dependent;
  dependent.insert(body.getArgument(found.product));
  auto isMask = [&](Value value) {
    return !dependent.contains(value) &&
           (isa<FloatType>(value.getType()) || value.getType().isInteger(1));
  };
  SmallVector<Value> candidates(
      llvm::make_filter_range(body.getArguments(), isMask));
  for (Operation &op : body.without_terminator()) {
    if (llvm::any_of(op.getOperands(), [&](Value operand) {
          return dependent.contains(operand);
        }))
      dependent.insert(op.result_begin(), op.result_end());
    llvm::append_range(candidates,
                       llvm::make_filter_range(op.getResults(), isMask));
  }
  // Later values are nearer to the result.
  return llvm::any_of(llvm::reverse(candidates), [&](Value mask) {
    if (mask.getType().isInteger(1))
      return hides(mask, Bounds::exactly(0), Bounds::exactly(1)) ||
             hides(mask, Bounds::exactly(1), Bounds::exactly(0));
    Bounds other;
    other.low = -largestFinite(mask.getType());
    return hides(mask, Bounds::exactly(-Bounds::kInfinity), other);
  });
}

/// Whether scores are minus infinity exactly where `mask` has the value
/// `hiding`. Elsewhere it has one of `other`.
bool Search::hides(Value mask, const Bounds &hiding, const Bounds &other) {
  Block &body = found.scores.getBody().front();
  Value result = body.getTerminator()->getOperand(0);
  Value product = body.getArgument(found.product);
  auto scores = [&](const Bounds &ofMask, std::optional<Bounds> ofProduct) {
    return boundsIn(body, [&](Value value) -> std::optional<Bounds> {
      if (value == mask)
        return ofMask;
      return value == product ? ofProduct : std::nullopt;
    })[result];
  };
  if (!scores(other, Bounds::exactly(0)).hasNumbers() ||
      scores(other, Bounds::exactly(0)).low == -Bounds::kInfinity)
    return false;
  needsFiniteProduct = !scores(hiding, std::nullopt).is(-Bounds::kInfinity);
  return !needsFiniteProduct ||
         scores(hiding, Bounds::between(-kLargestScore, kLargestScore))
             .is(-Bounds::kInfinity);
}

/// Evaluates the body of `op` for each of the three columns.
std::array<BoundsOfValues, 3> Search::evaluate(ComputeOp op) {
  Block &body = op.getBody().front();
  std::array<BoundsOfValues, 3> results;
  for (int column : {LeftOut, Computed, Largest})
    results[column] = boundsIn(body, [&](Value value) -> std::optional<Bounds> {
      auto argument = dyn_cast<BlockArgument>(value);
      if (!argument || argument.getOwner() != &body)
        return std::nullopt;
      unsigned n = argument.getArgNumber();
      if (n >= op.getInputs().size())
        return std::nullopt;
      Value input = op.getInputs()[n];
      if (auto found = columnsOf.find(input); found != columnsOf.end())
        return found->second[column];
      if (auto found = rowsOf.find(input); found != rowsOf.end())
        return found->second;
      // The other factor of a product with weights is checked.
      if (isReductionOfColumns(op) && isa<FloatType>(value.getType())) {
        double most = largestFinite(value.getType());
        return Bounds::between(-most, most);
      }
      return std::nullopt;
    });
  return results;
}

/// Whether the results of the statements in `block` are the same without the
/// columns that are left out, if the maximum of a row is as given.
bool Search::isSame(Maximum given) {
  maximum = given;
  columnsOf.clear();
  rowsOf.clear();
  mapOf.clear();
  values.clear();
  for (ComputeOp op : computes) {
    Value output = op.getOutput();
    bool perColumn = usesDim(op.getOutputMap(), dim);
    // Elements of a buffer are read for the column that they were written for.
    for (auto [n, input] : llvm::enumerate(op.getInputs()))
      if (columnsOf.contains(input) && mapOf.lookup(input) != op.getMap(n))
        return false;
    if (isReductionOfColumns(op)) {
      if (perColumn || !update(op))
        return false;
      continue;
    }
    std::array<BoundsOfValues, 3> bounds = evaluate(op);
    Value result = op.getBody().front().getTerminator()->getOperand(0);
    if (!perColumn) {
      rowsOf[output] =
          op.getRole() == Role::Update ? Bounds() : bounds[Computed][result];
      continue;
    }
    Columns columns;
    for (int column : {LeftOut, Computed, Largest})
      columns[column] =
          op.getRole() == Role::Update ? Bounds() : bounds[column][result];
    if (op == found.scores) {
      double most = largestFinite(result.getType());
      Bounds any, largest;
      switch (maximum) {
      case Maximum::MinusInfinity:
        any = largest = Bounds::exactly(-Bounds::kInfinity);
        break;
      case Maximum::Finite:
        any = Bounds::between(-Bounds::kInfinity, most);
        largest = Bounds::between(-most, most);
        break;
      case Maximum::PlusInfinity:
        any = Bounds::between(-Bounds::kInfinity, Bounds::kInfinity);
        largest = Bounds::exactly(Bounds::kInfinity);
        break;
      case Maximum::NaN:
        break;
      }
      any.of = largest.of = Bounds::Of::Score;
      largest.isLargest = true;
      columns = {Bounds::exactly(-Bounds::kInfinity), any, largest};
    }
    columnsOf[output] = columns;
    mapOf[output] = op.getOutputMap();
  }
  return true;
}

bool Search::startsFromZero(Value accumulator) {
  return llvm::any_of(computes, [&](ComputeOp init) {
    return init.getOutput() == accumulator && init.getRole() == Role::Init &&
           matchPattern(init.getBody().front().getTerminator()->getOperand(0),
                        m_PosZeroFloat());
  });
}

/// The reduction `op` of columns. What it adds for a column that is left out
/// must be neutral, or all columns must add NaN.
bool Search::update(ComputeOp op) {
  Block &body = op.getBody().front();
  std::optional<CombinerMatch> match = matchCombiner(body);
  if (!match)
    return false;
  std::array<BoundsOfValues, 3> bounds = evaluate(op);
  Bounds leftOut = bounds[LeftOut][match->contribution],
         computed = bounds[Computed][match->contribution],
         largest = bounds[Largest][match->contribution];
  Value output = op.getOutput();
  for (auto [n, input] : llvm::enumerate(op.getInputs()))
    if (!columnsOf.contains(input) && !rowsOf.contains(input))
      values.push_back({op, n});

  Operation *combiner = getCombiner(body);
  // A maximum that ignores NaN would hide elements that are NaN.
  if (isa_and_nonnull<arith::MaximumFOp>(combiner)) {
    if (!leftOut.is(-Bounds::kInfinity))
      return false;
    Bounds result;
    if (computed.of == Bounds::Of::Score &&
        rowsOf.lookup(output).is(-Bounds::kInfinity)) {
      result = largest;
      if (maximum == Maximum::NaN)
        result = Bounds::onlyNaN();
      result.of = Bounds::Of::Largest;
      result.isLargest = false;
    }
    rowsOf[output] = result;
    return true;
  }
  // A sum that starts from +0 is never -0, so that a zero of any sign is
  // neutral.
  bool allNaN = leftOut.isOnlyNaN() && computed.isOnlyNaN();
  if (!isa_and_nonnull<arith::AddFOp>(combiner) || !startsFromZero(output) ||
      !(leftOut.is(0) || allNaN))
    return false;
  Bounds sum;
  if (computed.isOnlyNaN() || largest.isOnlyNaN())
    sum = Bounds::onlyNaN();
  else if (!computed.nan && !largest.nan && computed.low >= 0)
    sum = Bounds::between(largest.low, Bounds::kInfinity);
  rowsOf[output] = sum;
  return true;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

bool Search::addChecks() {
  for (auto [op, input] : values)
    if (!addCheck(op, input, Bounds::kInfinity))
      return false;
  if (!needsFiniteProduct)
    return true;
  // A sum of products of two factors, perhaps extended.
  ComputeOp op = firstProduct;
  std::optional<CombinerMatch> match = matchCombiner(op.getBody().front());
  auto product = match ? match->contribution.getDefiningOp<arith::MulFOp>()
                       : arith::MulFOp();
  if (!product || op.getInputs().size() != 2 || !product.getType().isF32() ||
      match->combiner != Combiner::Sum)
    return false;
  for (Value factor : product->getOperands()) {
    if (auto extended = factor.getDefiningOp<arith::ExtFOp>())
      factor = extended.getIn();
    auto argument = dyn_cast<BlockArgument>(factor);
    if (!argument || argument.getArgNumber() >= 2)
      return false;
  }
  int64_t terms = 1;
  for (unsigned d = 0; d < kernel.getNumDims(); ++d)
    if (op.reducesAlong(d))
      terms = mulSizes(terms, kernel.getExtents()[d]);
  if (terms > kMostTerms)
    return false;
  return startsFromZero(op.getOutput()) && addCheck(op, 0, kLargestFactor) &&
         addCheck(op, 1, kLargestFactor);
}

/// Adds a check of the values that `op` reads as input number `input`.
bool Search::addCheck(ComputeOp op, unsigned input, double limit) {
  MagnitudeCheck check;
  check.limit = limit;
  Value buffer = op.getInputs()[input];
  AffineMap map = op.getMap(input);
  auto addRead = [&](Value from, AffineMap by) {
    check.reads.push_back({from, by});
    return (isa<BlockArgument>(from) || from.getDefiningOp<PackedOp>()) &&
           by.isProjectedPermutation(/*allowZeroInResults=*/true);
  };
  if (auto stage = buffer.getDefiningOp<StageOp>()) {
    if (stage.getPadding())
      return false;
    check.body = &stage.getBody().front();
    for (auto [from, by] :
         llvm::zip_equal(stage.getInputs(),
                         stage.getMaps().getAsValueRange<AffineMapAttr>()))
      if (!addRead(from, by.compose(map)))
        return false;
  } else if (!addRead(buffer, map)) {
    return false;
  }
  if (llvm::none_of(check.reads, [](const ElementRead &read) {
        return read.map.getNumResults() > 0;
      }))
    return false;
  check.at = placeOf(check.reads);
  if (readsColumns(op, input)) {
    int64_t rows = 1;
    AffineMap scores = found.scores.getOutputMap();
    for (unsigned d = 0; d < kernel.getNumDims(); ++d)
      if (d != dim && usesDim(scores, d))
        rows *= std::min(kernel.getExtents()[d],
                         spanInside(check.at, found.scores, d));
    if (rows < kRowsPerCheck)
      return false;
  }
  found.checks.push_back(std::move(check));
  return true;
}

/// The outermost block inside of which no band around `block` moves `reads`.
/// Each core makes its own checks.
Block *Search::placeOf(ArrayRef<ElementRead> reads) {
  Block *place = &block;
  for (Operation *op = block.getParentOp(); op != kernel;
       op = op->getParentOp()) {
    auto band = cast<BandOp>(op);
    bool moves = llvm::any_of(band.getDims(), [&](int64_t d) {
      return llvm::any_of(
          reads, [&](const ElementRead &read) { return usesDim(read.map, d); });
    });
    if (moves || band.getLevel() == LoopKind::Core)
      break;
    place = op->getBlock();
  }
  return place;
}

SmallVector<MaskedColumns> pruner::findMaskedColumns(KernelOp kernel) {
  SmallVector<MaskedColumns> all;
  kernel.walk([&](BandOp band) {
    Block &block = band.getBody().front();
    for (unsigned dim = 0; dim < kernel.getNumDims(); ++dim)
      if (kernel.getReductions()[dim])
        if (auto found = Search(kernel, block, dim).run())
          all.push_back(std::move(*found));
  });
  return all;
}
