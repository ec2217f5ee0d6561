// RUN: pruner-machine --json cpu > %t.cpu.json
// RUN: %python %S/Inputs/cpu_with.py +avx512f,+avx512bw,+amx-tile,+amx-bf16 4 < %t.cpu.json > %t.amx.json
// RUN: %python %S/Inputs/cpu_with.py +avx512f,+avx512bw,+avx512bf16 4 < %t.cpu.json > %t.slow.json
// RUN: pruner-opt %s --pruner-widen-factors='targets=file:%t.amx.json' | FileCheck %s --check-prefixes=CHECK,AMX
// RUN: pruner-opt %s --pruner-widen-factors='targets=file:%t.slow.json' | FileCheck %s --check-prefixes=CHECK,SLOW
// RUN: pruner-opt %s --pruner-widen-factors='targets=nvidia:sm_80' | FileCheck %s --check-prefixes=CHECK,GPU
// RUN: pruner-opt %s --pruner-widen-factors='targets=file:%t.slow.json,nvidia:sm_80' | FileCheck %s --check-prefixes=CHECK,GPU
// RUN: not pruner-opt %s --pruner-widen-factors='targets=nvidia:none' 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: option 'targets': {{.*}}none

// No CPU adds products of f16 in f32. AMX does so for bf16.
// CHECK-LABEL: func @half(
// AMX:           %[[X:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<64x64xf16>) outs(%{{.*}} : tensor<64x64xf32>)
// AMX:             arith.extf
// AMX:           linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<64x64xf32>, tensor<64x64xf32>)
// SLOW:          linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<64x64xf32>, tensor<64x64xf32>)
// GPU:           linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<64x64xf16>, tensor<64x64xf16>)
func.func @half(%x: tensor<64x64xf16>, %y: tensor<64x64xf16>, %z: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %r = linalg.matmul ins(%x, %y : tensor<64x64xf16>, tensor<64x64xf16>) outs(%z : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// The extension is in front of the pad. An element is read nine times.
// CHECK-LABEL: func @convolution(
// AMX-NOT:       f32 to
// AMX:           linalg.conv_2d_nhwc_hwcf {{.*}} ins(%{{.*}} : tensor<1x14x16x16xbf16>, tensor<3x3x16x32xbf16>)
// SLOW:          %[[X:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<1x12x14x16xbf16>) outs(%{{.*}} : tensor<1x12x14x16xf32>)
// SLOW:            arith.extf
// SLOW:          %[[P:.*]] = tensor.pad %[[X]]
// SLOW:          linalg.conv_2d_nhwc_hwcf {{.*}} ins(%[[P]], %{{.*}} : tensor<1x14x16x16xf32>, tensor<3x3x16x32xf32>)
// GPU:           linalg.conv_2d_nhwc_hwcf {{.*}} ins(%{{.*}} : tensor<1x14x16x16xbf16>, tensor<3x3x16x32xbf16>)
func.func @convolution(%x: tensor<1x12x14x16xbf16>, %y: tensor<3x3x16x32xbf16>, %z: tensor<1x12x14x32xf32>) -> tensor<1x12x14x32xf32> {
  %zero = arith.constant 0.0 : bf16
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %w: index, %c: index):
    tensor.yield %zero : bf16
  } : tensor<1x12x14x16xbf16> to tensor<1x14x16x16xbf16>
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%p, %y : tensor<1x14x16x16xbf16>, tensor<3x3x16x32xbf16>) outs(%z : tensor<1x12x14x32xf32>) -> tensor<1x12x14x32xf32>
  return %r : tensor<1x12x14x32xf32>
}

// Each weight is read four times, or the product is small: extensions stay.
// CHECK-LABEL: func @stay(
// CHECK:         linalg.matmul ins(%{{.*}} : tensor<4x256xf16>, tensor<256x256xf16>)
// CHECK:         linalg.matmul ins(%{{.*}} : tensor<16x16xf16>, tensor<16x16xf16>)
func.func @stay(%x: tensor<4x256xf16>, %y: tensor<256x256xf16>, %z: tensor<4x256xf32>, %a: tensor<16x16xf16>,
                %b: tensor<16x16xf32>) -> (tensor<4x256xf32>, tensor<16x16xf32>) {
  %0 = linalg.matmul ins(%x, %y : tensor<4x256xf16>, tensor<256x256xf16>) outs(%z : tensor<4x256xf32>) -> tensor<4x256xf32>
  %1 = linalg.matmul ins(%a, %a : tensor<16x16xf16>, tensor<16x16xf16>) outs(%b : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %0, %1 : tensor<4x256xf32>, tensor<16x16xf32>
}
