//===- RecognizeProducts.cpp - convolutions that are matrix products ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IsTask.h"

#include "pruner/Conversion/Normalize/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace pruner {
#define GEN_PASS_DEF_RECOGNIZEPRODUCTSPASS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

static bool isProduct(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  return generic && generic.hasPureTensorSemantics() &&
         !generic.hasDynamicShape() && generic.getNumDpsInputs() == 2 &&
         generic.getNumDpsInits() == 1 &&
         linalg::isaContractionOpInterface(generic);
}

/// The position of loop `dim` among the coordinates of `map`, which is a
/// projected permutation.
static std::optional<unsigned> positionOf(AffineMap map, unsigned dim) {
  return map.getResultPosition(getAffineDimExpr(dim, map.getContext()));
}

/// True if every operand has the loops `dim` and `dim` + 1 next to each other,
/// or has neither.
static bool runTogether(linalg::LinalgOp op, unsigned dim) {
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  if (iterators[dim] != iterators[dim + 1])
    return false;
  return llvm::all_of(op.getIndexingMapsArray(), [&](AffineMap map) {
    std::optional<unsigned> first = positionOf(map, dim),
                            second = positionOf(map, dim + 1);
    return first.has_value() == second.has_value() &&
           (!first || *second == *first + 1);
  });
}

/// True if the coordinates `position` and `position` + 1 of `value` can be
/// merged in all elementwise readers. They must be collapsed as well, so that
/// they can still be fused.
static bool readersAllow(Value value, unsigned position) {
  for (OpOperand &use : value.getUses()) {
    auto reader = dyn_cast<linalg::GenericOp>(use.getOwner());
    if (!reader || reader.getNumParallelLoops() != reader.getNumLoops())
      continue;
    AffineMap map = reader.getMatchingIndexingMap(&use);
    if (!map.isPermutation())
      continue;
    unsigned first = map.getDimPosition(position),
             second = map.getDimPosition(position + 1);
    ReassociationIndices group{first, second};
    if (!linalg::areDimSequencesPreserved(reader.getIndexingMapsArray(), group))
      return false;
    AffineMap out = reader.getMatchingIndexingMap(reader.getDpsInitOperand(0));
    if (reader->getNumResults() != 1 || !out.isPermutation() ||
        !readersAllow(reader->getResult(0), *positionOf(out, first)))
      return false;
  }
  return true;
}

/// Groups of consecutive loops; most consist of one loop.
static SmallVector<ReassociationIndices> findGroups(linalg::LinalgOp op) {
  AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<ReassociationIndices> groups{{0}};
  for (unsigned dim = 0; dim + 1 < op.getNumLoops(); ++dim) {
    bool together = runTogether(op, dim);
    if (std::optional<unsigned> position = positionOf(out, dim);
        together && position)
      together = readersAllow(op->getResult(0), *position);
    if (together)
      groups.back().push_back(dim + 1);
    else
      groups.push_back({dim + 1});
  }
  return groups;
}

/// True for the maps of linalg.matmul: rows of `a` times columns of `b`.
static bool areMatmulMaps(AffineMap a, AffineMap b, AffineMap out) {
  MLIRContext *context = a.getContext();
  auto map = [&](unsigned x, unsigned y) {
    return AffineMap::get(
        3, 0, {getAffineDimExpr(x, context), getAffineDimExpr(y, context)},
        context);
  };
  return a == map(0, 2) && b == map(2, 1) && out == map(0, 1);
}

/// True if upstream can create the body of a product of these types, each cast
/// to the type of the result. It crashes on others.
static bool hasNamedBody(linalg::GenericOp op) {
  Type result = getElementTypeOrSelf(op.getDpsInits()[0].getType());
  return llvm::all_of(op.getDpsInputs(), [&](Value input) {
    Type type = getElementTypeOrSelf(input.getType());
    if (type == result)
      return isa<FloatType, IntegerType>(type);
    if (isa<FloatType>(type)
            ? !isa<FloatType>(result)
            : !isa<IntegerType>(type) || !isa<IntegerType>(result))
      return false;
    return type.getIntOrFloatBitWidth() < result.getIntOrFloatBitWidth();
  });
}

