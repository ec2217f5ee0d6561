// Nothing divides anything: extents 37, 29 and 13.
// RUN: pruner-opt %s --pruner-tile --convert-pruner-to-gpu --split-input-file | FileCheck %s

// Both operands are staged: zeros beyond the end of the reduction need no
// guard, and addresses outside of the tensors become 0.
// CHECK-LABEL: gpu.func @staged_kernel
// CHECK: %[[A:.*]] = memref.collapse_shape %{{.*}} : memref<37x13xf32> into memref<481xf32>
// CHECK: scf.for
// CHECK: %[[ROW:.*]] = arith.cmpi slt, {{.*}} : index
// CHECK: %[[IN:.*]] = arith.andi
// CHECK: %[[AT:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : index
// CHECK-NEXT: %[[X:.*]] = memref.load %[[A]][%[[AT]]]
// CHECK: arith.select %{{.*}}, %[[X]], %{{.*}} : f32
// CHECK: gpu.barrier
// CHECK: gpu.barrier
// CHECK-NOT: scf.if
// CHECK: scf.yield
// Either the whole tile, or place by place.
// CHECK: scf.if
// CHECK: } else {
// CHECK: scf.if
// CHECK: memref.store {{.*}} : memref<1073xf32>
func.func @staged(%A: tensor<37x13xf32>, %B: tensor<13x29xf32>) -> tensor<37x29xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
        tiles = [[1, 8, 1, 2], [1, 8, 1, 2], [4, 1]],
        stages = [inner, inner], vector = 4, unroll = 0>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<37x29xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<37x29xf32>) -> tensor<37x29xf32>
  %r = linalg.matmul ins(%A, %B : tensor<37x13xf32>, tensor<13x29xf32>)
                     outs(%f : tensor<37x29xf32>) -> tensor<37x29xf32>
  return %r : tensor<37x29xf32>
}

// -----

// Read in place: the reduction stops at its end and rows are clamped.
// CHECK-LABEL: gpu.func @in_place_kernel
// CHECK-NOT: workgroup
// CHECK: %[[MORE:.*]] = arith.cmpi slt, %{{.*}}, %c13 : index
// CHECK-NEXT: scf.if %[[MORE]]
// CHECK: arith.minsi
// CHECK-NOT: gpu.barrier
func.func @in_place(%A: tensor<37x13xf32>, %B: tensor<13x29xf32>) -> tensor<37x29xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
        tiles = [[1, 8, 1, 2], [1, 8, 1, 2], [4, 1]],
        stages = [none, none], vector = 4, unroll = 0>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<37x29xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<37x29xf32>) -> tensor<37x29xf32>
  %r = linalg.matmul ins(%A, %B : tensor<37x13xf32>, tensor<13x29xf32>)
                     outs(%f : tensor<37x29xf32>) -> tensor<37x29xf32>
  return %r : tensor<37x29xf32>
}

// -----

// Steps beyond the end of a window are inside of the input, which may be
// infinite there. The zeros of the staged filter do not make them harmless.
// CHECK-LABEL: gpu.func @window_kernel
// CHECK: gpu.barrier
// CHECK: %[[END:.*]] = arith.constant 3 : index
// CHECK-NEXT: %[[MORE:.*]] = arith.cmpi slt, %{{.*}}, %[[END]] : index
// CHECK-NEXT: scf.if %[[MORE]]
func.func @window(%A: tensor<1x34x4xf32>, %B: tensor<3x4x8xf32>) -> tensor<1x32x8xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
        tiles = [[1, 1, 1, 1], [1, 4, 1, 2], [1, 4, 1, 2], [2, 1], [4, 1]],
        stages = [inner, inner], vector = 4, unroll = 0>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x32x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x32x8xf32>) -> tensor<1x32x8xf32>
  %r = linalg.conv_1d_nwc_wcf ins(%A, %B : tensor<1x34x4xf32>, tensor<3x4x8xf32>)
                              outs(%f : tensor<1x32x8xf32>) -> tensor<1x32x8xf32>
  return %r : tensor<1x32x8xf32>
}
