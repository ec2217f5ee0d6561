// RUN: pruner-opt --convert-pruner-to-cpu --canonicalize --cse %s | FileCheck %s

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>

// The accumulators are loaded once, carried through the reduction as values,
// and stored once. One step loads the row of B once for all rows of A.
// CHECK-LABEL: func @whole(
// CHECK-NOT:     scf.if
// CHECK:         %[[SUMS:.*]]:2 = scf.for {{.*}} iter_args({{.*}}) -> (vector<8xf32>, vector<8xf32>) {
// CHECK:           memref.load
// CHECK:           vector.load {{.*}} vector<8xf32>
// CHECK:           vector.broadcast
// CHECK-NEXT:      arith.mulf {{.*}} fastmath<contract>
// CHECK-NEXT:      arith.addf {{.*}} fastmath<contract>
// CHECK-NOT:       vector.load
// CHECK-NOT:       store
// CHECK:           scf.yield
// CHECK:         vector.store %[[SUMS]]#0
// CHECK:         vector.store %[[SUMS]]#1
func.func @whole(%A: memref<2x16xf32>, %B: memref<16x8xf32>, %C: memref<2x8xf32>) {
  pruner.kernel cpu domain (d0 = 2, d1 = 8, d2 = 16 reduction) {
    pruner.compute update at() loops (d2 serial 16, d0 unroll 2, d1 vector 8)
        ins(%A, %B : memref<2x16xf32>, memref<16x8xf32>) outs(%C : memref<2x8xf32>)
        maps [#a, #b, #c] {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %m = arith.mulf %x, %y : f32
      %s = arith.addf %z, %m : f32
      pruner.yield %s : f32
    }
  }
  return
}

// 16 steps by 3 copies: 15 in the unrolled loop, the last one in a second loop
// that continues with its accumulators.
// CHECK-LABEL: func @unrolled(
// CHECK-DAG:     %[[C3:.*]] = arith.constant 3 : index
// CHECK-DAG:     %[[C15:.*]] = arith.constant 15 : index
// CHECK:         %[[MAIN:.*]] = scf.for {{.*}} to %[[C15]] step %[[C3]]
// CHECK-COUNT-3:   arith.addf
// CHECK:           scf.yield
// CHECK-NOT:     scf.yield
// CHECK:         arith.addf %[[REST:.*]], {{.*}} : vector<8xf32>
func.func @unrolled(%A: memref<1x16xf32>, %B: memref<16x8xf32>, %C: memref<1x8xf32>) {
  pruner.kernel cpu domain (d0 = 1, d1 = 8, d2 = 16 reduction) {
    pruner.compute update at() loops (d2 serial 16, d0 unroll 1, d1 vector 8) unroll 3
        ins(%A, %B : memref<1x16xf32>, memref<16x8xf32>) outs(%C : memref<1x8xf32>)
        maps [#a, #b, #c] {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %m = arith.mulf %x, %y : f32
      %s = arith.addf %z, %m : f32
      pruner.yield %s : f32
    }
  }
  return
}

// Operands of half the width are widened as vectors.
// CHECK-LABEL: func @widening(
// CHECK:         scf.for {{.*}} -> (vector<8xf32>) {
// CHECK:           %[[A:.*]] = memref.load {{.*}} : memref<16xf16>
// CHECK:           %[[B:.*]] = vector.load {{.*}} vector<8xf16>
// CHECK:           arith.extf %[[A]] : f16 to f32
// CHECK:           arith.extf %[[B]] : vector<8xf16> to vector<8xf32>
func.func @widening(%A: memref<1x16xf16>, %B: memref<16x8xf16>, %C: memref<1x8xf32>) {
  pruner.kernel cpu domain (d0 = 1, d1 = 8, d2 = 16 reduction) {
    pruner.compute update at() loops (d2 serial 16, d0 unroll 1, d1 vector 8)
        ins(%A, %B : memref<1x16xf16>, memref<16x8xf16>) outs(%C : memref<1x8xf32>)
        maps [#a, #b, #c] {
    ^bb0(%x: f16, %y: f16, %z: f32):
      %p = arith.extf %x : f16 to f32
      %q = arith.extf %y : f16 to f32
      %m = arith.mulf %p, %q : f32
      %s = arith.addf %z, %m : f32
      pruner.yield %s : f32
    }
  }
  return
}
