// RUN: pruner-opt %s --pruner-to-llvm | FileCheck %s --check-prefixes=CHECK,SERIAL
// RUN: pruner-opt %s --pruner-to-llvm='parallel=true' | FileCheck %s --check-prefixes=CHECK,PARALLEL
// RUN: pruner-opt %s --pruner-to-llvm='noalias=false alignment=0' | FileCheck %s --check-prefix=PLAIN

// CHECK-LABEL: llvm.func @rows(
// CHECK-SAME: !llvm.ptr {llvm.align = 64 : i64, llvm.noalias, llvm.nonnull}
// CHECK-SAME: !llvm.ptr {llvm.align = 64 : i64, llvm.noalias, llvm.nonnull}
// PLAIN-LABEL: llvm.func @rows(
// PLAIN-SAME: %{{.*}}: !llvm.ptr {llvm.nonnull}, %{{.*}}: !llvm.ptr {llvm.nonnull})

// One slot before every loop, or at the start of each thread's body.
// SERIAL-NOT: omp.
// SERIAL-NOT: llvm.br
// SERIAL: llvm.alloca {{.*}} x f32 {alignment = 64 : i64}
// SERIAL: llvm.cond_br
// SERIAL-NOT: stacksave
// PARALLEL: omp.parallel
// PARALLEL: llvm.alloca {{.*}} x f32 {alignment = 64 : i64}
// PARALLEL: omp.wsloop
// PARALLEL-NEXT: omp.loop_nest
// PARALLEL-NOT: stacksave
// CHECK-NOT: unrealized_conversion_cast

// No mathematical function of a library is called.
// CHECK-NOT: llvm.intr.exp(
// CHECK: llvm.intr.fma
// CHECK-NOT: @expf
func.func @rows(%x: memref<64x16xf32>, %y: memref<64x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %t = memref.alloca() : memref<16xf32>
    %v = vector.load %x[%i, %c0] : memref<64x16xf32>, vector<16xf32>
    %e = math.exp %v : vector<16xf32>
    vector.store %e, %t[%c0] : memref<16xf32>, vector<16xf32>
    %r = vector.load %t[%c0] : memref<16xf32>, vector<16xf32>
    vector.store %r, %y[%i, %c0] : memref<64x16xf32>, vector<16xf32>
    scf.reduce
  }
  return
}
