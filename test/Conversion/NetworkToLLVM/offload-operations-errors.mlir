// RUN: pruner-opt %s --split-input-file --pruner-offload-operations --verify-diagnostics

func.func @main(%x: memref<8xf32>, %n: memref<i64>) {
  // expected-error @below {{'memref.load' op reads or writes elements of a tensor between kernels, which a library for a GPU cannot do; expected linalg on tensors of static shape}}
  %v = memref.load %n[] : memref<i64>
  return
}

// -----

func.func @main(%n: index) {
  // expected-error @below {{'memref.alloc' op needs memory whose size is not known at compile time between kernels}}
  %a = memref.alloc(%n) : memref<?xf32>
  return
}

// -----

func.func @main(%x: memref<?xf32>, %v: f32) {
  // expected-error @below {{'linalg.fill' op has operands whose layout is not known at compile time between kernels}}
  linalg.fill ins(%v : f32) outs(%x : memref<?xf32>)
  return
}

// -----

func.func @main(%x: memref<?xf32>, %y: memref<?xf32>) {
  // expected-error @below {{'memref.copy' op has operands whose layout is not known at compile time between kernels}}
  memref.copy %x, %y : memref<?xf32> to memref<?xf32>
  return
}

// -----

// Buffers may be chosen and passed on.
func.func private @use(memref<8xf32>)
func.func @main(%x: memref<8xf32>, %y: memref<8xf32>, %c: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.select %c, %x, %y : memref<8xf32>
  %w = scf.for %i = %c0 to %n step %c1 iter_args(%r = %z) -> memref<8xf32> {
    scf.yield %r : memref<8xf32>
  }
  %s = memref.subview %w[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  call @use(%w) : (memref<8xf32>) -> ()
  memref.copy %w, %y : memref<8xf32> to memref<8xf32>
  return
}
