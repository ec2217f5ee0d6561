// Rule C12: the matrix instruction of a statement.
//
// RUN: pruner-opt %s -split-input-file -verify-diagnostics

func.func @unknown(%A: memref<8x64xi8>, %B: memref<64x16xi8>, %C: memref<8x16xi32>) {
  pruner.kernel cpu domain (d0 = 8, d1 = 16, d2 = 64 reduction) {
    %b = pruner.stage "b" operand 1 at () box [64, 16] of affine_map<(d0, d1, d2) -> (d2, d1)> shape [64, 16]
        layout affine_map<(d0, d1) -> (d0 floordiv 4, d1, d0 mod 4)> vector 16 threads 1
        ins(%B : memref<64x16xi8>) maps [affine_map<(d0, d1) -> (d0, d1)>] -> memref<16x16x4xi8, #pruner.memory<local>> {
    ^bb0(%e: i8):
      pruner.yield %e : i8
    }
    // expected-error @below {{'pruner.compute' op C12: unknown instruction 'vpdpbus'}}
    pruner.compute update at () loops (d2 serial 16 step 4, d0 unroll 8, d2 dot 4, d1 vector 16) by "vpdpbus" 
        ins(%A, %b : memref<8x64xi8>, memref<16x16x4xi8, #pruner.memory<local>>) outs(%C : memref<8x16xi32>)
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] {
    ^bb0(%x: i8, %y: i8, %s: i32):
      %p = arith.extui %x : i8 to i32
      %q = arith.extsi %y : i8 to i32
      %m = arith.muli %p, %q : i32
      %r = arith.addi %s, %m : i32
      pruner.yield %r : i32
    }
  }
  return
}

// -----

func.func @none(%A: memref<8x64xi8>, %B: memref<64x16xi8>, %C: memref<8x16xi32>) {
  pruner.kernel cpu domain (d0 = 8, d1 = 16, d2 = 64 reduction) {
    %b = pruner.stage "b" operand 1 at () box [64, 16] of affine_map<(d0, d1, d2) -> (d2, d1)> shape [64, 16]
        layout affine_map<(d0, d1) -> (d0 floordiv 4, d1, d0 mod 4)> vector 16 threads 1
        ins(%B : memref<64x16xi8>) maps [affine_map<(d0, d1) -> (d0, d1)>] -> memref<16x16x4xi8, #pruner.memory<local>> {
    ^bb0(%e: i8):
      pruner.yield %e : i8
    }
    // expected-error @below {{'pruner.compute' op C12: loop 2 is a 'dot' loop, but the statement has no instruction}}
    pruner.compute update at () loops (d2 serial 16 step 4, d0 unroll 8, d2 dot 4, d1 vector 16) 
        ins(%A, %b : memref<8x64xi8>, memref<16x16x4xi8, #pruner.memory<local>>) outs(%C : memref<8x16xi32>)
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] {
    ^bb0(%x: i8, %y: i8, %s: i32):
      %p = arith.extui %x : i8 to i32
      %q = arith.extsi %y : i8 to i32
      %m = arith.muli %p, %q : i32
      %r = arith.addi %s, %m : i32
      pruner.yield %r : i32
    }
  }
  return
}

// -----

func.func @no_dot(%A: memref<8x64xi8>, %B: memref<64x16xi8>, %C: memref<8x16xi32>) {
  pruner.kernel cpu domain (d0 = 8, d1 = 16, d2 = 64 reduction) {
    %b = pruner.stage "b" operand 1 at () box [64, 16] of affine_map<(d0, d1, d2) -> (d2, d1)> shape [64, 16]
        layout affine_map<(d0, d1) -> (d0 floordiv 4, d1, d0 mod 4)> vector 16 threads 1
        ins(%B : memref<64x16xi8>) maps [affine_map<(d0, d1) -> (d0, d1)>] -> memref<16x16x4xi8, #pruner.memory<local>> {
    ^bb0(%e: i8):
      pruner.yield %e : i8
    }
    // expected-error @below {{'pruner.compute' op C12: instruction 'vpdpbusd': expected a 'dot' and a 'vector' loop innermost}}
    pruner.compute update at () loops (d2 serial 64, d0 unroll 8, d1 vector 16) by "vpdpbusd" 
        ins(%A, %b : memref<8x64xi8>, memref<16x16x4xi8, #pruner.memory<local>>) outs(%C : memref<8x16xi32>)
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] {
    ^bb0(%x: i8, %y: i8, %s: i32):
      %p = arith.extui %x : i8 to i32
      %q = arith.extsi %y : i8 to i32
      %m = arith.muli %p, %q : i32
      %r = arith.addi %s, %m : i32
      pruner.yield %r : i32
    }
  }
  return
}

