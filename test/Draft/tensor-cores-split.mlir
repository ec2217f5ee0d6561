// Products with few results and long sums leave most SMs idle, so that the first
// drafts split the sum among blocks. Tiles of warps are few: 64 of 128 x 256
// results, or 128 smaller tiles, share 108 SMs best in two or three parts. A sum
// that gives every SM a tile is not split.
//
// RUN: pruner-opt %s --pruner-draft='lower=false target=nvidia:sm_80' | FileCheck %s
// RUN: pruner-opt %s --pruner-draft='lower=false target=nvidia:sm_90a' | FileCheck %s --check-prefix=HOPPER

// CHECK: func.func private @task_matmul_64x64x16384
// CHECK-SAME: split = {{\[(24|32|48|64|96|128)\]}},{{.*}} instruction = mma_m16n8k16_f16>
// CHECK: func.func private @task_matmul_2048x1024x8192
// CHECK-SAME: split = {{\[[23]\]}},{{.*}} instruction = mma_m16n8k16_f16>
// CHECK: func.func private @task_matmul_4096x4096x4096
// CHECK-NOT: split
// CHECK: instruction = mma_m16n8k16_f16>

// HOPPER: func.func private @task_matmul_64x64x16384
// HOPPER-SAME: split = {{\[(24|32|48|64|96|128)\]}},{{.*}} instruction = mma_m16n8k16_f16>
func.func @main(%a: tensor<64x16384xf16>, %b: tensor<16384x64xf16>,
                %c: tensor<2048x8192xf16>, %d: tensor<8192x1024xf16>,
                %p: tensor<4096x4096xf16>, %q: tensor<4096x4096xf16>)
    -> (tensor<64x64xf32>, tensor<2048x1024xf32>, tensor<4096x4096xf32>) {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<64x64xf32>
  %i0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<64x16384xf16>, tensor<16384x64xf16>) outs(%i0 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %e1 = tensor.empty() : tensor<2048x1024xf32>
  %i1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2048x1024xf32>) -> tensor<2048x1024xf32>
  %1 = linalg.matmul ins(%c, %d : tensor<2048x8192xf16>, tensor<8192x1024xf16>) outs(%i1 : tensor<2048x1024xf32>) -> tensor<2048x1024xf32>
  %e2 = tensor.empty() : tensor<4096x4096xf32>
  %i2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %2 = linalg.matmul ins(%p, %q : tensor<4096x4096xf16>, tensor<4096x4096xf16>) outs(%i2 : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  return %0, %1, %2 : tensor<64x64xf32>, tensor<2048x1024xf32>, tensor<4096x4096xf32>
}
