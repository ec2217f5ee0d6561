// Each part violates one rule; functions have the name of the rule.
// RUN: pruner-opt %s -split-input-file -verify-diagnostics

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

func.func @P1_shape(%m: memref<?x8xf32>) {
  pruner.kernel cpu domain (d0 = 8) {
    // expected-error @below {{'pruner.packed' op P1: 'memref<?x8xf32>' must have a static shape and the identity layout}}
    %p = pruner.packed %m shape [32] layout affine_map<(d0) -> (d0 floordiv 8, d0 mod 8)> : memref<?x8xf32>
  }
  return
}

// -----

func.func @P1_layout(%m: memref<4x8xf32, strided<[16, 1]>>) {
  pruner.kernel cpu domain (d0 = 8) {
    // expected-error @below {{'pruner.packed' op P1: 'memref<4x8xf32, strided<[16, 1]>>' must have a static shape and the identity layout}}
    %p = pruner.packed %m shape [32] layout affine_map<(d0) -> (d0 floordiv 8, d0 mod 8)> : memref<4x8xf32, strided<[16, 1]>>
  }
  return
}

// -----

func.func @type(%m: memref<4x8xf32>) {
  "pruner.kernel"() <{target = #pruner<target cpu>, extents = array<i64: 4>, reductions = array<i1: false>}> ({
    // expected-error @below {{'pruner.packed' op failed to verify that all of {source, result} have same type}}
    %p = "pruner.packed"(%m) <{shape = array<i64: 32>, layout = affine_map<(d0) -> (d0 floordiv 8, d0 mod 8)>}> : (memref<4x8xf32>) -> memref<8x4xf32>
  }) : () -> ()
  return
}
