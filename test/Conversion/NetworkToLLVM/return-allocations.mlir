// RUN: pruner-opt %s --pruner-return-allocations | FileCheck %s
// RUN: pruner-opt %s --pruner-network-to-llvm='entry=network' | FileCheck %s --check-prefix=NETWORK

func.func private @fill(memref<96x64xf32>)
func.func private @fill_cube(memref<2x3x4xf32>)

// CHECK-LABEL: func @expanded
// CHECK-NEXT: %[[R:.*]] = memref.alloc() {alignment = 64 : i64} : memref<1x96x8x8xf32>
// CHECK-NEXT: %[[A:.*]] = memref.collapse_shape %[[R]] {{\[\[}}0, 1], [2, 3]] : memref<1x96x8x8xf32> into memref<96x64xf32>
// CHECK-NEXT: call @fill(%[[A]])
// CHECK: return %[[R]] : memref<1x96x8x8xf32>
func.func @expanded() -> memref<1x96x8x8xf32> {
  %a = memref.alloc() {alignment = 64 : i64} : memref<96x64xf32>
  call @fill(%a) : (memref<96x64xf32>) -> ()
  %r = memref.expand_shape %a [[0, 1], [2, 3]] output_shape [1, 96, 8, 8] : memref<96x64xf32> into memref<1x96x8x8xf32>
  return %r : memref<1x96x8x8xf32>
}

// Two steps, one of them a collapse.
// CHECK-LABEL: func @both_ways
// CHECK-NEXT: %[[R:.*]] = memref.alloc() : memref<6x2x2xf32>
// CHECK-NEXT: %[[C:.*]] = memref.collapse_shape %[[R]] {{\[\[}}0], [1, 2]] : memref<6x2x2xf32> into memref<6x4xf32>
// CHECK-NEXT: %[[A:.*]] = memref.expand_shape %[[C]] {{\[\[}}0, 1], [2]] output_shape [2, 3, 4] : memref<6x4xf32> into memref<2x3x4xf32>
// CHECK-NEXT: call @fill_cube(%[[A]])
// CHECK: return %[[R]]
func.func @both_ways() -> memref<6x2x2xf32> {
  %a = memref.alloc() : memref<2x3x4xf32>
  call @fill_cube(%a) : (memref<2x3x4xf32>) -> ()
  %c = memref.collapse_shape %a [[0, 1], [2]] : memref<2x3x4xf32> into memref<6x4xf32>
  %r = memref.expand_shape %c [[0], [1, 2]] output_shape [6, 2, 2] : memref<6x4xf32> into memref<6x2x2xf32>
  return %r : memref<6x2x2xf32>
}

// Of two results that share an allocation, one is the allocation itself.
// CHECK-LABEL: func @twice
// CHECK: %[[R:.*]] = memref.alloc() : memref<6144xf32>
// CHECK: %[[A:.*]] = memref.expand_shape %[[R]]
// CHECK: %[[S:.*]] = memref.expand_shape %[[A]] {{.*}} into memref<1x96x64xf32>
// CHECK: return %[[R]], %[[S]]
func.func @twice() -> (memref<6144xf32>, memref<1x96x64xf32>) {
  %a = memref.alloc() : memref<96x64xf32>
  call @fill(%a) : (memref<96x64xf32>) -> ()
  %r = memref.collapse_shape %a [[0, 1]] : memref<96x64xf32> into memref<6144xf32>
  %s = memref.expand_shape %a [[0, 1], [2]] output_shape [1, 96, 64] : memref<96x64xf32> into memref<1x96x64xf32>
  return %r, %s : memref<6144xf32>, memref<1x96x64xf32>
}

// The same result twice.
// CHECK-LABEL: func @same
// CHECK: %[[A:.*]] = memref.alloc() : memref<96x64xf32>
// CHECK: call @fill(%[[A]])
// CHECK: %[[B:.*]] = memref.alloc() : memref<96x64xf32>
// CHECK: memref.copy %[[A]], %[[B]]
// CHECK: return %[[A]], %[[B]]
func.func @same() -> (memref<96x64xf32>, memref<96x64xf32>) {
  %a = memref.alloc() : memref<96x64xf32>
  call @fill(%a) : (memref<96x64xf32>) -> ()
  return %a, %a : memref<96x64xf32>, memref<96x64xf32>
}

// CHECK-LABEL: func @already
// CHECK-NEXT: %[[A:.*]] = memref.alloc() : memref<96x64xf32>
// CHECK-NEXT: memref.expand_shape %[[A]]
// CHECK-NEXT: return %[[A]]
func.func @already() -> (memref<96x64xf32>, memref<1x96x64xf32>) {
  %a = memref.alloc() : memref<96x64xf32>
  %s = memref.expand_shape %a [[0, 1], [2]] output_shape [1, 96, 64] : memref<96x64xf32> into memref<1x96x64xf32>
  return %a, %s : memref<96x64xf32>, memref<1x96x64xf32>
}

// CHECK-LABEL: func @not_allocated
// CHECK-NEXT: %[[R:.*]] = memref.expand_shape %arg0
// CHECK-NEXT: return %[[R]]
func.func @not_allocated(%a: memref<96x64xf32>) -> memref<1x96x64xf32> {
  %r = memref.expand_shape %a [[0, 1], [2]] output_shape [1, 96, 64] : memref<96x64xf32> into memref<1x96x64xf32>
  return %r : memref<1x96x64xf32>
}

// A convolution's result needs neither a workspace nor a copy.
// Inputs, results, bytes of workspace.
// NETWORK-NOT: memcpy
// NETWORK: @pruner_network_facts(dense<[2, 1, 0, 1, 2]>
// NETWORK-NOT: memcpy
func.func @network(%a: tensor<96x16xf32>, %b: tensor<16x64xf32>) -> tensor<1x96x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<96x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<96x64xf32>) -> tensor<96x64xf32>
  %m = linalg.matmul ins(%a, %b : tensor<96x16xf32>, tensor<16x64xf32>) outs(%f : tensor<96x64xf32>) -> tensor<96x64xf32>
  %r = tensor.expand_shape %m [[0, 1], [2, 3]] output_shape [1, 96, 8, 8] : tensor<96x64xf32> into tensor<1x96x8x8xf32>
  return %r : tensor<1x96x8x8xf32>
}
