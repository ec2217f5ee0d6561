//===- ElementTypes.cpp - element types of tasks and of IR ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dialect/Pruner/IR/ElementTypes.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace pruner;

static constexpr ElementType kTypes[] = {
    ElementType::F64,  ElementType::F32, ElementType::F16,
    ElementType::BF16, ElementType::I64, ElementType::I32,
    ElementType::I16,  ElementType::I8,  ElementType::I1};

std::optional<ElementType> pruner::toElementType(Type type) {
  for (ElementType each : kTypes)
    if (type == fromElementType(each, type.getContext()))
      return each;
  return std::nullopt;
}

Type pruner::fromElementType(ElementType type, MLIRContext *context) {
  switch (type) {
  case ElementType::F64:
    return Float64Type::get(context);
  case ElementType::F32:
    return Float32Type::get(context);
  case ElementType::F16:
    return Float16Type::get(context);
  case ElementType::BF16:
    return BFloat16Type::get(context);
  case ElementType::I1:
    return IntegerType::get(context, 1);
  default:
    return IntegerType::get(context, unsigned(byteWidth(type)) * 8);
  }
}
