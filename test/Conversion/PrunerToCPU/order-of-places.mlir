// The operand with the most vectors is loaded as the products need it, and the
// other one is held in registers. With 24 accumulators of 32 registers there is
// no space for eight vectors of the image at once, nor with 12 of 16 for six.
//
// RUN: pruner-opt %s --pruner-tile=target=file:%S/../../Dialect/Pruner/Inputs/cpu-avx512.json --convert-pruner-to-cpu -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: pruner-opt %t.mlir --pruner-network-to-llvm=entry=wide -o %t.wide.mlir
// RUN: pruner-translate %t.wide.mlir --to=facts --mcpu=skylake-avx512 | FileCheck %s --check-prefix=WIDE
// RUN: pruner-opt %t.mlir --pruner-network-to-llvm=entry=narrow -o %t.narrow.mlir
// RUN: pruner-translate %t.narrow.mlir --to=facts --mcpu=znver3 | FileCheck %s --check-prefix=NARROW

// CHECK-LABEL: func.func private @wide_kernel(
// CHECK:         scf.for {{.*}} iter_args
// CHECK:           vector.load
// CHECK-COUNT-3:   arith.mulf
// CHECK-NOT:       arith.mulf
// CHECK:           vector.load
// CHECK-COUNT-3:   arith.mulf
// CHECK-NOT:       arith.mulf
// CHECK:           vector.load
// WIDE: "fma_zmm": 24
// WIDE: "stack_accesses": 0
// WIDE: "name": "wide_kernel"
// WIDE: "stack_accesses_elsewhere": 0
func.func @wide(%x: tensor<64x16x32xf32>, %w: tensor<6x64xf32>, %init: tensor<6x16x32xf32>) -> tensor<6x16x32xf32> attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 3], [1, 2, 8], [1, 2, 16], [64]], stages = [none, none], vector = 16, unroll = 1>} {
  %r = linalg.generic {indexing_maps = [affine_map<(f, h, w, c) -> (c, h, w)>, affine_map<(f, h, w, c) -> (f, c)>, affine_map<(f, h, w, c) -> (f, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<64x16x32xf32>, tensor<6x64xf32>) outs(%init : tensor<6x16x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<6x16x32xf32>
  return %r : tensor<6x16x32xf32>
}

// Six filters and two vectors are in the order of the filters, as written.
// CHECK-LABEL: func.func private @tall_kernel(
// CHECK:         scf.for {{.*}} iter_args
// CHECK:           vector.load
// CHECK:           arith.mulf
// CHECK:           vector.load
// CHECK-COUNT-11:  arith.mulf
// CHECK-NOT:       vector.load
// CHECK:         scf.yield
func.func @tall(%x: tensor<64x16x32xf32>, %w: tensor<6x64xf32>, %init: tensor<6x16x32xf32>) -> tensor<6x16x32xf32> attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 6], [1, 8, 2], [1, 2, 16], [64]], stages = [none, none], vector = 16, unroll = 1>} {
  %r = linalg.generic {indexing_maps = [affine_map<(f, h, w, c) -> (c, h, w)>, affine_map<(f, h, w, c) -> (f, c)>, affine_map<(f, h, w, c) -> (f, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<64x16x32xf32>, tensor<6x64xf32>) outs(%init : tensor<6x16x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<6x16x32xf32>
  return %r : tensor<6x16x32xf32>
}

// NARROW: "fma_ymm": 12
// NARROW: "stack_accesses": 0
// NARROW: "name": "narrow_kernel"
// NARROW: "stack_accesses_elsewhere": 0
func.func @narrow(%x: tensor<64x12x32xf32>, %w: tensor<6x64xf32>, %init: tensor<6x12x32xf32>) -> tensor<6x12x32xf32> attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 3, 2], [1, 2, 6], [1, 4, 8], [64]], stages = [none, none], vector = 8, unroll = 1>} {
  %r = linalg.generic {indexing_maps = [affine_map<(f, h, w, c) -> (c, h, w)>, affine_map<(f, h, w, c) -> (f, c)>, affine_map<(f, h, w, c) -> (f, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<64x12x32xf32>, tensor<6x64xf32>) outs(%init : tensor<6x12x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<6x12x32xf32>
  return %r : tensor<6x12x32xf32>
}
