// The IR of a pipeline with asynchronous copies can be read again after every
// pass to the NVVM dialect. An nvgpu.device_async_create_group without operands
// and attributes cannot: its parser takes the result of the next operation for
// an operand.
// RUN: rm -rf %t
// RUN: pruner-opt %s --pruner-tile=target=nvidia:sm_80 --convert-pruner-to-gpu --canonicalize --cse --pruner-to-nvvm --mlir-disable-threading --mlir-print-ir-after-all --mlir-print-ir-module-scope --mlir-print-ir-tree-dir=%t -o %t.last
// RUN: find %t -name '*.mlir' | xargs -n 1 pruner-opt --verify-roundtrip -o /dev/null
// RUN: pruner-opt %t.last --verify-roundtrip | FileCheck %s --check-prefix=LAST
// RUN: find %t -name '*.mlir' | xargs grep -l 'device_async_create_group .*{all}' | sort | FileCheck %s --check-prefix=GROUPS
// The text without the attribute is rejected. Once it is not, the attribute is
// superfluous.
// RUN: pruner-opt %s --pruner-tile=target=nvidia:sm_80 --convert-pruner-to-gpu | sed 's/create_group  {all}/create_group/' | not pruner-opt 2>&1 | FileCheck %s --check-prefix=WITHOUT

// LAST: nvvm.cp.async.commit.group
// GROUPS: 1_convert-pruner-to-gpu.mlir
// GROUPS: 2_canonicalize.mlir
// GROUPS: 3_cse.mlir
// GROUPS: pruner-annotate-pointers.mlir
// WITHOUT: error: expected operation name in quotes

func.func @both(%A: tensor<64x96xf32>, %B: tensor<96x64xf32>) -> tensor<64x64xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
        tiles = [[1, 8, 1, 4], [1, 8, 1, 4], [8, 1]],
        stages = [inner, inner], vector = 4, unroll = 0, pad = 4, pipeline = 3>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.matmul ins(%A, %B : tensor<64x96xf32>, tensor<96x64xf32>)
                     outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
