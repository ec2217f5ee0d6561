#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
module {
  func.func @main(%arg0: tensor<2x4x8x8xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<7xf32>, %arg4: tensor<7xf32>, %arg5: tensor<10xf32>, %arg6: tensor<10xf32>, %arg7: tensor<3x4x3x3xf32>, %arg8: tensor<3x7x3x3xf32>, %arg9: tensor<3x10x3x3xf32>, %arg10: tensor<13xf32>, %arg11: tensor<13xf32>, %arg12: tensor<4xf32>, %arg13: tensor<4xf32>, %arg14: tensor<7xf32>, %arg15: tensor<7xf32>, %arg16: tensor<10xf32>, %arg17: tensor<10xf32>, %arg18: tensor<13xf32>, %arg19: tensor<13xf32>) -> tensor<2x13x4x4xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e-05 : f64
    %cst_1 = arith.constant 4.000000e+00 : f32
    %0 = tensor.empty() : tensor<4xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg13 : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = arith.truncf %cst_0 : f64 to f32
      %47 = arith.addf %in, %46 : f32
      linalg.yield %47 : f32
    } -> tensor<4xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%1 : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = math.rsqrt %in : f32
      linalg.yield %46 : f32
    } -> tensor<4xf32>
    %expanded = tensor.expand_shape %arg12 [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf32> into tensor<4x1x1xf32>
    %expanded_2 = tensor.expand_shape %2 [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf32> into tensor<4x1x1xf32>
    %3 = tensor.empty() : tensor<2x4x8x8xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %expanded : tensor<2x4x8x8xf32>, tensor<4x1x1xf32>) outs(%3 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %46 = arith.subf %in, %in_21 : f32
      linalg.yield %46 : f32
    } -> tensor<2x4x8x8xf32>
    %5 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4, %expanded_2 : tensor<2x4x8x8xf32>, tensor<4x1x1xf32>) outs(%3 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %46 = arith.mulf %in, %in_21 : f32
      linalg.yield %46 : f32
    } -> tensor<2x4x8x8xf32>
    %expanded_3 = tensor.expand_shape %arg1 [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf32> into tensor<4x1x1xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %expanded_3 : tensor<2x4x8x8xf32>, tensor<4x1x1xf32>) outs(%3 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %46 = arith.mulf %in, %in_21 : f32
      linalg.yield %46 : f32
    } -> tensor<2x4x8x8xf32>
    %expanded_4 = tensor.expand_shape %arg2 [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf32> into tensor<4x1x1xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %expanded_4 : tensor<2x4x8x8xf32>, tensor<4x1x1xf32>) outs(%3 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %46 = arith.addf %in, %in_21 : f32
      linalg.yield %46 : f32
    } -> tensor<2x4x8x8xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<2x4x8x8xf32>) outs(%3 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = arith.cmpf ugt, %in, %cst : f32
      %47 = arith.select %46, %in, %cst : f32
      linalg.yield %47 : f32
    } -> tensor<2x4x8x8xf32>
    %padded = tensor.pad %8 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg20: index, %arg21: index, %arg22: index, %arg23: index):
      tensor.yield %cst : f32
    } : tensor<2x4x8x8xf32> to tensor<2x4x10x10xf32>
    %9 = tensor.empty() : tensor<2x3x8x8xf32>
    %10 = linalg.fill ins(%cst : f32) outs(%9 : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
    %11 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded, %arg7 : tensor<2x4x10x10xf32>, tensor<3x4x3x3xf32>) outs(%10 : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
    %concat = tensor.concat dim(1) %arg0, %11 : (tensor<2x4x8x8xf32>, tensor<2x3x8x8xf32>) -> tensor<2x7x8x8xf32>
    %12 = tensor.empty() : tensor<7xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg15 : tensor<7xf32>) outs(%12 : tensor<7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = arith.truncf %cst_0 : f64 to f32
      %47 = arith.addf %in, %46 : f32
      linalg.yield %47 : f32
    } -> tensor<7xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%13 : tensor<7xf32>) outs(%12 : tensor<7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = math.rsqrt %in : f32
      linalg.yield %46 : f32
    } -> tensor<7xf32>
    %expanded_5 = tensor.expand_shape %arg14 [[0, 1, 2]] output_shape [7, 1, 1] : tensor<7xf32> into tensor<7x1x1xf32>
    %expanded_6 = tensor.expand_shape %14 [[0, 1, 2]] output_shape [7, 1, 1] : tensor<7xf32> into tensor<7x1x1xf32>
    %15 = tensor.empty() : tensor<2x7x8x8xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat, %expanded_5 : tensor<2x7x8x8xf32>, tensor<7x1x1xf32>) outs(%15 : tensor<2x7x8x8xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %46 = arith.subf %in, %in_21 : f32
      linalg.yield %46 : f32
    } -> tensor<2x7x8x8xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %expanded_6 : tensor<2x7x8x8xf32>, tensor<7x1x1xf32>) outs(%15 : tensor<2x7x8x8xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %46 = arith.mulf %in, %in_21 : f32
      linalg.yield %46 : f32
    } -> tensor<2x7x8x8xf32>
    %expanded_7 = tensor.expand_shape %arg3 [[0, 1, 2]] output_shape [7, 1, 1] : tensor<7xf32> into tensor<7x1x1xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17, %expanded_7 : tensor<2x7x8x8xf32>, tensor<7x1x1xf32>) outs(%15 : tensor<2x7x8x8xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %46 = arith.mulf %in, %in_21 : f32
      linalg.yield %46 : f32
    } -> tensor<2x7x8x8xf32>
    %expanded_8 = tensor.expand_shape %arg4 [[0, 1, 2]] output_shape [7, 1, 1] : tensor<7xf32> into tensor<7x1x1xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %expanded_8 : tensor<2x7x8x8xf32>, tensor<7x1x1xf32>) outs(%15 : tensor<2x7x8x8xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %46 = arith.addf %in, %in_21 : f32
      linalg.yield %46 : f32
    } -> tensor<2x7x8x8xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<2x7x8x8xf32>) outs(%15 : tensor<2x7x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = arith.cmpf ugt, %in, %cst : f32
      %47 = arith.select %46, %in, %cst : f32
      linalg.yield %47 : f32
    } -> tensor<2x7x8x8xf32>
    %padded_9 = tensor.pad %20 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg20: index, %arg21: index, %arg22: index, %arg23: index):
      tensor.yield %cst : f32
    } : tensor<2x7x8x8xf32> to tensor<2x7x10x10xf32>
    %21 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded_9, %arg8 : tensor<2x7x10x10xf32>, tensor<3x7x3x3xf32>) outs(%10 : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
    %concat_10 = tensor.concat dim(1) %concat, %21 : (tensor<2x7x8x8xf32>, tensor<2x3x8x8xf32>) -> tensor<2x10x8x8xf32>
    %22 = tensor.empty() : tensor<10xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg17 : tensor<10xf32>) outs(%22 : tensor<10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = arith.truncf %cst_0 : f64 to f32
      %47 = arith.addf %in, %46 : f32
      linalg.yield %47 : f32
    } -> tensor<10xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%23 : tensor<10xf32>) outs(%22 : tensor<10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = math.rsqrt %in : f32
      linalg.yield %46 : f32
    } -> tensor<10xf32>
    %expanded_11 = tensor.expand_shape %arg16 [[0, 1, 2]] output_shape [10, 1, 1] : tensor<10xf32> into tensor<10x1x1xf32>
    %expanded_12 = tensor.expand_shape %24 [[0, 1, 2]] output_shape [10, 1, 1] : tensor<10xf32> into tensor<10x1x1xf32>
    %25 = tensor.empty() : tensor<2x10x8x8xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_10, %expanded_11 : tensor<2x10x8x8xf32>, tensor<10x1x1xf32>) outs(%25 : tensor<2x10x8x8xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %46 = arith.subf %in, %in_21 : f32
      linalg.yield %46 : f32
    } -> tensor<2x10x8x8xf32>
    %27 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26, %expanded_12 : tensor<2x10x8x8xf32>, tensor<10x1x1xf32>) outs(%25 : tensor<2x10x8x8xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %46 = arith.mulf %in, %in_21 : f32
      linalg.yield %46 : f32
    } -> tensor<2x10x8x8xf32>
    %expanded_13 = tensor.expand_shape %arg5 [[0, 1, 2]] output_shape [10, 1, 1] : tensor<10xf32> into tensor<10x1x1xf32>
    %28 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %expanded_13 : tensor<2x10x8x8xf32>, tensor<10x1x1xf32>) outs(%25 : tensor<2x10x8x8xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %46 = arith.mulf %in, %in_21 : f32
      linalg.yield %46 : f32
    } -> tensor<2x10x8x8xf32>
    %expanded_14 = tensor.expand_shape %arg6 [[0, 1, 2]] output_shape [10, 1, 1] : tensor<10xf32> into tensor<10x1x1xf32>
    %29 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %expanded_14 : tensor<2x10x8x8xf32>, tensor<10x1x1xf32>) outs(%25 : tensor<2x10x8x8xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %46 = arith.addf %in, %in_21 : f32
      linalg.yield %46 : f32
    } -> tensor<2x10x8x8xf32>
    %30 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<2x10x8x8xf32>) outs(%25 : tensor<2x10x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = arith.cmpf ugt, %in, %cst : f32
      %47 = arith.select %46, %in, %cst : f32
      linalg.yield %47 : f32
    } -> tensor<2x10x8x8xf32>
    %padded_15 = tensor.pad %30 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg20: index, %arg21: index, %arg22: index, %arg23: index):
      tensor.yield %cst : f32
    } : tensor<2x10x8x8xf32> to tensor<2x10x10x10xf32>
    %31 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded_15, %arg9 : tensor<2x10x10x10xf32>, tensor<3x10x3x3xf32>) outs(%10 : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
    %concat_16 = tensor.concat dim(1) %concat_10, %31 : (tensor<2x10x8x8xf32>, tensor<2x3x8x8xf32>) -> tensor<2x13x8x8xf32>
    %32 = tensor.empty() : tensor<13xf32>
    %33 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg19 : tensor<13xf32>) outs(%32 : tensor<13xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = arith.truncf %cst_0 : f64 to f32
      %47 = arith.addf %in, %46 : f32
      linalg.yield %47 : f32
    } -> tensor<13xf32>
    %34 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%33 : tensor<13xf32>) outs(%32 : tensor<13xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = math.rsqrt %in : f32
      linalg.yield %46 : f32
    } -> tensor<13xf32>
    %expanded_17 = tensor.expand_shape %arg18 [[0, 1, 2]] output_shape [13, 1, 1] : tensor<13xf32> into tensor<13x1x1xf32>
    %expanded_18 = tensor.expand_shape %34 [[0, 1, 2]] output_shape [13, 1, 1] : tensor<13xf32> into tensor<13x1x1xf32>
    %35 = tensor.empty() : tensor<2x13x8x8xf32>
    %36 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_16, %expanded_17 : tensor<2x13x8x8xf32>, tensor<13x1x1xf32>) outs(%35 : tensor<2x13x8x8xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %46 = arith.subf %in, %in_21 : f32
      linalg.yield %46 : f32
    } -> tensor<2x13x8x8xf32>
    %37 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36, %expanded_18 : tensor<2x13x8x8xf32>, tensor<13x1x1xf32>) outs(%35 : tensor<2x13x8x8xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %46 = arith.mulf %in, %in_21 : f32
      linalg.yield %46 : f32
    } -> tensor<2x13x8x8xf32>
    %expanded_19 = tensor.expand_shape %arg10 [[0, 1, 2]] output_shape [13, 1, 1] : tensor<13xf32> into tensor<13x1x1xf32>
    %38 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37, %expanded_19 : tensor<2x13x8x8xf32>, tensor<13x1x1xf32>) outs(%35 : tensor<2x13x8x8xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %46 = arith.mulf %in, %in_21 : f32
      linalg.yield %46 : f32
    } -> tensor<2x13x8x8xf32>
    %expanded_20 = tensor.expand_shape %arg11 [[0, 1, 2]] output_shape [13, 1, 1] : tensor<13xf32> into tensor<13x1x1xf32>
    %39 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38, %expanded_20 : tensor<2x13x8x8xf32>, tensor<13x1x1xf32>) outs(%35 : tensor<2x13x8x8xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %46 = arith.addf %in, %in_21 : f32
      linalg.yield %46 : f32
    } -> tensor<2x13x8x8xf32>
    %40 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39 : tensor<2x13x8x8xf32>) outs(%35 : tensor<2x13x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = arith.cmpf ugt, %in, %cst : f32
      %47 = arith.select %46, %in, %cst : f32
      linalg.yield %47 : f32
    } -> tensor<2x13x8x8xf32>
    %41 = tensor.empty() : tensor<2x13x4x4xf32>
    %42 = linalg.fill ins(%cst : f32) outs(%41 : tensor<2x13x4x4xf32>) -> tensor<2x13x4x4xf32>
    %43 = tensor.empty() : tensor<2x2xf32>
    %44 = linalg.pooling_nchw_sum {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%40, %43 : tensor<2x13x8x8xf32>, tensor<2x2xf32>) outs(%42 : tensor<2x13x4x4xf32>) -> tensor<2x13x4x4xf32>
    %45 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44 : tensor<2x13x4x4xf32>) outs(%41 : tensor<2x13x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = arith.divf %in, %cst_1 : f32
      linalg.yield %46 : f32
    } -> tensor<2x13x4x4xf32>
    return %45 : tensor<2x13x4x4xf32>
  }
}
