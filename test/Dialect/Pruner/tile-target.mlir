// RUN: not pruner-opt %s --pruner-tile=target=tpu 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not pruner-opt %s --pruner-tile=target=file:%t.none 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: pruner-opt %s --pruner-tile | FileCheck %s
// RUN: pruner-opt %s --pruner-tile=target=nvidia:sm_90a | FileCheck %s

// UNKNOWN: error: {{.*}}tpu
// MISSING: error: {{.*}}.none

// A GPU schedule without a target is checked against nvidia:sm_80.
// CHECK: pruner.kernel gpu
func.func @exp(%a: tensor<64x64xf32>) -> tensor<64x64xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_map, tiles = [[8, 1], [32, 2]],
      stages = [none], vector = 1, unroll = 0>} {
  %e = tensor.empty() : tensor<64x64xf32>
  %r = linalg.exp ins(%a : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
