//===- MoveChannelsLast.cpp - make channels the last dimension ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ContiguousChannels.h"
#include "DimensionClasses.h"
#include "InstructionProfit.h"
#include "IsTask.h"
#include "ReadTargets.h"

#include "pruner/Conversion/Normalize/Passes.h"
#include "pruner/Dialect/Pruner/Utils/AsGeneric.h"
#include "pruner/Recognition/Operands.h"
#include "pruner/Recognition/TaskFromIR.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace pruner {
#define GEN_PASS_DEF_MOVECHANNELSLASTPASS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

using namespace pruner;

/// New dimension i is the former dimension order[i].
using Order = SmallVector<int64_t, 4>;

static Order moveLast(int64_t dim, int64_t rank) {
  Order order;
  for (int64_t other = 0; other < rank; ++other)
    if (other != dim)
      order.push_back(other);
  order.push_back(dim);
  return order;
}

static RankedTensorType reorder(Type type, ArrayRef<int64_t> order) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor.clone(applyPermutation(tensor.getShape(), order));
}

/// The groups of a reshape whose large side is reordered so that `moved`, a
/// group of one dimension, is last.
static SmallVector<ReassociationIndices>
moveGroupLast(ArrayRef<ReassociationIndices> groups, unsigned moved) {
  SmallVector<ReassociationIndices> result;
  int64_t next = 0;
  for (int64_t small : moveLast(moved, groups.size())) {
    ReassociationIndices &group = result.emplace_back();
    for (size_t n = 0; n < groups[small].size(); ++n)
      group.push_back(next++);
  }
  return result;
}

namespace {
/// Reorders the tensors of a function, one operation after the other.
class Reordering {
public:
  /// `wanted`: the classes of dimensions that become the last ones.
  Reordering(IRRewriter &rewriter, const DimensionClasses &classes,
             const llvm::DenseSet<unsigned> &wanted)
      : rewriter(rewriter), classes(classes), wanted(wanted) {}

  /// Rewrites `op`, whose operands may have been reordered.
  void visit(Operation *op) {
    // Another form of the op has new initial values.
    if (isa<linalg::FillOp, tensor::EmptyOp>(op))
      return;
    rewriter.setInsertionPoint(op);
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
        linalgOp && linalgOp.hasPureTensorSemantics())
      return visitLinalg(linalgOp);
    bool moved =
        llvm::TypeSwitch<Operation *, bool>(op)
            .Case<tensor::PadOp, tensor::ExtractSliceOp, tensor::InsertSliceOp,
                  tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
                [&](auto view) { return visitView(view); })
            .Default(false);
    if (!moved)
      restoreOperands(op);
  }

  unsigned numMoved() const { return orders.size(); }
  /// Bytes that the copies between both orders write, except of constants.
  int64_t copiedBytes() const { return copied; }