// -----

func.func @terms(%A: memref<8x64xi8>, %B: memref<64x16xi8>, %C: memref<8x16xi32>) {
  pruner.kernel cpu domain (d0 = 8, d1 = 16, d2 = 64 reduction) {
    %b = pruner.stage "b" operand 1 at () box [64, 16] of affine_map<(d0, d1, d2) -> (d2, d1)> shape [64, 16]
        layout affine_map<(d0, d1) -> (d0 floordiv 4, d1, d0 mod 4)> vector 16 threads 1
        ins(%B : memref<64x16xi8>) maps [affine_map<(d0, d1) -> (d0, d1)>] -> memref<16x16x4xi8, #pruner.memory<local>> {
    ^bb0(%e: i8):
      pruner.yield %e : i8
    }
    // expected-error @below {{'pruner.compute' op C12: instruction 'vpdpbusd': expected a 'dot' loop of 4 terms, but it has 8}}
    pruner.compute update at () loops (d2 serial 8 step 8, d0 unroll 8, d2 dot 8, d1 vector 16) by "vpdpbusd" 
        ins(%A, %b : memref<8x64xi8>, memref<16x16x4xi8, #pruner.memory<local>>) outs(%C : memref<8x16xi32>)
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] {
    ^bb0(%x: i8, %y: i8, %s: i32):
      %p = arith.extui %x : i8 to i32
      %q = arith.extsi %y : i8 to i32
      %m = arith.muli %p, %q : i32
      %r = arith.addi %s, %m : i32
      pruner.yield %r : i32
    }
  }
  return
}

// -----

func.func @step(%A: memref<8x64xi8>, %B: memref<64x16xi8>, %C: memref<8x16xi32>) {
  pruner.kernel cpu domain (d0 = 8, d1 = 16, d2 = 64 reduction) {
    %b = pruner.stage "b" operand 1 at () box [64, 16] of affine_map<(d0, d1, d2) -> (d2, d1)> shape [64, 16]
        layout affine_map<(d0, d1) -> (d0 floordiv 4, d1, d0 mod 4)> vector 16 threads 1
        ins(%B : memref<64x16xi8>) maps [affine_map<(d0, d1) -> (d0, d1)>] -> memref<16x16x4xi8, #pruner.memory<local>> {
    ^bb0(%e: i8):
      pruner.yield %e : i8
    }
    // expected-error @below {{'pruner.compute' op C12: instruction 'vpdpbusd': loop 0 divides the terms of a sum}}
    pruner.compute update at () loops (d2 serial 32 step 2, d0 unroll 8, d2 dot 4, d1 vector 16) by "vpdpbusd" 
        ins(%A, %b : memref<8x64xi8>, memref<16x16x4xi8, #pruner.memory<local>>) outs(%C : memref<8x16xi32>)
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] {
    ^bb0(%x: i8, %y: i8, %s: i32):
      %p = arith.extui %x : i8 to i32
      %q = arith.extsi %y : i8 to i32
      %m = arith.muli %p, %q : i32
      %r = arith.addi %s, %m : i32
      pruner.yield %r : i32
    }
  }
  return
}

// -----

func.func @width(%A: memref<8x64xi8>, %B: memref<64x16xi8>, %C: memref<8x16xi32>) {
  pruner.kernel cpu domain (d0 = 8, d1 = 16, d2 = 64 reduction) {
    %b = pruner.stage "b" operand 1 at () box [64, 16] of affine_map<(d0, d1, d2) -> (d2, d1)> shape [64, 16]
        layout affine_map<(d0, d1) -> (d0 floordiv 4, d1, d0 mod 4)> vector 16 threads 1
        ins(%B : memref<64x16xi8>) maps [affine_map<(d0, d1) -> (d0, d1)>] -> memref<16x16x4xi8, #pruner.memory<local>> {
    ^bb0(%e: i8):
      pruner.yield %e : i8
    }
    // expected-error @below {{'pruner.compute' op C12: instruction 'vpdpbusd': has no registers of 8 bytes}}
    pruner.compute update at () loops (d2 serial 16 step 4, d0 unroll 8, d1 unroll 8 step 2, d2 dot 4, d1 vector 2) by "vpdpbusd" 
        ins(%A, %b : memref<8x64xi8>, memref<16x16x4xi8, #pruner.memory<local>>) outs(%C : memref<8x16xi32>)
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] {
    ^bb0(%x: i8, %y: i8, %s: i32):
      %p = arith.extui %x : i8 to i32
      %q = arith.extsi %y : i8 to i32
      %m = arith.muli %p, %q : i32
      %r = arith.addi %s, %m : i32
      pruner.yield %r : i32
    }
  }
  return
}

