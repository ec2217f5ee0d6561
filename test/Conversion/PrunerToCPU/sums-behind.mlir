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

// The same for floats, padded. A zero behind the three columns of each window
// replaces the next pixel, which may be infinite. Whole windows are copied
// without regard to the padding.
// CHECK-LABEL: func private @windows_apart_kernel
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<4xbf16>
// CHECK-DAG:     %[[THREE:.*]] = vector.constant_mask [3] : vector<4xi1>
// CHECK:           %[[WHOLE:.*]] = vector.maskedload %{{.*}}, %[[THREE]], %[[ZERO]]
// CHECK:           vector.store %[[WHOLE]]
// CHECK:         } else {
// CHECK:           %[[INSIDE:.*]] = vector.create_mask
// CHECK:           %[[BEFORE:.*]] = vector.create_mask
// CHECK:           vector.maskedload
// CHECK:         "llvm.x86.tdpbf16ps.internal"
#strided = affine_map<(y, x, f, i, j) -> (y + i, x * 2 + j)>
func.func @windows_apart(%a: tensor<16x31xbf16>, %b: tensor<3x3x16xbf16>) -> tensor<16x16x16xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 1], [1, 1, 16], [1, 1, 16], [3], [4]], stages = [inner, inner],
                                                   vector = 16, unroll = 1, instruction = tdpbf16ps>} {
  %pad = arith.constant 0.0 : bf16
  %padded = tensor.pad %a low[1, 1] high[1, 1] {
  ^bb0(%y: index, %x: index):
    tensor.yield %pad : bf16
  } : tensor<16x31xbf16> to tensor<18x33xbf16>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<16x16x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<16x16x16xf32>) -> tensor<16x16x16xf32>
  %c = linalg.generic {indexing_maps = [#strided, #filter, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%padded, %b : tensor<18x33xbf16>, tensor<3x3x16xbf16>) outs(%init : tensor<16x16x16xf32>) {
  ^bb0(%x: bf16, %y: bf16, %s: f32):
    %p = arith.extf %x : bf16 to f32
    %q = arith.extf %y : bf16 to f32
    %m = arith.mulf %p, %q : f32
    %r = arith.addf %s, %m : f32
    linalg.yield %r : f32
  } -> tensor<16x16x16xf32>
  return %c : tensor<16x16x16xf32>
}
