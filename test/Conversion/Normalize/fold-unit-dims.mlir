// RUN: pruner-opt %s --pruner-fold-unit-dims | FileCheck %s

#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#row = affine_map<(d0, d1, d2) -> (d0, d1, 0)>

// The mean subtracted in a layer norm: (d0, d1, 0) is not a projected
// permutation.
// CHECK-DAG: #[[ALL:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: @center
// CHECK: linalg.generic {indexing_maps = [#[[ALL]], #[[ROW]], #[[ALL]]], iterator_types = ["parallel", "parallel"]}
// CHECK-SAME: ins(%{{.*}} : tensor<128x512xf32>, tensor<128xf32>)
func.func @center(%x: tensor<1x128x512xf32>, %mean: tensor<1x128x1xf32>) -> tensor<1x128x512xf32> {
  %e = tensor.empty() : tensor<1x128x512xf32>
  %r = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %mean : tensor<1x128x512xf32>, tensor<1x128x1xf32>) outs(%e : tensor<1x128x512xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.subf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<1x128x512xf32>
  return %r : tensor<1x128x512xf32>
}

// A product with one row stays a product.
// CHECK-LABEL: @one_row
// CHECK: linalg.matmul ins(%{{.*}} : tensor<1x512xf32>, tensor<512x512xf32>)
func.func @one_row(%x: tensor<1x512xf32>, %w: tensor<512x512xf32>, %c: tensor<1x512xf32>) -> tensor<1x512xf32> {
  %r = linalg.matmul ins(%x, %w : tensor<1x512xf32>, tensor<512x512xf32>)
                     outs(%c : tensor<1x512xf32>) -> tensor<1x512xf32>
  return %r : tensor<1x512xf32>
}

// Concatenated channels of one image; a cast drops the second operand's size.
// CHECK-LABEL: @channels
// CHECK-NOT: tensor.cast
// CHECK: %[[A:.*]] = tensor.collapse_shape %{{.*}} : tensor<1x4x7x7xf32> into tensor<4x7x7xf32>
// CHECK: %[[B:.*]] = tensor.collapse_shape %{{.*}} : tensor<1x1x7x7xf32> into tensor<1x7x7xf32>
// CHECK: %[[C:.*]] = tensor.concat dim(0) %[[A]], %[[B]] : (tensor<4x7x7xf32>, tensor<1x7x7xf32>) -> tensor<5x7x7xf32>
// CHECK: tensor.expand_shape %[[C]]
func.func @channels(%a: tensor<1x4x7x7xf32>, %b: tensor<1x1x7x7xf32>) -> tensor<1x5x7x7xf32> {
  %c = tensor.cast %b : tensor<1x1x7x7xf32> to tensor<1x?x7x7xf32>
  %r = tensor.concat dim(1) %a, %c : (tensor<1x4x7x7xf32>, tensor<1x?x7x7xf32>) -> tensor<1x5x7x7xf32>
  return %r : tensor<1x5x7x7xf32>
}

// An unknown size stays unknown.
// CHECK-LABEL: @unknown
// CHECK: tensor.concat dim(1) %{{.*}}, %{{.*}} : (tensor<1x4x7xf32>, tensor<1x?x7xf32>) -> tensor<1x?x7xf32>
func.func @unknown(%a: tensor<1x4x7xf32>, %b: tensor<1x?x7xf32>) -> tensor<1x?x7xf32> {
  %r = tensor.concat dim(1) %a, %b : (tensor<1x4x7xf32>, tensor<1x?x7xf32>) -> tensor<1x?x7xf32>
  return %r : tensor<1x?x7xf32>
}

// CHECK-LABEL: @slice
// CHECK: %[[C:.*]] = tensor.collapse_shape %{{.*}} : tensor<3x65x1x16xf32> into tensor<3x65x16xf32>
// CHECK: %[[S:.*]] = tensor.extract_slice %[[C]][1, 0, 8] [1, 65, 4] [1, 1, 2] : tensor<3x65x16xf32> to tensor<65x4xf32>
// CHECK: return %[[S]]
func.func @slice(%x: tensor<3x65x1x16xf32>) -> tensor<65x4xf32> {
  %s = tensor.extract_slice %x[1, 0, 0, 8] [1, 65, 1, 4] [1, 1, 1, 2] : tensor<3x65x1x16xf32> to tensor<65x4xf32>
  return %s : tensor<65x4xf32>
}

// A window of three with one position in an input of four: the loop over
// positions stays, because the loop over the window must not be the only term
// of the input's coordinate.
// CHECK-LABEL: @one_position
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "reduction"]
// CHECK-SAME: ins(%{{.*}}, %{{.*}} : tensor<4xf32>, tensor<3xf32>) outs(%{{.*}} : tensor<1xf32>)
func.func @one_position(%x: tensor<4xf32>, %w: tensor<3xf32>, %o: tensor<1xf32>) -> tensor<1xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 * 2 + d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<4xf32>, tensor<3xf32>) outs(%o : tensor<1xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// In an input of three it is dropped.
// CHECK-LABEL: @whole_input
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["reduction"]
func.func @whole_input(%x: tensor<3xf32>, %w: tensor<3xf32>, %o: tensor<1xf32>) -> tensor<1xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 * 2 + d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<3xf32>, tensor<3xf32>) outs(%o : tensor<1xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// The first of two such loops stays for the first input. The second then stays
// for the second input, where the first would be the only term.
// CHECK-LABEL: @one_after_the_other
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "reduction"]
func.func @one_after_the_other(%x: tensor<5xf32>, %y: tensor<2xf32>, %w: tensor<3xf32>, %o: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0 + d2)>, affine_map<(d0, d1, d2) -> (d0 + d1)>,
                                        affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y, %w : tensor<5xf32>, tensor<2xf32>, tensor<3xf32>) outs(%o : tensor<1x1xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    %m = arith.mulf %a, %b : f32
    %n = arith.mulf %m, %c : f32
    %s = arith.addf %d, %n : f32
    linalg.yield %s : f32
  } -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// No loop has one iteration, but the sums of a row keep a unit dimension, and
