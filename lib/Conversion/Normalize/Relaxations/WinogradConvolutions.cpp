//===- WinogradConvolutions.cpp - convolutions with fewer products --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../SinkCrop.h"
#include "../WinogradProfit.h"
#include "Registry.h"

#include "pruner/Recognition/TaskFromIR.h"

#include <vector>

using namespace mlir;
using namespace pruner;

namespace {
class WinogradConvolutions final : public Relaxation {
public:
  WinogradConvolutions()
      : Relaxation("winograd",
                   "f32 convolutions with constant filters "
                   "multiply transformed tiles where that profits") {}

  unsigned apply(IRRewriter &rewriter, func::FuncOp function,
                 ArrayRef<Machine> machines) const override {
    std::vector<std::pair<Convolution, WinogradTiles>> found;
    function.walk([&](linalg::LinalgOp op) {
      std::optional<Convolution> conv = matchConvolution(op);
      if (!conv || !isConstantTensor(conv->filter()))
        return;
      if (std::optional<WinogradTiles> tiles = profitableTiles(*conv, machines))
        found.emplace_back(*conv, *tiles);
    });
    for (auto &[conv, tiles] : found) {
      Value result = createWinograd(rewriter, conv, tiles);
      rewriter.replaceOp(conv.op, result);
      if (auto crop = result.getDefiningOp<tensor::ExtractSliceOp>())
        sinkCrop(rewriter, crop);
    }
    return found.size();
  }
};
} // namespace

const Relaxation &pruner::winogradConvolutions() {
  static const WinogradConvolutions relaxation;
  return relaxation;
}
