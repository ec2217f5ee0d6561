// RUN: pruner-opt %s --pruner-to-llvm | FileCheck %s --check-prefix=FREE
// RUN: pruner-opt %s --pruner-to-llvm='no-signed-zeros=false' | FileCheck %s --check-prefix=KEPT

// FREE-LABEL: llvm.func @extrema(
// FREE: llvm.intr.maximum({{.*}}) {fastmathFlags = #llvm.fastmath<nsz>}
// FREE: llvm.intr.minimum({{.*}}) {fastmathFlags = #llvm.fastmath<nsz>}
// FREE: llvm.intr.vector.reduce.fmaximum({{.*}}) {fastmathFlags = #llvm.fastmath<nsz, reassoc>}
// The option does not affect sums.
// FREE-NOT: nsz
// KEPT-LABEL: llvm.func @extrema(
// KEPT-NOT: nsz
func.func @extrema(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = vector.load %x[%c0] : memref<8xf32>, vector<8xf32>
  %b = vector.load %y[%c0] : memref<8xf32>, vector<8xf32>
  %m = arith.maximumf %a, %b : vector<8xf32>
  %n = arith.minimumf %m, %b : vector<8xf32>
  vector.store %n, %y[%c0] : memref<8xf32>, vector<8xf32>
  %r = vector.reduction <maximumf>, %n : vector<8xf32> into f32
  memref.store %r, %z[%c0] : memref<2xf32>
  %s = vector.reduction <add>, %n : vector<8xf32> into f32
  memref.store %s, %z[%c1] : memref<2xf32>
  return
}
