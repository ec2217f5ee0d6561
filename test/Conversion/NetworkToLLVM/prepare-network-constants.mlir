// Constants that code could not address are filled when the network runs.
// RUN: pruner-opt %s --pruner-prepare-network | FileCheck %s
// RUN: pruner-opt %s --pruner-check-lowerable -o /dev/null

// CHECK-LABEL: func.func @main(
// CHECK-DAG:     %[[ONE:.+]] = arith.constant 1.500000e+00 : f32
// CHECK-DAG:     %[[EMPTY:.+]] = tensor.empty() : tensor<536870912xf32>
// CHECK:         %[[FILL:.+]] = linalg.fill ins(%[[ONE]] : f32) outs(%[[EMPTY]] : tensor<536870912xf32>)
// CHECK:         tensor.extract %[[FILL]]
// CHECK:         %[[DENSE:.+]] = arith.constant dense<1.500000e+00> : tensor<1024xf32>
// CHECK:         tensor.extract %[[DENSE]]
func.func @main(%n: tensor<index>) -> tensor<2xf32> {
  %i = tensor.extract %n[] : tensor<index>
  %a = arith.constant dense<1.5> : tensor<536870912xf32>
  %0 = tensor.extract %a[%i] : tensor<536870912xf32>
  %b = arith.constant dense<1.5> : tensor<1024xf32>
  %1 = tensor.extract %b[%i] : tensor<1024xf32>
  %r = tensor.from_elements %0, %1 : tensor<2xf32>
  return %r : tensor<2xf32>
}
