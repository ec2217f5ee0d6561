// One broken rule per part; functions are named after the rule.
// RUN: pruner-opt %s -split-input-file -verify-diagnostics --allow-unregistered-dialect

func.func @K1() {
  // expected-error @below {{'pruner.kernel' op K1: dimension d1 has extent 0, which is less than 1}}
  pruner.kernel cpu domain (d0 = 4, d1 = 0) {
  }
  return
}

// -----

func.func @K2() {
  // expected-error @below {{'pruner.kernel' op K2: the domain has no dimension}}
  pruner.kernel cpu domain () {
  }
  return
}

// -----

func.func @K2_flags() {
  // expected-error @below {{'pruner.kernel' op K2: 2 extents but 1 reduction flags}}
  "pruner.kernel"() <{target = #pruner<target cpu>, extents = array<i64: 4, 8>, reductions = array<i1: false>}> ({
  ^bb0:
  }) : () -> ()
  return
}

// -----

func.func @K3_gpu_band_on_cpu() {
  pruner.kernel cpu domain (d0 = 4) {
    // expected-error @below {{'pruner.band' op K3: a 'block' band in a kernel for cpu}}
    pruner.band block (%i = d0 trips 4 step 1) {
    }
  }
  return
}

// -----

func.func @K3_cpu_band_on_gpu() {
  pruner.kernel gpu domain (d0 = 4) {
    // expected-error @below {{'pruner.band' op K3: a 'core' band in a kernel for gpu}}
    pruner.band core (%i = d0 trips 4 step 1) {
    }
  }
  return
}

// -----

func.func @K3_vector_band_on_gpu() {
  pruner.kernel gpu domain (d0 = 4) {
    // expected-error @below {{'pruner.band' op K3: a 'vector' band in a kernel for gpu}}
    pruner.band vector (%i = d0 trips 4 step 1) {
    }
  }
  return
}

// -----

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

func.func @K4_on_cpu() {
  // expected-error @below {{'pruner.kernel' op K4: unroll_max is 16 in a kernel for cpu, expected 0}}
  pruner.kernel cpu domain (d0 = 4) unroll_max 16 {
  }
  return
}

// -----

func.func @K4_negative() {
  // expected-error @below {{'pruner.kernel' op K4: unroll_max is -1 in a kernel for gpu, expected at least 0}}
  pruner.kernel gpu domain (d0 = 4) unroll_max -1 {
  }
  return
}

// -----

func.func @K5_kernel_in_kernel() {
  // expected-error @below {{'pruner.kernel' op K5: holds 'pruner.kernel'; only 'pruner.band', 'pruner.alloc', 'pruner.packed', 'pruner.stage' and 'pruner.compute' may stand here}}
  pruner.kernel cpu domain (d0 = 4) {
    pruner.kernel cpu domain (d0 = 4) {
    }
  }
  return
}

// -----

func.func @K5_in_band() {
  pruner.kernel cpu domain (d0 = 4) {
    // expected-error @below {{'pruner.band' op K5: holds 'test.op'; only 'pruner.band', 'pruner.alloc', 'pruner.packed', 'pruner.stage' and 'pruner.compute' may stand here}}
    pruner.band serial (%i = d0 trips 4 step 1) {
      "test.op"() : () -> ()
    }
  }
  return
}

// -----

func.func @B1() {
  pruner.kernel cpu domain (d0 = 4) {
    // expected-error @below {{'pruner.band' op B1: 1 dims, 2 trips, 1 steps and 1 block arguments}}
    "pruner.band"() <{level = #pruner<loop_kind serial>, dims = array<i64: 0>, trips = array<i64: 4, 4>, steps = array<i64: 1>}> ({
    ^bb0(%i: index):
    }) : () -> ()
  }
  return
}

// -----

func.func @B1_type() {
  pruner.kernel cpu domain (d0 = 4) {
    // expected-error @below {{'pruner.band' op B1: block argument #0 is of type 'i32', expected 'index'}}
    "pruner.band"() <{level = #pruner<loop_kind serial>, dims = array<i64: 0>, trips = array<i64: 4>, steps = array<i64: 1>}> ({
    ^bb0(%i: i32):
    }) : () -> ()
  }
  return
}

// -----

