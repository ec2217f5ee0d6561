// The choice of the analytical model without measuring: always the same for one
// seed, and correct.
// RUN: pruner-opt %s --pruner-draft='lower=false threads=1 population=64' | FileCheck %s
// RUN: pruner-opt %s --pruner-draft='lower=false threads=1 population=64' -o %t.once
// RUN: pruner-opt %t.once --pruner-draft='lower=false threads=1 population=64 seed=7' | diff - %t.once
// RUN: pruner-opt %s --pruner-draft='threads=1 population=64' | FileCheck %s --check-prefix=LOWERED
// RUN: pruner-opt %s --pruner-draft='lower=false target=nvidia:sm_80 population=64' | FileCheck %s --check-prefix=GPU

// CHECK: func.func private @task_matmul_64x48x32_{{.*}}pruner.schedule = #pruner.schedule<cpu_tile
// LOWERED: func.func private @task_matmul_64x48x32_
// LOWERED: vector.
// LOWERED-NOT: pruner.schedule
// GPU: pruner.schedule = #pruner.schedule<simt_
func.func @main(%a: tensor<64x32xf32>, %b: tensor<32x48xf32>) -> tensor<64x48xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %c = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x48xf32>)
                     outs(%i : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %c : tensor<64x48xf32>
}
