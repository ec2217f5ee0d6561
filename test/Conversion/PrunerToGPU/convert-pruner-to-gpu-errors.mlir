// RUN: pruner-opt %s --convert-pruner-to-gpu --split-input-file --verify-diagnostics

func.func @siblings(%A: memref<4xf32>) {
  %z = arith.constant 0.0 : f32
  pruner.kernel gpu domain (d0 = 4) {
    // expected-error@+1 {{'pruner.band' op must be the only op of its kernel, because every block would also execute the others}}
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
    // expected-error@+1 {{'pruner.band' op makes blocks of 2048 threads, but the limit is 1024}}
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
    // expected-error@+1 {{'pruner.compute' op accumulates in an argument, expected a local buffer in a kernel for gpu}}
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
  // expected-error@+1 {{'pruner.kernel' op uses an argument of type 'memref<?xf32>', expected a plain memref of static shape}}
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
    // expected-error@+1 {{'pruner.compute' op reads an element of a local buffer that was not written}}
    pruner.compute finish at () loops (d0 unroll 4)
        ins(%acc : memref<4xf32, #pruner.memory<local>>) outs(%A : memref<4xf32>)
        maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
    ^bb0(%x: f32):
      pruner.yield %x : f32
    }
  }
  return
}

// -----

func.func @grid(%A: memref<4xf32>) {
  pruner.kernel gpu domain (d0 = 4294967296) {
    // expected-error@+1 {{'pruner.band' op makes a grid of 4294967296 blocks, but the limit is 2147483647}}
    pruner.band block (%i = d0 trips 4294967296 step 1) {
    }
  }
  return
}

// -----

// A product that does not fit in 64 bits counts as the largest number.
func.func @overflow(%A: memref<4xf32>) {
  pruner.kernel gpu domain (d0 = 4611686018427387904, d1 = 4611686018427387904) {
    // expected-error@+1 {{'pruner.band' op makes a grid of 9223372036854775807 blocks, but the limit is 2147483647}}
    pruner.band block (%i = d0 trips 4611686018427387904 step 1, %j = d1 trips 4611686018427387904 step 1) {
    }
  }
  return
}

// -----

func.func @backwards(%A: memref<8xf32>, %B: memref<4xf32>) {
  pruner.kernel gpu domain (d0 = 4) {
    // expected-error@+1 {{'pruner.compute' op has a map that is not linear with non-negative coefficients: affine_map<(d0) -> (-d0 + 3)>}}
    pruner.compute map at () loops (d0 unroll 4) ins(%A : memref<8xf32>) outs(%B : memref<4xf32>)
        maps [affine_map<(d0) -> (3 - d0)>, affine_map<(d0) -> (d0)>] {
    ^bb0(%x: f32):
      pruner.yield %x : f32
    }
  }
  return
}

// -----

