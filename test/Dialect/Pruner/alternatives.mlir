// The forms of a part of a program are parsed and printed, in the generic form
// as well.
// RUN: pruner-opt %s | pruner-opt | FileCheck %s
// RUN: pruner-opt %s --mlir-print-op-generic | pruner-opt | FileCheck %s

// CHECK-LABEL: func.func @chosen
// CHECK:         %[[R:.+]] = pruner.alternatives chosen "joined" -> tensor<8x16xf32>
// CHECK-NEXT:      form "separate" {
// CHECK-NEXT:        %[[A:.+]] = func.call @first(%arg0)
// CHECK-NEXT:        %[[B:.+]] = func.call @first(%[[A]])
// CHECK-NEXT:        pruner.results %[[B]] : tensor<8x16xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      form "joined" {
// CHECK-NEXT:        %[[C:.+]] = func.call @second(%arg0)
// CHECK-NEXT:        pruner.results %[[C]] : tensor<8x16xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:    return %[[R]]
func.func @chosen(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = pruner.alternatives chosen "joined" -> tensor<8x16xf32>
    form "separate" {
      %1 = func.call @first(%x) : (tensor<8x16xf32>) -> tensor<8x16xf32>
      %2 = func.call @first(%1) : (tensor<8x16xf32>) -> tensor<8x16xf32>
      pruner.results %2 : tensor<8x16xf32>
    }
    form "joined" {
      %1 = func.call @second(%x) : (tensor<8x16xf32>) -> tensor<8x16xf32>
      pruner.results %1 : tensor<8x16xf32>
    }
  return %0 : tensor<8x16xf32>
}
func.func private @first(tensor<8x16xf32>) -> tensor<8x16xf32>
func.func private @second(tensor<8x16xf32>) -> tensor<8x16xf32>

// Without a choice, with several results and other attributes; form within a
// form.
// CHECK-LABEL: func.func @open
// CHECK:         pruner.alternatives attributes {note = "x"} -> tensor<4xf32>, tensor<?xi8>
// CHECK-NEXT:      form "a" {
// CHECK-NEXT:        pruner.results %arg0, %arg1 : tensor<4xf32>, tensor<?xi8>
// CHECK-NEXT:      }
// CHECK-NEXT:      form "b" {
// CHECK-NEXT:        pruner.alternatives -> tensor<4xf32>
// CHECK-NEXT:          form "c" {
func.func @open(%x: tensor<4xf32>, %y: tensor<?xi8>) -> (tensor<4xf32>, tensor<?xi8>) {
  %0:2 = pruner.alternatives attributes {note = "x"} -> tensor<4xf32>, tensor<?xi8>
    form "a" {
      pruner.results %x, %y : tensor<4xf32>, tensor<?xi8>
    }
    form "b" {
      %1 = pruner.alternatives -> tensor<4xf32>
        form "c" {
          pruner.results %x : tensor<4xf32>
        }
        form "d" {
          pruner.results %x : tensor<4xf32>
        }
      pruner.results %1, %y : tensor<4xf32>, tensor<?xi8>
    }
  return %0#0, %0#1 : tensor<4xf32>, tensor<?xi8>
}
