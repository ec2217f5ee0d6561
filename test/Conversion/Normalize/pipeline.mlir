// RUN: pruner-opt %s --pruner-normalize | FileCheck %s
// RUN: pruner-opt %s --pruner-normalize > %t.once
// RUN: pruner-opt %t.once --pruner-normalize | diff %t.once -
// RUN: pruner-opt %s --pruner-normalize --pruner-extract-tasks > %t.tasks 2> %t.remarks
// RUN: pruner-opt %t.tasks --pruner-normalize | diff %t.tasks -
// RUN: pruner-opt --help-hidden | FileCheck %s --check-prefix=HELP

// HELP-DAG: --pruner-absorb-slices
// HELP-DAG: --pruner-absorb-transposes
// HELP-DAG: --pruner-demote-f64
// HELP-DAG: --pruner-erase-unused-results
// HELP-DAG: --pruner-expand-powers
// HELP-DAG: --pruner-fold-row-guards
// HELP-DAG: --pruner-fold-unit-dims
// HELP-DAG: --pruner-generalize-named-ops
// HELP-DAG: --pruner-grow-concats
// HELP-DAG: --pruner-hoist-slices
// HELP-DAG: --pruner-inline-constants
// HELP-DAG: --pruner-move-reshapes
// HELP-DAG: --pruner-narrow-compares
// HELP-DAG: --pruner-normalize
// HELP-DAG: --pruner-raise-bias-inits
// HELP-DAG: --pruner-raise-fills
// HELP-DAG: --pruner-raise-min-max
// HELP-DAG: --pruner-recognize-products
// HELP-DAG: --pruner-simplify-model
// HELP-DAG: --pruner-sink-broadcasts

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#col = affine_map<(d0, d1, d2) -> (d2)>

// The first half of a feed-forward block, batch 1: the activation follows the
// product without a reshape, the weight is read in place, and a second run of
// the pipeline changes nothing, neither here nor in tasks.
// CHECK-LABEL: func.func @feed_forward
// CHECK-NOT: linalg.transpose
// CHECK: %[[MM:.*]] = linalg.matmul indexing_maps = {{.*}} ins(%{{.*}}, %{{.*}} : tensor<128x64xf32>, tensor<256x64xf32>)
// CHECK-NEXT: %[[ACT:.*]] = linalg.generic {{.*}} ins(%[[MM]], %{{.*}} : tensor<128x256xf32>, tensor<256xf32>)
// CHECK: arith.addf
// CHECK: %[[MAX:.*]] = linalg.generic {{.*}} ins(%[[ACT]] : tensor<128x256xf32>)
// CHECK: arith.maximumf
// CHECK: tensor.expand_shape %[[MAX]]
func.func @feed_forward(%x: tensor<1x128x64xf32>, %w: tensor<256x64xf32>, %b: tensor<256xf32>) -> tensor<1x128x256xf32> {
  %zero = arith.constant 0.0 : f32
  %nought = arith.constant dense<0.0> : tensor<f32>
  %c = tensor.collapse_shape %x [[0, 1], [2]] : tensor<1x128x64xf32> into tensor<128x64xf32>
  %0 = tensor.empty() : tensor<64x256xf32>
  %t = linalg.transpose ins(%w : tensor<256x64xf32>) outs(%0 : tensor<64x256xf32>) permutation = [1, 0]
  %1 = tensor.empty() : tensor<128x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%1 : tensor<128x256xf32>) -> tensor<128x256xf32>
  %m = linalg.matmul ins(%c, %t : tensor<128x64xf32>, tensor<64x256xf32>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  %e = tensor.expand_shape %m [[0, 1], [2]] output_shape [1, 128, 256] : tensor<128x256xf32> into tensor<1x128x256xf32>
  %2 = tensor.empty() : tensor<1x128x256xf32>
  %a = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%e, %b : tensor<1x128x256xf32>, tensor<256xf32>) outs(%2 : tensor<1x128x256xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %s = arith.addf %in, %bias : f32
    linalg.yield %s : f32
  } -> tensor<1x128x256xf32>
  %r = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1, d2) -> ()>, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a, %nought : tensor<1x128x256xf32>, tensor<f32>) outs(%2 : tensor<1x128x256xf32>) {
  ^bb0(%in: f32, %bound: f32, %out: f32):
    %s = arith.maximumf %in, %bound : f32
    linalg.yield %s : f32
  } -> tensor<1x128x256xf32>
  return %r : tensor<1x128x256xf32>
}
