#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (0, d1)>
#map5 = affine_map<(d0, d1) -> (d0, 0)>
#map6 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map7 = affine_map<(d0, d1, d2) -> (d0, 0, d2)>
#map8 = affine_map<(d0, d1, d2) -> ()>
#map9 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, 0)>
#map10 = affine_map<(d0, d1, d2, d3) -> (0, 0, d2, 0)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map12 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, d3)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map15 = affine_map<(d0, d1, d2, d3) -> ()>
#map16 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map17 = affine_map<(d0, d1, d2) -> (d2)>
#map18 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map19 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map20 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map21 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
module {
  func.func @main(%arg0: tensor<1x6xi64>, %arg1: tensor<40x16xf32>, %arg2: tensor<16x16xf32>, %arg3: tensor<8x16xf32>, %arg4: tensor<8x16xf32>, %arg5: tensor<16x16xf32>, %arg6: tensor<24x16xf32>, %arg7: tensor<24x16xf32>, %arg8: tensor<16x24xf32>, %arg9: tensor<16xf32>, %arg10: tensor<16xf32>, %arg11: tensor<16xf32>, %arg12: tensor<2xf32>) -> tensor<1x6x16xf32> {
    %c2_i64 = arith.constant 2 : i64
    %c1_i64 = arith.constant 1 : i64
    %c6_i64 = arith.constant 6 : i64
    %c0_i64 = arith.constant 0 : i64
    %c40 = arith.constant 40 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 1.000000e+00 : f32
    %cst_2 = arith.constant dense<-3.40282347E+38> : tensor<f32>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_4 = arith.constant dense<true> : tensor<i1>
    %cst_5 = arith.constant 9.9999999999999995E-7 : f64
    %cst_6 = arith.constant 1.600000e+01 : f32
    %cst_7 = arith.constant 5.000000e-01 : f32
    %cst_8 = arith.constant dense<0> : tensor<i64>
    %0 = tensor.empty() : tensor<1x6x16xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x6xi64>) outs(%0 : tensor<1x6x16xf32>) {
    ^bb0(%in: i64, %out: f32):
      %121 = arith.index_cast %in : i64 to index
      %122 = linalg.index 2 : index
      %123 = arith.cmpi slt, %121, %c40 : index
      cf.assert %123, "index must be smaller than dim size"
      %124 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %124, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg1[%121, %122] : tensor<40x16xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x6x16xf32>
    %2 = tensor.empty() : tensor<6xi64>
    %3 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%2 : tensor<6xi64>) {
    ^bb0(%out: i64):
      %121 = linalg.index 0 : index
      %122 = arith.index_cast %121 : index to i64
      linalg.yield %122 : i64
    } -> tensor<6xi64>
    %expanded = tensor.expand_shape %3 [[0, 1]] output_shape [1, 6] : tensor<6xi64> into tensor<1x6xi64>
    %extracted_slice = tensor.extract_slice %expanded[0, 0] [1, 1] [1, 1] : tensor<1x6xi64> to tensor<1x1xi64>
    %4 = tensor.empty() : tensor<1x1xi64>
    %5 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice : tensor<1x1xi64>) outs(%4 : tensor<1x1xi64>) {
    ^bb0(%in: i64, %out: i64):
      %121 = arith.subi %in, %c1_i64 : i64
      linalg.yield %121 : i64
    } -> tensor<1x1xi64>
    %concat = tensor.concat dim(1) %5, %expanded : (tensor<1x1xi64>, tensor<1x6xi64>) -> tensor<1x7xi64>
    %extracted_slice_9 = tensor.extract_slice %concat[0, 0] [1, 6] [1, 1] : tensor<1x7xi64> to tensor<1x6xi64>
    %extracted_slice_10 = tensor.extract_slice %concat[0, 1] [1, 6] [1, 1] : tensor<1x7xi64> to tensor<1x6xi64>
    %6 = tensor.empty() : tensor<1x6xi64>
    %7 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_10, %extracted_slice_9 : tensor<1x6xi64>, tensor<1x6xi64>) outs(%6 : tensor<1x6xi64>) {
    ^bb0(%in: i64, %in_55: i64, %out: i64):
      %121 = arith.subi %in, %in_55 : i64
      linalg.yield %121 : i64
    } -> tensor<1x6xi64>
    %8 = tensor.empty() : tensor<1x6xi1>
    %9 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<1x6xi64>) outs(%8 : tensor<1x6xi1>) {
    ^bb0(%in: i64, %out: i1):
      %121 = arith.cmpi ne, %in, %c1_i64 : i64
      linalg.yield %121 : i1
    } -> tensor<1x6xi1>
    %10 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<1x6xi1>) outs(%6 : tensor<1x6xi64>) {
    ^bb0(%in: i1, %out: i64):
      %121 = arith.extui %in : i1 to i64
      linalg.yield %121 : i64
    } -> tensor<1x6xi64>
    %expanded_11 = tensor.expand_shape %3 [[0, 1]] output_shape [6, 1] : tensor<6xi64> into tensor<6x1xi64>
    %11 = tensor.empty() : tensor<6x6xi1>
    %12 = linalg.generic {indexing_maps = [#map4, #map5, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded, %expanded_11 : tensor<1x6xi64>, tensor<6x1xi64>) outs(%11 : tensor<6x6xi1>) {
    ^bb0(%in: i64, %in_55: i64, %out: i1):
      %121 = arith.cmpi sle, %in, %in_55 : i64
      linalg.yield %121 : i1
    } -> tensor<6x6xi1>
    %expanded_12 = tensor.expand_shape %10 [[0], [1, 2]] output_shape [1, 1, 6] : tensor<1x6xi64> into tensor<1x1x6xi64>
    %13 = tensor.empty() : tensor<1x6x6xi64>
    %14 = linalg.generic {indexing_maps = [#map6, #map7, #map8, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %expanded_12, %cst_8 : tensor<6x6xi1>, tensor<1x1x6xi64>, tensor<i64>) outs(%13 : tensor<1x6x6xi64>) {
    ^bb0(%in: i1, %in_55: i64, %in_56: i64, %out: i64):
      %121 = arith.select %in, %in_55, %in_56 : i64
      linalg.yield %121 : i64
    } -> tensor<1x6x6xi64>
    %15 = linalg.fill ins(%c0_i64 : i64) outs(%6 : tensor<1x6xi64>) -> tensor<1x6xi64>
    %16 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%14 : tensor<1x6x6xi64>) outs(%15 : tensor<1x6xi64>) {
    ^bb0(%in: i64, %out: i64):
      %121 = arith.addi %in, %out : i64
      linalg.yield %121 : i64
    } -> tensor<1x6xi64>
    %17 = tensor.empty() : tensor<1xi64>
    %18 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%17 : tensor<1xi64>) {
    ^bb0(%out: i64):
      linalg.yield %c0_i64 : i64
    } -> tensor<1xi64>
    %expanded_13 = tensor.expand_shape %18 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1] : tensor<1xi64> into tensor<1x1x1x1xi64>
    %expanded_14 = tensor.expand_shape %3 [[0, 1, 2, 3]] output_shape [1, 1, 6, 1] : tensor<6xi64> into tensor<1x1x6x1xi64>
    %expanded_15 = tensor.expand_shape %3 [[0, 1, 2, 3]] output_shape [1, 1, 1, 6] : tensor<6xi64> into tensor<1x1x1x6xi64>
    %19 = tensor.empty() : tensor<1x1x6x1xi64>
    %20 = linalg.generic {indexing_maps = [#map9, #map10, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_13, %expanded_14 : tensor<1x1x1x1xi64>, tensor<1x1x6x1xi64>) outs(%19 : tensor<1x1x6x1xi64>) {
    ^bb0(%in: i64, %in_55: i64, %out: i64):
      %121 = arith.cmpi slt, %in, %c0_i64 : i64
      %122 = arith.addi %in, %c1_i64 : i64
      %123 = arith.select %121, %122, %in : i64
      %124 = arith.index_cast %123 : i64 to index
      %125 = arith.cmpi slt, %in_55, %c0_i64 : i64
      %126 = arith.addi %in_55, %c6_i64 : i64
      %127 = arith.select %125, %126, %in_55 : i64
      %128 = arith.index_cast %127 : i64 to index
      %extracted = tensor.extract %16[%124, %128] : tensor<1x6xi64>
      linalg.yield %extracted : i64
    } -> tensor<1x1x6x1xi64>
    %21 = tensor.empty() : tensor<1x1x1x6xi64>
    %22 = linalg.generic {indexing_maps = [#map9, #map12, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_13, %expanded_15 : tensor<1x1x1x1xi64>, tensor<1x1x1x6xi64>) outs(%21 : tensor<1x1x1x6xi64>) {
    ^bb0(%in: i64, %in_55: i64, %out: i64):
      %121 = arith.cmpi slt, %in, %c0_i64 : i64
      %122 = arith.addi %in, %c1_i64 : i64
      %123 = arith.select %121, %122, %in : i64
      %124 = arith.index_cast %123 : i64 to index
      %125 = arith.cmpi slt, %in_55, %c0_i64 : i64
      %126 = arith.addi %in_55, %c6_i64 : i64
      %127 = arith.select %125, %126, %in_55 : i64
      %128 = arith.index_cast %127 : i64 to index
      %extracted = tensor.extract %16[%124, %128] : tensor<1x6xi64>
      linalg.yield %extracted : i64
    } -> tensor<1x1x1x6xi64>
    %23 = tensor.empty() : tensor<1x1x6x6xi1>
    %24 = linalg.generic {indexing_maps = [#map13, #map14, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %22 : tensor<1x1x6x1xi64>, tensor<1x1x1x6xi64>) outs(%23 : tensor<1x1x6x6xi1>) {
    ^bb0(%in: i64, %in_55: i64, %out: i1):
      %121 = arith.cmpi eq, %in, %in_55 : i64
      linalg.yield %121 : i1
    } -> tensor<1x1x6x6xi1>
    %25 = linalg.generic {indexing_maps = [#map15, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_4, %24 : tensor<i1>, tensor<1x1x6x6xi1>) outs(%23 : tensor<1x1x6x6xi1>) {
    ^bb0(%in: i1, %in_55: i1, %out: i1):
      %121 = arith.andi %in, %in_55 : i1
      linalg.yield %121 : i1
    } -> tensor<1x1x6x6xi1>
    %26 = linalg.generic {indexing_maps = [#map9, #map10, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_13, %expanded_14 : tensor<1x1x1x1xi64>, tensor<1x1x6x1xi64>) outs(%19 : tensor<1x1x6x1xi64>) {
    ^bb0(%in: i64, %in_55: i64, %out: i64):
      %121 = arith.cmpi slt, %in, %c0_i64 : i64
      %122 = arith.addi %in, %c1_i64 : i64
      %123 = arith.select %121, %122, %in : i64
      %124 = arith.index_cast %123 : i64 to index
      %125 = arith.cmpi slt, %in_55, %c0_i64 : i64
      %126 = arith.addi %in_55, %c6_i64 : i64
      %127 = arith.select %125, %126, %in_55 : i64
      %128 = arith.index_cast %127 : i64 to index
      %extracted = tensor.extract %expanded[%124, %128] : tensor<1x6xi64>
      linalg.yield %extracted : i64
    } -> tensor<1x1x6x1xi64>
    %27 = linalg.generic {indexing_maps = [#map9, #map12, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_13, %expanded_15 : tensor<1x1x1x1xi64>, tensor<1x1x1x6xi64>) outs(%21 : tensor<1x1x1x6xi64>) {
    ^bb0(%in: i64, %in_55: i64, %out: i64):
      %121 = arith.cmpi slt, %in, %c0_i64 : i64
      %122 = arith.addi %in, %c1_i64 : i64
      %123 = arith.select %121, %122, %in : i64
      %124 = arith.index_cast %123 : i64 to index
      %125 = arith.cmpi slt, %in_55, %c0_i64 : i64
      %126 = arith.addi %in_55, %c6_i64 : i64
      %127 = arith.select %125, %126, %in_55 : i64
      %128 = arith.index_cast %127 : i64 to index
      %extracted = tensor.extract %expanded[%124, %128] : tensor<1x6xi64>
      linalg.yield %extracted : i64
    } -> tensor<1x1x1x6xi64>
    %28 = linalg.generic {indexing_maps = [#map14, #map13, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %26 : tensor<1x1x1x6xi64>, tensor<1x1x6x1xi64>) outs(%23 : tensor<1x1x6x6xi1>) {
    ^bb0(%in: i64, %in_55: i64, %out: i1):
      %121 = arith.cmpi sle, %in, %in_55 : i64
      linalg.yield %121 : i1
    } -> tensor<1x1x6x6xi1>
    %29 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %28 : tensor<1x1x6x6xi1>, tensor<1x1x6x6xi1>) outs(%23 : tensor<1x1x6x6xi1>) {
    ^bb0(%in: i1, %in_55: i1, %out: i1):
      %121 = arith.andi %in, %in_55 : i1
      linalg.yield %121 : i1
    } -> tensor<1x1x6x6xi1>
    %30 = tensor.empty() : tensor<1x1x6x6xf32>
    %31 = linalg.generic {indexing_maps = [#map11, #map15, #map15, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29, %cst_3, %cst_2 : tensor<1x1x6x6xi1>, tensor<f32>, tensor<f32>) outs(%30 : tensor<1x1x6x6xf32>) {
    ^bb0(%in: i1, %in_55: f32, %in_56: f32, %out: f32):
      %121 = arith.select %in, %in_55, %in_56 : f32
      linalg.yield %121 : f32
    } -> tensor<1x1x6x6xf32>
    %expanded_16 = tensor.expand_shape %3 [[0, 1, 2]] output_shape [1, 6, 1] : tensor<6xi64> into tensor<1x6x1xi64>
    %32 = tensor.empty() : tensor<1x6x1xf32>
    %33 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_16 : tensor<1x6x1xi64>) outs(%32 : tensor<1x6x1xf32>) {
    ^bb0(%in: i64, %out: f32):
      %121 = arith.sitofp %in : i64 to f32
      linalg.yield %121 : f32
    } -> tensor<1x6x1xf32>
    %34 = tensor.empty() : tensor<1x6x2xf32>
    %35 = linalg.generic {indexing_maps = [#map16, #map17, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33, %arg12 : tensor<1x6x1xf32>, tensor<2xf32>) outs(%34 : tensor<1x6x2xf32>) {
    ^bb0(%in: f32, %in_55: f32, %out: f32):
      %121 = arith.mulf %in, %in_55 : f32
      linalg.yield %121 : f32
    } -> tensor<1x6x2xf32>
    %concat_17 = tensor.concat dim(2) %35, %35 : (tensor<1x6x2xf32>, tensor<1x6x2xf32>) -> tensor<1x6x4xf32>
    %36 = tensor.empty() : tensor<1x6x4xf32>
    %37 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%concat_17 : tensor<1x6x4xf32>) outs(%36 : tensor<1x6x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = math.cos %in : f32
      linalg.yield %121 : f32
    } -> tensor<1x6x4xf32>
    %38 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%concat_17 : tensor<1x6x4xf32>) outs(%36 : tensor<1x6x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = math.sin %in : f32
      linalg.yield %121 : f32
    } -> tensor<1x6x4xf32>
    %39 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<1x6x16xf32>) outs(%0 : tensor<1x6x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %121 : f32
    } -> tensor<1x6x16xf32>
    %40 = linalg.fill ins(%cst : f32) outs(%32 : tensor<1x6x1xf32>) -> tensor<1x6x1xf32>
    %41 = linalg.generic {indexing_maps = [#map1, #map16], iterator_types = ["parallel", "parallel", "reduction"]} ins(%39 : tensor<1x6x16xf32>) outs(%40 : tensor<1x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.addf %in, %out : f32
      linalg.yield %121 : f32
    } -> tensor<1x6x1xf32>
    %42 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%41 : tensor<1x6x1xf32>) outs(%32 : tensor<1x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.divf %in, %cst_6 : f32
      linalg.yield %121 : f32
    } -> tensor<1x6x1xf32>
    %43 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%42 : tensor<1x6x1xf32>) outs(%32 : tensor<1x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.truncf %cst_5 : f64 to f32
      %122 = arith.addf %in, %121 : f32
      linalg.yield %122 : f32
    } -> tensor<1x6x1xf32>
    %44 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%43 : tensor<1x6x1xf32>) outs(%32 : tensor<1x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = math.rsqrt %in : f32
      linalg.yield %121 : f32
    } -> tensor<1x6x1xf32>
    %45 = linalg.generic {indexing_maps = [#map1, #map16, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %44 : tensor<1x6x16xf32>, tensor<1x6x1xf32>) outs(%0 : tensor<1x6x16xf32>) {
    ^bb0(%in: f32, %in_55: f32, %out: f32):
      %121 = arith.mulf %in, %in_55 : f32
      linalg.yield %121 : f32
    } -> tensor<1x6x16xf32>
    %46 = linalg.generic {indexing_maps = [#map17, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg9, %45 : tensor<16xf32>, tensor<1x6x16xf32>) outs(%0 : tensor<1x6x16xf32>) {
    ^bb0(%in: f32, %in_55: f32, %out: f32):
      %121 = arith.mulf %in, %in_55 : f32
      linalg.yield %121 : f32
    } -> tensor<1x6x16xf32>
    %47 = tensor.empty() : tensor<16x16xf32>
    %transposed = linalg.transpose ins(%arg2 : tensor<16x16xf32>) outs(%47 : tensor<16x16xf32>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %46 [[0, 1], [2]] : tensor<1x6x16xf32> into tensor<6x16xf32>
    %48 = tensor.empty() : tensor<6x16xf32>
    %49 = linalg.fill ins(%cst : f32) outs(%48 : tensor<6x16xf32>) -> tensor<6x16xf32>
    %50 = linalg.matmul ins(%collapsed, %transposed : tensor<6x16xf32>, tensor<16x16xf32>) outs(%49 : tensor<6x16xf32>) -> tensor<6x16xf32>
    %expanded_18 = tensor.expand_shape %50 [[0, 1], [2, 3]] output_shape [1, 6, 4, 4] : tensor<6x16xf32> into tensor<1x6x4x4xf32>
    %51 = tensor.empty() : tensor<1x4x6x4xf32>
    %transposed_19 = linalg.transpose ins(%expanded_18 : tensor<1x6x4x4xf32>) outs(%51 : tensor<1x4x6x4xf32>) permutation = [0, 2, 1, 3] 
    %52 = tensor.empty() : tensor<16x8xf32>
    %transposed_20 = linalg.transpose ins(%arg3 : tensor<8x16xf32>) outs(%52 : tensor<16x8xf32>) permutation = [1, 0] 
    %53 = tensor.empty() : tensor<6x8xf32>
    %54 = linalg.fill ins(%cst : f32) outs(%53 : tensor<6x8xf32>) -> tensor<6x8xf32>
    %55 = linalg.matmul ins(%collapsed, %transposed_20 : tensor<6x16xf32>, tensor<16x8xf32>) outs(%54 : tensor<6x8xf32>) -> tensor<6x8xf32>
    %expanded_21 = tensor.expand_shape %55 [[0, 1], [2, 3]] output_shape [1, 6, 2, 4] : tensor<6x8xf32> into tensor<1x6x2x4xf32>
    %56 = tensor.empty() : tensor<1x2x6x4xf32>
    %transposed_22 = linalg.transpose ins(%expanded_21 : tensor<1x6x2x4xf32>) outs(%56 : tensor<1x2x6x4xf32>) permutation = [0, 2, 1, 3] 
    %transposed_23 = linalg.transpose ins(%arg4 : tensor<8x16xf32>) outs(%52 : tensor<16x8xf32>) permutation = [1, 0] 
    %57 = linalg.matmul ins(%collapsed, %transposed_23 : tensor<6x16xf32>, tensor<16x8xf32>) outs(%54 : tensor<6x8xf32>) -> tensor<6x8xf32>
    %expanded_24 = tensor.expand_shape %57 [[0, 1], [2, 3]] output_shape [1, 6, 2, 4] : tensor<6x8xf32> into tensor<1x6x2x4xf32>
    %transposed_25 = linalg.transpose ins(%expanded_24 : tensor<1x6x2x4xf32>) outs(%56 : tensor<1x2x6x4xf32>) permutation = [0, 2, 1, 3] 
    %expanded_26 = tensor.expand_shape %37 [[0], [1, 2], [3]] output_shape [1, 1, 6, 4] : tensor<1x6x4xf32> into tensor<1x1x6x4xf32>
    %expanded_27 = tensor.expand_shape %38 [[0], [1, 2], [3]] output_shape [1, 1, 6, 4] : tensor<1x6x4xf32> into tensor<1x1x6x4xf32>
    %58 = linalg.generic {indexing_maps = [#map11, #map18, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_19, %expanded_26 : tensor<1x4x6x4xf32>, tensor<1x1x6x4xf32>) outs(%51 : tensor<1x4x6x4xf32>) {
    ^bb0(%in: f32, %in_55: f32, %out: f32):
      %121 = arith.mulf %in, %in_55 : f32
      linalg.yield %121 : f32
    } -> tensor<1x4x6x4xf32>
    %extracted_slice_28 = tensor.extract_slice %transposed_19[0, 0, 0, 0] [1, 4, 6, 2] [1, 1, 1, 1] : tensor<1x4x6x4xf32> to tensor<1x4x6x2xf32>
    %extracted_slice_29 = tensor.extract_slice %transposed_19[0, 0, 0, 2] [1, 4, 6, 2] [1, 1, 1, 1] : tensor<1x4x6x4xf32> to tensor<1x4x6x2xf32>
    %59 = tensor.empty() : tensor<1x4x6x2xf32>
    %60 = linalg.generic {indexing_maps = [#map11, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_29 : tensor<1x4x6x2xf32>) outs(%59 : tensor<1x4x6x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.negf %in : f32
      linalg.yield %121 : f32
    } -> tensor<1x4x6x2xf32>
    %concat_30 = tensor.concat dim(3) %60, %extracted_slice_28 : (tensor<1x4x6x2xf32>, tensor<1x4x6x2xf32>) -> tensor<1x4x6x4xf32>
    %61 = linalg.generic {indexing_maps = [#map11, #map18, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_30, %expanded_27 : tensor<1x4x6x4xf32>, tensor<1x1x6x4xf32>) outs(%51 : tensor<1x4x6x4xf32>) {
    ^bb0(%in: f32, %in_55: f32, %out: f32):
      %121 = arith.mulf %in, %in_55 : f32
      linalg.yield %121 : f32
    } -> tensor<1x4x6x4xf32>
    %62 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%58, %61 : tensor<1x4x6x4xf32>, tensor<1x4x6x4xf32>) outs(%51 : tensor<1x4x6x4xf32>) {
    ^bb0(%in: f32, %in_55: f32, %out: f32):
      %121 = arith.addf %in, %in_55 : f32
      linalg.yield %121 : f32
    } -> tensor<1x4x6x4xf32>
    %63 = linalg.generic {indexing_maps = [#map11, #map18, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_22, %expanded_26 : tensor<1x2x6x4xf32>, tensor<1x1x6x4xf32>) outs(%56 : tensor<1x2x6x4xf32>) {
    ^bb0(%in: f32, %in_55: f32, %out: f32):
      %121 = arith.mulf %in, %in_55 : f32
      linalg.yield %121 : f32
    } -> tensor<1x2x6x4xf32>
    %extracted_slice_31 = tensor.extract_slice %transposed_22[0, 0, 0, 0] [1, 2, 6, 2] [1, 1, 1, 1] : tensor<1x2x6x4xf32> to tensor<1x2x6x2xf32>
    %extracted_slice_32 = tensor.extract_slice %transposed_22[0, 0, 0, 2] [1, 2, 6, 2] [1, 1, 1, 1] : tensor<1x2x6x4xf32> to tensor<1x2x6x2xf32>
    %64 = tensor.empty() : tensor<1x2x6x2xf32>
    %65 = linalg.generic {indexing_maps = [#map11, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_32 : tensor<1x2x6x2xf32>) outs(%64 : tensor<1x2x6x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.negf %in : f32
      linalg.yield %121 : f32
    } -> tensor<1x2x6x2xf32>
    %concat_33 = tensor.concat dim(3) %65, %extracted_slice_31 : (tensor<1x2x6x2xf32>, tensor<1x2x6x2xf32>) -> tensor<1x2x6x4xf32>
    %66 = linalg.generic {indexing_maps = [#map11, #map18, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_33, %expanded_27 : tensor<1x2x6x4xf32>, tensor<1x1x6x4xf32>) outs(%56 : tensor<1x2x6x4xf32>) {
    ^bb0(%in: f32, %in_55: f32, %out: f32):
      %121 = arith.mulf %in, %in_55 : f32
      linalg.yield %121 : f32
    } -> tensor<1x2x6x4xf32>
    %67 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%63, %66 : tensor<1x2x6x4xf32>, tensor<1x2x6x4xf32>) outs(%56 : tensor<1x2x6x4xf32>) {
    ^bb0(%in: f32, %in_55: f32, %out: f32):
      %121 = arith.addf %in, %in_55 : f32
      linalg.yield %121 : f32
    } -> tensor<1x2x6x4xf32>
    %68 = tensor.empty() : tensor<1x2x2x6x4xf32>
    %69 = linalg.generic {indexing_maps = [#map19, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%67 : tensor<1x2x6x4xf32>) outs(%68 : tensor<1x2x2x6x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x2x6x4xf32>
    %collapsed_34 = tensor.collapse_shape %69 [[0], [1, 2], [3], [4]] : tensor<1x2x2x6x4xf32> into tensor<1x4x6x4xf32>
    %70 = linalg.generic {indexing_maps = [#map19, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_25 : tensor<1x2x6x4xf32>) outs(%68 : tensor<1x2x2x6x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x2x6x4xf32>
    %71 = tensor.empty() : tensor<1x4x4x6xf32>
    %transposed_35 = linalg.transpose ins(%collapsed_34 : tensor<1x4x6x4xf32>) outs(%71 : tensor<1x4x4x6xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_36 = tensor.collapse_shape %62 [[0, 1], [2], [3]] : tensor<1x4x6x4xf32> into tensor<4x6x4xf32>
    %collapsed_37 = tensor.collapse_shape %transposed_35 [[0, 1], [2], [3]] : tensor<1x4x4x6xf32> into tensor<4x4x6xf32>
    %72 = tensor.empty() : tensor<4x6x6xf32>
    %73 = linalg.fill ins(%cst : f32) outs(%72 : tensor<4x6x6xf32>) -> tensor<4x6x6xf32>
    %74 = linalg.batch_matmul ins(%collapsed_36, %collapsed_37 : tensor<4x6x4xf32>, tensor<4x4x6xf32>) outs(%73 : tensor<4x6x6xf32>) -> tensor<4x6x6xf32>
    %expanded_38 = tensor.expand_shape %74 [[0, 1], [2], [3]] output_shape [1, 4, 6, 6] : tensor<4x6x6xf32> into tensor<1x4x6x6xf32>
    %75 = tensor.empty() : tensor<1x4x6x6xf32>
    %76 = linalg.generic {indexing_maps = [#map11, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_38 : tensor<1x4x6x6xf32>) outs(%75 : tensor<1x4x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.mulf %in, %cst_7 : f32
      linalg.yield %121 : f32
    } -> tensor<1x4x6x6xf32>
    %77 = linalg.generic {indexing_maps = [#map11, #map18, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%76, %31 : tensor<1x4x6x6xf32>, tensor<1x1x6x6xf32>) outs(%75 : tensor<1x4x6x6xf32>) {
    ^bb0(%in: f32, %in_55: f32, %out: f32):
      %121 = arith.addf %in, %in_55 : f32
      linalg.yield %121 : f32
    } -> tensor<1x4x6x6xf32>
    %78 = tensor.empty() : tensor<1x4x6xi64>
    %79 = linalg.fill ins(%c0_i64 : i64) outs(%78 : tensor<1x4x6xi64>) -> tensor<1x4x6xi64>
    %80 = tensor.empty() : tensor<1x4x6xf32>
    %81 = linalg.fill ins(%cst_0 : f32) outs(%80 : tensor<1x4x6xf32>) -> tensor<1x4x6xf32>
    %82:2 = linalg.generic {indexing_maps = [#map11, #map21, #map21], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%77 : tensor<1x4x6x6xf32>) outs(%81, %79 : tensor<1x4x6xf32>, tensor<1x4x6xi64>) {
    ^bb0(%in: f32, %out: f32, %out_55: i64):
      %121 = linalg.index 3 : index
      %122 = arith.index_cast %121 : index to i64
      %123 = arith.maximumf %in, %out : f32
      %124 = arith.cmpf ogt, %in, %out : f32
      %125 = arith.select %124, %122, %out_55 : i64
      linalg.yield %123, %125 : f32, i64
    } -> (tensor<1x4x6xf32>, tensor<1x4x6xi64>)
    %expanded_39 = tensor.expand_shape %82#0 [[0], [1], [2, 3]] output_shape [1, 4, 6, 1] : tensor<1x4x6xf32> into tensor<1x4x6x1xf32>
    %83 = linalg.generic {indexing_maps = [#map11, #map13, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%77, %expanded_39 : tensor<1x4x6x6xf32>, tensor<1x4x6x1xf32>) outs(%75 : tensor<1x4x6x6xf32>) {
    ^bb0(%in: f32, %in_55: f32, %out: f32):
      %121 = arith.subf %in, %in_55 : f32
      linalg.yield %121 : f32
    } -> tensor<1x4x6x6xf32>
    %84 = linalg.generic {indexing_maps = [#map11, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%83 : tensor<1x4x6x6xf32>) outs(%75 : tensor<1x4x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = math.exp %in : f32
      linalg.yield %121 : f32
    } -> tensor<1x4x6x6xf32>
    %85 = tensor.empty() : tensor<1x4x6x1xf32>
    %86 = linalg.fill ins(%cst : f32) outs(%85 : tensor<1x4x6x1xf32>) -> tensor<1x4x6x1xf32>
    %87 = linalg.generic {indexing_maps = [#map11, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%84 : tensor<1x4x6x6xf32>) outs(%86 : tensor<1x4x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.addf %in, %out : f32
      linalg.yield %121 : f32
    } -> tensor<1x4x6x1xf32>
    %88 = linalg.generic {indexing_maps = [#map11, #map13, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%84, %87 : tensor<1x4x6x6xf32>, tensor<1x4x6x1xf32>) outs(%75 : tensor<1x4x6x6xf32>) {
    ^bb0(%in: f32, %in_55: f32, %out: f32):
      %121 = arith.divf %in, %in_55 : f32
      linalg.yield %121 : f32
    } -> tensor<1x4x6x6xf32>
    %collapsed_40 = tensor.collapse_shape %88 [[0, 1], [2], [3]] : tensor<1x4x6x6xf32> into tensor<4x6x6xf32>
    %collapsed_41 = tensor.collapse_shape %70 [[0, 1, 2], [3], [4]] : tensor<1x2x2x6x4xf32> into tensor<4x6x4xf32>
    %89 = tensor.empty() : tensor<4x6x4xf32>
    %90 = linalg.fill ins(%cst : f32) outs(%89 : tensor<4x6x4xf32>) -> tensor<4x6x4xf32>
    %91 = linalg.batch_matmul ins(%collapsed_40, %collapsed_41 : tensor<4x6x6xf32>, tensor<4x6x4xf32>) outs(%90 : tensor<4x6x4xf32>) -> tensor<4x6x4xf32>
    %expanded_42 = tensor.expand_shape %91 [[0, 1], [2], [3]] output_shape [1, 4, 6, 4] : tensor<4x6x4xf32> into tensor<1x4x6x4xf32>
    %92 = tensor.empty() : tensor<1x6x4x4xf32>
    %transposed_43 = linalg.transpose ins(%expanded_42 : tensor<1x4x6x4xf32>) outs(%92 : tensor<1x6x4x4xf32>) permutation = [0, 2, 1, 3] 
    %transposed_44 = linalg.transpose ins(%arg5 : tensor<16x16xf32>) outs(%47 : tensor<16x16xf32>) permutation = [1, 0] 
    %collapsed_45 = tensor.collapse_shape %transposed_43 [[0, 1], [2, 3]] : tensor<1x6x4x4xf32> into tensor<6x16xf32>
    %93 = linalg.matmul ins(%collapsed_45, %transposed_44 : tensor<6x16xf32>, tensor<16x16xf32>) outs(%49 : tensor<6x16xf32>) -> tensor<6x16xf32>
    %expanded_46 = tensor.expand_shape %93 [[0, 1], [2]] output_shape [1, 6, 16] : tensor<6x16xf32> into tensor<1x6x16xf32>
    %94 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %expanded_46 : tensor<1x6x16xf32>, tensor<1x6x16xf32>) outs(%0 : tensor<1x6x16xf32>) {
    ^bb0(%in: f32, %in_55: f32, %out: f32):
      %121 = arith.addf %in, %in_55 : f32
      linalg.yield %121 : f32
    } -> tensor<1x6x16xf32>
    %95 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94 : tensor<1x6x16xf32>) outs(%0 : tensor<1x6x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %121 : f32
    } -> tensor<1x6x16xf32>
    %96 = linalg.generic {indexing_maps = [#map1, #map16], iterator_types = ["parallel", "parallel", "reduction"]} ins(%95 : tensor<1x6x16xf32>) outs(%40 : tensor<1x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.addf %in, %out : f32
      linalg.yield %121 : f32
    } -> tensor<1x6x1xf32>
    %97 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96 : tensor<1x6x1xf32>) outs(%32 : tensor<1x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.divf %in, %cst_6 : f32
      linalg.yield %121 : f32
    } -> tensor<1x6x1xf32>
    %98 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97 : tensor<1x6x1xf32>) outs(%32 : tensor<1x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.truncf %cst_5 : f64 to f32
      %122 = arith.addf %in, %121 : f32
      linalg.yield %122 : f32
    } -> tensor<1x6x1xf32>
    %99 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98 : tensor<1x6x1xf32>) outs(%32 : tensor<1x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = math.rsqrt %in : f32
      linalg.yield %121 : f32
    } -> tensor<1x6x1xf32>
    %100 = linalg.generic {indexing_maps = [#map1, #map16, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94, %99 : tensor<1x6x16xf32>, tensor<1x6x1xf32>) outs(%0 : tensor<1x6x16xf32>) {
    ^bb0(%in: f32, %in_55: f32, %out: f32):
      %121 = arith.mulf %in, %in_55 : f32
      linalg.yield %121 : f32
    } -> tensor<1x6x16xf32>
    %101 = linalg.generic {indexing_maps = [#map17, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg10, %100 : tensor<16xf32>, tensor<1x6x16xf32>) outs(%0 : tensor<1x6x16xf32>) {
    ^bb0(%in: f32, %in_55: f32, %out: f32):
      %121 = arith.mulf %in, %in_55 : f32
      linalg.yield %121 : f32
    } -> tensor<1x6x16xf32>
    %102 = tensor.empty() : tensor<16x24xf32>
    %transposed_47 = linalg.transpose ins(%arg6 : tensor<24x16xf32>) outs(%102 : tensor<16x24xf32>) permutation = [1, 0] 
    %collapsed_48 = tensor.collapse_shape %101 [[0, 1], [2]] : tensor<1x6x16xf32> into tensor<6x16xf32>
    %103 = tensor.empty() : tensor<6x24xf32>
    %104 = linalg.fill ins(%cst : f32) outs(%103 : tensor<6x24xf32>) -> tensor<6x24xf32>
    %105 = linalg.matmul ins(%collapsed_48, %transposed_47 : tensor<6x16xf32>, tensor<16x24xf32>) outs(%104 : tensor<6x24xf32>) -> tensor<6x24xf32>
    %expanded_49 = tensor.expand_shape %105 [[0, 1], [2]] output_shape [1, 6, 24] : tensor<6x24xf32> into tensor<1x6x24xf32>
    %106 = tensor.empty() : tensor<1x6x24xf32>
    %107 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_49 : tensor<1x6x24xf32>) outs(%106 : tensor<1x6x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.negf %in : f32
      %122 = math.exp %121 : f32
      %123 = arith.addf %122, %cst_1 : f32
      %124 = arith.divf %cst_1, %123 : f32
      linalg.yield %124 : f32
    } -> tensor<1x6x24xf32>
    %108 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_49, %107 : tensor<1x6x24xf32>, tensor<1x6x24xf32>) outs(%106 : tensor<1x6x24xf32>) {
    ^bb0(%in: f32, %in_55: f32, %out: f32):
      %121 = arith.mulf %in, %in_55 : f32
      linalg.yield %121 : f32
    } -> tensor<1x6x24xf32>
    %transposed_50 = linalg.transpose ins(%arg7 : tensor<24x16xf32>) outs(%102 : tensor<16x24xf32>) permutation = [1, 0] 
    %109 = linalg.matmul ins(%collapsed_48, %transposed_50 : tensor<6x16xf32>, tensor<16x24xf32>) outs(%104 : tensor<6x24xf32>) -> tensor<6x24xf32>
    %expanded_51 = tensor.expand_shape %109 [[0, 1], [2]] output_shape [1, 6, 24] : tensor<6x24xf32> into tensor<1x6x24xf32>
    %110 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%108, %expanded_51 : tensor<1x6x24xf32>, tensor<1x6x24xf32>) outs(%106 : tensor<1x6x24xf32>) {
    ^bb0(%in: f32, %in_55: f32, %out: f32):
      %121 = arith.mulf %in, %in_55 : f32
      linalg.yield %121 : f32
    } -> tensor<1x6x24xf32>
    %111 = tensor.empty() : tensor<24x16xf32>
    %transposed_52 = linalg.transpose ins(%arg8 : tensor<16x24xf32>) outs(%111 : tensor<24x16xf32>) permutation = [1, 0] 
    %collapsed_53 = tensor.collapse_shape %110 [[0, 1], [2]] : tensor<1x6x24xf32> into tensor<6x24xf32>
    %112 = linalg.matmul ins(%collapsed_53, %transposed_52 : tensor<6x24xf32>, tensor<24x16xf32>) outs(%49 : tensor<6x16xf32>) -> tensor<6x16xf32>
    %expanded_54 = tensor.expand_shape %112 [[0, 1], [2]] output_shape [1, 6, 16] : tensor<6x16xf32> into tensor<1x6x16xf32>
    %113 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94, %expanded_54 : tensor<1x6x16xf32>, tensor<1x6x16xf32>) outs(%0 : tensor<1x6x16xf32>) {
    ^bb0(%in: f32, %in_55: f32, %out: f32):
      %121 = arith.addf %in, %in_55 : f32
      linalg.yield %121 : f32
    } -> tensor<1x6x16xf32>
    %114 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%113 : tensor<1x6x16xf32>) outs(%0 : tensor<1x6x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %121 : f32
    } -> tensor<1x6x16xf32>
    %115 = linalg.generic {indexing_maps = [#map1, #map16], iterator_types = ["parallel", "parallel", "reduction"]} ins(%114 : tensor<1x6x16xf32>) outs(%40 : tensor<1x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.addf %in, %out : f32
      linalg.yield %121 : f32
    } -> tensor<1x6x1xf32>
    %116 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%115 : tensor<1x6x1xf32>) outs(%32 : tensor<1x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.divf %in, %cst_6 : f32
      linalg.yield %121 : f32
    } -> tensor<1x6x1xf32>
    %117 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%116 : tensor<1x6x1xf32>) outs(%32 : tensor<1x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.truncf %cst_5 : f64 to f32
      %122 = arith.addf %in, %121 : f32
      linalg.yield %122 : f32
    } -> tensor<1x6x1xf32>
    %118 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%117 : tensor<1x6x1xf32>) outs(%32 : tensor<1x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = math.rsqrt %in : f32
      linalg.yield %121 : f32
    } -> tensor<1x6x1xf32>
    %119 = linalg.generic {indexing_maps = [#map1, #map16, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%113, %118 : tensor<1x6x16xf32>, tensor<1x6x1xf32>) outs(%0 : tensor<1x6x16xf32>) {
    ^bb0(%in: f32, %in_55: f32, %out: f32):
      %121 = arith.mulf %in, %in_55 : f32
      linalg.yield %121 : f32
    } -> tensor<1x6x16xf32>
    %120 = linalg.generic {indexing_maps = [#map17, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg11, %119 : tensor<16xf32>, tensor<1x6x16xf32>) outs(%0 : tensor<1x6x16xf32>) {
    ^bb0(%in: f32, %in_55: f32, %out: f32):
      %121 = arith.mulf %in, %in_55 : f32
      linalg.yield %121 : f32
    } -> tensor<1x6x16xf32>
    return %120 : tensor<1x6x16xf32>
  }
}
