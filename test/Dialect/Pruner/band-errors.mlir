// Each part violates one rule; functions have the name of the rule.
// RUN: pruner-opt %s -split-input-file -verify-diagnostics --allow-unregistered-dialect

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

func.func @K5_in_band() {
  pruner.kernel cpu domain (d0 = 4) {
    // expected-error @below {{'pruner.band' op K5: contains 'test.op'; only 'pruner.band', 'pruner.alloc', 'pruner.packed', 'pruner.stage' and 'pruner.compute' are allowed here}}
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
    // expected-error @below {{'pruner.band' op attribute 'trips' failed to satisfy constraint: i64 dense array attribute whose value is positive}}
    pruner.band serial (%i = d0 trips 0 step 1) {
    }
  }
  return
}

// -----

func.func @B2_step() {
  pruner.kernel cpu domain (d0 = 4, d1 = 4) {
    // expected-error @below {{'pruner.band' op attribute 'steps' failed to satisfy constraint: i64 dense array attribute whose value is positive}}
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

func.func @band_outside() {
  // expected-error @below {{'pruner.band' op expects parent op to be one of 'pruner.kernel, pruner.band'}}
  pruner.band serial (%i = d0 trips 4 step 1) {
  }
  return
}

// -----

func.func @level() {
  pruner.kernel cpu domain (d0 = 4) {
    // expected-error @below {{expected one of [core, block, thread, vthread, serial, unroll, vector, dot, rows] for kind of loop, got: warp}}
    pruner.band warp (%i = d0 trips 4 step 1) {
    }
  }
  return
}

// -----

func.func @B6() {
  pruner.kernel cpu domain (d0 = 4) {
    // expected-error @below {{'pruner.band' op B6: a 'dot' band, but only statements have such loops}}
    pruner.band dot (%i = d0 trips 4 step 1) {
    }
  }
  return
}

// -----

func.func @no_block() {
  pruner.kernel cpu domain (d0 = 4) {
    // expected-error @below {{'pruner.band' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
    "pruner.band"() <{level = #pruner<loop_kind core>, dims = array<i64>, trips = array<i64>, steps = array<i64>}> ({
    }) : () -> ()
  }
  return
}