// -----

func.func @extent(%A: memref<8x62xi8>, %B: memref<62x16xi8>, %C: memref<8x16xi32>) {
  pruner.kernel cpu domain (d0 = 8, d1 = 16, d2 = 62 reduction) {
    %b = pruner.stage "b" operand 1 at () box [62, 16] of affine_map<(d0, d1, d2) -> (d2, d1)> shape [62, 16]
        layout affine_map<(d0, d1) -> (d0 floordiv 4, d1, d0 mod 4)> vector 16 threads 1
        ins(%B : memref<62x16xi8>) maps [affine_map<(d0, d1) -> (d0, d1)>] -> memref<16x16x4xi8, #pruner.memory<local>> {
    ^bb0(%e: i8):
      pruner.yield %e : i8
    }
    // expected-error @below {{'pruner.compute' op C12: instruction 'vpdpbusd': sums of 4 terms extend beyond extent 62 of d2, where input #0 has no zeros}}
    pruner.compute update at () loops (d2 serial 16 step 4, d0 unroll 8, d2 dot 4, d1 vector 16) by "vpdpbusd" 
        ins(%A, %b : memref<8x62xi8>, memref<16x16x4xi8, #pruner.memory<local>>) outs(%C : memref<8x16xi32>)
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] {
    ^bb0(%x: i8, %y: i8, %s: i32):
      %p = arith.extui %x : i8 to i32
      %q = arith.extsi %y : i8 to i32
      %m = arith.muli %p, %q : i32
      %r = arith.addi %s, %m : i32
      pruner.yield %r : i32
    }
  }
  return
}

// -----

func.func @layout(%A: memref<8x64xi8>, %B: memref<64x16xi8>, %C: memref<8x16xi32>) {
  pruner.kernel cpu domain (d0 = 8, d1 = 16, d2 = 64 reduction) {
    %b = pruner.stage "b" operand 1 at () box [64, 16] of affine_map<(d0, d1, d2) -> (d2, d1)> shape [64, 16]
        layout affine_map<(d0, d1) -> (d0, d1)> vector 16 threads 1
        ins(%B : memref<64x16xi8>) maps [affine_map<(d0, d1) -> (d0, d1)>] -> memref<64x16xi8, #pruner.memory<local>> {
    ^bb0(%e: i8):
      pruner.yield %e : i8
    }
    // expected-error @below {{'pruner.compute' op C12: instruction 'vpdpbusd': input #1 does not have groups of 4 neighbors along d2 next to each other along the vectors}}
    pruner.compute update at () loops (d2 serial 16 step 4, d0 unroll 8, d2 dot 4, d1 vector 16) by "vpdpbusd" 
        ins(%A, %b : memref<8x64xi8>, memref<64x16xi8, #pruner.memory<local>>) outs(%C : memref<8x16xi32>)
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] {
    ^bb0(%x: i8, %y: i8, %s: i32):
      %p = arith.extui %x : i8 to i32
      %q = arith.extsi %y : i8 to i32
      %m = arith.muli %p, %q : i32
      %r = arith.addi %s, %m : i32
      pruner.yield %r : i32
    }
  }
  return
}

// -----

func.func @body(%A: memref<8x64xi8>, %B: memref<64x16xi8>, %C: memref<8x16xi32>) {
  pruner.kernel cpu domain (d0 = 8, d1 = 16, d2 = 64 reduction) {
    %b = pruner.stage "b" operand 1 at () box [64, 16] of affine_map<(d0, d1, d2) -> (d2, d1)> shape [64, 16]
        layout affine_map<(d0, d1) -> (d0 floordiv 4, d1, d0 mod 4)> vector 16 threads 1
        ins(%B : memref<64x16xi8>) maps [affine_map<(d0, d1) -> (d0, d1)>] -> memref<16x16x4xi8, #pruner.memory<local>> {
    ^bb0(%e: i8):
      pruner.yield %e : i8
    }
    // expected-error @below {{'pruner.compute' op C12: instruction 'vpdpbusd': expected a body that adds the product of both extended inputs to the output}}
    pruner.compute update at () loops (d2 serial 16 step 4, d0 unroll 8, d2 dot 4, d1 vector 16) by "vpdpbusd" 
        ins(%A, %b : memref<8x64xi8>, memref<16x16x4xi8, #pruner.memory<local>>) outs(%C : memref<8x16xi32>)
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] {
    ^bb0(%x: i8, %y: i8, %s: i32):
      %p = arith.extui %x : i8 to i32
      %q = arith.extsi %y : i8 to i32
      %m = arith.addi %p, %q : i32
      %r = arith.addi %s, %m : i32
      pruner.yield %r : i32
    }
  }
  return
}

