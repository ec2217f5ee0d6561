//===- FoldedScales.cpp - combine constant scales and offsets -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../FloatFactors.h"
#include "Registry.h"

#include "pruner/Dialect/Pruner/Utils/MapElements.h"
#include "pruner/Recognition/TaskFromIR.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace pruner;

namespace {
/// A constant that an elementwise operation reads: a scalar, or a tensor of
/// some dimensions of the operation.
struct Constant {
  Value value;
  AffineMap map; ///< From all dimensions to those of `value`. Null: a scalar.
  explicit operator bool() const { return bool(value); }
};

/// An operation x + c, x - c, c - x, x * c or x / c of a body, in f32.
struct Link {
  Operation *op;
  bool constantFirst;
  Constant constant;
};

/// The links between `source` and `result`, first to last.
struct Chain {
  Value source, result;
  SmallVector<Link> links;
};

/// Computes with constants that an operation of this shape reads.
class ConstantFolder {
public:
  ConstantFolder(OpBuilder &builder, Location loc, ArrayRef<int64_t> shape)
      : builder(builder), loc(loc), shape(shape) {}

  Constant scalar(double value) const {
    return {arith::ConstantOp::create(builder, loc,
                                      builder.getF32FloatAttr(float(value))),
            {}};
  }

  /// `Op` of both, in the dimensions of both.
  template <typename Op> Constant combine(Constant a, Constant b) const {
    if (!a.map && !b.map)
      return {Op::create(builder, loc, a.value, b.value), {}};
    SmallVector<unsigned> dims;
    for (unsigned d = 0; d < shape.size(); ++d)
      if (reads(a, d) || reads(b, d))
        dims.push_back(d);
    SmallVector<int64_t> extents;
    for (unsigned d : dims)
      extents.push_back(shape[d]);
    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    for (Constant of : {a, b})
      if (of.map) {
        inputs.push_back(of.value);
        maps.push_back(among(dims, of.map));
      }
    Value made = mapElements(
        builder, loc, RankedTensorType::get(extents, builder.getF32Type()),
        inputs, maps,
        [&](OpBuilder &body, Location loc, ValueRange elements) -> Value {
          Value first = a.map ? elements.front() : a.value;
          Value second = b.map ? elements.back() : b.value;
          return Op::create(body, loc, first, second);
        });
    AffineMap map = AffineMap::getMultiDimMapWithTargets(shape.size(), dims,
                                                         builder.getContext());
    return {made, map};
  }

private:
  static bool reads(const Constant &constant, unsigned dim) {
    return constant.map && constant.map.isFunctionOfDim(dim);
  }

  /// `map` as one from `dims` alone.
  AffineMap among(ArrayRef<unsigned> dims, AffineMap map) const {
    SmallVector<unsigned> targets;
    for (AffineExpr expr : map.getResults()) {
      unsigned dim = cast<AffineDimExpr>(expr).getPosition();
      targets.push_back(llvm::find(dims, dim) - dims.begin());
    }
    return AffineMap::getMultiDimMapWithTargets(dims.size(), targets,
                                                builder.getContext());
  }

  OpBuilder &builder;
  Location loc;
  ArrayRef<int64_t> shape;
};
} // namespace

/// The constant that an operand of an operation in the body of `op` is.
static Constant constantOperand(linalg::GenericOp op, Value operand) {
  auto element = dyn_cast<BlockArgument>(operand);
  if (!element || element.getOwner() != op.getBlock())
    return matchPattern(operand, m_Constant()) ? Constant{operand, {}}
                                               : Constant();
  if (element.getArgNumber() >= op.getNumDpsInputs())
    return {};
  OpOperand *input = op.getDpsInputOperand(element.getArgNumber());
  AffineMap map = op.getMatchingIndexingMap(input);
  if (!map.isProjectedPermutation() || map.isPermutation() ||
      !isConstantTensor(input->get()))
    return {};
  return {input->get(), map};
}

/// Whether `op` computes one tensor of f32 element by element, in the order of
/// its loops.
static bool isElementwise(linalg::GenericOp op) {
  return op.hasPureTensorSemantics() && !op.hasDynamicShape() &&
         op.getNumReductionLoops() == 0 && op.getNumDpsInits() == 1 &&
         op.getIndexingMapsArray().back().isIdentity() &&
         cast<RankedTensorType>(op->getResult(0).getType())
             .getElementType()
             .isF32();
}

