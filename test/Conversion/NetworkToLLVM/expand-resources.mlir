// RUN: pruner-opt %s --pruner-expand-resources | FileCheck %s
// RUN: pruner-opt %s --pruner-expand-resources -o %t.mlir
// RUN: pruner-opt %t.mlir --pruner-expand-resources | diff %t.mlir -
// RUN: pruner-opt %s --pruner-network-to-llvm=entry=main -o /dev/null

// A byte for each boolean, whatever it is, and numbers without dimensions; others
// stay as they are.

// CHECK-LABEL: func.func @main(
// CHECK: arith.constant dense<{{\[\[}}true, false, true], [true, false, false]]> : tensor<2x3xi1>
// CHECK: arith.constant dense_resource<weights> : tensor<2xf32>
// CHECK: arith.constant dense<3.000000e+00> : tensor<f32>
// CHECK: arith.constant dense<true> : tensor<i1>
func.func @main(%x: tensor<2x3xi1>) -> (tensor<2x3xi1>, tensor<2xf32>, tensor<f32>, tensor<i1>) {
  %m = arith.constant dense_resource<mask> : tensor<2x3xi1>
  %w = arith.constant dense_resource<weights> : tensor<2xf32>
  %n = arith.constant dense_resource<number> : tensor<f32>
  %t = arith.constant dense_resource<truth> : tensor<i1>
  return %m, %w, %n, %t : tensor<2x3xi1>, tensor<2xf32>, tensor<f32>, tensor<i1>
}

{-#
  dialect_resources: {
    builtin: {
      number: "0x0400000000004040",
      truth: "0x0400000001",
      mask: "0x04000000010001FF0000",
      weights: "0x040000000000803F00000040"
    }
  }
#-}
