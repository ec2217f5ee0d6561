// Products of f16 use tensor cores: block tiles become multiples of the
// instruction's 16x8x16, which the warps share. Other ops use threads.

// RUN: rm -rf %t && mkdir %t
// RUN: pruner-opt %s --pruner-normalize --pruner-extract-tasks | sed -e '/@task_matmul/s/attributes {/&pruner.schedule = #pruner.schedule<simt_tile, tiles = [[1, 8, 2, 4], [1, 16, 1, 4], [4, 8]], stages = [inner, inner], vector = 4, unroll = 16>, /' > %t/scheduled.mlir
// RUN: pruner-opt %s --pruner-export-iree-spec='schedules=%t/scheduled.mlir output=%t/spec.mlir target=cuda' -o /dev/null 2> %t/remarks
// RUN: FileCheck %s --input-file=%t/spec.mlir
// RUN: pruner-opt %s --pruner-export-iree-spec='schedules=%t/scheduled.mlir output=%t/old.mlir target=cuda iree-version=3.10' -o /dev/null 2> %t/remarks
// RUN: sed -e 's/#iree_gpu.pipeline<TileAndFuse>/LLVMGPUTileAndFuse/' %t/spec.mlir | cmp - %t/old.mlir
// RUN: pruner-opt %s --pruner-export-iree-spec='schedules=%t/scheduled.mlir output=%t/cpu.mlir' -o /dev/null 2>&1 | FileCheck %s --check-prefix=CPU
// CPU-COUNT-2: remark: the schedule of 'matmul_{{.*}}' is not exported: its schedule is for a GPU

func.func @half(%x: tensor<256x512xf16>, %w: tensor<512x128xf16>) -> tensor<256x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256x128xf32>) -> tensor<256x128xf32>
  %m = linalg.matmul ins(%x, %w : tensor<256x512xf16>, tensor<512x128xf16>) outs(%f : tensor<256x128xf32>) -> tensor<256x128xf32>
  return %m : tensor<256x128xf32>
}

func.func @single(%x: tensor<256x512xf32>, %w: tensor<512x128xf32>) -> tensor<256x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256x128xf32>) -> tensor<256x128xf32>
  %m = linalg.matmul ins(%x, %w : tensor<256x512xf32>, tensor<512x128xf32>) outs(%f : tensor<256x128xf32>) -> tensor<256x128xf32>
  return %m : tensor<256x128xf32>
}

// CHECK:      lhs_type = f16, rhs_type = f16, output_type = f32
// CHECK:      #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, promote_operands = [0, 1],
// CHECK-SAME:   reduction = [0, 0, 2], subgroup = [2, 4, 0], workgroup = [64, 64, 0]}>,
// CHECK-SAME:   translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<TileAndFuse> workgroup_size = [128, 1, 1] subgroup_size = 32>>
// CHECK:      lhs_type = f32, rhs_type = f32, output_type = f32
// CHECK:      #iree_gpu.lowering_config<{reduction = [0, 0, 32], thread = [8, 4, 0], workgroup = [64, 64, 0]}>,
// CHECK-SAME:   #iree_gpu.pipeline<TileAndFuse> workgroup_size = [128, 1, 1] subgroup_size = 32>>
