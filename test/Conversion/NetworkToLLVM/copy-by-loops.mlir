// RUN: pruner-opt %s --pruner-copy-by-loops | FileCheck %s

// CHECK-LABEL: func.func @strided
func.func @strided(%a: memref<4x4xf32>, %b: memref<8x8xf32>) {
  %part = memref.subview %b[2, 2] [4, 4] [1, 1]
    : memref<8x8xf32> to memref<4x4xf32, strided<[8, 1], offset: 18>>
  // CHECK: linalg.copy ins(%{{.*}} : memref<4x4xf32>) outs(%{{.*}} : memref<4x4xf32, strided<[8, 1], offset: 18>>)
  // CHECK-NOT: memref.copy
  memref.copy %a, %part
    : memref<4x4xf32> to memref<4x4xf32, strided<[8, 1], offset: 18>>
  return
}

// A contiguous block is copied as such.
// CHECK-LABEL: func.func @contiguous
func.func @contiguous(%a: memref<4x4xf32>, %b: memref<4x4xf32>) {
  // CHECK: memref.copy
  memref.copy %a, %b : memref<4x4xf32> to memref<4x4xf32>
  return
}
