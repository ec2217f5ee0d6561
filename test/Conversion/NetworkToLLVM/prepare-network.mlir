// RUN: pruner-opt %s --pruner-prepare-network --symbol-dce | FileCheck %s

// The wrapper of a kernel and the untuned task are inlined; the kernel stays.
// Each of the two users gets its own fill.
// CHECK: module attributes {pruner.interface = {entry = "main", inputs = [tensor<8xf32>], outputs = [tensor<8xf32>, tensor<8xf32>]}} {
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8xf32>)
// CHECK:      %[[B:.*]] = bufferization.to_buffer %[[X]] read_only
// CHECK-NEXT: %[[OUT:.*]] = memref.alloc() : memref<8xf32>
// CHECK-NEXT: call @tuned_kernel(%[[B]], %[[OUT]])
// CHECK-NEXT: %[[T:.*]] = bufferization.to_tensor %[[OUT]] restrict writable
// CHECK-NOT:  call
// CHECK:      %[[F0:.*]] = linalg.fill
// CHECK:      linalg.exp ins(%[[T]] : tensor<8xf32>) outs(%{{.*}} : tensor<8xf32>)
// CHECK:      linalg.add {{.*}} outs(%[[F0]] : tensor<8xf32>)
// CHECK:      %[[F1:.*]] = linalg.fill
// CHECK-NEXT: linalg.sub {{.*}} outs(%[[F1]] : tensor<8xf32>)
// CHECK:      func.func private @tuned_kernel(
// CHECK-NOT:  func.func
func.func @main(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %y = call @tuned(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %empty = tensor.empty() : tensor<8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  %z = call @untuned(%y) : (tensor<8xf32>) -> tensor<8xf32>
  %a = linalg.add ins(%z, %x : tensor<8xf32>, tensor<8xf32>) outs(%init : tensor<8xf32>) -> tensor<8xf32>
  %b = linalg.sub ins(%z, %x : tensor<8xf32>, tensor<8xf32>) outs(%init : tensor<8xf32>) -> tensor<8xf32>
  return %a, %b : tensor<8xf32>, tensor<8xf32>
}
func.func private @tuned(%x: tensor<8xf32>) -> tensor<8xf32> attributes {no_inline} {
  %b = bufferization.to_buffer %x read_only : tensor<8xf32> to memref<8xf32>
  %out = memref.alloc() : memref<8xf32>
  call @tuned_kernel(%b, %out) : (memref<8xf32>, memref<8xf32>) -> ()
  %y = bufferization.to_tensor %out restrict writable : memref<8xf32> to tensor<8xf32>
  return %y : tensor<8xf32>
}
func.func private @tuned_kernel(%x: memref<8xf32>, %y: memref<8xf32>) {
  memref.copy %x, %y : memref<8xf32> to memref<8xf32>
  return
}
func.func private @untuned(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = call @inner(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}
func.func private @inner(%x: tensor<8xf32>) -> tensor<8xf32> {
  %empty = tensor.empty() : tensor<8xf32>
  %y = linalg.exp ins(%x : tensor<8xf32>) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// Modules within the module are not a part of the network.
// CHECK-NOT: @within
module @within {
  func.func @main(%x: tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>> {
    return %x : tensor<8xcomplex<f32>>
  }
}
