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
    // expected-error @below {{'pruner.compute' op C12: instruction 'vpdpbusd': extent 62 of d2 is not a multiple of 4}}
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
