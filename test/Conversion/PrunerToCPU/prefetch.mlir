// Each of the 3 register blocks along d0 prefetches a third of the panel of B
// for the next block of columns: 64 steps of 16 elements in 192 parts of 6
// elements, 4 of them per copy of the loop. A moves with d0 and is not
// prefetched. The panel is contiguous, 1024 elements after the current one.
// RUN: pruner-opt %s --pruner-tile=target=file:%S/../../Dialect/Pruner/Inputs/cpu-avx512.json | FileCheck %s --check-prefix=TILE
// RUN: pruner-opt %s --pruner-tile=target=file:%S/../../Dialect/Pruner/Inputs/cpu-avx512.json --convert-pruner-to-cpu | FileCheck %s

// TILE-LABEL: func.func private @packed_kernel
// TILE: pruner.compute update {{.*}} unroll 4 prefetch [1, 16] ins

// CHECK-LABEL: func.func private @packed_kernel
// CHECK: memref.collapse_shape %arg1 {{.*}} : memref<4x64x16xf32> into memref<4096xf32>
// CHECK: %[[B:.*]] = memref.collapse_shape %arg1 {{.*}} : memref<4x64x16xf32> into memref<4096xf32>
// CHECK: scf.for %[[J:.*]] = %c0 to %c4 step
// CHECK: %[[PANEL:.*]] = arith.muli %[[J]], %c1024 overflow<nsw>
// CHECK: scf.for %[[I:.*]] = %c0 to %c3 step
// CHECK: %[[PLACE:.*]] = arith.muli %[[I]], %c384 overflow<nsw>
// CHECK: %[[DONE:.*]] = arith.minsi %[[PLACE]], %c1024
// CHECK: %[[HERE:.*]] = arith.addi %{{.*}}, %[[DONE]] overflow<nsw>
// CHECK: %[[NEXT:.*]] = arith.addi %[[HERE]], %c1024 overflow<nsw>
// CHECK: scf.for %[[K:.*]] = %c0 to %c64 step %c4
// CHECK: %[[STEP:.*]] = arith.muli %[[K]], %c6 overflow<nsw>
// CHECK: %[[A0:.*]] = arith.addi %[[NEXT]], %[[STEP]] overflow<nsw>
// CHECK: memref.prefetch %[[B]][%[[A0]]], read, locality<2>, data
// CHECK: %[[A1:.*]] = arith.addi %[[A0]], %c16 overflow<nsw>
// CHECK: memref.prefetch %[[B]][%[[A1]]], read, locality<2>, data
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @packed(%a: tensor<12x64xf32>, %b: tensor<64x64xf32> {pruner.constant}) -> tensor<12x64xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 3, 4], [1, 4, 16], [64]], stages = [none, ahead], vector = 16, unroll = 4, order = [1, 0], prefetch = 1>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<12x64xf32>) -> tensor<12x64xf32>
  %c = linalg.matmul ins(%a, %b : tensor<12x64xf32>, tensor<64x64xf32>) outs(%f : tensor<12x64xf32>) -> tensor<12x64xf32>
  return %c : tensor<12x64xf32>
}

// The scales of groups do not move along the innermost loop. The 64 steps of
// both loops share their 64 elements, and the 1024 weights.
// CHECK-LABEL: func.func private @grouped_kernel
// CHECK: scf.for %{{.*}} = %c0 to %c4 step %c1
// CHECK: scf.for %[[K:.*]] = %c0 to %c16 step %c4
// CHECK: %[[WEIGHTS:.*]] = arith.muli %[[K]], %c16 overflow<nsw>
// CHECK: %[[AT:.*]] = arith.addi %{{.*}}, %[[WEIGHTS]]
// CHECK: memref.prefetch %{{.*}}[%[[AT]]], read, locality<2>, data : memref<4096xi8>
// CHECK: %[[SCALES:.*]] = arith.addi %{{.*}}, %[[K]]
// CHECK: memref.prefetch %{{.*}}[%[[SCALES]]], read, locality<2>, data : memref<256xf32>
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @grouped(%x: tensor<4x16xf32>, %w: tensor<64x4x16xi8> {pruner.constant}, %s: tensor<64x4xf32> {pruner.constant}) -> tensor<64xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 4, 16], [4], [16]], stages = [none, ahead, ahead], vector = 16, unroll = 4, prefetch = 1>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(n, g, k) -> (g, k)>, affine_map<(n, g, k) -> (n, g, k)>, affine_map<(n, g, k) -> (n, g)>, affine_map<(n, g, k) -> (n)>],
                       iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%x, %w, %s : tensor<4x16xf32>, tensor<64x4x16xi8>, tensor<64x4xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%a: f32, %b: i8, %d: f32, %o: f32):
    %0 = arith.sitofp %b : i8 to f32
    %1 = arith.mulf %0, %d : f32
    %2 = arith.mulf %a, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<64xf32>
  return %c : tensor<64xf32>
}

