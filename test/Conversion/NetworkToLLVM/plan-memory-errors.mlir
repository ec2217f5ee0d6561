// RUN: pruner-opt %s --pruner-plan-memory --split-input-file --verify-diagnostics

func.func @returned() -> memref<16xf32> {
  // expected-error @below {{this buffer outlives the block it is made in, so there is no telling when it can be freed}}
  %a = memref.alloc() : memref<16xf32>
  return %a : memref<16xf32>
}

// -----

func.func @carried(%x: memref<16xf32>, %c0: index, %c8: index, %c1: index) {
  scf.for %i = %c0 to %c8 step %c1 iter_args(%old = %x) -> memref<16xf32> {
    // expected-error @below {{this buffer outlives the block it is made in, so there is no telling when it can be freed}}
    %a = memref.alloc() : memref<16xf32>
    memref.copy %old, %a : memref<16xf32> to memref<16xf32>
    scf.yield %a : memref<16xf32>
  }
  return
}

// -----

// Twice the largest size that a tensor may have.
func.func @huge() {
  // expected-error @below {{a buffer of type 'memref<549755813888xf32>' has more than 1099511627776 bytes}}
  %a = memref.alloc() : memref<549755813888xf32>
  memref.copy %a, %a : memref<549755813888xf32> to memref<549755813888xf32>
  return
}

// -----

// A product that no number of 64 bits holds.
func.func @overflow() {
  // expected-error @below {{a buffer of type 'memref<4611686018427387904x8xf32>' has more than 1099511627776 bytes}}
  %a = memref.alloc() : memref<4611686018427387904x8xf32>
  memref.copy %a, %a : memref<4611686018427387904x8xf32> to memref<4611686018427387904x8xf32>
  return
}

// -----

// A branch gives a buffer of its own to the code behind it.
func.func @chosen(%c: i1, %x: memref<16xf32>) {
  %y = scf.if %c -> memref<16xf32> {
    // expected-error @below {{this buffer outlives the block it is made in, so there is no telling when it can be freed}}
    %a = memref.alloc() : memref<16xf32>
    scf.yield %a : memref<16xf32>
  } else {
    scf.yield %x : memref<16xf32>
  }
  memref.copy %y, %x : memref<16xf32> to memref<16xf32>
  return
}
