//===- ExpandResources.cpp - booleans and scalars out of resources --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/NetworkToLLVM/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"

namespace pruner {
#define GEN_PASS_DEF_EXPANDRESOURCESPASS
#include "pruner/Conversion/NetworkToLLVM/Passes.h.inc"
} // namespace pruner

using namespace mlir;

/// The same elements without a resource; null where LLVM takes them as they
/// are, or `pruner-check-lowerable` reports the error.
static DenseElementsAttr expand(DenseResourceElementsAttr resource) {
  ShapedType type = resource.getType();
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob)
    return {};
  ArrayRef<char> bytes = blob->getData();
  if (type.getElementType().isInteger(1)) { // A byte for each.
    if (int64_t(bytes.size()) != type.getNumElements())
      return {};
    return DenseElementsAttr::get(
        type, ArrayRef<bool>(llvm::map_to_vector(
                  bytes, [](char byte) { return byte != 0; })));
  }
  bool isSplat = false;
  // LLVM takes elements of these widths only.
  Type element = type.getElementType();
  bool isTaken =
      !isa<IntegerType>(element) ||
      llvm::is_contained({8, 16, 32, 64}, int(element.getIntOrFloatBitWidth()));
  if ((type.getRank() != 0 && isTaken) ||
      !DenseElementsAttr::isValidRawBuffer(type, bytes, isSplat))
    return {};
  auto elements = DenseElementsAttr::getFromRawBuffer(type, bytes);
  if (isTaken)
    return elements;
  // Without the bits that no element has.
  return DenseElementsAttr::get(type,
                                llvm::to_vector(elements.getValues<APInt>()));
}

namespace {
struct ExpandResourcesPass
    : public pruner::impl::ExpandResourcesPassBase<ExpandResourcesPass> {
  void runOnOperation() override {
    getOperation()->walk([&](arith::ConstantOp constant) {
      auto resource = dyn_cast<DenseResourceElementsAttr>(constant.getValue());
      DenseElementsAttr elements = resource ? expand(resource) : nullptr;
      if (!elements)
        return;
      constant.setValueAttr(elements);
      ++numExpanded;
    });
  }
};
} // namespace
