// RUN: pruner-opt %s --pruner-add-entry-point | FileCheck %s

// The size of the workspace moves from the argument to the module.
// CHECK: module attributes {pruner.interface = {entry = "main", inputs = [tensor<8xf32>, tensor<4xf32>], outputs = [tensor<8xf32>], workspace = 192 : i64}} {
module attributes {pruner.interface = {entry = "main", inputs = [tensor<8xf32>, tensor<4xf32>], outputs = [tensor<8xf32>]}} {
  llvm.func @free(!llvm.ptr)

  // Nothing else is visible outside of the library. Declarations stay.
  // CHECK: llvm.func @free(!llvm.ptr)
  // CHECK: llvm.func internal @kernel(%{{.*}}: !llvm.ptr) attributes {no_inline}
  llvm.func @kernel(%x: !llvm.ptr) {
    %low = llvm.mlir.constant(0 : i64) : i64
    %high = llvm.mlir.constant(11 : i64) : i64
    %step = llvm.mlir.constant(2 : i64) : i64
    omp.parallel {
      omp.wsloop {
        omp.loop_nest (%i) : i64 = (%low) to (%high) step (%step) {
          omp.yield
        }
      }
      omp.terminator
    }
    llvm.return
  }

  // CHECK: llvm.func internal @main(
  // CHECK-NOT: pruner.workspace
  // CHECK: attributes {no_inline}
  llvm.func @main(%x: !llvm.ptr, %w: !llvm.ptr, %y: !llvm.ptr, %workspace: !llvm.ptr {pruner.workspace = 192 : i64}) {
    llvm.call @kernel(%x) : (!llvm.ptr) -> ()
    llvm.return
  }
}

// CHECK: llvm.func hidden @pruner_network_entry(%[[IN:.*]]: !llvm.ptr, %[[OUT:.*]]: !llvm.ptr, %[[WORK:.*]]: !llvm.ptr) {
// CHECK-NEXT: %[[A0:.*]] = llvm.getelementptr %[[IN]][0] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// CHECK-NEXT: %[[X:.*]] = llvm.load %[[A0]] : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[A1:.*]] = llvm.getelementptr %[[IN]][1]
// CHECK-NEXT: %[[W:.*]] = llvm.load %[[A1]]
// CHECK-NEXT: %[[A2:.*]] = llvm.getelementptr %[[OUT]][0]
// CHECK-NEXT: %[[Y:.*]] = llvm.load %[[A2]]
// CHECK-NEXT: llvm.call @main(%[[X]], %[[W]], %[[Y]], %[[WORK]])
// Two inputs, one output, the bytes, and six iterations that threads can share.
// CHECK: llvm.mlir.global external hidden constant @pruner_network_facts(dense<[2, 1, 192, 6, 0]> : tensor<5xi64>)
