// RUN: pruner-opt %s --pruner-tile | FileCheck %s
// RUN: pruner-opt %s --pruner-tile | pruner-opt | FileCheck %s
// RUN: pruner-opt %s | FileCheck %s --check-prefix=ATTRIBUTE

// A map stores its result around the caches.
// ATTRIBUTE: #pruner.schedule<cpu_map, {{.*}}, stream = 1>
// CHECK-LABEL: func.func private @map_kernel(
// CHECK: pruner.compute map {{.*}} nontemporal ins
func.func @map(%a: tensor<64x64xf32>) -> tensor<64x64xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_map, tiles = [[1, 1], [1, 4]],
      stages = [none], vector = 4, unroll = 1, stream = 1>} {
  %e = tensor.empty() : tensor<64x64xf32>
  %c = linalg.exp ins(%a : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// A product stores its accumulators once, when they are complete.
// CHECK-LABEL: func.func private @product_kernel(
// CHECK-NOT: nontemporal
// CHECK: pruner.compute finish {{.*}} nontemporal ins
func.func @product(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 4], [1, 2, 4], [16]],
      stages = [none, none], vector = 4, unroll = 2, stream = 1>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}
