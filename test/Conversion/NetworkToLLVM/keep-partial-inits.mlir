// RUN: pruner-opt %s --pruner-keep-partial-inits | FileCheck %s

// Every second element is written; the others come from the init.
// CHECK-LABEL: func.func @strided(
// CHECK-SAME: %[[X:.*]]: tensor<8xf32>, %[[I:.*]]: tensor<16xf32>)
// CHECK: %[[C:.*]] = bufferization.alloc_tensor() copy(%[[I]]) : tensor<16xf32>
// CHECK: linalg.generic {{.*}} ins(%[[X]] : tensor<8xf32>) outs(%[[C]] : tensor<16xf32>)
func.func @strided(%x: tensor<8xf32>, %i: tensor<16xf32>) -> tensor<16xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i * 2)>], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%i : tensor<16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<16xf32>
  return %r : tensor<16xf32>
}

// One column, and a diagonal.
// CHECK-LABEL: func.func @column(
// CHECK-COUNT-2: bufferization.alloc_tensor() copy
func.func @column(%x: tensor<8xf32>, %i: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i, 3)>], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%i : tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x8xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i, i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%i : tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x8xf32>
  return %r, %s : tensor<8x8xf32>, tensor<8x8xf32>
}

// Completely written, or read, or without contents.
// CHECK-LABEL: func.func @whole(
// CHECK-NOT: alloc_tensor
func.func @whole(%x: tensor<8xf32>, %i: tensor<1x8xf32>, %j: tensor<16xf32>) -> (tensor<1x8xf32>, tensor<16xf32>, tensor<16xf32>) {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (0, i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%i : tensor<1x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x8xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i * 2)>], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%j : tensor<16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = arith.addf %in, %out : f32
    linalg.yield %a : f32
  } -> tensor<16xf32>
  %e = tensor.empty() : tensor<16xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i * 2)>], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<16xf32>
  return %r, %s, %t : tensor<1x8xf32>, tensor<16xf32>, tensor<16xf32>
}
