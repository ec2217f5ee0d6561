// Copies that run ahead compute the same as copies that do not, without races,
// also with more buffers than steps, expanded, and in a loop around the band.
// The product has two steps, or three of which the last is cut.

// DEFINE: %{K} = 16
// DEFINE: %{buffers} = 2
// DEFINE: %{unroll} = 0
// DEFINE: %{emulate} = pruner-opt --convert-pruner-to-gpu | pruner-emulate - --kernel=task_kernel --check-bounds --check-races --check-global --poison=2 --fill=random-int --print=2
// DEFINE: %{same} = sed 's/64x16x/64x%{K}x/; s/16x64x/%{K}x64x/' %s \
// DEFINE:   | pruner-opt --pruner-tile=target=nvidia:sm_80 -o %t.mlir \
// DEFINE:   && sed 's/ buffers [0-9]*//; s/ async//' %t.mlir | %{emulate} > %t.expected 2> %t.counts \
// DEFINE:   && sed 's/ buffers [0-9]*/ buffers %{buffers}/; s/reduction) {/reduction) unroll_max %{unroll} {/' %t.mlir | %{emulate} > %t.out 2>> %t.counts \
// DEFINE:   && cmp %t.expected %t.out

// RUN: %{same}
// RUN: FileCheck %s --input-file=%t.counts
// 256 threads wait twice in each of two steps, then once.
// CHECK: barriers 1024, shuffles 0, async copies 0
// CHECK: barriers 512, shuffles 0, async copies 512

// REDEFINE: %{buffers} = 3
// RUN: %{same}
// REDEFINE: %{unroll} = 1024
// RUN: %{same}
// REDEFINE: %{K} = 20
// RUN: %{same}
// REDEFINE: %{buffers} = 5
// RUN: %{same}
// REDEFINE: %{unroll} = 0
// RUN: %{same}

func.func @task(%A: tensor<64x16xf32>, %B: tensor<16x64xf32>) -> tensor<64x64xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
        tiles = [[1, 8, 1, 4], [1, 8, 1, 4], [8, 1]], stages = [inner, inner],
        vector = 4, unroll = 0, pad = 4, pipeline = 2>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.matmul ins(%A, %B : tensor<64x16xf32>, tensor<16x64xf32>)
                     outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
