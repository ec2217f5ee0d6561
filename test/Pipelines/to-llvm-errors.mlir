// RUN: pruner-opt %s --pruner-to-llvm --split-input-file --verify-diagnostics

// A GPU kernel's index has no meaning on a CPU.
func.func @wrong_device(%p: memref<4xindex>) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{failed to legalize operation 'gpu.thread_id'}}
  %t = gpu.thread_id x
  memref.store %t, %p[%c0] : memref<4xindex>
  return
}

// -----

// The function around a kernel.
// expected-error @+1 {{@network works on tensors, but this pass only lowers functions on buffers; use pruner-network-to-llvm for a network with its kernels}}
func.func @network(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// Bare pointers carry no sizes.
// expected-error @+1 {{failed to legalize operation 'func.func'}}
func.func @dynamic(%p: memref<?xf32>) {
  return
}
