// RUN: pruner-opt %s --pruner-recognize-products --split-input-file | FileCheck %s
// RUN: pruner-opt %s --pruner-normalize --split-input-file | FileCheck %s --check-prefix=ALL

#x = affine_map<(f, h, w, c) -> (c, h, w)>
#k = affine_map<(f, h, w, c) -> (f, c)>
#r = affine_map<(f, h, w, c) -> (f, h, w)>

// Weights times pixels.
// CHECK-LABEL: func.func @pointwise
// CHECK-SAME: %[[X:.*]]: tensor<16x7x9xf32>, %[[K:.*]]: tensor<8x16xf32>, %[[R:.*]]: tensor<8x7x9xf32>)
// CHECK-DAG: %[[P:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0], [1, 2]] : tensor<16x7x9xf32> into tensor<16x63xf32>
// CHECK-DAG: %[[I:.*]] = tensor.collapse_shape %[[R]] {{\[}}[0], [1, 2]] : tensor<8x7x9xf32> into tensor<8x63xf32>
// CHECK: %[[M:.*]] = linalg.matmul ins(%[[K]], %[[P]] : tensor<8x16xf32>, tensor<16x63xf32>) outs(%[[I]] : tensor<8x63xf32>)
// CHECK: %[[E:.*]] = tensor.expand_shape %[[M]] {{\[}}[0], [1, 2]] output_shape [8, 7, 9]
// CHECK: return %[[E]]
func.func @pointwise(%x: tensor<16x7x9xf32>, %k: tensor<8x16xf32>, %r: tensor<8x7x9xf32>) -> tensor<8x7x9xf32> {
  %0 = linalg.generic {indexing_maps = [#x, #k, #r], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %k : tensor<16x7x9xf32>, tensor<8x16xf32>) outs(%r : tensor<8x7x9xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<8x7x9xf32>
  return %0 : tensor<8x7x9xf32>
}

// -----

// A named 1x1 convolution with bias, batch 1, through the whole pipeline: the
// bias is added to the product itself.
#id4 = affine_map<(n, f, h, w) -> (n, f, h, w)>
#ch4 = affine_map<(n, f, h, w) -> (f)>
// ALL-LABEL: func.func @with_bias
// ALL: %[[M:.*]] = linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<8x16xf32>, tensor<16x63xf32>)
// ALL-NEXT: %[[B:.*]] = linalg.generic {{.*}} ins(%[[M]], %{{.*}} : tensor<8x63xf32>, tensor<8xf32>)
// ALL: tensor.expand_shape %[[B]]
func.func @with_bias(%x: tensor<1x16x7x9xf32>, %k: tensor<8x16x1x1xf32>, %b: tensor<8xf32>) -> tensor<1x8x7x9xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x7x9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x7x9xf32>) -> tensor<1x8x7x9xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %k : tensor<1x16x7x9xf32>, tensor<8x16x1x1xf32>)
                                outs(%f : tensor<1x8x7x9xf32>) -> tensor<1x8x7x9xf32>
  %r = linalg.generic {indexing_maps = [#id4, #ch4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c, %b : tensor<1x8x7x9xf32>, tensor<8xf32>) outs(%e : tensor<1x8x7x9xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %s = arith.addf %in, %bias : f32
    linalg.yield %s : f32
  } -> tensor<1x8x7x9xf32>
  return %r : tensor<1x8x7x9xf32>
}

// -----

// Strides skip pixels: still a convolution, without its kernel loops.
// ALL-LABEL: func.func @strided
// ALL-NOT: linalg.matmul
// ALL: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "reduction"]
// ALL-SAME: ins(%{{.*}}, %{{.*}} : tensor<16x7x9xf32>, tensor<8x16xf32>)
// ALL: return
func.func @strided(%x: tensor<1x16x7x9xf32>, %k: tensor<8x16x1x1xf32>, %o: tensor<1x8x4x5xf32>) -> tensor<1x8x4x5xf32> {
  %c = linalg.conv_2d_nchw_fchw {strides = dense<2> : vector<2xi64>}
                                ins(%x, %k : tensor<1x16x7x9xf32>, tensor<8x16x1x1xf32>)
                                outs(%o : tensor<1x8x4x5xf32>) -> tensor<1x8x4x5xf32>
  return %c : tensor<1x8x4x5xf32>
}

