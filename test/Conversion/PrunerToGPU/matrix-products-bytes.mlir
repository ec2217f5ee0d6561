// Bytes on sm_75, whose instruction multiplies 8 rows: each product of 16 rows
// is two of them with the same fragment of b.
// RUN: pruner-opt %s --pruner-tile=target=nvidia:sm_75 --convert-pruner-to-gpu -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: pruner-opt %t.mlir --pruner-to-nvvm -o %t.nvvm.mlir
// RUN: pruner-translate %t.nvvm.mlir --to=ptx --chip=sm_75 -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx --check-prefix=PTX
// RUN: pruner-emulate --ptx=%t.ptx --kernel=bytes_kernel --arguments=i8x2800,i8x1680,i32x960 --grid=6 --block=32 --fill=random-int --poison=2 --print=2 > %t.bytes
// RUN: pruner-emulate --ptx=%t.ptx --kernel=bytes_plain_kernel --arguments=i8x2800,i8x1680,i32x960 --grid=10 --block=32 --fill=random-int --poison=2 --print=2 | diff - %t.bytes

// CHECK: gpu.func @bytes_kernel
// CHECK: nvgpu.ldmatrix {{.*}} {numTiles = 2 : i32, transpose = false} : {{.*}} -> vector<2x4xi8>
// CHECK: nvvm.mma.sync A[%{{[0-9]+}}] B[%[[B:[0-9]+]]] C[{{[^,]*}}, {{[^,]*}}] {{.*}} shape = #nvvm.shape<m = 8, n = 8, k = 16>}
// CHECK-NEXT: nvvm.mma.sync A[%{{[0-9]+}}] B[%[[B]]] C[{{[^,]*}}, {{[^,]*}}] {{.*}} shape = #nvvm.shape<m = 8, n = 8, k = 16>}

// PTX-LABEL: .entry bytes_kernel(
// PTX-COUNT-4: mma.sync.aligned.m8n8k16.row.col.s32.u8.s8.s32

func.func @bytes(%a: tensor<40x70xi8>, %b: tensor<70x24xi8>) -> tensor<40x24xi32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
        tiles = [[1, 8, 2, 1], [1, 4, 2, 2], [1, 16]], stages = [inner, inner],
        vector = 8, unroll = 16, pad = 16, pipeline = 2, instruction = mma_m8n8k16_u8s8>} {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<40x24xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<40x24xi32>) -> tensor<40x24xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<40x70xi8>, tensor<70x24xi8>) outs(%f : tensor<40x24xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %p = arith.extui %x : i8 to i32
    %q = arith.extsi %y : i8 to i32
    %m = arith.muli %p, %q : i32
    %t = arith.addi %s, %m : i32
    linalg.yield %t : i32
  } -> tensor<40x24xi32>
  return %r : tensor<40x24xi32>
}
func.func @bytes_plain(%a: tensor<40x70xi8>, %b: tensor<70x24xi8>) -> tensor<40x24xi32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile, tiles = [[1, 4, 1, 2], [1, 8, 1, 2], [4, 1]], stages = [inner, inner], vector = 1, unroll = 16>} {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<40x24xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<40x24xi32>) -> tensor<40x24xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<40x70xi8>, tensor<70x24xi8>) outs(%f : tensor<40x24xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %p = arith.extui %x : i8 to i32
    %q = arith.extsi %y : i8 to i32
    %m = arith.muli %p, %q : i32
    %t = arith.addi %s, %m : i32
    linalg.yield %t : i32
  } -> tensor<40x24xi32>
  return %r : tensor<40x24xi32>
}
