//===- DivisorsTest.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Analysis/Divisors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace pruner;

TEST(Divisors, AreFollowedToTheArguments) {
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect,
                  tensor::TensorDialect>();
  MLIRContext context(registry);
  // %a is divided; %b is extended and used as a divisor; %c is a divisor after
  // a sum in another op; %d is the initial value of that sum; %e is a divisor
  // of floats.
  auto module = parseSourceString<ModuleOp>(R"(
    #id = affine_map<(i, j) -> (i, j)>
    #row = affine_map<(i, j) -> (i)>
    func.func @task(%a: tensor<4x8xi32>, %b: tensor<4x8xi16>,
                    %c: tensor<4x8xi32>, %d: tensor<4xi32>,
                    %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %sum = linalg.generic {indexing_maps = [#id, #row],
                             iterator_types = ["parallel", "reduction"]}
          ins(%c : tensor<4x8xi32>) outs(%d : tensor<4xi32>) {
      ^bb0(%x: i32, %o: i32):
        %s = arith.addi %x, %o : i32
        linalg.yield %s : i32
      } -> tensor<4xi32>
      %empty = tensor.empty() : tensor<4x8xf32>
      %r = linalg.generic {indexing_maps = [#id, #id, #row, #id, #id],
                           iterator_types = ["parallel", "parallel"]}
          ins(%a, %b, %sum, %e : tensor<4x8xi32>, tensor<4x8xi16>,
              tensor<4xi32>, tensor<4x8xf32>)
          outs(%empty : tensor<4x8xf32>) {
      ^bb0(%x: i32, %y: i16, %z: i32, %w: f32, %o: f32):
        %wide = arith.extsi %y : i16 to i32
        %q = arith.divsi %x, %wide : i32
        %p = arith.remui %q, %z : i32
        %f = arith.sitofp %p : i32 to f32
        %g = arith.divf %f, %w : f32
        linalg.yield %g : f32
      } -> tensor<4x8xf32>
      return %r : tensor<4x8xf32>
    })",
                                            &context);
  ASSERT_TRUE(module);
  SmallVector<DivisorUse> uses =
      findDivisors(*module->getOps<func::FuncOp>().begin());
  SmallVector<DivisorUse> expected{DivisorUse::None, DivisorUse::Direct,
                                   DivisorUse::Computed, DivisorUse::Computed,
                                   DivisorUse::None};
  EXPECT_EQ(uses, expected);
}
