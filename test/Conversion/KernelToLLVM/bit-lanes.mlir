// RUN: pruner-opt %s --pruner-convert-to-llvm | FileCheck %s

// Masks are stored as bytes, of which the lowest bit counts, at any address.

// CHECK-LABEL: llvm.func @copy(
// CHECK:         %[[BYTES:.*]] = llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> vector<16xi8>
// CHECK:         %[[BITS:.*]] = llvm.trunc %[[BYTES]] : vector<16xi8> to vector<16xi1>
// CHECK:         %[[BACK:.*]] = llvm.zext %{{.*}} : vector<16xi1> to vector<16xi8>
// CHECK:         llvm.store %[[BACK]], %{{.*}} {alignment = 1 : i64} : vector<16xi8>, !llvm.ptr
func.func @copy(%from: memref<64xi1>, %to: memref<64xi1>, %i: index, %mask: vector<16xi1>) {
  %x = vector.load %from[%i] : memref<64xi1>, vector<16xi1>
  %y = arith.andi %x, %mask : vector<16xi1>
  vector.store %y, %to[%i] : memref<64xi1>, vector<16xi1>
  return
}

// The mask itself stays a vector of bits.

// CHECK-LABEL: llvm.func @masked(
// CHECK:         llvm.zext %{{.*}} : vector<16xi1> to vector<16xi8>
// CHECK:         llvm.intr.masked.load %{{.*}}, %{{.*}}, %{{.*}} {alignment = 1 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xi8>) -> vector<16xi8>
// CHECK:         llvm.trunc
// CHECK:         llvm.intr.masked.store %{{.*}}, %{{.*}}, %{{.*}} {alignment = 1 : i32} : vector<16xi8>, vector<16xi1> into !llvm.ptr
func.func @masked(%from: memref<64xi1>, %to: memref<64xi1>, %i: index, %mask: vector<16xi1>, %else: vector<16xi1>) {
  %x = vector.maskedload %from[%i], %mask, %else : memref<64xi1>, vector<16xi1>, vector<16xi1> into vector<16xi1>
  vector.maskedstore %to[%i], %mask, %x : memref<64xi1>, vector<16xi1>, vector<16xi1>
  return
}

// Buffers of vectors, such as spilled values, do not change.

// CHECK-LABEL: llvm.func @spilled(
// CHECK:         llvm.load %{{.*}} : !llvm.ptr -> vector<16xi1>
func.func @spilled(%from: memref<4xvector<16xi1>>, %i: index) -> vector<16xi1> {
  %x = memref.load %from[%i] : memref<4xvector<16xi1>>
  return %x : vector<16xi1>
}
