// RUN: pruner-opt %s --pruner-parallelize-operations=least-work=1000 --canonicalize --split-input-file | FileCheck %s

// A kernel on four threads.
func.func @kernel(%y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  scf.parallel (%n) = (%c0) to (%c4) step (%c1) {
    memref.store %zero, %y[%n] : memref<4xf32>
  }
  return
}

// Two loops have 64 iterations, so the third one stays.
// CHECK-LABEL: func.func @gather
// CHECK-SAME: (%[[X:.*]]: memref<100xf32>, %[[AT:.*]]: memref<4x16x3x50xindex>, %[[Y:.*]]: memref<4x16x3x50xf32>)
// CHECK: scf.parallel (%[[N:.*]]) = (%c0) to (%c4) step (%c1)
// CHECK: %[[A:.*]] = arith.muli %[[N]], %c64
// CHECK: %[[BEGIN:.*]] = arith.divui %[[A]], %c4
// CHECK: %[[NEXT:.*]] = arith.addi %[[N]], %c1
// CHECK: %[[B:.*]] = arith.muli %[[NEXT]], %c64
// CHECK: %[[END:.*]] = arith.divui %[[B]], %c4
// CHECK: func.call @gather_share(%[[X]], %[[AT]], %[[Y]], %[[BEGIN]], %[[END]])
func.func @gather(%x: memref<100xf32>, %at: memref<4x16x3x50xindex>, %y: memref<4x16x3x50xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, k, l) -> (i, j, k, l)>, affine_map<(i, j, k, l) -> (i, j, k, l)>],
                  iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%at : memref<4x16x3x50xindex>) outs(%y : memref<4x16x3x50xf32>) {
  ^bb0(%n: index, %o: f32):
    %0 = memref.load %x[%n] : memref<100xf32>
    linalg.yield %0 : f32
  }
  return
}

// A sum with fewer iterations than threads: the loop over terms stays inside.
// CHECK-LABEL: func.func @sum
// CHECK: scf.parallel (%{{.*}}) = (%c0) to (%c3) step (%c1)
// CHECK: func.call @sum_share
func.func @sum(%x: memref<3x500xf32>, %y: memref<3xf32>) {
  linalg.reduce {arith.addf} ins(%x : memref<3x500xf32>) outs(%y : memref<3xf32>) dimensions = [1]
  return
}

// CHECK-LABEL: func.func @copy
// CHECK: func.call @copy_share
func.func @copy(%x: memref<64x64xf32, strided<[128, 1]>>, %y: memref<64x64xf32>) {
  linalg.copy ins(%x : memref<64x64xf32, strided<[128, 1]>>) outs(%y : memref<64x64xf32>)
  return
}

// A sum of rows, one loop, little work, and a check in the body.
// CHECK-LABEL: func.func @rows
// CHECK-NOT: scf.parallel
// CHECK: linalg.generic
func.func @rows(%x: memref<500x8xf32>, %y: memref<8xf32>) {
  linalg.generic {indexing_maps = [affine_map<(k, i) -> (k, i)>, affine_map<(k, i) -> (i)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<500x8xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %a, %o : f32
    linalg.yield %0 : f32
  }
  return
}

// CHECK-LABEL: func.func @long
// CHECK: linalg.copy
func.func @long(%x: memref<5000xf32>, %y: memref<5000xf32>) {
  linalg.copy ins(%x : memref<5000xf32>) outs(%y : memref<5000xf32>)
  return
}

// CHECK-LABEL: func.func @small
// CHECK: linalg.copy
func.func @small(%x: memref<20x20xf32>, %y: memref<20x20xf32>) {
  linalg.copy ins(%x : memref<20x20xf32>) outs(%y : memref<20x20xf32>)
  return
}

// CHECK-LABEL: func.func @checks
// CHECK: linalg.generic
func.func @checks(%table: memref<40x40xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%table : memref<40x40xf32>) {
  ^bb0(%o: f32):
    %zero = arith.constant 0.0 : f32
    %0 = arith.cmpf oge, %o, %zero : f32
    cf.assert %0, "negative"
    linalg.yield %o : f32
  }
  return
}

// CHECK-LABEL: func.func private @gather_share
// CHECK-SAME: (%[[X:.*]]: memref<100xf32>, %[[AT:.*]]: memref<4x16x3x50xindex>, %[[Y:.*]]: memref<4x16x3x50xf32>, %[[BEGIN:.*]]: index, %[[END:.*]]: index)
// CHECK: scf.for %[[P:.*]] = %[[BEGIN]] to %[[END]] step %c1
// CHECK-DAG: %[[J:.*]] = arith.remui %[[P]], %c16
// CHECK-DAG: %[[I:.*]] = arith.divui %[[P]], %c16
// CHECK: scf.for %[[K:.*]] = %c0 to %c3 step %c1
// CHECK: scf.for %[[L:.*]] = %c0 to %c50 step %c1
// CHECK: memref.load %[[AT]][%[[I]], %[[J]], %[[K]], %[[L]]]
// CHECK: memref.store %{{.*}}, %[[Y]][%[[I]], %[[J]], %[[K]], %[[L]]]
// CHECK-LABEL: func.func private @sum_share
// CHECK: scf.for %[[I:.*]] = %arg2 to %arg3
// CHECK: scf.for %[[K:.*]] = %c0 to %c500
// CHECK: memref.load %arg0[%[[I]], %[[K]]]

// -----

// Kernels use one thread.
// CHECK-LABEL: func.func @alone
// CHECK: linalg.copy
func.func @alone(%x: memref<64x64xf32, strided<[128, 1]>>, %y: memref<64x64xf32>) {
  linalg.copy ins(%x : memref<64x64xf32, strided<[128, 1]>>) outs(%y : memref<64x64xf32>)
  return
}