// -----

func.func @rows(%A: memref<8x64xi8>, %B: memref<64x16xi8>, %C: memref<8x16xi32>) {
  pruner.kernel cpu domain (d0 = 8, d1 = 16, d2 = 64 reduction) {
    %b = pruner.stage "b" operand 1 at () box [64, 16] of affine_map<(d0, d1, d2) -> (d2, d1)> shape [64, 16]
        layout affine_map<(d0, d1) -> (d0, d1)> vector 16 threads 1
        ins(%B : memref<64x16xi8>) maps [affine_map<(d0, d1) -> (d0, d1)>] -> memref<64x16xi8, #pruner.memory<local>> {
    ^bb0(%e: i8):
      pruner.yield %e : i8
    }
    // expected-error @below {{'pruner.compute' op C12: instruction 'tdpbusd': input #1 does not have groups of 4 neighbors along d2 next to each other along the vectors}}
    pruner.compute update at () loops (d2 serial 1 step 64, d2 dot 64, d0 rows 8, d1 vector 16) by "tdpbusd" 
        ins(%A, %b : memref<8x64xi8>, memref<64x16xi8, #pruner.memory<local>>) outs(%C : memref<8x16xi32>)
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] {
    ^bb0(%x: i8, %y: i8, %s: i32):
      %p = arith.extui %x : i8 to i32
      %q = arith.extsi %y : i8 to i32
      %m = arith.muli %p, %q : i32
      %r = arith.addi %s, %m : i32
      pruner.yield %r : i32
    }
  }
  return
}

// -----

// Behind the sums of a window there are elements of the next one, which may be
// infinite.
func.func @window(%A: memref<4x12xbf16>, %B: memref<3x16xbf16>, %C: memref<4x8x16xf32>) {
  pruner.kernel cpu domain (d0 = 4, d1 = 8, d2 = 16, d3 = 3 reduction) {
    %a = pruner.stage "a" operand 0 at () box [4, 12] of affine_map<(d0, d1, d2, d3) -> (d0, d1 + d3)> shape [4, 12]
        layout affine_map<(d0, d1) -> (d0, d1)> vector 16 threads 1
        ins(%A : memref<4x12xbf16>) maps [affine_map<(d0, d1) -> (d0, d1)>] -> memref<4x12xbf16, #pruner.memory<local>> {
    ^bb0(%e: bf16):
      pruner.yield %e : bf16
    }
    %b = pruner.stage "b" operand 1 at () box [4, 16] of affine_map<(d0, d1, d2, d3) -> (d3, d2)> shape [3, 16]
        layout affine_map<(d0, d1) -> (d0 floordiv 2, d1, d0 mod 2)> vector 16 threads 1
        ins(%B : memref<3x16xbf16>) maps [affine_map<(d0, d1) -> (d0, d1)>] -> memref<2x16x2xbf16, #pruner.memory<local>> {
    ^bb0(%e: bf16):
      pruner.yield %e : bf16
    }
    // expected-error @below {{'pruner.compute' op C12: instruction 'vdpbf16ps': sums of 2 terms extend beyond extent 3 of d3, where input #0 has no zeros}}
    pruner.compute update at () loops (d3 serial 2 step 2, d0 unroll 4, d1 unroll 8, d3 dot 2, d2 vector 16) by "vdpbf16ps"
        ins(%a, %b : memref<4x12xbf16, #pruner.memory<local>>, memref<2x16x2xbf16, #pruner.memory<local>>) outs(%C : memref<4x8x16xf32>)
        maps [affine_map<(d0, d1, d2, d3) -> (d0, d1 + d3)>, affine_map<(d0, d1, d2, d3) -> (d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>] {
    ^bb0(%x: bf16, %y: bf16, %s: f32):
      %p = arith.extf %x : bf16 to f32
      %q = arith.extf %y : bf16 to f32
      %m = arith.mulf %p, %q : f32
      %r = arith.addf %s, %m : f32
      pruner.yield %r : f32
    }
  }
  return
}

// -----

