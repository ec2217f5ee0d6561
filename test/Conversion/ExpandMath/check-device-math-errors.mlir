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

// -----

// LLVM would call functions of the compiler's runtime.
gpu.module @wide {
  gpu.func @numbers(%x: f64, %i: i128) kernel {
    // expected-error @below {{'arith.extf' op a GPU has no instruction for 'f128', expected f64 or a narrower type}}
    %0 = arith.extf %x : f64 to f128
    // expected-error @below {{'arith.mulf' op a GPU has no instruction for 'f128', expected f64 or a narrower type}}
    %1 = arith.mulf %0, %0 : f128
    // expected-error @below {{'arith.uitofp' op a GPU has no conversion for 'i128', expected an integer of at most 64 bits}}
    %2 = arith.uitofp %i : i128 to f32
    // expected-error @below {{'arith.fptosi' op a GPU has no conversion for 'i65', expected an integer of at most 64 bits}}
    %3 = arith.fptosi %x : f64 to i65
    %4 = arith.muli %i, %i : i128
    // expected-error @below {{'omp.barrier' op a GPU cannot run the threads of the host}}
    omp.barrier
    gpu.return
  }
}

// -----

// Functions of LLVM whose code calls a library.
gpu.module @intrinsics {
  gpu.func @numbers(%x: f32) kernel {
    // expected-error @below {{'llvm.intr.exp' op on 'f32' has no device instruction and no expansion}}
    %0 = llvm.intr.exp(%x) : (f32) -> f32
    %1 = llvm.intr.sqrt(%x) : (f32) -> f32
    // expected-error @below {{'llvm.intr.pow' op on 'f32' has no device instruction and no expansion}}
    %2 = llvm.intr.pow(%0, %1) : (f32, f32) -> f32
    gpu.return
  }
}