/// True if both values are computed from block arguments that `arguments` pairs
/// by the same operations with the same attributes and flags.
static bool
isComputedAlike(Value a, Value b,
                const llvm::SmallDenseMap<Value, Value> &arguments) {
  if (isa<BlockArgument>(a) || isa<BlockArgument>(b))
    return arguments.lookup(a) == b;
  Operation *left = a.getDefiningOp(), *right = b.getDefiningOp();
  if (left->getName() != right->getName() || a.getType() != b.getType() ||
      left->getNumOperands() != right->getNumOperands() ||
      left->getNumResults() != 1 || left->getNumRegions() != 0 ||
      left->getAttrDictionary() != right->getAttrDictionary())
    return false;
  auto alike = [&](unsigned n, unsigned m) {
    return isComputedAlike(left->getOperand(n), right->getOperand(m),
                           arguments);
  };
  bool same = true;
  for (unsigned n = 0; same && n < left->getNumOperands(); ++n)
    same = alike(n, n);
  return same || (left->hasTrait<OpTrait::IsCommutative>() &&
                  left->getNumOperands() == 2 && alike(0, 1) && alike(1, 0));
}

/// True if `named` has the same body as `generic`. Its inputs are those of
/// `generic`, in reverse order if `swapped`.
static bool hasSameBody(linalg::GenericOp generic, linalg::LinalgOp named,
                        bool swapped) {
  Block &a = *generic.getBlock(), &b = *named.getBlock();
  if (a.getOperations().size() != b.getOperations().size())
    return false;
  llvm::SmallDenseMap<Value, Value> arguments;
  for (unsigned n : {0u, 1u})
    arguments[a.getArgument(n)] = b.getArgument(swapped ? 1 - n : n);
  arguments[a.getArgument(2)] = b.getArgument(2);
  return isComputedAlike(a.getTerminator()->getOperand(0),
                         b.getTerminator()->getOperand(0), arguments);
}

namespace {
struct RecognizeProducts
    : pruner::impl::RecognizeProductsPassBase<RecognizeProducts> {
  linalg::GenericOp collapse(RewriterBase &rewriter, linalg::GenericOp op) {
    SmallVector<ReassociationIndices> groups = findGroups(op);
    if (groups.size() == op.getNumLoops())
      return op;
    llvm::erase_if(groups, [](const ReassociationIndices &group) {
      return group.size() == 1;
    });
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::CollapseResult> result =
        linalg::collapseOpIterationDims(op, groups, rewriter);
    if (failed(result))
      return op;
    rewriter.replaceOp(op, result->results);
    ++numCollapsed;
    return cast<linalg::GenericOp>(result->collapsedOp.getOperation());
  }

  void name(RewriterBase &rewriter, linalg::GenericOp op) {
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    Value a = op.getInputs()[0], b = op.getInputs()[1];
    if (maps[0].getNumDims() != 3 || !hasNamedBody(op))
      return;
    bool swapped = areMatmulMaps(maps[1], maps[0], maps[2]);
    if (swapped)
      std::swap(a, b);
    else if (!areMatmulMaps(maps[0], maps[1], maps[2]))
      return;
    rewriter.setInsertionPoint(op);
    auto product =
        linalg::MatmulOp::create(rewriter, op.getLoc(), op.getResultTypes(),
                                 ValueRange{a, b}, op.getOutputs());
    // The named op creates its own body, which may differ.
    if (!hasSameBody(op, product, swapped)) {
      rewriter.eraseOp(product);
      return;
    }
    rewriter.replaceOp(op, product);
    ++numNamed;
  }

  void runOnOperation() override {
    if (pruner::isTask(getOperation()))
      return;
    SmallVector<linalg::GenericOp> products;
    getOperation().walk([&](linalg::GenericOp op) {
      if (isProduct(op))
        products.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::GenericOp op : products)
      name(rewriter, collapse(rewriter, op));
  }
};
} // namespace
