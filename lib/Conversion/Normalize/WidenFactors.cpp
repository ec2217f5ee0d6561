//===- WidenFactors.cpp - extend factors in front of products -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FloatFactors.h"
#include "InstructionProfit.h"
#include "IsTask.h"
#include "ReadTargets.h"

#include "pruner/Conversion/Normalize/Accuracy.h"
#include "pruner/Conversion/Normalize/Passes.h"
#include "pruner/Recognition/Operands.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace pruner {
#define GEN_PASS_DEF_WIDENFACTORSPASS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

using namespace pruner;

/// Whether both factors are of one type that is narrower than f32, and should
/// be extended in front of `op`.
static bool isFasterWide(linalg::LinalgOp op, const FloatProduct &product,
                         ArrayRef<Machine> machines) {
  auto [x, y] = product.factors;
  return !x.getType().isF32() && x.getType() == y.getType() &&
         profitsFromWideFactors(op, *toElementType(x.getType()), machines);
}

namespace {
struct WidenFactors : pruner::impl::WidenFactorsPassBase<WidenFactors> {
  using WidenFactorsPassBase::WidenFactorsPassBase;
  explicit WidenFactors(std::vector<Machine> machines)
      : machines(std::move(machines)) {}

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<std::vector<Machine>> profiting =
        machines ? *machines : readTargets(module.getLoc(), *targets);
    if (failed(profiting))
      return signalPassFailure();
    for (auto function : module.getOps<func::FuncOp>())
      if (!function.isExternal() && !isTask(function))
        widen(function, *profiting);
  }

private:
  void widen(func::FuncOp function, ArrayRef<Machine> profiting) {
    SmallVector<linalg::LinalgOp> ops;
    function.walk([&](linalg::LinalgOp op) {
      std::optional<FloatProduct> product = matchFloatProduct(op);
      if (product && isFasterWide(op, *product, profiting))
        ops.push_back(op);
    });
    if (ops.empty())
      return;
    IRRewriter rewriter(&getContext());
    FactorConverter converter(rewriter, rewriter.getF32Type(),
                              /*rounds=*/true);
    for (linalg::LinalgOp op : ops)
      for (unsigned input : {0, 1})
        readFactor(rewriter, op, input,
                   converter.convert(op.getDpsInputOperand(input)->get()));
    numWidened += ops.size();
    // Views of what is not read any more would count as its readers.
    (void)runRegionDCE(rewriter, function->getRegions());
  }

  std::optional<std::vector<Machine>> machines;
};
} // namespace

std::unique_ptr<mlir::Pass>
pruner::createWidenFactorsPass(std::vector<Machine> machines) {
  return std::make_unique<WidenFactors>(std::move(machines));
}
