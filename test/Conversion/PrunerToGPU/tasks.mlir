// RUN: pruner-opt %s --pruner-tile --convert-pruner-to-gpu --split-input-file | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>

// The epilogue is computed on accumulators; the bias is loaded as vectors.
// CHECK-LABEL: gpu.func @epilogue_kernel
// CHECK: scf.for
// CHECK: scf.yield
// CHECK: vector.load %{{.*}} {alignment = 16 : i64} : memref<64xf32>, vector<4xf32>
// CHECK: arith.addf {{.*}} : f32
// CHECK: arith.maximumf
// CHECK: vector.store {{.*}} {alignment = 16 : i64} : memref<4096xf32>, vector<4xf32>
func.func @epilogue(%A: tensor<64x32xf32>, %B: tensor<32x64xf32>, %bias: tensor<64xf32>) -> tensor<64x64xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
        tiles = [[1, 8, 1, 4], [1, 8, 1, 4], [8, 1]],
        stages = [inner, inner], vector = 4, unroll = 16>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.matmul ins(%A, %B : tensor<64x32xf32>, tensor<32x64xf32>)
                     outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %o = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%r, %bias : tensor<64x64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%x: f32, %b: f32, %u: f32):
    %s = arith.addf %x, %b : f32
    %m = arith.maximumf %s, %z : f32
    linalg.yield %m : f32
  } -> tensor<64x64xf32>
  return %o : tensor<64x64xf32>
}

// -----

// CHECK-LABEL: gpu.func @map_kernel
// CHECK-SAME: known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 4, 1, 1>
// CHECK: %[[X:.*]] = vector.load %{{.*}} {alignment = 8 : i64} : memref<256xf32>, vector<2xf32>
// CHECK: vector.extract %[[X]][0]
// CHECK: math.exp
// CHECK: vector.store {{.*}} {alignment = 8 : i64} : memref<256xf32>, vector<2xf32>
func.func @map(%A: tensor<4x64xf32>) -> tensor<4x64xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_map, tiles = [[1, 1], [32, 2]],
        stages = [none], vector = 1, unroll = 0>} {
  %e = tensor.empty() : tensor<4x64xf32>
  %r = linalg.exp ins(%A : tensor<4x64xf32>) outs(%e : tensor<4x64xf32>) -> tensor<4x64xf32>
  return %r : tensor<4x64xf32>
}

// -----

#a = affine_map<(m, n, k) -> (k, m)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>

// The transposed left operand is copied as vectors, the right one element by
// element. f16 is extended at its use. Eight elements are 16 bytes.
// CHECK-LABEL: gpu.func @transposed_kernel
// CHECK: vector.load %{{.*}} {alignment = 16 : i64} : memref<2048xf16>, vector<8xf16>
// CHECK: vector.store %{{.*}} {alignment = 16 : i64} : memref<512xf16, #gpu.address_space<workgroup>>, vector<8xf16>
// CHECK: memref.store %{{.*}} : memref<512xf16, #gpu.address_space<workgroup>>
// CHECK: vector.load %{{.*}} {alignment = 16 : i64} : memref<512xf16, #gpu.address_space<workgroup>>, vector<8xf16>
// CHECK: arith.extf {{.*}} : f16 to f32
func.func @transposed(%A: tensor<32x64xf16>, %B: tensor<64x32xf16>) -> tensor<64x64xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
        tiles = [[1, 8, 2, 4], [1, 8, 2, 4], [8, 1]],
        stages = [inner, inner], vector = 8, unroll = 16>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%A, %B : tensor<32x64xf16>, tensor<64x32xf16>) outs(%f : tensor<64x64xf32>) {
  ^bb0(%x: f16, %y: f16, %s: f32):
    %xx = arith.extf %x : f16 to f32
    %yy = arith.extf %y : f16 to f32
    %p = arith.mulf %xx, %yy : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----

// A stage outside of the reduction is copied once. Its barrier is the one in
// front of the first use.
// CHECK-LABEL: gpu.func @batch_kernel
// CHECK-SAME: known_grid_size = array<i32: 12, 1, 1>
// CHECK-NOT: gpu.barrier
// CHECK: scf.for
// CHECK: gpu.barrier
// CHECK: gpu.barrier
// CHECK: scf.yield
// CHECK-NOT: gpu.barrier
func.func @batch(%A: tensor<3x32x32xf32>, %B: tensor<3x32x32xf32>) -> tensor<3x32x32xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
        tiles = [[1, 1, 1, 1], [1, 4, 1, 4], [1, 4, 1, 4], [8, 1]],
        stages = [outer, inner], vector = 4, unroll = 16>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x32x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<3x32x32xf32>) -> tensor<3x32x32xf32>
  %r = linalg.batch_matmul ins(%A, %B : tensor<3x32x32xf32>, tensor<3x32x32xf32>)
                     outs(%f : tensor<3x32x32xf32>) -> tensor<3x32x32xf32>
  return %r : tensor<3x32x32xf32>
}
