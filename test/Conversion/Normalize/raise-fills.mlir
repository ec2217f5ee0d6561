// RUN: pruner-opt %s --pruner-raise-fills | FileCheck %s

#id = affine_map<(d0) -> (d0)>
#diagonal = affine_map<(d0) -> (d0, d0)>

// Values from inside the body, from outside, and from a scalar operand.
// CHECK-LABEL: @fills
// CHECK-SAME: %[[S:[a-z0-9]+]]: f32
// CHECK-NOT: linalg.generic
// CHECK: linalg.fill ins(%{{.*}} : i64)
// CHECK-COUNT-2: linalg.fill ins(%[[S]] : f32)
func.func @fills(%s: f32, %x: tensor<4xf32>) -> (tensor<4xi64>, tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xi64>
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<4xi64>) {
  ^bb0(%out: i64):
    %c = arith.constant 7 : i64
    linalg.yield %c : i64
  } -> tensor<4xi64>
  %f = tensor.empty() : tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, #id], iterator_types = ["parallel"]}
      ins(%s : f32) outs(%f : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xi64>, tensor<4xf32>, tensor<4xf32>
}

// A copy stores many values, a diagonal is not the whole matrix, an index is
// not one value, and a body that may abort the program does more than store.
// CHECK-LABEL: @stays
// CHECK-NOT: linalg.fill
func.func @stays(%s: f32, %m: tensor<4x4xf32>, %x: tensor<4xi64>) -> (tensor<4x4xf32>, tensor<4xindex>, tensor<4xf32>, tensor<4xi64>) {
  %0 = linalg.generic {indexing_maps = [#diagonal], iterator_types = ["parallel"]} outs(%m : tensor<4x4xf32>) {
  ^bb0(%out: f32):
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  %e = tensor.empty() : tensor<4xindex>
  %1 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<4xindex>) {
  ^bb0(%out: index):
    %i = linalg.index 0 : index
    linalg.yield %i : index
  } -> tensor<4xindex>
  %f = tensor.empty() : tensor<4xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<4xi64>) outs(%f : tensor<4xf32>) {
  ^bb0(%in: i64, %out: f32):
    %c = arith.constant 4 : i64
    %ok = arith.cmpi slt, %in, %c : i64
    cf.assert %ok, "out of range"
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %g = tensor.empty() : tensor<4xi64>
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<4xi64>) outs(%g : tensor<4xi64>) {
  ^bb0(%in: i64, %out: i64):
    linalg.yield %in : i64
  } -> tensor<4xi64>
  return %0, %1, %2, %3 : tensor<4x4xf32>, tensor<4xindex>, tensor<4xf32>, tensor<4xi64>
}