func.func @B2_trips() {
  pruner.kernel cpu domain (d0 = 4) {
    // expected-error @below {{'pruner.band' op B2: loop 0 has 0 trips and step 1, both must be at least 1}}
    pruner.band serial (%i = d0 trips 0 step 1) {
    }
  }
  return
}

// -----

func.func @B2_step() {
  pruner.kernel cpu domain (d0 = 4, d1 = 4) {
    // expected-error @below {{'pruner.band' op B2: loop 1 has 4 trips and step -1, both must be at least 1}}
    pruner.band serial (%i = d0 trips 4 step 1, %j = d1 trips 4 step -1) {
    }
  }
  return
}

// -----

func.func @B3() {
  pruner.kernel cpu domain (d0 = 4) {
    // expected-error @below {{'pruner.band' op B3: loop 0 is over d1 but the domain has 1 dimensions}}
    pruner.band serial (%i = d1 trips 4 step 1) {
    }
  }
  return
}

// -----

func.func @B4_core() {
  pruner.kernel cpu domain (d0 = 4) {
    pruner.band serial (%i = d0 trips 4 step 1) {
      // expected-error @below {{'pruner.band' op B4: a 'core' band must be outermost}}
      pruner.band core (%j = d0 trips 4 step 1) {
      }
    }
  }
  return
}

// -----

func.func @B4_block() {
  pruner.kernel gpu domain (d0 = 4) {
    pruner.band thread (%i = d0 trips 4 step 1) {
      // expected-error @below {{'pruner.band' op B4: a 'block' band must be outermost}}
      pruner.band block (%j = d0 trips 4 step 1) {
      }
    }
  }
  return
}

// -----

func.func @B4_thread() {
  pruner.kernel gpu domain (d0 = 4) {
    pruner.band block (%i = d0 trips 4 step 1) {
      pruner.band serial (%j = d0 trips 4 step 1) {
        // expected-error @below {{'pruner.band' op B4: a 'thread' band inside a 'serial' band}}
        pruner.band thread (%k = d0 trips 4 step 1) {
        }
      }
    }
  }
  return
}

// -----

func.func @B5_core() {
  pruner.kernel cpu domain (d0 = 4, d1 = 8 reduction) {
    // expected-error @below {{'pruner.band' op B5: loop 1 of a 'core' band is over the reduction dimension d1}}
    pruner.band core (%i = d0 trips 4 step 1, %k = d1 trips 8 step 1) {
    }
  }
  return
}

// -----

func.func @B5_vthread() {
  pruner.kernel gpu domain (d0 = 8 reduction) {
    // expected-error @below {{'pruner.band' op B5: loop 0 of a 'vthread' band is over the reduction dimension d0}}
    pruner.band vthread (%k = d0 trips 8 step 1) {
    }
  }
  return
}

// -----

// Blocks along a reduction must not write over each other.
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

// The map tells the blocks apart, the position does not.
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
    // expected-error @below {{'pruner.compute' op C10: prefetch has 1 numbers, a dimension and a distance are 2}}
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
    // expected-error @below {{'pruner.compute' op C10: prefetch along d2, which is no parallel dimension of the 2}}
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
    // expected-error @below {{'pruner.compute' op C10: prefetch along d1, which is no parallel dimension of the 2}}
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

func.func @band_outside() {
  // expected-error @below {{'pruner.band' op must stand in a 'pruner.kernel'}}
  pruner.band serial (%i = d0 trips 4 step 1) {
  }
  return
}

// -----

func.func @alloc_outside() {
  // expected-error @below {{'pruner.alloc' op must stand in a 'pruner.kernel'}}
  %a = pruner.alloc "a" at () shape [8] layout affine_map<(d0) -> (d0)> : memref<8xf32, #pruner.memory<local>>
  return
}

// -----

func.func @A1_coordinates() {
  pruner.kernel cpu domain (d0 = 8) {
    // expected-error @below {{'pruner.alloc' op A1: layout takes 2 coordinates but the tensor has 1}}
    %a = pruner.alloc "a" at () shape [8] layout affine_map<(d0, d1) -> (d0)> : memref<8xf32, #pruner.memory<local>>
  }
  return
}

// -----

