//===- AnchorKind.cpp - classify the reduction of an anchor ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Recognition/AnchorKind.h"

#include "pruner/Dialect/Pruner/IR/Combiner.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace pruner;

/// `expr` without its constant term, which is the start of a slice.
static AffineExpr withoutOffset(AffineExpr expr) {
  auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
  if (sum && sum.getKind() == AffineExprKind::Add &&
      isa<AffineConstantExpr>(sum.getRHS()))
    return sum.getLHS();
  return expr;
}

static AffineMap withoutOffsets(AffineMap map) {
  SmallVector<AffineExpr> results =
      llvm::map_to_vector(map.getResults(), withoutOffset);
  return AffineMap::get(map.getNumDims(), 0, results, map.getContext());
}

/// True if a coordinate is neither a single loop nor a constant.
static bool slides(AffineExpr expr) {
  return !isa<AffineDimExpr, AffineConstantExpr>(expr);
}

static unsigned numSliding(AffineMap map) {
  return llvm::count_if(map.getResults(), slides);
}

namespace {
/// The maps of a sum of products.
class ProductMaps {
public:
  ProductMaps(linalg::LinalgOp op, OpOperand *first, OpOperand *second)
      : image(withoutOffsets(op.getMatchingIndexingMap(first))),
        filter(withoutOffsets(op.getMatchingIndexingMap(second))),
        result(op.getMatchingIndexingMap(op.getDpsInitOperand(0))),
        numLoops(op.getNumLoops()) {
    if (numSliding(filter) > numSliding(image))
      std::swap(image, filter);
  }

  AnchorKind describe() const {
    if (unsigned rank = numSliding(image))
      return {AnchorKind::Convolution, convolution(rank)};
    return {AnchorKind::Contraction, contraction()};
  }

private:
  std::string contraction() const {
    unsigned batches = 0, rows = 0, columns = 0, sums = 0;
    for (unsigned dim = 0; dim < numLoops; ++dim) {
      bool inResult = result.isFunctionOfDim(dim),
           inA = image.isFunctionOfDim(dim), inB = filter.isFunctionOfDim(dim);
      if (!inResult)
        ++sums;
      else if (inA && inB)
        ++batches;
      else if (inA)
        ++rows;
      else
        ++columns;
    }
    if (batches > 1 || rows > 1 || columns > 1 || sums != 1)
      return "contract";
    std::string prefix = batches ? "batch_" : "";
    if (rows && columns)
      return prefix + "matmul";
    return prefix + (rows || columns ? "matvec" : "dot");
  }

  /// An input channel: a summed loop that is a coordinate of the image and of
  /// the filter.
  bool isSummedChannel(unsigned dim) const {
    return !result.isFunctionOfDim(dim) && readsAlone(image, dim) &&
           readsAlone(filter, dim);
  }

  static bool readsAlone(AffineMap map, unsigned dim) {
    return llvm::is_contained(map.getResults(),
                              getAffineDimExpr(dim, map.getContext()));
  }

  std::string convolution(unsigned rank) const {
    bool isDepthwise = false, sumsChannels = false;
    for (unsigned dim = 0; dim < numLoops; ++dim) {
      sumsChannels |= isSummedChannel(dim);
      isDepthwise |= result.isFunctionOfDim(dim) &&
                     filter.isFunctionOfDim(dim) && readsAlone(image, dim);
    }
    isDepthwise &= !sumsChannels;
    std::string prefix = isDepthwise ? "depthwise_conv_" : "conv_";
    return prefix + std::to_string(rank) + "d_" +
           layout(image, rank, isDepthwise) + "_" +
           layout(filter, rank, isDepthwise);
  }

  /// One letter per coordinate. The order of the image's sliding coordinates
  /// determines the letters of the filter's coordinates.
  std::string layout(AffineMap map, unsigned rank, bool isDepthwise) const {
    StringRef names = StringRef("dhw").take_back(std::min(rank, 3u));
    auto spatial = [&](unsigned position) {
      return position < names.size() ? names[position] : 'x';
    };
    std::string letters;
    for (AffineExpr expr : map.getResults()) {
      if (isa<AffineConstantExpr>(expr)) {
        letters += '1';
        continue;
      }
      std::optional<unsigned> position = slidingPosition(expr);
      if (position) {
        letters += spatial(*position);
        continue;
      }
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop) { // Both operands slide.
        letters += 'x';
        continue;
      }
      unsigned dim = loop.getPosition();
      bool inResult = result.isFunctionOfDim(dim);
      bool inBoth = image.isFunctionOfDim(dim) && filter.isFunctionOfDim(dim);
      if (inBoth)
        letters += inResult && !isDepthwise ? 'g' : 'c';
      else if (image.isFunctionOfDim(dim))
        letters += inResult ? 'n' : 'c';
      else
        letters += 'f';
    }
    return letters;
  }

