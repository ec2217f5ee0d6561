// RUN: pruner-opt %s --pruner-decompose-aggregates | FileCheck %s
// RUN: pruner-opt %s --pruner-decompose-aggregates -o %t.mlir
// RUN: pruner-opt %t.mlir --pruner-decompose-aggregates | diff %t.mlir -

// A row's maximum, the exponentials of what is left, their sum, the quotients.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[X:.*]]: tensor<4x37xf32>)
// CHECK-NOT: linalg.softmax
// CHECK: %[[MAX:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[X]] : tensor<4x37xf32>) outs(%{{.*}} : tensor<4xf32>)
// CHECK: arith.maxnumf
// CHECK: %[[EXP:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%[[X]], %[[MAX]] : tensor<4x37xf32>, tensor<4xf32>)
// CHECK: arith.subf
// CHECK-NEXT: math.exp
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[EXP]] : tensor<4x37xf32>)
// CHECK: arith.addf
// CHECK: %[[Y:.*]] = linalg.generic {{.*}} ins(%[[EXP]], %[[SUM]] : tensor<4x37xf32>, tensor<4xf32>)
// CHECK: arith.divf
// CHECK: return %[[Y]]
func.func @rows(%x: tensor<4x37xf32>) -> tensor<4x37xf32> {
  %e = tensor.empty() : tensor<4x37xf32>
  %y = linalg.softmax dimension(1) ins(%x : tensor<4x37xf32>) outs(%e : tensor<4x37xf32>) -> tensor<4x37xf32>
  return %y : tensor<4x37xf32>
}

// In regions, too.
// CHECK-LABEL: func.func @inside(
// CHECK: scf.if
// CHECK-NOT: linalg.softmax
// CHECK-COUNT-4: linalg.generic
func.func @inside(%x: tensor<4x37xf16>, %c: i1) -> tensor<4x37xf16> {
  %r = scf.if %c -> tensor<4x37xf16> {
    %e = tensor.empty() : tensor<4x37xf16>
    %y = linalg.softmax dimension(0) ins(%x : tensor<4x37xf16>) outs(%e : tensor<4x37xf16>) -> tensor<4x37xf16>
    scf.yield %y : tensor<4x37xf16>
  } else {
    scf.yield %x : tensor<4x37xf16>
  }
  return %r : tensor<4x37xf16>
}

// What has loops of its own stays as it is.
// CHECK-LABEL: func.func @structured(
// CHECK-NEXT: linalg.exp
// CHECK-NEXT: return
func.func @structured(%x: tensor<8xf32>, %e: tensor<8xf32>) -> tensor<8xf32> {
  %y = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}