func.func @A1_results() {
  pruner.kernel cpu domain (d0 = 8) {
    // expected-error @below {{'pruner.alloc' op A1: layout gives 2 coordinates but the buffer has 1}}
    %a = pruner.alloc "a" at () shape [8] layout affine_map<(d0) -> (d0, d0)> : memref<8xf32, #pruner.memory<local>>
  }
  return
}

// -----

func.func @A1_term() {
  pruner.kernel cpu domain (d0 = 8) {
    // expected-error @below {{'pruner.alloc' op A1: result #1 of the layout is not a coordinate, its floordiv or its mod}}
    %a = pruner.alloc "a" at () shape [8] layout affine_map<(d0) -> (d0 floordiv 4, d0 mod 4 + 1)> : memref<2x5xf32, #pruner.memory<local>>
  }
  return
}

// -----

func.func @A1_constant() {
  pruner.kernel cpu domain (d0 = 8) {
    // expected-error @below {{'pruner.alloc' op A1: result #0 of the layout is not a coordinate, its floordiv or its mod}}
    %a = pruner.alloc "a" at () shape [8] layout affine_map<(d0) -> (d0 mod 1, d0)> : memref<1x8xf32, #pruner.memory<local>>
  }
  return
}

// -----

func.func @A1_shape() {
  pruner.kernel cpu domain (d0 = 8) {
    // expected-error @below {{'pruner.alloc' op A1: coordinate #0 of the tensor has extent 0, which is less than 1}}
    %a = pruner.alloc "a" at () shape [0] layout affine_map<(d0) -> (d0)> : memref<8xf32, #pruner.memory<local>>
  }
  return
}

// -----

func.func @A2_dynamic() {
  pruner.kernel cpu domain (d0 = 8) {
    // expected-error @below {{'pruner.alloc' op A2: 'memref<?xf32, #pruner.memory<local>>' must have a static shape, the identity layout and a #pruner.memory level}}
    %a = pruner.alloc "a" at () shape [8] layout affine_map<(d0) -> (d0)> : memref<?xf32, #pruner.memory<local>>
  }
  return
}

// -----

func.func @A2_layout() {
  pruner.kernel cpu domain (d0 = 8) {
    // expected-error @below {{'pruner.alloc' op A2: 'memref<8xf32, strided<[2]>, #pruner.memory<local>>' must have a static shape, the identity layout and a #pruner.memory level}}
    %a = pruner.alloc "a" at () shape [8] layout affine_map<(d0) -> (d0)> : memref<8xf32, strided<[2]>, #pruner.memory<local>>
  }
  return
}

// -----

func.func @A2_level() {
  pruner.kernel cpu domain (d0 = 8) {
    // expected-error @below {{'pruner.alloc' op A2: 'memref<8xf32, 3>' must have a static shape, the identity layout and a #pruner.memory level}}
    %a = pruner.alloc "a" at () shape [8] layout affine_map<(d0) -> (d0)> : memref<8xf32, 3>
  }
  return
}

// -----

func.func @A3_no_loop(%n: index) {
  pruner.kernel cpu domain (d0 = 8) {
    // expected-error @below {{'pruner.alloc' op A3: offset #0 is not an induction variable of a 'pruner.band'}}
    %a = pruner.alloc "a" at (%n) shape [8] layout affine_map<(d0) -> (d0)> : memref<8xf32, #pruner.memory<local>>
  }
  return
}

// -----

func.func @A3_twice() {
  pruner.kernel cpu domain (d0 = 8) {
    pruner.band serial (%i = d0 trips 8 step 1) {
      // expected-error @below {{'pruner.alloc' op A3: offset #1 is given twice}}
      %a = pruner.alloc "a" at (%i, %i) shape [8] layout affine_map<(d0) -> (d0)> : memref<8xf32, #pruner.memory<local>>
    }
  }
  return
}

// -----

