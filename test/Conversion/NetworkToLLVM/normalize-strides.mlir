// RUN: pruner-opt %s --pruner-normalize-strides | FileCheck %s
// RUN: pruner-opt %s --pruner-network-to-llvm=entry=extract | FileCheck %s --check-prefix=LLVM
// RUN: pruner-opt %s --pruner-network-to-llvm=entry=ambiguous | FileCheck %s --check-prefix=LLVM
// RUN: pruner-opt %s --pruner-network-to-llvm=entry=joined | FileCheck %s --check-prefix=LLVM
// RUN: pruner-opt %s --pruner-network-to-llvm=entry=insert | FileCheck %s --check-prefix=LLVM
// LLVM: llvm.func {{.*}}@pruner_network_entry

// CHECK-LABEL: func.func @extract(
// CHECK: %[[S:.*]] = tensor.extract_slice %{{.*}}[1, 2, 0] [2, 1, 2] [2, 1, 2] : tensor<5x3x3xf32> to tensor<2x1x2xf32>
// CHECK: tensor.collapse_shape %[[S]] {{\[\[}}0], [1, 2]] : tensor<2x1x2xf32> into tensor<2x2xf32>
func.func @extract(%x: tensor<5x3x3xf32>) -> tensor<2x2xf32> {
  %s = tensor.extract_slice %x[1, 2, 0] [2, 1, 2] [2, 3, 2] : tensor<5x3x3xf32> to tensor<2x2xf32>
  return %s : tensor<2x2xf32>
}

// It would be ambiguous which unit dimensions are dropped.
// CHECK-LABEL: func.func @ambiguous(
// CHECK: tensor.extract_slice %{{.*}}[6, 16, 0, 6] [1, 1, 4, 1] [1, 1, 1, 1] : tensor<7x17x4x8xf64> to tensor<1x4x1xf64>
func.func @ambiguous(%x: tensor<7x17x4x8xf64>) -> tensor<1x4x1xf64> {
  %s = tensor.extract_slice %x[6, 16, 0, 6] [1, 1, 4, 1] [2, 3, 1, 3] : tensor<7x17x4x8xf64> to tensor<1x4x1xf64>
  return %s : tensor<1x4x1xf64>
}

// CHECK-LABEL: func.func @insert(
// CHECK: %[[E:.*]] = tensor.expand_shape %{{.*}} {{\[\[}}0, 1]] output_shape [2, 1] : tensor<2xf32> into tensor<2x1xf32>
// CHECK: tensor.insert_slice %[[E]] into %{{.*}}[0, 1] [2, 1] [2, 1] : tensor<2x1xf32> into tensor<4x3xf32>
func.func @insert(%x: tensor<2xf32>, %y: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %s = tensor.insert_slice %x into %y[0, 1] [2, 1] [2, 2] : tensor<2xf32> into tensor<4x3xf32>
  return %s : tensor<4x3xf32>
}

// With a stride of two, the first dimension is dropped and the last one stays.
// CHECK-LABEL: func.func @joined(
// CHECK: tensor.extract_slice %{{.*}}[6, 0, 4, 0] [1, 5, 2, 1] [1, 1, 2, 1] : tensor<7x7x8x1xi32> to tensor<1x5x2x1xi32>
// CHECK: tensor.collapse_shape %{{.*}} : tensor<1x5x2x1xi32> into tensor<5x2x1xi32>
func.func @joined(%x: tensor<7x7x8x1xi32>) -> tensor<5x4x1xi32> {
  %s = tensor.extract_slice %x[6, 0, 4, 0] [1, 5, 2, 1] [1, 1, 2, 3] : tensor<7x7x8x1xi32> to tensor<5x2x1xi32>
  %c = tensor.concat dim(1) %s, %s : (tensor<5x2x1xi32>, tensor<5x2x1xi32>) -> tensor<5x4x1xi32>
  return %c : tensor<5x4x1xi32>
}
