//===- MutationList.cpp - kernels with one fault --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Collect.h"

#include "pruner/Builder/TaskProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using namespace pruner;

StringRef pruner::nameOf(MutationKind kind) {
  switch (kind) {
  case MutationKind::Iteration:
    return "iteration";
  case MutationKind::Tile:
    return "tile";
  case MutationKind::Lane:
    return "lane";
  case MutationKind::Tail:
    return "tail";
  case MutationKind::Neighbor:
    return "neighbour";
  case MutationKind::Stride:
    return "stride";
  case MutationKind::Start:
    return "start";
  case MutationKind::Operands:
    return "operands";
  case MutationKind::Inputs:
    return "inputs";
  case MutationKind::Scale:
    return "scale";
  case MutationKind::Operation:
    return "operation";
  case MutationKind::Constant:
    return "constant";
  case MutationKind::Skipped:
    return "skipped";
  case MutationKind::Store:
    return "store";
  case MutationKind::Barrier:
    return "barrier";
  case MutationKind::Wait:
    return "wait";
  case MutationKind::Requantization:
    return "requantization";
  case MutationKind::HighHalf:
    return "high-half";
  case MutationKind::NotANumber:
    return "nan";
  case MutationKind::Mask:
    return "mask";
  case MutationKind::Sign:
    return "sign";
  case MutationKind::Rounding:
    return "rounding";
  case MutationKind::Extremum:
    return "extremum";
  }
  llvm_unreachable("no such kind");
}

bool pruner::isFloatLike(mlir::Type type) {
  return isa<mlir::FloatType>(mlir::getElementTypeOrSelf(type));
}

bool pruner::isIntegerLike(mlir::Type type) {
  return isa<mlir::IntegerType>(mlir::getElementTypeOrSelf(type));
}

mlir::Value pruner::shifted(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value index, int64_t by) {
  mlir::Value step = mlir::arith::ConstantIndexOp::create(builder, loc, by);
  return mlir::arith::AddIOp::create(builder, loc, index, step);
}

mlir::Value pruner::scaled(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value value) {
  mlir::Type type = value.getType(), element = mlir::getElementTypeOrSelf(type);
  mlir::TypedAttr factor = builder.getFloatAttr(element, 1 + 0x1p-10);
  if (auto vector = dyn_cast<mlir::VectorType>(type))
    factor = mlir::DenseElementsAttr::get(vector, mlir::Attribute(factor));
  mlir::Value constant =
      mlir::arith::ConstantOp::create(builder, loc, type, factor);
  return mlir::arith::MulFOp::create(builder, loc, value, constant);
}

MutationList::MutationList(mlir::ModuleOp module) : module(module) {
  MutationCollector collector(mutations);
  module.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    collectLoops(op, collector);
    collectGuards(op, collector);
    collectAccesses(op, collector);
    collectLanes(op, collector);
    collectArithmetic(op, collector);
    collectConstants(op, collector);
    collectNumbers(op, collector);
    collectStatements(op, collector);
    collectLaunches(op, collector);
    collectFragments(op, collector);
  });
}

Error MutationList::apply(size_t n) {
  mutations[n].rewrite();
  mutations.clear();
  return withDiagnostics(*module.getContext(), "verifying the mutant",
                         [&] { return mlir::verify(module); });
}
