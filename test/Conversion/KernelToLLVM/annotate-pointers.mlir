// RUN: pruner-opt %s --pruner-annotate-pointers | FileCheck %s
// RUN: pruner-opt %s --pruner-annotate-pointers='noalias=false alignment=0' | FileCheck %s --check-prefix=LESS
// RUN: pruner-opt %s --pruner-annotate-pointers='alignment=16 shared-alignment=32' | FileCheck %s --check-prefix=OTHER
// RUN: pruner-opt %s --pruner-annotate-pointers -o %t.mlir
// RUN: pruner-opt %t.mlir --pruner-annotate-pointers | diff %t.mlir -

// Only buffers are annotated; a known alignment is kept.
// CHECK-LABEL: func.func @kernel(
// CHECK-SAME: %{{[^,]*}}: memref<8xf32> {llvm.align = 64 : i64, llvm.noalias, llvm.nonnull}
// CHECK-SAME: %{{[^,]*}}: memref<8xf32> {llvm.align = 4 : i64, llvm.noalias, llvm.nonnull}
// CHECK-SAME: %{{[^,]*}}: index)
// LESS-LABEL: func.func @kernel(
// LESS-SAME: %{{[^,]*}}: memref<8xf32> {llvm.nonnull}
// LESS-SAME: %{{[^,]*}}: memref<8xf32> {llvm.align = 4 : i64, llvm.nonnull}
// OTHER-LABEL: func.func @kernel(
// OTHER-SAME: %{{[^,]*}}: memref<8xf32> {llvm.align = 16 : i64, llvm.noalias, llvm.nonnull}
func.func @kernel(%a: memref<8xf32>, %b: memref<8xf32> {llvm.align = 4 : i64}, %n: index) {
  return
}

// The promise does not hold for private functions, declarations, and functions
// that are already lowered.
// CHECK-LABEL: func.func private @inner(
// CHECK-SAME: %{{[^,]*}}: memref<8xf32>)
// CHECK: func.func private @declared(memref<8xf32>)
// CHECK: llvm.func @lowered(%{{.*}}: !llvm.ptr) {
func.func private @inner(%a: memref<8xf32>) {
  return
}
func.func private @declared(memref<8xf32>)
llvm.func @lowered(%a: !llvm.ptr) {
  llvm.return
}

// CHECK-LABEL: gpu.func @device(
// CHECK-SAME: %{{[^,]*}}: memref<8xf32> {llvm.align = 64 : i64, llvm.noalias, llvm.nonnull})
// CHECK-SAME: workgroup(%{{[^,]*}}: memref<8xf32, 3> {llvm.align = 128 : i64}, %{{[^,]*}}: memref<8xf32, 3> {llvm.align = 16 : i64})
// OTHER-LABEL: gpu.func @device(
// OTHER-SAME: workgroup(%{{[^,]*}}: memref<8xf32, 3> {llvm.align = 32 : i64}, %{{[^,]*}}: memref<8xf32, 3> {llvm.align = 16 : i64})
// A function that kernels call is not a kernel.
// CHECK-LABEL: gpu.func @called(
// CHECK-SAME: %{{[^,]*}}: memref<8xf32>)
// What is known of the arguments of a network's operation is annotated already.
// CHECK-LABEL: gpu.func @operation(
// CHECK-SAME: %{{[^,]*}}: memref<8xf32> {llvm.noalias}, %{{[^,]*}}: memref<8xf32>) kernel
gpu.module @module {
  gpu.func @device(%a: memref<8xf32>) workgroup(%s: memref<8xf32, 3>, %t: memref<8xf32, 3> {llvm.align = 16 : i64}) kernel {
    gpu.return
  }
  gpu.func @called(%a: memref<8xf32>) {
    gpu.return
  }
  gpu.func @operation(%a: memref<8xf32> {llvm.noalias}, %b: memref<8xf32>) kernel attributes {pruner.work = {}} {
    gpu.return
  }
}
