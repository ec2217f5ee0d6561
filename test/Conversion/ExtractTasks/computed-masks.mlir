// RUN: pruner-opt %s --pruner-extract-tasks=min-elements=1 | FileCheck %s

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// A mask that is computed from positions costs less than to load it, so each
// reader computes it, in spite of its more points. An exponential does not.
// CHECK-LABEL: func.func @positions
// CHECK-NEXT: %[[TABLE:.*]] = call @task_elementwise_64x64_{{.*}}(%arg2) : (tensor<64xf32>) -> tensor<64x64xf32>
// CHECK-NEXT: call @[[FIRST:task_elementwise_8x64x64_[0-9a-f]+]](%arg0, %arg1) : (tensor<8x64x64xf32>, tensor<64xi64>) -> tensor<8x64x64xf32>
// CHECK-NEXT: call @{{task_elementwise_8x64x64_.*}}(%{{.*}}, %arg1, %[[TABLE]])
// CHECK: func.func private @[[FIRST]](
// CHECK: arith.subi
// CHECK-NEXT: arith.cmpi sle
// CHECK-NEXT: arith.select
// CHECK-NEXT: arith.addf
func.func @positions(%x: tensor<8x64x64xf32>, %p: tensor<64xi64>, %a: tensor<64xf32>)
    -> (tensor<8x64x64xf32>, tensor<8x64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %none = arith.constant 0 : i64
  %e = tensor.empty() : tensor<64x64xf32>
  %mask = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%p, %p : tensor<64xi64>, tensor<64xi64>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%i: i64, %j: i64, %out: f32):
    %d = arith.subi %j, %i : i64
    %c = arith.cmpi sle, %d, %none : i64
    %r = arith.select %c, %zero, %least : f32
    linalg.yield %r : f32
  } -> tensor<64x64xf32>
  %table = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%a, %a : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%i: f32, %j: f32, %out: f32):
    %d = arith.mulf %j, %i : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<64x64xf32>
  %e3 = tensor.empty() : tensor<8x64x64xf32>
  %y = linalg.generic {
      indexing_maps = [#id, affine_map<(h, i, j) -> (i, j)>, #id],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %mask : tensor<8x64x64xf32>, tensor<64x64xf32>) outs(%e3 : tensor<8x64x64xf32>) {
  ^bb0(%s: f32, %m: f32, %out: f32):
    %r = arith.addf %s, %m : f32
    linalg.yield %r : f32
  } -> tensor<8x64x64xf32>
  %z = linalg.generic {
      indexing_maps = [#id, affine_map<(h, i, j) -> (j, i)>, affine_map<(h, i, j) -> (i, j)>, #id],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%y, %mask, %table : tensor<8x64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) outs(%e3 : tensor<8x64x64xf32>) {
  ^bb0(%s: f32, %m: f32, %t: f32, %out: f32):
    %q = arith.addf %s, %m : f32
    %r = arith.mulf %q, %t : f32
    linalg.yield %r : f32
  } -> tensor<8x64x64xf32>
  return %y, %z : tensor<8x64x64xf32>, tensor<8x64x64xf32>
}
