// RUN: pruner-opt %s --split-input-file --pruner-specialize-shapes=sizes=1 | FileCheck %s
// A function for size 1 does not show whether larger calls may run in pieces.

// CHECK-LABEL: func.func @total(
// CHECK-SAME: #pruner.plan<n, sizes = [1], functions = [@total_n1], from = [1], to = [1], use = [0]>
// CHECK-NOT: func.func @total_n2
func.func @total(%x: tensor<?xi32> {pruner.range = [#pruner.range<n, 1 to 12>]}) -> tensor<i32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<i32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<i32>) -> tensor<i32>
  %r = linalg.reduce {arith.addi} ins(%x : tensor<?xi32>) outs(%f : tensor<i32>) dimensions = [0]
  return %r : tensor<i32>
}

// -----

// CHECK-LABEL: func.func @sum(
// CHECK-SAME: #pruner.plan<n, independent, sizes = [1], functions = [@sum_n1], from = [1], to = [12], use = [0]>
func.func @sum(%x: tensor<?xi32> {pruner.range = [#pruner.range<n, 1 to 12>]}) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %e = tensor.empty(%n) : tensor<?xi32>
  %r = linalg.add ins(%x, %x : tensor<?xi32>, tensor<?xi32>) outs(%e : tensor<?xi32>) -> tensor<?xi32>
  return %r : tensor<?xi32>
}

// -----

// All but the first element: none in a call of size 1.

// CHECK-LABEL: func.func @rest_n1(
// CHECK-NOT: tensor.extract_slice
// CHECK: tensor.empty() : tensor<0xi32>
func.func @rest(%x: tensor<?xi32> {pruner.range = [#pruner.range<n, 1 to 12>]}) -> tensor<i32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %m = arith.subi %n, %c1 : index
  %s = tensor.extract_slice %x[1] [%m] [1] : tensor<?xi32> to tensor<?xi32>
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<i32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<i32>) -> tensor<i32>
  %r = linalg.reduce {arith.addi} ins(%s : tensor<?xi32>) outs(%f : tensor<i32>) dimensions = [0]
  return %r : tensor<i32>
}

// -----

// A pad with the first element of the whole call.

// CHECK-LABEL: func.func @framed(
// CHECK-SAME: #pruner.plan<n, sizes = [1], functions = [@framed_n1], from = [1], to = [1], use = [0]>
func.func @framed(%x: tensor<?x2xi32> {pruner.range = [#pruner.range<n, 1 to 12>]}) -> tensor<?x3xi32> {
  %c0 = arith.constant 0 : index
  %p = tensor.pad %x low[0, 0] high[0, 1] {
  ^bb0(%i: index, %j: index):
    %first = tensor.extract %x[%c0, %c0] : tensor<?x2xi32>
    tensor.yield %first : i32
  } : tensor<?x2xi32> to tensor<?x3xi32>
  return %p : tensor<?x3xi32>
}
