// The code of a schedule is deterministic: it does not depend on the order of
// addresses, which differ from process to process.
// RUN: pruner-opt %s --pruner-tile --convert-pruner-to-cpu -o %t.1
// RUN: pruner-opt %s --pruner-tile --convert-pruner-to-cpu -o %t.2
// RUN: pruner-opt %s --pruner-tile --convert-pruner-to-cpu -o %t.3
// RUN: pruner-opt %s --pruner-tile --convert-pruner-to-cpu -o %t.4
// RUN: pruner-opt %s --pruner-tile --convert-pruner-to-cpu -o %t.5
// RUN: pruner-opt %s --pruner-tile --convert-pruner-to-cpu -o %t.6
// RUN: cmp %t.1 %t.2 && cmp %t.1 %t.3 && cmp %t.1 %t.4 && cmp %t.1 %t.5 && cmp %t.1 %t.6

// Two loops along each dimension bound the inner one; some operands are packed.
func.func @product(%a: tensor<32x24xf32>, %b: tensor<24x40xf32>) -> tensor<32x40xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[2, 2, 7], [3, 8, 1], [16]],
      stages = [inner, outer], vector = 8, vector_dim = 2, unroll = 1, order = [1, 0]>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x40xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<32x40xf32>) -> tensor<32x40xf32>
  %c = linalg.matmul ins(%a, %b : tensor<32x24xf32>, tensor<24x40xf32>)
      outs(%f : tensor<32x40xf32>) -> tensor<32x40xf32>
  return %c : tensor<32x40xf32>
}
