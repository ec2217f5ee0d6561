// Each part with several forms becomes one form; functions that only the other
// forms call are erased, and weights count the remaining calls.
// RUN: pruner-opt %s --pruner-choose-alternatives | FileCheck %s
// RUN: pruner-opt %s --pruner-choose-alternatives --pruner-choose-alternatives | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME:      (%[[X:.+]]: tensor<4xf32>)
// CHECK-NEXT:    %[[A:.+]] = call @joined(%[[X]])
// CHECK-NEXT:    %[[B:.+]] = call @joined(%[[A]])
// CHECK-NEXT:    %[[C:.+]] = call @shared(%[[B]])
// CHECK-NEXT:    return %[[C]], %[[B]]
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = pruner.alternatives chosen "joined" -> tensor<4xf32>
    form "separate" {
      %2 = func.call @first(%x) : (tensor<4xf32>) -> tensor<4xf32>
      %3 = func.call @shared(%2) : (tensor<4xf32>) -> tensor<4xf32>
      pruner.results %3 : tensor<4xf32>
    }
    form "joined" {
      %2 = func.call @joined(%x) : (tensor<4xf32>) -> tensor<4xf32>
      pruner.results %2 : tensor<4xf32>
    }
  %1:2 = pruner.alternatives -> tensor<4xf32>, tensor<4xf32>
    form "nested" {
      %2 = pruner.alternatives chosen "joined" -> tensor<4xf32>
        form "separate" {
          %3 = func.call @first(%0) : (tensor<4xf32>) -> tensor<4xf32>
          pruner.results %3 : tensor<4xf32>
        }
        form "joined" {
          %3 = func.call @joined(%0) : (tensor<4xf32>) -> tensor<4xf32>
          pruner.results %3 : tensor<4xf32>
        }
      %4 = func.call @shared(%2) : (tensor<4xf32>) -> tensor<4xf32>
      pruner.results %4, %2 : tensor<4xf32>, tensor<4xf32>
    }
    form "other" {
      pruner.results %0, %0 : tensor<4xf32>, tensor<4xf32>
    }
  return %1#0, %1#1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func private @joined
// CHECK-SAME:    weight = 2
func.func private @joined(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    pruner.task = {key = "0", weight = 7, flops = 0, bytes = 0}} {
  return %x : tensor<4xf32>
}
// CHECK-LABEL: func.func private @shared
// CHECK-SAME:    weight = 1
func.func private @shared(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    pruner.task = {key = "1", weight = 7, flops = 0, bytes = 0}} {
  return %x : tensor<4xf32>
}
// CHECK-NOT: @first
// CHECK-NOT: @helper
func.func private @first(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    pruner.task = {key = "2", weight = 7, flops = 0, bytes = 0}} {
  %0 = call @helper(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @helper(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
// A function that nobody called before stays.
// CHECK: func.func private @unrelated
func.func private @unrelated(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
