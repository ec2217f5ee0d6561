// RUN: pruner-opt %s --split-input-file --pruner-relax-accuracy='accuracy=folded-scales targets=cpu' \
// RUN:   | FileCheck %s

#ijk = affine_map<(i, j, k) -> (i, k)>
#kj = affine_map<(i, j, k) -> (j, k)>
#ij3 = affine_map<(i, j, k) -> (i, j)>
#ij = affine_map<(i, j) -> (i, j)>
#j = affine_map<(i, j) -> (j)>

// A batch norm behind a product: the weights are scaled, one addition is left.
// The product moves behind the constants.
// CHECK-LABEL: func @norm(
// CHECK-SAME:    %[[X:.*]]: tensor<8x16xf32>, %[[W:.*]]: tensor<4x16xf32> {pruner.constant}, %[[M:[^:]*]]: tensor<4xf32> {pruner.constant}, %[[R:[^:]*]]: tensor<4xf32> {pruner.constant}, %[[G:[^:]*]]: tensor<4xf32> {pruner.constant}, %[[B:[^:]*]]: tensor<4xf32>
// CHECK:         %[[T0:.*]] = linalg.generic {{.*}} ins(%[[M]] : tensor<4xf32>)
// CHECK:           arith.subf
// CHECK:         %[[T1:.*]] = linalg.generic {{.*}} ins(%[[T0]], %[[R]] :
// CHECK:           arith.mulf
// CHECK:         %[[S:.*]] = linalg.generic {{.*}} ins(%[[R]], %[[G]] :
// CHECK:           arith.mulf
// CHECK:         %[[T2:.*]] = linalg.generic {{.*}} ins(%[[T1]], %[[G]] :
// CHECK:           arith.mulf
// CHECK:         %[[T:.*]] = linalg.generic {{.*}} ins(%[[T2]], %[[B]] :
// CHECK:           arith.addf
// CHECK:         %[[V:.*]] = linalg.generic {indexing_maps = [#[[WHOLE:.*]], #[[FIRST:.*]], #[[WHOLE]]]{{.*}}} ins(%[[W]], %[[S]] : tensor<4x16xf32>, tensor<4xf32>)
// CHECK:           arith.mulf
// CHECK:         %[[P:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[V]] :
// CHECK:         %[[Y:.*]] = linalg.generic {{.*}} ins(%[[P]], %[[T]] : tensor<8x4xf32>, tensor<4xf32>)
// CHECK-NEXT:    ^bb0(%[[IN:.*]]: f32, %[[OFFSET:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      %[[SUM:.*]] = arith.addf %[[IN]], %[[OFFSET]] : f32
// CHECK-NEXT:      linalg.yield %[[SUM]]
// CHECK:         return %[[Y]]
func.func @norm(%x: tensor<8x16xf32>, %w: tensor<4x16xf32> {pruner.constant},
                %mean: tensor<4xf32> {pruner.constant}, %rstd: tensor<4xf32> {pruner.constant},
                %gamma: tensor<4xf32> {pruner.constant}, %beta: tensor<4xf32> {pruner.constant}) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %p = linalg.generic {indexing_maps = [#ijk, #kj, #ij3], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<8x16xf32>, tensor<4x16xf32>) outs(%z : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<8x4xf32>
  %n = linalg.generic {indexing_maps = [#ij, #j, #j, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%p, %mean, %rstd : tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%a: f32, %m: f32, %r: f32, %o: f32):
    %0 = arith.subf %a, %m : f32
    %1 = arith.mulf %0, %r : f32
    linalg.yield %1 : f32
  } -> tensor<8x4xf32>
  %y = linalg.generic {indexing_maps = [#j, #ij, #j, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%gamma, %n, %beta : tensor<4xf32>, tensor<8x4xf32>, tensor<4xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%g: f32, %a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %g, %a : f32
    %1 = arith.addf %0, %b : f32
    linalg.yield %1 : f32
  } -> tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}

// -----

#ij = affine_map<(i, j) -> (i, j)>
#j = affine_map<(i, j) -> (j)>

// Without a product the scale stays. A constant in front of a difference
// negates it, and a divisor divides both.
// CHECK-LABEL: func @difference(
// CHECK-SAME:    %[[X:.*]]: tensor<8x4xf32>, %[[C:[^:]*]]: tensor<4xf32> {pruner.constant}, %[[D:[^:]*]]: tensor<4xf32>
// CHECK-DAG:     arith.constant -1.000000e+00 : f32
// CHECK:         %[[S:.*]] = linalg.generic {{.*}} ins(%[[D]] : tensor<4xf32>)
// CHECK:           arith.divf
// CHECK:         %[[T:.*]] = linalg.generic {{.*}} ins(%[[C]], %[[D]] :
// CHECK:           arith.divf
// CHECK:         linalg.generic {{.*}} ins(%[[X]], %[[S]], %[[T]] :
// CHECK-NEXT:    ^bb0(%[[IN:.*]]: f32, %[[SCALE:.*]]: f32, %[[OFFSET:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      %[[PRODUCT:.*]] = arith.mulf %[[IN]], %[[SCALE]] : f32
// CHECK-NEXT:      arith.addf %[[PRODUCT]], %[[OFFSET]] : f32
func.func @difference(%x: tensor<8x4xf32>, %c: tensor<4xf32> {pruner.constant},
                      %d: tensor<4xf32> {pruner.constant}) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<8x4xf32>
  %y = linalg.generic {indexing_maps = [#ij, #j, #j, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %c, %d : tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %k: f32, %o: f32):
    %0 = arith.subf %b, %a : f32
    %1 = arith.divf %0, %k : f32
    linalg.yield %1 : f32
  } -> tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}

// -----

#ij = affine_map<(i, j) -> (i, j)>
#j = affine_map<(i, j) -> (j)>

// What is no chain: a result with another reader, a quotient by the tensor, a
// scale that is not constant, one offset alone, scalars alone, f64, and a
// product that starts with a tensor.
// CHECK-LABEL: func @unchanged(
// CHECK-COUNT-1: arith.addf
// CHECK-COUNT-1: arith.mulf
// CHECK-COUNT-1: arith.divf
// CHECK-COUNT-2: arith.addf
// CHECK-COUNT-2: arith.mulf
// CHECK-COUNT-1: arith.addf
// CHECK-COUNT-2: arith.mulf
// CHECK-NOT:     arith.mulf
func.func @unchanged(%x: tensor<8x4xf32>, %c: tensor<4xf32> {pruner.constant}, %v: tensor<4xf32>,
                     %xd: tensor<8x4xf64>, %cd: tensor<4xf64> {pruner.constant})
    -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf64>) {
  %half = arith.constant 0.5 : f32
  %e = tensor.empty() : tensor<8x4xf32>
  %read_twice = linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %c : tensor<8x4xf32>, tensor<4xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<8x4xf32>
  %scaled = linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%read_twice, %c : tensor<8x4xf32>, tensor<4xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<8x4xf32>
  %quotient = linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%read_twice, %c : tensor<8x4xf32>, tensor<4xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.divf %b, %a : f32
    %1 = arith.addf %0, %b : f32
    %2 = arith.addf %1, %b : f32
    linalg.yield %2 : f32
  } -> tensor<8x4xf32>
  %variable = linalg.generic {indexing_maps = [#ij, #j, #j, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %c, %v : tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %k: f32, %o: f32):
    %0 = arith.mulf %a, %k : f32
    %1 = arith.mulf %0, %b : f32
    %2 = arith.addf %1, %b : f32
    linalg.yield %2 : f32
  } -> tensor<8x4xf32>
  %scalars = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.mulf %a, %half : f32
    %1 = arith.mulf %0, %half : f32
    linalg.yield %1 : f32
  } -> tensor<8x4xf32>
  %ed = tensor.empty() : tensor<8x4xf64>
  %wide = linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%xd, %cd : tensor<8x4xf64>, tensor<4xf64>) outs(%ed : tensor<8x4xf64>) {
  ^bb0(%a: f64, %b: f64, %o: f64):
    %0 = arith.subf %a, %b : f64
    %1 = arith.subf %0, %b : f64
    linalg.yield %1 : f64
  } -> tensor<8x4xf64>
  return %scaled, %quotient, %variable, %scalars, %wide
      : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf64>
}

