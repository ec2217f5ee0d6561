// Parallel kernels run on threads of the library, next to other threads of the
// process, and with the requested number. A C program calls the library, too.

// REQUIRES: numpy
// RUN: rm -rf %t && mkdir %t
// RUN: pruner-translate %s --to=library -o %t/net.so --header=%t/net.h
// RUN: %numpy %S/Inputs/threads.py %t/net.so
// RUN: cc -Wall -Wextra -Werror -pedantic -std=c11 -I %t %S/Inputs/caller.c %t/net.so -o %t/caller
// RUN: %t/caller | FileCheck %s
// CHECK: 1 thread: 8080.0
// CHECK: 3 threads: 8080.0
// CHECK: misaligned: 1, input 0 is not aligned to 64 bytes
// CHECK: null: 1, output 0 is a null pointer

// The kernel is compiled separately and called.
// RUN: pruner-translate %s --to=library -o %t/bare.so --linker=ld.lld-22 --stage-times 2>&1 | FileCheck %s --check-prefix=TIMES
// RUN: %numpy %S/Inputs/threads.py %t/bare.so
// TIMES: 1 kernels

func.func @main(%x: tensor<40x101xf32>) -> tensor<101xf32> {
  %b = bufferization.to_buffer %x read_only : tensor<40x101xf32> to memref<40x101xf32>
  %out = memref.alloc() : memref<101xf32>
  call @sums(%b, %out) : (memref<40x101xf32>, memref<101xf32>) -> ()
  %t = bufferization.to_tensor %out restrict writable : memref<101xf32> to tensor<101xf32>
  %e = tensor.empty() : tensor<101xf32>
  %y = linalg.add ins(%t, %t : tensor<101xf32>, tensor<101xf32>) outs(%e : tensor<101xf32>) -> tensor<101xf32>
  return %y : tensor<101xf32>
}
func.func private @sums(%x: memref<40x101xf32>, %y: memref<101xf32>) attributes {pruner.applied = "by hand"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c40 = arith.constant 40 : index
  %c101 = arith.constant 101 : index
  %zero = arith.constant 0.0 : f32
  scf.parallel (%i) = (%c0) to (%c101) step (%c1) {
    // Each iteration has a buffer of its own.
    %own = memref.alloc() : memref<40xf32>
    scf.for %k = %c0 to %c40 step %c1 {
      %v = memref.load %x[%k, %i] : memref<40x101xf32>
      memref.store %v, %own[%k] : memref<40xf32>
    }
    %s = scf.for %k = %c0 to %c40 step %c1 iter_args(%sum = %zero) -> f32 {
      %v = memref.load %own[%k] : memref<40xf32>
      %n = arith.addf %sum, %v : f32
      scf.yield %n : f32
    }
    memref.store %s, %y[%i] : memref<101xf32>
    memref.dealloc %own : memref<40xf32>
    scf.reduce
  }
  return
}
