// The prediction counts the form that is executed: the chosen one, or else the
// first.
// DEFINE: %{predict} = pruner-opt --pruner-predict-latency='target=file:%S/../Dialect/Pruner/Inputs/cpu.json threads=1' -o /dev/null
// RUN: pruner-opt %s --pruner-normalize --pruner-extract-tasks=join-products=measure -o %t.mlir
// RUN: %{predict} %t.mlir 2>&1 | FileCheck %s --check-prefix=SEPARATE
// RUN: sed 's/pruner.alternatives/pruner.alternatives chosen "joined"/' %t.mlir | %{predict} 2>&1 | FileCheck %s --check-prefix=JOINED

// SEPARATE:     remark: task_matmul_128x256x64_{{.*}} from 0{{.*}}s
// SEPARATE:     remark: task_matmul_128x64x256_{{.*}} from
// SEPARATE-NOT: task_chain
// SEPARATE:     2 calls of tasks {{.*}}, 1 operations outside
// JOINED-NOT:   task_matmul
// JOINED:       remark: task_chain_128x64x256_{{.*}} from 0{{.*}}s
// JOINED:       remark: tensor.pad: {{.*}} from {{[1-9].*}}s
// JOINED:       1 calls of tasks {{.*}}, 1 operations outside
func.func @mlp(%x: tensor<128x64xf32>, %a: tensor<64x256xf32>, %b: tensor<256x64xf32>) -> tensor<130x64xf32> {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<128x256xf32>
  %narrow = tensor.empty() : tensor<128x64xf32>
  %w = linalg.fill ins(%zero : f32) outs(%wide : tensor<128x256xf32>) -> tensor<128x256xf32>
  %n = linalg.fill ins(%zero : f32) outs(%narrow : tensor<128x64xf32>) -> tensor<128x64xf32>
  %0 = linalg.matmul ins(%x, %a : tensor<128x64xf32>, tensor<64x256xf32>) outs(%w : tensor<128x256xf32>) -> tensor<128x256xf32>
  %1 = linalg.matmul ins(%0, %b : tensor<128x256xf32>, tensor<256x64xf32>) outs(%n : tensor<128x64xf32>) -> tensor<128x64xf32>
  %2 = tensor.pad %1 low[0, 0] high[2, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<128x64xf32> to tensor<130x64xf32>
  return %2 : tensor<130x64xf32>
}
