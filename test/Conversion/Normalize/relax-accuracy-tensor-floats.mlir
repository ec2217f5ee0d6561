// Factors are rounded to tf32 for tensor cores that multiply it at a higher rate
// than multiply-adds in f32. No other target changes the program.
//
// RUN: pruner-opt %s --pruner-relax-accuracy='accuracy=tf32-products targets=nvidia:a100-80' | FileCheck %s
// RUN: pruner-opt %s --pruner-relax-accuracy='accuracy=tf32-products targets=nvidia:a100-80,nvidia:sm_90' | FileCheck %s
// RUN: pruner-opt %s --pruner-relax-accuracy='accuracy=tf32-products targets=nvidia:sm_75' | FileCheck %s --check-prefix=NONE
// RUN: pruner-opt %s --pruner-relax-accuracy='accuracy=tf32-products targets=nvidia:rtx3090' | FileCheck %s --check-prefix=NONE
// RUN: pruner-opt %s --pruner-relax-accuracy='accuracy=tf32-products targets=nvidia:a100-80,cpu' | FileCheck %s --check-prefix=NONE
// RUN: pruner-opt %s --pruner-relax-accuracy='accuracy=bf16-products targets=nvidia:a100-80' | FileCheck %s --check-prefix=NONE
//
// A second run changes nothing.
// RUN: pruner-opt %s --pruner-relax-accuracy='accuracy=tf32-products targets=nvidia:a100-80' -o %t.mlir
// RUN: pruner-opt %t.mlir --pruner-relax-accuracy=targets=nvidia:a100-80 | diff - %t.mlir

// CHECK: module attributes {pruner.accuracy = ["tf32-products"]}
// CHECK-LABEL: func @product
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<256x192xf32>, tensor<192x128xf32>)
// CHECK-NEXT:    ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32, %[[S:.*]]: f32):
// CHECK-DAG:       %[[A:.*]] = arith.truncf %[[X]] to_nearest_away : f32 to tf32
// CHECK-DAG:       %[[B:.*]] = arith.truncf %[[Y]] to_nearest_away : f32 to tf32
// CHECK-DAG:       %[[P:.*]] = arith.extf %[[A]] : tf32 to f32
// CHECK-DAG:       %[[Q:.*]] = arith.extf %[[B]] : tf32 to f32
// CHECK:           arith.mulf %[[P]], %[[Q]] : f32
// NONE-LABEL: func @product
// NONE-NOT:     tf32
// NONE:         linalg.matmul
func.func @product(%a: tensor<256x192xf32>, %b: tensor<192x128xf32>, %z: tensor<256x128xf32>) -> tensor<256x128xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<256x192xf32>, tensor<192x128xf32>) outs(%z : tensor<256x128xf32>) -> tensor<256x128xf32>
  return %0 : tensor<256x128xf32>
}

// Tensor cores also compute convolutions whose channels come first, with any
// filter.
// CHECK-LABEL: func @channels_first
// CHECK:         to_nearest_away
// CHECK-LABEL: func @returned
// CHECK:         to_nearest_away
// CHECK-LABEL: func @variable_filter
// CHECK:         to_nearest_away
// CHECK-LABEL: func @row
// CHECK-NOT:     tf32
// CHECK:         return
func.func @channels_first(%x: tensor<2x32x34x34xf32>, %w: tensor<64x32x3x3xf32> {pruner.constant}, %z: tensor<2x64x32x32xf32>) -> tensor<2x64x32x32xf32> {
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x32x34x34xf32>, tensor<64x32x3x3xf32>) outs(%z : tensor<2x64x32x32xf32>) -> tensor<2x64x32x32xf32>
  %1 = linalg.abs ins(%0 : tensor<2x64x32x32xf32>) outs(%z : tensor<2x64x32x32xf32>) -> tensor<2x64x32x32xf32>
  return %1 : tensor<2x64x32x32xf32>
}
func.func @returned(%x: tensor<2x32x34x34xf32>, %w: tensor<64x32x3x3xf32> {pruner.constant}, %z: tensor<2x64x32x32xf32>) -> tensor<2x64x32x32xf32> {
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x32x34x34xf32>, tensor<64x32x3x3xf32>) outs(%z : tensor<2x64x32x32xf32>) -> tensor<2x64x32x32xf32>
  return %0 : tensor<2x64x32x32xf32>
}
func.func @variable_filter(%x: tensor<2x32x34x34xf32>, %w: tensor<64x32x3x3xf32>, %z: tensor<2x64x32x32xf32>) -> tensor<2x64x32x32xf32> {
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x32x34x34xf32>, tensor<64x32x3x3xf32>) outs(%z : tensor<2x64x32x32xf32>) -> tensor<2x64x32x32xf32>
  %1 = linalg.abs ins(%0 : tensor<2x64x32x32xf32>) outs(%z : tensor<2x64x32x32xf32>) -> tensor<2x64x32x32xf32>
  return %1 : tensor<2x64x32x32xf32>
}

// One row is no product of matrices.
func.func @row(%a: tensor<1x1024xf32>, %b: tensor<1024x1024xf32>, %z: tensor<1x1024xf32>) -> tensor<1x1024xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<1x1024xf32>, tensor<1024x1024xf32>) outs(%z : tensor<1x1024xf32>) -> tensor<1x1024xf32>
  return %0 : tensor<1x1024xf32>
}

// Rows of 4 pixels do not fill the 8 columns of a product. Channels do, and a
// constant filter permits to move them last.
// CHECK-LABEL: func @short_rows
// CHECK:         to_nearest_away
// CHECK-LABEL: func @short_rows_variable_filter
// CHECK-NOT:     tf32
// CHECK:         return
func.func @short_rows(%x: tensor<32x64x6x6xf32>, %w: tensor<64x64x3x3xf32> {pruner.constant}, %z: tensor<32x64x4x4xf32>) -> tensor<32x64x4x4xf32> {
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<32x64x6x6xf32>, tensor<64x64x3x3xf32>) outs(%z : tensor<32x64x4x4xf32>) -> tensor<32x64x4x4xf32>
  %1 = linalg.abs ins(%0 : tensor<32x64x4x4xf32>) outs(%z : tensor<32x64x4x4xf32>) -> tensor<32x64x4x4xf32>
  return %1 : tensor<32x64x4x4xf32>
}
func.func @short_rows_variable_filter(%x: tensor<32x64x6x6xf32>, %w: tensor<64x64x3x3xf32>, %z: tensor<32x64x4x4xf32>) -> tensor<32x64x4x4xf32> {
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<32x64x6x6xf32>, tensor<64x64x3x3xf32>) outs(%z : tensor<32x64x4x4xf32>) -> tensor<32x64x4x4xf32>
  %1 = linalg.abs ins(%0 : tensor<32x64x4x4xf32>) outs(%z : tensor<32x64x4x4xf32>) -> tensor<32x64x4x4xf32>
  return %1 : tensor<32x64x4x4xf32>
}
