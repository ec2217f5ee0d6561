#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
#map3 = affine_map<(d0, d1, d2, d3) -> ()>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
#map6 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @main(%arg0: tensor<1x3x19x19xf32>, %arg1: tensor<8x3x3x3xf32>, %arg2: tensor<8xf32>, %arg3: tensor<8xf32>, %arg4: tensor<8x1x3x3xf32>, %arg5: tensor<8xf32>, %arg6: tensor<8xf32>, %arg7: tensor<12x8x1x1xf32>, %arg8: tensor<12xf32>, %arg9: tensor<12x12x3x3xf32>, %arg10: tensor<12x4x3x3xf32>, %arg11: tensor<12xf32>, %arg12: tensor<10x12xf32>, %arg13: tensor<10xf32>, %arg14: tensor<8xf32>, %arg15: tensor<8xf32>, %arg16: tensor<8xf32>, %arg17: tensor<8xf32>) -> tensor<1x10xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<6.000000e+00> : tensor<f32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_3 = arith.constant 1.000000e-05 : f64
    %cst_4 = arith.constant 3.000000e+00 : f32
    %cst_5 = arith.constant 6.000000e+00 : f32
    %cst_6 = arith.constant 4.000000e+00 : f32
    %cst_7 = arith.constant 1.600000e+01 : f32
    %padded = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg18: index, %arg19: index, %arg20: index, %arg21: index):
      tensor.yield %cst : f32
    } : tensor<1x3x19x19xf32> to tensor<1x3x21x21xf32>
    %0 = tensor.empty() : tensor<1x8x10x10xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x8x10x10xf32>) -> tensor<1x8x10x10xf32>
    %2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%padded, %arg1 : tensor<1x3x21x21xf32>, tensor<8x3x3x3xf32>) outs(%1 : tensor<1x8x10x10xf32>) -> tensor<1x8x10x10xf32>
    %3 = tensor.empty() : tensor<8xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg15 : tensor<8xf32>) outs(%3 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = arith.truncf %cst_3 : f64 to f32
      %53 = arith.addf %in, %52 : f32
      linalg.yield %53 : f32
    } -> tensor<8xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%4 : tensor<8xf32>) outs(%3 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = math.rsqrt %in : f32
      linalg.yield %52 : f32
    } -> tensor<8xf32>
    %expanded = tensor.expand_shape %arg14 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %expanded_8 = tensor.expand_shape %5 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %expanded : tensor<1x8x10x10xf32>, tensor<8x1x1xf32>) outs(%0 : tensor<1x8x10x10xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %52 = arith.subf %in, %in_24 : f32
      linalg.yield %52 : f32
    } -> tensor<1x8x10x10xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %expanded_8 : tensor<1x8x10x10xf32>, tensor<8x1x1xf32>) outs(%0 : tensor<1x8x10x10xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %52 = arith.mulf %in, %in_24 : f32
      linalg.yield %52 : f32
    } -> tensor<1x8x10x10xf32>
    %expanded_9 = tensor.expand_shape %arg2 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %expanded_9 : tensor<1x8x10x10xf32>, tensor<8x1x1xf32>) outs(%0 : tensor<1x8x10x10xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %52 = arith.mulf %in, %in_24 : f32
      linalg.yield %52 : f32
    } -> tensor<1x8x10x10xf32>
    %expanded_10 = tensor.expand_shape %arg3 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %expanded_10 : tensor<1x8x10x10xf32>, tensor<8x1x1xf32>) outs(%0 : tensor<1x8x10x10xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %52 = arith.addf %in, %in_24 : f32
      linalg.yield %52 : f32
    } -> tensor<1x8x10x10xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %cst_2 : tensor<1x8x10x10xf32>, tensor<f32>) outs(%0 : tensor<1x8x10x10xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %52 = arith.cmpf ogt, %in, %in_24 : f32
      %53 = arith.select %52, %in, %in_24 : f32
      linalg.yield %53 : f32
    } -> tensor<1x8x10x10xf32>
    %11 = linalg.generic {indexing_maps = [#map3, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1, %10 : tensor<f32>, tensor<1x8x10x10xf32>) outs(%0 : tensor<1x8x10x10xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %52 = arith.cmpf olt, %in, %in_24 : f32
      %53 = arith.select %52, %in, %in_24 : f32
      linalg.yield %53 : f32
    } -> tensor<1x8x10x10xf32>
    %padded_11 = tensor.pad %11 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg18: index, %arg19: index, %arg20: index, %arg21: index):
      tensor.yield %cst : f32
    } : tensor<1x8x10x10xf32> to tensor<1x8x12x12xf32>
    %collapsed = tensor.collapse_shape %arg4 [[0, 1], [2], [3]] : tensor<8x1x3x3xf32> into tensor<8x3x3xf32>
    %12 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded_11, %collapsed : tensor<1x8x12x12xf32>, tensor<8x3x3xf32>) outs(%1 : tensor<1x8x10x10xf32>) -> tensor<1x8x10x10xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg17 : tensor<8xf32>) outs(%3 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = arith.truncf %cst_3 : f64 to f32
      %53 = arith.addf %in, %52 : f32
      linalg.yield %53 : f32
    } -> tensor<8xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%13 : tensor<8xf32>) outs(%3 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = math.rsqrt %in : f32
      linalg.yield %52 : f32
    } -> tensor<8xf32>
    %expanded_12 = tensor.expand_shape %arg16 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %expanded_13 = tensor.expand_shape %14 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %expanded_12 : tensor<1x8x10x10xf32>, tensor<8x1x1xf32>) outs(%0 : tensor<1x8x10x10xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %52 = arith.subf %in, %in_24 : f32
      linalg.yield %52 : f32
    } -> tensor<1x8x10x10xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15, %expanded_13 : tensor<1x8x10x10xf32>, tensor<8x1x1xf32>) outs(%0 : tensor<1x8x10x10xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %52 = arith.mulf %in, %in_24 : f32
      linalg.yield %52 : f32
    } -> tensor<1x8x10x10xf32>
    %expanded_14 = tensor.expand_shape %arg5 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %expanded_14 : tensor<1x8x10x10xf32>, tensor<8x1x1xf32>) outs(%0 : tensor<1x8x10x10xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %52 = arith.mulf %in, %in_24 : f32
      linalg.yield %52 : f32
    } -> tensor<1x8x10x10xf32>
    %expanded_15 = tensor.expand_shape %arg6 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17, %expanded_15 : tensor<1x8x10x10xf32>, tensor<8x1x1xf32>) outs(%0 : tensor<1x8x10x10xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %52 = arith.addf %in, %in_24 : f32
      linalg.yield %52 : f32
    } -> tensor<1x8x10x10xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<1x8x10x10xf32>) outs(%0 : tensor<1x8x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = arith.cmpf ugt, %in, %cst : f32
      %53 = arith.select %52, %in, %cst : f32
      linalg.yield %53 : f32
    } -> tensor<1x8x10x10xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11, %19 : tensor<1x8x10x10xf32>, tensor<1x8x10x10xf32>) outs(%0 : tensor<1x8x10x10xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %52 = arith.addf %in, %in_24 : f32
      linalg.yield %52 : f32
    } -> tensor<1x8x10x10xf32>
    %21 = tensor.empty() : tensor<1x12x10x10xf32>
    %broadcasted = linalg.broadcast ins(%arg8 : tensor<12xf32>) outs(%21 : tensor<1x12x10x10xf32>) dimensions = [0, 2, 3] 
    %22 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%20, %arg7 : tensor<1x8x10x10xf32>, tensor<12x8x1x1xf32>) outs(%broadcasted : tensor<1x12x10x10xf32>) -> tensor<1x12x10x10xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<1x12x10x10xf32>) outs(%21 : tensor<1x12x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = arith.addf %in, %cst_4 : f32
      linalg.yield %52 : f32
    } -> tensor<1x12x10x10xf32>
    %24 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<1x12x10x10xf32>) outs(%21 : tensor<1x12x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = arith.cmpf ult, %in, %cst : f32
      %53 = arith.select %52, %cst, %in : f32
      linalg.yield %53 : f32
    } -> tensor<1x12x10x10xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<1x12x10x10xf32>) outs(%21 : tensor<1x12x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = arith.cmpf ugt, %in, %cst_5 : f32
      %53 = arith.select %52, %cst_5, %in : f32
      linalg.yield %53 : f32
    } -> tensor<1x12x10x10xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %25 : tensor<1x12x10x10xf32>, tensor<1x12x10x10xf32>) outs(%21 : tensor<1x12x10x10xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %52 = arith.mulf %in, %in_24 : f32
      linalg.yield %52 : f32
    } -> tensor<1x12x10x10xf32>
    %27 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<1x12x10x10xf32>) outs(%21 : tensor<1x12x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = arith.divf %in, %cst_5 : f32
      linalg.yield %52 : f32
    } -> tensor<1x12x10x10xf32>
    %padded_16 = tensor.pad %27 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg18: index, %arg19: index, %arg20: index, %arg21: index):
      tensor.yield %cst_0 : f32
    } : tensor<1x12x10x10xf32> to tensor<1x12x12x12xf32>
    %28 = tensor.empty() : tensor<1x12x5x5xf32>
    %29 = linalg.fill ins(%cst_0 : f32) outs(%28 : tensor<1x12x5x5xf32>) -> tensor<1x12x5x5xf32>
    %30 = tensor.empty() : tensor<3x3xf32>
    %31 = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%padded_16, %30 : tensor<1x12x12x12xf32>, tensor<3x3xf32>) outs(%29 : tensor<1x12x5x5xf32>) -> tensor<1x12x5x5xf32>
    %padded_17 = tensor.pad %31 low[0, 0, 2, 2] high[0, 0, 2, 2] {
    ^bb0(%arg18: index, %arg19: index, %arg20: index, %arg21: index):
      tensor.yield %cst : f32
    } : tensor<1x12x5x5xf32> to tensor<1x12x9x9xf32>
    %32 = linalg.fill ins(%cst : f32) outs(%28 : tensor<1x12x5x5xf32>) -> tensor<1x12x5x5xf32>
    %33 = linalg.conv_2d_nchw_fchw {dilations = dense<2> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded_17, %arg9 : tensor<1x12x9x9xf32>, tensor<12x12x3x3xf32>) outs(%32 : tensor<1x12x5x5xf32>) -> tensor<1x12x5x5xf32>
    %34 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33 : tensor<1x12x5x5xf32>) outs(%28 : tensor<1x12x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = arith.cmpf ugt, %in, %cst : f32
      %53 = arith.select %52, %in, %cst : f32
      linalg.yield %53 : f32
    } -> tensor<1x12x5x5xf32>
    %padded_18 = tensor.pad %31 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg18: index, %arg19: index, %arg20: index, %arg21: index):
      tensor.yield %cst : f32
    } : tensor<1x12x5x5xf32> to tensor<1x12x7x7xf32>
    %broadcasted_19 = linalg.broadcast ins(%arg11 : tensor<12xf32>) outs(%28 : tensor<1x12x5x5xf32>) dimensions = [0, 2, 3] 
    %expanded_20 = tensor.expand_shape %padded_18 [[0], [1, 2], [3], [4]] output_shape [1, 3, 4, 7, 7] : tensor<1x12x7x7xf32> into tensor<1x3x4x7x7xf32>
    %expanded_21 = tensor.expand_shape %arg10 [[0, 1], [2], [3], [4]] output_shape [3, 4, 4, 3, 3] : tensor<12x4x3x3xf32> into tensor<3x4x4x3x3xf32>
    %expanded_22 = tensor.expand_shape %broadcasted_19 [[0], [1, 2], [3], [4]] output_shape [1, 3, 4, 5, 5] : tensor<1x12x5x5xf32> into tensor<1x3x4x5x5xf32>
    %35 = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%expanded_20, %expanded_21 : tensor<1x3x4x7x7xf32>, tensor<3x4x4x3x3xf32>) outs(%expanded_22 : tensor<1x3x4x5x5xf32>) -> tensor<1x3x4x5x5xf32>
    %collapsed_23 = tensor.collapse_shape %35 [[0], [1, 2], [3], [4]] : tensor<1x3x4x5x5xf32> into tensor<1x12x5x5xf32>
    %36 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %collapsed_23 : tensor<1x12x5x5xf32>, tensor<1x12x5x5xf32>) outs(%28 : tensor<1x12x5x5xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %52 = arith.addf %in, %in_24 : f32
      linalg.yield %52 : f32
    } -> tensor<1x12x5x5xf32>
    %37 = tensor.empty() : tensor<1x12x4x4xf32>
    %38 = linalg.fill ins(%cst : f32) outs(%37 : tensor<1x12x4x4xf32>) -> tensor<1x12x4x4xf32>
    %39 = tensor.empty() : tensor<2x2xf32>
    %40 = linalg.pooling_nchw_sum {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%36, %39 : tensor<1x12x5x5xf32>, tensor<2x2xf32>) outs(%38 : tensor<1x12x4x4xf32>) -> tensor<1x12x4x4xf32>
    %41 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40 : tensor<1x12x4x4xf32>) outs(%37 : tensor<1x12x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = arith.divf %in, %cst_6 : f32
      linalg.yield %52 : f32
    } -> tensor<1x12x4x4xf32>
    %42 = tensor.empty() : tensor<1x12xf32>
    %43 = linalg.fill ins(%cst : f32) outs(%42 : tensor<1x12xf32>) -> tensor<1x12xf32>
    %44 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%41 : tensor<1x12x4x4xf32>) outs(%43 : tensor<1x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = arith.addf %in, %out : f32
      linalg.yield %52 : f32
    } -> tensor<1x12xf32>
    %45 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%44 : tensor<1x12xf32>) outs(%42 : tensor<1x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = arith.divf %in, %cst_7 : f32
      linalg.yield %52 : f32
    } -> tensor<1x12xf32>
    %46 = tensor.empty() : tensor<12x10xf32>
    %transposed = linalg.transpose ins(%arg12 : tensor<10x12xf32>) outs(%46 : tensor<12x10xf32>) permutation = [1, 0] 
    %47 = tensor.empty() : tensor<1x10xf32>
    %48 = linalg.fill ins(%cst : f32) outs(%47 : tensor<1x10xf32>) -> tensor<1x10xf32>
    %49 = linalg.matmul ins(%45, %transposed : tensor<1x12xf32>, tensor<12x10xf32>) outs(%48 : tensor<1x10xf32>) -> tensor<1x10xf32>
    %50 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg13 : tensor<10xf32>) outs(%47 : tensor<1x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x10xf32>
    %51 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%49, %50 : tensor<1x10xf32>, tensor<1x10xf32>) outs(%47 : tensor<1x10xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %52 = arith.addf %in, %in_24 : f32
      linalg.yield %52 : f32
    } -> tensor<1x10xf32>
    return %51 : tensor<1x10xf32>
  }
}