// -----

#x = affine_map<(n, f, h, w, c) -> (n, c, h, w)>
#k = affine_map<(n, f, h, w, c) -> (f, c)>
#r = affine_map<(n, f, h, w, c) -> (n, f, h, w)>

// Several images: the pixels merge, and images are separate products.
// CHECK-LABEL: func.func @batch
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "reduction"]
// CHECK-SAME: ins(%{{.*}}, %{{.*}} : tensor<2x16x63xf32>, tensor<8x16xf32>)
func.func @batch(%x: tensor<2x16x7x9xf32>, %k: tensor<8x16xf32>, %r: tensor<2x8x7x9xf32>) -> tensor<2x8x7x9xf32> {
  %0 = linalg.generic {indexing_maps = [#x, #k, #r], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %k : tensor<2x16x7x9xf32>, tensor<8x16xf32>) outs(%r : tensor<2x8x7x9xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x8x7x9xf32>
  return %0 : tensor<2x8x7x9xf32>
}

// -----

#x = affine_map<(f, h, w, c) -> (c, h, w)>
#k = affine_map<(f, h, w, c) -> (f, c)>
#r = affine_map<(f, h, w, c) -> (f, h, w)>
#id = affine_map<(f, h, w) -> (f, h, w)>
#line = affine_map<(f, h, w) -> (h)>

// A number for each line of pixels keeps lines separate, two steps behind the
// product.
// CHECK-LABEL: func.func @reader_refuses
// CHECK-NOT: collapse_shape
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "reduction"]
func.func @reader_refuses(%x: tensor<16x7x9xf32>, %k: tensor<8x16xf32>, %r: tensor<8x7x9xf32>, %b: tensor<7xf32>) -> tensor<8x7x9xf32> {
  %0 = linalg.generic {indexing_maps = [#x, #k, #r], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %k : tensor<16x7x9xf32>, tensor<8x16xf32>) outs(%r : tensor<8x7x9xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<8x7x9xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%0 : tensor<8x7x9xf32>) outs(%r : tensor<8x7x9xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = math.tanh %in : f32
    linalg.yield %s : f32
  } -> tensor<8x7x9xf32>
  %2 = linalg.generic {indexing_maps = [#id, #line, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%1, %b : tensor<8x7x9xf32>, tensor<7xf32>) outs(%r : tensor<8x7x9xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %s = arith.addf %in, %bias : f32
    linalg.yield %s : f32
  } -> tensor<8x7x9xf32>
  return %2 : tensor<8x7x9xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// The exponential of a factor is not part of a named product.
// CHECK-LABEL: func.func @not_plain
// CHECK-NOT: linalg.matmul
// CHECK: math.exp
// CHECK-LABEL: func.func @plain
// CHECK: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<4x8xf16>, tensor<8x5xf16>) outs(%{{.*}} : tensor<4x5xf32>)
func.func @not_plain(%x: tensor<4x8xf32>, %y: tensor<8x5xf32>, %z: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<4x8xf32>, tensor<8x5xf32>) outs(%z : tensor<4x5xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %t = math.exp %p : f32
    %m = arith.mulf %t, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
func.func @plain(%x: tensor<4x8xf16>, %y: tensor<8x5xf16>, %z: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<4x8xf16>, tensor<8x5xf16>) outs(%z : tensor<4x5xf32>) {
  ^bb0(%p: f16, %q: f16, %acc: f32):
    %u = arith.extf %p : f16 to f32
    %v = arith.extf %q : f16 to f32
    %m = arith.mulf %v, %u : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// -----

// The body of linalg.matmul, its factors and terms in either order.
#rows = affine_map<(m, n, k) -> (m, k)>
#columns = affine_map<(m, n, k) -> (k, n)>
#product = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: func.func @named
// CHECK-COUNT-3: linalg.matmul
// CHECK-NOT: linalg.generic
func.func @named(%x: tensor<4x8xf32>, %y: tensor<8x4xf32>, %i: tensor<4x4xf32>, %u: tensor<4x8xi8>, %v: tensor<8x4xi16>, %w: tensor<4x4xi32>)
    -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xi32>) {
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #product], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<4x8xf32>, tensor<8x4xf32>) outs(%i : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  %1 = linalg.generic {indexing_maps = [#rows, #columns, #product], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<4x8xf32>, tensor<8x4xf32>) outs(%i : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %b, %a : f32
    %s = arith.addf %m, %acc : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  %2 = linalg.generic {indexing_maps = [#rows, #columns, #product], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%u, %v : tensor<4x8xi8>, tensor<8x4xi16>) outs(%w : tensor<4x4xi32>) {
  ^bb0(%a: i8, %b: i16, %acc: i32):
    %c = arith.extsi %b : i16 to i32
    %d = arith.extsi %a : i8 to i32
    %m = arith.muli %c, %d : i32
    %s = arith.addi %m, %acc : i32
    linalg.yield %s : i32
  } -> tensor<4x4xi32>
  return %0, %1, %2 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xi32>
}

// -----

// Other bodies: linalg.matmul would extend with signs, has no flags, computes
// "or" of "and" of booleans, and has no body for index.
#rows = affine_map<(m, n, k) -> (m, k)>
#columns = affine_map<(m, n, k) -> (k, n)>
#product = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: func.func @other_bodies
// CHECK-NOT: linalg.matmul
// CHECK: return
// ALL-LABEL: func.func @other_bodies
// ALL-NOT: linalg.matmul
// ALL: return
func.func @other_bodies(%x: tensor<4x8xf32>, %y: tensor<8x4xf32>, %i: tensor<4x4xf32>, %u: tensor<4x8xi8>, %v: tensor<8x4xi8>, %w: tensor<4x4xi32>,
                        %p: tensor<4x8xi1>, %q: tensor<8x4xi1>, %r: tensor<4x4xi1>, %f: tensor<4x8xindex>, %g: tensor<8x4xindex>, %h: tensor<4x4xindex>)
    -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xi32>, tensor<4x4xi32>, tensor<4x4xi1>, tensor<4x4xindex>) {
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #product], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<4x8xf32>, tensor<8x4xf32>) outs(%i : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b fastmath<nnan> : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  %1 = linalg.generic {indexing_maps = [#rows, #columns, #product], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<4x8xf32>, tensor<8x4xf32>) outs(%i : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m fastmath<contract> : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  %2 = linalg.generic {indexing_maps = [#rows, #columns, #product], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%u, %v : tensor<4x8xi8>, tensor<8x4xi8>) outs(%w : tensor<4x4xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %c = arith.extui %a : i8 to i32
    %d = arith.extsi %b : i8 to i32
    %m = arith.muli %c, %d : i32
    %s = arith.addi %acc, %m : i32
    linalg.yield %s : i32
  } -> tensor<4x4xi32>
  %3 = linalg.generic {indexing_maps = [#rows, #columns, #product], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%u, %v : tensor<4x8xi8>, tensor<8x4xi8>) outs(%w : tensor<4x4xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %n = arith.muli %a, %b : i8
    %m = arith.extsi %n : i8 to i32
    %s = arith.addi %acc, %m : i32
    linalg.yield %s : i32
  } -> tensor<4x4xi32>
  %4 = linalg.generic {indexing_maps = [#rows, #columns, #product], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %q : tensor<4x8xi1>, tensor<8x4xi1>) outs(%r : tensor<4x4xi1>) {
  ^bb0(%a: i1, %b: i1, %acc: i1):
    %m = arith.muli %a, %b : i1
    %s = arith.addi %acc, %m : i1
    linalg.yield %s : i1
  } -> tensor<4x4xi1>
  %5 = linalg.generic {indexing_maps = [#rows, #columns, #product], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%f, %g : tensor<4x8xindex>, tensor<8x4xindex>) outs(%h : tensor<4x4xindex>) {
  ^bb0(%a: index, %b: index, %acc: index):
    %m = arith.muli %a, %b : index
    %s = arith.addi %acc, %m : index
    linalg.yield %s : index
  } -> tensor<4x4xindex>
  return %0, %1, %2, %3, %4, %5 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xi32>, tensor<4x4xi32>, tensor<4x4xi1>, tensor<4x4xindex>
}
