// RUN: pruner-opt %s --pruner-prepare-dynamic | FileCheck %s

// CHECK: module attributes {pruner.interface = {entry = "main",
// CHECK-SAME: inputs = [tensor<1xf32>, tensor<1xi8>, tensor<1xi64>], outputs = [tensor<1xf32>, tensor<1xi8>]}}
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: memref<1xf32>, %[[W:.*]]: memref<1xi8>, %[[N:.*]]: memref<1xi64>,
// CHECK-SAME: %[[R:.*]]: memref<1xf32>, %[[S:.*]]: memref<1xi8>, %{{.*}}: memref<1xi8>) {
// CHECK: %[[LOADED:.*]] = memref.load %[[N]]
// CHECK: %[[SIZE:.*]] = arith.index_cast %[[LOADED]] : i64 to index
// CHECK: %[[INNER:.*]] = arith.muli %{{.*}}, %[[SIZE]] : index
// CHECK: %[[VIEW:.*]] = memref.reinterpret_cast %[[X]] to offset: [0], sizes: [2, %[[SIZE]], 4], strides: [%[[INNER]], 4, 1] : memref<1xf32> to memref<2x?x4xf32, strided<[?, 4, 1]>>
// CHECK: %[[IN:.*]] = bufferization.to_tensor %[[VIEW]] restrict
// CHECK: %[[WEIGHT:.*]] = memref.reinterpret_cast %[[W]] to offset: [0], sizes: [3], strides: [1] : memref<1xi8> to memref<3xi8, strided<[1]>>
// CHECK: %[[OUT:.*]] = memref.reinterpret_cast %[[R]] to offset: [0], sizes: [2, %[[SIZE]], 4]
// CHECK: bufferization.materialize_in_destination %[[IN]] in restrict writable %[[OUT]]
// CHECK: bufferization.materialize_in_destination %{{.*}} in restrict writable
// CHECK: return
func.func @main(%x: tensor<2x?x4xf32>, %w: tensor<3xi8>) -> (tensor<2x?x4xf32>, tensor<3xi8>)
    attributes {pruner.plan = #pruner.plan<n, sizes = [], functions = [], from = [], to = [], use = []>} {
  return %x, %w : tensor<2x?x4xf32>, tensor<3xi8>
}

// CHECK: func.func private @other
func.func @other() {
  return
}
