// The channels that products with an instruction add up become the last
// dimension of all tensors between operations, by the types of the factors and
// the instructions of all targets.
//
// RUN: pruner-machine --json cpu > %t.cpu.json
// RUN: %python %S/Inputs/cpu_with.py +avx512f,+avx512bw,+avx512vnni,+amx-tile,+amx-int8 1 < %t.cpu.json > %t.amx.json
// RUN: %python %S/Inputs/cpu_with.py +avx512f 1 < %t.cpu.json > %t.none.json
// RUN: pruner-opt %s --pruner-move-channels-last=targets=file:%t.amx.json --split-input-file | FileCheck %s
// RUN: pruner-opt %s --pruner-move-channels-last=targets=file:%t.none.json --split-input-file | FileCheck %s --check-prefix=NONE
// RUN: pruner-opt %s --pruner-move-channels-last=targets=file:%t.amx.json,file:%t.none.json --split-input-file | FileCheck %s --check-prefix=NONE
// RUN: pruner-opt %s --pruner-move-channels-last=targets=nvidia:sm_80 --split-input-file | FileCheck %s --check-prefix=NONE

// NONE-NOT:   {{linalg.transpose|tensor<8x8x64xi8>}}
// NONE-LABEL: func @views(
// NONE-NOT:   {{linalg.transpose|tensor<4x6x32xi8>}}
// NONE:       return

// The first convolution reads an argument in its order. Its result is clamped,
// padded, read by a window, pooled, flattened along rows and columns, and
// multiplied; the product is a result of the function.