func.func @A1_of_stage(%x: memref<16x4xf32>) {
  pruner.kernel gpu domain (d0 = 16, d1 = 4) {
    pruner.band block (%i = d0 trips 2 step 8) {
      // expected-error @below {{'pruner.stage' op A1: layout gives 1 coordinates but the buffer has 2}}
      %s = pruner.stage "x" operand 0 at (%i) box [8, 4]
          of affine_map<(d0, d1) -> (d0, d1)> shape [16, 4]
          layout affine_map<(d0, d1) -> (d0)> vector 1 threads 1
          ins(%x : memref<16x4xf32>) maps [affine_map<(d0, d1) -> (d0, d1)>]
          -> memref<8x4xf32, #pruner.memory<shared>> {
      ^bb0(%e: f32):
        pruner.yield %e : f32
      }
    }
  }
  return
}

// -----

func.func @A2_of_stage(%x: memref<16x4xf32>) {
  pruner.kernel gpu domain (d0 = 16, d1 = 4) {
    pruner.band block (%i = d0 trips 2 step 8) {
      // expected-error @below {{'pruner.stage' op A2: 'memref<8x4xf32>' must have a static shape, the identity layout and a #pruner.memory level}}
      %s = pruner.stage "x" operand 0 at (%i) box [8, 4]
          of affine_map<(d0, d1) -> (d0, d1)> shape [16, 4]
          layout affine_map<(d0, d1) -> (d0, d1)> vector 1 threads 1
          ins(%x : memref<16x4xf32>) maps [affine_map<(d0, d1) -> (d0, d1)>]
          -> memref<8x4xf32> {
      ^bb0(%e: f32):
        pruner.yield %e : f32
      }
    }
  }
  return
}

// -----

func.func @A3_of_stage(%x: memref<16x4xf32>) {
  pruner.kernel gpu domain (d0 = 16, d1 = 4) {
    pruner.band block (%i = d0 trips 2 step 8) {
      // expected-error @below {{'pruner.stage' op A3: offset #1 is given twice}}
      %s = pruner.stage "x" operand 0 at (%i, %i) box [8, 4]
          of affine_map<(d0, d1) -> (d0, d1)> shape [16, 4]
          layout affine_map<(d0, d1) -> (d0, d1)> vector 1 threads 1
          ins(%x : memref<16x4xf32>) maps [affine_map<(d0, d1) -> (d0, d1)>]
          -> memref<8x4xf32, #pruner.memory<shared>> {
      ^bb0(%e: f32):
        pruner.yield %e : f32
      }
    }
  }
  return
}

// -----

func.func @T1_count(%x: memref<16x4xf32>) {
  pruner.kernel gpu domain (d0 = 16, d1 = 4) {
    pruner.band block (%i = d0 trips 2 step 8) {
      // expected-error @below {{'pruner.stage' op T1: 0 maps for 1 inputs}}
      %s = pruner.stage "x" operand 0 at (%i) box [8, 4]
          of affine_map<(d0, d1) -> (d0, d1)> shape [16, 4]
          layout affine_map<(d0, d1) -> (d0, d1)> vector 1 threads 1
          ins(%x : memref<16x4xf32>) maps []
          -> memref<8x4xf32, #pruner.memory<shared>> {
      ^bb0(%e: f32):
        pruner.yield %e : f32
      }
    }
  }
  return
}

// -----

func.func @T1_map(%x: memref<16x4xf32>) {
  pruner.kernel gpu domain (d0 = 16, d1 = 4) {
    pruner.band block (%i = d0 trips 2 step 8) {
      // expected-error @below {{'pruner.stage' op T1: map #0 takes 2 coordinates to 1, expected 2 to 2}}
      %s = pruner.stage "x" operand 0 at (%i) box [8, 4]
          of affine_map<(d0, d1) -> (d0, d1)> shape [16, 4]
          layout affine_map<(d0, d1) -> (d0, d1)> vector 1 threads 1
          ins(%x : memref<16x4xf32>) maps [affine_map<(d0, d1) -> (d0)>]
          -> memref<8x4xf32, #pruner.memory<shared>> {
      ^bb0(%e: f32):
        pruner.yield %e : f32
      }
    }
  }
  return
}

// -----

func.func @T2_box(%x: memref<16x4xf32>) {
  pruner.kernel gpu domain (d0 = 16, d1 = 4) {
    pruner.band block (%i = d0 trips 2 step 8) {
      // expected-error @below {{'pruner.stage' op T2: box has 1, shape 2 and map 2 coordinates}}
      %s = pruner.stage "x" operand 0 at (%i) box [8]
          of affine_map<(d0, d1) -> (d0, d1)> shape [16, 4]
          layout affine_map<(d0, d1) -> (d0, d1)> vector 1 threads 1
          ins(%x : memref<16x4xf32>) maps [affine_map<(d0, d1) -> (d0, d1)>]
          -> memref<8x4xf32, #pruner.memory<shared>> {
      ^bb0(%e: f32):
        pruner.yield %e : f32
      }
    }
  }
  return
}

