//===- InlineDequantization.cpp - dequantize factors in registers ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Dequantized.h"
#include "IsTask.h"

#include "pruner/Conversion/Normalize/Passes.h"
#include "pruner/Dialect/Pruner/Utils/AsGeneric.h"
#include "pruner/Recognition/AnchorKind.h"
#include "pruner/Recognition/ScalarOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace pruner {
#define GEN_PASS_DEF_INLINEDEQUANTIZATIONPASS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

static unsigned widthOf(Value value) {
  Type element = getElementTypeOrSelf(value);
  return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
}

static bool isInteger(Value value) {
  return isa<IntegerType>(getElementTypeOrSelf(value));
}

/// True for the arithmetic of quantization schemes: casts, offsets, scales, and
/// the bit operations that unpack numbers.
static bool isSimple(Operation &op) {
  return isa<CastOpInterface, arith::ConstantOp, arith::AddFOp, arith::SubFOp,
             arith::MulFOp, arith::AddIOp, arith::SubIOp, arith::MulIOp,
             arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::ShLIOp,
             arith::ShRSIOp, arith::ShRUIOp, linalg::YieldOp>(op);
}

/// The op that computes `value` from elements of other tensors by simple
/// arithmetic, or null.
static linalg::GenericOp simpleGenericOf(Value value) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  if (!op || !op.hasPureTensorSemantics() || op.hasDynamicShape() ||
      op->getNumResults() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() ||
      !pruner::outputMapOf(op).isPermutation() ||
      op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) ||
      !llvm::all_of(*op.getBlock(), isSimple))
    return {};
  return op;
}

/// The input of `op` with the most elements. Null if there are several, or if
/// an input is read in another way than element by element or broadcast.
static OpOperand *largestInput(linalg::GenericOp op) {
  OpOperand *found = nullptr;
  int64_t most = 0;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (!map.isProjectedPermutation(/*allowZeroInResults=*/true))
      return nullptr;
    int64_t elements =
        cast<ShapedType>(input->get().getType()).getNumElements();
    if (elements == most)
      found = nullptr;
    if (elements <= most)
      continue;
    found = input;
    most = elements;
  }
  return found;
}

/// The bits of a tensor, or the largest number if there are more.
static uint64_t bitsOf(Value value) {
  return llvm::SaturatingMultiply<uint64_t>(
      cast<ShapedType>(value.getType()).getNumElements(), widthOf(value));
}

static Value behindReshapes(Value value) {
  while (true) {
    if (auto expand = value.getDefiningOp<tensor::ExpandShapeOp>())
      value = expand.getSrc();
    else if (auto collapse = value.getDefiningOp<tensor::CollapseShapeOp>())
      value = collapse.getSrc();
    else
      return value;
  }
}

/// True if `value` is computed from a tensor of integers of less than `bits`
/// bits in total. Other inputs, such as scales, have fewer elements.
static bool isWidened(Value value, uint64_t bits) {
  linalg::GenericOp op = simpleGenericOf(value);
  OpOperand *source = op ? largestInput(op) : nullptr;
  return source &&
         ((isInteger(source->get()) && bitsOf(source->get()) < bits) ||
          isWidened(behindReshapes(source->get()), bits));
}

static bool isWidened(Value value) { return isWidened(value, bitsOf(value)); }

/// True for a tensor of floats that is computed from integers that take less
/// memory.
static bool isDequantized(Value value) {
  return !isInteger(value) && isWidened(value);
}

/// True for a sum of products of two tensors.
static bool isProduct(Operation *op) {
  auto product = dyn_cast<linalg::LinalgOp>(op);
  return product && product.hasPureTensorSemantics() &&
         !product.hasDynamicShape() && product->getNumResults() == 1 &&
         product.getNumReductionLoops() > 0 && product.getNumDpsInputs() == 2 &&
         pruner::describeAnchor(product).family ==
             pruner::AnchorKind::Contraction &&
         llvm::all_of(product.getIndexingMapsArray(), [](AffineMap map) {
           return map.isProjectedPermutation();
         });
}

bool pruner::multipliesDequantized(linalg::LinalgOp op) {
  return isProduct(op) && llvm::any_of(op.getDpsInputs(), [](Value input) {
           return isDequantized(behindReshapes(input));
         });
}

