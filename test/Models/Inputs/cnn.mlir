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
    %cst_3 = arith.constant 6.000000e+00 : f64
    %cst_4 = arith.constant 0.000000e+00 : f64
    %cst_5 = arith.constant 1.000000e-05 : f64
    %cst_6 = arith.constant 3.000000e+00 : f32
    %cst_7 = arith.constant 6.000000e+00 : f32
    %cst_8 = arith.constant 4.000000e+00 : f32
    %cst_9 = arith.constant 1.600000e+01 : f32
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
      %58 = arith.truncf %cst_5 : f64 to f32
      %59 = arith.addf %in, %58 : f32
      linalg.yield %59 : f32
    } -> tensor<8xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%4 : tensor<8xf32>) outs(%3 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = math.rsqrt %in : f32
      linalg.yield %58 : f32
    } -> tensor<8xf32>
    %expanded = tensor.expand_shape %arg14 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %expanded_10 = tensor.expand_shape %5 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %expanded : tensor<1x8x10x10xf32>, tensor<8x1x1xf32>) outs(%0 : tensor<1x8x10x10xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %58 = arith.subf %in, %in_26 : f32
      linalg.yield %58 : f32
    } -> tensor<1x8x10x10xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %expanded_10 : tensor<1x8x10x10xf32>, tensor<8x1x1xf32>) outs(%0 : tensor<1x8x10x10xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %58 = arith.mulf %in, %in_26 : f32
      linalg.yield %58 : f32
    } -> tensor<1x8x10x10xf32>
    %expanded_11 = tensor.expand_shape %arg2 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %expanded_11 : tensor<1x8x10x10xf32>, tensor<8x1x1xf32>) outs(%0 : tensor<1x8x10x10xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %58 = arith.mulf %in, %in_26 : f32
      linalg.yield %58 : f32
    } -> tensor<1x8x10x10xf32>
    %expanded_12 = tensor.expand_shape %arg3 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %expanded_12 : tensor<1x8x10x10xf32>, tensor<8x1x1xf32>) outs(%0 : tensor<1x8x10x10xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %58 = arith.addf %in, %in_26 : f32
      linalg.yield %58 : f32
    } -> tensor<1x8x10x10xf32>
    %10 = tensor.empty() : tensor<1x8x10x10xi1>
    %11 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<1x8x10x10xf32>) outs(%10 : tensor<1x8x10x10xi1>) {
    ^bb0(%in: f32, %out: i1):
      %58 = arith.extf %in : f32 to f64
      %59 = arith.cmpf olt, %58, %cst_4 : f64
      linalg.yield %59 : i1
    } -> tensor<1x8x10x10xi1>
    %12 = linalg.generic {indexing_maps = [#map1, #map3, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11, %cst_2, %9 : tensor<1x8x10x10xi1>, tensor<f32>, tensor<1x8x10x10xf32>) outs(%0 : tensor<1x8x10x10xf32>) {
    ^bb0(%in: i1, %in_26: f32, %in_27: f32, %out: f32):
      %58 = arith.select %in, %in_26, %in_27 : f32
      linalg.yield %58 : f32
    } -> tensor<1x8x10x10xf32>
    %13 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<1x8x10x10xf32>) outs(%10 : tensor<1x8x10x10xi1>) {
    ^bb0(%in: f32, %out: i1):
      %58 = arith.extf %in : f32 to f64
      %59 = arith.cmpf ogt, %58, %cst_3 : f64
      linalg.yield %59 : i1
    } -> tensor<1x8x10x10xi1>
    %14 = linalg.generic {indexing_maps = [#map1, #map3, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %cst_1, %12 : tensor<1x8x10x10xi1>, tensor<f32>, tensor<1x8x10x10xf32>) outs(%0 : tensor<1x8x10x10xf32>) {
    ^bb0(%in: i1, %in_26: f32, %in_27: f32, %out: f32):
      %58 = arith.select %in, %in_26, %in_27 : f32
      linalg.yield %58 : f32
    } -> tensor<1x8x10x10xf32>
    %padded_13 = tensor.pad %14 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg18: index, %arg19: index, %arg20: index, %arg21: index):
      tensor.yield %cst : f32
    } : tensor<1x8x10x10xf32> to tensor<1x8x12x12xf32>
    %collapsed = tensor.collapse_shape %arg4 [[0, 1], [2], [3]] : tensor<8x1x3x3xf32> into tensor<8x3x3xf32>
    %15 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded_13, %collapsed : tensor<1x8x12x12xf32>, tensor<8x3x3xf32>) outs(%1 : tensor<1x8x10x10xf32>) -> tensor<1x8x10x10xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg17 : tensor<8xf32>) outs(%3 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = arith.truncf %cst_5 : f64 to f32
      %59 = arith.addf %in, %58 : f32
      linalg.yield %59 : f32
    } -> tensor<8xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%16 : tensor<8xf32>) outs(%3 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = math.rsqrt %in : f32
      linalg.yield %58 : f32
    } -> tensor<8xf32>
    %expanded_14 = tensor.expand_shape %arg16 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %expanded_15 = tensor.expand_shape %17 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15, %expanded_14 : tensor<1x8x10x10xf32>, tensor<8x1x1xf32>) outs(%0 : tensor<1x8x10x10xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %58 = arith.subf %in, %in_26 : f32
      linalg.yield %58 : f32
    } -> tensor<1x8x10x10xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %expanded_15 : tensor<1x8x10x10xf32>, tensor<8x1x1xf32>) outs(%0 : tensor<1x8x10x10xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %58 = arith.mulf %in, %in_26 : f32
      linalg.yield %58 : f32
    } -> tensor<1x8x10x10xf32>
    %expanded_16 = tensor.expand_shape %arg5 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %expanded_16 : tensor<1x8x10x10xf32>, tensor<8x1x1xf32>) outs(%0 : tensor<1x8x10x10xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %58 = arith.mulf %in, %in_26 : f32
      linalg.yield %58 : f32
    } -> tensor<1x8x10x10xf32>
    %expanded_17 = tensor.expand_shape %arg6 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %expanded_17 : tensor<1x8x10x10xf32>, tensor<8x1x1xf32>) outs(%0 : tensor<1x8x10x10xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %58 = arith.addf %in, %in_26 : f32
      linalg.yield %58 : f32
    } -> tensor<1x8x10x10xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21 : tensor<1x8x10x10xf32>) outs(%0 : tensor<1x8x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = arith.cmpf ugt, %in, %cst : f32
      %59 = arith.select %58, %in, %cst : f32
      linalg.yield %59 : f32
    } -> tensor<1x8x10x10xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14, %22 : tensor<1x8x10x10xf32>, tensor<1x8x10x10xf32>) outs(%0 : tensor<1x8x10x10xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %58 = arith.addf %in, %in_26 : f32
      linalg.yield %58 : f32
    } -> tensor<1x8x10x10xf32>
    %24 = tensor.empty() : tensor<1x12x10x10xf32>
    %broadcasted = linalg.broadcast ins(%arg8 : tensor<12xf32>) outs(%24 : tensor<1x12x10x10xf32>) dimensions = [0, 2, 3] 
    %25 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%23, %arg7 : tensor<1x8x10x10xf32>, tensor<12x8x1x1xf32>) outs(%broadcasted : tensor<1x12x10x10xf32>) -> tensor<1x12x10x10xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<1x12x10x10xf32>) outs(%24 : tensor<1x12x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = arith.addf %in, %cst_6 : f32
      linalg.yield %58 : f32
    } -> tensor<1x12x10x10xf32>
    %27 = tensor.empty() : tensor<1x12x10x10xi1>
    %28 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<1x12x10x10xf32>) outs(%27 : tensor<1x12x10x10xi1>) {
    ^bb0(%in: f32, %out: i1):
      %58 = arith.cmpf olt, %in, %cst : f32
      linalg.yield %58 : i1
    } -> tensor<1x12x10x10xi1>
    %29 = linalg.generic {indexing_maps = [#map1, #map3, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %cst_2, %26 : tensor<1x12x10x10xi1>, tensor<f32>, tensor<1x12x10x10xf32>) outs(%24 : tensor<1x12x10x10xf32>) {
    ^bb0(%in: i1, %in_26: f32, %in_27: f32, %out: f32):
      %58 = arith.select %in, %in_26, %in_27 : f32
      linalg.yield %58 : f32
    } -> tensor<1x12x10x10xf32>
    %30 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<1x12x10x10xf32>) outs(%27 : tensor<1x12x10x10xi1>) {
    ^bb0(%in: f32, %out: i1):
      %58 = arith.cmpf ogt, %in, %cst_7 : f32
      linalg.yield %58 : i1
    } -> tensor<1x12x10x10xi1>
    %31 = linalg.generic {indexing_maps = [#map1, #map3, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %cst_1, %29 : tensor<1x12x10x10xi1>, tensor<f32>, tensor<1x12x10x10xf32>) outs(%24 : tensor<1x12x10x10xf32>) {
    ^bb0(%in: i1, %in_26: f32, %in_27: f32, %out: f32):
      %58 = arith.select %in, %in_26, %in_27 : f32
      linalg.yield %58 : f32
    } -> tensor<1x12x10x10xf32>
    %32 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %31 : tensor<1x12x10x10xf32>, tensor<1x12x10x10xf32>) outs(%24 : tensor<1x12x10x10xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %58 = arith.mulf %in, %in_26 : f32
      linalg.yield %58 : f32
    } -> tensor<1x12x10x10xf32>
    %33 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<1x12x10x10xf32>) outs(%24 : tensor<1x12x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = arith.divf %in, %cst_7 : f32
      linalg.yield %58 : f32
    } -> tensor<1x12x10x10xf32>
    %padded_18 = tensor.pad %33 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg18: index, %arg19: index, %arg20: index, %arg21: index):
      tensor.yield %cst_0 : f32
    } : tensor<1x12x10x10xf32> to tensor<1x12x12x12xf32>
    %34 = tensor.empty() : tensor<1x12x5x5xf32>
    %35 = linalg.fill ins(%cst_0 : f32) outs(%34 : tensor<1x12x5x5xf32>) -> tensor<1x12x5x5xf32>
    %36 = tensor.empty() : tensor<3x3xf32>
    %37 = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%padded_18, %36 : tensor<1x12x12x12xf32>, tensor<3x3xf32>) outs(%35 : tensor<1x12x5x5xf32>) -> tensor<1x12x5x5xf32>
    %padded_19 = tensor.pad %37 low[0, 0, 2, 2] high[0, 0, 2, 2] {
    ^bb0(%arg18: index, %arg19: index, %arg20: index, %arg21: index):
      tensor.yield %cst : f32
    } : tensor<1x12x5x5xf32> to tensor<1x12x9x9xf32>
    %38 = linalg.fill ins(%cst : f32) outs(%34 : tensor<1x12x5x5xf32>) -> tensor<1x12x5x5xf32>
    %39 = linalg.conv_2d_nchw_fchw {dilations = dense<2> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded_19, %arg9 : tensor<1x12x9x9xf32>, tensor<12x12x3x3xf32>) outs(%38 : tensor<1x12x5x5xf32>) -> tensor<1x12x5x5xf32>
    %40 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39 : tensor<1x12x5x5xf32>) outs(%34 : tensor<1x12x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = arith.cmpf ugt, %in, %cst : f32
      %59 = arith.select %58, %in, %cst : f32
      linalg.yield %59 : f32
    } -> tensor<1x12x5x5xf32>
    %padded_20 = tensor.pad %37 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg18: index, %arg19: index, %arg20: index, %arg21: index):
      tensor.yield %cst : f32
    } : tensor<1x12x5x5xf32> to tensor<1x12x7x7xf32>
    %broadcasted_21 = linalg.broadcast ins(%arg11 : tensor<12xf32>) outs(%34 : tensor<1x12x5x5xf32>) dimensions = [0, 2, 3] 
    %expanded_22 = tensor.expand_shape %padded_20 [[0], [1, 2], [3], [4]] output_shape [1, 3, 4, 7, 7] : tensor<1x12x7x7xf32> into tensor<1x3x4x7x7xf32>
    %expanded_23 = tensor.expand_shape %arg10 [[0, 1], [2], [3], [4]] output_shape [3, 4, 4, 3, 3] : tensor<12x4x3x3xf32> into tensor<3x4x4x3x3xf32>
    %expanded_24 = tensor.expand_shape %broadcasted_21 [[0], [1, 2], [3], [4]] output_shape [1, 3, 4, 5, 5] : tensor<1x12x5x5xf32> into tensor<1x3x4x5x5xf32>
    %41 = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%expanded_22, %expanded_23 : tensor<1x3x4x7x7xf32>, tensor<3x4x4x3x3xf32>) outs(%expanded_24 : tensor<1x3x4x5x5xf32>) -> tensor<1x3x4x5x5xf32>
    %collapsed_25 = tensor.collapse_shape %41 [[0], [1, 2], [3], [4]] : tensor<1x3x4x5x5xf32> into tensor<1x12x5x5xf32>
    %42 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40, %collapsed_25 : tensor<1x12x5x5xf32>, tensor<1x12x5x5xf32>) outs(%34 : tensor<1x12x5x5xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %58 = arith.addf %in, %in_26 : f32
      linalg.yield %58 : f32
    } -> tensor<1x12x5x5xf32>
    %43 = tensor.empty() : tensor<1x12x4x4xf32>
    %44 = linalg.fill ins(%cst : f32) outs(%43 : tensor<1x12x4x4xf32>) -> tensor<1x12x4x4xf32>
    %45 = tensor.empty() : tensor<2x2xf32>
    %46 = linalg.pooling_nchw_sum {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%42, %45 : tensor<1x12x5x5xf32>, tensor<2x2xf32>) outs(%44 : tensor<1x12x4x4xf32>) -> tensor<1x12x4x4xf32>
    %47 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46 : tensor<1x12x4x4xf32>) outs(%43 : tensor<1x12x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = arith.divf %in, %cst_8 : f32
      linalg.yield %58 : f32
    } -> tensor<1x12x4x4xf32>
    %48 = tensor.empty() : tensor<1x12xf32>
    %49 = linalg.fill ins(%cst : f32) outs(%48 : tensor<1x12xf32>) -> tensor<1x12xf32>
    %50 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%47 : tensor<1x12x4x4xf32>) outs(%49 : tensor<1x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = arith.addf %in, %out : f32
      linalg.yield %58 : f32
    } -> tensor<1x12xf32>
    %51 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%50 : tensor<1x12xf32>) outs(%48 : tensor<1x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = arith.divf %in, %cst_9 : f32
      linalg.yield %58 : f32
    } -> tensor<1x12xf32>
    %52 = tensor.empty() : tensor<12x10xf32>
    %transposed = linalg.transpose ins(%arg12 : tensor<10x12xf32>) outs(%52 : tensor<12x10xf32>) permutation = [1, 0] 
    %53 = tensor.empty() : tensor<1x10xf32>
    %54 = linalg.fill ins(%cst : f32) outs(%53 : tensor<1x10xf32>) -> tensor<1x10xf32>
    %55 = linalg.matmul ins(%51, %transposed : tensor<1x12xf32>, tensor<12x10xf32>) outs(%54 : tensor<1x10xf32>) -> tensor<1x10xf32>
    %56 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg13 : tensor<10xf32>) outs(%53 : tensor<1x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x10xf32>
    %57 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%55, %56 : tensor<1x10xf32>, tensor<1x10xf32>) outs(%53 : tensor<1x10xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %58 = arith.addf %in, %in_26 : f32
      linalg.yield %58 : f32
    } -> tensor<1x10xf32>
    return %57 : tensor<1x10xf32>
  }
}
