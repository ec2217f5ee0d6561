//===- OrderReferenceTest.cpp - innermost loops run along memory ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OrderReference.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "pruner/Builder/Candidate.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace pruner;

/// True if all ordered reductions of `text` are linalg.generic whose innermost
/// loop is parallel, is the last coordinate of every operand that it moves, and
/// has the expected length.
static void expectRows(const char *text, int64_t length) {
  DialectRegistry registry;
  registerBuilderDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(module);
  orderReference(*module);
  ASSERT_TRUE(succeeded(verify(*module)));
  unsigned reductions = 0;
  module->walk([&](linalg::LinalgOp op) {
    if (op.getNumReductionLoops() == 0)
      return;
    ++reductions;
    ASSERT_TRUE(isa<linalg::GenericOp>(op.getOperation()));
    unsigned inner = op.getNumLoops() - 1;
    EXPECT_EQ(op.getIteratorTypesArray()[inner], utils::IteratorType::parallel);
    EXPECT_EQ(op.getStaticLoopRanges()[inner], length);
    for (AffineMap map : op.getIndexingMapsArray())
      for (unsigned r = 0; r + 1 < map.getNumResults(); ++r)
        EXPECT_FALSE(map.getResult(r).isFunctionOfDim(inner)) << r;
  });
  EXPECT_EQ(reductions, 1u);
}

TEST(OrderReference, TransposedWeightsAreTransposedBack) {
  expectRows(R"mlir(
    #x = affine_map<(m, n, k) -> (m, k)>
    #w = affine_map<(m, n, k) -> (n, k)>
    #y = affine_map<(m, n, k) -> (m, n)>
    func.func @f(%x: tensor<4x8xf64>, %w: tensor<16x8xf64>,
                 %y: tensor<4x16xf64>) -> tensor<4x16xf64> {
      %0 = linalg.matmul indexing_maps = [#x, #w, #y]
          ins(%x, %w : tensor<4x8xf64>, tensor<16x8xf64>)
          outs(%y : tensor<4x16xf64>) -> tensor<4x16xf64>
      return %0 : tensor<4x16xf64>
    }
  )mlir",
             16);
}

TEST(OrderReference, OuterCoordinatesKeepTheirOrder) {
  // The first of three coordinates of the weights is the last one of the
  // result.
  expectRows(R"mlir(
    #x = affine_map<(m, n, k, l) -> (m, k, l)>
    #w = affine_map<(m, n, k, l) -> (n, k, l)>
    #y = affine_map<(m, n, k, l) -> (m, n)>
    func.func @f(%x: tensor<4x8x3xf64>, %w: tensor<16x8x3xf64>,
                 %y: tensor<4x16xf64>) -> tensor<4x16xf64> {
      %0 = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types =
          ["parallel", "parallel", "reduction", "reduction"]}
          ins(%x, %w : tensor<4x8x3xf64>, tensor<16x8x3xf64>)
          outs(%y : tensor<4x16xf64>) {
      ^bb0(%a: f64, %b: f64, %c: f64):
        %p = arith.mulf %a, %b : f64
        %s = arith.addf %c, %p : f64
        linalg.yield %s : f64
      } -> tensor<4x16xf64>
      return %0 : tensor<4x16xf64>
    }
  )mlir",
             16);
}

TEST(OrderReference, ChannelsAreLongerThanRowsOfAWindow) {
  expectRows(R"mlir(
    func.func @f(%x: tensor<1x3x10x10xf64>, %w: tensor<8x3x3x3xf64>,
                 %y: tensor<1x8x8x8xf64>) -> tensor<1x8x8x8xf64> {
      %0 = linalg.conv_2d_nchw_fchw
          ins(%x, %w : tensor<1x3x10x10xf64>, tensor<8x3x3x3xf64>)
          outs(%y : tensor<1x8x8x8xf64>) -> tensor<1x8x8x8xf64>
      return %0 : tensor<1x8x8x8xf64>
    }
  )mlir",
             8);
}

TEST(OrderReference, LongRowsOfAWindowStayWhereTheyAre) {
  expectRows(R"mlir(
    func.func @f(%x: tensor<1x3x10x34xf64>, %w: tensor<64x3x3x3xf64>,
                 %y: tensor<1x64x8x32xf64>) -> tensor<1x64x8x32xf64> {
      %0 = linalg.conv_2d_nchw_fchw
          ins(%x, %w : tensor<1x3x10x34xf64>, tensor<64x3x3x3xf64>)
          outs(%y : tensor<1x64x8x32xf64>) -> tensor<1x64x8x32xf64>
      return %0 : tensor<1x64x8x32xf64>
    }
  )mlir",
             32);
}

TEST(OrderReference, StridedRowsAreLeftForAnotherDimension) {
  expectRows(R"mlir(
    #x = affine_map<(f, y, x, c) -> (c, 2 * y, 2 * x)>
    #w = affine_map<(f, y, x, c) -> (f, c)>
    #y = affine_map<(f, y, x, c) -> (f, y, x)>
    func.func @f(%x: tensor<5x127x127xf64>, %w: tensor<48x5xf64>,
                 %y: tensor<48x64x64xf64>) -> tensor<48x64x64xf64> {
      %0 = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types =
          ["parallel", "parallel", "parallel", "reduction"]}
          ins(%x, %w : tensor<5x127x127xf64>, tensor<48x5xf64>)
          outs(%y : tensor<48x64x64xf64>) {
      ^bb0(%a: f64, %b: f64, %c: f64):
        %p = arith.mulf %a, %b : f64
        %s = arith.addf %c, %p : f64
        linalg.yield %s : f64
      } -> tensor<48x64x64xf64>
      return %0 : tensor<48x64x64xf64>
    }
  )mlir",
             48);
}
