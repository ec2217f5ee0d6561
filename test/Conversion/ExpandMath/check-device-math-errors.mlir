// RUN: pruner-opt %s --pass-pipeline='builtin.module(gpu.module(pruner-check-device-math))' --split-input-file --verify-diagnostics

// Every op is reported, not only the first.
gpu.module @f64 {
  gpu.func @functions(%x: f64, %v: vector<4xf64>) kernel {
    // expected-error @below {{'math.exp' op on 'f64' has no device instruction and no expansion; calls to a device library are not supported}}
    %0 = math.exp %x : f64
    // expected-error @below {{'math.powf' op on 'vector<4xf64>' has no device instruction and no expansion; calls to a device library are not supported}}
    %1 = math.powf %v, %v : vector<4xf64>
    gpu.return
  }
  // Functions called by kernels are checked as well.
  func.func private @called(%x: f64) -> f64 {
    // expected-error @below {{'math.tanh' op on 'f64' has no device instruction and no expansion; calls to a device library are not supported}}
    %0 = math.tanh %x : f64
    return %0 : f64
  }
}

// -----

// LLVM's remainder has no correct digit if the quotient is large.
gpu.module @remainders {
  gpu.func @remainder(%x: f32, %y: f32) kernel {
    // expected-error @below {{'arith.remf' op on 'f32' has no device instruction and no expansion; calls to a device library are not supported}}
    %0 = arith.remf %x, %y : f32
    gpu.return
  }
}

// -----

// f32 functions are reported if pruner-expand-math did not run.
gpu.module @unexpanded {
  gpu.func @sine(%x: f32, %i: i32) kernel {
    // expected-error @below {{'math.sin' op on 'f32' has no device instruction and no expansion; calls to a device library are not supported}}
    %0 = math.sin %x : f32
    // expected-error @below {{'math.ipowi' op on 'i32' has no device instruction and no expansion; calls to a device library are not supported}}
    %1 = math.ipowi %i, %i : i32
    gpu.return
  }
}
