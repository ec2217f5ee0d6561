// RUN: pruner-opt %s --pruner-normalize --pruner-extract-tasks 2>/dev/null | FileCheck %s

#col2 = affine_map<(d0, d1) -> (d1)>
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#id4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#mask = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>

// The part of an attention block for the keys, as an exporter prints it for
// batch 1: one op transposes the weight, one op broadcasts the bias, heads are
// split, transposed and flattened, and the scores are expanded before scale and
// mask. Two tasks remain: projection + bias, and scores + scale + mask. The
// latter reads queries and keys in the layout of the projections.
//
// CHECK-DAG: #[[A2:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[B2:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[A3:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d0, d3)>
// CHECK-DAG: #[[B3:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, d0, d3)>
// CHECK-DAG: #[[C3:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK-DAG: #[[ID3:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-LABEL: func.func @scores
// CHECK-NOT: linalg
// CHECK: call @[[LINEAR:task_matmul_128x512x512_[0-9a-f]+]]
// CHECK-NOT: linalg
// CHECK: call @[[SCORES:task_batch_matmul_8x128x128x64_[0-9a-f]+]]
// CHECK-NOT: linalg
// CHECK: return
// CHECK: func.func private @[[LINEAR]](
// CHECK: linalg.matmul indexing_maps = [#[[A2]], #[[B2]], #{{.*}}]
// CHECK: linalg.generic
// CHECK-SAME: tensor<128x512xf32>, tensor<512xf32>
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.addf
// CHECK-NEXT: linalg.yield
// CHECK: func.func private @[[SCORES]](%[[Q:.*]]: tensor<128x8x64xf32>, %[[K:.*]]: tensor<128x8x64xf32>, %[[M:.*]]: tensor<128x128xf32>) -> tensor<8x128x128xf32>
// CHECK: %[[QK:.*]] = linalg.generic {indexing_maps = [#[[A3]], #[[B3]], #[[C3]]], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%[[Q]], %[[K]] :
// CHECK: linalg.generic {indexing_maps = [#[[ID3]], #[[B2]], #[[ID3]]], iterator_types = ["parallel", "parallel", "parallel"]} ins(%[[QK]], %[[M]] :
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: arith.addf
// CHECK-NEXT: linalg.yield
func.func @scores(%x: tensor<1x128x512xf32>, %q: tensor<1x128x8x64xf32>, %w: tensor<512x512xf32>,
                  %b: tensor<512xf32>, %m: tensor<1x1x128x128xf32>) -> tensor<1x8x128x128xf32> {
  %zero = arith.constant 0.000000e+00 : f32
  %scale = arith.constant 1.250000e-01 : f32
  %collapsed = tensor.collapse_shape %x [[0, 1], [2]] : tensor<1x128x512xf32> into tensor<128x512xf32>
  %0 = tensor.empty() : tensor<512x512xf32>
  %transposed = linalg.transpose ins(%w : tensor<512x512xf32>) outs(%0 : tensor<512x512xf32>) permutation = [1, 0]
  %1 = tensor.empty() : tensor<128x512xf32>
  %2 = linalg.fill ins(%zero : f32) outs(%1 : tensor<128x512xf32>) -> tensor<128x512xf32>
  %3 = linalg.matmul ins(%collapsed, %transposed : tensor<128x512xf32>, tensor<512x512xf32>) outs(%2 : tensor<128x512xf32>) -> tensor<128x512xf32>
  %4 = linalg.generic {indexing_maps = [#col2, #id2], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<512xf32>) outs(%1 : tensor<128x512xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<128x512xf32>
  %5 = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%3, %4 : tensor<128x512xf32>, tensor<128x512xf32>) outs(%1 : tensor<128x512xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %s = arith.addf %in, %in_0 : f32
    linalg.yield %s : f32
  } -> tensor<128x512xf32>
  %expanded = tensor.expand_shape %5 [[0, 1], [2, 3]] output_shape [1, 128, 8, 64] : tensor<128x512xf32> into tensor<1x128x8x64xf32>
  %6 = tensor.empty() : tensor<1x8x128x64xf32>
  %7 = linalg.transpose ins(%q : tensor<1x128x8x64xf32>) outs(%6 : tensor<1x8x128x64xf32>) permutation = [0, 2, 1, 3]
  %8 = tensor.empty() : tensor<1x8x64x128xf32>
  %9 = linalg.transpose ins(%expanded : tensor<1x128x8x64xf32>) outs(%8 : tensor<1x8x64x128xf32>) permutation = [0, 2, 3, 1]
  %10 = tensor.collapse_shape %7 [[0, 1], [2], [3]] : tensor<1x8x128x64xf32> into tensor<8x128x64xf32>
  %11 = tensor.collapse_shape %9 [[0, 1], [2], [3]] : tensor<1x8x64x128xf32> into tensor<8x64x128xf32>
  %12 = tensor.empty() : tensor<8x128x128xf32>
  %13 = linalg.fill ins(%zero : f32) outs(%12 : tensor<8x128x128xf32>) -> tensor<8x128x128xf32>
  %14 = linalg.batch_matmul ins(%10, %11 : tensor<8x128x64xf32>, tensor<8x64x128xf32>) outs(%13 : tensor<8x128x128xf32>) -> tensor<8x128x128xf32>
  %15 = tensor.expand_shape %14 [[0, 1], [2], [3]] output_shape [1, 8, 128, 128] : tensor<8x128x128xf32> into tensor<1x8x128x128xf32>
  %16 = tensor.empty() : tensor<1x8x128x128xf32>
  %17 = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<1x8x128x128xf32>) outs(%16 : tensor<1x8x128x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.mulf %in, %scale : f32
    linalg.yield %s : f32
  } -> tensor<1x8x128x128xf32>
  %18 = linalg.generic {indexing_maps = [#id4, #mask, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17, %m : tensor<1x8x128x128xf32>, tensor<1x1x128x128xf32>) outs(%16 : tensor<1x8x128x128xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %s = arith.addf %in, %in_0 : f32
    linalg.yield %s : f32
  } -> tensor<1x8x128x128xf32>
  return %18 : tensor<1x8x128x128xf32>
}
