// Products in tf32: each function is compiled twice, with tensor cores and
// without. Both round the factors to nearest, ties away from zero, so that they
// compute the same, also of numbers that tf32 does not hold.
// RUN: pruner-opt %s --pruner-tile=target=nvidia:sm_80 --convert-pruner-to-gpu -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: pruner-opt %t.mlir --pruner-to-nvvm -o %t.nvvm.mlir
// RUN: pruner-translate %t.nvvm.mlir --to=ptx --chip=sm_80 -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx --check-prefix=PTX

// Older chips lack the instruction.
// RUN: not pruner-opt %s --pruner-tile=target=nvidia:sm_75 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: illegal schedule: R27: 'sm_75' has no mma_m16n8k8_tf32 with registers of 32 bytes

// The copies of b, which is contiguous along its columns, have 16 bytes. Its rows in
// shared memory are padded by twice as much, and lanes load its elements alone.
// CHECK: gpu.func @rows_kernel
// CHECK-SAME: workgroup(%{{.*}} : memref<1152xf32, {{.*}}, %[[B:[a-z0-9]+]] : memref<2048xf32,
// CHECK: nvgpu.device_async_copy
// CHECK: nvgpu.device_async_copy %{{.*}}, %[[B]][%{{.*}}], 4 {bypassL1}
// CHECK: nvgpu.ldmatrix {{.*}} {numTiles = 4 : i32, transpose = false} : memref<{{.*}}xf32, #gpu.address_space<workgroup>> -> vector<4x1xf32>
// CHECK-COUNT-4: nvvm.convert.float.to.tf32 {{.*}} {rnd = #nvvm.fp_rnd_mode<rna>}
// CHECK: memref.load %[[B]][
// CHECK-NEXT: nvvm.convert.float.to.tf32
// CHECK-NOT: nvgpu.ldmatrix %[[B]]
// CHECK: nvvm.mma.sync A[{{.*}}] B[{{.*}}] C[{{.*}}] {{.*}}multiplicandAPtxType = #nvvm.mma_type<tf32>{{.*}} shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (i32, i32, f32)
// CHECK: gpu.func @rows_plain_kernel

// PTX-LABEL: .entry rows_kernel(
// PTX: cvt.rna.tf32.f32
// PTX: mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
// PTX-LABEL: .entry rows_plain_kernel(
// PTX-NOT: tf32
// PTX: .entry

// RUN: pruner-emulate --ptx=%t.ptx --kernel=rows_kernel --arguments=f32x3072,f32x1536,f32x1152 --grid=3 --block=32 --fill=random-int --poison=2 --print=2 > %t.rows
// RUN: pruner-emulate --ptx=%t.ptx --kernel=rows_plain_kernel --arguments=f32x3072,f32x1536,f32x1152 --grid=12 --block=32 --fill=random-int --poison=2 --print=2 | diff - %t.rows

// Numbers of 0 to 12287 have up to 14 bits, of which 11 remain. One term makes the
// sum exact.
// RUN: pruner-emulate --ptx=%t.ptx --kernel=one_kernel --arguments=f32x12288,f32x8,f32x98304 --grid=768 --block=32 --poison=2 --print=2 > %t.one
// RUN: pruner-emulate --ptx=%t.ptx --kernel=one_plain_kernel --arguments=f32x12288,f32x8,f32x98304 --grid=1536 --block=32 --poison=2 --print=2 | diff - %t.one
// RUN: FileCheck %s --input-file=%t.one --check-prefix=ONE
// Row 2049 is a tie: 2050 in tf32.
// ONE: {{ 2048 4096 6144 8192 10240 12288 14336 0 2050 4100 6150 8200 10250 12300 14350 }}

func.func @rows(%a: tensor<48x64xf32>, %b: tensor<64x24xf32>) -> tensor<48x24xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
        tiles = [[1, 8, 2, 1], [1, 4, 3, 2], [1, 32]], stages = [inner, inner],
        vector = 4, unroll = 16, pad = 4, pipeline = 2, instruction = mma_m16n8k8_tf32>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<48x24xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<48x24xf32>) -> tensor<48x24xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<48x64xf32>, tensor<64x24xf32>) outs(%f : tensor<48x24xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %u = arith.truncf %x to_nearest_away : f32 to tf32
    %v = arith.truncf %y to_nearest_away : f32 to tf32
    %p = arith.extf %u : tf32 to f32
    %q = arith.extf %v : tf32 to f32
    %m = arith.mulf %p, %q : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  } -> tensor<48x24xf32>
  return %r : tensor<48x24xf32>
}
func.func @rows_plain(%a: tensor<48x64xf32>, %b: tensor<64x24xf32>) -> tensor<48x24xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
        tiles = [[1, 4, 1, 2], [1, 8, 1, 2], [4, 1]], stages = [inner, inner], vector = 1, unroll = 16>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<48x24xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<48x24xf32>) -> tensor<48x24xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<48x64xf32>, tensor<64x24xf32>) outs(%f : tensor<48x24xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %u = arith.truncf %x to_nearest_away : f32 to tf32
    %v = arith.truncf %y to_nearest_away : f32 to tf32
    %p = arith.extf %u : tf32 to f32
    %q = arith.extf %v : tf32 to f32
    %m = arith.mulf %p, %q : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  } -> tensor<48x24xf32>
  return %r : tensor<48x24xf32>
}

func.func @one(%a: tensor<12288x1xf32>, %b: tensor<1x8xf32>) -> tensor<12288x8xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
        tiles = [[1, 8, 2, 1], [1, 4, 1, 2], [1, 8]], stages = [inner, inner],
        vector = 4, unroll = 16, pad = 4, instruction = mma_m16n8k8_tf32>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12288x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<12288x8xf32>) -> tensor<12288x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<12288x1xf32>, tensor<1x8xf32>) outs(%f : tensor<12288x8xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %u = arith.truncf %x to_nearest_away : f32 to tf32
    %v = arith.truncf %y to_nearest_away : f32 to tf32
    %p = arith.extf %u : tf32 to f32
    %q = arith.extf %v : tf32 to f32
    %m = arith.mulf %p, %q : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  } -> tensor<12288x8xf32>
  return %r : tensor<12288x8xf32>
}
func.func @one_plain(%a: tensor<12288x1xf32>, %b: tensor<1x8xf32>) -> tensor<12288x8xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
        tiles = [[1, 4, 1, 2], [1, 8, 1, 1], [1, 1]], stages = [inner, inner], vector = 1, unroll = 16>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12288x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<12288x8xf32>) -> tensor<12288x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<12288x1xf32>, tensor<1x8xf32>) outs(%f : tensor<12288x8xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %u = arith.truncf %x to_nearest_away : f32 to tf32
    %v = arith.truncf %y to_nearest_away : f32 to tf32
    %p = arith.extf %u : tf32 to f32
    %q = arith.extf %v : tf32 to f32
    %m = arith.mulf %p, %q : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  } -> tensor<12288x8xf32>
  return %r : tensor<12288x8xf32>
}
