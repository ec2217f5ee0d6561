// RUN: pruner-opt %s --pruner-annotate-callees | FileCheck %s
// RUN: pruner-opt %s --pruner-annotate-callees=alignment=16 | FileCheck %s --check-prefix=OTHER
// RUN: pruner-opt %s --pruner-annotate-callees -o %t.mlir
// RUN: pruner-opt %t.mlir --pruner-annotate-callees | diff %t.mlir -

memref.global "private" constant @weights : memref<8xf32> = dense<1.0>

// An argument, an allocation and a global are distinct, and each is passed from
// its start. The second call reads one buffer twice, which is allowed.
// CHECK-LABEL: func.func private @apart(
// CHECK-SAME: %{{[^,]*}}: memref<8xf32> {llvm.align = 64 : i64, llvm.noalias, llvm.nonnull},
// CHECK-SAME: %{{[^,]*}}: memref<8xf32> {llvm.align = 64 : i64, llvm.noalias, llvm.nonnull},
// CHECK-SAME: %{{[^,]*}}: memref<8xf32> {llvm.align = 64 : i64, llvm.noalias, llvm.nonnull},
// CHECK-SAME: %{{[^,]*}}: index)
// OTHER-LABEL: func.func private @apart(
// OTHER-SAME: llvm.align = 16 : i64
func.func private @apart(%x: memref<8xf32>, %w: memref<8xf32>, %y: memref<8xf32>, %i: index) {
  %a = memref.load %x[%i] : memref<8xf32>
  %b = memref.load %w[%i] : memref<8xf32>
  %c = arith.addf %a, %b : f32
  memref.store %c, %y[%i] : memref<8xf32>
  return
}

// One buffer is read and written.
// CHECK-LABEL: func.func private @together(
// CHECK-SAME: %{{[^,]*}}: memref<8xf32> {llvm.align = 64 : i64, llvm.nonnull},
// CHECK-SAME: %{{[^,]*}}: memref<8xf32> {llvm.align = 64 : i64, llvm.nonnull})
func.func private @together(%x: memref<8xf32>, %y: memref<8xf32>) {
  memref.copy %x, %y : memref<8xf32> to memref<8xf32>
  return
}

// It begins behind the start of the containing buffer.
// CHECK-LABEL: func.func private @part(
// CHECK-SAME: %{{[^,]*}}: memref<4xf32, strided<[1], offset: 4>> {llvm.noalias, llvm.nonnull})
func.func private @part(%x: memref<4xf32, strided<[1], offset: 4>>) {
  return
}

// A buffer that comes through a branch is unknown.
// CHECK-LABEL: func.func private @unknown(
// CHECK-SAME: %{{[^,]*}}: memref<8xf32> {llvm.nonnull},
// CHECK-SAME: %{{[^,]*}}: memref<8xf32> {llvm.align = 64 : i64, llvm.nonnull})
func.func private @unknown(%x: memref<8xf32>, %y: memref<8xf32>) {
  memref.copy %x, %y : memref<8xf32> to memref<8xf32>
  return
}

// A function that is not called, and one whose address is taken.
// CHECK: func.func private @unused(%{{[^,]*}}: memref<8xf32>)
// CHECK: func.func private @taken(%{{[^,]*}}: memref<8xf32>)
func.func private @unused(%x: memref<8xf32>) {
  return
}
func.func private @taken(%x: memref<8xf32>) {
  return
}

// Its callers are outside of the module.
// CHECK: func.func @main(%{{[^,]*}}: memref<8xf32>, %{{[^,]*}}: memref<8xf32>, %{{[^,]*}}: index, %{{[^,]*}}: i1)
func.func @main(%x: memref<8xf32>, %z: memref<8xf32>, %i: index, %c: i1) {
  %w = memref.get_global @weights : memref<8xf32>
  %y = memref.alloc() : memref<8xf32>
  call @apart(%x, %w, %y, %i) : (memref<8xf32>, memref<8xf32>, memref<8xf32>, index) -> ()
  call @apart(%w, %w, %y, %i) : (memref<8xf32>, memref<8xf32>, memref<8xf32>, index) -> ()
  call @together(%y, %y) : (memref<8xf32>, memref<8xf32>) -> ()
  %p = memref.subview %y[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  call @part(%p) : (memref<4xf32, strided<[1], offset: 4>>) -> ()
  %s = arith.select %c, %x, %z : memref<8xf32>
  call @unknown(%s, %y) : (memref<8xf32>, memref<8xf32>) -> ()
  call @taken(%y) : (memref<8xf32>) -> ()
  %f = constant @taken : (memref<8xf32>) -> ()
  call_indirect %f(%s) : (memref<8xf32>) -> ()
  return
}
