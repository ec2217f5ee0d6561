// RUN: pruner-opt --pruner-expand-views %s | FileCheck %s
// RUN: pruner-opt --pruner-expand-views %s > %t
// RUN: pruner-opt --pruner-expand-views %t | diff %t -

// A collapsed shape becomes its base, and a slice an offset.
// CHECK-LABEL: func.func @views(
// CHECK-SAME:    %[[A:.*]]: memref<4x8xf32>, %[[I:.*]]: index)
// CHECK-NOT:     memref.collapse_shape
// CHECK-NOT:     memref.subview
// CHECK:         %[[BASE:[^,]*]], {{.*}} = memref.extract_strided_metadata %[[A]]
// CHECK:         %[[FLAT:.*]] = memref.reinterpret_cast %[[BASE]] to offset: [0], sizes: [32], strides: [1]
// CHECK:         %[[OFFSET:.*]] = affine.apply {{.*}}%[[I]]
// CHECK:         %[[ROW:.*]] = memref.reinterpret_cast %{{.*}} to offset: [%[[OFFSET]]], sizes: [8], strides: [1]
// CHECK:         memref.load %[[FLAT]]
// CHECK:         memref.load %[[ROW]]
func.func @views(%a: memref<4x8xf32>, %i: index) -> (f32, f32) {
  %flat = memref.collapse_shape %a [[0, 1]] : memref<4x8xf32> into memref<32xf32>
  %row = memref.subview %a[%i, 0] [1, 8] [1, 1]
      : memref<4x8xf32> to memref<8xf32, strided<[1], offset: ?>>
  %x = memref.load %flat[%i] : memref<32xf32>
  %y = memref.load %row[%i] : memref<8xf32, strided<[1], offset: ?>>
  return %x, %y : f32, f32
}

// Dimensions of which several are dynamic: each stride is the product of the
// dimensions inside.
// CHECK-LABEL: func.func @expanded(
// CHECK-SAME:    %[[A:.*]]: memref<?x6xf32>, %[[M:.*]]: index, %[[N:.*]]: index)
// CHECK-NOT:     memref.expand_shape
// CHECK:         %[[BASE:[^,]*]], {{.*}} = memref.extract_strided_metadata %[[A]]
// CHECK:         %[[INNER:.*]] = affine.apply {{.*}}%[[N]]
// CHECK:         memref.reinterpret_cast %[[BASE]] to offset: [0], sizes: [%[[M]], 3, %[[N]], 6],
// CHECK-SAME:      strides: [%{{.*}}, %[[INNER]], 6, 1]
func.func @expanded(%a: memref<?x6xf32>, %m: index, %n: index) -> f32 {
  %v = memref.expand_shape %a [[0, 1, 2], [3]] output_shape [%m, 3, %n, 6]
      : memref<?x6xf32> into memref<?x3x?x6xf32>
  %x = memref.load %v[%m, %n, %n, %n] : memref<?x3x?x6xf32>
  return %x : f32
}

// Nothing else changes.
// CHECK-LABEL: func.func @left_alone(
// CHECK:         arith.addi
// CHECK-NEXT:    arith.addi
func.func @left_alone(%a: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  %unused = arith.addi %c1, %c1 : index
  %unused2 = arith.addi %c1, %c1 : index
  return
}
