//===- SlicedTaskTest.cpp - a task in parts -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SlicedTask.h"
#include "InputSetsTest.h"

using namespace pruner;

namespace {
class SlicedTaskTest : public InputSetsTest {
protected:
  /// A batch of products whose rows are then divided by their sums.
  const std::string batches = R"(
#wide = affine_map<(b, i, j) -> (b, i, j)>
#row = affine_map<(b, i, j) -> (b, i)>
#bias = affine_map<(b, i, j) -> (j)>
func.func @f(%a: tensor<6x5x4xf32>, %b: tensor<6x4x7xf32>, %c: tensor<7xf32>) -> tensor<6x5x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x5x7xf32>
  %h = tensor.empty() : tensor<6x5xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
  %p = linalg.batch_matmul ins(%a, %b : tensor<6x5x4xf32>, tensor<6x4x7xf32>) outs(%0 : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
  %q = linalg.generic {indexing_maps = [#wide, #bias, #wide], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p, %c : tensor<6x5x7xf32>, tensor<7xf32>) outs(%e : tensor<6x5x7xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %r = arith.addf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<6x5x7xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%h : tensor<6x5xf32>) -> tensor<6x5xf32>
  %s = linalg.generic {indexing_maps = [#wide, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%q : tensor<6x5x7xf32>) outs(%1 : tensor<6x5xf32>) {
  ^bb0(%x: f32, %y: f32):
    %r = arith.addf %y, %x : f32
    linalg.yield %r : f32
  } -> tensor<6x5xf32>
  %d = linalg.generic {indexing_maps = [#wide, #row, #wide], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%q, %s : tensor<6x5x7xf32>, tensor<6x5xf32>) outs(%e : tensor<6x5x7xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %r = arith.divf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<6x5x7xf32>
  return %d : tensor<6x5x7xf32>
}
)";
};

TEST_F(SlicedTaskTest, HasAsFewPartsAsFit) {
  auto task = parse(batches);
  ASSERT_TRUE(task);
  // Six tensors between the ops, of at most 210 elements of 16 bytes.
  EXPECT_FALSE(sliceTask(*task, 1 << 20));
  auto half = sliceTask(*task, 9000);
  ASSERT_TRUE(half);
  EXPECT_EQ(half->parts, 2);
  EXPECT_EQ(half->slicesInput, (std::vector<bool>{true, true, false}));
  EXPECT_EQ(half->task.inputs()[0].shape[0], 3);
  EXPECT_EQ(half->task.inputs()[2].shape[0], 7);
  EXPECT_EQ(half->task.outputs()[0].shape[0], 3);
  auto single = sliceTask(*task, 1);
  ASSERT_TRUE(single);
  EXPECT_EQ(single->parts, 6);
}

TEST_F(SlicedTaskTest, KeepsWhatMixesPositions) {
  // A sum over the first dimension, and ops that all parts would compute.
  auto sum = parse(R"(
func.func @f(%a: tensor<64x64xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %1 = linalg.reduce ins(%a : tensor<64x64xf32>) outs(%0 : tensor<64xf32>) dimensions = [0]
    (%x: f32, %y: f32) {
      %r = arith.addf %x, %y : f32
      linalg.yield %r : f32
    }
  return %1 : tensor<64xf32>
}
)");
  ASSERT_TRUE(sum);
  // The columns are a second dimension of the argument.
  EXPECT_FALSE(sliceTask(*sum, 1));
  auto shared = parse(R"(
#id = affine_map<(i, j) -> (i, j)>
#left = affine_map<(i, j, k) -> (i, k)>
#right = affine_map<(i, j, k) -> (k, j)>
#out = affine_map<(i, j, k) -> (i, j)>
func.func @f(%a: tensor<8x64xf32>, %b: tensor<64x64xf32>) -> tensor<8x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %o = tensor.empty() : tensor<8x64xf32>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%x: f32, %y: f32):
    %r = math.exp %x : f32
    linalg.yield %r : f32
  } -> tensor<64x64xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%o : tensor<8x64xf32>) -> tensor<8x64xf32>
  %1 = linalg.matmul ins(%a, %t : tensor<8x64xf32>, tensor<64x64xf32>) outs(%0 : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %1 : tensor<8x64xf32>
}
)");
  ASSERT_TRUE(shared);
  // Two parts would compute the exponentials twice, a quarter of the points.
  EXPECT_FALSE(sliceTask(*shared, 1));
}

TEST_F(SlicedTaskTest, GivesTheSameReferences) {
  const std::string &text = batches;
  auto task = parse(text);
  ASSERT_TRUE(task);
  Reference whole =
      llvm::cantFail(makeReference(*task, text, 3, "", /*most=*/1 << 20));
  Reference parts =
      llvm::cantFail(makeReference(*task, text, 3, "", /*most=*/1));
  ASSERT_EQ(whole.sets.size(), parts.sets.size());
  for (auto [a, b] : llvm::zip(whole.sets, parts.sets)) {
    ASSERT_EQ(a.outputs.size(), b.outputs.size());
    for (auto [x, y] : llvm::zip(a.outputs, b.outputs)) {
      auto same = [](const std::vector<double> &l,
                     const std::vector<double> &r) {
        return l.size() == r.size() &&
               std::memcmp(l.data(), r.data(), l.size() * sizeof(double)) == 0;
      };
      EXPECT_TRUE(same(x.want, y.want)) << patternName(a.pattern).str();
      EXPECT_TRUE(same(x.bound, y.bound)) << patternName(a.pattern).str();
      EXPECT_EQ(x.others, y.others);
    }
  }
}
} // namespace
