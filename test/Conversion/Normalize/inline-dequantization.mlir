// RUN: pruner-opt %s --pruner-inline-dequantization --split-input-file | FileCheck %s
// RUN: pruner-opt %s --pruner-inline-dequantization=max-reuse=2 --split-input-file | FileCheck %s --check-prefix=FEW

#id = affine_map<(n, g, k) -> (n, g, k)>
#group = affine_map<(n, g, k) -> (n, g)>
#small = affine_map<(n, g) -> (n, g)>
#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>

// Steps as PyTorch exports them: the zero points are bytes, the steps are ops of
// their own, and reshapes are around the groups. The product gets a loop over
// the groups.
// CHECK-DAG: #[[X:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
// CHECK-DAG: #[[W:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>
// CHECK-DAG: #[[G:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d2)>
// CHECK-DAG: #[[Y:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
// CHECK-LABEL: func.func @groups(
// CHECK-SAME: %[[A:.*]]: tensor<4x256xf32>, %[[B:.*]]: tensor<512x256xi8>, %[[S:.*]]: tensor<512x8xf32>, %[[Z:.*]]: tensor<512x8xi8>)
// CHECK-DAG: %[[W3:.*]] = tensor.expand_shape %[[B]] {{.*}} into tensor<512x8x32xi8>
// CHECK-DAG: %[[X3:.*]] = tensor.expand_shape %[[A]] {{.*}} into tensor<4x8x32xf32>
// CHECK: linalg.generic {indexing_maps = [#[[X]], #[[W]], #[[G]], #[[G]], #[[Y]]], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%[[X3]], %[[W3]], %[[Z]], %[[S]] :
// CHECK-NEXT: ^bb0(%[[X0:.*]]: f32, %[[W0:.*]]: i8, %[[Z0:.*]]: i8, %[[S0:.*]]: f32, %[[ACC:.*]]: f32):
// CHECK-DAG: %[[ZF:.*]] = arith.sitofp %[[Z0]]
// CHECK-DAG: %[[WF:.*]] = arith.sitofp %[[W0]]
// CHECK: %[[D:.*]] = arith.subf %[[WF]], %[[ZF]]
// CHECK: %[[E:.*]] = arith.mulf %[[D]], %[[S0]]
// CHECK: %[[P:.*]] = arith.mulf %[[X0]], %[[E]]
// CHECK: arith.addf %[[ACC]], %[[P]]
// CHECK-NOT: linalg.generic
// CHECK: return
//
// With more rows the dequantization stays in front of the product, which gets
// the same loops, so that they can become one task.
// FEW-LABEL: func.func @groups(
// FEW-NOT: collapse_shape
// FEW: linalg.generic {{.*}} ["parallel", "parallel", "reduction", "reduction"]} ins(%{{.*}}, %{{.*}} : tensor<4x8x32xf32>, tensor<512x8x32xf32>)
// FEW-NEXT: ^bb0(%{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32)
func.func @groups(%x: tensor<4x256xf32>, %w: tensor<512x256xi8>, %s: tensor<512x8xf32>, %z: tensor<512x8xi8>) -> tensor<4x512xf32> {
  %zero = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<512x256xf32>
  %0 = linalg.generic {indexing_maps = [#small, #small], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<512x256xi8>) outs(%e2 : tensor<512x256xf32>) {
  ^bb0(%a: i8, %o: f32):
    %f = arith.sitofp %a : i8 to f32
    linalg.yield %f : f32
  } -> tensor<512x256xf32>
  %1 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [512, 8, 32] : tensor<512x256xf32> into tensor<512x8x32xf32>
  %ez = tensor.empty() : tensor<512x8xf32>
  %2 = linalg.generic {indexing_maps = [#small, #small], iterator_types = ["parallel", "parallel"]}
      ins(%z : tensor<512x8xi8>) outs(%ez : tensor<512x8xf32>) {
  ^bb0(%a: i8, %o: f32):
    %f = arith.sitofp %a : i8 to f32
    linalg.yield %f : f32
  } -> tensor<512x8xf32>
  %e3 = tensor.empty() : tensor<512x8x32xf32>
  %3 = linalg.generic {indexing_maps = [#id, #group, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%1, %2 : tensor<512x8x32xf32>, tensor<512x8xf32>) outs(%e3 : tensor<512x8x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %f = arith.subf %a, %b : f32
    linalg.yield %f : f32
  } -> tensor<512x8x32xf32>
  %4 = linalg.generic {indexing_maps = [#id, #group, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%3, %s : tensor<512x8x32xf32>, tensor<512x8xf32>) outs(%e3 : tensor<512x8x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %f = arith.mulf %a, %b : f32
    linalg.yield %f : f32
  } -> tensor<512x8x32xf32>
  %5 = tensor.collapse_shape %4 [[0], [1, 2]] : tensor<512x8x32xf32> into tensor<512x256xf32>
  %e = tensor.empty() : tensor<4x512xf32>
  %start = linalg.fill ins(%zero : f32) outs(%e : tensor<4x512xf32>) -> tensor<4x512xf32>
  %r = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %5 : tensor<4x256xf32>, tensor<512x256xf32>) outs(%start : tensor<4x512xf32>) -> tensor<4x512xf32>
  return %r : tensor<4x512xf32>
}

// -----

#w = affine_map<(m, n, k) -> (n, k)>
#x = affine_map<(m, n, k) -> (m, k)>
#y = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(n, k) -> (n, k)>
#t = affine_map<(k, n) -> (n, k)>
#kn = affine_map<(m, n, k) -> (k, n)>

// A weight without scales, behind a transposed copy. The other reader of the
// floats keeps its own conversion.
// CHECK-LABEL: func.func @column_scales(
// CHECK-SAME: %[[A:.*]]: tensor<2x16xf32>, %[[B:.*]]: tensor<8x16xi8>)
// CHECK: %[[F:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<16x8xf32>)
// CHECK: %[[R:.*]] = linalg.generic {indexing_maps = [{{.*}}], iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[A]], %[[B]] : tensor<2x16xf32>, tensor<8x16xi8>)
// CHECK: return %[[R]], %[[F]]
func.func @column_scales(%x: tensor<2x16xf32>, %w: tensor<8x16xi8>) -> (tensor<2x8xf32>, tensor<16x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %et = tensor.empty() : tensor<16x8xi8>
  %t = linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<8x16xi8>) outs(%et : tensor<16x8xi8>) {
  ^bb0(%a: i8, %o: i8):
    linalg.yield %a : i8
  } -> tensor<16x8xi8>
  %ef = tensor.empty() : tensor<16x8xf32>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%t : tensor<16x8xi8>) outs(%ef : tensor<16x8xf32>) {
  ^bb0(%a: i8, %o: f32):
    %v = arith.sitofp %a : i8 to f32
    linalg.yield %v : f32
  } -> tensor<16x8xf32>
  %e = tensor.empty() : tensor<2x8xf32>
  %start = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8xf32>) -> tensor<2x8xf32>
  %r = linalg.matmul ins(%x, %f : tensor<2x16xf32>, tensor<16x8xf32>) outs(%start : tensor<2x8xf32>) -> tensor<2x8xf32>
  return %r, %f : tensor<2x8xf32>, tensor<16x8xf32>
}

// -----

// Floats that are computed from floats, and integers that are as wide as the
// floats, stay where they are.
#id = affine_map<(n, k) -> (n, k)>
// CHECK-LABEL: func.func @not_narrower(
// CHECK-COUNT-2: linalg.generic {{.*}} ["parallel", "parallel"]
// CHECK: linalg.matmul
func.func @not_narrower(%x: tensor<2x16xf32>, %w: tensor<16x8xi32>) -> tensor<2x8xf32> {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %ex = tensor.empty() : tensor<2x16xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<2x16xf32>) outs(%ex : tensor<2x16xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = arith.mulf %p, %two : f32
    linalg.yield %q : f32
  } -> tensor<2x16xf32>
  %ew = tensor.empty() : tensor<16x8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<16x8xi32>) outs(%ew : tensor<16x8xf32>) {
  ^bb0(%p: i32, %o: f32):
    %q = arith.sitofp %p : i32 to f32
    linalg.yield %q : f32
  } -> tensor<16x8xf32>
  %e = tensor.empty() : tensor<2x8xf32>
  %start = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8xf32>) -> tensor<2x8xf32>
  %r = linalg.matmul ins(%a, %b : tensor<2x16xf32>, tensor<16x8xf32>) outs(%start : tensor<2x8xf32>) -> tensor<2x8xf32>
  return %r : tensor<2x8xf32>
}

