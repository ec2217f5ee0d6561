// Steps that copy to shared memory stay a loop, although `unroll` allows 1,024
// iterations and these are 240. The four iterations of a step are expanded.
// RUN: sed 's/STAGES/inner, inner/;s/960/240/g' %s \
// RUN:   | pruner-opt --pruner-tile --convert-pruner-to-gpu | FileCheck %s --check-prefix=STEPS

// STEPS: gpu.func @task_kernel(
// STEPS: scf.for
// STEPS-NOT: scf.for
// STEPS-COUNT-2: gpu.barrier
// STEPS-NOT: gpu.barrier
// STEPS: scf.yield

// Without copies all 240 iterations are expanded.
// RUN: sed 's/STAGES/none, none/;s/960/240/g' %s \
// RUN:   | pruner-opt --pruner-tile --convert-pruner-to-gpu | FileCheck %s --check-prefix=FLAT

// FLAT: gpu.func @task_kernel(
// FLAT-NOT: scf.for
// FLAT: gpu.return

// 960 iterations of eight elements would be more than 4,096 pieces of code.
// RUN: sed 's/STAGES/none, none/;s/64, 4, 1/32, 4, 2/' %s \
// RUN:   | pruner-opt --pruner-tile --convert-pruner-to-gpu | FileCheck %s --check-prefix=LOOP

// LOOP: gpu.func @task_kernel(
// LOOP: scf.for
// LOOP: scf.yield
func.func @task(%A: tensor<256x960xf32>, %B: tensor<960x2xf32>) -> tensor<256x2xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
        tiles = [[1, 64, 4, 1], [1, 2, 1, 1], [1, 4]],
        stages = [STAGES], vector = 2, unroll = 1024, pad = 2>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x2xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<256x2xf32>) -> tensor<256x2xf32>
  %r = linalg.matmul ins(%A, %B : tensor<256x960xf32>, tensor<960x2xf32>)
                     outs(%f : tensor<256x2xf32>) -> tensor<256x2xf32>
  return %r : tensor<256x2xf32>
}