func.func @stage_local(%A: memref<64xf32>) {
  pruner.kernel gpu domain (d0 = 64) {
    pruner.band block (%b = d0 trips 1 step 64) {
      // expected-error@+1 {{'pruner.stage' op must fill a shared buffer in a kernel for gpu}}
      %s = pruner.stage "s" operand 0 at (%b) box [64] of affine_map<(d0) -> (d0)> shape [64]
          layout affine_map<(d0) -> (d0)> vector 1 threads 64 ins(%A : memref<64xf32>)
          maps [affine_map<(d0) -> (d0)>] -> memref<64xf32, #pruner.memory<local>> {
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

func.func @stage_staged(%A: memref<64xf32>) {
  pruner.kernel gpu domain (d0 = 64) {
    pruner.band block (%b = d0 trips 1 step 64) {
      %s = pruner.stage "s" operand 0 at (%b) box [64] of affine_map<(d0) -> (d0)> shape [64]
          layout affine_map<(d0) -> (d0)> vector 1 threads 64 ins(%A : memref<64xf32>)
          maps [affine_map<(d0) -> (d0)>] -> memref<64xf32, #pruner.memory<shared>> {
      ^bb0(%x: f32):
        pruner.yield %x : f32
      }
      // expected-error@+1 {{'pruner.stage' op reads a buffer of the kernel; only arguments can be staged}}
      %t = pruner.stage "t" operand 0 at (%b) box [64] of affine_map<(d0) -> (d0)> shape [64]
          layout affine_map<(d0) -> (d0)> vector 1 threads 64 ins(%s : memref<64xf32, #pruner.memory<shared>>)
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

func.func @alloc_shared() {
  pruner.kernel gpu domain (d0 = 4) {
    // expected-error@+1 {{'pruner.alloc' op must be local in a kernel for gpu}}
    %acc = pruner.alloc "acc" at () shape [4] layout affine_map<(d0) -> (d0)>
        : memref<4xf32, #pruner.memory<shared>>
  }
  return
}

// -----

// 2^64 elements, which do not fit in 64 bits.
func.func @alloc_large() {
  pruner.kernel gpu domain (d0 = 4) {
    // expected-error@+1 {{'pruner.alloc' op has 18446744073709551615 elements, but the limit for a thread is 65536}}
    %acc = pruner.alloc "acc" at () shape [4294967296, 4294967296] layout affine_map<(d0, d1) -> (d0, d1)>
        : memref<4294967296x4294967296xf32, #pruner.memory<local>>
  }
  return
}

// -----

func.func @write_staged(%A: memref<64xf32>) {
  %z = arith.constant 0.0 : f32
  pruner.kernel gpu domain (d0 = 64) {
    pruner.band block (%b = d0 trips 1 step 64) {
      %s = pruner.stage "s" operand 0 at (%b) box [64] of affine_map<(d0) -> (d0)> shape [64]
          layout affine_map<(d0) -> (d0)> vector 1 threads 64 ins(%A : memref<64xf32>)
          maps [affine_map<(d0) -> (d0)>] -> memref<64xf32, #pruner.memory<shared>> {
      ^bb0(%x: f32):
        pruner.yield %x : f32
      }
      pruner.band thread (%i = d0 trips 64 step 1) {
        // expected-error@+1 {{'pruner.compute' op writes to a staged buffer}}
        pruner.compute map at (%b, %i) loops (d0 unroll 1) ins() outs(%s : memref<64xf32, #pruner.memory<shared>>)
            maps [affine_map<(d0) -> (d0)>] {
          pruner.yield %z : f32
        }
      }
    }
  }
  return
}

// -----

func.func @second_block(%A: memref<4xf32>) {
  cf.br ^next
^next:
  // expected-error@+1 {{'pruner.kernel' op expects to be in the first block of a function}}
  pruner.kernel gpu domain (d0 = 4) {
  }
  return
}

// -----

func.func @accumulate(%A: memref<4x8xf32>) {
  pruner.kernel gpu domain (d0 = 4, d1 = 8 reduction) {
    %acc = pruner.alloc "acc" at () shape [4] layout affine_map<(d0) -> (d0)>
        : memref<4xf32, #pruner.memory<local>>
    // expected-error@+1 {{'pruner.compute' op accumulates in an element of a local buffer that was not written}}
    pruner.compute update at () loops (d1 unroll 8, d0 unroll 4)
        ins(%A : memref<4x8xf32>) outs(%acc : memref<4xf32, #pruner.memory<local>>)
        maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] {
    ^bb0(%x: f32, %s: f32):
      %t = arith.addf %s, %x : f32
      pruner.yield %t : f32
    }
  }
  return
}

// -----

// The same in a loop that is not expanded.
func.func @accumulate_loop(%A: memref<4x8xf32>) {
  pruner.kernel gpu domain (d0 = 4, d1 = 8 reduction) {
    %acc = pruner.alloc "acc" at () shape [4] layout affine_map<(d0) -> (d0)>
        : memref<4xf32, #pruner.memory<local>>
    // expected-error@+1 {{'pruner.compute' op accumulates in an element of a local buffer that was not written}}
    pruner.compute update at () loops (d1 serial 8, d0 unroll 4)
        ins(%A : memref<4x8xf32>) outs(%acc : memref<4xf32, #pruner.memory<local>>)
        maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] {
    ^bb0(%x: f32, %s: f32):
      %t = arith.addf %s, %x : f32
      pruner.yield %t : f32
    }
  }
  return
}

// -----

// The first step of the outer loop reads an element that later steps write.
func.func @accumulate_before_write(%A: memref<4x8x8xf32>) {
  %z = arith.constant 0.0 : f32
  pruner.kernel gpu domain (d0 = 4, d1 = 8, d2 = 8 reduction) {
    %acc = pruner.alloc "acc" at () shape [4] layout affine_map<(d0) -> (d0)>
        : memref<4xf32, #pruner.memory<local>>
    pruner.band serial (%i = d1 trips 8 step 1) {
      // expected-error@+1 {{'pruner.compute' op accumulates in an element of a local buffer that was not written}}
      pruner.compute update at (%i) loops (d2 serial 8, d0 unroll 4)
          ins(%A : memref<4x8x8xf32>) outs(%acc : memref<4xf32, #pruner.memory<local>>)
          maps [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0)>] {
      ^bb0(%x: f32, %s: f32):
        %t = arith.addf %s, %x : f32
        pruner.yield %t : f32
      }
      pruner.compute init at (%i) loops (d0 unroll 4) ins()
          outs(%acc : memref<4xf32, #pruner.memory<local>>)
          maps [affine_map<(d0, d1, d2) -> (d0)>] {
        pruner.yield %z : f32
      }
    }
  }
  return
}

// -----

// A loop that writes half of a buffer leaves the other half unwritten.
func.func @half_written(%A: memref<4x8xf32>) {
  %z = arith.constant 0.0 : f32
  pruner.kernel gpu domain (d0 = 4, d1 = 8) {
    %acc = pruner.alloc "acc" at () shape [4] layout affine_map<(d0) -> (d0)>
        : memref<4xf32, #pruner.memory<local>>
    pruner.band serial (%i = d1 trips 8 step 1) {
      pruner.compute init at (%i) loops (d0 unroll 2) ins()
          outs(%acc : memref<4xf32, #pruner.memory<local>>)
          maps [affine_map<(d0, d1) -> (d0)>] {
        pruner.yield %z : f32
      }
    }
    // expected-error@+1 {{'pruner.compute' op reads an element of a local buffer that was not written}}
    pruner.compute finish at () loops (d0 unroll 4, d1 unroll 8)
        ins(%acc : memref<4xf32, #pruner.memory<local>>) outs(%A : memref<4x8xf32>)
        maps [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>] {
    ^bb0(%x: f32):
      pruner.yield %x : f32
    }
  }
  return
}

// -----

// The last step of a loop is beyond the end.
func.func @accumulate_cut(%A: memref<4x5xf32>) {
  pruner.kernel gpu domain (d0 = 4, d1 = 5 reduction) {
    pruner.band serial (%k = d1 trips 6 step 1) {
      %acc = pruner.alloc "acc" at () shape [4] layout affine_map<(d0) -> (d0)>
          : memref<4xf32, #pruner.memory<local>>
      // expected-error@+1 {{'pruner.compute' op accumulates in a local buffer that is not completely written}}
      pruner.compute update at (%k) loops (d1 unroll 1, d0 unroll 4)
          ins(%A : memref<4x5xf32>) outs(%acc : memref<4xf32, #pruner.memory<local>>)
          maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] {
      ^bb0(%x: f32, %s: f32):
        %t = arith.addf %s, %x : f32
        pruner.yield %t : f32
      }
    }
  }
  return
}

// -----

// Two threads share the reduction.
func.func @accumulate_across_threads(%A: memref<4x8xf32>) {
  pruner.kernel gpu domain (d0 = 4, d1 = 8 reduction) {
    pruner.band thread (%i = d0 trips 4 step 1, %k = d1 trips 2 step 4) {
      %acc = pruner.alloc "acc" at (%i) shape [1] layout affine_map<(d0) -> (d0)>
          : memref<1xf32, #pruner.memory<local>>
      // expected-error@+1 {{'pruner.compute' op accumulates in a local buffer that is not completely written}}
      pruner.compute update at (%i, %k) loops (d1 unroll 4, d0 unroll 1)
          ins(%A : memref<4x8xf32>) outs(%acc : memref<1xf32, #pruner.memory<local>>)
          maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] {
      ^bb0(%x: f32, %s: f32):
        %t = arith.addf %s, %x : f32
        pruner.yield %t : f32
      }
    }
  }
  return
}

// -----

// The loop is not expanded, so the element has no number.
func.func @registers(%A: memref<64xf32>) {
  %z = arith.constant 0.0 : f32
  pruner.kernel gpu domain (d0 = 64) {
    %acc = pruner.alloc "acc" at () shape [64] layout affine_map<(d0) -> (d0)>
        : memref<64xf32, #pruner.memory<local>>
    pruner.band serial (%i = d0 trips 64 step 1) {
      // expected-error@+1 {{'pruner.compute' op addresses a local buffer by values that are not constant, but registers have no addresses}}
      pruner.compute init at (%i) loops (d0 unroll 1) ins() outs(%acc : memref<64xf32, #pruner.memory<local>>)
          maps [affine_map<(d0) -> (d0)>] {
        pruner.yield %z : f32
      }
    }
  }
  return
}

// -----

// The elements of a thread are registers, whatever their loop is.
func.func @copies_serial(%A: memref<4xf32>) {
  %x = arith.constant 0.0 : f32
  pruner.kernel gpu domain (d0 = 65537) {
    // expected-error @below {{'pruner.compute' op is expanded 65537 times, but the limit is 65536}}
    pruner.compute map at () loops (d0 serial 65537) ins() outs(%A : memref<4xf32>)
        maps [affine_map<(d0) -> (d0)>] {
      pruner.yield %x : f32
    }
  }
  return
}

// -----

func.func @copies_bands(%A: memref<4xf32>) {
  %x = arith.constant 0.0 : f32
  pruner.kernel gpu domain (d0 = 131072) {
    pruner.band vthread (%i = d0 trips 256 step 512) {
      pruner.band unroll (%j = d0 trips 256 step 2) {
        // expected-error @below {{'pruner.compute' op is expanded 131072 times, but the limit is 65536}}
        pruner.compute map at (%i, %j) loops (d0 unroll 2) ins() outs(%A : memref<4xf32>)
            maps [affine_map<(d0) -> (d0)>] {
          pruner.yield %x : f32
        }
      }
    }
  }
  return
}

// -----

func.func @async_width(%A: memref<64x4xf16>) {
  pruner.kernel gpu domain (d0 = 64, d1 = 4 reduction) {
    pruner.band thread (%i = d0 trips 64 step 1) {
      pruner.band serial (%k = d1 trips 4 step 1) {
        // expected-error@+1 {{'pruner.stage' op cannot be copied asynchronously: a chunk of 1 x 'f16' does not have 4, 8 or 16 bytes}}
        %s = pruner.stage "s" operand 0 at (%k) box [64, 1] of affine_map<(d0, d1) -> (d0, d1)> shape [64, 4]
            layout affine_map<(d0, d1) -> (d1, d0)> vector 4 threads 64 buffers 2 async
            ins(%A : memref<64x4xf16>) maps [affine_map<(d0, d1) -> (d0, d1)>]
            -> memref<1x64xf16, #pruner.memory<shared>> {
        ^bb0(%x: f16):
          pruner.yield %x : f16
        }
      }
    }
  }
  return
}
