// Threads that share a reduction: by shuffles within a warp, by shared memory
// across warps, and a chain over rows whose elements stay in registers.
// RUN: pruner-opt %s --split-input-file --pruner-tile --convert-pruner-to-gpu | FileCheck %s

// 128 threads per row, four adjacent elements each: one aligned vector per
// step.
// CHECK-LABEL: gpu.func @rows_kernel(
// CHECK-SAME: workgroup(%[[X:.*]] : memref<128xf32, #gpu.address_space<workgroup>>
// CHECK-SAME: pruner.block = array<i64: 128, 1, 1>, pruner.grid = array<i64: 8, 1, 1>, pruner.narrow_indices, pruner.shared_bytes = 512 : i64
// CHECK: scf.for {{.*}} iter_args(
// CHECK: vector.load {{.*}} {alignment = 16 : i64} : memref<32768xf32>, vector<4xf32>
// CHECK-NOT: scf.if
// CHECK: scf.yield
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK-NOT: gpu.shuffle
// CHECK: memref.store {{.*}}, %[[X]][
// CHECK: gpu.barrier
// Four warps, four parts.
// CHECK: %[[C4:.*]] = arith.constant 4 : index
// CHECK: scf.for {{.*}} to %[[C4]] {{.*}}
// CHECK: memref.load %[[X]][
// CHECK-NOT: gpu.barrier
// The start value is added once, and one thread of the row writes.
// CHECK: arith.addf
// CHECK: scf.if
// CHECK: memref.store {{.*}} : memref<8xf32>
// CHECK: gpu.return
func.func @rows(%x: tensor<8x4096xf32>) -> tensor<8xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_row,
        tiles = [[1, 1], [128, 4]], stages = [none], vector = 1, unroll = 0>} {
  %z = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x4096xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// Columns: adjacent threads are adjacent along a row, so partners are 24 apart
// and cannot use a butterfly of a warp.
// CHECK-LABEL: gpu.func @columns_kernel(
// CHECK-SAME: pruner.block = array<i64: 192, 1, 1>
// CHECK-NOT: gpu.shuffle
// CHECK: gpu.barrier
// CHECK-NOT: gpu.shuffle
// CHECK: gpu.return
func.func @columns(%x: tensor<100x24xf32>) -> tensor<24xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_row,
        tiles = [[8, 1], [24, 1]], stages = [none], vector = 1, unroll = 0>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<24xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<24xf32>) -> tensor<24xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>],
      iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<100x24xf32>) outs(%f : tensor<24xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<24xf32>
  return %r : tensor<24xf32>
}

// -----

// A warp per row, three rows per block. Values between the statements stay in
// registers, and the maximum and the sum need no barrier.
// CHECK-LABEL: gpu.func @chain_kernel(
// CHECK-NOT: workgroup
// CHECK-COUNT-2: vector.load {{.*}} vector<4xf32>
// CHECK-NOT: memref.load
// CHECK: arith.maximumf
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK-COUNT-8: math.exp
// CHECK-NOT: math.exp
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK-NOT: gpu.barrier
// CHECK-COUNT-2: vector.store {{.*}} vector<4xf32>
// CHECK-NOT: memref.store
// CHECK: gpu.return
func.func @chain(%x: tensor<9x256xf32>) -> tensor<9x256xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_row,
        tiles = [[3, 1], [32, 4]], stages = [none], vector = 1, unroll = 0>} {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %full = tensor.empty() : tensor<9x256xf32>
  %row = tensor.empty() : tensor<9xf32>
  %m0 = linalg.fill ins(%low : f32) outs(%row : tensor<9xf32>) -> tensor<9xf32>
  %m = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<9x256xf32>) outs(%m0 : tensor<9xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.maximumf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<9xf32>
  %p = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<9x256xf32>, tensor<9xf32>)
      outs(%full : tensor<9x256xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.subf %a, %b : f32
    %s = math.exp %d : f32
    linalg.yield %s : f32
  } -> tensor<9x256xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%row : tensor<9xf32>) -> tensor<9xf32>
  %s = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%p : tensor<9x256xf32>) outs(%s0 : tensor<9xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %t = arith.addf %acc, %a : f32
    linalg.yield %t : f32
  } -> tensor<9xf32>
  %q = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%p, %s : tensor<9x256xf32>, tensor<9xf32>)
      outs(%full : tensor<9x256xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %t = arith.divf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<9x256xf32>
  return %q : tensor<9x256xf32>
}
