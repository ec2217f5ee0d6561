hal.executable public @main_dispatch_5 {
  hal.executable.variant public @embedded_elf_x86_64 target(<"llvm-cpu", "embedded-elf-x86_64", {cpu = "znver4", data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, max_stack_allocation_size = 1048576 : i64, native_vector_size = 64 : i64, target_triple = "x86_64-unknown-unknown-eabi-elf"}>) {
    hal.executable.export public @main_dispatch_5_conv_56x56x96x3x3_f32 ordinal(0) layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) count(%arg0: !hal.device) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      hal.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @main_dispatch_5_conv_56x56x96x3x3_f32() attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_cpu.pipeline<DoubleTilingExpert>>} {
        %cst = arith.constant 0.000000e+00 : f32
        %cst_0 = arith.constant 6.000000e+00 : f32
        %c3882048 = arith.constant 3882048 : index
        %c0 = arith.constant 0 : index
        %c704 = arith.constant 704 : index
        %0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(0) alignment(64) offset(%c3882048) flags("ReadOnly|Indirect") : memref<1x96x114x114xf32, strided<[1247616, 12996, 114, 1], offset: ?>, #hal.descriptor_type<storage_buffer>>
        %1 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(1) alignment(64) offset(%c0) flags(ReadOnly) : memref<96x3x3xf32, #hal.descriptor_type<storage_buffer>>
        %2 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(2) alignment(64) offset(%c0) flags(ReadOnly) : memref<1x96xf32, #hal.descriptor_type<storage_buffer>>
        %3 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(3) alignment(64) offset(%c704) flags(ReadOnly) : memref<1x96xf32, strided<[96, 1], offset: ?>, #hal.descriptor_type<storage_buffer>>
        %4 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(4) alignment(64) offset(%c0) flags(ReadOnly) : memref<1x96xf32, #hal.descriptor_type<storage_buffer>>
        %5 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(5) alignment(64) offset(%c0) flags(ReadOnly) : memref<1x96xf32, #hal.descriptor_type<storage_buffer>>
        %6 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(6) alignment(64) offset(%c0) flags(Indirect) : memref<1x96x56x56xf32, #hal.descriptor_type<storage_buffer>>
        %7 = iree_codegen.load_from_buffer %1 : memref<96x3x3xf32, #hal.descriptor_type<storage_buffer>> -> tensor<96x3x3xf32>
        %8 = tensor.empty() : tensor<1x96x56x56xf32>
        %9 = linalg.fill {lowering_config = #iree_cpu.lowering_config<vector_common_parallel = [1, 1, 1, 8]>} ins(%cst : f32) outs(%8 : tensor<1x96x56x56xf32>) -> tensor<1x96x56x56xf32>
        %10 = iree_codegen.load_from_buffer %0 : memref<1x96x114x114xf32, strided<[1247616, 12996, 114, 1], offset: ?>, #hal.descriptor_type<storage_buffer>> -> tensor<1x96x114x114xf32>
        %11 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d3, d1 * 2 + d4, d2 * 2 + d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d3, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%10, %7 : tensor<1x96x114x114xf32>, tensor<96x3x3xf32>) outs(%9 : tensor<1x96x56x56xf32>) attrs =  {lowering_config = #iree_cpu.lowering_config<distribution = [0, 28, 28, 32, 0, 0], vector_common_parallel = [1, 1, 8, 1, 0, 0], vector_reduction = [0, 0, 0, 0, 1, 16]>} {
        ^bb0(%in: f32, %in_1: f32, %out: f32):
          %18 = arith.mulf %in, %in_1 : f32
          %19 = arith.addf %out, %18 : f32
          linalg.yield %19 : f32
        } -> tensor<1x96x56x56xf32>
        %12 = iree_codegen.load_from_buffer %2 : memref<1x96xf32, #hal.descriptor_type<storage_buffer>> -> tensor<1x96xf32>
        %13 = iree_codegen.load_from_buffer %3 : memref<1x96xf32, strided<[96, 1], offset: ?>, #hal.descriptor_type<storage_buffer>> -> tensor<1x96xf32>
        %14 = iree_codegen.load_from_buffer %4 : memref<1x96xf32, #hal.descriptor_type<storage_buffer>> -> tensor<1x96xf32>
        %15 = iree_codegen.load_from_buffer %5 : memref<1x96xf32, #hal.descriptor_type<storage_buffer>> -> tensor<1x96xf32>
        %16 = tensor.empty() : tensor<1x96x56x56xf32>
        %17 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11, %12, %13, %14, %15 : tensor<1x96x56x56xf32>, tensor<1x96xf32>, tensor<1x96xf32>, tensor<1x96xf32>, tensor<1x96xf32>) outs(%16 : tensor<1x96x56x56xf32>) attrs =  {lowering_config = #iree_cpu.lowering_config<vector_common_parallel = [1, 1, 1, 8]>} {
        ^bb0(%in: f32, %in_1: f32, %in_2: f32, %in_3: f32, %in_4: f32, %out: f32):
          %18 = arith.subf %in, %in_1 : f32
          %19 = arith.mulf %18, %in_2 : f32
          %20 = arith.mulf %19, %in_3 : f32
          %21 = arith.addf %20, %in_4 : f32
          %22 = arith.cmpf ogt, %21, %cst : f32
          %23 = arith.select %22, %21, %cst : f32
          %24 = arith.cmpf olt, %cst_0, %23 : f32
          %25 = arith.select %24, %cst_0, %23 : f32
          linalg.yield %25 : f32
        } -> tensor<1x96x56x56xf32>
        iree_codegen.store_to_buffer %17, %6 : tensor<1x96x56x56xf32> into memref<1x96x56x56xf32, #hal.descriptor_type<storage_buffer>>
        return
      }
      iree_codegen.dispatch_config @main_dispatch_5_conv_56x56x96x3x3_f32 {
      ^bb0(%arg0: !hal.device):
        %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
        iree_codegen.yield %x, %y, %z : index, index, index
      }
    }
  }
}
