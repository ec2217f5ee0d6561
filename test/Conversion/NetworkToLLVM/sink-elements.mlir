// RUN: pruner-opt %s --pass-pipeline='builtin.module(func.func(pruner-sink-elements,canonicalize))' | FileCheck %s

// The reads and what is computed from them are repeated in each body. Named
// operations with such a scalar become generic.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8xf32>, %[[N:[a-z0-9]+]]: tensor<4xf32>)
// CHECK-NOT: tensor.extract
// CHECK: linalg.generic {{.*}} outs(%[[X]] : tensor<8xf32>)
// CHECK-NEXT: ^bb0(%{{.*}}: f32):
// CHECK-NEXT: %[[V:.*]] = tensor.extract %[[N]][%c2]
// CHECK-NEXT: %[[W:.*]] = arith.mulf %[[V]], %[[V]]
// CHECK-NEXT: linalg.yield %[[W]]
// CHECK: linalg.map ins(%[[X]] : tensor<8xf32>)
// CHECK-NEXT: (%[[A:.*]]: f32, %{{.*}}: f32) {
// CHECK-NEXT: %[[V:.*]] = tensor.extract %[[N]][%c2]
// CHECK-NEXT: %[[W:.*]] = arith.mulf %[[V]], %[[V]]
// CHECK-NEXT: %[[R:.*]] = arith.addf %[[A]], %[[W]]
// CHECK-NEXT: arith.mulf %[[R]], %[[V]]
// CHECK: linalg.generic {{.*}} outs(%[[X]] : tensor<8xf32>)
// CHECK-NEXT: ^bb0(%[[O:.*]]: f32):
// CHECK-NEXT: %[[T:.*]] = tensor.extract %[[X]][%c1]
// CHECK-NEXT: arith.subf %[[O]], %[[T]]
#id = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
func.func @main(%x: tensor<8xf32>, %n: tensor<4xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %c2 = arith.constant 2 : index
  %v = tensor.extract %n[%c2] : tensor<4xf32>
  %w = arith.mulf %v, %v : f32
  %y = linalg.fill ins(%w : f32) outs(%x : tensor<8xf32>) -> tensor<8xf32>
  %z = linalg.map ins(%x : tensor<8xf32>) outs(%x : tensor<8xf32>) (%a: f32, %o: f32) {
    %r = arith.addf %a, %w : f32
    %s = arith.mulf %r, %v : f32
    linalg.yield %s : f32
  }
  %c1 = arith.constant 1 : index
  %t = tensor.extract %x[%c1] : tensor<8xf32>
  %u = linalg.generic {indexing_maps = [#none, #id], iterator_types = ["parallel"]} ins(%t : f32) outs(%x : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.subf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %y, %z, %u : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// Scalars of the host stay: numbers of loops, extents, and what a loop computes.
// CHECK-LABEL: func.func @stay(
// CHECK: %[[S:.*]] = tensor.extract
// CHECK: scf.for {{.*}} to %{{.*}} step
// CHECK: linalg.fill ins(%{{.*}} : f32)
func.func @stay(%x: tensor<8xf32>, %n: tensor<4xindex>, %f: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = tensor.extract %n[%c0] : tensor<4xindex>
  %sum = scf.for %i = %c0 to %end step %c1 iter_args(%a = %f) -> f32 {
    %b = arith.addf %a, %f : f32
    scf.yield %b : f32
  }
  %y = linalg.fill ins(%sum : f32) outs(%x : tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}