// The rows of %a are written eight elements at a time, so nothing writes the
// last eight of the 32 terms. A copy reads them as well.
func.func @partly_written(%A: memref<16x24xf32>, %B: memref<24x16xbf16>, %C: memref<16x16xf32>) {
  pruner.kernel cpu domain (d0 = 16, d1 = 16, d2 = 24 reduction) {
    %a = pruner.alloc "a" at () shape [16, 24] layout affine_map<(d0, d1) -> (d0, d1)>
        : memref<16x32xbf16, #pruner.memory<local>>
    %b = pruner.stage "b" operand 1 at () box [32, 16] of affine_map<(d0, d1, d2) -> (d2, d1)> shape [24, 16]
        layout affine_map<(d0, d1) -> (d0 floordiv 2, d1, d0 mod 2)> vector 16 threads 1
        ins(%B : memref<24x16xbf16>) maps [affine_map<(d0, d1) -> (d0, d1)>] -> memref<16x16x2xbf16, #pruner.memory<local>> {
    ^bb0(%e: bf16):
      pruner.yield %e : bf16
    }
    pruner.band serial (%k = d2 trips 3 step 8) {
      pruner.compute map at (%k) loops (d0 unroll 16, d2 vector 8)
          ins(%A : memref<16x24xf32>) outs(%a : memref<16x32xbf16, #pruner.memory<local>>)
          maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>] {
      ^bb0(%x: f32):
        %r = arith.truncf %x : f32 to bf16
        pruner.yield %r : bf16
      }
    }
    %copy = pruner.stage "copy" operand 0 at () box [16, 24] of affine_map<(d0, d1, d2) -> (d0, d2)> shape [16, 24]
        layout affine_map<(d0, d1) -> (d0, d1)> vector 8 threads 1
        ins(%a : memref<16x32xbf16, #pruner.memory<local>>) maps [affine_map<(d0, d1) -> (d0, d1)>] -> memref<16x24xbf16, #pruner.memory<local>> {
    ^bb0(%e: bf16):
      pruner.yield %e : bf16
    }
    // expected-error @below {{'pruner.compute' op C12: instruction 'tdpbf16ps': sums of 32 terms extend beyond extent 24 of d2, where input #0 has no zeros}}
    pruner.compute update at () loops (d2 serial 1 step 32, d2 dot 32, d0 rows 16, d1 vector 16) by "tdpbf16ps"
        ins(%a, %b : memref<16x32xbf16, #pruner.memory<local>>, memref<16x16x2xbf16, #pruner.memory<local>>) outs(%C : memref<16x16xf32>)
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] {
    ^bb0(%x: bf16, %y: bf16, %s: f32):
      %p = arith.extf %x : bf16 to f32
      %q = arith.extf %y : bf16 to f32
      %m = arith.mulf %p, %q : f32
      %r = arith.addf %s, %m : f32
      pruner.yield %r : f32
    }
  }
  return
}

// -----

func.func @warp_terms(%A: memref<16x64xf16>, %B: memref<64x8xf16>) {
  pruner.kernel gpu domain (d0 = 16, d1 = 8, d2 = 64 reduction) {
    %a = pruner.stage "a" operand 0 at () box [16, 32] of affine_map<(d0, d1, d2) -> (d0, d2)> shape [16, 64]
        layout affine_map<(d0, d1) -> (d0, d1)> vector 8 threads 32
        ins(%A : memref<16x64xf16>) maps [affine_map<(d0, d1) -> (d0, d1)>] -> memref<16x40xf16, #pruner.memory<shared>> {
    ^bb0(%e: f16):
      pruner.yield %e : f16
    }
    %b = pruner.stage "b" operand 1 at () box [32, 8] of affine_map<(d0, d1, d2) -> (d2, d1)> shape [64, 8]
        layout affine_map<(d0, d1) -> (d0, d1)> vector 8 threads 32
        ins(%B : memref<64x8xf16>) maps [affine_map<(d0, d1) -> (d0, d1)>] -> memref<32x8xf16, #pruner.memory<shared>> {
    ^bb0(%e: f16):
      pruner.yield %e : f16
    }
    %c = pruner.alloc "c" at () shape [16, 8] layout affine_map<(d0, d1) -> (d0, d1)> : memref<16x8xf32, #pruner.memory<local>>
    // expected-error @below {{'pruner.compute' op C12: instruction 'mma_m16n8k16_f16': expected a 'dot' loop of 16 terms with step 1 over a reduction dimension innermost}}
    pruner.compute update at () loops (d2 serial 4 step 8, d0 unroll 16, d1 unroll 8, d2 dot 8) by "mma_m16n8k16_f16"
        ins(%a, %b : memref<16x40xf16, #pruner.memory<shared>>, memref<32x8xf16, #pruner.memory<shared>>) outs(%c : memref<16x8xf32, #pruner.memory<local>>)
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] {
    ^bb0(%x: f16, %y: f16, %s: f32):
      %p = arith.extf %x : f16 to f32
      %q = arith.extf %y : f16 to f32
      %m = arith.mulf %p, %q : f32
      %r = arith.addf %s, %m : f32
      pruner.yield %r : f32
    }
  }
  return
}

