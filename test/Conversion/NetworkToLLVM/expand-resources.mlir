// RUN: pruner-opt %s --pruner-expand-resources | FileCheck %s
// RUN: pruner-opt %s --pruner-expand-resources -o %t.mlir
// RUN: pruner-opt %t.mlir --pruner-expand-resources | diff %t.mlir -
// RUN: pruner-opt %s --pruner-network-to-llvm=entry=main -o /dev/null

// A byte for each boolean, whatever it is, integers of other widths than LLVM takes,
// and numbers without dimensions; others stay as they are.

// CHECK-LABEL: func.func @main(
// CHECK: arith.constant dense<{{\[\[}}true, false, true], [true, false, false]]> : tensor<2x3xi1>
// CHECK: arith.constant dense_resource<weights> : tensor<2xf32>
// CHECK: arith.constant dense<3.000000e+00> : tensor<f32>
// CHECK: arith.constant dense<true> : tensor<i1>
// CHECK: arith.constant dense<[5, -1, -8]> : tensor<3xi4>
// CHECK: arith.constant dense<[258, -1]> : tensor<2xi24>
func.func @main(%x: tensor<2x3xi1>) -> (tensor<2x3xi1>, tensor<2xf32>, tensor<f32>, tensor<i1>, tensor<i32>) {
  %m = arith.constant dense_resource<mask> : tensor<2x3xi1>
  %w = arith.constant dense_resource<weights> : tensor<2xf32>
  %n = arith.constant dense_resource<number> : tensor<f32>
  %t = arith.constant dense_resource<truth> : tensor<i1>
  %f = arith.constant dense_resource<nibbles> : tensor<3xi4>
  %v = arith.constant dense_resource<wide> : tensor<2xi24>
  %c1 = arith.constant 1 : index
  %a = tensor.extract %f[%c1] : tensor<3xi4>
  %b = tensor.extract %v[%c1] : tensor<2xi24>
  %c = arith.extsi %a : i4 to i32
  %d = arith.extsi %b : i24 to i32
  %s = arith.addi %c, %d : i32
  %r = tensor.from_elements %s : tensor<i32>
  return %m, %w, %n, %t, %r : tensor<2x3xi1>, tensor<2xf32>, tensor<f32>, tensor<i1>, tensor<i32>
}

{-#
  dialect_resources: {
    builtin: {
      nibbles: "0x0400000005FF08",
      wide: "0x04000000020100FFFFFF",
      number: "0x0400000000004040",
      truth: "0x0400000001",
      mask: "0x04000000010001FF0000",
      weights: "0x040000000000803F00000040"
    }
  }
#-}
