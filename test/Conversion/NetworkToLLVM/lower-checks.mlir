// RUN: pruner-opt %s --pruner-lower-checks --split-input-file | FileCheck %s
// RUN: pruner-opt %s --pruner-lower-checks --split-input-file -o %t.mlir
// RUN: pruner-opt %t.mlir --pruner-lower-checks --split-input-file | diff %t.mlir -

// Two checks share one copy of their text, which ends with a zero as in C.
// CHECK-DAG: llvm.func hidden @pruner_network_fail(!llvm.ptr) attributes {passthrough = ["noreturn"]}
// CHECK-DAG: llvm.mlir.global internal constant @[[RANGE:.*]]("out of range\00")
// CHECK-DAG: llvm.mlir.global internal constant @[[OTHER:.*]]("no such token\00")
// CHECK-NOT: out of range
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[A:.*]]: i1, %[[B:.*]]: i1)
// CHECK-NOT: cf.assert
// CHECK: %[[NO:.*]] = arith.xori %[[A]], %{{.*}} : i1
// CHECK-NEXT: scf.if %[[NO]] {
// CHECK-NEXT: %[[TEXT:.*]] = llvm.mlir.addressof @[[RANGE]] : !llvm.ptr
// CHECK-NEXT: llvm.call @pruner_network_fail(%[[TEXT]]) : (!llvm.ptr) -> ()
// CHECK-NEXT: }
// CHECK: llvm.mlir.addressof @[[OTHER]]
// CHECK: llvm.mlir.addressof @[[RANGE]]
// CHECK-NOT: cf.assert
func.func @main(%a: i1, %b: i1) {
  cf.assert %a, "out of range"
  scf.if %b {
    cf.assert %a, "no such token"
  }
  cf.assert %b, "out of range"
  return
}

// -----

// A module without checks does not change.
// CHECK: // -----
// CHECK-NOT: pruner_network_fail
// CHECK: func.func @without
func.func @without(%a: i1) {
  return
}
