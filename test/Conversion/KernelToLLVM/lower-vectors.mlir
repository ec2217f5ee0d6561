// RUN: pruner-opt %s --pruner-lower-vectors --split-input-file | FileCheck %s
// RUN: pruner-opt %s --split-input-file --pruner-to-llvm | FileCheck %s --check-prefix=LLVM

// Transfers of several dimensions are lowered row by row, masked where they may
// reach beyond the buffer.

// CHECK-LABEL: func @transfers
// CHECK-NOT: vector.transfer
// CHECK-COUNT-3: vector.load %{{.*}} : memref<3x8xf32>, vector<8xf32>
// CHECK-NOT: vector.load
// CHECK: vector.shuffle
// CHECK-COUNT-8: vector.maskedstore %{{.*}} : memref<8x3xf32>, vector<3xi1>, vector<3xf32>
// LLVM-LABEL: llvm.func @transfers
// LLVM-NOT: vector.transfer
func.func @transfers(%a: memref<3x8xf32>, %b: memref<8x3xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %v = vector.transfer_read %a[%c0, %c0], %z {in_bounds = [true, true]} : memref<3x8xf32>, vector<3x8xf32>
  %t = vector.transpose %v, [1, 0] : vector<3x8xf32> to vector<8x3xf32>
  vector.transfer_write %t, %b[%c0, %n] {in_bounds = [true, false]} : vector<8x3xf32>, memref<8x3xf32>
  return
}

// -----

// A mask is lowered even without a transfer.

// CHECK-LABEL: func @mask
// CHECK-NOT: vector.create_mask
// CHECK: arith.cmpi sgt
// CHECK: vector.maskedstore
// LLVM-LABEL: llvm.func @mask
// LLVM: llvm.intr.masked.store
func.func @mask(%a: memref<8xf32>, %v: vector<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %m = vector.create_mask %n : vector<8xi1>
  vector.maskedstore %a[%c0], %m, %v : memref<8xf32>, vector<8xi1>, vector<8xf32>
  return
}

// -----

// One-dimensional ops do not change.

// CHECK-LABEL: func @flat
// CHECK: vector.load
// CHECK-NEXT: vector.broadcast %{{.*}} : f32 to vector<8xf32>
// CHECK-NEXT: vector.fma
// CHECK-NEXT: vector.store
// LLVM-LABEL: llvm.func @flat
// LLVM: llvm.intr.fmuladd
func.func @flat(%a: memref<8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %v = vector.load %a[%c0] : memref<8xf32>, vector<8xf32>
  %w = vector.broadcast %x : f32 to vector<8xf32>
  %r = vector.fma %v, %w, %v : vector<8xf32>
  vector.store %r, %a[%c0] : memref<8xf32>, vector<8xf32>
  return
}

// -----

// The broadcast of a vector of one element, and sums of several dimensions.

// CHECK-LABEL: func @shapes
// CHECK-NOT: vector.multi_reduction
// CHECK-NOT: vector<1xf32> to vector<8xf32>
// CHECK: return
// LLVM-LABEL: llvm.func @shapes
func.func @shapes(%a: memref<1xf32>, %m: vector<4x8xf32>, %b: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %v = vector.load %a[%c0] : memref<1xf32>, vector<1xf32>
  %w = vector.broadcast %v : vector<1xf32> to vector<8xf32>
  %s = vector.multi_reduction <add>, %m, %w [0] : vector<4x8xf32> to vector<8xf32>
  vector.store %s, %b[%c0] : memref<8xf32>, vector<8xf32>
  return
}