/// True for the reshape between a dequantized tensor and a product, and for
/// those between the steps of a dequantization. If groups of terms have their
/// own scales, the reshape merges the groups with the terms, so none of the
/// steps can do without it.
static bool separates(OpOperand *operand) {
  Operation *reader = operand->getOwner();
  if (auto collapse = operand->get().getDefiningOp<tensor::CollapseShapeOp>()) {
    if (isProduct(reader))
      return isDequantized(collapse.getSrc());
    linalg::GenericOp step = reader->getNumResults() == 1
                                 ? simpleGenericOf(reader->getResult(0))
                                 : linalg::GenericOp();
    return step && largestInput(step) == operand &&
           isWidened(collapse.getSrc());
  }
  if (!isa<tensor::ExpandShapeOp>(reader) || !simpleGenericOf(operand->get()))
    return false;
  while (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(reader)) {
    if (!reader->hasOneUse())
      return false;
    reader = *reader->user_begin();
  }
  if (isProduct(reader))
    return isDequantized(operand->get());
  return reader->getNumResults() == 1 &&
         simpleGenericOf(reader->getResult(0)) &&
         isWidened(reader->getResult(0));
}

/// How often `product` reads each element of `input`.
static int64_t reuseOf(linalg::LinalgOp product, OpOperand *input) {
  return pruner::numPoints(product) /
         cast<ShapedType>(input->get().getType()).getNumElements();
}

/// Fuses the producer of `operand`, or a copy of it if it has other readers.
/// Returns the op that replaces `op`, or null if nothing was fused.
static linalg::GenericOp fuse(IRRewriter &rewriter, linalg::GenericOp op,
                              OpOperand *operand) {
  Operation *producer = operand->get().getDefiningOp();
  rewriter.setInsertionPoint(op);
  if (!producer->hasOneUse()) {
    producer = rewriter.clone(*producer);
    rewriter.modifyOpInPlace(op, [&] { operand->set(producer->getResult(0)); });
  }
  FailureOr<linalg::ElementwiseOpFusionResult> fused =
      linalg::fuseElementwiseOps(rewriter, operand);
  if (failed(fused))
    return {};
  rewriter.replaceOp(op, fused->replacements.lookup(op->getResult(0)));
  rewriter.eraseOp(producer);
  return cast<linalg::GenericOp>(fused->fusedOp);
}

/// The next input that the body of a product should compute: a dequantized
/// tensor that is not in `kept`, one of the steps before it, a scale or zero
/// point that is converted from a narrower type, or a transposed copy of one of
/// these.
static OpOperand *nextInput(linalg::GenericOp op,
                            const llvm::SmallDenseSet<Value> &kept) {
  for (OpOperand *input : op.getDpsInputOperands()) {
    linalg::GenericOp producer = simpleGenericOf(input->get());
    OpOperand *source = producer ? largestInput(producer) : nullptr;
    if (!source || kept.contains(input->get()) ||
        !linalg::areElementwiseOpsFusable(input))
      continue;
    if (bitsOf(source->get()) < bitsOf(input->get()) ||
        isWidened(input->get()) || pruner::isPureCopy(producer))
      return input;
  }
  return nullptr;
}

/// Extents whose products are the `outer` ones and also the `inner` ones, which
/// have the same product. Empty if there are none.
static SmallVector<int64_t> commonExtents(ArrayRef<int64_t> outer,
                                          ArrayRef<int64_t> inner) {
  SmallVector<int64_t> borders;
  for (ArrayRef<int64_t> extents : {outer, inner}) {
    int64_t product = 1;
    for (int64_t extent : llvm::reverse(extents))
      borders.push_back(product *= extent);
  }
  llvm::sort(borders);
  borders.erase(llvm::unique(borders), borders.end());
  SmallVector<int64_t> common;
  int64_t done = 1;
  for (int64_t border : borders) {
    if (border % done != 0)
      return {};
    common.push_back(border / done);
    done = border;
  }
  std::reverse(common.begin(), common.end());
  return common;
}

/// Adds the groups of the dimensions of `parts` whose products are `whole`. The
/// first dimension has number `first`.
static void addGroups(ArrayRef<int64_t> whole, ArrayRef<int64_t> parts,
                      int64_t first, SmallVector<ReassociationIndices> &out) {
  ReassociationIndices group;
  const int64_t *next = whole.begin();
  int64_t product = 1;
  for (int64_t part : parts) {
    group.push_back(first++);
    product *= part;
    if (product != *next)
      continue;
    out.push_back(std::exchange(group, {}));
    product = 1;
    ++next;
  }
}

