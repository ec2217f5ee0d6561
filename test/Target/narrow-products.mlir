// RUN: pruner-translate --to=llvm-ir --mcpu=znver4 %s | FileCheck %s

// The high part of a product of bytes is computed from 32 bits: the code that
// LLVM makes of 64 bits has wrong ones.
// CHECK-LABEL: @signed(
// CHECK-NOT: mul {{.*}}<8 x i64>
// CHECK: %[[P:.*]] = mul {{.*}}<8 x i32>
// CHECK: %[[S:.*]] = ashr <8 x i32> %[[P]], splat (i32 31)
// CHECK: sext <8 x i32> %[[S]] to <8 x i64>
llvm.func @signed(%x: vector<8xi8>, %y: vector<8xi8>, %p: !llvm.ptr) {
  %amount = llvm.mlir.constant(dense<33> : vector<8xi64>) : vector<8xi64>
  %a = llvm.sext %x : vector<8xi8> to vector<8xi64>
  %b = llvm.zext %y : vector<8xi8> to vector<8xi64>
  %product = llvm.mul %a, %b : vector<8xi64>
  %high = llvm.ashr %product, %amount : vector<8xi64>
  %t = llvm.trunc %high : vector<8xi64> to vector<8xi16>
  llvm.store %t, %p : vector<8xi16>, !llvm.ptr
  llvm.return
}

// A logical shift clears the upper bits again.
// CHECK-LABEL: @logical(
// CHECK: %[[P:.*]] = mul {{.*}}<4 x i32>
// CHECK: %[[S:.*]] = ashr <4 x i32> %[[P]], splat (i32 16)
// CHECK: %[[E:.*]] = sext <4 x i32> %[[S]] to <4 x i64>
// CHECK: and <4 x i64> %[[E]], splat (i64 281474976710655)
llvm.func @logical(%x: vector<4xi16>, %y: vector<4xi16>, %p: !llvm.ptr) {
  %amount = llvm.mlir.constant(dense<16> : vector<4xi64>) : vector<4xi64>
  %a = llvm.sext %x : vector<4xi16> to vector<4xi64>
  %b = llvm.sext %y : vector<4xi16> to vector<4xi64>
  %product = llvm.mul %a, %b : vector<4xi64>
  %high = llvm.lshr %product, %amount : vector<4xi64>
  llvm.store %high, %p : vector<4xi64>, !llvm.ptr
  llvm.return
}

// Operands of 32 bits and products of 32 bits are right as they are.
// CHECK-LABEL: @others(
// CHECK: ashr <4 x i64> %{{.*}}, splat (i64 32)
// CHECK: lshr <4 x i32> %{{.*}}, splat (i32 17)
llvm.func @others(%x: vector<4xi32>, %y: vector<4xi8>, %p: !llvm.ptr, %q: !llvm.ptr) {
  %amount = llvm.mlir.constant(dense<32> : vector<4xi64>) : vector<4xi64>
  %less = llvm.mlir.constant(dense<17> : vector<4xi32>) : vector<4xi32>
  %a = llvm.sext %x : vector<4xi32> to vector<4xi64>
  %b = llvm.sext %y : vector<4xi8> to vector<4xi64>
  %product = llvm.mul %a, %b : vector<4xi64>
  %high = llvm.ashr %product, %amount : vector<4xi64>
  llvm.store %high, %p : vector<4xi64>, !llvm.ptr
  %c = llvm.sext %y : vector<4xi8> to vector<4xi32>
  %square = llvm.mul %c, %c : vector<4xi32>
  %part = llvm.ashr %square, %less : vector<4xi32>
  llvm.store %part, %q : vector<4xi32>, !llvm.ptr
  llvm.return
}
