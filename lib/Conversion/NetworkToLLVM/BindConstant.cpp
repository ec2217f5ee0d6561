//===- BindConstant.cpp - fix an argument of a network --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/NetworkToLLVM/BindConstant.h"
#include "BufferPlan.h"

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

/// As kernels expect it of all tensors.
static constexpr size_t kAlignment = 64;

/// The number of the network's argument of this name.
static llvm::Expected<std::pair<func::FuncOp, unsigned>>
findArgument(ModuleOp module, StringRef name) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPublic() || function.isExternal() ||
        function->hasAttr(pruner::PrunerDialect::getPreparesAttrName()))
      continue;
    for (unsigned n = 0; n < function.getNumArguments(); ++n) {
      auto named = function.getArgAttrOfType<StringAttr>(
          n, pruner::PrunerDialect::getNameAttrName());
      if (named && named.getValue() == name)
        return std::pair(function, n);
    }
  }
  return llvm::createStringError("no network has an argument '" + name + "'");
}

llvm::Error pruner::bindConstant(ModuleOp module, StringRef name,
                                 ArrayRef<char> data) {
  auto found = findArgument(module, name);
  if (!found)
    return found.takeError();
  auto [function, number] = *found;
  auto type = dyn_cast<RankedTensorType>(function.getArgumentTypes()[number]);
  if (!type || !type.hasStaticShape() || !isElementOfC(type.getElementType()))
    return llvm::createStringError("the argument '" + name +
                                   "' is not a tensor of static shape");
  if (int64_t(data.size()) != bufferBytes(type))
    return llvm::createStringError(
        "the argument '" + name + "' has " + Twine(bufferBytes(type)) +
        " bytes, but the data have " + Twine(data.size()));
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  auto value = DenseResourceElementsAttr::get(
      type, "weight",
      HeapAsmResourceBlob::allocateAndCopyWithAlign(data, kAlignment,
                                                    /*dataIsMutable=*/false));
  module.getContext()->getOrLoadDialect<arith::ArithDialect>();
  auto constant =
      arith::ConstantOp::create(builder, function.getLoc(), type, value);
  function.getArgument(number).replaceAllUsesWith(constant);
  if (failed(function.eraseArgument(number)))
    return llvm::createStringError("the argument '" + name +
                                   "' cannot be removed");
  return llvm::Error::success();
}
