// The first convolution of a network of images has three channels. For tiles,
// which add up 64 bytes, its image gets the channels last, so that the pixels
// in a row of a window become one sum: 21 terms, 7 times, instead of 7 terms,
// 21 times. Other instructions add up 4 bytes; they gain nothing.
//
// RUN: pruner-machine --json cpu > %t.cpu.json
// RUN: %python %S/Inputs/cpu_with.py +avx512f,+avx512bw,+avx512vnni,+amx-tile,+amx-int8 1 < %t.cpu.json > %t.amx.json
// RUN: %python %S/Inputs/cpu_with.py +avx512f,+avx512bw,+avx512vnni 1 < %t.cpu.json > %t.vnni.json
// DEFINE: %{move} = pruner-opt %s --pruner-move-channels-last=targets
// RUN: %{move}=file:%t.amx.json | pruner-opt --pruner-flatten-windows | FileCheck %s
// RUN: %{move}=file:%t.vnni.json | FileCheck %s --check-prefix=NONE
// RUN: %{move}=file:%t.amx.json,file:%t.vnni.json | FileCheck %s --check-prefix=NONE
// RUN: %{move}=nvidia:sm_80 | FileCheck %s --check-prefix=NONE

// CHECK-DAG: #[[IMAGE:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d1 * 2 + d3, d2 * 6 + d4)>
// CHECK-DAG: #[[FILTER:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d4)>
// CHECK-LABEL: func @first_convolution(
// CHECK-SAME:    %[[X:.*]]: tensor<3x224x224xf32>, %[[W:.*]]: tensor<64x3x7x7xi8>
// CHECK:         %[[BYTES:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<3x224x224xf32>) outs(%{{.*}} : tensor<224x224x3xi8>)
// CHECK:         %[[LAST:.*]] = linalg.transpose ins(%[[W]] : tensor<64x3x7x7xi8>) outs(%{{.*}} : tensor<64x7x7x3xi8>) permutation = [0, 2, 3, 1]
// CHECK:         %[[FLAT:.*]] = tensor.collapse_shape %[[BYTES]] {{\[\[}}0], [1, 2]] : tensor<224x224x3xi8> into tensor<224x672xi8>
// CHECK:         %[[PADDED:.*]] = tensor.pad %[[FLAT]] low[3, 9] high[3, 9]
// CHECK:         %[[ROWS:.*]] = tensor.collapse_shape %[[LAST]] {{\[\[}}0], [1], [2, 3]] : tensor<64x7x7x3xi8> into tensor<64x7x21xi8>
// CHECK:         linalg.generic {indexing_maps = [#[[IMAGE]], #[[FILTER]], #{{.*}}]
// CHECK-SAME:      ins(%[[PADDED]], %[[ROWS]] : tensor<230x690xi8>, tensor<64x7x21xi8>) outs(%{{.*}} : tensor<64x112x112xi32>)

// NONE-LABEL: func @first_convolution(
// NONE:         ins(%{{.*}}, %{{.*}} : tensor<3x230x230xi8>, tensor<64x3x7x7xi8>) outs(%{{.*}} : tensor<64x112x112xi32>)
func.func @first_convolution(%x: tensor<3x224x224xf32>, %w: tensor<64x3x7x7xi8> {pruner.constant}) -> tensor<64x112x112xi8> {
  %zero = arith.constant 0 : i32
  %zero8 = arith.constant 0 : i8
  %e = tensor.empty() : tensor<3x224x224xi8>
  %bytes = linalg.generic {indexing_maps = [affine_map<(c, h, w) -> (c, h, w)>, affine_map<(c, h, w) -> (c, h, w)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<3x224x224xf32>) outs(%e : tensor<3x224x224xi8>) {
  ^bb0(%p: f32, %o: i8):
    %r = arith.fptosi %p : f32 to i8
    linalg.yield %r : i8
  } -> tensor<3x224x224xi8>
  %padded = tensor.pad %bytes low[0, 3, 3] high[0, 3, 3] {
  ^bb0(%c: index, %h: index, %v: index):
    tensor.yield %zero8 : i8
  } : tensor<3x224x224xi8> to tensor<3x230x230xi8>
  %e1 = tensor.empty() : tensor<64x112x112xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e1 : tensor<64x112x112xi32>) -> tensor<64x112x112xi32>
  %sums = linalg.generic {indexing_maps = [affine_map<(f, h, w, c, i, j) -> (c, h * 2 + i, w * 2 + j)>, affine_map<(f, h, w, c, i, j) -> (f, c, i, j)>, affine_map<(f, h, w, c, i, j) -> (f, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%padded, %w : tensor<3x230x230xi8>, tensor<64x3x7x7xi8>) outs(%f : tensor<64x112x112xi32>) {
  ^bb0(%p: i8, %q: i8, %s: i32):
    %m = arith.extsi %p : i8 to i32
    %n = arith.extsi %q : i8 to i32
    %t = arith.muli %m, %n : i32
    %u = arith.addi %s, %t : i32
    linalg.yield %u : i32
  } -> tensor<64x112x112xi32>
  %e2 = tensor.empty() : tensor<64x112x112xi8>
  %result = linalg.generic {indexing_maps = [affine_map<(f, h, w) -> (f, h, w)>, affine_map<(f, h, w) -> (f, h, w)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sums : tensor<64x112x112xi32>) outs(%e2 : tensor<64x112x112xi8>) {
  ^bb0(%p: i32, %o: i8):
    %r = arith.trunci %p : i32 to i8
    linalg.yield %r : i8
  } -> tensor<64x112x112xi8>
  return %result : tensor<64x112x112xi8>
}
