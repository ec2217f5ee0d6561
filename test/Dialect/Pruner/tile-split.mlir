// RUN: pruner-opt %s --pruner-tile=target=file:%S/Inputs/gpu.json | FileCheck %s
// RUN: pruner-opt %s --pruner-tile=target=file:%S/Inputs/gpu.json | pruner-opt --pruner-psa=target=file:%S/Inputs/gpu.json -o /dev/null 2>&1 | FileCheck %s --check-prefix=PSA

// Split-K: 5 slices of 4 steps are 3 parts of 2 slices. A block computes each
// part from the neutral element and stores it in a workspace. A second kernel
// starts from the task's initial value, combines the parts in order and applies
// the epilogue.
// CHECK-DAG: #[[WORK:map[0-9]*]] = affine_map<(d0, d1, d2) -> (d2 floordiv 8, d0, d1)>
// CHECK-DAG: #[[PART:map[0-9]*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[OUT:map[0-9]*]] = affine_map<(d0, d1, d2) -> (d0, d1)>

// CHECK-LABEL: func.func @matmul(
// CHECK: %[[R:.*]] = memref.alloc() {alignment = 64 : i64} : memref<8x24xf32>
// CHECK: %[[W:.*]] = memref.alloc() {alignment = 64 : i64} : memref<3x8x24xf32>
// CHECK: call @matmul_kernel({{.*}}, %[[R]], %[[W]])
// CHECK: memref.dealloc %[[W]]

// CHECK-LABEL: func.func private @matmul_kernel(
// CHECK-SAME: %[[RESULT:[a-z0-9]*]]: memref<8x24xf32>, %[[PARTS:[a-z0-9]*]]: memref<3x8x24xf32>)
// CHECK-DAG: %[[ZERO:.*]] = arith.constant -0.000000e+00 : f32
// CHECK-DAG: %[[START:.*]] = arith.constant 2.000000e+00 : f32
// CHECK: pruner.kernel gpu domain (d0 = 8, d1 = 24, d2 = 18 reduction)
// CHECK: %[[P:.*]] = pruner.packed %[[PARTS]] shape [8, 24, 18] layout #[[WORK]]
// CHECK: pruner.band block (%[[B:.*]] = d2 trips 3 step 8, %{{.*}} = d1 trips 2 step 16) {
// CHECK: pruner.compute init
// CHECK: pruner.yield %[[ZERO]]
// CHECK: pruner.band serial (%{{.*}} = d2 trips 2 step 4) {
// CHECK: pruner.compute finish at (%[[B]], {{.*}} outs(%[[P]] : memref<3x8x24xf32>) maps [#[[OUT]], #[[PART]]]
// CHECK: pruner.kernel gpu domain (d0 = 8, d1 = 24, d2 = 18 reduction)
// CHECK: %[[P2:.*]] = pruner.packed %[[PARTS]]
// CHECK-NEXT: pruner.band thread (%{{.*}} = d0 trips 8 step 1, %{{.*}} = d1 trips 24 step 1) {
// CHECK: pruner.compute init
// CHECK: pruner.yield %[[START]]
// CHECK: pruner.compute update {{.*}} loops (d2 serial 3 step 8) ins(%[[P2]] : {{.*}} maps [#[[PART]], #[[OUT]]] {
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32):
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[X]], %[[Y]] : f32
// CHECK-NEXT: pruner.yield %[[S]]
// CHECK: pruner.compute finish {{.*}} outs(%[[RESULT]]
// CHECK: math.absf

// One program of two kernels: the statements of both, and a gap between them.
// PSA: remark: init acc:
// PSA-NOT: us on
// PSA: remark: finish arg3:
// PSA-NOT: us on
// PSA: remark: finish arg2:
// PSA: remark: {{.*}} us on

func.func @matmul(%a: tensor<8x18xf32>, %b: tensor<18x24xf32>) -> tensor<8x24xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
      tiles = [[1, 4, 1, 2], [2, 4, 1, 2], [2, 2]], stages = [inner, inner], unroll = 16, split = [3]>} {
  %z = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<8x24xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x24xf32>) -> tensor<8x24xf32>
  %c = linalg.matmul ins(%a, %b : tensor<8x18xf32>, tensor<18x24xf32>) outs(%f : tensor<8x24xf32>) -> tensor<8x24xf32>
  %r = linalg.abs ins(%c : tensor<8x24xf32>) outs(%e : tensor<8x24xf32>) -> tensor<8x24xf32>
  return %r : tensor<8x24xf32>
}

// A maximum of all elements, shared by threads and by blocks: the parts start
// from the smallest value, and the second kernel has one thread.
// CHECK-LABEL: func.func private @maximum_kernel(
// CHECK-SAME: memref<f32>, %[[PARTS:[a-z0-9]*]]: memref<4xf32>)
// CHECK-DAG: %[[LEAST:.*]] = arith.constant 0xFF800000 : f32
// CHECK: pruner.band block (%{{.*}} = d1 trips 4 step 16) {
// CHECK-NEXT: pruner.band thread (%{{.*}} = d1 trips 4 step 1) {
// CHECK: pruner.yield %[[LEAST]]
// CHECK: pruner.compute update {{.*}} loops (d0 serial 5, d1 serial 4 step 4, d0 unroll 1, d1 unroll 1)
// CHECK: pruner.kernel gpu
// CHECK-NOT: pruner.band
// CHECK: pruner.compute update at () loops (d1 serial 4 step 16)
// CHECK: arith.maximumf
func.func @maximum(%a: tensor<5x64xf32>) -> tensor<f32>
    attributes {pruner.schedule = #pruner.schedule<simt_row,
      tiles = [[1, 1], [4, 1]], stages = [none], unroll = 0, split = [1, 4]>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce ins(%a : tensor<5x64xf32>) outs(%f : tensor<f32>) dimensions = [0, 1]
    (%x: f32, %y: f32) {
      %m = arith.maximumf %x, %y : f32
      linalg.yield %m : f32
    }
  return %r : tensor<f32>
}
