// RUN: pruner-opt %s --pruner-to-nvvm --verify-diagnostics

gpu.module @m {
  gpu.func @k(%p: memref<4xf64>) kernel {
    %c0 = arith.constant 0 : index
    %x = memref.load %p[%c0] : memref<4xf64>
    // expected-error @+1 {{'math.exp' op on 'f64' has no device instruction and no expansion; calls to a device library are not supported}}
    %y = math.exp %x : f64
    // expected-error @+1 {{'arith.remf' op on 'f64' has no device instruction and no expansion; calls to a device library are not supported}}
    %z = arith.remf %y, %x : f64
    memref.store %z, %p[%c0] : memref<4xf64>
    gpu.return
  }
}
