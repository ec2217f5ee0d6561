// RUN: pruner-opt %s --pruner-hoist-slices --canonicalize --split-input-file | FileCheck %s

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#swap = affine_map<(d0, d1, d2) -> (d1, d0, d2)>

// Queries and keys of one product: no copy is left.
// CHECK-LABEL: @heads
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<65x3x1024xf32>
// CHECK-NOT: linalg.generic
// CHECK: %[[Q:.*]] = tensor.extract_slice %[[X]][0, 0, 0] [65, 1, 1024] [1, 1, 1] : tensor<65x3x1024xf32> to tensor<65x1024xf32>
// CHECK: %[[K:.*]] = tensor.extract_slice %[[X]][0, 2, 0] [65, 1, 512] [1, 1, 2] : tensor<65x3x1024xf32> to tensor<65x512xf32>
// CHECK: return %[[Q]], %[[K]]
func.func @heads(%x: tensor<65x3x1024xf32>) -> (tensor<65x1024xf32>, tensor<65x512xf32>) {
  %e = tensor.empty() : tensor<3x65x1024xf32>
  %t = linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<65x3x1024xf32>) outs(%e : tensor<3x65x1024xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x65x1024xf32>
  %q = tensor.extract_slice %t[0, 0, 0] [1, 65, 1024] [1, 1, 1] : tensor<3x65x1024xf32> to tensor<65x1024xf32>
  %k = tensor.extract_slice %t[2, 0, 0] [1, 65, 512] [1, 1, 2] : tensor<3x65x1024xf32> to tensor<65x512xf32>
  return %q, %k : tensor<65x1024xf32>, tensor<65x512xf32>
}

// -----

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#swap = affine_map<(d0, d1, d2) -> (d1, d0, d2)>
#spread = affine_map<(d0, d1, d2) -> (d1, d2)>

// Two of the three are in another order than in the source; a broadcast has
// elements that the source has not; arithmetic is no copy.
// CHECK-LABEL: @stays
// CHECK-COUNT-3: linalg.generic
// CHECK: tensor.extract_slice %{{.*}}[0, 0, 0] [2, 65, 1024] [1, 1, 1] : tensor<3x65x1024xf32> to tensor<2x65x1024xf32>
// CHECK: tensor.extract_slice %{{.*}} : tensor<3x65x1024xf32> to tensor<65x1024xf32>
// CHECK: tensor.extract_slice %{{.*}} : tensor<3x65x1024xf32> to tensor<65x1024xf32>
func.func @stays(%x: tensor<65x3x1024xf32>, %y: tensor<65x1024xf32>) -> (tensor<2x65x1024xf32>, tensor<65x1024xf32>, tensor<65x1024xf32>) {
  %e = tensor.empty() : tensor<3x65x1024xf32>
  %t = linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<65x3x1024xf32>) outs(%e : tensor<3x65x1024xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x65x1024xf32>
  %b = linalg.generic {indexing_maps = [#spread, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%y : tensor<65x1024xf32>) outs(%e : tensor<3x65x1024xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x65x1024xf32>
  %n = linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<65x3x1024xf32>) outs(%e : tensor<3x65x1024xf32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.negf %in : f32
    linalg.yield %m : f32
  } -> tensor<3x65x1024xf32>
  %0 = tensor.extract_slice %t[0, 0, 0] [2, 65, 1024] [1, 1, 1] : tensor<3x65x1024xf32> to tensor<2x65x1024xf32>
  %1 = tensor.extract_slice %b[0, 0, 0] [1, 65, 1024] [1, 1, 1] : tensor<3x65x1024xf32> to tensor<65x1024xf32>
  %2 = tensor.extract_slice %n[0, 0, 0] [1, 65, 1024] [1, 1, 1] : tensor<3x65x1024xf32> to tensor<65x1024xf32>
  return %0, %1, %2 : tensor<2x65x1024xf32>, tensor<65x1024xf32>, tensor<65x1024xf32>
}
