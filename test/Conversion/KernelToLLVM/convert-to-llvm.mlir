// RUN: pruner-opt %s --pruner-convert-to-llvm --split-input-file | FileCheck %s
// RUN: pruner-opt %s --pruner-convert-to-llvm='reassociate=false no-signed-zeros=false' --split-input-file | FileCheck %s --check-prefix=STRICT
// Lowered functions do not change.
// RUN: pruner-opt %s --pruner-convert-to-llvm --split-input-file -o %t.mlir
// RUN: pruner-opt %t.mlir --pruner-convert-to-llvm --split-input-file | diff %t.mlir -

// Buffers are bare pointers, addresses include the sizes, and no cast is left.
// CHECK-LABEL: llvm.func @address(
// CHECK-SAME: %[[P:.*]]: !llvm.ptr, %[[I:.*]]: i64, %[[J:.*]]: i64) -> f32 {
// CHECK-NOT: unrealized_conversion_cast
// CHECK: llvm.extractvalue %{{.*}}[1]
// CHECK-NEXT: %[[EIGHT:.*]] = llvm.mlir.constant(8 : index) : i64
// CHECK-NEXT: %[[ROW:.*]] = llvm.mul %[[I]], %[[EIGHT]] overflow<nsw, nuw> : i64
// CHECK-NEXT: %[[AT:.*]] = llvm.add %[[ROW]], %[[J]] overflow<nsw, nuw> : i64
// CHECK-NEXT: llvm.getelementptr {{.*}}[%[[AT]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK: llvm.return %{{.*}} : f32
func.func @address(%p: memref<4x8xf32>, %i: index, %j: index) -> f32 {
  %x = memref.load %p[%i, %j] : memref<4x8xf32>
  return %x : f32
}

// -----

// Options: lanes are added in a tree, and zeros may have either sign.
// CHECK-LABEL: llvm.func @vectors(
// CHECK: "llvm.intr.vector.reduce.fadd"({{.*}}) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<8xf32>) -> f32
// CHECK: llvm.intr.maximum({{.*}}) {fastmathFlags = #llvm.fastmath<nsz>} : (f32, f32) -> f32
// STRICT-LABEL: llvm.func @vectors(
// STRICT: "llvm.intr.vector.reduce.fadd"(%{{[^)]*}}) <{fastmathFlags = #llvm.fastmath<none>}> : (f32, vector<8xf32>) -> f32
// STRICT: llvm.intr.maximum(%{{[^)]*}}) : (f32, f32) -> f32
func.func @vectors(%v: vector<8xf32>, %x: f32) -> f32 {
  %s = vector.reduction <add>, %v : vector<8xf32> into f32
  %m = arith.maximumf %s, %x : f32
  return %m : f32
}

// -----

// LLVM 22 miscompiles vectorized loops over its own operation. Comparisons
// ignore NaN instead.
// CHECK-LABEL: llvm.func @numbers(
// CHECK-SAME: %[[A:.*]]: f32, %[[B:.*]]: f32)
// CHECK: %[[FIRST:.*]] = llvm.fcmp "ogt" %[[A]], %[[B]] : f32
// CHECK: %[[EITHER:.*]] = llvm.select %[[FIRST]], %[[A]], %[[B]]
// CHECK: %[[NAN:.*]] = llvm.fcmp "uno" %[[B]], %[[B]] : f32
// CHECK: llvm.select %[[NAN]], %[[A]], %[[EITHER]]
func.func @numbers(%a: f32, %b: f32) -> f32 {
  %m = arith.maxnumf %a, %b : f32
  return %m : f32
}

// -----

// bf16 values are moved as bits.
// CHECK-LABEL: llvm.func @bits(
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> i16
// CHECK: llvm.store %{{.*}} : i16, !llvm.ptr
func.func @bits(%p: memref<4xbf16>, %i: index, %j: index) {
  %x = memref.load %p[%i] : memref<4xbf16>
  memref.store %x, %p[%j] : memref<4xbf16>
  return
}

// -----

// All dialects in one conversion, including threads.
// CHECK-LABEL: llvm.func @threads(
// CHECK: omp.parallel {
// CHECK: omp.wsloop {
// CHECK: omp.loop_nest (%[[I:.*]]) : i64 = (%{{.*}}) to (%{{.*}}) step (%{{.*}}) {
// CHECK: llvm.intr.sqrt(
// CHECK: llvm.store
// CHECK: omp.yield
func.func @threads(%p: memref<8xf32>, %c0: index, %c8: index, %c1: index) {
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%c8) step (%c1) {
        %x = memref.load %p[%i] : memref<8xf32>
        %y = math.sqrt %x : f32
        memref.store %y, %p[%i] : memref<8xf32>
        omp.yield
      }
    }
    omp.terminator
  }
  return
}
