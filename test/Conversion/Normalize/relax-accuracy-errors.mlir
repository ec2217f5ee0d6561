// RUN: not pruner-opt %s --pruner-relax-accuracy='accuracy=wide-sum' 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not pruner-opt %s --pruner-relax-accuracy='accuracy=wide-sums,tf32' 2>&1 | FileCheck %s --check-prefix=TF32
// RUN: not pruner-opt %s --pruner-relax-accuracy='accuracy=wide-sums targets=cpu:none' 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not pruner-opt %s --pruner-draft='accuracy=wide' 2>&1 | FileCheck %s --check-prefix=DRAFT
// RUN: echo 'module attributes {pruner.accuracy = ["bf16"]} {}' | not pruner-opt --pruner-relax-accuracy 2>&1 | FileCheck %s --check-prefix=ATTR
// RUN: echo 'module attributes {pruner.accuracy = "wide-sums"} {}' | not pruner-opt --pruner-relax-accuracy 2>&1 | FileCheck %s --check-prefix=KIND

// NAME: error: option 'accuracy': 'wide-sum' is unknown; expected one of folded-scales, wide-sums, bf16-products, tf32-products, bf16-tensors, winograd, f16-sums; did you mean 'wide-sums'?
// TF32: error: option 'accuracy': 'tf32' is unknown; expected one of folded-scales, wide-sums, bf16-products, tf32-products, bf16-tensors, winograd, f16-sums{{$}}
// TARGET: error: option 'targets': {{.*}}none
// DRAFT: error: option 'accuracy': 'wide' is unknown; expected one of folded-scales, wide-sums, bf16-products, tf32-products, bf16-tensors, winograd, f16-sums
// ATTR: error: 'pruner.accuracy': 'bf16' is unknown; expected one of folded-scales, wide-sums, bf16-products, tf32-products, bf16-tensors, winograd, f16-sums
// KIND: error: 'pruner.accuracy' must be an array of strings
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
