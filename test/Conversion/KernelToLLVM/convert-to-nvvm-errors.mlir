// RUN: pruner-opt %s --pruner-to-nvvm=index-bitwidth=16 --verify-diagnostics

// expected-error @+1 {{'gpu.module' op index-bitwidth must be 32 or 64, not 16}}
gpu.module @m {
  gpu.func @k() kernel {
    gpu.return
  }
}
