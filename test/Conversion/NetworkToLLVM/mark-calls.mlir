// RUN: pruner-opt %s --split-input-file --pruner-mark-calls | FileCheck %s
// A second run changes nothing, and other passes accept the marks.
// RUN: pruner-opt %s --split-input-file --pruner-mark-calls -o %t
// RUN: pruner-opt %t --split-input-file --pruner-mark-calls | diff %t -
// RUN: pruner-opt %s --split-input-file --pruner-mark-calls --pruner-add-entry-point | FileCheck %s --check-prefix=FACTS

// Calls of functions with a body are numbered; calls of one kernel differ only
// in their number. Copies of known size count as read and written.
// CHECK: module attributes {pruner.interface = {calls = array<i32: 0, 0, 1, 2, 3, 1>, entry = "main", inputs = [tensor<8xf32>],
// CHECK-SAME: kernels = [{bytes = 64 : i64, flops = 8 : i64, key = "k", name = "task_add", seconds = 2.000000e-06 : f64},
// CHECK-SAME:            {bytes = 32 : i64, flops = 0 : i64, name = "op_fill_0 2x4"},
// CHECK-SAME:            {bytes = 64 : i64, name = "copy"}, {name = "loops"}]
// CHECK-SAME: outputs = [tensor<8xf32>]}}
// FACTS: calls = array<i32: 0, 0, 1, 2, 3, 1>
// FACTS: @pruner_network_facts(dense<[1, 1, 0, 1, 6]> : tensor<5xi64>)
module attributes {pruner.interface = {entry = "main", inputs = [tensor<8xf32>], outputs = [tensor<8xf32>]}} {
  // CHECK: llvm.mlir.global external hidden @pruner_network_profiled() {{.*}} : i32
  // CHECK: llvm.func hidden @pruner_network_mark(i32)
  llvm.func @check(!llvm.ptr)
  // Only the network is marked.
  // CHECK: llvm.func @task_add_kernel
  // CHECK-NEXT: llvm.return
  llvm.func @task_add_kernel(%x: !llvm.ptr) attributes {pruner.seconds = 2.0e-06 : f64, pruner.task = {bytes = 64 : i64, flops = 8 : i64, key = "k", weight = 3 : i64}} {
    llvm.return
  }
  llvm.func @op_fill_0(%x: !llvm.ptr) attributes {pruner.work = {bytes = 32 : i64, flops = 0 : i64, loops = "2x4"}} {
    llvm.return
  }
  // CHECK: llvm.func @loops(
  // CHECK-NEXT: llvm.call @task_add_kernel
  // CHECK-NEXT: llvm.return
  llvm.func @loops(%x: !llvm.ptr) {
    llvm.call @task_add_kernel(%x) : (!llvm.ptr) -> ()
    llvm.return
  }

