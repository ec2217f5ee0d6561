//===- GrowConcats.cpp - concatenations that share a tensor ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IsTask.h"

#include "pruner/Conversion/Normalize/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace pruner {
#define GEN_PASS_DEF_GROWCONCATSPASS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

namespace {
/// A concatenation and its operands. If its first operand is a concatenation,
/// that one's operands replace it.
struct Concat {
  tensor::ConcatOp op;
  SmallVector<Value> parts;
  /// The concatenation of the same block that this one begins with.
  Concat *shorter = nullptr;
  Concat *longer = nullptr;

  bool isChained() const { return shorter || longer; }

  bool beginsWith(const Concat &other) const {
    ArrayRef<Value> mine(parts), theirs(other.parts);
    return theirs.size() < mine.size() &&
           mine.take_front(theirs.size()) == theirs;
  }
};
} // namespace

/// True if `op` concatenates along the outermost dimension. Its first operands
/// are then contiguous at the start of the result.
static bool joinsOutermost(tensor::ConcatOp op) {
  auto isStatic = [](Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    return type.hasStaticShape() && !type.getEncoding();
  };
  return op.getDim() == 0 && llvm::all_of(op.getInputs(), isStatic) &&
         isStatic(op.getResult());
}

/// True if all readers of `value`, reshaped or not, come before `op`, except
/// for concatenations that begin with it, which will read its parts.
static bool isReadBefore(Value value, Operation *op) {
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    auto concat = dyn_cast<tensor::ConcatOp>(user);
    if (concat && concat->getBlock() == op->getBlock() &&
        joinsOutermost(concat) && concat.getInputs()[0] == value &&
        llvm::count(concat.getInputs(), value) == 1)
      return true;
    if (user->getBlock() != op->getBlock() || !user->isBeforeInBlock(op))
      return false;
    return !isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp,
                tensor::ExtractSliceOp>(user) ||
           isReadBefore(user->getResult(0), op);
  });
}

namespace {
struct GrowConcats : pruner::impl::GrowConcatsPassBase<GrowConcats> {
  /// Rewrites a chain, from its shortest concatenation to its longest.
  void grow(IRRewriter &rewriter, ArrayRef<Concat *> chain) {
    RankedTensorType all = chain.back()->op.getResultType();
    int64_t offset = 0;
    SmallVector<OpFoldResult> zeros(all.getRank(), rewriter.getIndexAttr(0)),
        ones(all.getRank(), rewriter.getIndexAttr(1));
    auto sizesOf = [&](RankedTensorType type) {
      return getAsIndexOpFoldResult(&getContext(), type.getShape());
    };
    Value tensor;
    size_t done = 0;
    for (Concat *concat : chain) {
      Location loc = concat->op.getLoc();
      rewriter.setInsertionPoint(concat->op);
      if (!tensor)
        tensor = tensor::EmptyOp::create(rewriter, loc, all.getShape(),
                                         all.getElementType());
      for (Value part : ArrayRef(concat->parts).drop_front(done)) {
        auto type = cast<RankedTensorType>(part.getType());
        SmallVector<OpFoldResult> offsets(zeros);
        offsets[0] = rewriter.getIndexAttr(offset);
        tensor = tensor::InsertSliceOp::create(rewriter, loc, part, tensor,
                                               offsets, sizesOf(type), ones);
        offset += type.getDimSize(0);
      }
      done = concat->parts.size();
      Value joined = tensor;
      if (concat != chain.back())
        joined = tensor::ExtractSliceOp::create(
            rewriter, loc, concat->op.getResultType(), tensor, zeros,
            sizesOf(concat->op.getResultType()), ones);
      rewriter.replaceOp(concat->op, joined);
      ++numShared;
    }
  }

  void runOnBlock(IRRewriter &rewriter, Block &block) {
    // Stable addresses, because other entries point to these.
    std::vector<std::unique_ptr<Concat>> concats;
    llvm::SmallDenseMap<Operation *, Concat *> known;
    for (auto op : block.getOps<tensor::ConcatOp>()) {
      if (!joinsOutermost(op))
        continue;
      auto concat = std::make_unique<Concat>();
      concat->op = op;
      Concat *first = known.lookup(op.getInputs()[0].getDefiningOp());
      if (first)
        concat->parts = first->parts;
      else
        concat->parts.push_back(op.getInputs()[0]);
      llvm::append_range(concat->parts, op.getInputs().drop_front());
      for (auto &other : concats)
        if (!other->longer && concat->beginsWith(*other) &&
            isReadBefore(other->op, op) &&
            (!concat->shorter ||
             concat->shorter->parts.size() < other->parts.size()))
          concat->shorter = other.get();
      if (concat->shorter)
        concat->shorter->longer = concat.get();
      known[op] = concat.get();
      concats.push_back(std::move(concat));
    }
    // Ops that begin with a growing concatenation must not read it afterward.
    for (auto &concat : concats) {
      Concat *first = known.lookup(concat->op.getInputs()[0].getDefiningOp());
      if (first && first->isChained() && !concat->isChained())
        rewriter.modifyOpInPlace(concat->op, [&] {
          concat->op.getInputsMutable().assign(concat->parts);
        });
    }
    for (auto &last : concats) {
      if (last->longer || !last->shorter)
        continue;
      SmallVector<Concat *> chain;
      for (Concat *concat = last.get(); concat; concat = concat->shorter)
        chain.push_back(concat);
      std::reverse(chain.begin(), chain.end());
      grow(rewriter, chain);
    }
  }

  void runOnOperation() override {
    if (pruner::isTask(getOperation()))
      return;
    IRRewriter rewriter(&getContext());
    getOperation().walk([&](Block *block) { runOnBlock(rewriter, *block); });
  }
};
} // namespace