// -----

func.func @warp_divided(%A: memref<16x64xf16>, %B: memref<64x8xf16>) {
  pruner.kernel gpu domain (d0 = 16, d1 = 8, d2 = 64 reduction) {
    %a = pruner.stage "a" operand 0 at () box [16, 32] of affine_map<(d0, d1, d2) -> (d0, d2)> shape [16, 64]
        layout affine_map<(d0, d1) -> (d0, d1)> vector 8 threads 32
        ins(%A : memref<16x64xf16>) maps [affine_map<(d0, d1) -> (d0, d1)>] -> memref<16x40xf16, #pruner.memory<shared>> {
    ^bb0(%e: f16):
      pruner.yield %e : f16
    }
    %b = pruner.stage "b" operand 1 at () box [32, 8] of affine_map<(d0, d1, d2) -> (d2, d1)> shape [64, 8]
        layout affine_map<(d0, d1) -> (d0, d1)> vector 8 threads 32
        ins(%B : memref<64x8xf16>) maps [affine_map<(d0, d1) -> (d0, d1)>] -> memref<32x8xf16, #pruner.memory<shared>> {
    ^bb0(%e: f16):
      pruner.yield %e : f16
    }
    %c = pruner.alloc "c" at () shape [16, 8] layout affine_map<(d0, d1) -> (d0, d1)> : memref<16x8xf32, #pruner.memory<local>>
    // expected-error @below {{'pruner.compute' op C12: instruction 'mma_m16n8k16_f16': loop 0 divides the terms of a sum}}
    pruner.compute update at () loops (d2 serial 2 step 8, d0 unroll 16, d1 unroll 8, d2 dot 16) by "mma_m16n8k16_f16"
        ins(%a, %b : memref<16x40xf16, #pruner.memory<shared>>, memref<32x8xf16, #pruner.memory<shared>>) outs(%c : memref<16x8xf32, #pruner.memory<local>>)
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] {
    ^bb0(%x: f16, %y: f16, %s: f32):
      %p = arith.extf %x : f16 to f32
      %q = arith.extf %y : f16 to f32
      %m = arith.mulf %p, %q : f32
      %r = arith.addf %s, %m : f32
      pruner.yield %r : f32
    }
  }
  return
}

// -----

func.func @warp_in_place(%A: memref<16x64xf16>, %B: memref<64x8xf16>) {
  pruner.kernel gpu domain (d0 = 16, d1 = 8, d2 = 64 reduction) {
    %b = pruner.stage "b" operand 1 at () box [32, 8] of affine_map<(d0, d1, d2) -> (d2, d1)> shape [64, 8]
        layout affine_map<(d0, d1) -> (d0, d1)> vector 8 threads 32
        ins(%B : memref<64x8xf16>) maps [affine_map<(d0, d1) -> (d0, d1)>] -> memref<32x8xf16, #pruner.memory<shared>> {
    ^bb0(%e: f16):
      pruner.yield %e : f16
    }
    %c = pruner.alloc "c" at () shape [16, 8] layout affine_map<(d0, d1) -> (d0, d1)> : memref<16x8xf32, #pruner.memory<local>>
    // expected-error @below {{'pruner.compute' op C12: instruction 'mma_m16n8k16_f16': input #0 is not staged}}
    pruner.compute update at () loops (d2 serial 2 step 16, d0 unroll 16, d1 unroll 8, d2 dot 16) by "mma_m16n8k16_f16"
        ins(%A, %b : memref<16x64xf16>, memref<32x8xf16, #pruner.memory<shared>>) outs(%c : memref<16x8xf32, #pruner.memory<local>>)
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] {
    ^bb0(%x: f16, %y: f16, %s: f32):
      %p = arith.extf %x : f16 to f32
      %q = arith.extf %y : f16 to f32
      %m = arith.mulf %p, %q : f32
      %r = arith.addf %s, %m : f32
      pruner.yield %r : f32
    }
  }
  return
}

// -----

