// Upstream calls poolings convolutions: the interface speaks of maps, not of the
// body. IREE's matchers do the same, so a maximum would get the schedule of a
// sum, and no pooling is exported.

// RUN: rm -rf %t && mkdir %t
// RUN: pruner-opt %s --pruner-normalize --pruner-extract-tasks -o %t/tasks.mlir
// RUN: sed -e '/@task_pool/s/attributes {/&pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 5, 1], [1, 5, 3], [1, 1, 16], [3], [3]], stages = [none], vector = 16, unroll = 1>, /' %t/tasks.mlir > %t/scheduled.mlir
// RUN: pruner-opt %s --pruner-export-iree-spec='schedules=%t/scheduled.mlir output=%t/spec.mlir' -o /dev/null 2> %t/remarks
// RUN: FileCheck %s --input-file=%t/spec.mlir
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t/remarks

func.func @pool(%x: tensor<1x17x17x16xf32>) -> (tensor<1x15x15x16xf32>, tensor<1x15x15x16xf32>) {
  %w = tensor.empty() : tensor<3x3xf32>
  %e = tensor.empty() : tensor<1x15x15x16xf32>
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x15x15x16xf32>) -> tensor<1x15x15x16xf32>
  %g = linalg.fill ins(%least : f32) outs(%e : tensor<1x15x15x16xf32>) -> tensor<1x15x15x16xf32>
  %s = linalg.pooling_nhwc_sum ins(%x, %w : tensor<1x17x17x16xf32>, tensor<3x3xf32>) outs(%f : tensor<1x15x15x16xf32>) -> tensor<1x15x15x16xf32>
  %m = linalg.pooling_nhwc_max ins(%x, %w : tensor<1x17x17x16xf32>, tensor<3x3xf32>) outs(%g : tensor<1x15x15x16xf32>) -> tensor<1x15x15x16xf32>
  return %s, %m : tensor<1x15x15x16xf32>, tensor<1x15x15x16xf32>
}

// CHECK-NOT: transform.iree.match

// REMARK-DAG: remark: the schedule of 'pool_sum_2d_{{.*}}' is not exported: it is neither a contraction nor a convolution, and IREE only has matchers for these
// REMARK-DAG: remark: the schedule of 'pool_max_2d_{{.*}}' is not exported: it is neither a contraction nor a convolution, and IREE only has matchers for these
