// RUN: pruner-opt %s --split-input-file --pruner-specialize-shapes=sizes=4,8 | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
#row = affine_map<(d0, d1) -> (d0)>

// Nothing reduces over n: calls of other sizes run in pieces, and the contents
// of the padding do not matter.

// CHECK-LABEL: func.func @batch(
// CHECK-SAME: pruner.plan = #pruner.plan<n, independent, sizes = [4, 8], functions = [@batch_n4, @batch_n8],
// CHECK-SAME: from = [1, 5], to = [4, 12], use = [0, 1]>
// CHECK: tensor<?x3xf32>
// CHECK-LABEL: func.func @batch_n4(
// CHECK-SAME: %[[X:.*]]: tensor<4x3xf32>, %[[W:.*]]: tensor<3x5xf32>) -> tensor<4x5xf32>
// CHECK: linalg.matmul ins(%[[X]], %[[W]] : tensor<4x3xf32>, tensor<3x5xf32>) outs(%{{.*}} : tensor<4x5xf32>)
// CHECK-NOT: arith.select
// CHECK-LABEL: func.func @batch_n8(
func.func @batch(%x: tensor<?x3xf32> {pruner.range = [#pruner.range<n, 1 to 12>]}, %w: tensor<3x5xf32>) -> tensor<?x5xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x3xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x5xf32>) -> tensor<?x5xf32>
  %r = linalg.matmul ins(%x, %w : tensor<?x3xf32>, tensor<3x5xf32>) outs(%f : tensor<?x5xf32>) -> tensor<?x5xf32>
  return %r : tensor<?x5xf32>
}

// -----

// A mean over n: the sum is masked, its divisor is the size of the call.

#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
#vector = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func.func @mean(
// CHECK-SAME: pruner.plan = #pruner.plan<n, sizes = [4, 8], functions = [@mean_n4, @mean_n8], from = [1, 5], to = [4, 8], use = [0, 1]>
// CHECK-LABEL: func.func @mean_n4(
// CHECK-SAME: %[[X:.*]]: tensor<4x3xf32>, %[[N:.*]]: tensor<i64> {pruner.name = "n"}) -> tensor<3xf32>
// CHECK: %[[READ:.*]] = tensor.extract %[[N]][] : tensor<i64>
// CHECK: %[[SIZE:.*]] = arith.index_cast %[[READ]] : i64 to index
// CHECK: %[[MASK:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<4xi1>)
// CHECK:   %[[PLACE:.*]] = linalg.index 0
// CHECK:   %[[ELEMENT:.*]] = arith.cmpi ult, %[[PLACE]], %[[SIZE]]
// CHECK:   linalg.yield %[[ELEMENT]]
// CHECK: %[[MASKED:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[MASK]] : tensor<4x3xf32>, tensor<4xi1>)
// CHECK: ^bb0(%[[IN:.*]]: f32, %[[IS:.*]]: i1, %{{.*}}: f32):
// CHECK:   %[[ZERO:.*]] = arith.constant -0.000000e+00 : f32
// CHECK:   arith.select %[[IS]], %[[IN]], %[[ZERO]] : f32
// CHECK: linalg.generic {{.*}}["reduction", "parallel"]{{.*}} ins(%[[MASKED]] : tensor<4x3xf32>)
// CHECK: %[[NUMBER:.*]] = arith.index_cast %[[SIZE]] : index to i64
// CHECK: %[[DIVISOR:.*]] = arith.sitofp %[[NUMBER]] : i64 to f32
// CHECK: arith.divf %{{.*}}, %[[DIVISOR]] : f32
func.func @mean(%x: tensor<?x3xf32> {pruner.range = [#pruner.range<n, 1 to 12>]}) -> tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x3xf32>
  %i = arith.index_cast %n : index to i64
  %d = arith.sitofp %i : i64 to f32
  %zero = arith.constant -0.0 : f32
  %e = tensor.empty() : tensor<3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %s = linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<?x3xf32>) outs(%f : tensor<3xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %0 = arith.addf %acc, %a : f32
    linalg.yield %0 : f32
  } -> tensor<3xf32>
  %r = linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]}
      ins(%s : tensor<3xf32>) outs(%e : tensor<3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.divf %a, %d : f32
    linalg.yield %0 : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// Pieces would all read the first rows of the table.

// CHECK-LABEL: func.func @table(
// CHECK-SAME: pruner.plan = #pruner.plan<n, sizes = [4, 8],
// CHECK-LABEL: func.func @table_n4(
// CHECK: tensor.extract_slice %{{.*}}[0, 0] [4, 3] [1, 1] : tensor<8x3xf32> to tensor<4x3xf32>
func.func @table(%x: tensor<?x3xf32> {pruner.range = [#pruner.range<n, 1 to 8>]}, %t: tensor<8x3xf32>) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x3xf32>
  %rows = tensor.extract_slice %t[0, 0] [%n, 3] [1, 1] : tensor<8x3xf32> to tensor<?x3xf32>
  %e = tensor.empty(%n) : tensor<?x3xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %rows : tensor<?x3xf32>, tensor<?x3xf32>) outs(%e : tensor<?x3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// Every row reads the first one.

// CHECK-LABEL: func.func @first(
// CHECK-SAME: pruner.plan = #pruner.plan<n, sizes = [4, 8],
func.func @first(%x: tensor<?x3xf32> {pruner.range = [#pruner.range<n, 1 to 8>]}) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x3xf32>
  %e = tensor.empty(%n) : tensor<?x3xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x3xf32>) outs(%e : tensor<?x3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %j = linalg.index 1 : index
    %b = tensor.extract %x[%c0, %j] : tensor<?x3xf32>
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// A body that reads the size itself gets the size of the call.

// CHECK-LABEL: func.func @size_n4(
// CHECK-SAME: %[[N:[^:]*]]: tensor<i64> {pruner.name = "n"})
// CHECK: %[[WORD:.*]] = tensor.extract %[[N]][]
// CHECK: %[[SIZE:.*]] = arith.index_cast %[[WORD]] : i64 to index
// CHECK: linalg.generic
// CHECK: arith.index_cast %[[SIZE]] : index to i32
func.func @size(%x: tensor<?x3xi32> {pruner.range = [#pruner.range<n, 1 to 8>]}) -> tensor<?x3xi32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x3xi32>
  %e = tensor.empty(%n) : tensor<?x3xi32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x3xi32>) outs(%e : tensor<?x3xi32>) {
  ^bb0(%a: i32, %o: i32):
    %m = tensor.dim %x, %c0 : tensor<?x3xi32>
    %s = arith.index_cast %m : index to i32
    %0 = arith.addi %a, %s : i32
    linalg.yield %0 : i32
  } -> tensor<?x3xi32>
  return %r : tensor<?x3xi32>
}

// -----

// A number that is the same in all calls of a function may be another one in a
// larger call, of which pieces would compute with a wrong number.

#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func.func @clamped(
// CHECK-SAME: #pruner.plan<n, sizes = [4, 8],
// CHECK-LABEL: func.func @clamped_n4(
// CHECK: arith.constant 9 : i32
func.func @clamped(%x: tensor<?xi32> {pruner.range = [#pruner.range<n, 1 to 12>]}) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c9 = arith.constant 9 : index
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %most = arith.maxsi %n, %c9 : index
  %number = arith.index_cast %most : index to i32
  %e = tensor.empty(%n) : tensor<?xi32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xi32>) outs(%e : tensor<?xi32>) {
  ^bb0(%a: i32, %o: i32):
    %0 = arith.addi %a, %number : i32
    linalg.yield %0 : i32
  } -> tensor<?xi32>
  return %r : tensor<?xi32>
}

// -----

// Likewise a check that all sizes of the range pass, but not larger ones.

// CHECK-LABEL: func.func @checked(
// CHECK-SAME: #pruner.plan<n, sizes = [4, 8],
func.func @checked(%x: tensor<?xi32> {pruner.range = [#pruner.range<n, 1 to 12>]}) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c12 = arith.constant 12 : index
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %holds = arith.cmpi sle, %n, %c12 : index
  cf.assert %holds, "at most 12"
  %e = tensor.empty(%n) : tensor<?xi32>
  %r = linalg.add ins(%x, %x : tensor<?xi32>, tensor<?xi32>) outs(%e : tensor<?xi32>) -> tensor<?xi32>
  return %r : tensor<?xi32>
}

// -----

// A check that every size passes.

// CHECK-LABEL: func.func @equal(
// CHECK-SAME: #pruner.plan<n, independent, sizes = [4, 8],
func.func @equal(%x: tensor<?xi32> {pruner.range = [#pruner.range<n, 1 to 12>]},
                 %y: tensor<?xi32> {pruner.range = [#pruner.range<n, 1 to 12>]}) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %m = tensor.dim %y, %c0 : tensor<?xi32>
  %holds = arith.cmpi eq, %n, %m : index
  cf.assert %holds, "equal"
  %e = tensor.empty(%n) : tensor<?xi32>
  %r = linalg.add ins(%x, %y : tensor<?xi32>, tensor<?xi32>) outs(%e : tensor<?xi32>) -> tensor<?xi32>
  return %r : tensor<?xi32>
}

// -----

// A single element has no dimension that becomes one of the result.

// CHECK-LABEL: func.func @single_n4(
// CHECK: tensor.expand_shape %{{.*}} [] output_shape [1, 1] : tensor<i32> into tensor<1x1xi32>
func.func @single(%x: tensor<?xi32> {pruner.range = [#pruner.range<n, 1 to 12>]}) -> tensor<1x1xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<i32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<i32>) -> tensor<i32>
  %r = linalg.reduce {arith.addi} ins(%x : tensor<?xi32>) outs(%f : tensor<i32>) dimensions = [0]
  %m = tensor.expand_shape %r [] output_shape [1, 1] : tensor<i32> into tensor<1x1xi32>
  return %m : tensor<1x1xi32>
}
