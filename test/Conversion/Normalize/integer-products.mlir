// RUN: pruner-opt %s --pruner-integer-products --split-input-file | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>

// The example of the pass: a zero point for all x, a scale for each column of y.
// CHECK-DAG: #[[A:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[C:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[COLUMN:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func @product(
// CHECK-SAME:      %[[X:.*]]: tensor<4x16xi8>, %[[Y:.*]]: tensor<16x8xi8>, %[[SCALES:.*]]: tensor<8xf32>
// CHECK:         %[[ZERO:.*]] = linalg.fill {{.*}} -> tensor<4x8xi32>
// CHECK:         %[[SUM:.*]] = linalg.generic {indexing_maps = [#[[A]], #[[B]], #[[C]]], iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[X]], %[[Y]] : tensor<4x16xi8>, tensor<16x8xi8>) outs(%[[ZERO]]
// CHECK-NEXT:    ^bb0(%[[XE:.*]]: i8, %[[YE:.*]]: i8, %[[ACC:.*]]: i32):
// CHECK-NEXT:      %[[XW:.*]] = arith.extsi %[[XE]] : i8 to i32
// CHECK-NEXT:      %[[THREE:.*]] = arith.constant 3 : i32
// CHECK-NEXT:      %[[XZ:.*]] = arith.subi %[[XW]], %[[THREE]]
// CHECK-NEXT:      %[[YW:.*]] = arith.extui %[[YE]] : i8 to i32
// CHECK-NEXT:      %[[P:.*]] = arith.muli %[[XZ]], %[[YW]]
// CHECK-NEXT:      arith.addi %[[ACC]], %[[P]]
// CHECK:         %[[HALF:.*]] = arith.constant dense<5.000000e-01> : tensor<f32>
// CHECK:         %[[BOTH:.*]] = linalg.generic {{.*}} ins(%[[SCALES]], %[[HALF]] : tensor<8xf32>, tensor<f32>)
// CHECK:           arith.mulf
// CHECK:         %[[R:.*]] = linalg.generic {indexing_maps = [#{{.*}}, #[[COLUMN]], #{{.*}}], {{.*}}} ins(%[[SUM]], %[[BOTH]] : tensor<4x8xi32>, tensor<8xf32>)
// CHECK-NEXT:    ^bb0(%[[S:.*]]: i32, %[[T:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      %[[F:.*]] = arith.sitofp %[[S]] : i32 to f32
// CHECK-NEXT:      arith.mulf %[[F]], %[[T]]
// CHECK:         return %[[R]]
func.func @product(%x: tensor<4x16xi8>, %y: tensor<16x8xi8>, %scales: tensor<8xf32>) -> tensor<4x8xf32> {
  %half = arith.constant 0.5 : f32
  %three = arith.constant 3.0 : f32
  %zero = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<4x16xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x16xi8>) outs(%ea : tensor<4x16xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %three : f32
    %2 = arith.mulf %1, %half : f32
    linalg.yield %2 : f32
  } -> tensor<4x16xf32>
  %eb = tensor.empty() : tensor<16x8xf32>
  %b = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y, %scales : tensor<16x8xi8>, tensor<8xf32>) outs(%eb : tensor<16x8xf32>) {
  ^bb0(%in: i8, %scale: f32, %out: f32):
    %0 = arith.uitofp %in : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<16x8xf32>
  %er = tensor.empty() : tensor<4x8xf32>
  %start = linalg.fill ins(%zero : f32) outs(%er : tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = linalg.matmul ins(%a, %b : tensor<4x16xf32>, tensor<16x8xf32>) outs(%start : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

#x = affine_map<(c, h) -> (c, h)>
#w = affine_map<(c, f) -> (c, f)>
#in = affine_map<(f, o, c, k) -> (c, o + k)>
#filter = affine_map<(f, o, c, k) -> (f, c, k)>
#out = affine_map<(f, o, c, k) -> (f, o)>

// A padded convolution, in steps as torch.export writes them. The padding is
// the zero point. The residual still reads the reals.
// CHECK-DAG: #[[IN:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, d1 + d3)>
// CHECK-DAG: #[[FILTER:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, d3, d0)>
// CHECK-LABEL: func @padded(
// CHECK-SAME:      %[[X:.*]]: tensor<4x8xi8>, %[[W:.*]]: tensor<4x3x4xi8>
// CHECK:           arith.sitofp
// CHECK:           arith.subf
// CHECK:         %[[REAL:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<4x8xf32>)
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      arith.mulf
// CHECK:         %[[M:.*]] = arith.constant -128 : i8
// CHECK:         %[[PAD:.*]] = tensor.pad %[[X]] low[0, 1] high[0, 1]
// CHECK:           tensor.yield %[[M]] : i8
// CHECK:         %[[SUM:.*]] = linalg.generic {indexing_maps = [#[[IN]], #[[FILTER]], #{{.*}}], {{.*}}} ins(%[[PAD]], %[[W]] : tensor<4x10xi8>, tensor<4x3x4xi8>)
// CHECK:           %[[E:.*]] = arith.extsi
// CHECK:           %[[Z:.*]] = arith.constant -128 : i32
// CHECK:           arith.subi %[[E]], %[[Z]]
// CHECK:         %[[SCALED:.*]] = linalg.generic {{.*}} ins(%[[SUM]] : tensor<4x8xi32>)
// CHECK:           %[[C:.*]] = arith.constant 1.250000e-01 : f32
// CHECK:           arith.mulf %{{.*}}, %[[C]]
// CHECK:         return %[[SCALED]], %[[REAL]]
func.func @padded(%x: tensor<4x8xi8>, %w: tensor<4x3x4xi8>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %half = arith.constant 0.5 : f32
  %quarter = arith.constant 0.25 : f32
  %minus = arith.constant -128.0 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %f = linalg.generic {indexing_maps = [#x, #x], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xi8>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  %s = linalg.generic {indexing_maps = [#x, #x], iterator_types = ["parallel", "parallel"]}
      ins(%f : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.subf %in, %minus : f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  %a = linalg.generic {indexing_maps = [#x, #x], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %half : f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  %p = tensor.pad %a low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x8xf32> to tensor<4x10xf32>
  // The weights are transposed behind their dequantization.
  %ew = tensor.empty() : tensor<4x3x4xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(c, k, f) -> (c, k, f)>, affine_map<(c, k, f) -> (c, k, f)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w : tensor<4x3x4xi8>) outs(%ew : tensor<4x3x4xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %quarter : f32
    linalg.yield %1 : f32
  } -> tensor<4x3x4xf32>
  %et = tensor.empty() : tensor<4x4x3xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(f, c, k) -> (c, k, f)>, affine_map<(f, c, k) -> (f, c, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%d : tensor<4x3x4xf32>) outs(%et : tensor<4x4x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x4x3xf32>
  %start = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [#in, #filter, #out], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%p, %t : tensor<4x10xf32>, tensor<4x4x3xf32>) outs(%start : tensor<4x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %acc: f32):
    %0 = arith.mulf %in, %in_1 : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<4x8xf32>
  return %r, %a : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

#flat = affine_map<(i, j) -> (i, j)>
#id = affine_map<(n, i, j) -> (n, i, j)>
#scalar = affine_map<(n, i, j) -> ()>

// Scales and a zero point that are computed: a byte, so its range is known. The
// reshape is repeated on the bytes, and a slice of the others as well.
// CHECK-DAG: #[[NOWHERE:.*]] = affine_map<(d0, d1, d2) -> ()>
// CHECK-LABEL: func @computed(
// CHECK-SAME:      %[[X:.*]]: tensor<2x3x16xi8>, %[[P:.*]]: tensor<i8>, %[[S:.*]]: tensor<f32>, %[[Y:.*]]: tensor<16x9xi8>, %[[T:.*]]: f32
// CHECK:         %[[XC:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1], [2]] : tensor<2x3x16xi8> into tensor<6x16xi8>
// CHECK:         %[[YS:.*]] = tensor.extract_slice %[[Y]][0, 1] [16, 8] [1, 1] : tensor<16x9xi8> to tensor<16x8xi8>
// CHECK:         %[[PW:.*]] = linalg.generic {{.*}} ins(%[[P]] : tensor<i8>) outs(%{{.*}} : tensor<i32>)
// CHECK:           arith.trunci {{.*}} : i64 to i32
// CHECK:         %[[SUM:.*]] = linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}, #[[NOWHERE]], #{{.*}}], {{.*}}} ins(%[[XC]], %[[YS]], %[[PW]]
// CHECK-NEXT:    ^bb0(%{{.*}}: i8, %{{.*}}: i8, %[[Z:.*]]: i32, %{{.*}}: i32):
// CHECK:           arith.subi %{{.*}}, %[[Z]]
// CHECK:         %[[TT:.*]] = tensor.from_elements %[[T]] : tensor<f32>
// CHECK:         %[[BOTH:.*]] = linalg.generic {{.*}} ins(%[[S]], %[[TT]] : tensor<f32>, tensor<f32>)
// CHECK:         linalg.generic {{.*}} ins(%[[SUM]], %[[BOTH]] : tensor<6x8xi32>, tensor<f32>)
func.func @computed(%x: tensor<2x3x16xi8>, %p: tensor<i8>, %s: tensor<f32>, %y: tensor<16x9xi8>, %t: f32) -> tensor<6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<2x3x16xf32>
  %a = linalg.generic {indexing_maps = [#id, #scalar, #scalar, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %p, %s : tensor<2x3x16xi8>, tensor<i8>, tensor<f32>) outs(%ea : tensor<2x3x16xf32>) {
  ^bb0(%in: i8, %point: i8, %scale: f32, %out: f32):
    %0 = arith.extsi %in : i8 to i64
    %1 = arith.extsi %point : i8 to i64
    %2 = arith.subi %0, %1 : i64
    %3 = arith.sitofp %2 : i64 to f32
    %4 = arith.mulf %3, %scale : f32
    linalg.yield %4 : f32
  } -> tensor<2x3x16xf32>
  %c = tensor.collapse_shape %a [[0, 1], [2]] : tensor<2x3x16xf32> into tensor<6x16xf32>
  %eb = tensor.empty() : tensor<16x9xf32>
  %b = linalg.generic {indexing_maps = [#flat, #flat], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<16x9xi8>) outs(%eb : tensor<16x9xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %t : f32
    linalg.yield %1 : f32
  } -> tensor<16x9xf32>
  %d = tensor.extract_slice %b[0, 1] [16, 8] [1, 1] : tensor<16x9xf32> to tensor<16x8xf32>
  %er = tensor.empty() : tensor<6x8xf32>
  %start = linalg.fill ins(%zero : f32) outs(%er : tensor<6x8xf32>) -> tensor<6x8xf32>
  %r = linalg.matmul ins(%c, %d : tensor<6x16xf32>, tensor<16x8xf32>) outs(%start : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %r : tensor<6x8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

// A scale for each row and one for each column: no tensor of them is made.
// CHECK-LABEL: func @rows_and_columns(
// CHECK-SAME:      %{{.*}}, %[[S:.*]]: tensor<4xf32>, %{{.*}}, %[[T:.*]]: tensor<8xf32>
// CHECK:         %[[SUM:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<4x8xi32>)
// CHECK:         linalg.generic {{.*}} ins(%[[SUM]], %[[S]], %[[T]]
// CHECK-COUNT-2:   arith.mulf
func.func @rows_and_columns(%x: tensor<4x16xi8>, %s: tensor<4xf32>, %y: tensor<16x8xi8>, %t: tensor<8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<4x16xf32>
  %a = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<4x16xi8>, tensor<4xf32>) outs(%ea : tensor<4x16xf32>) {
  ^bb0(%in: i8, %scale: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<4x16xf32>
  %eb = tensor.empty() : tensor<16x8xf32>
  %b = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y, %t : tensor<16x8xi8>, tensor<8xf32>) outs(%eb : tensor<16x8xf32>) {
  ^bb0(%in: i8, %scale: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<16x8xf32>
  %er = tensor.empty() : tensor<4x8xf32>
  %start = linalg.fill ins(%zero : f32) outs(%er : tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = linalg.matmul ins(%a, %b : tensor<4x16xf32>, tensor<16x8xf32>) outs(%start : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// ONNX's MatMulInteger: extended bytes, multiplied in i64.
// CHECK-LABEL: func @integers(
// CHECK-SAME:      %[[X:.*]]: tensor<4x16xi8>, %[[Y:.*]]: tensor<16x8xi8>
// CHECK:         %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[Y]] : tensor<4x16xi8>, tensor<16x8xi8>) outs(%{{.*}} : tensor<4x8xi32>)
// CHECK:         linalg.generic {{.*}} ins(%[[SUM]] : tensor<4x8xi32>) outs(%{{.*}} : tensor<4x8xi64>)
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      arith.extsi
// CHECK-NEXT:      linalg.yield
func.func @integers(%x: tensor<4x16xi8>, %y: tensor<16x8xi8>) -> tensor<4x8xi64> {
  %zero = arith.constant 0 : i64
  %seven = arith.constant 7 : i32
  %ea = tensor.empty() : tensor<4x16xi32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x16xi8>) outs(%ea : tensor<4x16xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extui %in : i8 to i32
    %1 = arith.subi %0, %seven : i32
    linalg.yield %1 : i32
  } -> tensor<4x16xi32>
  %eb = tensor.empty() : tensor<16x8xi32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<16x8xi8>) outs(%eb : tensor<16x8xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    linalg.yield %0 : i32
  } -> tensor<16x8xi32>
  %er = tensor.empty() : tensor<4x8xi64>
  %start = linalg.fill ins(%zero : i64) outs(%er : tensor<4x8xi64>) -> tensor<4x8xi64>
  %r = linalg.matmul ins(%a, %b : tensor<4x16xi32>, tensor<16x8xi32>) outs(%start : tensor<4x8xi64>) -> tensor<4x8xi64>
  return %r : tensor<4x8xi64>
}

// -----

#id = affine_map<(f, c, h, w) -> (f, c, h, w)>
#channel = affine_map<(f, c, h, w) -> (f, 0, h, w)>
#image = affine_map<(n, f, h, w, c, k, l) -> (n, c, h + k, w + l)>
#filter = affine_map<(n, f, h, w, c, k, l) -> (f, c, k, l)>
#out = affine_map<(n, f, h, w, c, k, l) -> (n, f, h, w)>

// The scales have loops of the reduction as coordinates, but no elements along
// them.
// CHECK-LABEL: func @unit_window(
// CHECK-SAME:      %[[X:.*]]: tensor<1x8x4x4xi8>, %[[W:.*]]: tensor<6x8x1x1xi8>
// CHECK:         linalg.generic {{.*}} ins(%[[X]], %[[W]] : tensor<1x8x4x4xi8>, tensor<6x8x1x1xi8>) outs(%{{.*}} : tensor<1x6x4x4xi32>)
func.func @unit_window(%x: tensor<1x8x4x4xi8>, %w: tensor<6x8x1x1xi8>, %s: tensor<6x1x1x1xf32>) -> tensor<1x6x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<1x8x4x4xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<1x8x4x4xi8>) outs(%ea : tensor<1x8x4x4xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<1x8x4x4xf32>
  %eb = tensor.empty() : tensor<6x8x1x1xf32>
  %b = linalg.generic {indexing_maps = [#id, #channel, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%w, %s : tensor<6x8x1x1xi8>, tensor<6x1x1x1xf32>) outs(%eb : tensor<6x8x1x1xf32>) {
  ^bb0(%in: i8, %scale: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<6x8x1x1xf32>
  %er = tensor.empty() : tensor<1x6x4x4xf32>
  %start = linalg.fill ins(%zero : f32) outs(%er : tensor<1x6x4x4xf32>) -> tensor<1x6x4x4xf32>
  %r = linalg.generic {indexing_maps = [#image, #filter, #out],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%a, %b : tensor<1x8x4x4xf32>, tensor<6x8x1x1xf32>) outs(%start : tensor<1x6x4x4xf32>) {
  ^bb0(%in: f32, %in_1: f32, %acc: f32):
    %0 = arith.mulf %in, %in_1 : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<1x6x4x4xf32>
  return %r : tensor<1x6x4x4xf32>
}

// -----

#id = affine_map<(f, k, l) -> (f, k, l)>
#unit = affine_map<(f, k, l) -> (f, 0, l)>
#image = affine_map<(f, h, w, k, l) -> (f, h + k, w + l)>
#filter = affine_map<(f, h, w, k, l) -> (f, k, l)>
#out = affine_map<(f, h, w, k, l) -> (f, h, w)>

// The constant in the map of the dequantization would leave k without an extent.
// CHECK-DAG: #[[FILTER:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d4)>
// CHECK-LABEL: func @constant_coordinate(
// CHECK-SAME:      %[[X:.*]]: tensor<2x4x5xi8>, %[[W:.*]]: tensor<2x1x2xi8>
// CHECK:         linalg.generic {indexing_maps = [#{{.*}}, #[[FILTER]], #{{.*}}], {{.*}}} ins(%[[X]], %[[W]] : tensor<2x4x5xi8>, tensor<2x1x2xi8>)
func.func @constant_coordinate(%x: tensor<2x4x5xi8>, %w: tensor<2x1x2xi8>) -> tensor<2x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<2x4x5xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<2x4x5xi8>) outs(%ea : tensor<2x4x5xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<2x4x5xf32>
  %eb = tensor.empty() : tensor<2x1x2xf32>
  %b = linalg.generic {indexing_maps = [#unit, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w : tensor<2x1x2xi8>) outs(%eb : tensor<2x1x2xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<2x1x2xf32>
  %er = tensor.empty() : tensor<2x4x4xf32>
  %start = linalg.fill ins(%zero : f32) outs(%er : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %r = linalg.generic {indexing_maps = [#image, #filter, #out],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%a, %b : tensor<2x4x5xf32>, tensor<2x1x2xf32>) outs(%start : tensor<2x4x4xf32>) {
  ^bb0(%in: f32, %in_1: f32, %acc: f32):
    %0 = arith.mulf %in, %in_1 : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x4x4xf32>
  return %r : tensor<2x4x4xf32>
}