  // CHECK: llvm.func @main(%[[X:.*]]: !llvm.ptr, %[[Y:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr) {
  llvm.func @main(%x: !llvm.ptr, %y: !llvm.ptr, %workspace: !llvm.ptr) {
    // There is no work before the first call, and computing an address between
    // two calls is no work.
    // CHECK-NEXT:   llvm.call @task_add_kernel(%[[X]])
    // CHECK-NEXT:   %[[P:.*]] = llvm.mlir.addressof @pruner_network_profiled
    // CHECK-NEXT:   %[[V:.*]] = llvm.load volatile %[[P]] {alignment = 4 : i64} : !llvm.ptr -> i32
    // CHECK-NEXT:   %[[ZERO:.*]] = llvm.mlir.constant(0 : i32)
    // CHECK-NEXT:   %[[ON:.*]] = llvm.icmp "ne" %[[V]], %[[ZERO]]
    // CHECK-NEXT:   llvm.cond_br %[[ON]] weights([1, 1048576]), ^[[MARK:.*]], ^[[REST:.*]]
    // CHECK-NEXT: ^[[MARK]]:
    // CHECK-NEXT:   %[[SITE:.*]] = llvm.mlir.constant(0 : i32)
    // CHECK-NEXT:   llvm.call @pruner_network_mark(%[[SITE]])
    // CHECK-NEXT:   llvm.br ^[[REST]]
    // CHECK-NEXT: ^[[REST]]:
    // CHECK-NEXT:   llvm.getelementptr
    // CHECK-NEXT:   llvm.call @task_add_kernel
    // CHECK:        llvm.mlir.constant(1 : i32)
    // CHECK-NEXT:   llvm.call @pruner_network_mark
    llvm.call @task_add_kernel(%x) : (!llvm.ptr) -> ()
    %next = llvm.getelementptr %x[4] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.call @task_add_kernel(%next) : (!llvm.ptr) -> ()
    // Calls of external functions, and loads, are counted separately.
    // CHECK:        llvm.call @check
    // CHECK:        llvm.mlir.constant(-1 : i32)
    // CHECK-NEXT:   llvm.call @pruner_network_mark
    // CHECK:        llvm.call @op_fill_0
    // CHECK:        llvm.mlir.constant(2 : i32)
    // CHECK-NEXT:   llvm.call @pruner_network_mark
    llvm.call @check(%x) : (!llvm.ptr) -> ()
    llvm.call @op_fill_0(%y) : (!llvm.ptr) -> ()
    // CHECK:        "llvm.intr.memcpy"
    // CHECK-NOT:    "llvm.intr.memcpy"
    // CHECK:        llvm.mlir.constant(3 : i32)
    // CHECK-NEXT:   llvm.call @pruner_network_mark
    %bytes = llvm.mlir.constant(32 : i64) : i64
    "llvm.intr.memcpy"(%y, %x, %bytes) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
    // CHECK:        llvm.call @loops
    // CHECK:        llvm.mlir.constant(4 : i32)
    // CHECK-NEXT:   llvm.call @pruner_network_mark
    llvm.call @loops(%x) : (!llvm.ptr) -> ()
    llvm.br ^loop
  // The back edge of a loop is not part of the call in it.
  // CHECK:        llvm.mlir.constant(-1 : i32)
  // CHECK-NEXT:   llvm.call @pruner_network_mark
  // CHECK:        llvm.call @op_fill_0
  // CHECK:        llvm.mlir.constant(5 : i32)
  // CHECK-NEXT:   llvm.call @pruner_network_mark
  // CHECK-NOT:    @pruner_network_mark
  ^loop:
    llvm.call @op_fill_0(%y) : (!llvm.ptr) -> ()
    %again = llvm.load %y : !llvm.ptr -> i1
    llvm.cond_br %again, ^loop, ^out
  ^out:
    llvm.return
  }
}

// -----

// Threads of a parallel region of the network do not mark.
// CHECK: module attributes {pruner.interface = {calls = array<i32: 0>,
// CHECK: llvm.func @main
// CHECK: omp.parallel
// CHECK-NEXT: llvm.call @f
// CHECK-NEXT: omp.terminator
// CHECK: llvm.mlir.constant(-1 : i32)
// CHECK: llvm.call @f
// FACTS: @pruner_network_facts(dense<[1, 1, 0, 1, 1]> : tensor<5xi64>)
module attributes {pruner.interface = {entry = "main", inputs = [tensor<8xf32>], outputs = [tensor<8xf32>]}} {
  llvm.func @f(%x: !llvm.ptr) {
    llvm.return
  }
  llvm.func @main(%x: !llvm.ptr, %y: !llvm.ptr, %workspace: !llvm.ptr) {
    omp.parallel {
      llvm.call @f(%x) : (!llvm.ptr) -> ()
      omp.terminator
    }
    llvm.call @f(%x) : (!llvm.ptr) -> ()
    llvm.return
  }
}

// -----

// Copies of device memory are copies; launches are parts of functions.
// CHECK: calls = array<i32: 0, 1>
// CHECK-SAME: kernels = [{name = "task"}, {bytes = 64 : i64, name = "copy"}]
// CHECK: llvm.call @task_kernel
// CHECK: llvm.call @pruner_network_mark
// CHECK: llvm.call @pruner_network_copy
// CHECK: llvm.mlir.constant(1 : i32)
// CHECK-NEXT: llvm.call @pruner_network_mark
module attributes {pruner.interface = {entry = "main", inputs = [tensor<8xf32>], outputs = [tensor<8xf32>]}} {
  llvm.func @pruner_network_copy(i64, i64, i64)
  llvm.func @task_kernel(%x: !llvm.ptr) {
    llvm.return
  }
  llvm.func @main(%x: !llvm.ptr, %y: !llvm.ptr, %workspace: !llvm.ptr) {
    %from = llvm.ptrtoint %x : !llvm.ptr to i64
    %to = llvm.ptrtoint %y : !llvm.ptr to i64
    %bytes = llvm.mlir.constant(32 : i64) : i64
    llvm.call @task_kernel(%y) : (!llvm.ptr) -> ()
    llvm.call @pruner_network_copy(%to, %from, %bytes) : (i64, i64, i64) -> ()
    llvm.return
  }
}
