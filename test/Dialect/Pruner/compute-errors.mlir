// Each part violates one rule; functions have the name of the rule.
// RUN: pruner-opt %s -split-input-file -verify-diagnostics --allow-unregistered-dialect

func.func @K3_vector_loop_on_gpu(%x: memref<8xf32>) {
  pruner.kernel gpu domain (d0 = 8) {
    // expected-error @below {{'pruner.compute' op K3: loop 0 is a 'vector' loop in a kernel for gpu}}
    pruner.compute map at () loops (d0 vector 8) ins() outs(%x : memref<8xf32>)
        maps [affine_map<(d0) -> (d0)>] {
      %0 = arith.constant 0.0 : f32
      pruner.yield %0 : f32
    }
  }
  return
}

// -----

// Blocks along a reduction must not overwrite each other's results.
func.func @C9_same_elements(%A: memref<8x4xf32>, %B: memref<4xf32>) {
  pruner.kernel gpu domain (d0 = 8 reduction, d1 = 4) {
    pruner.band block (%k = d0 trips 2 step 4, %i = d1 trips 4 step 1) {
      // expected-error @below {{'pruner.compute' op C9: all blocks along the reduction dimension d0 write the same elements}}
      pruner.compute finish at (%k, %i) loops (d1 unroll 1)
          ins(%A : memref<8x4xf32>) outs(%B : memref<4xf32>)
          maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>] {
      ^bb0(%x: f32):
        pruner.yield %x : f32
      }
    }
  }
  return
}

// -----

// The map distinguishes the blocks, but the position does not.
func.func @C9_same_place(%A: memref<8x4xf32>, %B: memref<8x4xf32>) {
  pruner.kernel gpu domain (d0 = 8 reduction, d1 = 4) {
    pruner.band block (%k = d0 trips 2 step 4, %i = d1 trips 4 step 1) {
      // expected-error @below {{'pruner.compute' op C9: all blocks along the reduction dimension d0 write the same elements}}
      pruner.compute finish at (%i) loops (d1 unroll 1)
          ins(%A : memref<8x4xf32>) outs(%B : memref<8x4xf32>)
          maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] {
      ^bb0(%x: f32):
        pruner.yield %x : f32
      }
    }
  }
  return
}

// -----

func.func @C10_count(%A: memref<8x4xf32>, %B: memref<8x4xf32>) {
  pruner.kernel cpu domain (d0 = 8, d1 = 4) {
    // expected-error @below {{'pruner.compute' op C10: prefetch has 1 numbers, expected a dimension and a distance}}
    pruner.compute map at () loops (d0 unroll 8, d1 unroll 4) prefetch [0]
        ins(%A : memref<8x4xf32>) outs(%B : memref<8x4xf32>)
        maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] {
    ^bb0(%x: f32):
      pruner.yield %x : f32
    }
  }
  return
}

// -----

func.func @C10_dim(%A: memref<8x4xf32>, %B: memref<8x4xf32>) {
  pruner.kernel cpu domain (d0 = 8, d1 = 4) {
    // expected-error @below {{'pruner.compute' op C10: prefetch along d2, which is not a parallel dimension of the 2}}
    pruner.compute map at () loops (d0 unroll 8, d1 unroll 4) prefetch [2, 1]
        ins(%A : memref<8x4xf32>) outs(%B : memref<8x4xf32>)
        maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] {
    ^bb0(%x: f32):
      pruner.yield %x : f32
    }
  }
  return
}

// -----

func.func @C10_reduction(%A: memref<8x4xf32>, %B: memref<8x4xf32>) {
  pruner.kernel cpu domain (d0 = 8, d1 = 4 reduction) {
    // expected-error @below {{'pruner.compute' op C10: prefetch along d1, which is not a parallel dimension of the 2}}
    pruner.compute map at () loops (d0 unroll 8, d1 unroll 4) prefetch [1, 1]
        ins(%A : memref<8x4xf32>) outs(%B : memref<8x4xf32>)
        maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] {
    ^bb0(%x: f32):
      pruner.yield %x : f32
    }
  }
  return
}

// -----

func.func @C10_distance(%A: memref<8x4xf32>, %B: memref<8x4xf32>) {
  pruner.kernel cpu domain (d0 = 8, d1 = 4) {
    // expected-error @below {{'pruner.compute' op C10: prefetch at a distance of 0, which is less than 1}}
    pruner.compute map at () loops (d0 unroll 8, d1 unroll 4) prefetch [0, 0]
        ins(%A : memref<8x4xf32>) outs(%B : memref<8x4xf32>)
        maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] {
    ^bb0(%x: f32):
      pruner.yield %x : f32
    }
  }
  return
}

