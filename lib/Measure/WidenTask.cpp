//===- WidenTask.cpp - a task in double precision -------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Measure/WidenTask.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"
#include <cmath>

using namespace mlir;
using namespace pruner;

static APFloat toDouble(APFloat value) {
  bool ignored;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &ignored);
  return value;
}

llvm::Expected<OwningOpRef<ModuleOp>>
pruner::widenTask(const TaskProgram &task) {
  OwningOpRef<ModuleOp> module = task.clone();
  MLIRContext *context = module->getContext();
  Type f64 = Float64Type::get(context);

  // Operations for which a type's bits matter have no wide form.
  std::string obstacle;
  module->walk([&](Operation *op) {
    if (isa<arith::BitcastOp>(op))
      obstacle = "arith.bitcast";
    for (NamedAttribute attribute : op->getAttrs())
      if (isa<DenseResourceElementsAttr, SparseElementsAttr>(
              attribute.getValue()))
        obstacle = "a constant that is not stored densely";
  });
  if (!obstacle.empty())
    return llvm::createStringError("no double-precision form of %s",
                                   obstacle.c_str());

  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [&](FloatType) -> std::optional<Type> { return f64; });
  replacer.addReplacement(
      [&](FloatAttr attribute)
          -> std::optional<std::pair<Attribute, WalkResult>> {
        return std::make_pair(
            Attribute(FloatAttr::get(f64, toDouble(attribute.getValue()))),
            WalkResult::skip());
      });
  replacer.addReplacement(
      [&](DenseElementsAttr attribute)
          -> std::optional<std::pair<Attribute, WalkResult>> {
        if (!isa<FloatType>(attribute.getElementType()))
          return std::make_pair(Attribute(attribute), WalkResult::skip());
        DenseElementsAttr wide =
            attribute.mapValues(f64, [](const APFloat &value) {
              return toDouble(value).bitcastToAPInt();
            });
        return std::make_pair(Attribute(wide), WalkResult::skip());
      });
  replacer.recursivelyReplaceElementsIn(*module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  module->walk([](Operation *op) {
    if (isa<arith::ExtFOp, arith::TruncFOp>(op)) {
      op->getResult(0).replaceAllUsesWith(op->getOperand(0));
      op->erase();
    }
  });
  if (llvm::Error error =
          withDiagnostics(*context, "the double-precision form of the task",
                          [&] { return verify(*module); }))
    return error;
  return module;
}

/// |value|, and 0 for what only starts an extremum.
static APFloat magnitudeOf(const APFloat &value) {
  APFloat magnitude = llvm::abs(value);
  if (!magnitude.isFinite() || magnitude.convertToDouble() >= 1e30 ||
      // -max of a 16-bit type.
      magnitude.convertToDouble() == 65504)
    return APFloat(0.0);
  return magnitude;
}

llvm::Error pruner::makeMagnitudes(ModuleOp module) {
  module.walk([&](Operation *op) {
    OpBuilder b(op);
    Location loc = op->getLoc();
    auto replace = [&](Value value) {
      op->getResult(0).replaceAllUsesWith(value);
      op->erase();
    };
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      if (auto value = dyn_cast<FloatAttr>(constant.getValue()))
        constant.setValueAttr(
            FloatAttr::get(value.getType(), magnitudeOf(value.getValue())));
      else if (auto dense = dyn_cast<DenseFPElementsAttr>(constant.getValue()))
        constant.setValueAttr(cast<TypedAttr>(Attribute(
            dense.mapValues(dense.getElementType(), [](const APFloat &value) {
              return magnitudeOf(value).bitcastToAPInt();
            }))));
    } else if (isa<arith::SubFOp>(op)) {
      replace(
          arith::AddFOp::create(b, loc, op->getOperand(0), op->getOperand(1)));
    } else if (isa<arith::NegFOp, math::AbsFOp>(op)) {
      replace(op->getOperand(0));
    } else if (isa<arith::MaxNumFOp, arith::MinNumFOp, arith::MinimumFOp>(op)) {
      replace(arith::MaximumFOp::create(b, loc, op->getOperand(0),
                                        op->getOperand(1)));
    } else if (auto select = dyn_cast<arith::SelectOp>(op)) {
      if (isa<FloatType>(select.getType()))
        replace(arith::MaximumFOp::create(b, loc, select.getTrueValue(),
                                          select.getFalseValue()));
    } else if (isa<arith::SIToFPOp, arith::UIToFPOp>(op)) {
      b.setInsertionPointAfter(op);
      auto magnitude = math::AbsFOp::create(b, loc, op->getResult(0));
      op->getResult(0).replaceAllUsesExcept(magnitude, magnitude);
    }
  });
  return withDiagnostics(*module.getContext(), "the magnitude form of the task",
                         [&] { return verify(module); });
}