private:
  /// The order in which `value` should be; none if it need not change.
  std::optional<Order> wantedOrder(Value value) const {
    if (!classes.contains(value))
      return std::nullopt;
    auto type = cast<RankedTensorType>(value.getType());
    std::optional<int64_t> last;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      if (!wanted.contains(classes.classOf(value, dim)))
        continue;
      if (last)
        return std::nullopt;
      last = dim;
    }
    if (!last || *last + 1 == type.getRank())
      return std::nullopt;
    return moveLast(*last, type.getRank());
  }

  Value transpose(Value value, ArrayRef<int64_t> order) {
    if (!isConstantTensor(value))
      copied += bytesOf(value.getType());
    Value empty = tensor::EmptyOp::create(
        rewriter, value.getLoc(), reorder(value.getType(), order).getShape(),
        getElementTypeOrSelf(value.getType()));
    return linalg::TransposeOp::create(rewriter, value.getLoc(), value, empty,
                                       order)
        ->getResult(0);
  }

  /// A reordered value in its former order, for readers that need it.
  Value restored(Value value) {
    Value &copy = copies[value];
    if (!copy) {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointAfterValue(value);
      copy = transpose(value, invertPermutationVector(orders[value]));
    }
    return copy;
  }

  void restoreOperands(Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      if (orders.contains(operand.get()))
        operand.set(restored(operand.get()));
  }

  /// `value` in this order.
  Value inOrder(Value value, ArrayRef<int64_t> order) {
    if (std::optional<Order> own = orderOf(value))
      return *own == Order(order) ? value : transpose(restored(value), order);
    if (auto empty = value.getDefiningOp<tensor::EmptyOp>())
      return tensor::EmptyOp::create(
          rewriter, value.getLoc(),
          applyPermutation(ArrayRef(empty.getMixedSizes()), order),
          empty.getType().getElementType());
    if (auto fill = value.getDefiningOp<linalg::FillOp>())
      return linalg::FillOp::create(rewriter, value.getLoc(), fill.value(),
                                    inOrder(fill.output(), order))
          .getResult(0);
    return transpose(value, order);
  }

  void visitLinalg(linalg::LinalgOp op) {
    SmallVector<std::optional<Order>> results;
    for (OpResult result : op->getResults())
      results.push_back(wantedOrder(result));
    if (llvm::none_of(results, [](auto &order) { return order.has_value(); }) &&
        llvm::none_of(op->getOperands(),
                      [&](Value value) { return orders.contains(value); }))
      return;
    FailureOr<linalg::GenericOp> generic = asGeneric(rewriter, op);
    if (failed(generic))
      return restoreOperands(op);
    op = *generic;
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    auto reorderMap = [&](OpOperand &operand, ArrayRef<int64_t> order) {
      AffineMap &map = maps[operand.getOperandNumber()];
      map = AffineMap::get(map.getNumDims(), 0,
                           applyPermutation(map.getResults(), order),
                           map.getContext());
    };
    for (OpOperand *operand : op.getDpsInputOperands())
      if (std::optional<Order> order = orderOf(operand->get()))
        reorderMap(*operand, *order);
    for (auto [n, order] : llvm::enumerate(results)) {
      OpOperand &init = *op.getDpsInitOperand(n);
      if (!order) {
        if (orders.contains(init.get()))
          init.set(restored(init.get()));
        continue;
      }
      init.set(inOrder(init.get(), *order));
      reorderMap(init, *order);
      OpResult result = op->getResult(n);
      result.setType(cast<RankedTensorType>(init.get().getType()));
      orders[result] = *order;
    }
    op->setAttr("indexing_maps", rewriter.getAffineMapArrayAttr(maps));
    interchange(*generic);
  }

  /// Puts the parallel loops into the order of the first result's coordinates.
  void interchange(linalg::GenericOp op) {
    SmallVector<unsigned> order;
    AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    for (AffineExpr expr : map.getResults())
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        order.push_back(dim.getPosition());
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
      if (!llvm::is_contained(order, loop))
        order.push_back(loop);
    if (llvm::is_sorted(order))
      return;
    FailureOr<linalg::GenericOp> other =
        linalg::interchangeGenericOp(rewriter, op, order);
    assert(succeeded(other) && "every loop occurs once");
    (void)other;
  }

  /// Replaces a view by `moved`, which has the same elements in `order`.
  bool replace(Operation *view, Value moved, ArrayRef<int64_t> order) {
    // Readers are rewritten later.
    view->getResult(0).replaceAllUsesWith(moved);
    orders[moved] = Order(order);
    rewriter.eraseOp(view);
    return true;
  }

  bool visitView(tensor::PadOp op) {
    auto order = orderOf(op.getSource());
    Value padding = op.getConstantPaddingValue();
    if (!order || !padding || wantedOrder(op.getResult()) != order)
      return false;
    auto moved = tensor::PadOp::create(
        rewriter, op.getLoc(), reorder(op.getType(), *order), op.getSource(),
        applyPermutation(ArrayRef(op.getMixedLowPad()), *order),
        applyPermutation(ArrayRef(op.getMixedHighPad()), *order), padding,
        op.getNofold());
    return replace(op, moved, *order);
  }

  bool visitView(tensor::ExtractSliceOp op) {
    auto order = orderOf(op.getSource());
    if (!order || wantedOrder(op.getResult()) != order)
      return false;
    auto moved = tensor::ExtractSliceOp::create(
        rewriter, op.getLoc(), reorder(op.getType(), *order), op.getSource(),
        applyPermutation(ArrayRef(op.getMixedOffsets()), *order),
        applyPermutation(ArrayRef(op.getMixedSizes()), *order),
        applyPermutation(ArrayRef(op.getMixedStrides()), *order));
    return replace(op, moved, *order);
  }

  bool visitView(tensor::InsertSliceOp op) {
    auto order = wantedOrder(op.getResult());
    if (!order || op.getSourceType().getRank() != op.getType().getRank())
      return false;
    auto moved = tensor::InsertSliceOp::create(
        rewriter, op.getLoc(), inOrder(op.getSource(), *order),
        inOrder(op.getDest(), *order),
        applyPermutation(ArrayRef(op.getMixedOffsets()), *order),
        applyPermutation(ArrayRef(op.getMixedSizes()), *order),
        applyPermutation(ArrayRef(op.getMixedStrides()), *order));
    return replace(op, moved, *order);
  }

  bool visitView(tensor::CollapseShapeOp op) {
    auto order = orderOf(op.getSrc());
    SmallVector<ReassociationIndices> groups = op.getReassociationIndices();
    const auto *moved =
        order ? llvm::find(groups, ReassociationIndices{order->back()})
              : groups.end();
    if (moved == groups.end())
      return false;
    unsigned small = moved - groups.begin();
    Order result = moveLast(small, groups.size());
    if (wantedOrder(op.getResult()).value_or(identity(groups.size())) != result)
      return false;
    auto other = tensor::CollapseShapeOp::create(
        rewriter, op.getLoc(), reorder(op.getType(), result), op.getSrc(),
        moveGroupLast(groups, small));
    return replace(op, other, result);
  }

  bool visitView(tensor::ExpandShapeOp op) {
    auto order = orderOf(op.getSrc());
    SmallVector<ReassociationIndices> groups = op.getReassociationIndices();
    if (!order || groups[order->back()].size() != 1)
      return false;
    unsigned small = order->back();
    Order result = moveLast(groups[small].front(), op.getType().getRank());
    if (wantedOrder(op.getResult()).value_or(identity(result.size())) !=
            result ||
        !op.getType().hasStaticShape())
      return false;
    auto other = tensor::ExpandShapeOp::create(
        rewriter, op.getLoc(), reorder(op.getType(), result), op.getSrc(),
        moveGroupLast(groups, small));
    return replace(op, other, result);
  }

  static Order identity(size_t rank) {
    return llvm::to_vector<4>(llvm::seq<int64_t>(0, rank));
  }

  std::optional<Order> orderOf(Value value) const {
    auto found = orders.find(value);
    if (found == orders.end())
      return std::nullopt;
    return found->second;
  }

  IRRewriter &rewriter;
  const DimensionClasses &classes;
  const llvm::DenseSet<unsigned> &wanted;
  llvm::DenseMap<Value, Order> orders;
  /// Reordered values in their former order.
  llvm::DenseMap<Value, Value> copies;
  int64_t copied = 0;
};

