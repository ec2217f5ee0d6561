// RUN: pruner-opt %s --pruner-tile=target=nvidia:sm_80 | FileCheck %s
// RUN: pruner-opt %s --pruner-tile=target=nvidia:sm_80 | pruner-opt | FileCheck %s

// Rows of B are contiguous in shared memory as well, columns of A are not. Four
// steps use the four buffers of B in turn.
// CHECK-LABEL: func.func private @matmul_kernel
// CHECK: pruner.band serial (%{{.*}} = d2 trips 4 step 4) {
// CHECK: pruner.stage "arg0.shared" {{.*}} vector 2 threads 16 buffers 2 ins(
// CHECK: pruner.stage "arg1.shared" {{.*}} vector 2 threads 16 buffers 4 async ins(
// CHECK-SAME: -> memref<4x16xf32, #pruner.memory<shared>>
func.func @matmul(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
      tiles = [[1, 4, 1, 2], [2, 4, 1, 2], [2, 2]], stages = [inner, inner],
      vector = 2, unroll = 16, pipeline = 4>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// Rows of 33 elements are not aligned for two, but single elements of 4 bytes
// can be copied.
// CHECK-LABEL: func.func private @odd_kernel
// CHECK: pruner.stage "arg1.shared" {{.*}} buffers 2 async
func.func @odd(%a: tensor<8x16xf32>, %b: tensor<16x33xf32>) -> tensor<8x33xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
      tiles = [[1, 4, 1, 2], [2, 4, 1, 2], [2, 2]], stages = [none, inner],
      vector = 2, unroll = 16, pipeline = 2>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x33xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x33xf32>) -> tensor<8x33xf32>
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x33xf32>) outs(%f : tensor<8x33xf32>) -> tensor<8x33xf32>
  return %c : tensor<8x33xf32>
}

// Single elements of 2 bytes cannot.
// CHECK-LABEL: func.func private @half_kernel
// CHECK: pruner.stage "arg1.shared" {{.*}} buffers 2 ins(
func.func @half(%a: tensor<8x16xf16>, %b: tensor<16x33xf16>) -> tensor<8x33xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
      tiles = [[1, 4, 1, 2], [2, 4, 1, 2], [2, 2]], stages = [none, inner],
      vector = 2, unroll = 16, pipeline = 2>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x33xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x33xf32>) -> tensor<8x33xf32>
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf16>, tensor<16x33xf16>) outs(%f : tensor<8x33xf32>) -> tensor<8x33xf32>
  return %c : tensor<8x33xf32>
}

// A fused producer computes in registers.
// CHECK-LABEL: func.func private @computed_kernel
// CHECK: pruner.stage "value4.shared" {{.*}} buffers 2 ins(
func.func @computed(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
      tiles = [[1, 4, 1, 2], [2, 4, 1, 2], [2, 2]], stages = [none, inner],
      vector = 2, unroll = 16, pipeline = 2>} {
  %z = arith.constant 0.0 : f32
  %n = tensor.empty() : tensor<16x32xf32>
  %negated = linalg.negf ins(%b : tensor<16x32xf32>) outs(%n : tensor<16x32xf32>) -> tensor<16x32xf32>
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %c = linalg.matmul ins(%a, %negated : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// Devices before sm_80 copy all through registers.
// RUN: sed 's/pipeline = 4/pipeline = 2/' %s | pruner-opt --pruner-tile=target=nvidia:sm_75 | FileCheck %s --check-prefix=OLD --implicit-check-not=async
// OLD-LABEL: func.func private @matmul_kernel
// OLD-COUNT-2: buffers 2 ins(