// The epilogue fetches the residual of the next 16 columns, one line for each
// of the 4 rows. The bias does not move along the vectors.
// TILE-LABEL: func.func private @residual_kernel
// TILE: pruner.compute finish {{.*}} prefetch [1, 16] ins
// CHECK-LABEL: func.func private @residual_kernel
// CHECK: %[[RESIDUAL:.*]] = memref.collapse_shape %arg3 {{.*}} : memref<12x64xf32> into memref<768xf32>
// CHECK: memref.prefetch %{{.*}}, read, locality<2>, data
// CHECK-COUNT-4: memref.prefetch %[[RESIDUAL]][%{{.*}}], read, locality<3>, data
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @residual(%a: tensor<12x64xf32>, %b: tensor<64x64xf32> {pruner.constant}, %bias: tensor<12xf32>, %r: tensor<12x64xf32>) -> tensor<12x64xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 3, 4], [1, 4, 16], [64]], stages = [none, ahead], vector = 16, unroll = 4, prefetch = 1>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<12x64xf32>) -> tensor<12x64xf32>
  %c = linalg.matmul ins(%a, %b : tensor<12x64xf32>, tensor<64x64xf32>) outs(%f : tensor<12x64xf32>) -> tensor<12x64xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%c, %bias, %r : tensor<12x64xf32>, tensor<12xf32>, tensor<12x64xf32>) outs(%e : tensor<12x64xf32>) {
  ^bb0(%x: f32, %y: f32, %w: f32, %o: f32):
    %0 = arith.addf %x, %y : f32
    %1 = arith.addf %0, %w : f32
    linalg.yield %1 : f32
  } -> tensor<12x64xf32>
  return %d : tensor<12x64xf32>
}

// Vectors along the filters: the lines of 12 pixels of a row of 16 filters.
// CHECK-LABEL: func.func private @planes_kernel
// CHECK: %[[PLANES:.*]] = memref.collapse_shape %arg2 {{.*}} : memref<32x4x48xf32> into memref<6144xf32>
// CHECK-COUNT-16: memref.prefetch %[[PLANES]][%{{.*}}], read, locality<3>, data
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @planes(%x: tensor<8x6x50xf32>, %w: tensor<32x8x3x3xf32> {pruner.constant}, %r: tensor<32x4x48xf32>) -> tensor<32x4x48xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 16], [1, 4, 1], [1, 4, 12], [8], [3], [3]], stages = [none, ahead], vector = 16, vector_dim = 0, unroll = 1, prefetch = 1>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x4x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<32x4x48xf32>) -> tensor<32x4x48xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(f, y, x, c, p, q) -> (c, y + p, x + q)>, affine_map<(f, y, x, c, p, q) -> (f, c, p, q)>, affine_map<(f, y, x, c, p, q) -> (f, y, x)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<8x6x50xf32>, tensor<32x8x3x3xf32>) outs(%f : tensor<32x4x48xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %0 = arith.mulf %i, %j : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<32x4x48xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(f, y, x) -> (f, y, x)>, affine_map<(f, y, x) -> (f, y, x)>, affine_map<(f, y, x) -> (f, y, x)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%c, %r : tensor<32x4x48xf32>, tensor<32x4x48xf32>) outs(%e : tensor<32x4x48xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %0 = arith.addf %i, %j : f32
    linalg.yield %0 : f32
  } -> tensor<32x4x48xf32>
  return %d : tensor<32x4x48xf32>
}
