//===- WinogradConvolutions.cpp - convolutions with fewer products --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../SinkCrop.h"
#include "../WinogradProfit.h"
#include "Registry.h"

#include "pruner/Dialect/Pruner/Utils/Alternatives.h"
#include "pruner/Recognition/TaskFromIR.h"

#include <vector>

using namespace mlir;
using namespace pruner;

static void rewrite(RewriterBase &rewriter, const Convolution &conv,
                    const WinogradTiles &tiles) {
  Value result = createWinograd(rewriter, conv, tiles);
  rewriter.replaceOp(conv.op, result);
  if (auto crop = result.getDefiningOp<tensor::ExtractSliceOp>())
    sinkCrop(rewriter, crop);
}

/// The reader of `value`, if it is an elementwise op that computes a tensor of
/// the same shape from it and nothing else reads `value`; null otherwise. Such
/// ops become the epilogue of the task that computes `value`.
static Operation *elementwiseReader(Value value) {
  if (!value.hasOneUse())
    return nullptr;
  auto op = dyn_cast<linalg::GenericOp>(*value.user_begin());
  if (!op || op->getBlock() != value.getParentBlock() ||
      op->getNumResults() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() ||
      op.getMatchingIndexingMap(&*value.use_begin()) !=
          op.getMatchingIndexingMap(op.getDpsInitOperand(0)))
    return nullptr;
  return op;
}

/// The convolution with the pad and the elementwise ops that become parts of
/// its task, in order.
static SmallVector<Operation *> opsOfTask(const Convolution &conv) {
  SmallVector<Operation *> ops;
  if (auto pad = conv.image().getDefiningOp<tensor::PadOp>();
      pad && pad->hasOneUse() && pad->getBlock() == conv.op->getBlock())
    ops.push_back(pad);
  ops.push_back(conv.op);
  while (Operation *reader = elementwiseReader(ops.back()->getResult(0)))
    ops.push_back(reader);
  return ops;
}

/// Makes `pruner.alternatives` with the direct and the transformed form, the
/// one that is predicted to be faster first.
static void createBothForms(RewriterBase &rewriter, const Convolution &conv,
                            const WinogradProfit &profit) {
  SmallVector<Operation *> ops = opsOfTask(conv);
  Operation *direct = conv.op;
  auto place = llvm::find(ops, direct) - ops.begin();
  SmallVector<StringRef> names = {"direct", "winograd"};
  unsigned transformed = profit.share < 1 ? 0 : 1;
  if (transformed == 0)
    std::swap(names[0], names[1]);
  SmallVector<SmallVector<Operation *>> forms =
      createForms(rewriter, ops, names);
  auto op = cast<linalg::LinalgOp>(forms[transformed][place]);
  rewrite(rewriter, *matchConvolution(op), profit.tiles);
}

namespace {
class WinogradConvolutions final : public Relaxation {
public:
  WinogradConvolutions()
      : Relaxation("winograd", "f32 convolutions with constant filters "
                               "multiply transformed tiles if this is faster") {
  }

  unsigned apply(IRRewriter &rewriter, func::FuncOp function,
                 const RelaxationUse &use) const override {
    std::vector<std::pair<Convolution, WinogradProfit>> found;
    function.walk([&](linalg::LinalgOp op) {
      std::optional<Convolution> conv = matchConvolution(op);
      if (!conv || !isConstantTensor(conv->filter()))
        return;
      std::optional<WinogradProfit> profit = bestTiles(*conv, use.machines);
      if (profit && (use.measures ? profit->isPossible() : profit->isClear()))
        found.emplace_back(*conv, *profit);
    });
    for (auto &[conv, profit] : found)
      if (use.measures)
        createBothForms(rewriter, conv, profit);
      else
        rewrite(rewriter, conv, profit.tiles);
    return found.size();
  }
};
} // namespace

const Relaxation &pruner::winogradConvolutions() {
  static const WinogradConvolutions relaxation;
  return relaxation;
}