// so do their readers. In @by_columns it is in front.
// CHECK-LABEL: @rows_of_two
// CHECK: linalg.generic {indexing_maps = [#[[ALL]], #[[ROW]]], iterator_types = ["parallel", "reduction"]}
// CHECK-SAME: ins(%{{.*}} : tensor<128x512xf32>) outs(%{{.*}} : tensor<128xf32>)
// CHECK: linalg.generic {indexing_maps = [#[[ALL]], #[[ROW]], #[[ALL]]], iterator_types = ["parallel", "parallel"]}
// CHECK-SAME: ins(%{{.*}}, %{{.*}} : tensor<128x512xf32>, tensor<128xf32>)
func.func @rows_of_two(%x: tensor<128x512xf32>, %z: tensor<128x1xf32>) -> tensor<128x512xf32> {
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<128x512xf32>) outs(%z : tensor<128x1xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %t = arith.addf %a, %acc : f32
    linalg.yield %t : f32
  } -> tensor<128x1xf32>
  %e = tensor.empty() : tensor<128x512xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<128x512xf32>, tensor<128x1xf32>) outs(%e : tensor<128x512xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.subf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<128x512xf32>
  return %r : tensor<128x512xf32>
}

// CHECK-LABEL: @by_columns
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{.*}}, %{{.*}} : tensor<128x512xf32>, tensor<512xf32>)
func.func @by_columns(%x: tensor<128x512xf32>, %scale: tensor<1x512xf32>) -> tensor<128x512xf32> {
  %e = tensor.empty() : tensor<128x512xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %scale : tensor<128x512xf32>, tensor<1x512xf32>) outs(%e : tensor<128x512xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.mulf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<128x512xf32>
  return %r : tensor<128x512xf32>
}

// A row of a larger tensor is not a unit dimension.
// CHECK-LABEL: @first_row
// CHECK: linalg.generic
// CHECK-SAME: tensor<128x512xf32>, tensor<2x512xf32>)
func.func @first_row(%x: tensor<128x512xf32>, %y: tensor<2x512xf32>) -> tensor<128x512xf32> {
  %e = tensor.empty() : tensor<128x512xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<128x512xf32>, tensor<2x512xf32>) outs(%e : tensor<128x512xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.mulf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<128x512xf32>
  return %r : tensor<128x512xf32>
}

// The padding value may be defined in the region of the pad, which is erased
// with it.
// CHECK-LABEL: @padding_within
// CHECK: %[[LOW:.*]] = arith.constant 0xFF800000 : f32
// CHECK: tensor.pad %{{.*}} low[1, 1] high[0, 0] {
// CHECK: tensor.yield %[[LOW]] : f32
// CHECK: } : tensor<6x6xf32> to tensor<7x7xf32>
func.func @padding_within(%x: tensor<1x1x6x6xf32>) -> tensor<1x1x7x7xf32> {
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 0, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    %l = arith.constant 0xFF800000 : f32
    tensor.yield %l : f32
  } : tensor<1x1x6x6xf32> to tensor<1x1x7x7xf32>
  return %p : tensor<1x1x7x7xf32>
}

#weight = affine_map<(n, k) -> (n, k)>
#of_row = affine_map<(n, k) -> (n)>

// ONNX multiplies activations of three dimensions by weights with a batch of one.
// CHECK-LABEL: func.func @unit_batch(
// CHECK-SAME: %[[X:.*]]: tensor<1x4x256xf32>, %[[W:.*]]: tensor<512x256xi8>
// CHECK-DAG: %[[X2:.*]] = tensor.collapse_shape %[[X]] {{.*}} into tensor<4x256xf32>
// CHECK-DAG: %[[D:.*]] = linalg.generic {{.*}} ins(%[[W]], %{{.*}} : tensor<512x256xi8>, tensor<512xf32>)
// CHECK: %[[R:.*]] = linalg.matmul indexing_maps = {{.*}} ins(%[[X2]], %[[D]] : tensor<4x256xf32>, tensor<512x256xf32>)
// CHECK: tensor.expand_shape %[[R]] {{.*}} into tensor<1x4x512xf32>
func.func @unit_batch(%x: tensor<1x4x256xf32>, %w: tensor<512x256xi8>, %s: tensor<512xf32>) -> tensor<1x4x512xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x256xf32>
  %0 = linalg.generic {indexing_maps = [#weight, #of_row, #weight], iterator_types = ["parallel", "parallel"]}
      ins(%w, %s : tensor<512x256xi8>, tensor<512xf32>) outs(%e : tensor<512x256xf32>) {
  ^bb0(%a: i8, %b: f32, %o: f32):
    %f = arith.sitofp %a : i8 to f32
    %g = arith.mulf %f, %b : f32
    linalg.yield %g : f32
  } -> tensor<512x256xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [1, 512, 256] : tensor<512x256xf32> into tensor<1x512x256xf32>
  %er = tensor.empty() : tensor<1x4x512xf32>
  %z = linalg.fill ins(%zero : f32) outs(%er : tensor<1x4x512xf32>) -> tensor<1x4x512xf32>
  %r = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%x, %1 : tensor<1x4x256xf32>, tensor<1x512x256xf32>) outs(%z : tensor<1x4x512xf32>) -> tensor<1x4x512xf32>
  return %r : tensor<1x4x512xf32>
}
