// Accumulators of f16: two of them share a register, in the steps of the loop as
// well. Nothing in a loop takes a pair apart. A function is compiled twice, with
// tensor cores and without. Small integers have exact sums, so both compute the
// same.
// RUN: pruner-opt %s --pruner-tile=target=nvidia:sm_80 --convert-pruner-to-gpu -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: pruner-opt %t.mlir --pruner-to-nvvm -o %t.nvvm.mlir
// RUN: pruner-translate %t.nvvm.mlir --to=ptx --chip=sm_80 -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx --check-prefix=PTX

// Older chips have the shorter instruction.
// RUN: not pruner-opt %s --pruner-tile=target=nvidia:sm_75 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: illegal schedule: R27: 'sm_75' has no mma_m16n8k16_f16_f16 with registers of 16 bytes

// CHECK: gpu.func @rows_kernel
// CHECK: scf.for {{.*}} -> (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)
// CHECK: vector.from_elements %{{.*}}, %{{.*}} : vector<2xf16>
// CHECK: nvvm.mma.sync A[{{.*}}] B[{{.*}}] C[{{[^,]*, [^,]*}}] {{.*}} shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
// CHECK: gpu.func @rows_plain_kernel

// PTX-LABEL: .entry rows_kernel(
// PTX: mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16
// PTX-NEXT: {%r{{[0-9]+}}, %r{{[0-9]+}}},
// PTX-LABEL: .entry rows_plain_kernel(
// PTX-NOT: mma.sync
// PTX-LABEL: .entry steps_kernel(
// PTX: $L__BB0_[[LOOP:[0-9]+]]:
// PTX-NOT: {%rs
// PTX-COUNT-6: mma.sync
// PTX-NOT: mma.sync
// PTX-NOT: {%rs
// PTX: bra{{.*}}$L__BB0_[[LOOP]];

// RUN: pruner-emulate --ptx=%t.ptx --kernel=rows_kernel --arguments=f16x3072,f16x1536,f16x1152 --grid=3 --block=32 --fill=random-int --poison=2 --print=2 > %t.rows
// RUN: pruner-emulate --ptx=%t.ptx --kernel=rows_plain_kernel --arguments=f16x3072,f16x1536,f16x1152 --grid=12 --block=32 --fill=random-int --poison=2 --print=2 | diff - %t.rows

func.func @rows(%a: tensor<48x64xf16>, %b: tensor<64x24xf16>) -> tensor<48x24xf16>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
        tiles = [[1, 8, 2, 1], [1, 4, 3, 2], [1, 32]], stages = [inner, inner],
        vector = 8, unroll = 16, pad = 8, pipeline = 2, instruction = mma_m16n8k16_f16_f16>} {
  %z = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<48x24xf16>
  %f = linalg.fill ins(%z : f16) outs(%e : tensor<48x24xf16>) -> tensor<48x24xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<48x64xf16>, tensor<64x24xf16>) outs(%f : tensor<48x24xf16>) {
  ^bb0(%x: f16, %y: f16, %s: f16):
    %m = arith.mulf %x, %y fastmath<contract> : f16
    %t = arith.addf %s, %m fastmath<contract> : f16
    linalg.yield %t : f16
  } -> tensor<48x24xf16>
  return %r : tensor<48x24xf16>
}
func.func @rows_plain(%a: tensor<48x64xf16>, %b: tensor<64x24xf16>) -> tensor<48x24xf16>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
        tiles = [[1, 4, 1, 2], [1, 8, 1, 2], [4, 1]], stages = [inner, inner], vector = 1, unroll = 16>} {
  %z = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<48x24xf16>
  %f = linalg.fill ins(%z : f16) outs(%e : tensor<48x24xf16>) -> tensor<48x24xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<48x64xf16>, tensor<64x24xf16>) outs(%f : tensor<48x24xf16>) {
  ^bb0(%x: f16, %y: f16, %s: f16):
    %m = arith.mulf %x, %y fastmath<contract> : f16
    %t = arith.addf %s, %m fastmath<contract> : f16
    linalg.yield %t : f16
  } -> tensor<48x24xf16>
  return %r : tensor<48x24xf16>
}
func.func @steps(%a: tensor<48x512xf16>, %b: tensor<512x24xf16>) -> tensor<48x24xf16>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
        tiles = [[1, 8, 2, 1], [1, 4, 3, 2], [1, 32]], stages = [inner, inner],
        vector = 8, unroll = 16, pad = 8, pipeline = 2, instruction = mma_m16n8k16_f16_f16>} {
  %z = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<48x24xf16>
  %f = linalg.fill ins(%z : f16) outs(%e : tensor<48x24xf16>) -> tensor<48x24xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<48x512xf16>, tensor<512x24xf16>) outs(%f : tensor<48x24xf16>) {
  ^bb0(%x: f16, %y: f16, %s: f16):
    %m = arith.mulf %x, %y fastmath<contract> : f16
    %t = arith.addf %s, %m fastmath<contract> : f16
    linalg.yield %t : f16
  } -> tensor<48x24xf16>
  return %r : tensor<48x24xf16>
}
