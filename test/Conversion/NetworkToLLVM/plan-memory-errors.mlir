// RUN: pruner-opt %s --pruner-plan-memory --split-input-file --verify-diagnostics

func.func @returned() -> memref<16xf32> {
  // expected-error @below {{this buffer outlives the block that allocates it, so it is unknown when it can be freed}}
  %a = memref.alloc() : memref<16xf32>
  return %a : memref<16xf32>
}

// -----

func.func @carried(%x: memref<16xf32>, %c0: index, %c8: index, %c1: index) {
  scf.for %i = %c0 to %c8 step %c1 iter_args(%old = %x) -> memref<16xf32> {
    // expected-error @below {{this buffer outlives the block that allocates it, so it is unknown when it can be freed}}
    %a = memref.alloc() : memref<16xf32>
    memref.copy %old, %a : memref<16xf32> to memref<16xf32>
    scf.yield %a : memref<16xf32>
  }
  return
}

// -----

// Twice the largest size that a tensor may have.
func.func @huge() {
  // expected-error @below {{a buffer of type 'memref<549755813888xf32>' exceeds the limit of 1099511627776 bytes}}
  %a = memref.alloc() : memref<549755813888xf32>
  memref.copy %a, %a : memref<549755813888xf32> to memref<549755813888xf32>
  return
}

// -----

// The product does not fit in 64 bits.
func.func @overflow() {
  // expected-error @below {{a buffer of type 'memref<4611686018427387904x8xf32>' exceeds the limit of 1099511627776 bytes}}
  %a = memref.alloc() : memref<4611686018427387904x8xf32>
  memref.copy %a, %a : memref<4611686018427387904x8xf32> to memref<4611686018427387904x8xf32>
  return
}

// -----

// A branch passes its own buffer to the code behind it.
func.func @chosen(%c: i1, %x: memref<16xf32>) {
  %y = scf.if %c -> memref<16xf32> {
    // expected-error @below {{this buffer outlives the block that allocates it, so it is unknown when it can be freed}}
    %a = memref.alloc() : memref<16xf32>
    scf.yield %a : memref<16xf32>
  } else {
    scf.yield %x : memref<16xf32>
  }
  memref.copy %y, %x : memref<16xf32> to memref<16xf32>
  return
}

// -----

// An unknown operation may return a view.
func.func private @other(memref<16xf32>) -> memref<16xf32>
func.func @returned_by_call(%y: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  // expected-error @below {{'func.call' returns a buffer, so the lifetime of its buffers is unknown}}
  %b = call @other(%a) : (memref<16xf32>) -> memref<16xf32>
  memref.copy %b, %y : memref<16xf32> to memref<16xf32>
  return
}

// -----

func.func @grown(%n: index) {
  %a = memref.alloc() : memref<16xf32>
  // expected-error @below {{'memref.realloc' returns a buffer, so the lifetime of its buffers is unknown}}
  %b = memref.realloc %a(%n) : memref<16xf32> to memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  return
}

// -----

func.func @address() -> index {
  %a = memref.alloc() : memref<16xf32>
  // expected-error @below {{'memref.extract_aligned_pointer_as_index' returns the address of a buffer, so the lifetime of its buffers is unknown}}
  %b = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  return %b : index
}

// -----

func.func @pointer() {
  %a = memref.alloc() : memref<16xf32>
  // expected-error @below {{'builtin.unrealized_conversion_cast' returns the address of a buffer, so the lifetime of its buffers is unknown}}
  %b = builtin.unrealized_conversion_cast %a : memref<16xf32> to !llvm.ptr
  llvm.call @free(%b) : (!llvm.ptr) -> ()
  return
}
llvm.func @free(!llvm.ptr)

// -----

func.func @stored(%x: memref<memref<16xf32>>) {
  %a = memref.alloc() : memref<16xf32>
  // expected-error @below {{'memref.store' may store a buffer in a buffer, so the lifetime of its buffers is unknown}}
  memref.store %a, %x[] : memref<memref<16xf32>>
  return
}
