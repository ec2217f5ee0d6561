// REQUIRES: full, ptxas
//
// The first drafts for tensor cores fit into the registers of a thread: products
// and convolutions of several sizes. The addresses of copies take many registers
// besides the accumulators, above all those of windows. The rows of the smallest
// image are those of a batch, because its own 7 columns fill no product.
//
// RUN: pruner-opt %s --pruner-draft='lower=false target=nvidia:sm_80' -o %t.draft.mlir
// RUN: grep -c 'instruction = mma_m16n8k16_f16' %t.draft.mlir | FileCheck %s --check-prefix=COUNT
// RUN: pruner-opt %t.draft.mlir --pruner-tile=target=nvidia:sm_80 --convert-pruner-to-gpu --pruner-to-nvvm -o %t.lowered.mlir
// RUN: pruner-translate %t.lowered.mlir --to=ptx --chip=sm_80 -o %t.ptx
// RUN: ptxas -arch=sm_80 -v %t.ptx -o %t.cubin 2>&1 | grep 'spill stores' | sort | uniq -c | FileCheck %s

// One draft splits its sum, which takes a second kernel.
// COUNT: {{^}}13{{$}}
// CHECK: 14 {{.*}} 0 bytes spill stores, 0 bytes spill loads
// CHECK-NOT: spill

func.func @product_512(%a: tensor<512x512xf16>, %b: tensor<512x512xf16>) -> tensor<512x512xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x512xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
  %r = linalg.matmul ins(%a, %b : tensor<512x512xf16>, tensor<512x512xf16>) outs(%i : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %r : tensor<512x512xf32>
}

func.func @product_4096(%a: tensor<4096x4096xf16>, %b: tensor<4096x4096xf16>) -> tensor<4096x4096xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4096x4096xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %r = linalg.matmul ins(%a, %b : tensor<4096x4096xf16>, tensor<4096x4096xf16>) outs(%i : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  return %r : tensor<4096x4096xf32>
}

func.func @product_333(%a: tensor<333x500xf16>, %b: tensor<500x777xf16>) -> tensor<333x777xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<333x777xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<333x777xf32>) -> tensor<333x777xf32>
  %r = linalg.matmul ins(%a, %b : tensor<333x500xf16>, tensor<500x777xf16>) outs(%i : tensor<333x777xf32>) -> tensor<333x777xf32>
  return %r : tensor<333x777xf32>
}

func.func @window_56(%x: tensor<32x58x58x64xf16>, %w: tensor<3x3x64x64xf16>) -> tensor<32x56x56x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x56x56x64xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<32x56x56x64xf32>) -> tensor<32x56x56x64xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<32x58x58x64xf16>, tensor<3x3x64x64xf16>) outs(%i : tensor<32x56x56x64xf32>) -> tensor<32x56x56x64xf32>
  return %r : tensor<32x56x56x64xf32>
}

func.func @window_56_alone(%x: tensor<1x58x58x64xf16>, %w: tensor<3x3x64x64xf16>) -> tensor<1x56x56x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x56x56x64xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<1x58x58x64xf16>, tensor<3x3x64x64xf16>) outs(%i : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  return %r : tensor<1x56x56x64xf32>
}

func.func @window_28(%x: tensor<32x30x30x128xf16>, %w: tensor<3x3x128x128xf16>) -> tensor<32x28x28x128xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x28x28x128xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<32x28x28x128xf32>) -> tensor<32x28x28x128xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<32x30x30x128xf16>, tensor<3x3x128x128xf16>) outs(%i : tensor<32x28x28x128xf32>) -> tensor<32x28x28x128xf32>
  return %r : tensor<32x28x28x128xf32>
}

func.func @window_28_strided(%x: tensor<32x57x57x128xf16>, %w: tensor<3x3x128x128xf16>) -> tensor<32x28x28x128xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x28x28x128xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<32x28x28x128xf32>) -> tensor<32x28x28x128xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>}
      ins(%x, %w : tensor<32x57x57x128xf16>, tensor<3x3x128x128xf16>) outs(%i : tensor<32x28x28x128xf32>) -> tensor<32x28x28x128xf32>
  return %r : tensor<32x28x28x128xf32>
}

func.func @window_112(%x: tensor<16x114x114x32xf16>, %w: tensor<3x3x32x64xf16>) -> tensor<16x112x112x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x112x112x64xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<16x112x112x64xf32>) -> tensor<16x112x112x64xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<16x114x114x32xf16>, tensor<3x3x32x64xf16>) outs(%i : tensor<16x112x112x64xf32>) -> tensor<16x112x112x64xf32>
  return %r : tensor<16x112x112x64xf32>
}

func.func @pixel_56(%x: tensor<32x56x56x64xf16>, %w: tensor<1x1x64x256xf16>) -> tensor<32x56x56x256xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x56x56x256xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<32x56x56x256xf32>) -> tensor<32x56x56x256xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<32x56x56x64xf16>, tensor<1x1x64x256xf16>) outs(%i : tensor<32x56x56x256xf32>) -> tensor<32x56x56x256xf32>
  return %r : tensor<32x56x56x256xf32>
}

func.func @pixel_14(%x: tensor<32x14x14x1024xf16>, %w: tensor<1x1x1024x256xf16>) -> tensor<32x14x14x256xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x14x14x256xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<32x14x14x256xf32>) -> tensor<32x14x14x256xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<32x14x14x1024xf16>, tensor<1x1x1024x256xf16>) outs(%i : tensor<32x14x14x256xf32>) -> tensor<32x14x14x256xf32>
  return %r : tensor<32x14x14x256xf32>
}

func.func @pixel_28_strided(%x: tensor<32x55x55x256xf16>, %w: tensor<1x1x256x512xf16>) -> tensor<32x28x28x512xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x28x28x512xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<32x28x28x512xf32>) -> tensor<32x28x28x512xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>}
      ins(%x, %w : tensor<32x55x55x256xf16>, tensor<1x1x256x512xf16>) outs(%i : tensor<32x28x28x512xf32>) -> tensor<32x28x28x512xf32>
  return %r : tensor<32x28x28x512xf32>
}

func.func @window_14(%x: tensor<8x16x16x256xf16>, %w: tensor<3x3x256x256xf16>) -> tensor<8x14x14x256xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x14x14x256xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<8x14x14x256xf32>) -> tensor<8x14x14x256xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<8x16x16x256xf16>, tensor<3x3x256x256xf16>) outs(%i : tensor<8x14x14x256xf32>) -> tensor<8x14x14x256xf32>
  return %r : tensor<8x14x14x256xf32>
}

func.func @window_7(%x: tensor<32x9x9x512xf16>, %w: tensor<3x3x512x512xf16>) -> tensor<32x7x7x512xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x7x7x512xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<32x7x7x512xf32>) -> tensor<32x7x7x512xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<32x9x9x512xf16>, tensor<3x3x512x512xf16>) outs(%i : tensor<32x7x7x512xf32>) -> tensor<32x7x7x512xf32>
  return %r : tensor<32x7x7x512xf32>
}
