// RUN: pruner-opt %s --pruner-list-sketches=target=file:%S/../Dialect/Pruner/Inputs/cpu.json -o /dev/null 2>&1 | FileCheck %s
// RUN: pruner-opt %s --pruner-list-sketches=target=nvidia:sm_80 -o /dev/null 2>&1 | FileCheck %s --check-prefix=GPU

// CHECK: task_matmul_128x256x64_{{[0-9a-f]+}}
// CHECK-NEXT: cpu_tile: {{[0-9.e+]+}} schedules, {{[0-9]+}} % of {{[0-9]+}} draws legal (R
// CHECK: tile d0 cache: 1 2
// CHECK: stage of input 0: none inner outer{{$}}
// CHECK-NEXT: stage of input 1: none inner outer ahead{{$}}
// CHECK: cpu_map: R1: variant cpu_map needs an anchor without reduction dimensions, but the task has some
// CHECK-NEXT: cpu_row: R1: variant cpu_row is only for chains over rows, but the task is not one
// CHECK-NEXT: cpu_chain: R1: variant cpu_chain is only for chains between products, but the task is not one

// GPU: task_matmul_128x256x64_{{[0-9a-f]+}}
// GPU-NEXT: simt_tile: {{[0-9.e+]+}} schedules
// GPU: simt_map: R1: variant simt_map needs an anchor without reduction dimensions, but the task has some
// GPU-NEXT: simt_row: {{[0-9.e+]+}} schedules
// GPU: task_rows_64x320_{{[0-9a-f]+}}
// GPU-NEXT: simt_tile: R1: variant simt_tile is not for chains over rows, but the task is one
// GPU-NEXT: simt_map: R1: variant simt_map is not for chains over rows, but the task is one
// GPU-NEXT: simt_row: {{[0-9.e+]+}} schedules, {{[0-9]+}} % of {{[0-9]+}} draws legal
// GPU: tile d1 thread: 1 2 4 8 16 32 64 128 256{{$}}
// GPU-NEXT: tile d1 element: 1 2 4 8{{$}}
func.func @main(%a: tensor<128x64xf32>, %b: tensor<64x256xf32> {pruner.constant}) -> tensor<128x256xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x256xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<128x256xf32>) -> tensor<128x256xf32>
  %c = linalg.matmul ins(%a, %b : tensor<128x64xf32>, tensor<64x256xf32>)
                     outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %c : tensor<128x256xf32>
}

func.func @softmax(%x: tensor<64x320xf32>) -> tensor<64x320xf32> {
  %e = tensor.empty() : tensor<64x320xf32>
  %s = linalg.softmax dimension(1) ins(%x : tensor<64x320xf32>) outs(%e : tensor<64x320xf32>) -> tensor<64x320xf32>
  return %s : tensor<64x320xf32>
}
