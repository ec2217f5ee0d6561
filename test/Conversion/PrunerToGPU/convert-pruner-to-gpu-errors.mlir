// RUN: pruner-opt %s --convert-pruner-to-gpu --split-input-file --verify-diagnostics

func.func @siblings(%A: memref<4xf32>) {
  %z = arith.constant 0.0 : f32
  pruner.kernel gpu domain (d0 = 4) {
    // expected-error@+1 {{'pruner.band' op is not the only op of its kernel: every block would execute the others, too}}
    pruner.band block (%i = d0 trips 4 step 1) {
    }
    pruner.compute map at () loops (d0 unroll 4) ins() outs(%A : memref<4xf32>)
        maps [affine_map<(d0) -> (d0)>] {
      pruner.yield %z : f32
    }
  }
  return
}

// -----

func.func @threads(%A: memref<2048xf32>) {
  pruner.kernel gpu domain (d0 = 2048) {
    // expected-error@+1 {{'pruner.band' op makes blocks of 2048 threads, the limit is 1024}}
    pruner.band thread (%i = d0 trips 2048 step 1) {
    }
  }
  return
}

// -----

func.func @unequal(%A: memref<64xf32>) {
  pruner.kernel gpu domain (d0 = 64) {
    pruner.band block (%b = d0 trips 1 step 64) {
      pruner.band thread (%i = d0 trips 64 step 1) {
      }
      // expected-error@+1 {{'pruner.band' op has 32 threads but another 'thread' band has 64}}
      pruner.band thread (%i = d0 trips 32 step 2) {
      }
    }
  }
  return
}

// -----

func.func @share(%A: memref<64xf32>) {
  pruner.kernel gpu domain (d0 = 64) {
    pruner.band block (%b = d0 trips 1 step 64) {
      // expected-error@+1 {{'pruner.stage' op is shared by 32 threads but a block has 64}}
      %s = pruner.stage "s" operand 0 at (%b) box [64] of affine_map<(d0) -> (d0)> shape [64]
          layout affine_map<(d0) -> (d0)> vector 1 threads 32 ins(%A : memref<64xf32>)
          maps [affine_map<(d0) -> (d0)>] -> memref<64xf32, #pruner.memory<shared>> {
      ^bb0(%x: f32):
        pruner.yield %x : f32
      }
      pruner.band thread (%i = d0 trips 64 step 1) {
      }
    }
  }
  return
}

// -----

func.func @in_memory(%A: memref<8xf32>, %C: memref<1xf32>) {
  pruner.kernel gpu domain (d0 = 1, d1 = 8 reduction) {
    // expected-error@+1 {{'pruner.compute' op accumulates in an argument; a GPU kernel needs a local buffer}}
    pruner.compute update at () loops (d1 serial 8) ins(%A : memref<8xf32>) outs(%C : memref<1xf32>)
        maps [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>] {
    ^bb0(%x: f32, %s: f32):
      %t = arith.addf %s, %x : f32
      pruner.yield %t : f32
    }
  }
  return
}

// -----

func.func @dynamic(%A: memref<?xf32>) {
  %z = arith.constant 0.0 : f32
  // expected-error@+1 {{'pruner.kernel' op uses an argument of type 'memref<?xf32>', which is not a plain memref of static shape}}
  pruner.kernel gpu domain (d0 = 4) {
    pruner.compute map at () loops (d0 unroll 4) ins() outs(%A : memref<?xf32>)
        maps [affine_map<(d0) -> (d0)>] {
      pruner.yield %z : f32
    }
  }
  return
}

// -----

func.func @capture(%A: memref<4xf32>, %x: f32) {
  // expected-error@+1 {{'pruner.kernel' op uses a value that is neither a memref argument of its function nor a constant}}
  pruner.kernel gpu domain (d0 = 4) {
    pruner.compute map at () loops (d0 unroll 4) ins() outs(%A : memref<4xf32>)
        maps [affine_map<(d0) -> (d0)>] {
      pruner.yield %x : f32
    }
  }
  return
}

// -----

func.func @unwritten(%A: memref<4xf32>) {
  pruner.kernel gpu domain (d0 = 4) {
    %acc = pruner.alloc "acc" at () shape [4] layout affine_map<(d0) -> (d0)>
        : memref<4xf32, #pruner.memory<local>>
    // expected-error@+1 {{'pruner.compute' op reads an element of a local buffer that nothing wrote}}
    pruner.compute finish at () loops (d0 unroll 4)
        ins(%acc : memref<4xf32, #pruner.memory<local>>) outs(%A : memref<4xf32>)
        maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
    ^bb0(%x: f32):
      pruner.yield %x : f32
    }
  }
  return
}
