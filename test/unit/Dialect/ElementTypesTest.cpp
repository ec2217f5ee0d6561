//===- ElementTypesTest.cpp -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dialect/Pruner/IR/ElementTypes.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"

#include "gtest/gtest.h"

using namespace pruner;

TEST(ElementTypes, EachTypeComesBackWithItsWidth) {
  mlir::MLIRContext context;
  for (ElementType type :
       {ElementType::F64, ElementType::F32, ElementType::F16, ElementType::BF16,
        ElementType::I64, ElementType::I32, ElementType::I16, ElementType::I8,
        ElementType::I1}) {
    mlir::Type there = fromElementType(type, &context);
    EXPECT_EQ(toElementType(there), type);
    EXPECT_EQ((there.getIntOrFloatBitWidth() + 7) / 8, byteWidth(type));
  }
}

TEST(ElementTypes, OthersHaveNone) {
  mlir::MLIRContext context;
  EXPECT_FALSE(toElementType(mlir::IndexType::get(&context)));
  EXPECT_FALSE(toElementType(mlir::IntegerType::get(&context, 4)));
  EXPECT_FALSE(toElementType(mlir::IntegerType::get(
      &context, 8, mlir::IntegerType::SignednessSemantics::Unsigned)));
  EXPECT_FALSE(toElementType(mlir::Float80Type::get(&context)));
}
