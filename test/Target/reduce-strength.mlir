// The innermost loop reads 28 numbers of the image at constant distances. They
// share their pointers, and the loop accesses no stack. LLVM's loop strength
// reduction alone gives each a pointer, of which 15 are on the stack.
//
// RUN: pruner-opt %s --pruner-tile=target=file:%S/../Dialect/Pruner/Inputs/cpu-avx512.json --convert-pruner-to-cpu -o %t.mlir
// RUN: pruner-opt %t.mlir --pruner-network-to-llvm -o %t.llvm.mlir
// RUN: pruner-translate %t.llvm.mlir --to=facts --mcpu=skylake-avx512 | FileCheck %s
// CHECK: "hot_loop": {
// CHECK: "fma_zmm": 28
// CHECK: "stack_accesses": 0
// CHECK: "name": "conv_kernel"
func.func @conv(%x: tensor<3x2x28x112xf32>, %w: tensor<32x3x3x7x7xf32>, %init: tensor<32x2x14x56xf32>) -> tensor<32x2x14x56xf32> attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 16], [2, 1, 1], [1, 14, 1], [1, 2, 28], [3], [3], [7], [7]], stages = [outer, outer], vector = 16, vector_dim = 0, unroll = 1>} {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 3, 3] high[0, 1, 3, 3] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<3x2x28x112xf32> to tensor<3x4x34x118xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(f, d, h, w, c, q, r, s) -> (c, d + q, 2 * h + r, 2 * w + s)>, affine_map<(f, d, h, w, c, q, r, s) -> (f, c, q, r, s)>, affine_map<(f, d, h, w, c, q, r, s) -> (f, d, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction", "reduction"]} ins(%p, %w : tensor<3x4x34x118xf32>, tensor<32x3x3x7x7xf32>) outs(%init : tensor<32x2x14x56xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<32x2x14x56xf32>
  return %r : tensor<32x2x14x56xf32>
}
