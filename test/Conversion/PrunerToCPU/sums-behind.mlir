// Sums of matrix instructions that reach behind the extent of their dimension.
//
// RUN: pruner-opt %s --pruner-tile=target=file:%S/../../Dialect/Pruner/Inputs/cpu-tiles.json --convert-pruner-to-cpu --canonicalize --cse | FileCheck %s

// 30 terms are eight groups of four. The last two are zero in the copies of
// both factors.
// CHECK-LABEL: func private @odd_kernel
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0 : i8
// CHECK-DAG:     %[[END:.*]] = arith.constant 32 : index
// CHECK-DAG:     %[[EXTENT:.*]] = arith.constant 30 : index
// CHECK:         scf.for %{{.*}} = %[[EXTENT]] to %[[END]]
// CHECK:           memref.store %[[ZERO]]
// CHECK:         scf.for %{{.*}} = %[[EXTENT]] to %[[END]]
// CHECK:           memref.store %[[ZERO]]
// CHECK:         "llvm.x86.avx512.vpdpbusd.512"
func.func @odd(%a: tensor<16x30xi8>, %b: tensor<30x16xi8>) -> tensor<16x16xi32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 4], [1, 1, 16], [32]], stages = [outer, outer],
                                                   vector = 16, unroll = 1, instruction = vpdpbusd>} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<16x16xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<16x16xi32>) -> tensor<16x16xi32>
  %c = linalg.matmul ins(%a, %b : tensor<16x30xi8>, tensor<30x16xi8>) outs(%init : tensor<16x16xi32>) -> tensor<16x16xi32>
  return %c : tensor<16x16xi32>
}

// The columns of a window: behind its three there is the next pixel, which is
// multiplied by zero. Only the filter is filled.
// CHECK-LABEL: func private @window_kernel
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0 : i8
// CHECK-COUNT-1: memref.store %[[ZERO]]
// CHECK-NOT:     memref.store %[[ZERO]]
// CHECK:         "llvm.x86.avx512.vpdpbusd.512"
#image = affine_map<(y, x, f, i, j) -> (y + i, x + j)>
#filter = affine_map<(y, x, f, i, j) -> (i, j, f)>
#result = affine_map<(y, x, f, i, j) -> (y, x, f)>
func.func @window(%a: tensor<18x18xi8>, %b: tensor<3x3x16xi8>) -> tensor<16x16x16xi32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 1], [1, 1, 8], [1, 1, 16], [3], [4]], stages = [inner, inner],
                                                   vector = 16, unroll = 1, instruction = vpdpbusd>} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<16x16x16xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<16x16x16xi32>) -> tensor<16x16x16xi32>
  %c = linalg.generic {indexing_maps = [#image, #filter, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%a, %b : tensor<18x18xi8>, tensor<3x3x16xi8>) outs(%init : tensor<16x16x16xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %p = arith.extui %x : i8 to i32
    %q = arith.extsi %y : i8 to i32
    %m = arith.muli %p, %q : i32
    %r = arith.addi %s, %m : i32
    linalg.yield %r : i32
  } -> tensor<16x16x16xi32>
  return %c : tensor<16x16x16xi32>
}