func.func @warp_rows(%A: memref<16x64xf16>, %B: memref<64x8xf16>) {
  pruner.kernel gpu domain (d0 = 16, d1 = 8, d2 = 64 reduction) {
    %a = pruner.stage "a" operand 0 at () box [16, 32] of affine_map<(d0, d1, d2) -> (d0, d2)> shape [16, 64]
        layout affine_map<(d0, d1) -> (d0, d1)> vector 8 threads 32
        ins(%A : memref<16x64xf16>) maps [affine_map<(d0, d1) -> (d0, d1)>] -> memref<16x36xf16, #pruner.memory<shared>> {
    ^bb0(%e: f16):
      pruner.yield %e : f16
    }
    %b = pruner.stage "b" operand 1 at () box [32, 8] of affine_map<(d0, d1, d2) -> (d2, d1)> shape [64, 8]
        layout affine_map<(d0, d1) -> (d0, d1)> vector 8 threads 32
        ins(%B : memref<64x8xf16>) maps [affine_map<(d0, d1) -> (d0, d1)>] -> memref<32x8xf16, #pruner.memory<shared>> {
    ^bb0(%e: f16):
      pruner.yield %e : f16
    }
    %c = pruner.alloc "c" at () shape [16, 8] layout affine_map<(d0, d1) -> (d0, d1)> : memref<16x8xf32, #pruner.memory<local>>
    // expected-error @below {{'pruner.compute' op C12: instruction 'mma_m16n8k16_f16': input #0 has no rows of chunks of 8 elements along one dimension}}
    pruner.compute update at () loops (d2 serial 2 step 16, d0 unroll 16, d1 unroll 8, d2 dot 16) by "mma_m16n8k16_f16"
        ins(%a, %b : memref<16x36xf16, #pruner.memory<shared>>, memref<32x8xf16, #pruner.memory<shared>>) outs(%c : memref<16x8xf32, #pruner.memory<local>>)
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] {
    ^bb0(%x: f16, %y: f16, %s: f32):
      %p = arith.extf %x : f16 to f32
      %q = arith.extf %y : f16 to f32
      %m = arith.mulf %p, %q : f32
      %r = arith.addf %s, %m : f32
      pruner.yield %r : f32
    }
  }
  return
}

// -----

func.func @warp_exact(%A: memref<16x64xf16>, %B: memref<64x8xf16>) {
  pruner.kernel gpu domain (d0 = 16, d1 = 8, d2 = 64 reduction) {
    %a = pruner.stage "a" operand 0 at () box [16, 32] of affine_map<(d0, d1, d2) -> (d0, d2)> shape [16, 64]
        layout affine_map<(d0, d1) -> (d0, d1)> vector 8 threads 32
        ins(%A : memref<16x64xf16>) maps [affine_map<(d0, d1) -> (d0, d1)>] -> memref<16x40xf16, #pruner.memory<shared>> {
    ^bb0(%e: f16):
      pruner.yield %e : f16
    }
    %b = pruner.stage "b" operand 1 at () box [32, 8] of affine_map<(d0, d1, d2) -> (d2, d1)> shape [64, 8]
        layout affine_map<(d0, d1) -> (d0, d1)> vector 8 threads 32
        ins(%B : memref<64x8xf16>) maps [affine_map<(d0, d1) -> (d0, d1)>] -> memref<32x8xf16, #pruner.memory<shared>> {
    ^bb0(%e: f16):
      pruner.yield %e : f16
    }
    %c = pruner.alloc "c" at () shape [16, 8] layout affine_map<(d0, d1) -> (d0, d1)> : memref<16x8xf32, #pruner.memory<local>>
    // expected-error @below {{'pruner.compute' op C12: instruction 'mma_m16n8k8_tf32': expected a body that rounds both inputs to tf32}}
    pruner.compute update at () loops (d2 serial 4 step 8, d0 unroll 16, d1 unroll 8, d2 dot 8) by "mma_m16n8k8_tf32"
        ins(%a, %b : memref<16x40xf16, #pruner.memory<shared>>, memref<32x8xf16, #pruner.memory<shared>>) outs(%c : memref<16x8xf32, #pruner.memory<local>>)
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] {
    ^bb0(%x: f16, %y: f16, %s: f32):
      %p = arith.extf %x : f16 to f32
      %q = arith.extf %y : f16 to f32
      %m = arith.mulf %p, %q : f32
      %r = arith.addf %s, %m : f32
      pruner.yield %r : f32
    }
  }
  return
}

// -----

