// RUN: pruner-opt %s --pruner-split-padded-windows=min-saved=1 --split-input-file | FileCheck %s
// RUN: pruner-opt %s --pruner-split-padded-windows --split-input-file | FileCheck %s --check-prefix=FEW

// Three elements that are 8 apart, over 8: only the middle one meets the input.
// CHECK-LABEL: @far_apart
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf32>, %[[W:.*]]: tensor<6x4x3xf32>, %[[INIT:.*]]: tensor<6x8xf32>)
// CHECK: %[[MIDDLE:.*]] = tensor.extract_slice %[[W]][0, 0, 1] [6, 4, 1] [1, 1, 1]
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[MIDDLE]] : tensor<4x8xf32>, tensor<6x4x1xf32>) outs(%[[INIT]] : tensor<6x8xf32>)
// CHECK: return %[[R]]
// FEW-LABEL: @far_apart
// FEW: ins(%{{.*}}, %{{.*}} : tensor<4x24xf32>
func.func @far_apart(%x: tensor<4x8xf32>, %w: tensor<6x4x3xf32>, %init: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 8] high[0, 8] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x8xf32> to tensor<4x24xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(f, o, c, k) -> (c, o + k * 8)>,
                       affine_map<(f, o, c, k) -> (f, c, k)>,
                       affine_map<(f, o, c, k) -> (f, o)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%p, %w : tensor<4x24xf32>, tensor<6x4x3xf32>) outs(%init : tensor<6x8xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<6x8xf32>
  return %r : tensor<6x8xf32>
}

// -----

// 6 apart over 8: the first two results also read the last two elements, and
// the last two results the first two.
// CHECK-LABEL: @three_boxes
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf32>, %[[W:.*]]: tensor<6x4x3xf32>, %[[INIT:.*]]: tensor<6x8xf32>)
// CHECK: %[[W0:.*]] = tensor.extract_slice %[[W]][0, 0, 1] [6, 4, 2] [1, 1, 1]
// CHECK: %[[I0:.*]] = tensor.extract_slice %[[INIT]][0, 0] [6, 2] [1, 1]
// CHECK: %[[R0:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[W0]] : tensor<4x8xf32>, tensor<6x4x2xf32>) outs(%[[I0]]
// CHECK: %[[S0:.*]] = tensor.insert_slice %[[R0]] into %[[INIT]][0, 0] [6, 2] [1, 1]
// CHECK: %[[X1:.*]] = tensor.extract_slice %[[X]][0, 2] [4, 4] [1, 1]
// CHECK: %[[W1:.*]] = tensor.extract_slice %[[W]][0, 0, 1] [6, 4, 1] [1, 1, 1]
// CHECK: %[[I1:.*]] = tensor.extract_slice %[[S0]][0, 2] [6, 4] [1, 1]
// CHECK: %[[R1:.*]] = linalg.generic {{.*}} ins(%[[X1]], %[[W1]] : tensor<4x4xf32>, tensor<6x4x1xf32>) outs(%[[I1]]
// CHECK: %[[S1:.*]] = tensor.insert_slice %[[R1]] into %[[S0]][0, 2] [6, 4] [1, 1]
// CHECK: %[[W2:.*]] = tensor.extract_slice %[[W]][0, 0, 0] [6, 4, 2] [1, 1, 1]
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[W2]] : tensor<4x8xf32>, tensor<6x4x2xf32>)
// CHECK: %[[S2:.*]] = tensor.insert_slice %{{.*}} into %[[S1]][0, 6] [6, 2] [1, 1]
// CHECK: return %[[S2]]
func.func @three_boxes(%x: tensor<4x8xf32>, %w: tensor<6x4x3xf32>, %init: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 6] high[0, 6] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x8xf32> to tensor<4x20xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(f, o, c, k) -> (c, o + k * 6)>,
                       affine_map<(f, o, c, k) -> (f, c, k)>,
                       affine_map<(f, o, c, k) -> (f, o)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%p, %w : tensor<4x20xf32>, tensor<6x4x3xf32>) outs(%init : tensor<6x8xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<6x8xf32>
  return %r : tensor<6x8xf32>
}

