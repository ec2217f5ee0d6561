// A specification has a matcher for each contraction and convolution with a
// schedule. The module does not change.

// RUN: rm -rf %t && mkdir %t
// RUN: pruner-opt %s --pruner-normalize --pruner-extract-tasks -o %t/tasks.mlir
// RUN: sed -e '/@task_matmul/s/attributes {/&pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[2, 1, 8], [2, 2, 32], [256]], stages = [none, inner], vector = 16, unroll = 4>, /' -e '/@task_conv/s/attributes {/&pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 8], [1, 7, 2], [1, 1, 14], [4], [3], [3]], stages = [none, none], vector = 2, unroll = 1>, /' -e '/@task_reduce_sum/s/attributes {/&pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 16], [512]], stages = [none], vector = 16, unroll = 1>, /' %t/tasks.mlir > %t/scheduled.mlir
// RUN: pruner-opt %s --pruner-export-iree-spec='schedules=%t/scheduled.mlir output=%t/new.mlir' -o %t/same.mlir 2> %t/remarks
// RUN: pruner-opt %s -o %t/unchanged.mlir
// RUN: cmp %t/same.mlir %t/unchanged.mlir
// RUN: FileCheck %s --input-file=%t/new.mlir
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t/remarks

// The releases differ only in the spelling of pipelines.

// RUN: pruner-opt %s --pruner-export-iree-spec='schedules=%t/scheduled.mlir output=%t/old.mlir iree-version=3.11.0' -o /dev/null 2> %t/ignored
// RUN: FileCheck %s --check-prefix=OLD --input-file=%t/old.mlir
// RUN: sed -e 's/#iree_cpu.pipeline<\([A-Za-z]*\)>/CPU\1/' %t/new.mlir | cmp - %t/old.mlir
// OLD-DAG: pipeline = CPUDoubleTilingExpert>>
// OLD-DAG: pipeline = CPUConvTileAndDecomposeExpert>>

// All schedules must be for the same kind of target.

// RUN: pruner-opt %s --pruner-export-iree-spec='schedules=%t/scheduled.mlir output=%t/none.mlir target=cuda' -o /dev/null 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: FileCheck %s --check-prefix=EMPTY --input-file=%t/none.mlir
// CPU-DAG: remark: the schedule of 'matmul_{{.*}}' is not exported: its schedule is for a CPU
// CPU-DAG: remark: the schedule of 'conv_{{.*}}' is not exported: its schedule is for a CPU
// EMPTY:      module attributes {transform.with_named_sequence} {
// EMPTY-NEXT: @__kernel_config(%module: !transform.any_op {transform.readonly})
// EMPTY:      transform.yield %module

func.func @product(%x: tensor<128x512xf32>, %w: tensor<256x512xf32>) -> tensor<128x256xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x256xf32>) -> tensor<128x256xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<128x512xf32>, tensor<256x512xf32>) outs(%f : tensor<128x256xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<128x256xf32>
  return %m : tensor<128x256xf32>
}

func.func @window(%x: tensor<1x8x16x16xf32>, %w: tensor<16x8x3x3xf32>) -> tensor<1x16x14x14xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16x14x14xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x14x14xf32>) -> tensor<1x16x14x14xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x8x16x16xf32>, tensor<16x8x3x3xf32>) outs(%f : tensor<1x16x14x14xf32>) -> tensor<1x16x14x14xf32>
  return %r : tensor<1x16x14x14xf32>
}

func.func @sums(%x: tensor<64x512xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %r = linalg.reduce ins(%x : tensor<64x512xf32>) outs(%f : tensor<64xf32>) dimensions = [1]
    (%a: f32, %b: f32) {
      %s = arith.addf %a, %b : f32
      linalg.yield %s : f32
    }
  return %r : tensor<64xf32>
}

// CHECK:       module attributes {iree_codegen.tuning_spec_with_default_entrypoint, transform.with_named_sequence}
// CHECK:       transform.named_sequence @apply_op_config(
// CHECK:         transform.annotate %op "compilation_info" = %config

// 8 * 4 steps of the reduction are unrolled, of slices of 256.

// CHECK:       transform.named_sequence @[[MATMUL:match_matmul_128x256x512_[0-9a-f]+]](%op: !transform.any_op {transform.readonly}) -> (!transform.any_op, !transform.any_param)
// CHECK:         %batch, %m, %n, %k = transform.iree.match.contraction %op,
// CHECK-NEXT:      lhs_type = f32, rhs_type = f32, output_type = f32,
// CHECK-NEXT:      indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>,
// CHECK-NEXT:                       affine_map<(d0, d1, d2) -> (d1, d2)>,
// CHECK-NEXT:                       affine_map<(d0, d1, d2) -> (d0, d1)>]
// CHECK-NEXT:      : !transform.any_op -> !transform.param<i64>
// CHECK-NEXT:    transform.iree.match.dims_equal %batch, [] : !transform.param<i64>
// CHECK-NEXT:    transform.iree.match.dims_equal %m, [128]
// CHECK-NEXT:    transform.iree.match.dims_equal %n, [256]
// CHECK-NEXT:    transform.iree.match.dims_equal %k, [512]
// CHECK-NEXT:    %config = transform.param.constant #iree_codegen.compilation_info<lowering_config = #iree_cpu.lowering_config<
// CHECK-SAME:      distribution = [8, 64, 0],
// CHECK-SAME:      vector_common_parallel = [8, 32, 0], vector_reduction = [0, 0, 32]>,
// CHECK-SAME:      translation_info = #iree_codegen.translation_info<pipeline = #iree_cpu.pipeline<DoubleTilingExpert>>>

// One line of the image at a time, and one point of the window.

// CHECK:       transform.named_sequence @[[CONV:match_conv_[0-9a-z_]+]](
// CHECK:         transform.iree.match.convolution %op,
// CHECK:         dims_equal %image, [14, 14]
// CHECK-NEXT:    dims_equal %channel, [16]
// CHECK-NEXT:    dims_equal %window, [3, 3]
// CHECK-NEXT:    dims_equal %sum, [8]
// CHECK-NEXT:    dims_equal %depth, []
// CHECK-NEXT:    dims_equal %strides, [1, 1]
// CHECK-NEXT:    dims_equal %dilations, [1, 1]
// CHECK-NEXT:    {{.*}}#iree_cpu.lowering_config<distribution = [1, 8, 14, 14, 0, 0, 0]
// CHECK-SAME:    vector_common_parallel = [1, 8, 1, 14, 0, 0, 0], vector_reduction = [0, 0, 0, 0, 4, 1, 1]
// CHECK-SAME:    #iree_cpu.pipeline<ConvTileAndDecomposeExpert>

// CHECK:       transform.named_sequence @__kernel_config(%module: !transform.any_op {transform.consumed}) -> !transform.any_op
// CHECK-NEXT:    attributes {iree_codegen.tuning_spec_entrypoint}
// CHECK-NEXT:    transform.foreach_match in %module
// CHECK-NEXT:      @[[MATMUL]] -> @apply_op_config,
// CHECK-NEXT:      @[[CONV]] -> @apply_op_config
// CHECK-NEXT:      : (!transform.any_op) -> !transform.any_op

// REMARK-DAG: remark: the schedule of 'matmul_{{.*}}' is exported without buffers of its inputs, which IREE chooses itself
// REMARK-DAG: remark: the schedule of 'conv_{{.*}}' is exported without register tiles of more than one line
// REMARK-DAG: remark: the schedule of 'reduce_sum_{{.*}}' is not exported: it is neither a contraction nor a convolution
