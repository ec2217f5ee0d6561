// Each part violates one rule; functions have the name of the rule.
// RUN: pruner-opt %s -split-input-file -verify-diagnostics

func.func @alloc_outside() {
  // expected-error @below {{'pruner.alloc' op expects parent op to be one of 'pruner.kernel, pruner.band'}}
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
    // expected-error @below {{'pruner.alloc' op attribute 'shape' failed to satisfy constraint: i64 dense array attribute whose value is positive}}
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

// expected-error @below {{expected ::pruner::MemoryKind to be one of: shared, local}}
// expected-error @below {{failed to parse Pruner_MemoryAttr parameter 'value' which is to be a `::pruner::MemoryKind`}}
func.func private @memory(memref<4xf32, #pruner.memory<global>>)