/// Matches an op whose whole body is a chain of links from one input, which it
/// reads in the order of its loops.
static std::optional<Chain> matchLinks(linalg::GenericOp op) {
  if (!op || !isElementwise(op))
    return std::nullopt;
  Chain chain;
  chain.result = op->getResult(0);
  Value value = op.getBlock()->getTerminator()->getOperand(0);
  while (Operation *link = value.getDefiningOp()) {
    if (link->getBlock() != op.getBlock() || !value.hasOneUse() ||
        !isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp>(link))
      return std::nullopt;
    Constant first = constantOperand(op, link->getOperand(0));
    Constant second = constantOperand(op, link->getOperand(1));
    if (bool(first) == bool(second) || (first && isa<arith::DivFOp>(link)))
      return std::nullopt;
    chain.links.push_back({link, bool(first), first ? first : second});
    value = link->getOperand(first ? 1 : 0);
  }
  auto element = cast<BlockArgument>(value);
  if (chain.links.empty() || element.getOwner() != op.getBlock() ||
      element.getArgNumber() >= op.getNumDpsInputs())
    return std::nullopt;
  OpOperand *input = op.getDpsInputOperand(element.getArgNumber());
  if (!op.getMatchingIndexingMap(input).isIdentity())
    return std::nullopt;
  chain.source = input->get();
  std::reverse(chain.links.begin(), chain.links.end());
  return chain;
}

/// Extends the chain of `op` by the ones before it that have no other reader.
static std::optional<Chain> matchChain(linalg::GenericOp op) {
  std::optional<Chain> chain = matchLinks(op);
  while (chain && chain->source.hasOneUse()) {
    auto before = matchLinks(chain->source.getDefiningOp<linalg::GenericOp>());
    if (!before)
      break;
    chain->source = before->source;
    chain->links.insert(chain->links.begin(), before->links.begin(),
                        before->links.end());
  }
  return chain;
}

static bool isScale(const Link &link) {
  return isa<arith::MulFOp, arith::DivFOp>(link.op);
}

/// A map from the loops of a chain to those that its scales depend on.
static AffineMap mapOfScale(const Chain &chain, MLIRContext *context) {
  auto type = cast<RankedTensorType>(chain.result.getType());
  SmallVector<unsigned> dims;
  for (unsigned d = 0; d < type.getRank(); ++d)
    if (llvm::any_of(chain.links, [&](const Link &link) {
          return isScale(link) && link.constant.map &&
                 link.constant.map.isFunctionOfDim(d);
        }))
      dims.push_back(d);
  return AffineMap::getMultiDimMapWithTargets(type.getRank(), dims, context);
}

/// A map from the loops of a sum to the elements that its result reads at
/// `map`.
static AffineMap fromLoops(linalg::LinalgOp sum, AffineMap map) {
  return map.compose(sum.getMatchingIndexingMap(sum.getDpsInitOperand(0)));
}

/// The input of the sum of products `value` that can be multiplied by a
/// constant with this map instead of the sum: a constant itself, with all of
/// the map's dimensions.
static OpOperand *scalableFactor(Value value, AffineMap map) {
  auto sum = value.getDefiningOp<linalg::LinalgOp>();
  if (!sum || !value.hasOneUse() || !matchFloatProduct(sum))
    return nullptr;
  auto fill = sum.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  if (!fill || !matchPattern(fill.getInputs()[0], m_AnyZeroFloat()))
    return nullptr;
  AffineMap scaled = fromLoops(sum, map);
  for (OpOperand *factor : sum.getDpsInputOperands()) {
    AffineMap read = sum.getMatchingIndexingMap(factor);
    auto type = cast<RankedTensorType>(factor->get().getType());
    bool hasAll = llvm::all_of(scaled.getResults(), [&](AffineExpr expr) {
      return llvm::is_contained(read.getResults(), expr);
    });
    if (hasAll && read.isProjectedPermutation() &&
        type.getElementType().isF32() && isConstantTensor(factor->get()))
      return factor;
  }
  return nullptr;
}

namespace {
class FoldedScales final : public Relaxation {
public:
  FoldedScales()
      : Relaxation("folded-scales",
                   "constant scales and offsets of a tensor are combined, and "
                   "the scale is multiplied into constant factors") {}

  unsigned apply(IRRewriter &rewriter, func::FuncOp function,
                 const RelaxationUse &) const override {
    SmallVector<linalg::GenericOp> last;
    function.walk([&](linalg::GenericOp op) {
      if (!matchLinks(op))
        return;
      // The reader has the longer chain.
      Value result = op->getResult(0);
      auto reader = result.hasOneUse()
                        ? dyn_cast<linalg::GenericOp>(*result.user_begin())
                        : linalg::GenericOp();
      std::optional<Chain> longer = matchLinks(reader);
      if (!longer || longer->source != result)
        last.push_back(op);
    });
    unsigned rewritten = 0;
    for (linalg::GenericOp op : last)
      if (std::optional<Chain> chain = matchChain(op))
        rewritten += fold(rewriter, op, *chain);
    return rewritten;
  }

private:
  /// x scale + offset; either may be missing.
  struct Sum {
    Constant scale, offset;
  };

