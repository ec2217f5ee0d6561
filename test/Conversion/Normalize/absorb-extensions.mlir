// RUN: pruner-opt %s --pruner-absorb-extensions --split-input-file | FileCheck %s

#ij = affine_map<(i, j) -> (i, j)>
#ji = affine_map<(i, j) -> (j, i)>

// As exported from a linear layer in bf16. Named products stay named.
// CHECK-LABEL: func @linear(
// CHECK-SAME:      %[[X:.*]]: tensor<8x16xbf16>, %[[W:.*]]: tensor<4x16xbf16>
// CHECK:         %[[T:.*]] = linalg.generic {{.*}} ins(%[[W]] : tensor<4x16xbf16>) outs(%{{.*}} : tensor<16x4xbf16>)
// CHECK-NEXT:    ^bb0(%[[E:.*]]: bf16, %{{.*}}: bf16):
// CHECK-NEXT:      linalg.yield %[[E]] : bf16
// CHECK-NOT:     extf
// CHECK:         linalg.matmul ins(%[[X]], %[[T]] : tensor<8x16xbf16>, tensor<16x4xbf16>) outs(%{{.*}} : tensor<8x4xf32>)
func.func @linear(%x: tensor<8x16xbf16>, %w: tensor<4x16xbf16>, %z: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %a = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x16xbf16>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%p: bf16, %o: f32):
    %0 = arith.extf %p : bf16 to f32
    linalg.yield %0 : f32
  } -> tensor<8x16xf32>
  %f = tensor.empty() : tensor<16x4xf32>
  %b = linalg.generic {indexing_maps = [#ji, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<4x16xbf16>) outs(%f : tensor<16x4xf32>) {
  ^bb0(%p: bf16, %o: f32):
    %0 = arith.extf %p : bf16 to f32
    linalg.yield %0 : f32
  } -> tensor<16x4xf32>
  %r = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x4xf32>) outs(%z : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}

// -----

#ij = affine_map<(i, j) -> (i, j)>

// The extension moves behind reshapes, slices and pads by numbers of the narrow
// type. One factor already is narrow.
// CHECK-LABEL: func @views(
// CHECK-SAME:      %[[X:.*]]: tensor<6x4xf16>, %[[Y:.*]]: tensor<2x5x3xf16>
// CHECK:         %[[S:.*]] = tensor.extract_slice %[[X]][0, 0] [4, 4] [1, 1] : tensor<6x4xf16> to tensor<4x4xf16>
// CHECK:         %[[E:.*]] = tensor.expand_shape %[[S]] {{.*}} : tensor<4x4xf16> into tensor<2x2x4xf16>
// CHECK:         %[[C:.*]] = arith.constant 0.000000e+00 : f16
// CHECK:         %[[P:.*]] = tensor.pad %[[E]] low[0, 0, 0] high[0, 0, 1]
// CHECK:           tensor.yield %[[C]] : f16
// CHECK:         linalg.generic {{.*}} ins(%[[P]], %[[Y]] : tensor<2x2x5xf16>, tensor<2x5x3xf16>)
// CHECK-NEXT:    ^bb0(%[[A:.*]]: f16, %[[B:.*]]: f16, %{{.*}}: f32):
// CHECK-DAG:       %[[F:.*]] = arith.extf %[[A]] : f16 to f32
// CHECK-DAG:       %[[G:.*]] = arith.extf %[[B]] : f16 to f32
// CHECK:           arith.mulf %[[F]], %[[G]]
func.func @views(%x: tensor<6x4xf16>, %y: tensor<2x5x3xf16>, %z: tensor<2x2x3xf32>) -> tensor<2x2x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x4xf32>
  %a = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<6x4xf16>) outs(%e : tensor<6x4xf32>) {
  ^bb0(%p: f16, %o: f32):
    %0 = arith.extf %p : f16 to f32
    linalg.yield %0 : f32
  } -> tensor<6x4xf32>
  %s = tensor.extract_slice %a[0, 0] [4, 4] [1, 1] : tensor<6x4xf32> to tensor<4x4xf32>
  %v = tensor.expand_shape %s [[0, 1], [2]] output_shape [2, 2, 4] : tensor<4x4xf32> into tensor<2x2x4xf32>
  %q = tensor.pad %v low[0, 0, 0] high[0, 0, 1] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<2x2x4xf32> to tensor<2x2x5xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(b, i, j, k) -> (b, i, k)>, affine_map<(b, i, j, k) -> (b, k, j)>,
                       affine_map<(b, i, j, k) -> (b, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %y : tensor<2x2x5xf32>, tensor<2x5x3xf16>) outs(%z : tensor<2x2x3xf32>) {
  ^bb0(%l: f32, %m: f16, %o: f32):
    %0 = arith.extf %m : f16 to f32
    %1 = arith.mulf %l, %0 : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x2x3xf32>
  return %r : tensor<2x2x3xf32>
}

// -----

#ij = affine_map<(i, j) -> (i, j)>

// Only one factor is extended, or they have different types, or the pad inserts
// a number that bf16 does not have: the products stay.
// CHECK-LABEL: func @stay(
// CHECK-COUNT-3: linalg.matmul ins({{.*}} : tensor<8x16xf32>, tensor<16x4xf32>)
func.func @stay(%x: tensor<8x16xbf16>, %h: tensor<16x4xf16>, %y: tensor<16x4xf32>, %w: tensor<15x4xbf16>,
                %z: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) {
  %tenth = arith.constant 0.1 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %a = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x16xbf16>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%p: bf16, %o: f32):
    %0 = arith.extf %p : bf16 to f32
    linalg.yield %0 : f32
  } -> tensor<8x16xf32>
  %f = tensor.empty() : tensor<16x4xf32>
  %b = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%h : tensor<16x4xf16>) outs(%f : tensor<16x4xf32>) {
  ^bb0(%p: f16, %o: f32):
    %0 = arith.extf %p : f16 to f32
    linalg.yield %0 : f32
  } -> tensor<16x4xf32>
  %g = tensor.empty() : tensor<15x4xf32>
  %v = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<15x4xbf16>) outs(%g : tensor<15x4xf32>) {
  ^bb0(%p: bf16, %o: f32):
    %0 = arith.extf %p : bf16 to f32
    linalg.yield %0 : f32
  } -> tensor<15x4xf32>
  %c = tensor.pad %v low[0, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %tenth : f32
  } : tensor<15x4xf32> to tensor<16x4xf32>
  %0 = linalg.matmul ins(%a, %y : tensor<8x16xf32>, tensor<16x4xf32>) outs(%z : tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x4xf32>) outs(%z : tensor<8x4xf32>) -> tensor<8x4xf32>
  %2 = linalg.matmul ins(%a, %c : tensor<8x16xf32>, tensor<16x4xf32>) outs(%z : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0, %1, %2 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
}