// -----

func.func @T2_map_results(%x: memref<16x4xf32>) {
  pruner.kernel gpu domain (d0 = 16, d1 = 4) {
    pruner.band block (%i = d0 trips 2 step 8) {
      // expected-error @below {{'pruner.stage' op T2: box has 2, shape 2 and map 1 coordinates}}
      %s = pruner.stage "x" operand 0 at (%i) box [8, 4]
          of affine_map<(d0, d1) -> (d0)> shape [16, 4]
          layout affine_map<(d0, d1) -> (d0, d1)> vector 1 threads 1
          ins(%x : memref<16x4xf32>) maps [affine_map<(d0, d1) -> (d0, d1)>]
          -> memref<8x4xf32, #pruner.memory<shared>> {
      ^bb0(%e: f32):
        pruner.yield %e : f32
      }
    }
  }
  return
}

// -----

func.func @T2_map_dims(%x: memref<16x4xf32>) {
  pruner.kernel gpu domain (d0 = 16, d1 = 4) {
    pruner.band block (%i = d0 trips 2 step 8) {
      // expected-error @below {{'pruner.stage' op T2: map takes 3 dimensions and 0 symbols but the domain has 2 dimensions}}
      %s = pruner.stage "x" operand 0 at (%i) box [8, 4]
          of affine_map<(d0, d1, d2) -> (d0, d1)> shape [16, 4]
          layout affine_map<(d0, d1) -> (d0, d1)> vector 1 threads 1
          ins(%x : memref<16x4xf32>) maps [affine_map<(d0, d1) -> (d0, d1)>]
          -> memref<8x4xf32, #pruner.memory<shared>> {
      ^bb0(%e: f32):
        pruner.yield %e : f32
      }
    }
  }
  return
}

// -----

func.func @T2_map_symbols(%x: memref<16x4xf32>) {
  pruner.kernel gpu domain (d0 = 16, d1 = 4) {
    pruner.band block (%i = d0 trips 2 step 8) {
      // expected-error @below {{'pruner.stage' op T2: map takes 2 dimensions and 1 symbols but the domain has 2 dimensions}}
      %s = pruner.stage "x" operand 0 at (%i) box [8, 4]
          of affine_map<(d0, d1)[s0] -> (d0, d1 + s0)> shape [16, 4]
          layout affine_map<(d0, d1) -> (d0, d1)> vector 1 threads 1
          ins(%x : memref<16x4xf32>) maps [affine_map<(d0, d1) -> (d0, d1)>]
          -> memref<8x4xf32, #pruner.memory<shared>> {
      ^bb0(%e: f32):
        pruner.yield %e : f32
      }
    }
  }
  return
}

// -----

func.func @T2_empty(%x: memref<16x4xf32>) {
  pruner.kernel gpu domain (d0 = 16, d1 = 4) {
    pruner.band block (%i = d0 trips 2 step 8) {
      // expected-error @below {{'pruner.stage' op T2: box has 0 elements along coordinate #1, which is less than 1}}
      %s = pruner.stage "x" operand 0 at (%i) box [8, 0]
          of affine_map<(d0, d1) -> (d0, d1)> shape [16, 4]
          layout affine_map<(d0, d1) -> (d0, d1)> vector 1 threads 1
          ins(%x : memref<16x4xf32>) maps [affine_map<(d0, d1) -> (d0, d1)>]
          -> memref<8x4xf32, #pruner.memory<shared>> {
      ^bb0(%e: f32):
        pruner.yield %e : f32
      }
    }
  }
  return
}

// -----

