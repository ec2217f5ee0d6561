#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d1)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x3x16x16xf32>, %arg1: tensor<1x1x16xf32>, %arg2: tensor<16x3x8x8xf32>, %arg3: tensor<16xf32>, %arg4: tensor<1x5x16xf32>, %arg5: tensor<16xf32>, %arg6: tensor<16xf32>, %arg7: tensor<48x16xf32>, %arg8: tensor<48xf32>, %arg9: tensor<16x16xf32>, %arg10: tensor<16xf32>, %arg11: tensor<16xf32>, %arg12: tensor<16xf32>, %arg13: tensor<24x16xf32>, %arg14: tensor<24xf32>, %arg15: tensor<16x24xf32>, %arg16: tensor<16xf32>, %arg17: tensor<16xf32>, %arg18: tensor<16xf32>, %arg19: tensor<5x16xf32>, %arg20: tensor<5xf32>) -> tensor<1x5xf32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0.000000e+00 : f64
    %cst_1 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_2 = arith.constant 1.000000e+00 : f32
    %cst_3 = arith.constant 5.000000e-01 : f32
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<1x2x5x5xf32>
    %cst_5 = arith.constant 0xFFF0000000000000 : f64
    %cst_6 = arith.constant 0.59460355750136051 : f64
    %cst_7 = arith.constant 9.9999999999999995E-7 : f64
    %cst_8 = arith.constant 1.600000e+01 : f64
    %cst_9 = arith.constant 1.600000e+01 : f32
    %cst_10 = arith.constant 1.41421354 : f32
    %0 = tensor.empty() : tensor<1x16x2x2xf32>
    %broadcasted = linalg.broadcast ins(%arg3 : tensor<16xf32>) outs(%0 : tensor<1x16x2x2xf32>) dimensions = [0, 2, 3] 
    %1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<8> : vector<2xi64>} ins(%arg0, %arg2 : tensor<1x3x16x16xf32>, tensor<16x3x8x8xf32>) outs(%broadcasted : tensor<1x16x2x2xf32>) -> tensor<1x16x2x2xf32>
    %collapsed = tensor.collapse_shape %1 [[0], [1], [2, 3]] : tensor<1x16x2x2xf32> into tensor<1x16x4xf32>
    %2 = tensor.empty() : tensor<1x4x16xf32>
    %transposed = linalg.transpose ins(%collapsed : tensor<1x16x4xf32>) outs(%2 : tensor<1x4x16xf32>) permutation = [0, 2, 1] 
    %concat = tensor.concat dim(1) %arg1, %transposed : (tensor<1x1x16xf32>, tensor<1x4x16xf32>) -> tensor<1x5x16xf32>
    %3 = tensor.empty() : tensor<1x5x16xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%concat, %arg4 : tensor<1x5x16xf32>, tensor<1x5x16xf32>) outs(%3 : tensor<1x5x16xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %121 = arith.addf %in, %in_50 : f32
      linalg.yield %121 : f32
    } -> tensor<1x5x16xf32>
    %5 = tensor.empty() : tensor<1x5x16xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<1x5x16xf32>) outs(%5 : tensor<1x5x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %121 = arith.extf %in : f32 to f64
      linalg.yield %121 : f64
    } -> tensor<1x5x16xf64>
    %7 = tensor.empty() : tensor<1x5x1xf64>
    %8 = linalg.fill ins(%cst_0 : f64) outs(%7 : tensor<1x5x1xf64>) -> tensor<1x5x1xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%6 : tensor<1x5x16xf64>) outs(%8 : tensor<1x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %121 = arith.addf %in, %out : f64
      linalg.yield %121 : f64
    } -> tensor<1x5x1xf64>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<1x5x1xf64>) outs(%7 : tensor<1x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %121 = arith.divf %in, %cst_8 : f64
      linalg.yield %121 : f64
    } -> tensor<1x5x1xf64>
    %11 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %10 : tensor<1x5x16xf64>, tensor<1x5x1xf64>) outs(%5 : tensor<1x5x16xf64>) {
    ^bb0(%in: f64, %in_50: f64, %out: f64):
      %121 = arith.subf %in, %in_50 : f64
      linalg.yield %121 : f64
    } -> tensor<1x5x16xf64>
    %12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11, %11 : tensor<1x5x16xf64>, tensor<1x5x16xf64>) outs(%5 : tensor<1x5x16xf64>) {
    ^bb0(%in: f64, %in_50: f64, %out: f64):
      %121 = arith.mulf %in, %in_50 : f64
      linalg.yield %121 : f64
    } -> tensor<1x5x16xf64>
    %13 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12 : tensor<1x5x16xf64>) outs(%8 : tensor<1x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %121 = arith.addf %in, %out : f64
      linalg.yield %121 : f64
    } -> tensor<1x5x1xf64>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<1x5x1xf64>) outs(%7 : tensor<1x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %121 = arith.divf %in, %cst_8 : f64
      linalg.yield %121 : f64
    } -> tensor<1x5x1xf64>
    %15 = tensor.empty() : tensor<1x5x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<1x5x1xf64>) outs(%15 : tensor<1x5x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %121 = arith.truncf %in : f64 to f32
      linalg.yield %121 : f32
    } -> tensor<1x5x1xf32>
    %17 = linalg.fill ins(%cst : f32) outs(%15 : tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%4 : tensor<1x5x16xf32>) outs(%17 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.addf %in, %out : f32
      linalg.yield %121 : f32
    } -> tensor<1x5x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18 : tensor<1x5x1xf32>) outs(%15 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.divf %in, %cst_9 : f32
      linalg.yield %121 : f32
    } -> tensor<1x5x1xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<1x5x1xf32>) outs(%15 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.truncf %cst_7 : f64 to f32
      %122 = arith.addf %in, %121 : f32
      linalg.yield %122 : f32
    } -> tensor<1x5x1xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<1x5x1xf32>) outs(%15 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = math.rsqrt %in : f32
      linalg.yield %121 : f32
    } -> tensor<1x5x1xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %19 : tensor<1x5x16xf32>, tensor<1x5x1xf32>) outs(%3 : tensor<1x5x16xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %121 = arith.subf %in, %in_50 : f32
      linalg.yield %121 : f32
    } -> tensor<1x5x16xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22, %21 : tensor<1x5x16xf32>, tensor<1x5x1xf32>) outs(%3 : tensor<1x5x16xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %121 = arith.mulf %in, %in_50 : f32
      linalg.yield %121 : f32
    } -> tensor<1x5x16xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23, %arg5 : tensor<1x5x16xf32>, tensor<16xf32>) outs(%3 : tensor<1x5x16xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %121 = arith.mulf %in, %in_50 : f32
      linalg.yield %121 : f32
    } -> tensor<1x5x16xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24, %arg6 : tensor<1x5x16xf32>, tensor<16xf32>) outs(%3 : tensor<1x5x16xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %121 = arith.addf %in, %in_50 : f32
      linalg.yield %121 : f32
    } -> tensor<1x5x16xf32>
    %26 = tensor.empty() : tensor<5x1x16xf32>
    %transposed_11 = linalg.transpose ins(%25 : tensor<1x5x16xf32>) outs(%26 : tensor<5x1x16xf32>) permutation = [1, 0, 2] 
    %collapsed_12 = tensor.collapse_shape %transposed_11 [[0], [1, 2]] : tensor<5x1x16xf32> into tensor<5x16xf32>
    %27 = tensor.empty() : tensor<16x48xf32>
    %transposed_13 = linalg.transpose ins(%arg7 : tensor<48x16xf32>) outs(%27 : tensor<16x48xf32>) permutation = [1, 0] 
    %28 = tensor.empty() : tensor<5x48xf32>
    %29 = linalg.fill ins(%cst : f32) outs(%28 : tensor<5x48xf32>) -> tensor<5x48xf32>
    %30 = linalg.matmul ins(%collapsed_12, %transposed_13 : tensor<5x16xf32>, tensor<16x48xf32>) outs(%29 : tensor<5x48xf32>) -> tensor<5x48xf32>
    %31 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg8 : tensor<48xf32>) outs(%28 : tensor<5x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5x48xf32>
    %32 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%30, %31 : tensor<5x48xf32>, tensor<5x48xf32>) outs(%28 : tensor<5x48xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %121 = arith.addf %in, %in_50 : f32
      linalg.yield %121 : f32
    } -> tensor<5x48xf32>
    %expanded = tensor.expand_shape %32 [[0, 1], [2, 3, 4]] output_shape [1, 5, 1, 3, 16] : tensor<5x48xf32> into tensor<1x5x1x3x16xf32>
    %33 = tensor.empty() : tensor<3x5x1x1x16xf32>
    %transposed_14 = linalg.transpose ins(%expanded : tensor<1x5x1x3x16xf32>) outs(%33 : tensor<3x5x1x1x16xf32>) permutation = [3, 1, 2, 0, 4] 
    %collapsed_15 = tensor.collapse_shape %transposed_14 [[0], [1], [2, 3], [4]] : tensor<3x5x1x1x16xf32> into tensor<3x5x1x16xf32>
    %extracted_slice = tensor.extract_slice %collapsed_15[0, 0, 0, 0] [1, 5, 1, 16] [1, 1, 1, 1] : tensor<3x5x1x16xf32> to tensor<1x5x1x16xf32>
    %extracted_slice_16 = tensor.extract_slice %collapsed_15[1, 0, 0, 0] [1, 5, 1, 16] [1, 1, 1, 1] : tensor<3x5x1x16xf32> to tensor<1x5x1x16xf32>
    %extracted_slice_17 = tensor.extract_slice %collapsed_15[2, 0, 0, 0] [1, 5, 1, 16] [1, 1, 1, 1] : tensor<3x5x1x16xf32> to tensor<1x5x1x16xf32>
    %collapsed_18 = tensor.collapse_shape %extracted_slice [[0, 1], [2, 3]] : tensor<1x5x1x16xf32> into tensor<5x16xf32>
    %expanded_19 = tensor.expand_shape %collapsed_18 [[0], [1, 2]] output_shape [5, 2, 8] : tensor<5x16xf32> into tensor<5x2x8xf32>
    %34 = tensor.empty() : tensor<2x5x8xf32>
    %transposed_20 = linalg.transpose ins(%expanded_19 : tensor<5x2x8xf32>) outs(%34 : tensor<2x5x8xf32>) permutation = [1, 0, 2] 
    %collapsed_21 = tensor.collapse_shape %extracted_slice_16 [[0, 1], [2, 3]] : tensor<1x5x1x16xf32> into tensor<5x16xf32>
    %expanded_22 = tensor.expand_shape %collapsed_21 [[0], [1, 2]] output_shape [5, 2, 8] : tensor<5x16xf32> into tensor<5x2x8xf32>
    %transposed_23 = linalg.transpose ins(%expanded_22 : tensor<5x2x8xf32>) outs(%34 : tensor<2x5x8xf32>) permutation = [1, 0, 2] 
    %collapsed_24 = tensor.collapse_shape %extracted_slice_17 [[0, 1], [2, 3]] : tensor<1x5x1x16xf32> into tensor<5x16xf32>
    %expanded_25 = tensor.expand_shape %collapsed_24 [[0], [1, 2]] output_shape [5, 2, 8] : tensor<5x16xf32> into tensor<5x2x8xf32>
    %transposed_26 = linalg.transpose ins(%expanded_25 : tensor<5x2x8xf32>) outs(%34 : tensor<2x5x8xf32>) permutation = [1, 0, 2] 
    %expanded_27 = tensor.expand_shape %transposed_20 [[0, 1], [2], [3]] output_shape [1, 2, 5, 8] : tensor<2x5x8xf32> into tensor<1x2x5x8xf32>
    %expanded_28 = tensor.expand_shape %transposed_23 [[0, 1], [2], [3]] output_shape [1, 2, 5, 8] : tensor<2x5x8xf32> into tensor<1x2x5x8xf32>
    %35 = tensor.empty() : tensor<1x2x5x8xf32>
    %36 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_27 : tensor<1x2x5x8xf32>) outs(%35 : tensor<1x2x5x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.truncf %cst_6 : f64 to f32
      %122 = arith.mulf %in, %121 : f32
      linalg.yield %122 : f32
    } -> tensor<1x2x5x8xf32>
    %37 = tensor.empty() : tensor<1x2x8x5xf32>
    %transposed_29 = linalg.transpose ins(%expanded_28 : tensor<1x2x5x8xf32>) outs(%37 : tensor<1x2x8x5xf32>) permutation = [0, 1, 3, 2] 
    %38 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_29 : tensor<1x2x8x5xf32>) outs(%37 : tensor<1x2x8x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.truncf %cst_6 : f64 to f32
      %122 = arith.mulf %in, %121 : f32
      linalg.yield %122 : f32
    } -> tensor<1x2x8x5xf32>
    %collapsed_30 = tensor.collapse_shape %36 [[0, 1], [2], [3]] : tensor<1x2x5x8xf32> into tensor<2x5x8xf32>
    %collapsed_31 = tensor.collapse_shape %38 [[0, 1], [2], [3]] : tensor<1x2x8x5xf32> into tensor<2x8x5xf32>
    %39 = tensor.empty() : tensor<2x5x5xf32>
    %40 = linalg.fill ins(%cst : f32) outs(%39 : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
    %41 = linalg.batch_matmul ins(%collapsed_30, %collapsed_31 : tensor<2x5x8xf32>, tensor<2x8x5xf32>) outs(%40 : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
    %expanded_32 = tensor.expand_shape %41 [[0, 1], [2], [3]] output_shape [1, 2, 5, 5] : tensor<2x5x5xf32> into tensor<1x2x5x5xf32>
    %42 = tensor.empty() : tensor<1x2x5xi64>
    %43 = linalg.fill ins(%c0_i64 : i64) outs(%42 : tensor<1x2x5xi64>) -> tensor<1x2x5xi64>
    %44 = tensor.empty() : tensor<1x2x5xf32>
    %45 = linalg.fill ins(%cst_1 : f32) outs(%44 : tensor<1x2x5xf32>) -> tensor<1x2x5xf32>
    %46:2 = linalg.generic {indexing_maps = [#map5, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded_32 : tensor<1x2x5x5xf32>) outs(%45, %43 : tensor<1x2x5xf32>, tensor<1x2x5xi64>) {
    ^bb0(%in: f32, %out: f32, %out_50: i64):
      %121 = linalg.index 3 : index
      %122 = arith.index_cast %121 : index to i64
      %123 = arith.maximumf %in, %out : f32
      %124 = arith.cmpf ogt, %in, %out : f32
      %125 = arith.select %124, %122, %out_50 : i64
      linalg.yield %123, %125 : f32, i64
    } -> (tensor<1x2x5xf32>, tensor<1x2x5xi64>)
    %expanded_33 = tensor.expand_shape %46#0 [[0], [1], [2, 3]] output_shape [1, 2, 5, 1] : tensor<1x2x5xf32> into tensor<1x2x5x1xf32>
    %47 = tensor.empty() : tensor<1x2x5x5xf32>
    %48 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_32, %expanded_33 : tensor<1x2x5x5xf32>, tensor<1x2x5x1xf32>) outs(%47 : tensor<1x2x5x5xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %121 = arith.subf %in, %in_50 : f32
      linalg.yield %121 : f32
    } -> tensor<1x2x5x5xf32>
    %49 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%48 : tensor<1x2x5x5xf32>) outs(%47 : tensor<1x2x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = math.exp %in : f32
      linalg.yield %121 : f32
    } -> tensor<1x2x5x5xf32>
    %50 = tensor.empty() : tensor<1x2x5x1xf32>
    %51 = linalg.fill ins(%cst : f32) outs(%50 : tensor<1x2x5x1xf32>) -> tensor<1x2x5x1xf32>
    %52 = linalg.generic {indexing_maps = [#map5, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%49 : tensor<1x2x5x5xf32>) outs(%51 : tensor<1x2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.addf %in, %out : f32
      linalg.yield %121 : f32
    } -> tensor<1x2x5x1xf32>
    %53 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49, %52 : tensor<1x2x5x5xf32>, tensor<1x2x5x1xf32>) outs(%47 : tensor<1x2x5x5xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %121 = arith.divf %in, %in_50 : f32
      linalg.yield %121 : f32
    } -> tensor<1x2x5x5xf32>
    %54 = tensor.empty() : tensor<1x2x5x5xi1>
    %55 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_32 : tensor<1x2x5x5xf32>) outs(%54 : tensor<1x2x5x5xi1>) {
    ^bb0(%in: f32, %out: i1):
      %121 = arith.extf %in : f32 to f64
      %122 = arith.cmpf oeq, %121, %cst_5 : f64
      linalg.yield %122 : i1
    } -> tensor<1x2x5x5xi1>
    %56 = tensor.empty() : tensor<1x2x5x1xi1>
    %57 = linalg.fill ins(%true : i1) outs(%56 : tensor<1x2x5x1xi1>) -> tensor<1x2x5x1xi1>
    %58 = linalg.generic {indexing_maps = [#map5, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%55 : tensor<1x2x5x5xi1>) outs(%57 : tensor<1x2x5x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %121 = arith.andi %in, %out : i1
      linalg.yield %121 : i1
    } -> tensor<1x2x5x1xi1>
    %59 = linalg.generic {indexing_maps = [#map7, #map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%58, %cst_4, %53 : tensor<1x2x5x1xi1>, tensor<1x2x5x5xf32>, tensor<1x2x5x5xf32>) outs(%47 : tensor<1x2x5x5xf32>) {
    ^bb0(%in: i1, %in_50: f32, %in_51: f32, %out: f32):
      %121 = arith.select %in, %in_50, %in_51 : f32
      linalg.yield %121 : f32
    } -> tensor<1x2x5x5xf32>
    %collapsed_34 = tensor.collapse_shape %59 [[0, 1], [2], [3]] : tensor<1x2x5x5xf32> into tensor<2x5x5xf32>
    %60 = linalg.fill ins(%cst : f32) outs(%34 : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    %61 = linalg.batch_matmul ins(%collapsed_34, %transposed_26 : tensor<2x5x5xf32>, tensor<2x5x8xf32>) outs(%60 : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    %expanded_35 = tensor.expand_shape %61 [[0, 1], [2], [3]] output_shape [1, 2, 5, 8] : tensor<2x5x8xf32> into tensor<1x2x5x8xf32>
    %62 = tensor.empty() : tensor<5x1x2x8xf32>
    %transposed_36 = linalg.transpose ins(%expanded_35 : tensor<1x2x5x8xf32>) outs(%62 : tensor<5x1x2x8xf32>) permutation = [2, 0, 1, 3] 
    %collapsed_37 = tensor.collapse_shape %transposed_36 [[0], [1, 2, 3]] : tensor<5x1x2x8xf32> into tensor<5x16xf32>
    %63 = tensor.empty() : tensor<16x16xf32>
    %transposed_38 = linalg.transpose ins(%arg9 : tensor<16x16xf32>) outs(%63 : tensor<16x16xf32>) permutation = [1, 0] 
    %64 = tensor.empty() : tensor<5x16xf32>
    %65 = linalg.fill ins(%cst : f32) outs(%64 : tensor<5x16xf32>) -> tensor<5x16xf32>
    %66 = linalg.matmul ins(%collapsed_37, %transposed_38 : tensor<5x16xf32>, tensor<16x16xf32>) outs(%65 : tensor<5x16xf32>) -> tensor<5x16xf32>
    %67 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg10 : tensor<16xf32>) outs(%64 : tensor<5x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5x16xf32>
    %68 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%66, %67 : tensor<5x16xf32>, tensor<5x16xf32>) outs(%64 : tensor<5x16xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %121 = arith.addf %in, %in_50 : f32
      linalg.yield %121 : f32
    } -> tensor<5x16xf32>
    %expanded_39 = tensor.expand_shape %68 [[0], [1, 2]] output_shape [5, 1, 16] : tensor<5x16xf32> into tensor<5x1x16xf32>
    %transposed_40 = linalg.transpose ins(%expanded_39 : tensor<5x1x16xf32>) outs(%3 : tensor<1x5x16xf32>) permutation = [1, 0, 2] 
    %69 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_40, %4 : tensor<1x5x16xf32>, tensor<1x5x16xf32>) outs(%3 : tensor<1x5x16xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %121 = arith.addf %in, %in_50 : f32
      linalg.yield %121 : f32
    } -> tensor<1x5x16xf32>
    %70 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69 : tensor<1x5x16xf32>) outs(%5 : tensor<1x5x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %121 = arith.extf %in : f32 to f64
      linalg.yield %121 : f64
    } -> tensor<1x5x16xf64>
    %71 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%70 : tensor<1x5x16xf64>) outs(%8 : tensor<1x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %121 = arith.addf %in, %out : f64
      linalg.yield %121 : f64
    } -> tensor<1x5x1xf64>
    %72 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71 : tensor<1x5x1xf64>) outs(%7 : tensor<1x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %121 = arith.divf %in, %cst_8 : f64
      linalg.yield %121 : f64
    } -> tensor<1x5x1xf64>
    %73 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70, %72 : tensor<1x5x16xf64>, tensor<1x5x1xf64>) outs(%5 : tensor<1x5x16xf64>) {
    ^bb0(%in: f64, %in_50: f64, %out: f64):
      %121 = arith.subf %in, %in_50 : f64
      linalg.yield %121 : f64
    } -> tensor<1x5x16xf64>
    %74 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%73, %73 : tensor<1x5x16xf64>, tensor<1x5x16xf64>) outs(%5 : tensor<1x5x16xf64>) {
    ^bb0(%in: f64, %in_50: f64, %out: f64):
      %121 = arith.mulf %in, %in_50 : f64
      linalg.yield %121 : f64
    } -> tensor<1x5x16xf64>
    %75 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%74 : tensor<1x5x16xf64>) outs(%8 : tensor<1x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %121 = arith.addf %in, %out : f64
      linalg.yield %121 : f64
    } -> tensor<1x5x1xf64>
    %76 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%75 : tensor<1x5x1xf64>) outs(%7 : tensor<1x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %121 = arith.divf %in, %cst_8 : f64
      linalg.yield %121 : f64
    } -> tensor<1x5x1xf64>
    %77 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%76 : tensor<1x5x1xf64>) outs(%15 : tensor<1x5x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %121 = arith.truncf %in : f64 to f32
      linalg.yield %121 : f32
    } -> tensor<1x5x1xf32>
    %78 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%69 : tensor<1x5x16xf32>) outs(%17 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.addf %in, %out : f32
      linalg.yield %121 : f32
    } -> tensor<1x5x1xf32>
    %79 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78 : tensor<1x5x1xf32>) outs(%15 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.divf %in, %cst_9 : f32
      linalg.yield %121 : f32
    } -> tensor<1x5x1xf32>
    %80 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%77 : tensor<1x5x1xf32>) outs(%15 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.truncf %cst_7 : f64 to f32
      %122 = arith.addf %in, %121 : f32
      linalg.yield %122 : f32
    } -> tensor<1x5x1xf32>
    %81 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%80 : tensor<1x5x1xf32>) outs(%15 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = math.rsqrt %in : f32
      linalg.yield %121 : f32
    } -> tensor<1x5x1xf32>
    %82 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69, %79 : tensor<1x5x16xf32>, tensor<1x5x1xf32>) outs(%3 : tensor<1x5x16xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %121 = arith.subf %in, %in_50 : f32
      linalg.yield %121 : f32
    } -> tensor<1x5x16xf32>
    %83 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82, %81 : tensor<1x5x16xf32>, tensor<1x5x1xf32>) outs(%3 : tensor<1x5x16xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %121 = arith.mulf %in, %in_50 : f32
      linalg.yield %121 : f32
    } -> tensor<1x5x16xf32>
    %84 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83, %arg11 : tensor<1x5x16xf32>, tensor<16xf32>) outs(%3 : tensor<1x5x16xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %121 = arith.mulf %in, %in_50 : f32
      linalg.yield %121 : f32
    } -> tensor<1x5x16xf32>
    %85 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%84, %arg12 : tensor<1x5x16xf32>, tensor<16xf32>) outs(%3 : tensor<1x5x16xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %121 = arith.addf %in, %in_50 : f32
      linalg.yield %121 : f32
    } -> tensor<1x5x16xf32>
    %collapsed_41 = tensor.collapse_shape %85 [[0, 1], [2]] : tensor<1x5x16xf32> into tensor<5x16xf32>
    %86 = tensor.empty() : tensor<16x24xf32>
    %transposed_42 = linalg.transpose ins(%arg13 : tensor<24x16xf32>) outs(%86 : tensor<16x24xf32>) permutation = [1, 0] 
    %87 = tensor.empty() : tensor<5x24xf32>
    %88 = linalg.fill ins(%cst : f32) outs(%87 : tensor<5x24xf32>) -> tensor<5x24xf32>
    %89 = linalg.matmul ins(%collapsed_41, %transposed_42 : tensor<5x16xf32>, tensor<16x24xf32>) outs(%88 : tensor<5x24xf32>) -> tensor<5x24xf32>
    %90 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg14 : tensor<24xf32>) outs(%87 : tensor<5x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5x24xf32>
    %91 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%89, %90 : tensor<5x24xf32>, tensor<5x24xf32>) outs(%87 : tensor<5x24xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %121 = arith.addf %in, %in_50 : f32
      linalg.yield %121 : f32
    } -> tensor<5x24xf32>
    %expanded_43 = tensor.expand_shape %91 [[0, 1], [2]] output_shape [1, 5, 24] : tensor<5x24xf32> into tensor<1x5x24xf32>
    %92 = tensor.empty() : tensor<1x5x24xf32>
    %93 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_43 : tensor<1x5x24xf32>) outs(%92 : tensor<1x5x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.divf %in, %cst_10 : f32
      %122 = math.erf %121 : f32
      %123 = arith.addf %122, %cst_2 : f32
      %124 = arith.mulf %123, %cst_3 : f32
      %125 = arith.mulf %in, %124 : f32
      linalg.yield %125 : f32
    } -> tensor<1x5x24xf32>
    %collapsed_44 = tensor.collapse_shape %93 [[0, 1], [2]] : tensor<1x5x24xf32> into tensor<5x24xf32>
    %94 = tensor.empty() : tensor<24x16xf32>
    %transposed_45 = linalg.transpose ins(%arg15 : tensor<16x24xf32>) outs(%94 : tensor<24x16xf32>) permutation = [1, 0] 
    %95 = linalg.matmul ins(%collapsed_44, %transposed_45 : tensor<5x24xf32>, tensor<24x16xf32>) outs(%65 : tensor<5x16xf32>) -> tensor<5x16xf32>
    %96 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg16 : tensor<16xf32>) outs(%64 : tensor<5x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5x16xf32>
    %97 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%95, %96 : tensor<5x16xf32>, tensor<5x16xf32>) outs(%64 : tensor<5x16xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %121 = arith.addf %in, %in_50 : f32
      linalg.yield %121 : f32
    } -> tensor<5x16xf32>
    %expanded_46 = tensor.expand_shape %97 [[0, 1], [2]] output_shape [1, 5, 16] : tensor<5x16xf32> into tensor<1x5x16xf32>
    %98 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69, %expanded_46 : tensor<1x5x16xf32>, tensor<1x5x16xf32>) outs(%3 : tensor<1x5x16xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %121 = arith.addf %in, %in_50 : f32
      linalg.yield %121 : f32
    } -> tensor<1x5x16xf32>
    %99 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98 : tensor<1x5x16xf32>) outs(%5 : tensor<1x5x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %121 = arith.extf %in : f32 to f64
      linalg.yield %121 : f64
    } -> tensor<1x5x16xf64>
    %100 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%99 : tensor<1x5x16xf64>) outs(%8 : tensor<1x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %121 = arith.addf %in, %out : f64
      linalg.yield %121 : f64
    } -> tensor<1x5x1xf64>
    %101 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100 : tensor<1x5x1xf64>) outs(%7 : tensor<1x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %121 = arith.divf %in, %cst_8 : f64
      linalg.yield %121 : f64
    } -> tensor<1x5x1xf64>
    %102 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%99, %101 : tensor<1x5x16xf64>, tensor<1x5x1xf64>) outs(%5 : tensor<1x5x16xf64>) {
    ^bb0(%in: f64, %in_50: f64, %out: f64):
      %121 = arith.subf %in, %in_50 : f64
      linalg.yield %121 : f64
    } -> tensor<1x5x16xf64>
    %103 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%102, %102 : tensor<1x5x16xf64>, tensor<1x5x16xf64>) outs(%5 : tensor<1x5x16xf64>) {
    ^bb0(%in: f64, %in_50: f64, %out: f64):
      %121 = arith.mulf %in, %in_50 : f64
      linalg.yield %121 : f64
    } -> tensor<1x5x16xf64>
    %104 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%103 : tensor<1x5x16xf64>) outs(%8 : tensor<1x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %121 = arith.addf %in, %out : f64
      linalg.yield %121 : f64
    } -> tensor<1x5x1xf64>
    %105 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%104 : tensor<1x5x1xf64>) outs(%7 : tensor<1x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %121 = arith.divf %in, %cst_8 : f64
      linalg.yield %121 : f64
    } -> tensor<1x5x1xf64>
    %106 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%105 : tensor<1x5x1xf64>) outs(%15 : tensor<1x5x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %121 = arith.truncf %in : f64 to f32
      linalg.yield %121 : f32
    } -> tensor<1x5x1xf32>
    %107 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%98 : tensor<1x5x16xf32>) outs(%17 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.addf %in, %out : f32
      linalg.yield %121 : f32
    } -> tensor<1x5x1xf32>
    %108 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%107 : tensor<1x5x1xf32>) outs(%15 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.divf %in, %cst_9 : f32
      linalg.yield %121 : f32
    } -> tensor<1x5x1xf32>
    %109 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106 : tensor<1x5x1xf32>) outs(%15 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.truncf %cst_7 : f64 to f32
      %122 = arith.addf %in, %121 : f32
      linalg.yield %122 : f32
    } -> tensor<1x5x1xf32>
    %110 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109 : tensor<1x5x1xf32>) outs(%15 : tensor<1x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = math.rsqrt %in : f32
      linalg.yield %121 : f32
    } -> tensor<1x5x1xf32>
    %111 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98, %108 : tensor<1x5x16xf32>, tensor<1x5x1xf32>) outs(%3 : tensor<1x5x16xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %121 = arith.subf %in, %in_50 : f32
      linalg.yield %121 : f32
    } -> tensor<1x5x16xf32>
    %112 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%111, %110 : tensor<1x5x16xf32>, tensor<1x5x1xf32>) outs(%3 : tensor<1x5x16xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %121 = arith.mulf %in, %in_50 : f32
      linalg.yield %121 : f32
    } -> tensor<1x5x16xf32>
    %113 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%112, %arg17 : tensor<1x5x16xf32>, tensor<16xf32>) outs(%3 : tensor<1x5x16xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %121 = arith.mulf %in, %in_50 : f32
      linalg.yield %121 : f32
    } -> tensor<1x5x16xf32>
    %114 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%113, %arg18 : tensor<1x5x16xf32>, tensor<16xf32>) outs(%3 : tensor<1x5x16xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %121 = arith.addf %in, %in_50 : f32
      linalg.yield %121 : f32
    } -> tensor<1x5x16xf32>
    %extracted_slice_47 = tensor.extract_slice %114[0, 0, 0] [1, 1, 16] [1, 1, 1] : tensor<1x5x16xf32> to tensor<1x1x16xf32>
    %collapsed_48 = tensor.collapse_shape %extracted_slice_47 [[0, 1], [2]] : tensor<1x1x16xf32> into tensor<1x16xf32>
    %115 = tensor.empty() : tensor<16x5xf32>
    %transposed_49 = linalg.transpose ins(%arg19 : tensor<5x16xf32>) outs(%115 : tensor<16x5xf32>) permutation = [1, 0] 
    %116 = tensor.empty() : tensor<1x5xf32>
    %117 = linalg.fill ins(%cst : f32) outs(%116 : tensor<1x5xf32>) -> tensor<1x5xf32>
    %118 = linalg.matmul ins(%collapsed_48, %transposed_49 : tensor<1x16xf32>, tensor<16x5xf32>) outs(%117 : tensor<1x5xf32>) -> tensor<1x5xf32>
    %119 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg20 : tensor<5xf32>) outs(%116 : tensor<1x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5xf32>
    %120 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%118, %119 : tensor<1x5xf32>, tensor<1x5xf32>) outs(%116 : tensor<1x5xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %121 = arith.addf %in, %in_50 : f32
      linalg.yield %121 : f32
    } -> tensor<1x5xf32>
    return %120 : tensor<1x5xf32>
  }
}
