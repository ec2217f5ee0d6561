// The analytical model drafts tensor cores for narrow products where the chip
// has the instruction. The tiles of the product of f16 are those of libraries:
// 128 or 256 rows and columns of a block, 64 x 64 of a warp, and 2 to 4 buffers.
//
// RUN: pruner-opt %s --pruner-draft='lower=false target=nvidia:sm_80' -o %t.80.mlir
// RUN: FileCheck %s --input-file=%t.80.mlir
// RUN: pruner-opt %s --pruner-draft='lower=false target=nvidia:sm_75' | FileCheck %s --check-prefix=TURING
//
// Without a rate in the description of the machine the model cannot judge them.
// RUN: pruner-machine nvidia:sm_80 --json | grep -v TensorRate | sed 's/"sharedBytesPerCycle": 128,/"sharedBytesPerCycle": 128/' > %t.json
// RUN: pruner-opt %s --pruner-draft='lower=false target=file:%t.json' | FileCheck %s --check-prefix=NONE --implicit-check-not=mma_

// CHECK: func.func private @task_matmul_4096x4096x4096
// CHECK-SAME: tiles = {{\[\[1, (16|32), 8, 1\], \[1, (8|16), 8, 2\], \[1, (32|64)\]\]}}, stages = [inner, inner]
// CHECK-SAME: pipeline = {{[234]}}, instruction = mma_m16n8k16_f16>
// CHECK: func.func private @task_batch_matmul_
// CHECK-SAME: instruction = mma_m16n8k16_bf16
// CHECK: func.func private @task_conv_2d_nhwc_hwcf_
// CHECK-SAME: instruction = mma_m16n8k16_f16
// CHECK: func.func private @task_matmul_1024x1024x1024
// CHECK-SAME: instruction = mma_m16n8k32_s8

// TURING: func.func private @task_matmul_4096x4096x4096
// TURING-SAME: instruction = mma_m16n8k8_f16
// TURING: func.func private @task_batch_matmul_
// TURING-NOT: instruction
// TURING: func.func private @task_conv_2d_nhwc_hwcf_
// TURING-SAME: instruction = mma_m16n8k8_f16
// TURING: func.func private @task_matmul_1024x1024x1024
// TURING-SAME: instruction = mma_m8n8k16_s8

// NONE: pruner.schedule
func.func @main(%a: tensor<4096x4096xf16>, %b: tensor<4096x4096xf16>,
                %p: tensor<96x512x64xbf16>, %q: tensor<96x64x512xbf16>,
                %x: tensor<32x58x58x64xf16>, %w: tensor<3x3x64x64xf16>,
                %s: tensor<1024x1024xi8>, %t: tensor<1024x1024xi8>)
    -> (tensor<4096x4096xf32>, tensor<96x512x512xf32>, tensor<32x56x56x64xf32>, tensor<1024x1024xi32>) {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : i32
  %e0 = tensor.empty() : tensor<4096x4096xf32>
  %i0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<4096x4096xf16>, tensor<4096x4096xf16>) outs(%i0 : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %e1 = tensor.empty() : tensor<96x512x512xf32>
  %i1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<96x512x512xf32>) -> tensor<96x512x512xf32>
  %1 = linalg.batch_matmul ins(%p, %q : tensor<96x512x64xbf16>, tensor<96x64x512xbf16>) outs(%i1 : tensor<96x512x512xf32>) -> tensor<96x512x512xf32>
  %e2 = tensor.empty() : tensor<32x56x56x64xf32>
  %i2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<32x56x56x64xf32>) -> tensor<32x56x56x64xf32>
  %2 = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<32x58x58x64xf16>, tensor<3x3x64x64xf16>) outs(%i2 : tensor<32x56x56x64xf32>) -> tensor<32x56x56x64xf32>
  %e3 = tensor.empty() : tensor<1024x1024xi32>
  %i3 = linalg.fill ins(%none : i32) outs(%e3 : tensor<1024x1024xi32>) -> tensor<1024x1024xi32>
  %3 = linalg.matmul ins(%s, %t : tensor<1024x1024xi8>, tensor<1024x1024xi8>) outs(%i3 : tensor<1024x1024xi32>) -> tensor<1024x1024xi32>
  return %0, %1, %2, %3 : tensor<4096x4096xf32>, tensor<96x512x512xf32>, tensor<32x56x56x64xf32>, tensor<1024x1024xi32>
}
