// Device code, expanded as for NVVM, run on the CPU: large angles that need the
// full reduction in some threads only, and powers of negative numbers.

// RUN: pruner-opt %s --pruner-expand-math | pruner-emulate - --kernel=sine --block=8 --print=1 2>/dev/null | FileCheck %s --check-prefix=SINE
// SINE: argument 1: 0 -0.487506 -0.851302 -0.993268 -0.893315 -0.685028 0.230123 0.549888
// RUN: pruner-opt %s --pruner-expand-math | pruner-emulate - --kernel=power --block=8 --print=1 2>/dev/null | FileCheck %s --check-prefix=POWER
// POWER: argument 1: 1 -1 4 -27 256 -3125 46656 -823543

// No call of a library is left.
// RUN: pruner-opt %s --pruner-to-nvvm | FileCheck %s
// CHECK-NOT: llvm.call
// CHECK-NOT: llvm.intr.{{sin|pow}}

gpu.module @kernels {
  gpu.func @sine(%in: memref<8xf32>, %out: memref<8xf32>) kernel {
    %scale = arith.constant 1.0e10 : f32
    %t = gpu.thread_id x
    %v = memref.load %in[%t] : memref<8xf32>
    %x = arith.mulf %v, %scale : f32
    %y = math.sin %x : f32
    memref.store %y, %out[%t] : memref<8xf32>
    gpu.return
  }
  gpu.func @power(%in: memref<8xf32>, %out: memref<8xf32>) kernel {
    %t = gpu.thread_id x
    %v = memref.load %in[%t] : memref<8xf32>
    %x = arith.negf %v : f32
    %y = math.powf %x, %v : f32
    memref.store %y, %out[%t] : memref<8xf32>
    gpu.return
  }
}
