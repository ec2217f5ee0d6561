// RUN: pruner-opt %s --pruner-use-bare-pointers | FileCheck %s
// RUN: pruner-opt %s --pruner-use-bare-pointers --pruner-use-bare-pointers | FileCheck %s

// A function that takes tensors and returns none may be external.
// CHECK: func.func private @print(tensor<4xf32>) attributes {llvm.bareptr}
func.func private @print(tensor<4xf32>)

// CHECK: func.func private @unused(tensor<4xf32>) -> tensor<4xf32> attributes {llvm.bareptr}
func.func private @unused(tensor<4xf32>) -> tensor<4xf32>

// CHECK: func.func @f(%{{.*}}: tensor<4xf32>) -> tensor<4xf32> attributes {llvm.bareptr}
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  call @print(%x) : (tensor<4xf32>) -> ()
  return %x : tensor<4xf32>
}
