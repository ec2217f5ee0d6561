// RUN: pruner-opt %s --convert-pruner-to-cpu --split-input-file --verify-diagnostics
// RUN: not pruner-opt %s --convert-pruner-to-cpu=threads=0 --split-input-file 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: error: 'threads' must be at least 1

func.func @dynamic(%A: memref<?x?xf32>) {
  %z = arith.constant 0.0 : f32
  // expected-error @below {{'pruner.kernel' op is in a function with an argument of type 'memref<?x?xf32>', expected a plain memref of static shape}}
  pruner.kernel cpu domain (d0 = 4, d1 = 4) {
    pruner.compute map at () loops (d0 unroll 2, d1 unroll 2) ins() outs(%A : memref<?x?xf32>)
        maps [affine_map<(d0, d1) -> (d0, d1)>] {
      pruner.yield %z : f32
    }
  }
  return
}

// -----

func.func @strided(%A: memref<4x4xf32, strided<[8, 1]>>) {
  // expected-error @below {{'pruner.kernel' op is in a function with an argument of type 'memref<4x4xf32, strided<[8, 1]>>', expected a plain memref of static shape}}
  pruner.kernel cpu domain (d0 = 4) {
  }
  return
}

// -----

func.func @local() {
  %A = memref.alloc() : memref<4xf32>
  %z = arith.constant 0.0 : f32
  // expected-error @below {{'pruner.kernel' op uses a buffer that is not an argument of its function}}
  pruner.kernel cpu domain (d0 = 4) {
    pruner.compute map at () loops (d0 unroll 4) ins() outs(%A : memref<4xf32>)
        maps [affine_map<(d0) -> (d0)>] {
      pruner.yield %z : f32
    }
  }
  return
}

// -----

module {
  // expected-error @below {{'pruner.kernel' op expects to be nested in a function}}
  pruner.kernel cpu domain (d0 = 4) {
  }
}

// -----

func.func @copies_unroll(%A: memref<4xf32>) {
  %x = arith.constant 0.0 : f32
  pruner.kernel cpu domain (d0 = 4) {
    // expected-error @below {{'pruner.compute' op is expanded 9223372036854775807 times, but the limit is 65536}}
    pruner.compute map at () loops (d0 unroll 9223372036854775807) ins() outs(%A : memref<4xf32>)
        maps [affine_map<(d0) -> (d0)>] {
      pruner.yield %x : f32
    }
  }
  return
}

// -----

// The product is limited, and it does not fit in 64 bits.
func.func @copies_product(%A: memref<4xf32>) {
  %x = arith.constant 0.0 : f32
  pruner.kernel cpu domain (d0 = 4) {
    // expected-error @below {{'pruner.compute' op is expanded 18446744073709551615 times, but the limit is 65536}}
    pruner.compute map at () loops (d0 unroll 4611686018427387904, d0 vector 8) ins() outs(%A : memref<4xf32>)
        maps [affine_map<(d0) -> (d0)>] {
      pruner.yield %x : f32
    }
  }
  return
}

// -----

func.func @copies_copies(%A: memref<9223372036854775807xf32>, %B: memref<1xf32>) {
  pruner.kernel cpu domain (d0 = 1, d1 = 9223372036854775807 reduction) {
    // expected-error @below {{'pruner.compute' op is expanded 9223372036854775807 times, but the limit is 65536}}
    pruner.compute update at () loops (d1 serial 9223372036854775807) unroll 9223372036854775807
        ins(%A : memref<9223372036854775807xf32>) outs(%B : memref<1xf32>)
        maps [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>] {
    ^bb0(%x: f32, %s: f32):
      %t = arith.addf %s, %x : f32
      pruner.yield %t : f32
    }
  }
  return
}
