// RUN: pruner-translate --to=llvm-ir --mcpu=znver4 %s | FileCheck %s
// RUN: pruner-translate --to=llvm-ir --mcpu=haswell %s | FileCheck %s --check-prefix=AVX2

// Four signed bits of each lane, at the place that a masked shift selects.
// CHECK-LABEL: @signed(
// CHECK: %[[S:.*]] = and <16 x i32> %{{.*}}, splat (i32 28)
// CHECK: %[[R:.*]] = sub {{.*}}splat (i32 28), %[[S]]
// CHECK: %[[I:.*]] = lshr <16 x i32> %{{.*}}, %[[R]]
// CHECK: call <16 x float> @llvm.x86.avx512.permvar.sf.512(<16 x float> <float 0.000000e+00, {{.*}} float 7.000000e+00, float -8.000000e+00, {{.*}} float -1.000000e+00>, <16 x i32> %[[I]])
// AVX2-LABEL: @signed(
// AVX2: sitofp <16 x i32>
llvm.func @signed(%x: vector<16xi32>, %y: vector<16xi32>, %p: !llvm.ptr) {
  %most = llvm.mlir.constant(dense<28> : vector<16xi32>) : vector<16xi32>
  %s = llvm.and %y, %most : vector<16xi32>
  %l = llvm.shl %x, %s : vector<16xi32>
  %r = llvm.ashr %l, %most : vector<16xi32>
  %f = llvm.sitofp %r : vector<16xi32> to vector<16xf32>
  llvm.store %f, %p : vector<16xf32>, !llvm.ptr
  llvm.return
}

// Unsigned ones, which have been bytes in between.
// CHECK-LABEL: @unsigned(
// CHECK: %[[I:.*]] = lshr <16 x i32>
// CHECK: call <16 x float> @llvm.x86.avx512.permvar.sf.512(<16 x float> <float 0.000000e+00, {{.*}} float 1.500000e+01>, <16 x i32> %[[I]])
llvm.func @unsigned(%x: vector<16xi32>, %y: vector<16xi32>, %p: !llvm.ptr) {
  %fifteen = llvm.mlir.constant(dense<15> : vector<16xi32>) : vector<16xi32>
  %r = llvm.lshr %x, %y : vector<16xi32>
  %n = llvm.and %r, %fifteen : vector<16xi32>
  %t = llvm.trunc %n : vector<16xi32> to vector<16xi8>
  %f = llvm.uitofp %t : vector<16xi8> to vector<16xf32>
  llvm.store %f, %p : vector<16xf32>, !llvm.ptr
  llvm.return
}

// A shift that may exceed 28, five bits, and eight lanes.
// CHECK-LABEL: @others(
// CHECK-NOT: permvar
// CHECK: sitofp <16 x i32>
// CHECK-NOT: permvar
// CHECK: itofp {{.*}}<16 x i32>
// CHECK-NOT: permvar
// CHECK: itofp {{.*}}<8 x i32>
llvm.func @others(%x: vector<16xi32>, %y: vector<16xi32>, %z: vector<8xi32>, %p: !llvm.ptr, %q: !llvm.ptr, %o: !llvm.ptr) {
  %most = llvm.mlir.constant(dense<28> : vector<16xi32>) : vector<16xi32>
  %five = llvm.mlir.constant(dense<31> : vector<16xi32>) : vector<16xi32>
  %eight = llvm.mlir.constant(dense<15> : vector<8xi32>) : vector<8xi32>
  %l = llvm.shl %x, %y : vector<16xi32>
  %r = llvm.ashr %l, %most : vector<16xi32>
  %f = llvm.sitofp %r : vector<16xi32> to vector<16xf32>
  llvm.store %f, %p : vector<16xf32>, !llvm.ptr
  %n = llvm.and %x, %five : vector<16xi32>
  %g = llvm.sitofp %n : vector<16xi32> to vector<16xf32>
  llvm.store %g, %q : vector<16xf32>, !llvm.ptr
  %m = llvm.and %z, %eight : vector<8xi32>
  %h = llvm.sitofp %m : vector<8xi32> to vector<8xf32>
  llvm.store %h, %o : vector<8xf32>, !llvm.ptr
  llvm.return
}
