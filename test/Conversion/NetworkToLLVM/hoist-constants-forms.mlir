// What the forms of a part read is hoisted out of them; the forms stay.
// RUN: pruner-opt %s --pruner-hoist-constants | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<4x8xf32> {{.*}}, %[[P:[^:]*]]: tensor<8x8xf32> {pruner.constant, pruner.name = "prepared0"})
// CHECK-NEXT:    pruner.alternatives chosen "b"
// CHECK-NEXT:      form "a" {
// CHECK-NEXT:        func.call @task(%[[X]], %[[P]])
// CHECK:           form "b" {
// CHECK-NEXT:        func.call @task(%[[X]], %[[P]])
// CHECK-NEXT:        func.call @task
// CHECK:       func.func @main_prepare(
// CHECK:         call @twice
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x8xf32> {pruner.constant}) -> tensor<4x8xf32> {
  %p = call @twice(%w) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %0 = pruner.alternatives chosen "b" -> tensor<4x8xf32>
    form "a" {
      %1 = func.call @task(%x, %p) : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
      pruner.results %1 : tensor<4x8xf32>
    }
    form "b" {
      %1 = func.call @task(%x, %p) : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
      %2 = func.call @task(%1, %p) : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
      pruner.results %2 : tensor<4x8xf32>
    }
  return %0 : tensor<4x8xf32>
}

func.func private @twice(%w: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {pruner.task = {key = "0"}} {
  return %w : tensor<8x8xf32>
}
func.func private @task(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> attributes {pruner.task = {key = "1"}} {
  return %x : tensor<4x8xf32>
}