  static Sum combine(const ConstantFolder &folder, ArrayRef<Link> links) {
    Sum sum;
    for (const Link &link : links) {
      const Constant &c = link.constant;
      if (isa<arith::AddFOp>(link.op)) {
        sum.offset =
            sum.offset ? folder.combine<arith::AddFOp>(sum.offset, c) : c;
        continue;
      }
      if (isa<arith::SubFOp>(link.op) && !link.constantFirst) {
        sum.offset = folder.combine<arith::SubFOp>(
            sum.offset ? sum.offset : folder.scalar(0), c);
        continue;
      }
      Constant scale = sum.scale ? sum.scale : folder.scalar(1);
      if (isa<arith::SubFOp>(link.op)) {
        sum.scale = folder.combine<arith::MulFOp>(scale, folder.scalar(-1));
        sum.offset =
            sum.offset ? folder.combine<arith::SubFOp>(c, sum.offset) : c;
      } else if (isa<arith::MulFOp>(link.op)) {
        sum.scale = sum.scale ? folder.combine<arith::MulFOp>(scale, c) : c;
        if (sum.offset)
          sum.offset = folder.combine<arith::MulFOp>(sum.offset, c);
      } else {
        sum.scale = folder.combine<arith::DivFOp>(scale, c);
        if (sum.offset)
          sum.offset = folder.combine<arith::DivFOp>(sum.offset, c);
      }
    }
    return sum;
  }

  static bool fold(IRRewriter &rewriter, linalg::GenericOp op,
                   const Chain &chain) {
    auto type = cast<RankedTensorType>(chain.result.getType());
    OpOperand *factor = nullptr;
    if (llvm::any_of(chain.links, isScale))
      factor = scalableFactor(chain.source,
                              mapOfScale(chain, rewriter.getContext()));
    const bool anyTensor = llvm::any_of(
        chain.links, [](const Link &link) { return bool(link.constant.map); });
    // A scale alone, or with one offset after it, is folded only into factors.
    const bool isFolded = chain.links.size() == 1 ||
                          (chain.links.size() == 2 && isScale(chain.links[0]) &&
                           !isScale(chain.links[1]));
    if (!anyTensor || (isFolded && !factor))
      return false;
    rewriter.setInsertionPoint(op);
    ConstantFolder folder(rewriter, op.getLoc(), type.getShape());
    Sum sum = combine(folder, chain.links);
    Value source = chain.source;
    if (factor) {
      source = scaleFactor(rewriter, *factor, sum.scale);
      sum.scale = {};
    }
    rewriter.replaceOp(op, emit(rewriter, op, source, sum));
    return true;
  }

  /// The sum with this factor multiplied by `scale`. Constants may be computed
  /// after the original sum, which keeps its place until it is erased.
  static Value scaleFactor(IRRewriter &rewriter, OpOperand &factor,
                           Constant scale) {
    auto sum = cast<linalg::LinalgOp>(factor.getOwner());
    auto type = cast<RankedTensorType>(factor.get().getType());
    ArrayRef<AffineExpr> read =
        sum.getMatchingIndexingMap(&factor).getResults();
    ConstantFolder folder(rewriter, sum.getLoc(), type.getShape());
    Constant whole{factor.get(),
                   rewriter.getMultiDimIdentityMap(type.getRank())};
    if (scale.map) {
      SmallVector<unsigned> positions;
      for (AffineExpr expr : fromLoops(sum, scale.map).getResults())
        positions.push_back(llvm::find(read, expr) - read.begin());
      scale.map = AffineMap::getMultiDimMapWithTargets(
          type.getRank(), positions, rewriter.getContext());
    }
    Value product = folder.combine<arith::MulFOp>(whole, scale).value;
    Operation *copy = rewriter.clone(*sum);
    copy->setOperand(factor.getOperandNumber(), product);
    return copy->getResult(0);
  }

  /// `source` scale + offset.
  static Value emit(IRRewriter &rewriter, linalg::GenericOp like, Value source,
                    const Sum &sum) {
    if (!sum.scale && !sum.offset)
      return source;
    auto type = cast<RankedTensorType>(like->getResult(0).getType());
    AffineMap identity = rewriter.getMultiDimIdentityMap(type.getRank());
    SmallVector<Value> inputs{source};
    SmallVector<AffineMap> maps{identity};
    for (const Constant &of : {sum.scale, sum.offset})
      if (of && of.map) {
        inputs.push_back(of.value);
        maps.push_back(of.map);
      }
    return mapElements(
        rewriter, like.getLoc(), type, inputs, maps,
        [&](OpBuilder &body, Location loc, ValueRange elements) {
          unsigned next = 1;
          auto read = [&](const Constant &of) {
            return of.map ? elements[next++] : of.value;
          };
          Value value = elements[0];
          if (sum.scale)
            value = arith::MulFOp::create(body, loc, value, read(sum.scale));
          if (sum.offset)
            value = arith::AddFOp::create(body, loc, value, read(sum.offset));
          return value;
        });
  }
};
} // namespace

const Relaxation &pruner::foldedScales() {
  static const FoldedScales relaxation;
  return relaxation;
}
