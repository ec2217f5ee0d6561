// Each part violates one rule; functions have the name of the rule.
// RUN: pruner-opt %s -split-input-file -verify-diagnostics

func.func @K1() {
  // expected-error @below {{'pruner.kernel' op attribute 'extents' failed to satisfy constraint: i64 dense array attribute whose value is positive}}
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

func.func @K4_on_cpu() {
  // expected-error @below {{'pruner.kernel' op K4: unroll_max is 16 in a kernel for cpu, expected 0}}
  pruner.kernel cpu domain (d0 = 4) unroll_max 16 {
  }
  return
}

// -----

func.func @K4_negative() {
  // expected-error @below {{'pruner.kernel' op attribute 'unroll_max' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  pruner.kernel gpu domain (d0 = 4) unroll_max -1 {
  }
  return
}

// -----

func.func @K5_kernel_in_kernel() {
  // expected-error @below {{'pruner.kernel' op K5: contains 'pruner.kernel'; only 'pruner.band', 'pruner.alloc', 'pruner.packed', 'pruner.stage' and 'pruner.compute' are allowed here}}
  pruner.kernel cpu domain (d0 = 4) {
    pruner.kernel cpu domain (d0 = 4) {
    }
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

func.func @target() {
  // expected-error @below {{expected one of [cpu, gpu] for kind of device, got: tpu}}
  pruner.kernel tpu domain (d0 = 4) {
  }
  return
}

// -----

func.func @large() {
  // expected-error @below {{integer value too large}}
  pruner.kernel cpu domain (d0 = 99999999999999999999) {
  }
  return
}

// -----

func.func @no_extents() {
  // expected-error @below {{'pruner.kernel' op requires attribute 'extents'}}
  "pruner.kernel"() <{target = #pruner<target cpu>, reductions = array<i1: false>}> ({
  ^bb0:
  }) : () -> ()
  return
}

// -----

func.func @no_block() {
  // expected-error @below {{'pruner.kernel' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
  "pruner.kernel"() <{target = #pruner<target cpu>, extents = array<i64: 4>, reductions = array<i1: false>}> ({
  }) : () -> ()
  return
}

// -----

func.func @two_blocks() {
  // expected-error @below {{'pruner.kernel' op expects region #0 to have 0 or 1 blocks}}
  "pruner.kernel"() <{target = #pruner<target cpu>, extents = array<i64: 4>, reductions = array<i1: false>}> ({
  ^first:
  ^second:
  }) : () -> ()
  return
}

// -----

func.func @block_arguments() {
  // expected-error @below {{'pruner.kernel' op region should have no arguments}}
  pruner.kernel cpu domain (d0 = 4) {
  ^bb0(%x: f32):
  }
  return
}
