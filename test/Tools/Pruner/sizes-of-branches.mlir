// A network of dynamic shape may branch between blocks and call functions.
//
// RUN: pruner compile %s --trials=0 --threads=1 --emit=mlir -o - 2>/dev/null | FileCheck %s
// CHECK-LABEL: func.func @main_n16(%{{.*}}: tensor<16x64xf32>, %{{.*}}: tensor<i1>) -> tensor<16x64xf32>
// CHECK-NOT:   cf.
// CHECK-NOT:   call @twice
// CHECK:       scf.if
// CHECK:       return

func.func private @twice(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%n) : tensor<?x64xf32>
  %y = linalg.add ins(%x, %x : tensor<?x64xf32>, tensor<?x64xf32>) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

func.func @main(%x: tensor<?x64xf32> {pruner.range = [#pruner.range<n, 1 to 16>]}, %flag: tensor<i1>) -> tensor<?x64xf32> {
  %c = tensor.extract %flag[] : tensor<i1>
  cf.cond_br %c, ^double, ^end(%x : tensor<?x64xf32>)
^double:
  %y = call @twice(%x) : (tensor<?x64xf32>) -> tensor<?x64xf32>
  cf.br ^end(%y : tensor<?x64xf32>)
^end(%r: tensor<?x64xf32>):
  return %r : tensor<?x64xf32>
}