  /// The number of the image's sliding coordinate that equals `expr` or has
  /// `expr` as its kernel position.
  std::optional<unsigned> slidingPosition(AffineExpr expr) const {
    unsigned position = 0;
    for (AffineExpr coordinate : image.getResults()) {
      if (!slides(coordinate))
        continue;
      if (coordinate == expr)
        return position;
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        if (coordinate.isFunctionOfDim(dim.getPosition()))
          return position;
      ++position;
    }
    return std::nullopt;
  }

  AffineMap image, filter, result;
  unsigned numLoops;
};
} // namespace

/// `value` before any number of casts.
static Value behindCasts(Value value) {
  while (auto cast = value.getDefiningOp<CastOpInterface>())
    value = cast->getOperand(0);
  return value;
}

/// The element from which the factor `value` is derived: before casts and
/// before the subtraction of the zero point of a quantized number.
static BlockArgument elementOf(Value value) {
  value = behindCasts(value);
  if (auto difference = value.getDefiningOp<arith::SubIOp>())
    value = behindCasts(difference.getLhs());
  else if (auto sum = value.getDefiningOp<arith::AddIOp>();
           sum && sum.getRhs().getDefiningOp<arith::ConstantOp>())
    value = behindCasts(sum.getLhs());
  return dyn_cast<BlockArgument>(value);
}

std::optional<std::pair<BlockArgument, BlockArgument>>
pruner::matchProduct(Value value) {
  Operation *product = behindCasts(value).getDefiningOp();
  if (!isa_and_nonnull<arith::MulFOp, arith::MulIOp>(product) ||
      product->getOperand(0) == product->getOperand(1))
    return std::nullopt;
  BlockArgument a = elementOf(product->getOperand(0)),
                b = elementOf(product->getOperand(1));
  if (!a || !b)
    return std::nullopt;
  return std::pair(a, b);
}

/// The arguments of the body on which `value` depends.
static void collectArguments(Value value,
                             llvm::SmallSetVector<BlockArgument, 4> &found) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    found.insert(argument);
    return;
  }
  for (Value operand : value.getDefiningOp()->getOperands())
    if (operand.getParentBlock() == value.getParentBlock())
      collectArguments(operand, found);
}

/// The element from which a factor is computed: the one argument that moves
/// along the most loops. Others, such as the scales of a dequantized weight,
/// are broadcast.
static BlockArgument mainArgument(linalg::LinalgOp op, Value factor) {
  llvm::SmallSetVector<BlockArgument, 4> arguments;
  collectArguments(factor, arguments);
  BlockArgument found;
  unsigned most = 0;
  for (BlockArgument argument : arguments) {
    AffineMap map =
        op.getMatchingIndexingMap(op.getMatchingOpOperand(argument));
    unsigned loops = 0;
    for (unsigned dim = 0; dim < op.getNumLoops(); ++dim)
      loops += map.isFunctionOfDim(dim);
    if (loops == most)
      found = {};
    if (loops <= most)
      continue;
    found = argument;
    most = loops;
  }
  return found;
}

/// The main arguments of the factors of a product.
static std::optional<std::pair<BlockArgument, BlockArgument>>
matchComputedProduct(linalg::LinalgOp op, Value value) {
  auto product = behindCasts(value).getDefiningOp<arith::MulFOp>();
  if (!product || product.getLhs() == product.getRhs())
    return std::nullopt;
  BlockArgument a = mainArgument(op, product.getLhs()),
                b = mainArgument(op, product.getRhs());
  if (!a || !b)
    return std::nullopt;
  return std::pair(a, b);
}

AnchorKind pruner::describeAnchor(linalg::LinalgOp op) {
  std::optional<CombinerMatch> match = matchCombiner(*op.getBlock());
  if (match && match->combiner == Combiner::Sum) {
    auto factors = matchProduct(match->contribution);
    if (!factors)
      factors = matchComputedProduct(op, match->contribution);
    if (factors && factors->first != factors->second) {
      OpOperand *first = op.getMatchingOpOperand(factors->first),
                *second = op.getMatchingOpOperand(factors->second);
      if (first->getOperandNumber() > second->getOperandNumber())
        std::swap(first, second);
      return ProductMaps(op, first, second).describe();
    }
  }
  std::string how = match ? combinerName(match->combiner).str() : "other";
  unsigned rank = 0;
  for (OpOperand *input : op.getDpsInputOperands())
    if (op.payloadUsesValueFromOperand(input))
      rank = std::max(
          rank, numSliding(withoutOffsets(op.getMatchingIndexingMap(input))));
  if (rank)
    return {AnchorKind::Pooling,
            "pool_" + how + "_" + std::to_string(rank) + "d"};
  return {AnchorKind::Reduction, "reduce_" + how};
}