// -----

#xk = affine_map<(a, b, c, k) -> (a, k)>
#kbc = affine_map<(a, b, c, k) -> (k, b, c)>
#abc4 = affine_map<(a, b, c, k) -> (a, b, c)>
#abc = affine_map<(a, b, c) -> (a, b, c)>
#cb = affine_map<(a, b, c) -> (c, b)>

// The scale has its dimensions in another order than the result and the factor.
// CHECK-DAG:   #[[WHOLE:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG:   #[[OTHER:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-LABEL: func @transposed(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[W:.*]]: tensor<8x6x6xf32> {pruner.constant}, %[[S:[^:]*]]: tensor<6x6xf32>
// CHECK:         %[[V:.*]] = linalg.generic {indexing_maps = [#[[WHOLE]], #[[OTHER]], #[[WHOLE]]]{{.*}}} ins(%[[W]], %[[S]] : tensor<8x6x6xf32>, tensor<6x6xf32>)
// CHECK:         %[[P:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[V]] :
// CHECK:         return %[[P]]
func.func @transposed(%x: tensor<4x8xf32>, %w: tensor<8x6x6xf32> {pruner.constant},
                      %s: tensor<6x6xf32> {pruner.constant}) -> tensor<4x6x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x6x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x6x6xf32>) -> tensor<4x6x6xf32>
  %p = linalg.generic {indexing_maps = [#xk, #kbc, #abc4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x8xf32>, tensor<8x6x6xf32>) outs(%z : tensor<4x6x6xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<4x6x6xf32>
  %y = linalg.generic {indexing_maps = [#abc, #cb, #abc], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p, %s : tensor<4x6x6xf32>, tensor<6x6xf32>) outs(%e : tensor<4x6x6xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<4x6x6xf32>
  return %y : tensor<4x6x6xf32>
}
