// A task that reads a padded tensor reads no empty one: normalization drops the
// padding around nothing that negative padding leaves.
// RUN: pruner-opt %s --pruner-normalize --pruner-extract-tasks \
// RUN:   | FileCheck %s
// CHECK-LABEL: func.func @window(
// CHECK-NOT: tensor<4x0xf32>
// CHECK: call @task_
func.func @window(%x: tensor<4x1xf32>, %w: tensor<3xf32>, %c: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 5] high[0, -1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<4x1xf32> to tensor<4x5xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1 + d2)>, affine_map<(d0, d1, d2) -> (d2)>,
                       affine_map<(d0, d1, d2) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %w : tensor<4x5xf32>, tensor<3xf32>) outs(%c : tensor<4x3xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %m = arith.mulf %a, %b : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}
