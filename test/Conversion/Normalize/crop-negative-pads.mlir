// RUN: pruner-opt %s --pruner-crop-negative-pads | FileCheck %s

// CHECK-LABEL: func.func @static(
// CHECK-SAME: %[[X:.*]]: tensor<7x9xf32>)
// CHECK: %[[S:.*]] = tensor.extract_slice %[[X]][1, 0] [6, 7] [1, 1] : tensor<7x9xf32> to tensor<6x7xf32>
// CHECK: %[[P:.*]] = tensor.pad %[[S]] nofold low[0, 1] high[0, 0]
// CHECK: } : tensor<6x7xf32> to tensor<6x8xf32>
// CHECK: return %[[P]]
func.func @static(%x: tensor<7x9xf32>) -> tensor<6x8xf32> {
  %z = arith.constant 0.0 : f32
  %0 = tensor.pad %x nofold low[-1, 1] high[0, -2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<7x9xf32> to tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// Nothing is left, from either side: the result is padding.
// CHECK-LABEL: func.func @nothing(
// CHECK: %[[A:.*]] = tensor.empty() : tensor<0xf32>
// CHECK: tensor.pad %[[A]] low[0] high[2]
// CHECK: %[[B:.*]] = tensor.empty() : tensor<0xf32>
// CHECK: tensor.pad %[[B]] low[2] high[0]
func.func @nothing(%x: tensor<7xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %z = arith.constant 0.0 : f32
  %0 = tensor.pad %x low[-8] high[3] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<7xf32> to tensor<2xf32>
  %1 = tensor.pad %x low[4] high[-9] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<7xf32> to tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// Padding that depends on the position does not move.
// CHECK-LABEL: func.func @places(
// CHECK: tensor.extract_slice %{{.*}}[2] [5] [1]
// CHECK: tensor.pad %{{.*}} low[0] high[2] {
// CHECK: ^bb0(%[[I:.*]]: index):
// CHECK: arith.index_cast %[[I]]
func.func @places(%x: tensor<7xi32>) -> tensor<7xi32> {
  %0 = tensor.pad %x low[-2] high[2] {
  ^bb0(%i: index):
    %n = arith.index_cast %i : index to i32
    tensor.yield %n : i32
  } : tensor<7xi32> to tensor<7xi32>
  return %0 : tensor<7xi32>
}

// CHECK-LABEL: func.func @positive(
// CHECK-NOT: tensor.extract_slice
// CHECK: return
func.func @positive(%x: tensor<7xf32>) -> tensor<10xf32> {
  %z = arith.constant 0.0 : f32
  %0 = tensor.pad %x low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<7xf32> to tensor<10xf32>
  return %0 : tensor<10xf32>
}

// Amounts that the program computes: from max(0, -l), at most 7, up to 7 + h,
// at least 0.
// CHECK-LABEL: func.func @computed(
// CHECK-SAME: %[[X:.*]]: tensor<7xf32>, %[[L:.*]]: index, %[[H:.*]]: index)
// CHECK: arith.subi %{{.*}}, %[[L]] : index
// CHECK: arith.maxsi
// CHECK: %[[BEGIN:.*]] = arith.minsi
// CHECK: arith.addi %{{.*}}, %[[H]] : index
// CHECK: arith.maxsi
// CHECK: %[[END:.*]] = arith.minsi
// CHECK: arith.subi %[[END]], %[[BEGIN]]
// CHECK: %[[SIZE:.*]] = arith.maxsi
// CHECK: %[[S:.*]] = tensor.extract_slice %[[X]][%[[BEGIN]]] [%[[SIZE]]] [1] : tensor<7xf32> to tensor<?xf32>
// CHECK: tensor.pad %[[S]] low[%{{.*}}] high[%{{.*}}]
func.func @computed(%x: tensor<7xf32>, %l: index, %h: index) -> tensor<?xf32> {
  %z = arith.constant 0.0 : f32
  %0 = tensor.pad %x low[%l] high[%h] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<7xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}
