// RUN: pruner-opt %s --pruner-inline-constants | FileCheck %s

#id = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>

// A batch norm's epsilon as exported: f64, truncated in the body. The nearest
// f32 to 1e-5 is 9.99999974E-6.
// CHECK-LABEL: @truncated
// CHECK: %[[EPS:.*]] = arith.constant 9.99999974E-6 : f32
// CHECK-NOT: arith.truncf
// CHECK: arith.addf %{{.*}}, %[[EPS]] : f32
func.func @truncated(%v: tensor<64xf32>) -> tensor<64xf32> {
  %eps = arith.constant 1.000000e-05 : f64
  %e = tensor.empty() : tensor<64xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%v : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.truncf %eps : f64 to f32
    %s = arith.addf %in, %t : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// ReLU6: the bound is a 0-d tensor.
// CHECK-LABEL: @relu6
// CHECK: %[[SIX:.*]] = arith.constant 6.000000e+00 : f32
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<64xf32>) outs
// CHECK: arith.minimumf %{{.*}}, %[[SIX]] : f32
func.func @relu6(%v: tensor<64xf32>) -> tensor<64xf32> {
  %six = arith.constant dense<6.0> : tensor<f32>
  %e = tensor.empty() : tensor<64xf32>
  %r = linalg.generic {indexing_maps = [#id, #none, #id], iterator_types = ["parallel"]}
      ins(%v, %six : tensor<64xf32>, tensor<f32>) outs(%e : tensor<64xf32>) {
  ^bb0(%in: f32, %bound: f32, %out: f32):
    %s = arith.minimumf %in, %bound : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// An explicit rounding mode is kept.
// CHECK-LABEL: @upward
// CHECK: arith.truncf %{{.*}} upward : f64 to f32
func.func @upward() -> f32 {
  %c = arith.constant 1.000000e-05 : f64
  %t = arith.truncf %c upward : f64 to f32
  return %t : f32
}

#id2 = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// Splats of any shape, read through any map, and fills.
// CHECK-LABEL: @splats
// CHECK-DAG: %[[HALF:.*]] = arith.constant 5.000000e-01 : f32
// CHECK-DAG: %[[THIRD:.*]] = arith.constant 0.333333343 : f32
// CHECK: linalg.generic {{.*}} ins(%{{[a-z0-9]+}} : tensor<4x8xf32>) outs
// CHECK: arith.mulf %{{.*}}, %[[HALF]] : f32
// CHECK: arith.addf %{{.*}}, %[[THIRD]] : f32
func.func @splats(%v: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %half = arith.constant dense<0.5> : tensor<4x8xf32>
  %third = arith.constant 0.333333343 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %n = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%third : f32) outs(%n : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #row, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%v, %half, %f : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %h: f32, %t: f32, %out: f32):
    %s = arith.mulf %in, %h : f32
    %u = arith.addf %s, %t : f32
    linalg.yield %u : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// A product keeps its two operands, because it is recognized by them.
// CHECK-LABEL: @product
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<8xf32>)
func.func @product(%v: tensor<4x8xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %ones = arith.constant dense<1.0> : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#id2, affine_map<(d0, d1) -> (d1)>, #row], iterator_types = ["parallel", "reduction"]}
      ins(%v, %ones : tensor<4x8xf32>, tensor<8xf32>) outs(%c : tensor<4xf32>) {
  ^bb0(%in: f32, %one: f32, %out: f32):
    %s = arith.mulf %in, %one : f32
    %u = arith.addf %out, %s : f32
    linalg.yield %u : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// A 0-d tensor that is not constant is read through its map, not inside of the
// body.
// CHECK-LABEL: @scale
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<64xf32>, tensor<f32>)
// CHECK-NOT: tensor.extract
// CHECK: return
func.func @scale(%v: tensor<64xf32>, %scale: tensor<f32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %r = linalg.generic {indexing_maps = [#id, #none, #id], iterator_types = ["parallel"]}
      ins(%v, %scale : tensor<64xf32>, tensor<f32>) outs(%e : tensor<64xf32>) {
  ^bb0(%in: f32, %by: f32, %out: f32):
    %s = arith.mulf %in, %by : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// A computed scalar operand becomes a tensor like any other operand.
// CHECK-LABEL: @computed
// CHECK-SAME: %[[V:[a-z0-9]+]]: tensor<64xf32>, %[[BY:[a-z0-9]+]]: f32
// CHECK: %[[T:.*]] = tensor.from_elements %[[BY]] : tensor<f32>
// CHECK: linalg.generic {{.*}} ins(%[[V]], %[[T]] : tensor<64xf32>, tensor<f32>) outs
func.func @computed(%v: tensor<64xf32>, %scale: f32) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %r = linalg.generic {indexing_maps = [#id, #none, #id], iterator_types = ["parallel"]}
      ins(%v, %scale : tensor<64xf32>, f32) outs(%e : tensor<64xf32>) {
  ^bb0(%in: f32, %by: f32, %out: f32):
    %s = arith.mulf %in, %by : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// A sum over a window of one element has no reduction loop: its init is a
// constant like any other operand. A sum with such a loop keeps it.
// CHECK-LABEL: @init
// CHECK: %[[R:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]
// CHECK: ^bb0(%[[IN:.*]]: f32, %{{.*}}: f32):
// CHECK: arith.addf %[[IN]], %cst{{.*}} : f32
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction"]
// CHECK: ^bb0(%[[IN:.*]]: f32, %[[ACC:.*]]: f32):
// CHECK: arith.addf %[[ACC]], %[[IN]] : f32
func.func @init(%v: tensor<64xf32>) -> (tensor<64xf32>, tensor<f32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%v : tensor<64xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %out, %in : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  %g = tensor.empty() : tensor<f32>
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<f32>) -> tensor<f32>
  %t = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]}
      ins(%v : tensor<64xf32>) outs(%h : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %out, %in : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r, %t : tensor<64xf32>, tensor<f32>
}

// An init that is written twice must be read before the first write.
// CHECK-LABEL: @twice
// CHECK: ^bb0(%[[IN:.*]]: f32, %[[OUT:.*]]: f32):
// CHECK: arith.addf %[[OUT]], %[[IN]] : f32
func.func @twice(%v: tensor<64x2xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "parallel"]}
      ins(%v : tensor<64x2xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %out, %in : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}

#image = affine_map<(n, y, x, f, ky, kx, c) -> (n, y + ky, x + kx, c)>

// Zero points are not factors: constants move into the body, and others become
// tensors, which a task supports.
// CHECK-LABEL: @zero_points
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<1x6x6x4xi8>, %[[W:[a-z0-9]+]]: tensor<8x3x3x4xi8>, %[[Z:[a-z0-9]+]]: tensor<i32>
// CHECK-DAG: %[[FIVE:.*]] = arith.constant -5 : i32
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[W]], %[[Z]] : tensor<1x6x6x4xi8>, tensor<8x3x3x4xi8>, tensor<i32>)
// CHECK-NEXT: ^bb0(%[[A:.*]]: i8, %[[B:.*]]: i8, %[[ZW:.*]]: i32, %{{.*}}: i32):
// CHECK: %[[WA:.*]] = arith.extsi %[[A]]
// CHECK: arith.subi %[[WA]], %[[FIVE]]
// CHECK: %[[WB:.*]] = arith.extsi %[[B]]
// CHECK: arith.subi %[[WB]], %[[ZW]]
func.func @zero_points(%x: tensor<1x6x6x4xi8>, %w: tensor<8x3x3x4xi8>, %z: tensor<i32>, %o: tensor<1x4x4x8xi32>) -> tensor<1x4x4x8xi32> {
  %zx = arith.constant -5 : i32
  %zw = tensor.extract %z[] : tensor<i32>
  %r = linalg.generic {
      indexing_maps = [#image, affine_map<(n, y, x, f, ky, kx, c) -> (f, ky, kx, c)>,
                       affine_map<(n, y, x, f, ky, kx, c) -> ()>, affine_map<(n, y, x, f, ky, kx, c) -> ()>,
                       affine_map<(n, y, x, f, ky, kx, c) -> (n, y, x, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w, %zx, %zw : tensor<1x6x6x4xi8>, tensor<8x3x3x4xi8>, i32, i32) outs(%o : tensor<1x4x4x8xi32>) {
  ^bb0(%a: i8, %b: i8, %za: i32, %zb: i32, %acc: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.subi %0, %za : i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.subi %2, %zb : i32
    %4 = arith.muli %1, %3 : i32
    %5 = arith.addi %acc, %4 : i32
    linalg.yield %5 : i32
  } -> tensor<1x4x4x8xi32>
  return %r : tensor<1x4x4x8xi32>
}

// Exporters keep weights in resources, zero points and truth values among them.
// Those with different elements stay operands.
// CHECK-LABEL: @resources
// CHECK-DAG: %[[POINT:.*]] = arith.constant 3 : i8
// CHECK-DAG: %[[BIAS:.*]] = arith.constant dense_resource<bias> : tensor<4xi8>
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[BIAS]] : tensor<4xi8>, tensor<4xi8>) outs
// CHECK: %[[D:.*]] = arith.subi %{{.*}}, %[[POINT]] : i8
// CHECK-NEXT: %[[S:.*]] = arith.addi %[[D]], %{{.*}} : i8
// CHECK-NEXT: linalg.yield %[[S]] : i8
func.func @resources(%v: tensor<4xi8>) -> tensor<4xi8> {
  %points = arith.constant dense_resource<points> : tensor<4xi8>
  %mask = arith.constant dense_resource<mask> : tensor<4xi1>
  %bias = arith.constant dense_resource<bias> : tensor<4xi8>
  %e = tensor.empty() : tensor<4xi8>
  %r = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%v, %points, %mask, %bias : tensor<4xi8>, tensor<4xi8>, tensor<4xi1>, tensor<4xi8>) outs(%e : tensor<4xi8>) {
  ^bb0(%in: i8, %point: i8, %keep: i1, %b: i8, %out: i8):
    %d = arith.subi %in, %point : i8
    %t = arith.addi %d, %b : i8
    %s = arith.select %keep, %t, %in : i8
    linalg.yield %s : i8
  } -> tensor<4xi8>
  return %r : tensor<4xi8>
}

{-#
  dialect_resources: {
    builtin: {
      points: "0x0100000003030303",
      mask: "0x0100000001010101",
      bias: "0x0100000003030304"
    }
  }
#-}
