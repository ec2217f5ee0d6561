// Tiles are chosen, or not, by the rates of the targets: F(4x4, 3x3) saves most
// products, but its filter, of 36 instead of 9 numbers, is read from memory.
// All targets must profit, and no GPU does.
//
// RUN: pruner-machine --json cpu > %t.cpu.json
// RUN: %python %S/Inputs/cpu_rates.py 128 1000 < %t.cpu.json > %t.fast.json
// RUN: %python %S/Inputs/cpu_rates.py 128 16 < %t.cpu.json > %t.slow.json
//
// RUN: pruner-opt %s --pruner-relax-accuracy='accuracy=winograd targets=file:%t.fast.json' | FileCheck %s --check-prefixes=CHECK,FAST
// RUN: pruner-opt %s --pruner-relax-accuracy='accuracy=winograd targets=file:%t.slow.json' | FileCheck %s --check-prefixes=CHECK,SLOW
// RUN: pruner-opt %s --pruner-relax-accuracy='accuracy=winograd targets=file:%t.slow.json,file:%t.fast.json' | FileCheck %s --check-prefixes=CHECK,SLOW
// RUN: pruner-opt %s --pruner-relax-accuracy='accuracy=winograd targets=nvidia:sm_80' | FileCheck %s --check-prefixes=CHECK,NONE

// CHECK-LABEL: func @large(
// FAST:          linalg.batch_matmul ins({{.*}} : tensor<36x49x128xf32>, tensor<36x128x128xf32>)
// SLOW:          linalg.batch_matmul ins({{.*}} : tensor<36x49x128xf32>, tensor<36x128x128xf32>)
// NONE:          linalg.conv_2d_nchw_fchw
func.func @large(%x: tensor<1x128x30x30xf32>, %w: tensor<128x128x3x3xf32> {pruner.constant}) -> tensor<1x128x28x28xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x128x28x28xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x128x28x28xf32>) -> tensor<1x128x28x28xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x128x30x30xf32>, tensor<128x128x3x3xf32>)
      outs(%z : tensor<1x128x28x28xf32>) -> tensor<1x128x28x28xf32>
  return %r : tensor<1x128x28x28xf32>
}

// CHECK-LABEL: func @deep(
// FAST:          linalg.batch_matmul ins({{.*}} : tensor<36x4x512xf32>, tensor<36x512x512xf32>)
// SLOW:          linalg.conv_2d_nchw_fchw
// NONE:          linalg.conv_2d_nchw_fchw
func.func @deep(%x: tensor<1x512x9x9xf32>, %w: tensor<512x512x3x3xf32> {pruner.constant}) -> tensor<1x512x7x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x512x7x7xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x512x7x7xf32>) -> tensor<1x512x7x7xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x512x9x9xf32>, tensor<512x512x3x3xf32>)
      outs(%z : tensor<1x512x7x7xf32>) -> tensor<1x512x7x7xf32>
  return %r : tensor<1x512x7x7xf32>
}
