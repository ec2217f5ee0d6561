// RUN: pruner-opt %s --pruner-convert-to-llvm --split-input-file --verify-diagnostics

// A kernel's arguments are bare pointers, which carry neither sizes nor strides.
// expected-error @below {{failed to legalize operation 'func.func'}}
func.func @dynamic(%p: memref<?xf32>) {
  return
}

// -----

// expected-error @below {{failed to legalize operation 'func.func'}}
func.func @strided(%p: memref<4x4xf32, strided<[?, 1]>>) {
  return
}

// -----

// expected-error @below {{@result works on tensors, but this pass only lowers functions on buffers; use pruner-network-to-llvm for a network with its kernels}}
func.func @result() -> tensor<4xf32> {
  %x = arith.constant dense<0.0> : tensor<4xf32>
  return %x : tensor<4xf32>
}

// -----

// The same for a declaration.
// expected-error @below {{@declared works on tensors, but this pass only lowers functions on buffers; use pruner-network-to-llvm for a network with its kernels}}
func.func private @declared(tensor<*xf32>)

// -----

// Tensors inside of the function are rejected as well.
func.func @inside() -> f32 {
  %c0 = arith.constant 0 : index
  // expected-error @below {{failed to legalize operation 'tensor.empty'}}
  %x = tensor.empty() : tensor<4xf32>
  %y = tensor.extract %x[%c0] : tensor<4xf32>
  return %y : f32
}

// -----

// Loops become branches before this pass.
func.func @loop(%p: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0.0 : f32
  // expected-error @below {{failed to legalize operation 'scf.for'}}
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %z, %p[%i] : memref<4xf32>
  }
  return
}

// -----

// Transfers of several dimensions become loads before this pass.
func.func @transfer(%p: memref<4x4xf32>) -> vector<4x4xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  // expected-error @below {{failed to legalize operation 'vector.transfer_read'}}
  %v = vector.transfer_read %p[%c0, %c0], %z : memref<4x4xf32>, vector<4x4xf32>
  return %v : vector<4x4xf32>
}