// -----

func.func @C1_count(%x: memref<16x8xf32>) {
  pruner.kernel cpu domain (d0 = 16, d1 = 8 reduction) {
    pruner.band core (%i = d0 trips 4 step 4) {
      %acc = pruner.alloc "acc" at (%i) shape [16]
          layout affine_map<(d0) -> (d0)> : memref<4xf32, #pruner.memory<local>>
      // expected-error @below {{'pruner.compute' op C1: 1 maps for 2 operands}}
      pruner.compute update at (%i) loops (d1 serial 8, d0 unroll 4)
          ins(%x : memref<16x8xf32>)
          outs(%acc : memref<4xf32, #pruner.memory<local>>)
          maps [affine_map<(d0, d1) -> (d0)>] {
      ^bb0(%e: f32, %a: f32):
        %0 = arith.addf %e, %a : f32
        pruner.yield %0 : f32
      }
    }
  }
  return
}

// -----

func.func @C1_dims(%x: memref<16x8xf32>) {
  pruner.kernel cpu domain (d0 = 16, d1 = 8 reduction) {
    pruner.band core (%i = d0 trips 4 step 4) {
      %acc = pruner.alloc "acc" at (%i) shape [16]
          layout affine_map<(d0) -> (d0)> : memref<4xf32, #pruner.memory<local>>
      // expected-error @below {{'pruner.compute' op C1: map #0 takes 1 dimensions to 2 coordinates, expected 2 to 2}}
      pruner.compute update at (%i) loops (d1 serial 8, d0 unroll 4)
          ins(%x : memref<16x8xf32>)
          outs(%acc : memref<4xf32, #pruner.memory<local>>)
          maps [affine_map<(d0) -> (d0, d0)>,
                affine_map<(d0, d1) -> (d0)>] {
      ^bb0(%e: f32, %a: f32):
        %0 = arith.addf %e, %a : f32
        pruner.yield %0 : f32
      }
    }
  }
  return
}

// -----

func.func @C1_coordinates(%x: memref<16x8xf32>) {
  pruner.kernel cpu domain (d0 = 16, d1 = 8 reduction) {
    pruner.band core (%i = d0 trips 4 step 4) {
      %acc = pruner.alloc "acc" at (%i) shape [16]
          layout affine_map<(d0) -> (d0)> : memref<4xf32, #pruner.memory<local>>
      // expected-error @below {{'pruner.compute' op C1: map #1 takes 2 dimensions to 2 coordinates, expected 2 to 1}}
      pruner.compute update at (%i) loops (d1 serial 8, d0 unroll 4)
          ins(%x : memref<16x8xf32>)
          outs(%acc : memref<4xf32, #pruner.memory<local>>)
          maps [affine_map<(d0, d1) -> (d0, d1)>,
                affine_map<(d0, d1) -> (d0, d1)>] {
      ^bb0(%e: f32, %a: f32):
        %0 = arith.addf %e, %a : f32
        pruner.yield %0 : f32
      }
    }
  }
  return
}

// -----

func.func @C2_dimension(%x: memref<16x8xf32>) {
  pruner.kernel cpu domain (d0 = 16, d1 = 8 reduction) {
    pruner.band core (%i = d0 trips 4 step 4) {
      %acc = pruner.alloc "acc" at (%i) shape [16]
          layout affine_map<(d0) -> (d0)> : memref<4xf32, #pruner.memory<local>>
      // expected-error @below {{'pruner.compute' op C2: loop 0 is over d2 but the domain has 2 dimensions}}
      pruner.compute update at (%i) loops (d2 serial 8)
          ins(%x : memref<16x8xf32>)
          outs(%acc : memref<4xf32, #pruner.memory<local>>)
          maps [affine_map<(d0, d1) -> (d0, d1)>,
                affine_map<(d0, d1) -> (d0)>] {
      ^bb0(%e: f32, %a: f32):
        %0 = arith.addf %e, %a : f32
        pruner.yield %0 : f32
      }
    }
  }
  return
}

// -----

func.func @C2_extent(%x: memref<16x8xf32>) {
  pruner.kernel cpu domain (d0 = 16, d1 = 8 reduction) {
    pruner.band core (%i = d0 trips 4 step 4) {
      %acc = pruner.alloc "acc" at (%i) shape [16]
          layout affine_map<(d0) -> (d0)> : memref<4xf32, #pruner.memory<local>>
      // expected-error @below {{'pruner.compute' op attribute 'loop_extents' failed to satisfy constraint: i64 dense array attribute whose value is positive}}
      pruner.compute update at (%i) loops (d1 serial 0)
          ins(%x : memref<16x8xf32>)
          outs(%acc : memref<4xf32, #pruner.memory<local>>)
          maps [affine_map<(d0, d1) -> (d0, d1)>,
                affine_map<(d0, d1) -> (d0)>] {
      ^bb0(%e: f32, %a: f32):
        %0 = arith.addf %e, %a : f32
        pruner.yield %0 : f32
      }
    }
  }
  return
}

// -----

func.func @C2_step(%x: memref<16x8xf32>) {
  pruner.kernel cpu domain (d0 = 16, d1 = 8 reduction) {
    pruner.band core (%i = d0 trips 4 step 4) {
      %acc = pruner.alloc "acc" at (%i) shape [16]
          layout affine_map<(d0) -> (d0)> : memref<4xf32, #pruner.memory<local>>
      // expected-error @below {{'pruner.compute' op attribute 'loop_steps' failed to satisfy constraint: i64 dense array attribute whose value is positive}}
      pruner.compute update at (%i) loops (d1 serial 8, d0 unroll 4 step 0)
          ins(%x : memref<16x8xf32>)
          outs(%acc : memref<4xf32, #pruner.memory<local>>)
          maps [affine_map<(d0, d1) -> (d0, d1)>,
                affine_map<(d0, d1) -> (d0)>] {
      ^bb0(%e: f32, %a: f32):
        %0 = arith.addf %e, %a : f32
        pruner.yield %0 : f32
      }
    }
  }
  return
}

// -----

func.func @C2_level(%x: memref<16x8xf32>) {
  pruner.kernel cpu domain (d0 = 16, d1 = 8 reduction) {
    pruner.band core (%i = d0 trips 4 step 4) {
      %acc = pruner.alloc "acc" at (%i) shape [16]
          layout affine_map<(d0) -> (d0)> : memref<4xf32, #pruner.memory<local>>
      // expected-error @below {{'pruner.compute' op C2: loop 0 is on level 'core', expected 'serial', 'unroll' or 'vector'}}
      pruner.compute update at (%i) loops (d0 core 4)
          ins(%x : memref<16x8xf32>)
          outs(%acc : memref<4xf32, #pruner.memory<local>>)
          maps [affine_map<(d0, d1) -> (d0, d1)>,
                affine_map<(d0, d1) -> (d0)>] {
      ^bb0(%e: f32, %a: f32):
        %0 = arith.addf %e, %a : f32
        pruner.yield %0 : f32
      }
    }
  }
  return
}

// -----

func.func @C2_lengths(%x: memref<8xf32>) {
  pruner.kernel cpu domain (d0 = 8) {
    // expected-error @below {{'pruner.compute' op C2: 1 dims, 2 extents, 1 steps and 1 levels}}
    "pruner.compute"(%x) <{role = #pruner<role map>, loop_dims = array<i64: 0>, loop_extents = array<i64: 8, 8>, loop_steps = array<i64: 1>, loop_levels = [#pruner<loop_kind unroll>], maps = [affine_map<(d0) -> (d0)>], operandSegmentSizes = array<i32: 0, 0, 1>}> ({
      %0 = arith.constant 0.0 : f32
      pruner.yield %0 : f32
    }) : (memref<8xf32>) -> ()
  }
  return
}

// -----

func.func @C2_unknown_level(%x: memref<8xf32>) {
  pruner.kernel cpu domain (d0 = 8) {
    // expected-error @below {{'pruner.compute' op attribute 'loop_levels' failed to satisfy constraint: array of the kinds of loops}}
    "pruner.compute"(%x) <{role = #pruner<role map>, loop_dims = array<i64: 0>, loop_extents = array<i64: 8>, loop_steps = array<i64: 1>, loop_levels = [5 : i32], maps = [affine_map<(d0) -> (d0)>], operandSegmentSizes = array<i32: 0, 0, 1>}> ({
      %0 = arith.constant 0.0 : f32
      pruner.yield %0 : f32
    }) : (memref<8xf32>) -> ()
  }
  return
}

// -----

func.func @C3_place(%x: memref<16x8xf32>) {
  pruner.kernel cpu domain (d0 = 16, d1 = 8 reduction) {
    pruner.band core (%i = d0 trips 4 step 4) {
      %acc = pruner.alloc "acc" at (%i) shape [16]
          layout affine_map<(d0) -> (d0)> : memref<4xf32, #pruner.memory<local>>
      // expected-error @below {{'pruner.compute' op C3: loop 0 of 2 is a 'vector' loop with step 1; only the innermost loop may be one, with step 1}}
      pruner.compute update at (%i) loops (d0 vector 4, d1 serial 8)
          ins(%x : memref<16x8xf32>)
          outs(%acc : memref<4xf32, #pruner.memory<local>>)
          maps [affine_map<(d0, d1) -> (d0, d1)>,
                affine_map<(d0, d1) -> (d0)>] {
      ^bb0(%e: f32, %a: f32):
        %0 = arith.addf %e, %a : f32
        pruner.yield %0 : f32
      }
    }
  }
  return
}

// -----

func.func @C3_step(%x: memref<16x8xf32>) {
  pruner.kernel cpu domain (d0 = 16, d1 = 8 reduction) {
    pruner.band core (%i = d0 trips 4 step 4) {
      %acc = pruner.alloc "acc" at (%i) shape [16]
          layout affine_map<(d0) -> (d0)> : memref<4xf32, #pruner.memory<local>>
      // expected-error @below {{'pruner.compute' op C3: loop 1 of 2 is a 'vector' loop with step 2; only the innermost loop may be one, with step 1}}
      pruner.compute update at (%i) loops (d1 serial 8, d0 vector 2 step 2)
          ins(%x : memref<16x8xf32>)
          outs(%acc : memref<4xf32, #pruner.memory<local>>)
          maps [affine_map<(d0, d1) -> (d0, d1)>,
                affine_map<(d0, d1) -> (d0)>] {
      ^bb0(%e: f32, %a: f32):
        %0 = arith.addf %e, %a : f32
        pruner.yield %0 : f32
      }
    }
  }
  return
}

// -----

func.func @C4(%x: memref<16x8xf32>) {
  pruner.kernel cpu domain (d0 = 16, d1 = 8 reduction) {
    pruner.band core (%i = d0 trips 4 step 4) {
      %acc = pruner.alloc "acc" at (%i) shape [16]
          layout affine_map<(d0) -> (d0)> : memref<4xf32, #pruner.memory<local>>
      // expected-error @below {{'pruner.compute' op C4: operand #1 begins at its offset #0, which is not one of the statement's 0 offsets}}
      pruner.compute update at () loops (d1 serial 8, d0 unroll 4)
          ins(%x : memref<16x8xf32>)
          outs(%acc : memref<4xf32, #pruner.memory<local>>)
          maps [affine_map<(d0, d1) -> (d0, d1)>,
                affine_map<(d0, d1) -> (d0)>] {
      ^bb0(%e: f32, %a: f32):
        %0 = arith.addf %e, %a : f32
        pruner.yield %0 : f32
      }
    }
  }
  return
}

// -----

func.func @C5_arguments(%x: memref<16x8xf32>) {
  pruner.kernel cpu domain (d0 = 16, d1 = 8 reduction) {
    pruner.band core (%i = d0 trips 4 step 4) {
      %acc = pruner.alloc "acc" at (%i) shape [16]
          layout affine_map<(d0) -> (d0)> : memref<4xf32, #pruner.memory<local>>
      // expected-error @below {{'pruner.compute' op C5: the body takes ('f32') but the operands have elements ('f32', 'f32')}}
      pruner.compute update at (%i) loops (d1 serial 8, d0 unroll 4)
          ins(%x : memref<16x8xf32>)
          outs(%acc : memref<4xf32, #pruner.memory<local>>)
          maps [affine_map<(d0, d1) -> (d0, d1)>,
                affine_map<(d0, d1) -> (d0)>] {
      ^bb0(%e: f32):
        pruner.yield %e : f32
      }
    }
  }
  return
}

// -----

func.func @C5_result(%x: memref<16x8xf32>) {
  pruner.kernel cpu domain (d0 = 16, d1 = 8 reduction) {
    pruner.band core (%i = d0 trips 4 step 4) {
      %acc = pruner.alloc "acc" at (%i) shape [16]
          layout affine_map<(d0) -> (d0)> : memref<4xf32, #pruner.memory<local>>
      // expected-error @below {{'pruner.compute' op C5: the body yields 'f16' but the buffer has elements 'f32'}}
      pruner.compute update at (%i) loops (d1 serial 8, d0 unroll 4)
          ins(%x : memref<16x8xf32>)
          outs(%acc : memref<4xf32, #pruner.memory<local>>)
          maps [affine_map<(d0, d1) -> (d0, d1)>,
                affine_map<(d0, d1) -> (d0)>] {
      ^bb0(%e: f32, %a: f32):
        %0 = arith.truncf %e : f32 to f16
        pruner.yield %0 : f16
      }
    }
  }
  return
}

// -----

func.func @C5_yield(%x: memref<16x8xf32>) {
  pruner.kernel cpu domain (d0 = 16, d1 = 8 reduction) {
    pruner.band core (%i = d0 trips 4 step 4) {
      %acc = pruner.alloc "acc" at (%i) shape [16]
          layout affine_map<(d0) -> (d0)> : memref<4xf32, #pruner.memory<local>>
      // expected-error @below {{'pruner.compute' op C5: the body ends without 'pruner.yield'}}
      pruner.compute update at (%i) loops (d1 serial 8, d0 unroll 4)
          ins(%x : memref<16x8xf32>)
          outs(%acc : memref<4xf32, #pruner.memory<local>>)
          maps [affine_map<(d0, d1) -> (d0, d1)>,
                affine_map<(d0, d1) -> (d0)>] {
      ^bb0(%e: f32, %a: f32):
        "test.end"() : () -> ()
      }
    }
  }
  return
}

// -----

func.func @C6(%x: memref<16x8xf32>) {
  pruner.kernel cpu domain (d0 = 16, d1 = 8 reduction) {
    pruner.band core (%i = d0 trips 4 step 4) {
      %acc = pruner.alloc "acc" at (%i) shape [16]
          layout affine_map<(d0) -> (d0)> : memref<4xf32, #pruner.memory<local>>
      // expected-error @below {{'pruner.compute' op C6: loop 0 of 'finish' is over the reduction dimension d1}}
      pruner.compute finish at (%i) loops (d1 serial 8, d0 unroll 4)
          ins(%x : memref<16x8xf32>)
          outs(%acc : memref<4xf32, #pruner.memory<local>>)
          maps [affine_map<(d0, d1) -> (d0, d1)>,
                affine_map<(d0, d1) -> (d0)>] {
      ^bb0(%e: f32):
        pruner.yield %e : f32
      }
    }
  }
  return
}

// -----

func.func @C7(%x: memref<16x8xf32>) {
  pruner.kernel cpu domain (d0 = 16, d1 = 8 reduction) {
    pruner.band core (%i = d0 trips 4 step 4) {
      %acc = pruner.alloc "acc" at (%i) shape [16]
          layout affine_map<(d0) -> (d0)> : memref<4xf32, #pruner.memory<local>>
      // expected-error @below {{'pruner.compute' op attribute 'unroll' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
      pruner.compute update at (%i) loops (d1 serial 8, d0 unroll 4) unroll 0
          ins(%x : memref<16x8xf32>)
          outs(%acc : memref<4xf32, #pruner.memory<local>>)
          maps [affine_map<(d0, d1) -> (d0, d1)>,
                affine_map<(d0, d1) -> (d0)>] {
      ^bb0(%e: f32, %a: f32):
        %0 = arith.addf %e, %a : f32
        pruner.yield %0 : f32
      }
    }
  }
  return
}

// -----

func.func @A3_of_compute(%x: memref<16x8xf32>) {
  pruner.kernel cpu domain (d0 = 16, d1 = 8 reduction) {
    pruner.band core (%i = d0 trips 4 step 4) {
      %acc = pruner.alloc "acc" at (%i) shape [16]
          layout affine_map<(d0) -> (d0)> : memref<4xf32, #pruner.memory<local>>
      // expected-error @below {{'pruner.compute' op A3: offset #1 is given twice}}
      pruner.compute update at (%i, %i) loops (d1 serial 8, d0 unroll 4)
          ins(%x : memref<16x8xf32>)
          outs(%acc : memref<4xf32, #pruner.memory<local>>)
          maps [affine_map<(d0, d1) -> (d0, d1)>,
                affine_map<(d0, d1) -> (d0)>] {
      ^bb0(%e: f32, %a: f32):
        %0 = arith.addf %e, %a : f32
        pruner.yield %0 : f32
      }
    }
  }
  return
}

// -----

func.func @compute_outside(%x: memref<8xf32>) {
  // expected-error @below {{'pruner.compute' op expects parent op to be one of 'pruner.kernel, pruner.band'}}
  pruner.compute map at () loops (d0 unroll 8) ins() outs(%x : memref<8xf32>)
      maps [affine_map<(d0) -> (d0)>] {
    %0 = arith.constant 0.0 : f32
    pruner.yield %0 : f32
  }
  return
}

// -----

func.func @C8(%x: memref<16x8xf32>, %y: memref<16xf32>) {
  pruner.kernel cpu domain (d0 = 16, d1 = 8 reduction) {
    pruner.band core (%i = d0 trips 16 step 1) {
      // expected-error @below {{'pruner.compute' op C8: lanes along the reduction dimension d1 cannot be combined: the body does not accumulate by one associative operation}}
      pruner.compute update at (%i) loops (d1 vector 8)
          ins(%x : memref<16x8xf32>) outs(%y : memref<16xf32>)
          maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] {
      ^bb0(%a: f32, %acc: f32):
        %s = arith.subf %a, %acc : f32
        pruner.yield %s : f32
      }
    }
  }
  return
}

// -----

func.func @C8_threads(%x: memref<16x8xf32>, %y: memref<16xf32>) {
  pruner.kernel gpu domain (d0 = 16, d1 = 8 reduction) {
    pruner.band thread (%i = d0 trips 16 step 1, %k = d1 trips 8 step 1) {
      // expected-error @below {{'pruner.compute' op C8: threads along the reduction dimension d1 cannot be combined: the body does not accumulate by one associative operation}}
      pruner.compute update at (%i, %k) loops (d1 serial 1)
          ins(%x : memref<16x8xf32>) outs(%y : memref<16xf32>)
          maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] {
      ^bb0(%a: f32, %acc: f32):
        %s = arith.subf %a, %acc : f32
        pruner.yield %s : f32
      }
    }
  }
  return
}

// -----

func.func @C10_gpu(%A: memref<8x4xf32>, %B: memref<8x4xf32>) {
  pruner.kernel gpu domain (d0 = 8, d1 = 4) {
    // expected-error @below {{'pruner.compute' op C10: only a 'map', an 'update' or a 'finish' in a kernel for cpu supports prefetch}}
    pruner.compute map at () loops (d0 unroll 8, d1 unroll 4) prefetch [0, 1]
        ins(%A : memref<8x4xf32>) outs(%B : memref<8x4xf32>)
        maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] {
    ^bb0(%x: f32):
      pruner.yield %x : f32
    }
  }
  return
}

// -----

func.func @C10_role(%A: memref<8x4xf32>, %B: memref<8xf32>) {
  pruner.kernel cpu domain (d0 = 8, d1 = 4 reduction) {
    // expected-error @below {{'pruner.compute' op C10: only a 'map', an 'update' or a 'finish' in a kernel for cpu supports prefetch}}
    pruner.compute init at () loops (d0 unroll 8) prefetch [0, 1]
        ins() outs(%B : memref<8xf32>)
        maps [affine_map<(d0, d1) -> (d0)>] {
      %t = arith.constant 0.0 : f32
      pruner.yield %t : f32
    }
  }
  return
}

// -----

func.func @C11_gpu(%A: memref<8x4xf32>, %B: memref<8x4xf32>) {
  pruner.kernel gpu domain (d0 = 8, d1 = 4) {
    // expected-error @below {{'pruner.compute' op C11: only a 'map' or a 'finish' in a kernel for cpu that writes to an argument may be nontemporal}}
    pruner.compute map at () loops (d0 unroll 8, d1 unroll 4) nontemporal
        ins(%A : memref<8x4xf32>) outs(%B : memref<8x4xf32>)
        maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] {
    ^bb0(%x: f32):
      pruner.yield %x : f32
    }
  }
  return
}

// -----

func.func @C11_role(%B: memref<8xf32>) {
  pruner.kernel cpu domain (d0 = 8, d1 = 4 reduction) {
    // expected-error @below {{'pruner.compute' op C11: only a 'map' or a 'finish' in a kernel for cpu that writes to an argument may be nontemporal}}
    pruner.compute init at () loops (d0 unroll 8) nontemporal
        ins() outs(%B : memref<8xf32>)
        maps [affine_map<(d0, d1) -> (d0)>] {
      %t = arith.constant 0.0 : f32
      pruner.yield %t : f32
    }
  }
  return
}

// -----

func.func @C11_buffer(%A: memref<8x4xf32>) {
  pruner.kernel cpu domain (d0 = 8, d1 = 4) {
    %b = pruner.alloc "b" at () shape [8, 4] layout affine_map<(d0, d1) -> (d0, d1)> : memref<8x4xf32, #pruner.memory<local>>
    // expected-error @below {{'pruner.compute' op C11: only a 'map' or a 'finish' in a kernel for cpu that writes to an argument may be nontemporal}}
    pruner.compute map at () loops (d0 unroll 8, d1 unroll 4) nontemporal
        ins(%A : memref<8x4xf32>) outs(%b : memref<8x4xf32, #pruner.memory<local>>)
        maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] {
    ^bb0(%x: f32):
      pruner.yield %x : f32
    }
  }
  return
}

// -----

func.func @role(%A: memref<4xf32>, %x: f32) {
  pruner.kernel cpu domain (d0 = 4) {
    // expected-error @below {{expected one of [init, update, finish, map] for role of a statement, got: reduce}}
    pruner.compute reduce at () loops (d0 unroll 4) ins() outs(%A : memref<4xf32>)
        maps [affine_map<(d0) -> (d0)>] {
      pruner.yield %x : f32
    }
  }
  return
}

// -----

// Numbers that are not loop kinds.
func.func @C2_level(%A: memref<4xf32>, %x: f32) {
  pruner.kernel cpu domain (d0 = 4) {
    // expected-error @below {{'pruner.compute' op attribute 'loop_levels' failed to satisfy constraint: array of the kinds of loops}}
    "pruner.compute"(%A) <{role = #pruner<role map>, operandSegmentSizes = array<i32: 0, 0, 1>,
        loop_dims = array<i64: 0>, loop_extents = array<i64: 4>, loop_steps = array<i64: 1>, loop_levels = [#pruner<role map>],
        maps = [affine_map<(d0) -> (d0)>]}> ({
      pruner.yield %x : f32
    }) : (memref<4xf32>) -> ()
  }
  return
}

// -----

func.func @C13_role(%A: memref<8x4xf32>, %B: memref<8x4xf32>) {
  pruner.kernel cpu domain (d0 = 8, d1 = 4) {
    // expected-error @below {{'pruner.compute' op C13: only an 'update' of a kernel for cpu without an instruction reads padded inputs}}
    pruner.compute map at () loops (d0 unroll 8, d1 unroll 4) paddings [0.0 : f32]
        ins(%A : memref<8x4xf32>) outs(%B : memref<8x4xf32>)
        maps [affine_map<(d0, d1) -> (d0 - 1, d1)>, affine_map<(d0, d1) -> (d0, d1)>] {
    ^bb0(%x: f32):
      pruner.yield %x : f32
    }
  }
  return
}

// -----

func.func @C13_count(%A: memref<8x4xf32>, %B: memref<8xf32>) {
  pruner.kernel cpu domain (d0 = 8, d1 = 4 reduction) {
    // expected-error @below {{'pruner.compute' op C13: 2 paddings for 1 inputs}}
    pruner.compute update at () loops (d1 serial 4, d0 unroll 8) paddings [unit, 0.0 : f32]
        ins(%A : memref<8x4xf32>) outs(%B : memref<8xf32>)
        maps [affine_map<(d0, d1) -> (d0, d1 - 1)>, affine_map<(d0, d1) -> (d0)>] {
    ^bb0(%x: f32, %y: f32):
      %0 = arith.addf %x, %y : f32
      pruner.yield %0 : f32
    }
  }
  return
}

// -----

func.func @C13_type(%A: memref<8x4xf32>, %B: memref<8xf32>) {
  pruner.kernel cpu domain (d0 = 8, d1 = 4 reduction) {
    // expected-error @below {{'pruner.compute' op C13: padding #0 is 0.000000e+00 : f64, expected 'unit' or a value of type 'f32'}}
    pruner.compute update at () loops (d1 serial 4, d0 unroll 8) paddings [0.0 : f64]
        ins(%A : memref<8x4xf32>) outs(%B : memref<8xf32>)
        maps [affine_map<(d0, d1) -> (d0, d1 - 1)>, affine_map<(d0, d1) -> (d0)>] {
    ^bb0(%x: f32, %y: f32):
      %0 = arith.addf %x, %y : f32
      pruner.yield %0 : f32
    }
  }
  return
}

// -----

func.func @C13_buffer(%B: memref<8xf32>) {
  pruner.kernel cpu domain (d0 = 8, d1 = 4 reduction) {
    %b = pruner.alloc "b" at () shape [8, 4] layout affine_map<(d0, d1) -> (d0, d1)>
        : memref<8x4xf32, #pruner.memory<local>>
    // expected-error @below {{'pruner.compute' op C13: input #0 is padded, expected an argument that is not packed}}
    pruner.compute update at () loops (d1 serial 4, d0 unroll 8) paddings [0.0 : f32]
        ins(%b : memref<8x4xf32, #pruner.memory<local>>) outs(%B : memref<8xf32>)
        maps [affine_map<(d0, d1) -> (d0, d1 - 1)>, affine_map<(d0, d1) -> (d0)>] {
    ^bb0(%x: f32, %y: f32):
      %0 = arith.addf %x, %y : f32
      pruner.yield %0 : f32
    }
  }
  return
}

// -----

func.func @C14_gpu(%A: memref<8x4xf32>, %B: memref<8xf32>) {
  pruner.kernel gpu domain (d0 = 8, d1 = 4 reduction) {
    // expected-error @below {{'pruner.compute' op C14: only an 'update' of a kernel for cpu may have 'inside'}}
    pruner.compute update at () loops (d1 serial 4, d0 unroll 8) inside [8] of affine_map<(d0, d1) -> (d0 + d1 - 1)>
        ins(%A : memref<8x4xf32>) outs(%B : memref<8xf32>)
        maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] {
    ^bb0(%x: f32, %y: f32):
      %0 = arith.addf %x, %y : f32
      pruner.yield %0 : f32
    }
  }
  return
}

// -----

func.func @C14_dims(%A: memref<8x4xf32>, %B: memref<8xf32>) {
  pruner.kernel cpu domain (d0 = 8, d1 = 4 reduction) {
    // expected-error @below {{'pruner.compute' op C14: the map of 'inside' is affine_map<(d0) -> (d0 - 1)>, expected one of 2 dimensions with as many results as extents (1)}}
    pruner.compute update at () loops (d1 serial 4, d0 unroll 8) inside [8] of affine_map<(d0) -> (d0 - 1)>
        ins(%A : memref<8x4xf32>) outs(%B : memref<8xf32>)
        maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] {
    ^bb0(%x: f32, %y: f32):
      %0 = arith.addf %x, %y : f32
      pruner.yield %0 : f32
    }
  }
  return
}

// -----

func.func @C14_results(%A: memref<8x4xf32>, %B: memref<8xf32>) {
  pruner.kernel cpu domain (d0 = 8, d1 = 4 reduction) {
    // expected-error @below {{'pruner.compute' op C14: the map of 'inside' is affine_map<(d0, d1) -> (d0 + d1 - 1)>, expected one of 2 dimensions with as many results as extents (2)}}
    pruner.compute update at () loops (d1 serial 4, d0 unroll 8) inside [8, 4] of affine_map<(d0, d1) -> (d0 + d1 - 1)>
        ins(%A : memref<8x4xf32>) outs(%B : memref<8xf32>)
        maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] {
    ^bb0(%x: f32, %y: f32):
      %0 = arith.addf %x, %y : f32
      pruner.yield %0 : f32
    }
  }
  return
}

// -----

func.func @C1_linear(%A: memref<8x4xf32>, %B: memref<8xf32>) {
  pruner.kernel cpu domain (d0 = 8, d1 = 4 reduction) {
    // expected-error @below {{'pruner.compute' op C1: map #0 is affine_map<(d0, d1) -> (d0 floordiv 2, d1)>, expected a linear one}}
    pruner.compute update at () loops (d1 serial 4, d0 unroll 8) 
        ins(%A : memref<8x4xf32>) outs(%B : memref<8xf32>)
        maps [affine_map<(d0, d1) -> (d0 floordiv 2, d1)>, affine_map<(d0, d1) -> (d0)>] {
    ^bb0(%x: f32, %y: f32):
      %0 = arith.addf %y, %x : f32
      pruner.yield %0 : f32
    }
  }
  return
}

// -----

func.func @C14_linear(%A: memref<8x4xf32>, %B: memref<8xf32>) {
  pruner.kernel cpu domain (d0 = 8, d1 = 4 reduction) {
    // expected-error @below {{'pruner.compute' op C14: the map of 'inside' is affine_map<(d0, d1) -> (d0 mod 3 + d1)>, expected a linear one}}
    pruner.compute update at () loops (d1 serial 4, d0 unroll 8) inside [8] of affine_map<(d0, d1) -> (d0 mod 3 + d1)>
        ins(%A : memref<8x4xf32>) outs(%B : memref<8xf32>)
        maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] {
    ^bb0(%x: f32, %y: f32):
      %0 = arith.addf %y, %x : f32
      pruner.yield %0 : f32
    }
  }
  return
}

// -----

func.func @C14_place(%A: memref<8x4xf32>, %B: memref<8xf32>) {
  pruner.kernel cpu domain (d0 = 8, d1 = 4 reduction) {
    // expected-error @below {{'pruner.compute' op C14: expected both 'inside' and 'place', or neither}}
    "pruner.compute"(%A, %B) <{
        inside = array<i64: 8>, loop_dims = array<i64: 1, 0>, loop_extents = array<i64: 4, 8>,
        loop_levels = [#pruner<loop_kind serial>, #pruner<loop_kind unroll>], loop_steps = array<i64: 1, 1>,
        maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
        operandSegmentSizes = array<i32: 0, 1, 1>, role = #pruner<role update>, unroll = 1 : i64}> ({
    ^bb0(%x: f32, %y: f32):
      %0 = arith.addf %y, %x : f32
      pruner.yield %0 : f32
    }) : (memref<8x4xf32>, memref<8xf32>) -> ()
  }
  return
}