func.func @T3_arguments(%x: memref<16x4xf32>) {
  pruner.kernel gpu domain (d0 = 16, d1 = 4) {
    pruner.band block (%i = d0 trips 2 step 8) {
      // expected-error @below {{'pruner.stage' op T3: the body takes ('f16') but the operands have elements ('f32')}}
      %s = pruner.stage "x" operand 0 at (%i) box [8, 4]
          of affine_map<(d0, d1) -> (d0, d1)> shape [16, 4]
          layout affine_map<(d0, d1) -> (d0, d1)> vector 1 threads 1
          ins(%x : memref<16x4xf32>) maps [affine_map<(d0, d1) -> (d0, d1)>]
          -> memref<8x4xf32, #pruner.memory<shared>> {
      ^bb0(%e: f16):
        %0 = arith.extf %e : f16 to f32
        pruner.yield %0 : f32
      }
    }
  }
  return
}

// -----

func.func @T3_result(%x: memref<16x4xf32>) {
  pruner.kernel gpu domain (d0 = 16, d1 = 4) {
    pruner.band block (%i = d0 trips 2 step 8) {
      // expected-error @below {{'pruner.stage' op T3: the body yields 'f16' but the buffer has elements 'f32'}}
      %s = pruner.stage "x" operand 0 at (%i) box [8, 4]
          of affine_map<(d0, d1) -> (d0, d1)> shape [16, 4]
          layout affine_map<(d0, d1) -> (d0, d1)> vector 1 threads 1
          ins(%x : memref<16x4xf32>) maps [affine_map<(d0, d1) -> (d0, d1)>]
          -> memref<8x4xf32, #pruner.memory<shared>> {
      ^bb0(%e: f32):
        %0 = arith.truncf %e : f32 to f16
        pruner.yield %0 : f16
      }
    }
  }
  return
}

// -----

func.func @T4_vector(%x: memref<16x4xf32>) {
  pruner.kernel gpu domain (d0 = 16, d1 = 4) {
    pruner.band block (%i = d0 trips 2 step 8) {
      // expected-error @below {{'pruner.stage' op T4: vector is 0 and threads is 1, both must be at least 1}}
      %s = pruner.stage "x" operand 0 at (%i) box [8, 4]
          of affine_map<(d0, d1) -> (d0, d1)> shape [16, 4]
          layout affine_map<(d0, d1) -> (d0, d1)> vector 0 threads 1
          ins(%x : memref<16x4xf32>) maps [affine_map<(d0, d1) -> (d0, d1)>]
          -> memref<8x4xf32, #pruner.memory<shared>> {
      ^bb0(%e: f32):
        pruner.yield %e : f32
      }
    }
  }
  return
}

// -----

func.func @T4_threads(%x: memref<16x4xf32>) {
  pruner.kernel gpu domain (d0 = 16, d1 = 4) {
    pruner.band block (%i = d0 trips 2 step 8) {
      // expected-error @below {{'pruner.stage' op T4: vector is 1 and threads is -2, both must be at least 1}}
      %s = pruner.stage "x" operand 0 at (%i) box [8, 4]
          of affine_map<(d0, d1) -> (d0, d1)> shape [16, 4]
          layout affine_map<(d0, d1) -> (d0, d1)> vector 1 threads -2
          ins(%x : memref<16x4xf32>) maps [affine_map<(d0, d1) -> (d0, d1)>]
          -> memref<8x4xf32, #pruner.memory<shared>> {
      ^bb0(%e: f32):
        pruner.yield %e : f32
      }
    }
  }
  return
}

// -----

func.func @T5(%x: memref<16x4xf32>) {
  pruner.kernel gpu domain (d0 = 16, d1 = 4) {
    pruner.band block (%i = d0 trips 2 step 8) {
      // expected-error @below {{'pruner.stage' op T5: operand is -1, which is less than 0}}
      %s = pruner.stage "x" operand -1 at (%i) box [8, 4]
          of affine_map<(d0, d1) -> (d0, d1)> shape [16, 4]
          layout affine_map<(d0, d1) -> (d0, d1)> vector 1 threads 1
          ins(%x : memref<16x4xf32>) maps [affine_map<(d0, d1) -> (d0, d1)>]
          -> memref<8x4xf32, #pruner.memory<shared>> {
      ^bb0(%e: f32):
        pruner.yield %e : f32
      }
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
      // expected-error @below {{'pruner.compute' op C2: loop 0 has extent 0 and step 1, both must be at least 1}}
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
      // expected-error @below {{'pruner.compute' op C2: loop 1 has extent 4 and step 0, both must be at least 1}}
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
    "pruner.compute"(%x) <{role = #pruner<role map>, loop_dims = array<i64: 0>, loop_extents = array<i64: 8, 8>, loop_steps = array<i64: 1>, loop_levels = array<i32: 5>, maps = [affine_map<(d0) -> (d0)>], operandSegmentSizes = array<i32: 0, 0, 1>}> ({
      %0 = arith.constant 0.0 : f32
      pruner.yield %0 : f32
    }) : (memref<8xf32>) -> ()
  }
  return
}