namespace {
/// A byte of two numbers has a coordinate for its half, which a reshape merges
/// with the coordinate of the byte before another one splits off the groups.
/// Splits first, so that the op that unpacks the bytes can have the groups.
struct SplitBeforeMerge : OpRewritePattern<tensor::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExpandShapeOp expand,
                                PatternRewriter &rewriter) const override {
    auto collapse = expand.getSrc().getDefiningOp<tensor::CollapseShapeOp>();
    if (!collapse || !expand.getResultType().hasStaticShape() ||
        !isWidened(collapse.getSrc()))
      return failure();
    ArrayRef<int64_t> from = collapse.getSrcType().getShape(),
                      to = expand.getResultType().getShape();
    SmallVector<int64_t> shape;
    SmallVector<ReassociationIndices> split, merged;
    for (auto [sources, results] :
         llvm::zip_equal(collapse.getReassociationIndices(),
                         expand.getReassociationIndices())) {
      ArrayRef<int64_t> a = from.slice(sources.front(), sources.size()),
                        b = to.slice(results.front(), results.size());
      SmallVector<int64_t> common = commonExtents(a, b);
      // Extents of one belong to no group in particular.
      if (common.empty() || llvm::is_contained(a, 1) ||
          llvm::is_contained(b, 1))
        return failure();
      addGroups(a, common, shape.size(), split);
      addGroups(b, common, shape.size(), merged);
      llvm::append_range(shape, common);
    }
    if (shape.size() == from.size())
      return failure();
    auto type = expand.getResultType().clone(shape);
    Value parts = tensor::ExpandShapeOp::create(rewriter, expand.getLoc(), type,
                                                collapse.getSrc(), split);
    if (shape.size() == to.size())
      rewriter.replaceOp(expand, parts);
    else
      rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(
          expand, expand.getResultType(), parts, merged);
    return success();
  }
};

struct InlineDequantization
    : pruner::impl::InlineDequantizationPassBase<InlineDequantization> {
  using InlineDequantizationPassBase::InlineDequantizationPassBase;

  /// Gives products the loops of the dequantized tensors that they read.
  LogicalResult expandProducts() {
    RewritePatternSet patterns(&getContext());
    linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, separates);
    tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns,
                                                         &getContext());
    tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, &getContext());
    tensor::populateFoldTensorEmptyPatterns(patterns);
    patterns.add<SplitBeforeMerge>(&getContext());
    return applyPatternsGreedily(getOperation(), std::move(patterns));
  }

  /// Arithmetic in f16 and bf16 takes several instructions for each operation,
  /// and matrix instructions multiply factors in memory. A register tile has
  /// about eight rows, so more of them would repeat the arithmetic.
  int64_t limitOf(Value factor) const {
    constexpr int64_t kNarrow = 8;
    return widthOf(factor) < 32 ? std::min<int64_t>(maxReuse, kNarrow)
                                : maxReuse;
  }

  void inlineInto(IRRewriter &rewriter, linalg::LinalgOp product) {
    llvm::SmallDenseSet<Value> kept;
    bool any = false;
    for (OpOperand *input : product.getDpsInputOperands()) {
      bool inlined = isDequantized(input->get()) &&
                     reuseOf(product, input) <= limitOf(input->get());
      any |= inlined;
      if (!inlined)
        kept.insert(input->get());
    }
    if (!any)
      return;
    FailureOr<linalg::GenericOp> generic = pruner::asGeneric(rewriter, product);
    if (failed(generic))
      return;
    linalg::GenericOp op = *generic;
    while (OpOperand *input = op ? nextInput(op, kept) : nullptr) {
      op = fuse(rewriter, op, input);
      numInlined += bool(op);
    }
  }

  void runOnOperation() override {
    if (pruner::isTask(getOperation()))
      return;
    if (failed(expandProducts()))
      return signalPassFailure();
    SmallVector<linalg::LinalgOp> products;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (isProduct(op))
        products.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp product : products)
      inlineInto(rewriter, product);
  }
};
} // namespace