// -----

// An eighth is too little, ones are not zeros, and a maximum is not a sum.
// CHECK-LABEL: @left_alone
// CHECK-COUNT-3: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4x{{10|24}}xf32>
// CHECK-NOT: tensor.extract_slice
#in = affine_map<(f, o, c, k) -> (c, o + k)>
#far = affine_map<(f, o, c, k) -> (c, o + k * 8)>
#filter = affine_map<(f, o, c, k) -> (f, c, k)>
#out = affine_map<(f, o, c, k) -> (f, o)>
func.func @left_alone(%x: tensor<4x8xf32>, %w: tensor<6x4x3xf32>, %init: tensor<6x8xf32>)
    -> (tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %p = tensor.pad %x low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x8xf32> to tensor<4x10xf32>
  %near = linalg.generic {indexing_maps = [#in, #filter, #out],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%p, %w : tensor<4x10xf32>, tensor<6x4x3xf32>) outs(%init : tensor<6x8xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<6x8xf32>
  %ones = tensor.pad %x low[0, 8] high[0, 8] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  } : tensor<4x8xf32> to tensor<4x24xf32>
  %of_ones = linalg.generic {indexing_maps = [#far, #filter, #out],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%ones, %w : tensor<4x24xf32>, tensor<6x4x3xf32>) outs(%init : tensor<6x8xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<6x8xf32>
  %zeros = tensor.pad %x low[0, 8] high[0, 8] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x8xf32> to tensor<4x24xf32>
  %largest = linalg.generic {indexing_maps = [#far, #filter, #out],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%zeros, %w : tensor<4x24xf32>, tensor<6x4x3xf32>) outs(%init : tensor<6x8xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.maximumf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<6x8xf32>
  return %near, %of_ones, %largest : tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>
}

// -----

// Along the first coordinate a third of the products meets padding, along the
// second one a twelfth: its padding stays.
// CHECK-LABEL: @one_of_two_coordinates
// CHECK-SAME: (%[[X:.*]]: tensor<4x2x8xf32>, %[[W:.*]]: tensor<6x4x3x3xf32>, %[[INIT:.*]]: tensor<6x2x8xf32>)
// CHECK: %[[P0:.*]] = tensor.pad %[[X]] low[0, 0, 1] high[0, 0, 1]
// CHECK: : tensor<4x2x8xf32> to tensor<4x2x10xf32>
// CHECK: %[[W0:.*]] = tensor.extract_slice %[[W]][0, 0, 1, 0] [6, 4, 2, 3] [1, 1, 1, 1]
// CHECK: %[[I0:.*]] = tensor.extract_slice %[[INIT]][0, 0, 0] [6, 1, 8] [1, 1, 1]
// CHECK: linalg.generic {{.*}} ins(%[[P0]], %[[W0]] : tensor<4x2x10xf32>, tensor<6x4x2x3xf32>) outs(%[[I0]]
// CHECK: tensor.pad %[[X]] low[0, 0, 1] high[0, 0, 1]
// CHECK: %[[W1:.*]] = tensor.extract_slice %[[W]][0, 0, 0, 0] [6, 4, 2, 3] [1, 1, 1, 1]
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[W1]] : tensor<4x2x10xf32>, tensor<6x4x2x3xf32>)
// CHECK-NOT: linalg.generic
func.func @one_of_two_coordinates(%x: tensor<4x2x8xf32>, %w: tensor<6x4x3x3xf32>, %init: tensor<6x2x8xf32>) -> tensor<6x2x8xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1] high[0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<4x2x8xf32> to tensor<4x4x10xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(f, d, o, c, l, k) -> (c, d + l, o + k)>,
                       affine_map<(f, d, o, c, l, k) -> (f, c, l, k)>,
                       affine_map<(f, d, o, c, l, k) -> (f, d, o)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%p, %w : tensor<4x4x10xf32>, tensor<6x4x3x3xf32>) outs(%init : tensor<6x2x8xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<6x2x8xf32>
  return %r : tensor<6x2x8xf32>
}