// -----

func.func @C2_unknown_level(%x: memref<8xf32>) {
  pruner.kernel cpu domain (d0 = 8) {
    // expected-error @below {{'pruner.compute' op C2: loop 0 is on level 'unknown', expected 'serial', 'unroll' or 'vector'}}
    "pruner.compute"(%x) <{role = #pruner<role map>, loop_dims = array<i64: 0>, loop_extents = array<i64: 8>, loop_steps = array<i64: 1>, loop_levels = array<i32: 99>, maps = [affine_map<(d0) -> (d0)>], operandSegmentSizes = array<i32: 0, 0, 1>}> ({
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
      // expected-error @below {{'pruner.compute' op C4: operand #1 begins at its offset #0, which is not among the statement's 0 offsets}}
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
      // expected-error @below {{'pruner.compute' op C7: unroll is 0, which is less than 1}}
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
  // expected-error @below {{'pruner.compute' op must stand in a 'pruner.kernel'}}
  pruner.compute map at () loops (d0 unroll 8) ins() outs(%x : memref<8xf32>)
      maps [affine_map<(d0) -> (d0)>] {
    %0 = arith.constant 0.0 : f32
    pruner.yield %0 : f32
  }
  return
}

// -----

func.func @dimension_order() {
  // expected-error @below {{expected 'd1' but found 'd2'}}
  pruner.kernel cpu domain (d0 = 4, d2 = 4) {
  }
  return
}

// -----

func.func @dimension_name() {
  pruner.kernel cpu domain (d0 = 4) {
    // expected-error @below {{expected a dimension like 'd0'}}
    pruner.band serial (%i = x0 trips 4 step 1) {
    }
  }
  return
}

// -----

func.func @T6(%x: memref<16x4xf32>) {
  pruner.kernel gpu domain (d0 = 16, d1 = 4) {
    pruner.band block (%i = d0 trips 2 step 8) {
      // expected-error @below {{'pruner.stage' op T6: padding is of type 'f64' but the buffer has elements 'f32'}}
      %s = pruner.stage "x" operand 0 at (%i) box [8, 4]
          of affine_map<(d0, d1) -> (d0, d1)> shape [16, 4]
          layout affine_map<(d0, d1) -> (d0, d1)> padding 0.0 : f64 vector 1 threads 1
          ins(%x : memref<16x4xf32>) maps [affine_map<(d0, d1) -> (d0, d1)>]
          -> memref<8x4xf32, #pruner.memory<shared>> {
      ^bb0(%e: f32):
        pruner.yield %e : f32
      }
    }
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

func.func @P1(%m: memref<4x8xf32>) {
  %x = memref.alloc() : memref<4x8xf32>
  pruner.kernel cpu domain (d0 = 8) {
    // expected-error @below {{'pruner.packed' op P1: the source is not an argument of the kernel's function}}
    %p = pruner.packed %x shape [32] layout affine_map<(d0) -> (d0 floordiv 8, d0 mod 8)> : memref<4x8xf32>
  }
  return
}

// -----

func.func @A1_packed(%m: memref<4x8xf32>) {
  pruner.kernel cpu domain (d0 = 8) {
    // expected-error @below {{'pruner.packed' op A1: layout gives 1 coordinates but the buffer has 2}}
    %p = pruner.packed %m shape [32] layout affine_map<(d0) -> (d0)> : memref<4x8xf32>
  }
  return
}

// -----

// expected-error @below {{'func.func' op 'pruner.constant' of argument #0 must be a unit attribute}}
func.func @constant(%m: tensor<4x8xf32> {pruner.constant = 1}) {
  return
}
