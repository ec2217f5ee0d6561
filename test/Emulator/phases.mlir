// The emulator runs the output of convert-pruner-to-gpu. It contains the
// functions on tensors that call the kernel, and the kernel states its number of
// blocks and threads.
// RUN: pruner-opt %s --pruner-tile --convert-pruner-to-gpu -o %t.mlir
// RUN: pruner-emulate %t.mlir --kernel=task_kernel --fill=ones --poison=2 --print=2 2>&1 | FileCheck %s
// CHECK-DAG: blocks 10, threads 80, barriers
// CHECK-DAG: argument 2:{{( 24){111}$}}

// A single block leaves the rest unchanged.
// RUN: pruner-emulate %t.mlir --kernel=task_kernel --grid=1 --fill=ones --poison=2 --print=2 2>&1 | FileCheck %s --check-prefix=PART
// PART-DAG: blocks 1, threads 8, barriers
// PART-DAG: argument 2:{{.*}} 24 {{.*}} nan

// Each element is divided by its index. Zero by zero is undefined, without a trap.
// RUN: pruner-emulate %t.mlir --kernel=quotient_kernel --poison=1 --print=1 2>&1 | FileCheck %s --check-prefix=QUOTIENT
// QUOTIENT-DAG: argument 1: {{.*}} 4 4 4 4 4 4 4 4 4 4

func.func @network(%a: tensor<3x24xf32>, %b: tensor<24x37xf32>) -> tensor<3x37xf32> {
  %r = call @task(%a, %b) : (tensor<3x24xf32>, tensor<24x37xf32>) -> tensor<3x37xf32>
  return %r : tensor<3x37xf32>
}
func.func private @task(%a: tensor<3x24xf32>, %b: tensor<24x37xf32>) -> tensor<3x37xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile, tiles = [[1, 2, 1, 1], [1, 4, 1, 2], [2, 4]],
        stages = [inner, inner], vector = 1, unroll = 16>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x37xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<3x37xf32>) -> tensor<3x37xf32>
  %r = linalg.matmul ins(%a, %b : tensor<3x24xf32>, tensor<24x37xf32>) outs(%f : tensor<3x37xf32>) -> tensor<3x37xf32>
  return %r : tensor<3x37xf32>
}
func.func private @quotient(%a: tensor<11xi32>) -> tensor<11xi32>
    attributes {pruner.schedule = #pruner.schedule<simt_map, tiles = [[4, 2]], stages = [none], vector = 2, unroll = 0>} {
  %c4 = arith.constant 4 : i32
  %e = tensor.empty() : tensor<11xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : tensor<11xi32>) outs(%e : tensor<11xi32>) {
  ^bb0(%x: i32, %o: i32):
    %p = arith.muli %x, %c4 : i32
    %q = arith.divsi %p, %x : i32
    linalg.yield %q : i32
  } -> tensor<11xi32>
  return %r : tensor<11xi32>
}
