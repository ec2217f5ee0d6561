// RUN: pruner-opt %s --split-input-file --pruner-specialize-shapes=sizes=4 | FileCheck %s

// Branches yield tensors of one static shape, and numbers that a branch needs
// are made inside of it.
// CHECK-LABEL: func.func @branch_n4(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x3xf32>, %[[C:[a-z0-9]+]]: tensor<i1>, %[[N:[a-z0-9]+]]: tensor<i64>
// CHECK: %[[R:.*]] = scf.if %{{.*}} -> (tensor<4x3xf32>) {
// CHECK-NEXT: scf.yield %[[X]] : tensor<4x3xf32>
// CHECK: } else {
// CHECK: %[[HALF:.*]] = arith.constant 5.000000e-01 : f32
// CHECK: linalg.fill ins(%[[HALF]] : f32) outs(%{{.*}} : tensor<4x3xf32>)
// CHECK: scf.yield %{{.*}} : tensor<4x3xf32>
// CHECK: %[[HALF2:.*]] = arith.constant 5.000000e-01 : f32
// CHECK: linalg.generic {{.*}} ins(%[[R]] : tensor<4x3xf32>)
// CHECK: arith.mulf %{{.*}}, %[[HALF2]]
#id = affine_map<(i, j) -> (i, j)>
func.func @branch(%x: tensor<?x3xf32> {pruner.range = [#pruner.range<n, 1 to 8>]}, %c: tensor<i1>) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %half = arith.constant 0.5 : f32
  %b = tensor.extract %c[] : tensor<i1>
  %r = scf.if %b -> (tensor<?x3xf32>) {
    scf.yield %x : tensor<?x3xf32>
  } else {
    %n = tensor.dim %x, %c0 : tensor<?x3xf32>
    %e = tensor.empty(%n) : tensor<?x3xf32>
    %f = linalg.fill ins(%half : f32) outs(%e : tensor<?x3xf32>) -> tensor<?x3xf32>
    scf.yield %f : tensor<?x3xf32>
  }
  %m = tensor.dim %r, %c0 : tensor<?x3xf32>
  %i = arith.index_cast %m : index to i64
  %v = arith.sitofp %i : i64 to f32
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%r : tensor<?x3xf32>) outs(%x : tensor<?x3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.mulf %a, %half : f32
    %1 = arith.addf %0, %v : f32
    linalg.yield %1 : f32
  } -> tensor<?x3xf32>
  return %s : tensor<?x3xf32>
}

// -----

// A branch that sums the rows of a tensor reads zeros in the padding; the mask
// of one branch is not used behind it.
// CHECK-LABEL: func.func @captured_n4(
// CHECK: scf.if %{{.*}} -> (tensor<3xi32>) {
// CHECK:   arith.cmpi ult
// CHECK:   scf.yield
// CHECK: } else {
// CHECK: }
// CHECK: arith.cmpi ult
#id = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>
func.func @captured(%x: tensor<?x3xi32> {pruner.range = [#pruner.range<n, 1 to 8>]}, %c: tensor<i1>, %zeros: tensor<3xi32>) -> (tensor<3xi32>, tensor<3xi32>) {
  %b = tensor.extract %c[] : tensor<i1>
  %r = scf.if %b -> tensor<3xi32> {
    %s = linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]}
        ins(%x : tensor<?x3xi32>) outs(%zeros : tensor<3xi32>) {
    ^bb0(%a: i32, %acc: i32):
      %0 = arith.addi %acc, %a : i32
      linalg.yield %0 : i32
    } -> tensor<3xi32>
    scf.yield %s : tensor<3xi32>
  } else {
    scf.yield %zeros : tensor<3xi32>
  }
  %t = linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<?x3xi32>) outs(%zeros : tensor<3xi32>) {
  ^bb0(%a: i32, %acc: i32):
    %0 = arith.addi %acc, %a : i32
    linalg.yield %0 : i32
  } -> tensor<3xi32>
  return %r, %t : tensor<3xi32>, tensor<3xi32>
}

// -----

// Loops carry tensors of static shape. The number of iterations is the size of
// the call, not that of the function, so a call cannot run in pieces.
// CHECK-LABEL: func.func @loops(
// CHECK-SAME: #pruner.plan<n, sizes = [4]
// CHECK-LABEL: func.func @loops_n4(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xi32>, %[[N:[a-z0-9]+]]: tensor<i64>
// CHECK: %[[E:.*]] = tensor.extract %[[N]][]
// CHECK: %[[SIZE:.*]] = arith.index_cast %[[E]]
// CHECK: %[[F:.*]] = scf.for %{{.*}} = %{{.*}} to %[[SIZE]] step %{{.*}} iter_args(%[[Y:.*]] = %[[X]]) -> (tensor<4xi32>) {
// CHECK:   linalg.add ins(%[[Y]], %[[X]] : tensor<4xi32>, tensor<4xi32>)
// CHECK: scf.while (%{{.*}} = %[[F]], %{{.*}} = %{{.*}}) : (tensor<4xi32>, index) -> (tensor<4xi32>, index) {
// CHECK:   scf.condition(%{{.*}}) %{{.*}}, %{{.*}} : tensor<4xi32>, index
// CHECK: ^bb0(%[[Z:.*]]: tensor<4xi32>, %{{.*}}: index):
// CHECK:   scf.yield %{{.*}}, %{{.*}} : tensor<4xi32>, index
func.func @loops(%x: tensor<?xi32> {pruner.range = [#pruner.range<n, 1 to 8>]}) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %e = tensor.empty(%n) : tensor<?xi32>
  %f = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> tensor<?xi32> {
    %s = linalg.add ins(%y, %x : tensor<?xi32>, tensor<?xi32>) outs(%e : tensor<?xi32>) -> tensor<?xi32>
    scf.yield %s : tensor<?xi32>
  }
  %r:2 = scf.while (%y = %f, %i = %c0) : (tensor<?xi32>, index) -> (tensor<?xi32>, index) {
    %go = arith.cmpi ult, %i, %n : index
    scf.condition(%go) %y, %i : tensor<?xi32>, index
  } do {
  ^bb0(%z: tensor<?xi32>, %i: index):
    %j = arith.addi %i, %c1 : index
    %s = linalg.sub ins(%z, %x : tensor<?xi32>, tensor<?xi32>) outs(%e : tensor<?xi32>) -> tensor<?xi32>
    scf.yield %s, %j : tensor<?xi32>, index
  }
  return %r#0 : tensor<?xi32>
}

// -----

// One element is written in each call.
// CHECK-LABEL: func.func @element(
// CHECK-SAME: #pruner.plan<n, sizes = [4]
// CHECK-LABEL: func.func @element_n4(
// CHECK: tensor.insert %{{.*}} into %{{.*}}[%{{.*}}] : tensor<4xi32>
func.func @element(%x: tensor<?xi32> {pruner.range = [#pruner.range<n, 1 to 8>]}) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %seven = arith.constant 7 : i32
  %r = tensor.insert %seven into %x[%c0] : tensor<?xi32>
  return %r : tensor<?xi32>
}