struct MoveChannelsLast
    : pruner::impl::MoveChannelsLastPassBase<MoveChannelsLast> {
  using MoveChannelsLastPassBase::MoveChannelsLastPassBase;
  explicit MoveChannelsLast(std::vector<Machine> machines)
      : machines(std::move(machines)) {}

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<std::vector<Machine>> profiting =
        machines ? *machines : readTargets(module.getLoc(), *targets);
    if (failed(profiting))
      return signalPassFailure();
    for (auto function : module.getOps<func::FuncOp>())
      if (!function.isExternal() && !isTask(function))
        reorder(function, *profiting);
  }

private:
  void reorder(func::FuncOp function, ArrayRef<Machine> profiting) {
    // Copies at the ends may cost more than depthwise convolutions gain.
    OwningOpRef<func::FuncOp> copy = function.clone();
    std::optional<Moves> moves = reorder(*copy, profiting, /*depthwise=*/true);
    if (moves && !moves->areWorthwhile()) {
      copy = function.clone();
      moves = reorder(*copy, profiting, /*depthwise=*/false);
    }
    if (!moves)
      return;
    function.getBody().takeBody(copy->getBody());
    numMoved += moves->tensors;
  }

  struct Moves {
    unsigned tensors = 0;
    /// Bytes of the images and results of depthwise convolutions.
    int64_t used = 0;
    /// Bytes of tensors that are copied from one order to the other, and of
    /// images that depthwise convolutions read in the former order.
    int64_t exchanged = 0;

    /// Single depthwise convolutions of 602, 376 and 1505 KB take 12, 21 and 33
    /// us less with channels last (docs/design/decisions). A copy into another
    /// order reads and writes about 20 GB/s.
    bool areWorthwhile() const { return used >= 4 * exchanged; }
  };

  /// Moves channels of products and, if `depthwise`, those of depthwise
  /// convolutions. None if nothing would change.
  std::optional<Moves> reorder(func::FuncOp function,
                               ArrayRef<Machine> profiting, bool depthwise) {
    DimensionClasses classes(function);
    llvm::DenseSet<unsigned> wanted;
    bool moves = false;
    auto placeOf = [&](linalg::LinalgOp op, InputLoop channels) {
      OpOperand *operand = op.getDpsInputOperand(channels.input);
      return op.getMatchingIndexingMap(operand).getResultPosition(
          getAffineDimExpr(channels.loop, &getContext()));
    };
    auto isLast = [&](linalg::LinalgOp op, InputLoop channels) {
      OpOperand *operand = op.getDpsInputOperand(channels.input);
      return placeOf(op, channels) ==
             op.getMatchingIndexingMap(operand).getNumResults() - 1;
    };
    auto want = [&](linalg::LinalgOp op, std::optional<InputLoop> channels) {
      if (!channels)
        return;
      Value input = op.getDpsInputOperand(channels->input)->get();
      std::optional<unsigned> place = placeOf(op, *channels);
      if (!place || !classes.contains(input))
        return;
      wanted.insert(classes.classOf(input, *place));
      moves |= !isLast(op, *channels);
    };
    SmallVector<Operation *> ops;
    SmallVector<linalg::LinalgOp> linalgOps;
    function.walk([&](Operation *op) {
      ops.push_back(op);
      if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
        linalgOps.push_back(linalgOp);
    });
    bool anyDepthwise = false;
    for (linalg::LinalgOp op : linalgOps) {
      want(op, sharedFactor(op, profiting));
      if (!depthwise)
        continue;
      std::optional<InputLoop> channels = channelsOfDepthwise(op, profiting);
      anyDepthwise |= channels.has_value();
      want(op, channels);
    }
    // The tensors between depthwise convolutions follow.
    if (anyDepthwise)
      for (linalg::LinalgOp op : linalgOps)
        want(op, channelsOfProduct(op, profiting));
    if (!moves)
      return std::nullopt;
    IRRewriter rewriter(&getContext());
    Reordering reordering(rewriter, classes, wanted);
    for (Operation *op : ops)
      reordering.visit(op);
    Moves done{reordering.numMoved(), 0, reordering.copiedBytes()};
    function.walk([&](linalg::LinalgOp op) {
      std::optional<InputLoop> channels = channelsOfDepthwise(op, profiting);
      if (!channels)
        return;
      Value image = op.getDpsInputOperand(channels->input)->get();
      done.used +=
          bytesOf(image.getType()) + bytesOf(op->getResult(0).getType());
      if (!isLast(op, *channels))
        done.exchanged += bytesOf(image.getType());
    });
    return done;
  }

  std::optional<std::vector<Machine>> machines;
};
} // namespace

std::unique_ptr<mlir::Pass>
pruner::createMoveChannelsLastPass(std::vector<Machine> machines) {
  return std::make_unique<MoveChannelsLast>(std::move(machines));
}
