// RUN: pruner-opt %s --pruner-tile | FileCheck %s
// RUN: pruner-opt %s --pruner-tile --convert-pruner-to-cpu | FileCheck %s --check-prefix=CPU

// A softmax, two rows at a time. The exponentials are stored in the memory of
// the result, because the last statement reads each where it writes. The
// statement that computes them also prefetches the rows behind the next two.
// CHECK-LABEL: func.func private @softmax_kernel(
// CHECK-SAME: %[[IN:.*]]: memref<10x37xf32>, %[[OUT:.*]]: memref<10x37xf32>)
// CHECK: pruner.kernel cpu domain (d0 = 10, d1 = 37 reduction) {
// CHECK-NEXT: pruner.band core (%[[C:.*]] = d0 trips 2 step 6) {
// CHECK-NEXT: pruner.band serial (%[[I:.*]] = d0 trips 3 step 2) {
// CHECK-NEXT: %[[MAX:.*]] = pruner.alloc "{{.*}}" {{.*}} memref<2xf32
// CHECK-NEXT: %[[SUM:.*]] = pruner.alloc "{{.*}}" {{.*}} memref<2xf32
// CHECK-NOT: pruner.alloc
// CHECK: pruner.compute update {{.*}} ins(%[[IN]] : {{.*}} outs(%[[MAX]] :
// CHECK: pruner.band serial (%[[J:.*]] = d1 trips 3 step 16) {
// CHECK-NEXT: pruner.compute map at (%[[C]], %[[I]], %[[J]]) {{.*}} prefetch [0, 4] ins(%[[IN]], %[[MAX]] : {{.*}} outs(%[[OUT]] :
// CHECK: math.exp
// CHECK: pruner.compute update {{.*}} ins(%[[OUT]] : {{.*}} outs(%[[SUM]] :
// CHECK: pruner.compute map
// CHECK-NOT: prefetch
// CHECK-SAME: ins(%[[OUT]], %[[SUM]] : {{.*}} outs(%[[OUT]] :

// Beyond the end the last row is fetched. A line of 16 elements needs one
// fetch, however many vectors it has.
// CPU-LABEL: func.func private @softmax_kernel(
// CPU-DAG: %[[C9:.*]] = arith.constant 9 : index
// CPU-COUNT-2: arith.minsi %{{.*}}, %[[C9]] : index
// CPU: memref.prefetch %{{.*}}[%{{.*}}], read, locality<3>, data : memref<370xf32>
// CPU: memref.prefetch
// CPU-NOT: memref.prefetch
// CPU: vector.load
// CPU: math.exp

func.func @softmax(%x: tensor<10x37xf32>) -> tensor<10x37xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_row, tiles = [[3, 2], [16]],
      stages = [none], vector = 4, unroll = 2, prefetch = 2>} {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %row = tensor.empty() : tensor<10xf32>
  %all = tensor.empty() : tensor<10x37xf32>
  %m0 = linalg.fill ins(%low : f32) outs(%row : tensor<10xf32>) -> tensor<10xf32>
  %m = linalg.reduce ins(%x : tensor<10x37xf32>) outs(%m0 : tensor<10xf32>) dimensions = [1]
    (%a: f32, %b: f32) {
      %r = arith.maximumf %a, %b : f32
      linalg.yield %r : f32
    }
  %e = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>,
                                        affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<10x37xf32>, tensor<10xf32>) outs(%all : tensor<10x37xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<10x37xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%row : tensor<10xf32>) -> tensor<10xf32>
  %s = linalg.reduce ins(%e : tensor<10x37xf32>) outs(%s0 : tensor<10xf32>) dimensions = [1]
    (%a: f32, %b: f32) {
      %r = arith.addf %a, %b : f32
      linalg.yield %r : f32
    }
  %q = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>,
                                        affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%e, %s : tensor<10x37xf32>, tensor<10xf32>) outs(%all : tensor<10x37xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<10x37xf32>
  return %q : tensor<10x37xf32>
}
