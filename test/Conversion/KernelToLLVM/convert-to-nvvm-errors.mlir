// RUN: pruner-opt %s --pass-pipeline='builtin.module(gpu.module(pruner-convert-to-nvvm))' --split-input-file --verify-diagnostics
// RUN: not pruner-opt %s --pruner-to-nvvm=index-bitwidth=16 --split-input-file 2>&1 | FileCheck %s --check-prefix=WIDTH
// WIDTH: error: 'gpu.module' op index-bitwidth must be 0, 32 or 64, not 16

gpu.module @dynamic {
  // expected-error @below {{failed to legalize operation 'gpu.func'}}
  gpu.func @k(%p: memref<?xf32>) kernel {
    gpu.return
  }
}

// -----

gpu.module @loop {
  gpu.func @k(%p: memref<4xf32>, %z: f32) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    // expected-error @below {{failed to legalize operation 'scf.for'}}
    scf.for %i = %c0 to %c4 step %c1 {
      memref.store %z, %p[%i] : memref<4xf32>
    }
    gpu.return
  }
}

// -----

gpu.module @host {
  gpu.func @k(%n: index) kernel {
    // expected-error @below {{failed to legalize operation 'omp.barrier'}}
    omp.barrier
    gpu.return
  }
}

// -----

gpu.module @spaces {
  // expected-error @below {{failed to legalize operation 'gpu.func'}}
  gpu.func @k(%p: memref<4xf32, "device">) kernel {
    gpu.return
  }
}
