//===- CheckRelaxed.cpp - results of relaxed accuracy ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CheckSteps.h"

#include "pruner/Conversion/Normalize/Accuracy.h"
#include "pruner/Conversion/Normalize/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Pass/PassManager.h"

using namespace llvm;
using namespace pruner;

/// Whether a value exists that is in both ranges.
static bool overlap(mlir::Type element, const Cell &a, const Cell &b) {
  if (isa<mlir::FloatType>(element))
    return (a.real.nan && b.real.nan) ||
           std::max(a.real.lo, b.real.lo) <= std::min(a.real.hi, b.real.hi);
  return std::max(a.integer.lo, b.integer.lo) <=
         std::min(a.integer.hi, b.integer.hi);
}

/// Whether a relaxation rounds numbers in the middle of the computation, so
/// that results leave their ranges.
static bool roundsTensors(StringRef accuracy) {
  return any_of(splitAccuracy(accuracy), [](StringRef name) {
    return name.starts_with("bf16-") || name.starts_with("tf32-");
  });
}

/// Whether the result of `function` may be another one after a small change of
/// a number, because numbers select the computation.
static bool jumps(mlir::func::FuncOp function) {
  return function
      .walk([](mlir::Operation *op) {
        return isa<mlir::arith::CmpFOp, mlir::arith::FPToSIOp,
                   mlir::arith::FPToUIOp, mlir::math::RoundEvenOp,
                   mlir::math::RoundOp, mlir::math::FloorOp, mlir::math::CeilOp,
                   mlir::math::TruncOp>(op)
                   ? mlir::WalkResult::interrupt()
                   : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether the middles of the finite ranges of two tensors of floats differ by
/// less than an eighth of the largest one.
static bool isNear(const RangeTensor &a, const RangeTensor &b) {
  double largest = 0, difference = 0;
  for (auto [x, y] : zip_equal(a.cells, b.cells)) {
    double before = (x.real.lo + x.real.hi) / 2,
           after = (y.real.lo + y.real.hi) / 2;
    if (!std::isfinite(before) || !std::isfinite(after))
      continue;
    largest = std::max(largest, std::fabs(before));
    difference = std::max(difference, std::fabs(before - after));
  }
  return difference <= largest / 8;
}

/// Chooses a form at random of each part that has no chosen one.
void Check::drawForms(mlir::ModuleOp module) {
  module.walk([&](AlternativesOp op) {
    auto names = op.getNames().getAsRange<mlir::StringAttr>();
    if (!op.getChosenAttr())
      op.setChosenAttr(*std::next(
          names.begin(), choices.random.uniform(op.getNames().size())));
  });
}

/// Applies the relaxations to a normalized module, and expects its results from
/// now on.
bool Check::relax(mlir::ModuleOp module) {
  at("relaxing the accuracy");
  mlir::PassManager passes(&context);
  buildRelaxAccuracyPipeline(passes, choices.accuracy, /*machines=*/{},
                             /*measures=*/choices.random.uniform(2));
  if (mlir::failed(passes.run(module)))
    return fail("relaxing the accuracy failed");
  drawForms(module);
  auto function = module.lookupSymbol<mlir::func::FuncOp>("main");
  for (Example &example : examples) {
    std::vector<RangeTensorRef> &results = example.expected, arguments;
    for (auto [type, own, data] :
         zip(network.inputTypes, function.getArgumentTypes(), example.inputs)) {
      bool packed = isNibbleTensor(type) && own != type;
      arguments.push_back(
          readTensor(own, (packed ? packNibbles(data) : data).data()));
    }
    Interpreter interpreter;
    auto relaxed = interpreter.run(function, arguments);
    if (!relaxed)
      return fail(relaxed.takeError());
    for (auto [n, type] : enumerate(network.outputTypes)) {
      const RangeTensor &before = *results[n], &after = *(*relaxed)[n];
      mlir::Type element = type.getElementType();
      bool agree =
          roundsTensors(choices.accuracy)
              ? jumps(function) || !isa<mlir::FloatType>(element) ||
                    isNear(before, after)
              : all_of(zip_equal(before.cells, after.cells), [&](auto pair) {
                  return overlap(element, std::get<0>(pair), std::get<1>(pair));
                });
      if (!agree)
        return fail("result " + Twine(n) + " cannot have its previous value");
    }
    results = std::move(*relaxed);
  }
  return true;
}