func.func @warp_rounded(%A: memref<16x64xf32>, %B: memref<64x8xf32>) {
  pruner.kernel gpu domain (d0 = 16, d1 = 8, d2 = 64 reduction) {
    %a = pruner.stage "a" operand 0 at () box [16, 32] of affine_map<(d0, d1, d2) -> (d0, d2)> shape [16, 64]
        layout affine_map<(d0, d1) -> (d0, d1)> vector 8 threads 32
        ins(%A : memref<16x64xf32>) maps [affine_map<(d0, d1) -> (d0, d1)>] -> memref<16x40xf32, #pruner.memory<shared>> {
    ^bb0(%e: f32):
      pruner.yield %e : f32
    }
    %b = pruner.stage "b" operand 1 at () box [32, 8] of affine_map<(d0, d1, d2) -> (d2, d1)> shape [64, 8]
        layout affine_map<(d0, d1) -> (d0, d1)> vector 8 threads 32
        ins(%B : memref<64x8xf32>) maps [affine_map<(d0, d1) -> (d0, d1)>] -> memref<32x8xf32, #pruner.memory<shared>> {
    ^bb0(%e: f32):
      pruner.yield %e : f32
    }
    %c = pruner.alloc "c" at () shape [16, 8] layout affine_map<(d0, d1) -> (d0, d1)> : memref<16x8xf32, #pruner.memory<local>>
    // expected-error @below {{'pruner.compute' op C12: instruction 'mma_m16n8k16_f16': expected a body that does not round its inputs}}
    pruner.compute update at () loops (d2 serial 4 step 8, d0 unroll 16, d1 unroll 8, d2 dot 8) by "mma_m16n8k16_f16"
        ins(%a, %b : memref<16x40xf32, #pruner.memory<shared>>, memref<32x8xf32, #pruner.memory<shared>>) outs(%c : memref<16x8xf32, #pruner.memory<local>>)
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] {
    ^bb0(%x: f32, %y: f32, %s: f32):
      %u = arith.truncf %x to_nearest_away : f32 to tf32
      %v = arith.truncf %y to_nearest_away : f32 to tf32
      %p = arith.extf %u : tf32 to f32
      %q = arith.extf %v : tf32 to f32
      %m = arith.mulf %p, %q : f32
      %r = arith.addf %s, %m : f32
      pruner.yield %r : f32
    }
  }
  return
}

// -----

// The product must not be rounded, or need not.
func.func @warp_determined(%A: memref<16x64xf16>, %B: memref<64x8xf16>) {
  pruner.kernel gpu domain (d0 = 16, d1 = 8, d2 = 64 reduction) {
    %a = pruner.stage "a" operand 0 at () box [16, 32] of affine_map<(d0, d1, d2) -> (d0, d2)> shape [16, 64]
        layout affine_map<(d0, d1) -> (d0, d1)> vector 8 threads 32
        ins(%A : memref<16x64xf16>) maps [affine_map<(d0, d1) -> (d0, d1)>] -> memref<16x40xf16, #pruner.memory<shared>> {
    ^bb0(%e: f16):
      pruner.yield %e : f16
    }
    %b = pruner.stage "b" operand 1 at () box [32, 8] of affine_map<(d0, d1, d2) -> (d2, d1)> shape [64, 8]
        layout affine_map<(d0, d1) -> (d0, d1)> vector 8 threads 32
        ins(%B : memref<64x8xf16>) maps [affine_map<(d0, d1) -> (d0, d1)>] -> memref<32x8xf16, #pruner.memory<shared>> {
    ^bb0(%e: f16):
      pruner.yield %e : f16
    }
    %c = pruner.alloc "c" at () shape [16, 8] layout affine_map<(d0, d1) -> (d0, d1)> : memref<16x8xf16, #pruner.memory<local>>
    // expected-error @below {{'pruner.compute' op C12: instruction 'mma_m16n8k8_f16_f16': expected a body that adds the product of both extended inputs to the output}}
    pruner.compute update at () loops (d2 serial 4 step 8, d0 unroll 16, d1 unroll 8, d2 dot 8) by "mma_m16n8k8_f16_f16"
        ins(%a, %b : memref<16x40xf16, #pruner.memory<shared>>, memref<32x8xf16, #pruner.memory<shared>>) outs(%c : memref<16x8xf16, #pruner.memory<local>>)
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] {
    ^bb0(%x: f16, %y: f16, %s: f16):
      %m = arith.mulf %x, %y : f16
      %r = arith.addf %s, %m fastmath<contract> : f16
      pruner.yield %r : f16
    }
  }
  return
}
