// RUN: pruner-opt %s --pruner-lift-branches | FileCheck %s
// RUN: pruner-opt %s --pruner-lift-branches -o %t.mlir
// RUN: pruner-opt %t.mlir --pruner-lift-branches | diff %t.mlir -

// CHECK-LABEL: func.func @branch(
// CHECK-SAME: %[[X:.*]]: tensor<8xf32>, %[[C:.*]]: i1)
// CHECK: %[[R:.*]] = scf.if %[[C]] -> (tensor<8xf32>) {
// CHECK-NEXT:   %[[Y:.*]] = linalg.exp ins(%[[X]]
// CHECK-NEXT:   scf.yield %[[Y]]
// CHECK-NEXT: } else {
// CHECK-NEXT:   scf.yield %[[X]]
// CHECK-NEXT: }
// CHECK-NEXT: return %[[R]]
func.func @branch(%x: tensor<8xf32>, %c: i1) -> tensor<8xf32> {
  cf.cond_br %c, ^a, ^b(%x : tensor<8xf32>)
^a:
  %y = linalg.exp ins(%x : tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
  cf.br ^b(%y : tensor<8xf32>)
^b(%r: tensor<8xf32>):
  return %r : tensor<8xf32>
}

// A loop with two exits. Values that an exit does not return have no contents.
// CHECK-LABEL: func.func @loop(
// CHECK-NOT: {{ cf\.|ub.poison}}
// CHECK: tensor.empty() : tensor<8xf32>
// CHECK-NOT: {{ cf\.|ub.poison}}
// CHECK: scf.while
// CHECK-NOT: {{ cf\.|ub.poison}}
// CHECK: return
func.func @loop(%x: tensor<8xf32>, %n: index, %c: i1) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0, %x : index, tensor<8xf32>)
^head(%i: index, %a: tensor<8xf32>):
  %more = arith.cmpi ult, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  %y = linalg.exp ins(%a : tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  %j = arith.addi %i, %c1 : index
  cf.cond_br %c, ^early, ^head(%j, %y : index, tensor<8xf32>)
^early:
  return %x : tensor<8xf32>
^end:
  return %a : tensor<8xf32>
}

// CHECK-LABEL: func.func @region(
// CHECK-NOT: scf.execute_region
// CHECK: scf.if
// CHECK-NOT: cf.br
func.func @region(%x: tensor<8xf32>, %y: tensor<8xf32>, %c: i1) -> tensor<8xf32> {
  %r = scf.execute_region -> tensor<8xf32> {
    cf.cond_br %c, ^a, ^b
  ^a:
    scf.yield %x : tensor<8xf32>
  ^b:
    scf.yield %y : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
