#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1) -> (d0)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> ()>
#map8 = affine_map<(d0, d1) -> (d1)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map12 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map13 = affine_map<(d0, d1, d2) -> (d2)>
module {
  func.func @main(%arg0: tensor<1x7xi64>, %arg1: tensor<1x7xi64>, %arg2: tensor<40x16xf32>, %arg3: tensor<8x16xf32>, %arg4: tensor<16x16xf32>, %arg5: tensor<16xf32>, %arg6: tensor<16x16xf32>, %arg7: tensor<16xf32>, %arg8: tensor<16x16xf32>, %arg9: tensor<16xf32>, %arg10: tensor<16x16xf32>, %arg11: tensor<16xf32>, %arg12: tensor<16xf32>, %arg13: tensor<16xf32>, %arg14: tensor<16xf32>, %arg15: tensor<16xf32>, %arg16: tensor<24x16xf32>, %arg17: tensor<24xf32>, %arg18: tensor<16x24xf32>, %arg19: tensor<16xf32>, %arg20: tensor<16x16xf32>, %arg21: tensor<16xf32>) -> (tensor<1x7x16xf32>, tensor<1x16xf32>) {
    %c0_i64 = arith.constant 0 : i64
    %c40 = arith.constant 40 : index
    %c8 = arith.constant 8 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 0.000000e+00 : f64
    %cst_2 = arith.constant 1.000000e+00 : f32
    %cst_3 = arith.constant 5.000000e-01 : f32
    %cst_4 = arith.constant dense<1.000000e+00> : tensor<f32>
    %cst_5 = arith.constant 1.000000e-05 : f64
    %cst_6 = arith.constant 2.8284271247461903 : f64
    %cst_7 = arith.constant -1.000000e+04 : f32
    %cst_8 = arith.constant 1.600000e+01 : f64
    %cst_9 = arith.constant 1.600000e+01 : f32
    %cst_10 = arith.constant 1.41421354 : f32
    %0 = tensor.empty() : tensor<1x7x16xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x7xi64>) outs(%0 : tensor<1x7x16xf32>) {
    ^bb0(%in: i64, %out: f32):
      %105 = arith.index_cast %in : i64 to index
      %106 = linalg.index 2 : index
      %107 = arith.cmpi slt, %105, %c40 : index
      cf.assert %107, "index must be smaller than dim size"
      %108 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %108, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg2[%105, %106] : tensor<40x16xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x7x16xf32>
    %2 = tensor.empty() : tensor<7xi64>
    %3 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%2 : tensor<7xi64>) {
    ^bb0(%out: i64):
      %105 = linalg.index 0 : index
      %106 = arith.index_cast %105 : index to i64
      linalg.yield %106 : i64
    } -> tensor<7xi64>
    %4 = tensor.empty() : tensor<7x16xf32>
    %5 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<7xi64>) outs(%4 : tensor<7x16xf32>) {
    ^bb0(%in: i64, %out: f32):
      %105 = arith.index_cast %in : i64 to index
      %106 = linalg.index 1 : index
      %107 = arith.cmpi slt, %105, %c8 : index
      cf.assert %107, "index must be smaller than dim size"
      %108 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %108, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg3[%105, %106] : tensor<8x16xf32>
      linalg.yield %extracted : f32
    } -> tensor<7x16xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map5, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %5 : tensor<1x7x16xf32>, tensor<7x16xf32>) outs(%0 : tensor<1x7x16xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %105 = arith.addf %in, %in_38 : f32
      linalg.yield %105 : f32
    } -> tensor<1x7x16xf32>
    %expanded = tensor.expand_shape %arg1 [[0], [1, 2, 3]] output_shape [1, 1, 1, 7] : tensor<1x7xi64> into tensor<1x1x1x7xi64>
    %7 = tensor.empty() : tensor<1x1x1x7xf32>
    %8 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x1x1x7xi64>) outs(%7 : tensor<1x1x1x7xf32>) {
    ^bb0(%in: i64, %out: f32):
      %105 = arith.sitofp %in : i64 to f32
      linalg.yield %105 : f32
    } -> tensor<1x1x1x7xf32>
    %9 = linalg.generic {indexing_maps = [#map7, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_4, %8 : tensor<f32>, tensor<1x1x1x7xf32>) outs(%7 : tensor<1x1x1x7xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %105 = arith.subf %in, %in_38 : f32
      linalg.yield %105 : f32
    } -> tensor<1x1x1x7xf32>
    %10 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<1x1x1x7xf32>) outs(%7 : tensor<1x1x1x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %105 = arith.mulf %in, %cst_7 : f32
      linalg.yield %105 : f32
    } -> tensor<1x1x1x7xf32>
    %collapsed = tensor.collapse_shape %6 [[0, 1], [2]] : tensor<1x7x16xf32> into tensor<7x16xf32>
    %11 = tensor.empty() : tensor<16x16xf32>
    %transposed = linalg.transpose ins(%arg4 : tensor<16x16xf32>) outs(%11 : tensor<16x16xf32>) permutation = [1, 0] 
    %12 = linalg.fill ins(%cst : f32) outs(%4 : tensor<7x16xf32>) -> tensor<7x16xf32>
    %13 = linalg.matmul ins(%collapsed, %transposed : tensor<7x16xf32>, tensor<16x16xf32>) outs(%12 : tensor<7x16xf32>) -> tensor<7x16xf32>
    %14 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg5 : tensor<16xf32>) outs(%4 : tensor<7x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<7x16xf32>
    %15 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%13, %14 : tensor<7x16xf32>, tensor<7x16xf32>) outs(%4 : tensor<7x16xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %105 = arith.addf %in, %in_38 : f32
      linalg.yield %105 : f32
    } -> tensor<7x16xf32>
    %expanded_11 = tensor.expand_shape %15 [[0, 1], [2, 3]] output_shape [1, 7, 2, 8] : tensor<7x16xf32> into tensor<1x7x2x8xf32>
    %16 = tensor.empty() : tensor<1x2x7x8xf32>
    %transposed_12 = linalg.transpose ins(%expanded_11 : tensor<1x7x2x8xf32>) outs(%16 : tensor<1x2x7x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_13 = linalg.transpose ins(%arg6 : tensor<16x16xf32>) outs(%11 : tensor<16x16xf32>) permutation = [1, 0] 
    %17 = linalg.matmul ins(%collapsed, %transposed_13 : tensor<7x16xf32>, tensor<16x16xf32>) outs(%12 : tensor<7x16xf32>) -> tensor<7x16xf32>
    %18 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg7 : tensor<16xf32>) outs(%4 : tensor<7x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<7x16xf32>
    %19 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%17, %18 : tensor<7x16xf32>, tensor<7x16xf32>) outs(%4 : tensor<7x16xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %105 = arith.addf %in, %in_38 : f32
      linalg.yield %105 : f32
    } -> tensor<7x16xf32>
    %expanded_14 = tensor.expand_shape %19 [[0, 1], [2, 3]] output_shape [1, 7, 2, 8] : tensor<7x16xf32> into tensor<1x7x2x8xf32>
    %transposed_15 = linalg.transpose ins(%arg8 : tensor<16x16xf32>) outs(%11 : tensor<16x16xf32>) permutation = [1, 0] 
    %20 = linalg.matmul ins(%collapsed, %transposed_15 : tensor<7x16xf32>, tensor<16x16xf32>) outs(%12 : tensor<7x16xf32>) -> tensor<7x16xf32>
    %21 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg9 : tensor<16xf32>) outs(%4 : tensor<7x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<7x16xf32>
    %22 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%20, %21 : tensor<7x16xf32>, tensor<7x16xf32>) outs(%4 : tensor<7x16xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %105 = arith.addf %in, %in_38 : f32
      linalg.yield %105 : f32
    } -> tensor<7x16xf32>
    %expanded_16 = tensor.expand_shape %22 [[0, 1], [2, 3]] output_shape [1, 7, 2, 8] : tensor<7x16xf32> into tensor<1x7x2x8xf32>
    %transposed_17 = linalg.transpose ins(%expanded_16 : tensor<1x7x2x8xf32>) outs(%16 : tensor<1x2x7x8xf32>) permutation = [0, 2, 1, 3] 
    %23 = tensor.empty() : tensor<1x2x8x7xf32>
    %transposed_18 = linalg.transpose ins(%expanded_14 : tensor<1x7x2x8xf32>) outs(%23 : tensor<1x2x8x7xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_19 = tensor.collapse_shape %transposed_12 [[0, 1], [2], [3]] : tensor<1x2x7x8xf32> into tensor<2x7x8xf32>
    %collapsed_20 = tensor.collapse_shape %transposed_18 [[0, 1], [2], [3]] : tensor<1x2x8x7xf32> into tensor<2x8x7xf32>
    %24 = tensor.empty() : tensor<2x7x7xf32>
    %25 = linalg.fill ins(%cst : f32) outs(%24 : tensor<2x7x7xf32>) -> tensor<2x7x7xf32>
    %26 = linalg.batch_matmul ins(%collapsed_19, %collapsed_20 : tensor<2x7x8xf32>, tensor<2x8x7xf32>) outs(%25 : tensor<2x7x7xf32>) -> tensor<2x7x7xf32>
    %expanded_21 = tensor.expand_shape %26 [[0, 1], [2], [3]] output_shape [1, 2, 7, 7] : tensor<2x7x7xf32> into tensor<1x2x7x7xf32>
    %27 = tensor.empty() : tensor<1x2x7x7xf32>
    %28 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_21 : tensor<1x2x7x7xf32>) outs(%27 : tensor<1x2x7x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %105 = arith.truncf %cst_6 : f64 to f32
      %106 = arith.divf %in, %105 : f32
      linalg.yield %106 : f32
    } -> tensor<1x2x7x7xf32>
    %29 = linalg.generic {indexing_maps = [#map6, #map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %10 : tensor<1x2x7x7xf32>, tensor<1x1x1x7xf32>) outs(%27 : tensor<1x2x7x7xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %105 = arith.addf %in, %in_38 : f32
      linalg.yield %105 : f32
    } -> tensor<1x2x7x7xf32>
    %30 = tensor.empty() : tensor<1x2x7xi64>
    %31 = linalg.fill ins(%c0_i64 : i64) outs(%30 : tensor<1x2x7xi64>) -> tensor<1x2x7xi64>
    %32 = tensor.empty() : tensor<1x2x7xf32>
    %33 = linalg.fill ins(%cst_0 : f32) outs(%32 : tensor<1x2x7xf32>) -> tensor<1x2x7xf32>
    %34:2 = linalg.generic {indexing_maps = [#map6, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%29 : tensor<1x2x7x7xf32>) outs(%33, %31 : tensor<1x2x7xf32>, tensor<1x2x7xi64>) {
    ^bb0(%in: f32, %out: f32, %out_38: i64):
      %105 = linalg.index 3 : index
      %106 = arith.index_cast %105 : index to i64
      %107 = arith.maximumf %in, %out : f32
      %108 = arith.cmpf ogt, %in, %out : f32
      %109 = arith.select %108, %106, %out_38 : i64
      linalg.yield %107, %109 : f32, i64
    } -> (tensor<1x2x7xf32>, tensor<1x2x7xi64>)
    %expanded_22 = tensor.expand_shape %34#0 [[0], [1], [2, 3]] output_shape [1, 2, 7, 1] : tensor<1x2x7xf32> into tensor<1x2x7x1xf32>
    %35 = linalg.generic {indexing_maps = [#map6, #map11, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29, %expanded_22 : tensor<1x2x7x7xf32>, tensor<1x2x7x1xf32>) outs(%27 : tensor<1x2x7x7xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %105 = arith.subf %in, %in_38 : f32
      linalg.yield %105 : f32
    } -> tensor<1x2x7x7xf32>
    %36 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35 : tensor<1x2x7x7xf32>) outs(%27 : tensor<1x2x7x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %105 = math.exp %in : f32
      linalg.yield %105 : f32
    } -> tensor<1x2x7x7xf32>
    %37 = tensor.empty() : tensor<1x2x7x1xf32>
    %38 = linalg.fill ins(%cst : f32) outs(%37 : tensor<1x2x7x1xf32>) -> tensor<1x2x7x1xf32>
    %39 = linalg.generic {indexing_maps = [#map6, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%36 : tensor<1x2x7x7xf32>) outs(%38 : tensor<1x2x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %105 = arith.addf %in, %out : f32
      linalg.yield %105 : f32
    } -> tensor<1x2x7x1xf32>
    %40 = linalg.generic {indexing_maps = [#map6, #map11, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36, %39 : tensor<1x2x7x7xf32>, tensor<1x2x7x1xf32>) outs(%27 : tensor<1x2x7x7xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %105 = arith.divf %in, %in_38 : f32
      linalg.yield %105 : f32
    } -> tensor<1x2x7x7xf32>
    %collapsed_23 = tensor.collapse_shape %40 [[0, 1], [2], [3]] : tensor<1x2x7x7xf32> into tensor<2x7x7xf32>
    %collapsed_24 = tensor.collapse_shape %transposed_17 [[0, 1], [2], [3]] : tensor<1x2x7x8xf32> into tensor<2x7x8xf32>
    %41 = tensor.empty() : tensor<2x7x8xf32>
    %42 = linalg.fill ins(%cst : f32) outs(%41 : tensor<2x7x8xf32>) -> tensor<2x7x8xf32>
    %43 = linalg.batch_matmul ins(%collapsed_23, %collapsed_24 : tensor<2x7x7xf32>, tensor<2x7x8xf32>) outs(%42 : tensor<2x7x8xf32>) -> tensor<2x7x8xf32>
    %expanded_25 = tensor.expand_shape %43 [[0, 1], [2], [3]] output_shape [1, 2, 7, 8] : tensor<2x7x8xf32> into tensor<1x2x7x8xf32>
    %44 = tensor.empty() : tensor<1x7x2x8xf32>
    %transposed_26 = linalg.transpose ins(%expanded_25 : tensor<1x2x7x8xf32>) outs(%44 : tensor<1x7x2x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_27 = tensor.collapse_shape %transposed_26 [[0, 1], [2, 3]] : tensor<1x7x2x8xf32> into tensor<7x16xf32>
    %transposed_28 = linalg.transpose ins(%arg10 : tensor<16x16xf32>) outs(%11 : tensor<16x16xf32>) permutation = [1, 0] 
    %45 = linalg.matmul ins(%collapsed_27, %transposed_28 : tensor<7x16xf32>, tensor<16x16xf32>) outs(%12 : tensor<7x16xf32>) -> tensor<7x16xf32>
    %46 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg11 : tensor<16xf32>) outs(%4 : tensor<7x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<7x16xf32>
    %47 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%45, %46 : tensor<7x16xf32>, tensor<7x16xf32>) outs(%4 : tensor<7x16xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %105 = arith.addf %in, %in_38 : f32
      linalg.yield %105 : f32
    } -> tensor<7x16xf32>
    %expanded_29 = tensor.expand_shape %47 [[0, 1], [2]] output_shape [1, 7, 16] : tensor<7x16xf32> into tensor<1x7x16xf32>
    %48 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %expanded_29 : tensor<1x7x16xf32>, tensor<1x7x16xf32>) outs(%0 : tensor<1x7x16xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %105 = arith.addf %in, %in_38 : f32
      linalg.yield %105 : f32
    } -> tensor<1x7x16xf32>
    %49 = tensor.empty() : tensor<1x7x16xf64>
    %50 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%48 : tensor<1x7x16xf32>) outs(%49 : tensor<1x7x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %105 = arith.extf %in : f32 to f64
      linalg.yield %105 : f64
    } -> tensor<1x7x16xf64>
    %51 = tensor.empty() : tensor<1x7x1xf64>
    %52 = linalg.fill ins(%cst_1 : f64) outs(%51 : tensor<1x7x1xf64>) -> tensor<1x7x1xf64>
    %53 = linalg.generic {indexing_maps = [#map1, #map12], iterator_types = ["parallel", "parallel", "reduction"]} ins(%50 : tensor<1x7x16xf64>) outs(%52 : tensor<1x7x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %105 = arith.addf %in, %out : f64
      linalg.yield %105 : f64
    } -> tensor<1x7x1xf64>
    %54 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%53 : tensor<1x7x1xf64>) outs(%51 : tensor<1x7x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %105 = arith.divf %in, %cst_8 : f64
      linalg.yield %105 : f64
    } -> tensor<1x7x1xf64>
    %55 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%50, %54 : tensor<1x7x16xf64>, tensor<1x7x1xf64>) outs(%49 : tensor<1x7x16xf64>) {
    ^bb0(%in: f64, %in_38: f64, %out: f64):
      %105 = arith.subf %in, %in_38 : f64
      linalg.yield %105 : f64
    } -> tensor<1x7x16xf64>
    %56 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%55, %55 : tensor<1x7x16xf64>, tensor<1x7x16xf64>) outs(%49 : tensor<1x7x16xf64>) {
    ^bb0(%in: f64, %in_38: f64, %out: f64):
      %105 = arith.mulf %in, %in_38 : f64
      linalg.yield %105 : f64
    } -> tensor<1x7x16xf64>
    %57 = linalg.generic {indexing_maps = [#map1, #map12], iterator_types = ["parallel", "parallel", "reduction"]} ins(%56 : tensor<1x7x16xf64>) outs(%52 : tensor<1x7x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %105 = arith.addf %in, %out : f64
      linalg.yield %105 : f64
    } -> tensor<1x7x1xf64>
    %58 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%57 : tensor<1x7x1xf64>) outs(%51 : tensor<1x7x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %105 = arith.divf %in, %cst_8 : f64
      linalg.yield %105 : f64
    } -> tensor<1x7x1xf64>
    %59 = tensor.empty() : tensor<1x7x1xf32>
    %60 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58 : tensor<1x7x1xf64>) outs(%59 : tensor<1x7x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %105 = arith.truncf %in : f64 to f32
      linalg.yield %105 : f32
    } -> tensor<1x7x1xf32>
    %61 = linalg.fill ins(%cst : f32) outs(%59 : tensor<1x7x1xf32>) -> tensor<1x7x1xf32>
    %62 = linalg.generic {indexing_maps = [#map1, #map12], iterator_types = ["parallel", "parallel", "reduction"]} ins(%48 : tensor<1x7x16xf32>) outs(%61 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %105 = arith.addf %in, %out : f32
      linalg.yield %105 : f32
    } -> tensor<1x7x1xf32>
    %63 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%62 : tensor<1x7x1xf32>) outs(%59 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %105 = arith.divf %in, %cst_9 : f32
      linalg.yield %105 : f32
    } -> tensor<1x7x1xf32>
    %64 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%60 : tensor<1x7x1xf32>) outs(%59 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %105 = arith.truncf %cst_5 : f64 to f32
      %106 = arith.addf %in, %105 : f32
      linalg.yield %106 : f32
    } -> tensor<1x7x1xf32>
    %65 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64 : tensor<1x7x1xf32>) outs(%59 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %105 = math.rsqrt %in : f32
      linalg.yield %105 : f32
    } -> tensor<1x7x1xf32>
    %66 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%48, %63 : tensor<1x7x16xf32>, tensor<1x7x1xf32>) outs(%0 : tensor<1x7x16xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %105 = arith.subf %in, %in_38 : f32
      linalg.yield %105 : f32
    } -> tensor<1x7x16xf32>
    %67 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%66, %65 : tensor<1x7x16xf32>, tensor<1x7x1xf32>) outs(%0 : tensor<1x7x16xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %105 = arith.mulf %in, %in_38 : f32
      linalg.yield %105 : f32
    } -> tensor<1x7x16xf32>
    %68 = linalg.generic {indexing_maps = [#map1, #map13, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67, %arg12 : tensor<1x7x16xf32>, tensor<16xf32>) outs(%0 : tensor<1x7x16xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %105 = arith.mulf %in, %in_38 : f32
      linalg.yield %105 : f32
    } -> tensor<1x7x16xf32>
    %69 = linalg.generic {indexing_maps = [#map1, #map13, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%68, %arg13 : tensor<1x7x16xf32>, tensor<16xf32>) outs(%0 : tensor<1x7x16xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %105 = arith.addf %in, %in_38 : f32
      linalg.yield %105 : f32
    } -> tensor<1x7x16xf32>
    %collapsed_30 = tensor.collapse_shape %69 [[0, 1], [2]] : tensor<1x7x16xf32> into tensor<7x16xf32>
    %70 = tensor.empty() : tensor<16x24xf32>
    %transposed_31 = linalg.transpose ins(%arg16 : tensor<24x16xf32>) outs(%70 : tensor<16x24xf32>) permutation = [1, 0] 
    %71 = tensor.empty() : tensor<7x24xf32>
    %72 = linalg.fill ins(%cst : f32) outs(%71 : tensor<7x24xf32>) -> tensor<7x24xf32>
    %73 = linalg.matmul ins(%collapsed_30, %transposed_31 : tensor<7x16xf32>, tensor<16x24xf32>) outs(%72 : tensor<7x24xf32>) -> tensor<7x24xf32>
    %74 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg17 : tensor<24xf32>) outs(%71 : tensor<7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<7x24xf32>
    %75 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%73, %74 : tensor<7x24xf32>, tensor<7x24xf32>) outs(%71 : tensor<7x24xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %105 = arith.addf %in, %in_38 : f32
      linalg.yield %105 : f32
    } -> tensor<7x24xf32>
    %expanded_32 = tensor.expand_shape %75 [[0, 1], [2]] output_shape [1, 7, 24] : tensor<7x24xf32> into tensor<1x7x24xf32>
    %76 = tensor.empty() : tensor<1x7x24xf32>
    %77 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_32 : tensor<1x7x24xf32>) outs(%76 : tensor<1x7x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %105 = arith.divf %in, %cst_10 : f32
      %106 = math.erf %105 : f32
      %107 = arith.addf %106, %cst_2 : f32
      %108 = arith.mulf %107, %cst_3 : f32
      %109 = arith.mulf %in, %108 : f32
      linalg.yield %109 : f32
    } -> tensor<1x7x24xf32>
    %collapsed_33 = tensor.collapse_shape %77 [[0, 1], [2]] : tensor<1x7x24xf32> into tensor<7x24xf32>
    %78 = tensor.empty() : tensor<24x16xf32>
    %transposed_34 = linalg.transpose ins(%arg18 : tensor<16x24xf32>) outs(%78 : tensor<24x16xf32>) permutation = [1, 0] 
    %79 = linalg.matmul ins(%collapsed_33, %transposed_34 : tensor<7x24xf32>, tensor<24x16xf32>) outs(%12 : tensor<7x16xf32>) -> tensor<7x16xf32>
    %80 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg19 : tensor<16xf32>) outs(%4 : tensor<7x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<7x16xf32>
    %81 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%79, %80 : tensor<7x16xf32>, tensor<7x16xf32>) outs(%4 : tensor<7x16xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %105 = arith.addf %in, %in_38 : f32
      linalg.yield %105 : f32
    } -> tensor<7x16xf32>
    %expanded_35 = tensor.expand_shape %81 [[0, 1], [2]] output_shape [1, 7, 16] : tensor<7x16xf32> into tensor<1x7x16xf32>
    %82 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69, %expanded_35 : tensor<1x7x16xf32>, tensor<1x7x16xf32>) outs(%0 : tensor<1x7x16xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %105 = arith.addf %in, %in_38 : f32
      linalg.yield %105 : f32
    } -> tensor<1x7x16xf32>
    %83 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82 : tensor<1x7x16xf32>) outs(%49 : tensor<1x7x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %105 = arith.extf %in : f32 to f64
      linalg.yield %105 : f64
    } -> tensor<1x7x16xf64>
    %84 = linalg.generic {indexing_maps = [#map1, #map12], iterator_types = ["parallel", "parallel", "reduction"]} ins(%83 : tensor<1x7x16xf64>) outs(%52 : tensor<1x7x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %105 = arith.addf %in, %out : f64
      linalg.yield %105 : f64
    } -> tensor<1x7x1xf64>
    %85 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%84 : tensor<1x7x1xf64>) outs(%51 : tensor<1x7x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %105 = arith.divf %in, %cst_8 : f64
      linalg.yield %105 : f64
    } -> tensor<1x7x1xf64>
    %86 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83, %85 : tensor<1x7x16xf64>, tensor<1x7x1xf64>) outs(%49 : tensor<1x7x16xf64>) {
    ^bb0(%in: f64, %in_38: f64, %out: f64):
      %105 = arith.subf %in, %in_38 : f64
      linalg.yield %105 : f64
    } -> tensor<1x7x16xf64>
    %87 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86, %86 : tensor<1x7x16xf64>, tensor<1x7x16xf64>) outs(%49 : tensor<1x7x16xf64>) {
    ^bb0(%in: f64, %in_38: f64, %out: f64):
      %105 = arith.mulf %in, %in_38 : f64
      linalg.yield %105 : f64
    } -> tensor<1x7x16xf64>
    %88 = linalg.generic {indexing_maps = [#map1, #map12], iterator_types = ["parallel", "parallel", "reduction"]} ins(%87 : tensor<1x7x16xf64>) outs(%52 : tensor<1x7x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %105 = arith.addf %in, %out : f64
      linalg.yield %105 : f64
    } -> tensor<1x7x1xf64>
    %89 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88 : tensor<1x7x1xf64>) outs(%51 : tensor<1x7x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %105 = arith.divf %in, %cst_8 : f64
      linalg.yield %105 : f64
    } -> tensor<1x7x1xf64>
    %90 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89 : tensor<1x7x1xf64>) outs(%59 : tensor<1x7x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %105 = arith.truncf %in : f64 to f32
      linalg.yield %105 : f32
    } -> tensor<1x7x1xf32>
    %91 = linalg.generic {indexing_maps = [#map1, #map12], iterator_types = ["parallel", "parallel", "reduction"]} ins(%82 : tensor<1x7x16xf32>) outs(%61 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %105 = arith.addf %in, %out : f32
      linalg.yield %105 : f32
    } -> tensor<1x7x1xf32>
    %92 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91 : tensor<1x7x1xf32>) outs(%59 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %105 = arith.divf %in, %cst_9 : f32
      linalg.yield %105 : f32
    } -> tensor<1x7x1xf32>
    %93 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90 : tensor<1x7x1xf32>) outs(%59 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %105 = arith.truncf %cst_5 : f64 to f32
      %106 = arith.addf %in, %105 : f32
      linalg.yield %106 : f32
    } -> tensor<1x7x1xf32>
    %94 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93 : tensor<1x7x1xf32>) outs(%59 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %105 = math.rsqrt %in : f32
      linalg.yield %105 : f32
    } -> tensor<1x7x1xf32>
    %95 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82, %92 : tensor<1x7x16xf32>, tensor<1x7x1xf32>) outs(%0 : tensor<1x7x16xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %105 = arith.subf %in, %in_38 : f32
      linalg.yield %105 : f32
    } -> tensor<1x7x16xf32>
    %96 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%95, %94 : tensor<1x7x16xf32>, tensor<1x7x1xf32>) outs(%0 : tensor<1x7x16xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %105 = arith.mulf %in, %in_38 : f32
      linalg.yield %105 : f32
    } -> tensor<1x7x16xf32>
    %97 = linalg.generic {indexing_maps = [#map1, #map13, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96, %arg14 : tensor<1x7x16xf32>, tensor<16xf32>) outs(%0 : tensor<1x7x16xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %105 = arith.mulf %in, %in_38 : f32
      linalg.yield %105 : f32
    } -> tensor<1x7x16xf32>
    %98 = linalg.generic {indexing_maps = [#map1, #map13, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97, %arg15 : tensor<1x7x16xf32>, tensor<16xf32>) outs(%0 : tensor<1x7x16xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %105 = arith.addf %in, %in_38 : f32
      linalg.yield %105 : f32
    } -> tensor<1x7x16xf32>
    %extracted_slice = tensor.extract_slice %98[0, 0, 0] [1, 1, 16] [1, 1, 1] : tensor<1x7x16xf32> to tensor<1x1x16xf32>
    %collapsed_36 = tensor.collapse_shape %extracted_slice [[0, 1], [2]] : tensor<1x1x16xf32> into tensor<1x16xf32>
    %transposed_37 = linalg.transpose ins(%arg20 : tensor<16x16xf32>) outs(%11 : tensor<16x16xf32>) permutation = [1, 0] 
    %99 = tensor.empty() : tensor<1x16xf32>
    %100 = linalg.fill ins(%cst : f32) outs(%99 : tensor<1x16xf32>) -> tensor<1x16xf32>
    %101 = linalg.matmul ins(%collapsed_36, %transposed_37 : tensor<1x16xf32>, tensor<16x16xf32>) outs(%100 : tensor<1x16xf32>) -> tensor<1x16xf32>
    %102 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg21 : tensor<16xf32>) outs(%99 : tensor<1x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x16xf32>
    %103 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%101, %102 : tensor<1x16xf32>, tensor<1x16xf32>) outs(%99 : tensor<1x16xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %105 = arith.addf %in, %in_38 : f32
      linalg.yield %105 : f32
    } -> tensor<1x16xf32>
    %104 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%103 : tensor<1x16xf32>) outs(%99 : tensor<1x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %105 = math.tanh %in : f32
      linalg.yield %105 : f32
    } -> tensor<1x16xf32>
    return %98, %104 : tensor<1x7x16xf32>, tensor<1x16xf32>
  }
}
