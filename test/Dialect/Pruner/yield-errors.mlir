// RUN: pruner-opt %s -split-input-file -verify-diagnostics

func.func @in_a_function(%x: f32) {
  // expected-error @below {{'pruner.yield' op expects parent op to be one of 'pruner.stage, pruner.compute'}}
  pruner.yield %x : f32
}

// -----

func.func @in_a_kernel(%x: f32) {
  // expected-error @below {{'pruner.kernel' op K5: contains 'pruner.yield'; only 'pruner.band', 'pruner.alloc', 'pruner.packed', 'pruner.stage' and 'pruner.compute' are allowed here}}
  pruner.kernel cpu domain (d0 = 4) {
    pruner.yield %x : f32
  }
  return
}

// -----

func.func @missing(%A: memref<4xf32>) {
  pruner.kernel cpu domain (d0 = 4) {
    // expected-error @below {{'pruner.compute' op expects a non-empty block}}
    pruner.compute map at () loops (d0 unroll 4) ins() outs(%A : memref<4xf32>)
        maps [affine_map<(d0) -> (d0)>] {
    }
  }
  return
}

// -----

func.func @second(%A: memref<4xf32>, %x: f32) {
  pruner.kernel cpu domain (d0 = 4) {
    pruner.compute map at () loops (d0 unroll 4) ins() outs(%A : memref<4xf32>)
        maps [affine_map<(d0) -> (d0)>] {
      // expected-error @below {{'pruner.yield' op must be the last operation in the parent block}}
      pruner.yield %x : f32
      pruner.yield %x : f32
    }
  }
  return
}

// -----

func.func @nothing(%A: memref<4xf32>) {
  pruner.kernel cpu domain (d0 = 4) {
    pruner.compute map at () loops (d0 unroll 4) ins() outs(%A : memref<4xf32>)
        maps [affine_map<(d0) -> (d0)>] {
      // expected-error @below {{expected SSA operand}}
      pruner.yield
    }
  }
  return
}