// CHECK-DAG: #[[IMAGE:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, d0 + d4, d1 + d5)>
// CHECK-DAG: #[[WINDOW:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0 + d4, d1 + d5, d3)>
// CHECK-DAG: #[[FILTER:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d2, d3, d4, d5)>
// CHECK-DAG: #[[OUT:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2)>
// CHECK-DAG: #[[BIAS:.*]] = affine_map<(d0, d1, d2) -> (d2)>
// CHECK-DAG: #[[POOLED:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0 + d3, d1 + d4, d2)>
// CHECK-LABEL: func @network(
// CHECK-SAME:    %[[X:.*]]: tensor<16x10x10xi8>
// CHECK:         %[[FIRST:.*]] = linalg.generic {indexing_maps = [#[[IMAGE]], #[[FILTER]], #[[OUT]]]
// CHECK-SAME:      ins(%[[X]], %{{.*}} : tensor<16x10x10xi8>, tensor<64x16x3x3xi8>) outs(%{{.*}} : tensor<8x8x64xi32>)
// CHECK:         %[[NARROW:.*]] = linalg.generic {indexing_maps = [#{{.*}}, #[[BIAS]], #{{.*}}]
// CHECK-SAME:      ins(%[[FIRST]], %{{.*}} : tensor<8x8x64xi32>, tensor<64xi32>) outs(%{{.*}} : tensor<8x8x64xi8>)
// CHECK:         %[[PADDED:.*]] = tensor.pad %[[NARROW]] low[1, 1, 0] high[1, 1, 0]
// CHECK:           tensor<8x8x64xi8> to tensor<10x10x64xi8>
// CHECK:         linalg.generic {indexing_maps = [#[[WINDOW]], #[[FILTER]], #[[OUT]]]
// CHECK-SAME:      ins(%[[PADDED]], %{{.*}} : tensor<10x10x64xi8>, tensor<32x64x3x3xi8>) outs(%{{.*}} : tensor<8x8x32xi32>)
// CHECK:         linalg.generic {indexing_maps = [#[[POOLED]], #{{.*}}, #{{.*}}]
// CHECK-SAME:      tensor<8x8x32xi8>, tensor<2x2xi8>) outs(%{{.*}} : tensor<7x7x32xi8>)
// CHECK:         tensor.collapse_shape %{{.*}} {{\[\[}}0, 1], [2]] : tensor<7x7x32xi8> into tensor<49x32xi8>
// CHECK:         %[[PRODUCT:.*]] = linalg.generic
// CHECK-SAME:      tensor<49x32xi8>, tensor<24x32xi8>) outs(%{{.*}} : tensor<24x49xi32>)
// CHECK:         return %[[PRODUCT]] : tensor<24x49xi32>
func.func @network(%x: tensor<16x10x10xi8>, %a: tensor<64x16x3x3xi8> {pruner.constant},
                   %bias: tensor<64xi32> {pruner.constant}, %b: tensor<32x64x3x3xi8> {pruner.constant},
                   %c: tensor<24x32xi8> {pruner.constant}) -> tensor<24x49xi32> {
  %zero = arith.constant 0 : i32
  %zero8 = arith.constant 0 : i8
  %least = arith.constant -128 : i8
  %e0 = tensor.empty() : tensor<64x8x8xi32>
  %f0 = linalg.fill ins(%zero : i32) outs(%e0 : tensor<64x8x8xi32>) -> tensor<64x8x8xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(f, h, w, c, i, j) -> (c, h + i, w + j)>, affine_map<(f, h, w, c, i, j) -> (f, c, i, j)>, affine_map<(f, h, w, c, i, j) -> (f, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %a : tensor<16x10x10xi8>, tensor<64x16x3x3xi8>) outs(%f0 : tensor<64x8x8xi32>) {
  ^bb0(%p: i8, %q: i8, %s: i32):
    %m = arith.extsi %p : i8 to i32
    %n = arith.extsi %q : i8 to i32
    %t = arith.muli %m, %n : i32
    %u = arith.addi %s, %t : i32
    linalg.yield %u : i32
  } -> tensor<64x8x8xi32>
  %e1 = tensor.empty() : tensor<64x8x8xi8>
  %1 = linalg.generic {indexing_maps = [affine_map<(f, h, w) -> (f, h, w)>, affine_map<(f, h, w) -> (f)>, affine_map<(f, h, w) -> (f, h, w)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%0, %bias : tensor<64x8x8xi32>, tensor<64xi32>) outs(%e1 : tensor<64x8x8xi8>) {
  ^bb0(%p: i32, %q: i32, %s: i8):
    %t = arith.addi %p, %q : i32
    %u = arith.trunci %t : i32 to i8
    linalg.yield %u : i8
  } -> tensor<64x8x8xi8>
  %padded = tensor.pad %1 low[0, 1, 1] high[0, 1, 1] {
  ^bb0(%f: index, %h: index, %w: index):
    tensor.yield %zero8 : i8
  } : tensor<64x8x8xi8> to tensor<64x10x10xi8>
  %e2 = tensor.empty() : tensor<32x8x8xi32>
  %f2 = linalg.fill ins(%zero : i32) outs(%e2 : tensor<32x8x8xi32>) -> tensor<32x8x8xi32>
  %2 = linalg.generic {indexing_maps = [affine_map<(f, h, w, c, i, j) -> (c, h + i, w + j)>, affine_map<(f, h, w, c, i, j) -> (f, c, i, j)>, affine_map<(f, h, w, c, i, j) -> (f, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%padded, %b : tensor<64x10x10xi8>, tensor<32x64x3x3xi8>) outs(%f2 : tensor<32x8x8xi32>) {
  ^bb0(%p: i8, %q: i8, %s: i32):
    %m = arith.extsi %p : i8 to i32
    %n = arith.extsi %q : i8 to i32
    %t = arith.muli %m, %n : i32
    %u = arith.addi %s, %t : i32
    linalg.yield %u : i32
  } -> tensor<32x8x8xi32>
  %e3 = tensor.empty() : tensor<32x8x8xi8>
  %3 = linalg.generic {indexing_maps = [affine_map<(f, h, w) -> (f, h, w)>, affine_map<(f, h, w) -> (f, h, w)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%2 : tensor<32x8x8xi32>) outs(%e3 : tensor<32x8x8xi8>) {
  ^bb0(%p: i32, %s: i8):
    %u = arith.trunci %p : i32 to i8
    linalg.yield %u : i8
  } -> tensor<32x8x8xi8>
  %window = tensor.empty() : tensor<2x2xi8>
  %e4 = tensor.empty() : tensor<32x7x7xi8>
  %f4 = linalg.fill ins(%least : i8) outs(%e4 : tensor<32x7x7xi8>) -> tensor<32x7x7xi8>
  %4 = linalg.generic {indexing_maps = [affine_map<(f, h, w, i, j) -> (f, h + i, w + j)>, affine_map<(f, h, w, i, j) -> (i, j)>, affine_map<(f, h, w, i, j) -> (f, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%3, %window : tensor<32x8x8xi8>, tensor<2x2xi8>) outs(%f4 : tensor<32x7x7xi8>) {
  ^bb0(%p: i8, %q: i8, %s: i8):
    %u = arith.maxsi %p, %s : i8
    linalg.yield %u : i8
  } -> tensor<32x7x7xi8>
  %rows = tensor.collapse_shape %4 [[0], [1, 2]] : tensor<32x7x7xi8> into tensor<32x49xi8>
  %e5 = tensor.empty() : tensor<24x49xi32>
  %f5 = linalg.fill ins(%zero : i32) outs(%e5 : tensor<24x49xi32>) -> tensor<24x49xi32>
  %5 = linalg.generic {indexing_maps = [affine_map<(f, h, c) -> (c, h)>, affine_map<(f, h, c) -> (f, c)>, affine_map<(f, h, c) -> (f, h)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%rows, %c : tensor<32x49xi8>, tensor<24x32xi8>) outs(%f5 : tensor<24x49xi32>) {
  ^bb0(%p: i8, %q: i8, %s: i32):
    %m = arith.extsi %p : i8 to i32
    %n = arith.extsi %q : i8 to i32
    %t = arith.muli %m, %n : i32
    %u = arith.addi %s, %t : i32
    linalg.yield %u : i32
  } -> tensor<24x49xi32>
  return %5 : tensor<24x49xi32>
}

// -----

// Slices move with their tensors. Elements that are read at computed positions,
// and all elements as one dimension, are read from a transposed copy.

// CHECK-LABEL: func @views(
// CHECK:         %[[NARROW:.*]] = linalg.generic
// CHECK-SAME:      outs(%{{.*}} : tensor<4x6x32xi8>)
// CHECK:         %[[COPY:.*]] = linalg.transpose ins(%[[NARROW]] : tensor<4x6x32xi8>) outs(%{{.*}} : tensor<32x4x6xi8>) permutation = [2, 0, 1]
// CHECK:         %[[SLICE:.*]] = tensor.extract_slice %[[NARROW]][1, 0, 0] [2, 6, 32] [1, 1, 1] : tensor<4x6x32xi8> to tensor<2x6x32xi8>
// CHECK:         %[[BOTH:.*]] = tensor.insert_slice %[[SLICE]] into %{{.*}}[2, 0, 0] [2, 6, 32] [1, 1, 1] : tensor<2x6x32xi8> into tensor<4x6x32xi8>
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%[[BOTH]], %{{.*}} : tensor<4x6x32xi8>, tensor<24x32xi8>)
// CHECK:         tensor.collapse_shape %[[COPY]] {{\[\[}}0, 1, 2]] : tensor<32x4x6xi8> into tensor<768xi8>
func.func @views(%x: tensor<32x4x6xi32>, %c: tensor<24x32xi8> {pruner.constant}) -> (tensor<24x4x6xi32>, tensor<768xi8>) {
  %zero = arith.constant 0 : i32
  %zero8 = arith.constant 0 : i8
  %e0 = tensor.empty() : tensor<32x4x6xi8>
  %0 = linalg.generic {indexing_maps = [affine_map<(f, h, w) -> (f, h, w)>, affine_map<(f, h, w) -> (f, h, w)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<32x4x6xi32>) outs(%e0 : tensor<32x4x6xi8>) {
  ^bb0(%p: i32, %s: i8):
    %u = arith.trunci %p : i32 to i8
    linalg.yield %u : i8
  } -> tensor<32x4x6xi8>
  %slice = tensor.extract_slice %0[0, 1, 0] [32, 2, 6] [1, 1, 1] : tensor<32x4x6xi8> to tensor<32x2x6xi8>
  %f0 = linalg.fill ins(%zero8 : i8) outs(%e0 : tensor<32x4x6xi8>) -> tensor<32x4x6xi8>
  %both = tensor.insert_slice %slice into %f0[0, 2, 0] [32, 2, 6] [1, 1, 1] : tensor<32x2x6xi8> into tensor<32x4x6xi8>
  %e1 = tensor.empty() : tensor<24x4x6xi32>
  %f1 = linalg.fill ins(%zero : i32) outs(%e1 : tensor<24x4x6xi32>) -> tensor<24x4x6xi32>
  %1 = linalg.generic {indexing_maps = [affine_map<(f, h, w, c) -> (c, h, w)>, affine_map<(f, h, w, c) -> (f, c)>, affine_map<(f, h, w, c) -> (f, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%both, %c : tensor<32x4x6xi8>, tensor<24x32xi8>) outs(%f1 : tensor<24x4x6xi32>) {
  ^bb0(%p: i8, %q: i8, %s: i32):
    %m = arith.extsi %p : i8 to i32
    %n = arith.extsi %q : i8 to i32
    %t = arith.muli %m, %n : i32
    %u = arith.addi %s, %t : i32
    linalg.yield %u : i32
  } -> tensor<24x4x6xi32>
  %all = tensor.collapse_shape %0 [[0, 1, 2]] : tensor<32x4x6xi8> into tensor<768xi8>
  return %1, %all : tensor<24x4x6xi32>, tensor<768xi8>
}

// -----

// Without a constant factor, and with sums that are contiguous already, nothing
// moves.

// CHECK-LABEL: func @stays(
// CHECK-NOT:     tensor<8x16xi8>
// CHECK:         return
func.func @stays(%x: tensor<16x8xi32>, %y: tensor<16x24xi8>, %c: tensor<24x8xi8> {pruner.constant}) -> (tensor<8x24xi32>, tensor<16x24xi32>) {
  %zero = arith.constant 0 : i32
  %e0 = tensor.empty() : tensor<16x8xi8>
  %0 = linalg.generic {indexing_maps = [affine_map<(h, c) -> (h, c)>, affine_map<(h, c) -> (h, c)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<16x8xi32>) outs(%e0 : tensor<16x8xi8>) {
  ^bb0(%p: i32, %s: i8):
    %u = arith.trunci %p : i32 to i8
    linalg.yield %u : i8
  } -> tensor<16x8xi8>
  %e1 = tensor.empty() : tensor<8x24xi32>
  %f1 = linalg.fill ins(%zero : i32) outs(%e1 : tensor<8x24xi32>) -> tensor<8x24xi32>
  %1 = linalg.generic {indexing_maps = [affine_map<(h, f, c) -> (c, h)>, affine_map<(h, f, c) -> (c, f)>, affine_map<(h, f, c) -> (h, f)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%0, %y : tensor<16x8xi8>, tensor<16x24xi8>) outs(%f1 : tensor<8x24xi32>) {
  ^bb0(%p: i8, %q: i8, %s: i32):
    %m = arith.extsi %p : i8 to i32
    %n = arith.extsi %q : i8 to i32
    %t = arith.muli %m, %n : i32
    %u = arith.addi %s, %t : i32
    linalg.yield %u : i32
  } -> tensor<8x24xi32>
  %e2 = tensor.empty() : tensor<16x24xi32>
  %f2 = linalg.fill ins(%zero : i32) outs(%e2 : tensor<16x24xi32>) -> tensor<16x24xi32>
  %2 = linalg.generic {indexing_maps = [affine_map<(h, f, c) -> (h, c)>, affine_map<(h, f, c) -> (f, c)>, affine_map<(h, f, c) -> (h, f)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%0, %c : tensor<16x8xi8>, tensor<24x8xi8>) outs(%f2 : tensor<16x24xi32>) {
  ^bb0(%p: i8, %q: i8, %s: i32):
    %m = arith.extsi %p : i8 to i32
    %n = arith.extsi %q : i8 to i32
    %t = arith.muli %m, %n : i32
    %u = arith.addi %s, %t : i32
    linalg.yield %u : i32
  } -> tensor<16x24xi32>
  return %1, %2 : tensor<8x24xi32>, tensor<16x24xi32>
}
