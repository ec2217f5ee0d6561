// RUN: pruner-opt %s --convert-pruner-to-cpu --split-input-file --verify-diagnostics
// RUN: not pruner-opt %s --convert-pruner-to-cpu=threads=0 --split-input-file 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: error: 'threads' must be at least 1

func.func @dynamic(%A: memref<?x?xf32>) {
  %z = arith.constant 0.0 : f32
  // expected-error @below {{'pruner.kernel' op stands in a function with an argument of type 'memref<?x?xf32>', which is not a plain memref of static shape}}
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
  // expected-error @below {{'pruner.kernel' op stands in a function with an argument of type 'memref<4x4xf32, strided<[8, 1]>>', which is not a plain memref of static shape}}
  pruner.kernel cpu domain (d0 = 4) {
  }
  return
}

// -----

func.func @local() {
  %A = memref.alloc() : memref<4xf32>
  %z = arith.constant 0.0 : f32
  // expected-error @below {{'pruner.kernel' op uses a buffer that is no argument of its function}}
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
  // expected-error @below {{'pruner.kernel' op must stand in a function}}
  pruner.kernel cpu domain (d0 = 4) {
  }
}
