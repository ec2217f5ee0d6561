// RUN: pruner-translate --to=llvm-ir --mcpu=znver4 %s | FileCheck %s
// RUN: pruner-translate --to=asm --mcpu=znver4 %s | FileCheck %s --check-prefix=ASM

// A masked store of one byte must write one byte. LLVM would write the 32 bits
// before the truncation.
// CHECK-LABEL: @one(
// CHECK-NOT: masked.store
// CHECK: extractelement <4 x i8> %{{.*}}, i64 0
// CHECK: store i8 %{{.*}}, ptr %{{.*}}, align 1
// ASM-LABEL: one:
// ASM-NOT: vmov{{[sd]+}} %xmm0, (%rdi)
// ASM: {{vpextrb|movb}} {{.*}}, (%rdi)
llvm.func @one(%x: vector<4xi32>, %p: !llvm.ptr) {
  %mask = llvm.mlir.constant(dense<[true, false, false, false]> : vector<4xi1>) : vector<4xi1>
  %t = llvm.trunc %x : vector<4xi32> to vector<4xi8>
  llvm.intr.masked.store %t, %p, %mask {alignment = 1 : i32} : vector<4xi8>, vector<4xi1> into !llvm.ptr
  llvm.return
}

// The third of 16-bit numbers is four bytes behind.
// CHECK-LABEL: @third(
// CHECK-NOT: masked.store
// CHECK: extractelement <8 x i16> %{{.*}}, i64 2
// CHECK: getelementptr {{(i16, ptr %.*, i64 2|.*i8, ptr %.*, i64 4)}}
// CHECK: store i16 %{{.*}}, ptr %{{.*}}, align 4
llvm.func @third(%x: vector<8xi32>, %p: !llvm.ptr) {
  %mask = llvm.mlir.constant(dense<[false, false, true, false, false, false, false, false]> : vector<8xi1>) : vector<8xi1>
  %t = llvm.trunc %x : vector<8xi32> to vector<8xi16>
  llvm.intr.masked.store %t, %p, %mask {alignment = 16 : i32} : vector<8xi16>, vector<8xi1> into !llvm.ptr
  llvm.return
}

// 32 bits of 64.
// CHECK-LABEL: @words(
// CHECK-NOT: masked.store
// CHECK: store i32 %{{.*}}, ptr %{{.*}}, align 4
// ASM-LABEL: words:
// ASM-NOT: {{(vmovlps|vmovhps|vmovq|movq)}} {{.*}}, (%rdi)
// ASM: {{(movl|vmovd|vmovss|vpextrd)}} {{.*}}, (%rdi)
llvm.func @words(%x: vector<4xi64>, %p: !llvm.ptr) {
  %mask = llvm.mlir.constant(dense<[true, false, false, false]> : vector<4xi1>) : vector<4xi1>
  %t = llvm.trunc %x : vector<4xi64> to vector<4xi32>
  llvm.intr.masked.store %t, %p, %mask {alignment = 4 : i32} : vector<4xi32>, vector<4xi1> into !llvm.ptr
  llvm.return
}

// Two lanes, and lanes of 64 bits, do not change.
// CHECK-LABEL: @others(
// CHECK: masked.store.v4i8
// CHECK: masked.store.v4i64
llvm.func @others(%x: vector<4xi32>, %y: vector<4xi64>, %p: !llvm.ptr, %q: !llvm.ptr) {
  %two = llvm.mlir.constant(dense<[true, true, false, false]> : vector<4xi1>) : vector<4xi1>
  %one = llvm.mlir.constant(dense<[true, false, false, false]> : vector<4xi1>) : vector<4xi1>
  %t = llvm.trunc %x : vector<4xi32> to vector<4xi8>
  llvm.intr.masked.store %t, %p, %two {alignment = 1 : i32} : vector<4xi8>, vector<4xi1> into !llvm.ptr
  llvm.intr.masked.store %y, %q, %one {alignment = 8 : i32} : vector<4xi64>, vector<4xi1> into !llvm.ptr
  llvm.return
}
