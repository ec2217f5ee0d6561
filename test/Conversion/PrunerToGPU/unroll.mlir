// The limit is 1,024 unrolled iterations and these are 960. With the copies of
// each thread there would be more than 4,096 pieces of code, so the loop stays.
// RUN: pruner-opt %s --pruner-tile --convert-pruner-to-gpu | FileCheck %s --check-prefix=LOOP

// LOOP: gpu.func @task_kernel(
// LOOP: scf.for
// LOOP-COUNT-2: gpu.barrier
// LOOP-NOT: gpu.barrier
// LOOP: scf.yield

// A quarter of the reduction is expanded.
// RUN: sed 's/960/240/g' %s | pruner-opt --pruner-tile --convert-pruner-to-gpu | FileCheck %s --check-prefix=FLAT

// FLAT: gpu.func @task_kernel(
// FLAT-NOT: scf.for
// FLAT-COUNT-100: gpu.barrier
func.func @task(%A: tensor<256x960xf32>, %B: tensor<960x2xf32>) -> tensor<256x2xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
        tiles = [[1, 64, 4, 1], [1, 2, 1, 1], [1, 4]],
        stages = [inner, inner], vector = 2, unroll = 1024, pad = 2>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x2xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<256x2xf32>) -> tensor<256x2xf32>
  %r = linalg.matmul ins(%A, %B : tensor<256x960xf32>, tensor<960x2xf32>)
                     outs(%f : tensor<256x2xf32>) -> tensor<256x2xf32>
  return %r : tensor<256x2xf32>
}
