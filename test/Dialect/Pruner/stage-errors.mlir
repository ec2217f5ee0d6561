// Each part violates one rule; functions have the name of the rule.
// RUN: pruner-opt %s -split-input-file -verify-diagnostics

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
      // expected-error @below {{'pruner.stage' op attribute 'box' failed to satisfy constraint: i64 dense array attribute whose value is positive}}
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
      // expected-error @below {{'pruner.stage' op attribute 'vector' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
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
      // expected-error @below {{'pruner.stage' op attribute 'threads' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
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
      // expected-error @below {{'pruner.stage' op attribute 'input' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
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

func.func @T7_band(%x: memref<16x4xf32>) {
  pruner.kernel gpu domain (d0 = 16, d1 = 4) {
    pruner.band block (%i = d0 trips 2 step 8) {
      // expected-error @below {{'pruner.stage' op T7: a copy with 2 buffers must be directly in a 'serial' band of a kernel for gpu}}
      %s = pruner.stage "x" operand 0 at (%i) box [8, 4]
          of affine_map<(d0, d1) -> (d0, d1)> shape [16, 4]
          layout affine_map<(d0, d1) -> (d0, d1)> vector 1 threads 1 buffers 2
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

func.func @T7_target(%x: memref<16x4xf32>) {
  pruner.kernel cpu domain (d0 = 16, d1 = 4) {
    pruner.band serial (%i = d0 trips 2 step 8) {
      // expected-error @below {{'pruner.stage' op T7: a copy with 2 buffers must be directly in a 'serial' band of a kernel for gpu}}
      %s = pruner.stage "x" operand 0 at (%i) box [8, 4]
          of affine_map<(d0, d1) -> (d0, d1)> shape [16, 4]
          layout affine_map<(d0, d1) -> (d0, d1)> vector 1 threads 1 buffers 2
          ins(%x : memref<16x4xf32>) maps [affine_map<(d0, d1) -> (d0, d1)>]
          -> memref<8x4xf32, #pruner.memory<local>> {
      ^bb0(%e: f32):
        pruner.yield %e : f32
      }
    }
  }
  return
}

// -----

func.func @T8_buffers(%x: memref<16x4xf32>) {
  pruner.kernel gpu domain (d0 = 16, d1 = 4) {
    pruner.band serial (%i = d0 trips 2 step 8) {
      // expected-error @below {{'pruner.stage' op T8: an asynchronous copy needs several buffers}}
      %s = pruner.stage "x" operand 0 at (%i) box [8, 4]
          of affine_map<(d0, d1) -> (d0, d1)> shape [16, 4]
          layout affine_map<(d0, d1) -> (d0, d1)> vector 1 threads 1 async
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

func.func @T8_body(%x: memref<16x4xf32>) {
  pruner.kernel gpu domain (d0 = 16, d1 = 4) {
    pruner.band serial (%i = d0 trips 2 step 8) {
      // expected-error @below {{'pruner.stage' op T8: an asynchronous copy must yield the element of its only input}}
      %s = pruner.stage "x" operand 0 at (%i) box [8, 4]
          of affine_map<(d0, d1) -> (d0, d1)> shape [16, 4]
          layout affine_map<(d0, d1) -> (d0, d1)> vector 1 threads 1 buffers 2 async
          ins(%x : memref<16x4xf32>) maps [affine_map<(d0, d1) -> (d0, d1)>]
          -> memref<8x4xf32, #pruner.memory<shared>> {
      ^bb0(%e: f32):
        %0 = arith.negf %e : f32
        pruner.yield %0 : f32
      }
    }
  }
  return
}

// -----

func.func @T1_linear(%x: memref<16x4xf32>) {
  pruner.kernel gpu domain (d0 = 16, d1 = 4) {
    pruner.band block (%i = d0 trips 2 step 8) {
      // expected-error @below {{'pruner.stage' op T1: map #0 is affine_map<(d0, d1) -> (d0 mod 4, d1)>, expected a linear one}}
      %s = pruner.stage "x" operand 0 at (%i) box [8, 4]
          of affine_map<(d0, d1) -> (d0, d1)> shape [16, 4]
          layout affine_map<(d0, d1) -> (d0, d1)> vector 1 threads 1
          ins(%x : memref<16x4xf32>) maps [affine_map<(d0, d1) -> (d0 mod 4, d1)>]
          -> memref<8x4xf32, #pruner.memory<shared>> {
      ^bb0(%e: f32):
        pruner.yield %e : f32
      }
    }
  }
  return
}

// -----

func.func @T2_linear(%x: memref<16x4xf32>) {
  pruner.kernel gpu domain (d0 = 16, d1 = 4) {
    pruner.band block (%i = d0 trips 2 step 8) {
      // expected-error @below {{'pruner.stage' op T2: map is affine_map<(d0, d1) -> (d0 floordiv 2, d1)>, expected a linear one}}
      %s = pruner.stage "x" operand 0 at (%i) box [8, 4]
          of affine_map<(d0, d1) -> (d0 floordiv 2, d1)> shape [16, 4]
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