// -----

#id = affine_map<(n, k, h) -> (n, k, h)>
#byte = affine_map<(n, k, h) -> (n, k)>
#half = affine_map<(n, k, h) -> (h)>
#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>

// Two numbers in a byte: the halves of a byte get a loop of their own, behind
// those over the groups and the bytes of a group.
// CHECK-DAG: #[[X:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d3, d4)>
// CHECK-DAG: #[[W:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d3)>
// CHECK-DAG: #[[H:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d4)>
// CHECK-DAG: #[[G:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2)>
// CHECK-LABEL: func.func @halves(
// CHECK-SAME: %[[A:.*]]: tensor<4x256xf32>, %[[B:.*]]: tensor<512x128xi8>, %[[T:.*]]: tensor<2xi32>, %[[S:.*]]: tensor<512x8xf32>)
// CHECK-DAG: %[[W3:.*]] = tensor.expand_shape %[[B]] {{.*}} into tensor<512x8x16xi8>
// CHECK-DAG: %[[X4:.*]] = tensor.expand_shape %[[A]] {{.*}} into tensor<4x8x16x2xf32>
// CHECK: linalg.generic {indexing_maps = [#[[X]], #[[W]], #[[H]], #[[G]], #{{.*}}], {{.*}} ins(%[[X4]], %[[W3]], %[[T]], %[[S]] :
// CHECK: arith.shrui
// CHECK: arith.uitofp
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @halves(%x: tensor<4x256xf32>, %w: tensor<512x128xi8>, %t: tensor<2xi32>, %s: tensor<512x8xf32>) -> tensor<4x512xf32> {
  %zero = arith.constant 0.0 : f32
  %fifteen = arith.constant 15 : i32
  %eh = tensor.empty() : tensor<512x128x2xi8>
  %0 = linalg.generic {indexing_maps = [#byte, #half, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %t : tensor<512x128xi8>, tensor<2xi32>) outs(%eh : tensor<512x128x2xi8>) {
  ^bb0(%a: i8, %b: i32, %o: i8):
    %f = arith.extui %a : i8 to i32
    %g = arith.shrui %f, %b : i32
    %h = arith.andi %g, %fifteen : i32
    %i = arith.trunci %h : i32 to i8
    linalg.yield %i : i8
  } -> tensor<512x128x2xi8>
  %1 = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<512x128x2xi8> into tensor<512x256xi8>
  %2 = tensor.expand_shape %1 [[0], [1, 2]] output_shape [512, 8, 32] : tensor<512x256xi8> into tensor<512x8x32xi8>
  %e3 = tensor.empty() : tensor<512x8x32xf32>
  %3 = linalg.generic {indexing_maps = [#id, #byte, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%2, %s : tensor<512x8x32xi8>, tensor<512x8xf32>) outs(%e3 : tensor<512x8x32xf32>) {
  ^bb0(%a: i8, %b: f32, %o: f32):
    %f = arith.uitofp %a : i8 to f32
    %g = arith.mulf %f, %b : f32
    linalg.yield %g : f32
  } -> tensor<512x8x32xf32>
  %4 = tensor.collapse_shape %3 [[0], [1, 2]] : tensor<512x8x32xf32> into tensor<512x256xf32>
  %e = tensor.empty() : tensor<4x512xf32>
  %start = linalg.fill ins(%zero : f32) outs(%e : tensor<4x512xf32>) -> tensor<4x512xf32>
  %r = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %4 : tensor<4x256xf32>, tensor<512x256xf32>) outs(%start : tensor<4x512xf32>) -> tensor<4x512xf32>
  return %r : tensor<4x512xf32>
}

// -----

#id = affine_map<(n, k) -> (n, k)>

// Arithmetic in bf16 is not repeated for more than eight rows.
// CHECK-LABEL: func.func @narrow(
// CHECK-SAME: %[[A:.*]]: tensor<8x16xbf16>, %[[B:.*]]: tensor<16x16xbf16>, %[[W:.*]]: tensor<16x32xi8>)
// CHECK: linalg.generic {{.*}} ["parallel", "parallel", "reduction"]} ins(%[[A]], %[[W]] : tensor<8x16xbf16>, tensor<16x32xi8>)
// CHECK: linalg.matmul ins(%[[B]], %{{.*}} : tensor<16x16xbf16>, tensor<16x32xbf16>)
func.func @narrow(%a: tensor<8x16xbf16>, %b: tensor<16x16xbf16>, %w: tensor<16x32xi8>) -> (tensor<8x32xf32>, tensor<16x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %ew = tensor.empty() : tensor<16x32xbf16>
  %d = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<16x32xi8>) outs(%ew : tensor<16x32xbf16>) {
  ^bb0(%p: i8, %o: bf16):
    %q = arith.sitofp %p : i8 to bf16
    linalg.yield %q : bf16
  } -> tensor<16x32xbf16>
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %r = linalg.matmul ins(%a, %d : tensor<8x16xbf16>, tensor<16x32xbf16>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  %e2 = tensor.empty() : tensor<16x32xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %r2 = linalg.matmul ins(%b, %d : tensor<16x16xbf16>, tensor<16x32xbf16>) outs(%f2 : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %r, %r2 : tensor<8x32xf32>, tensor<16x32xf32>
}
