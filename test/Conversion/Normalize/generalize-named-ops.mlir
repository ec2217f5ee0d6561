// RUN: pruner-opt %s --pruner-generalize-named-ops | FileCheck %s

// CHECK-LABEL: @elementwise
// CHECK-NOT: linalg.add
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]
// CHECK: arith.addf
// CHECK-NOT: linalg.transpose
// CHECK: linalg.generic
// CHECK: ^bb0(%[[IN:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: linalg.yield %[[IN]]
func.func @elementwise(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %s = linalg.add ins(%a, %b : tensor<4x8xf32>, tensor<4x8xf32>)
                  outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %f = tensor.empty() : tensor<8x4xf32>
  %t = linalg.transpose ins(%s : tensor<4x8xf32>) outs(%f : tensor<8x4xf32>) permutation = [1, 0]
  return %t : tensor<8x4xf32>
}

// A contraction without a named form in later passes.
// CHECK-LABEL: @matvec
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]
func.func @matvec(%a: tensor<4x8xf32>, %b: tensor<8xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.matvec ins(%a, %b : tensor<4x8xf32>, tensor<8xf32>)
                     outs(%c : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// A convolution, a pooling and a reduction become ordinary loops. The window
// determines two of their extents.
// CHECK-LABEL: @reductions
// CHECK-NOT: linalg.conv
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]
// CHECK-SAME: ins(%{{.*}}, %{{.*}} : tensor<1x3x8x8xf32>, tensor<3x3xf32>)
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]
func.func @reductions(%i: tensor<1x3x8x8xf32>, %k: tensor<4x3x3x3xf32>, %o: tensor<1x4x6x6xf32>,
                      %p: tensor<1x3x6x6xf32>, %a: tensor<4x8xf32>, %z: tensor<4xf32>)
    -> (tensor<1x4x6x6xf32>, tensor<1x3x6x6xf32>, tensor<4xf32>) {
  %c = linalg.conv_2d_nchw_fchw ins(%i, %k : tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>)
                                outs(%o : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  %w = tensor.empty() : tensor<3x3xf32>
  %m = linalg.pooling_nchw_max ins(%i, %w : tensor<1x3x8x8xf32>, tensor<3x3xf32>)
                               outs(%p : tensor<1x3x6x6xf32>) -> tensor<1x3x6x6xf32>
  %r = linalg.reduce { arith.addf } ins(%a : tensor<4x8xf32>) outs(%z : tensor<4xf32>) dimensions = [1]
  return %c, %m, %r : tensor<1x4x6x6xf32>, tensor<1x3x6x6xf32>, tensor<4xf32>
}

// Fills and the two matrix products keep their names; a softmax becomes four
// loop nests.
// CHECK-LABEL: @named
// CHECK: linalg.fill
// CHECK: linalg.matmul
// CHECK: linalg.batch_matmul
// CHECK-NOT: linalg.softmax
// CHECK: linalg.generic
// CHECK: arith.maxnumf
// CHECK: linalg.generic
// CHECK: math.exp
// CHECK: linalg.generic
// CHECK: arith.addf
// CHECK: linalg.generic
// CHECK: arith.divf
// CHECK-NOT: linalg.generic
func.func @named(%a: tensor<4x4xf32>, %b: tensor<2x4x4xf32>)
    -> (tensor<4x4xf32>, tensor<2x4x4xf32>, tensor<4x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %m = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>)
                     outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  %n = linalg.batch_matmul ins(%b, %b : tensor<2x4x4xf32>, tensor<2x4x4xf32>)
                           outs(%b : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %s = linalg.softmax dimension(1) ins(%a : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %m, %n, %s : tensor<4x4xf32>, tensor<2x4x4xf32>, tensor<4x4xf32>
}

// There are no exponentials of integers. The op stays, and a later pass rejects
// it.
// CHECK-LABEL: @softmax_of_integers
// CHECK-NEXT: linalg.softmax
// CHECK-NEXT: return
func.func @softmax_of_integers(%x: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %y = linalg.softmax dimension(1) ins(%x : tensor<2x3xi32>) outs(%x : tensor<2x3xi32>) -> tensor<2x3xi32>
  return %y : tensor<2x3xi32>
}
