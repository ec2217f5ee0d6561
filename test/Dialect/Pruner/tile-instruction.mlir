// Statements that matrix instructions compute, and the layouts of their inputs.
//
// RUN: pruner-opt %s --pruner-tile=target=file:%S/Inputs/cpu-tiles.json --split-input-file | FileCheck %s

// A lane of b holds four neighbors along the sum; so does each element of a,
// in place.
// CHECK: #[[PACKED:.*]] = affine_map<(d0, d1) -> (d1 floordiv 32, d0 floordiv 4, d1 mod 32, d0 mod 4)>
// CHECK-LABEL: func private @bytes_kernel
// CHECK:         pruner.stage "arg1.packed" {{.*}} layout #[[PACKED]] {{.*}} -> memref<2x16x32x4xi8
// CHECK:         pruner.compute update
// CHECK-SAME:      loops (d2 serial 16 step 4, d0 unroll 4, d1 unroll 2 step 16, d2 dot 4, d1 vector 16)
// CHECK-SAME:      by "vpdpbusd" ins(%arg0, %{{.*}} : memref<64x128xi8>
#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
func.func @bytes(%a: tensor<64x128xi8>, %b: tensor<128x64xi8>) -> tensor<64x64xi32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 4], [1, 2, 32], [64]], stages = [none, inner], vector = 16, unroll = 1, instruction = vpdpbusd>} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<64x64xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<64x64xi32>) -> tensor<64x64xi32>
  %c = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<64x128xi8>, tensor<128x64xi8>) outs(%init : tensor<64x64xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %p = arith.extui %x : i8 to i32
    %q = arith.extsi %y : i8 to i32
    %m = arith.muli %p, %q : i32
    %r = arith.addi %s, %m : i32
    linalg.yield %r : i32
  } -> tensor<64x64xi32>
  return %c : tensor<64x64xi32>
}

// -----

// Tiles of 16 rows and 64 terms. A staged a has whole rows of tiles.
// CHECK: #[[A:.*]] = affine_map<(d0, d1) -> (d1 floordiv 64, d0, d1 mod 64)>
// CHECK: #[[B:.*]] = affine_map<(d0, d1) -> (d0 floordiv 4, d1, d0 mod 4)>
// CHECK-LABEL: func private @tiles_kernel
// CHECK-DAG:     pruner.stage "arg0.packed" {{.*}} layout #[[A]] {{.*}} -> memref<2x32x64xi8
// CHECK-DAG:     pruner.stage "arg1.packed" {{.*}} layout #[[B]] {{.*}} -> memref<32x32x4xi8
// CHECK:         pruner.compute update
// CHECK-SAME:      loops (d2 serial 2 step 64, d0 unroll 2 step 16, d1 unroll 2 step 16, d2 dot 64, d0 rows 16, d1 vector 16)
// CHECK-SAME:      by "tdpbusd"
#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
func.func @tiles(%a: tensor<64x128xi8>, %b: tensor<128x64xi8>) -> tensor<64x64xi32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 32], [1, 1, 32], [128]], stages = [inner, inner], vector = 16, unroll = 1, instruction = tdpbusd>} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<64x64xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<64x64xi32>) -> tensor<64x64xi32>
  %c = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<64x128xi8>, tensor<128x64xi8>) outs(%init : tensor<64x64xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %p = arith.extui %x : i8 to i32
    %q = arith.extsi %y : i8 to i32
    %m = arith.muli %p, %q : i32
    %r = arith.addi %s, %m : i32
    linalg.yield %r : i32
  } -> tensor<64x64xi32>
  return %c : tensor<64x64xi32>
}

// -----

// 56 rows are four tiles of 14. 96 terms are two sums of 48.
// CHECK-LABEL: func private @rows_kernel
// CHECK:         pruner.compute update
// CHECK-SAME:      loops (d2 serial 2 step 48, d0 unroll 2 step 14, d1 unroll 2 step 16, d2 dot 48, d0 rows 14, d1 vector 16)
// CHECK-SAME:      by "tdpbssd"
#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
func.func @rows(%a: tensor<56x96xi8>, %b: tensor<96x64xi8>) -> tensor<56x64xi32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 28], [1, 1, 32], [96]], stages = [none, inner], vector = 16, unroll = 1, instruction = tdpbssd>} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<56x64xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<56x64xi32>) -> tensor<56x64xi32>
  %c = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<56x96xi8>, tensor<96x64xi8>) outs(%init : tensor<56x64xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %p = arith.extsi %x : i8 to i32
    %q = arith.extsi %y : i8 to i32
    %m = arith.muli %p, %q : i32
    %r = arith.addi %s, %m : i32
    linalg.yield %r : i32
  } -> tensor<56x64xi32>
  return %c : tensor<56x64xi32>
}

// -----

// The last sum of 126 terms has two more, which are zero in both buffers.
// CHECK: #[[A:.*]] = affine_map<(d0, d1) -> (d1 floordiv 64, d0, d1 mod 64)>
// CHECK-LABEL: func private @behind_kernel
// CHECK-DAG:     pruner.stage "arg0.packed" {{.*}} box [32, 128] {{.*}} shape [64, 126] layout #[[A]] {{.*}} -> memref<2x32x64xi8
// CHECK-DAG:     pruner.stage "arg1.packed" {{.*}} box [128, 32] {{.*}} shape [126, 64] {{.*}} -> memref<32x32x4xi8
// CHECK:         pruner.compute update
// CHECK-SAME:      loops (d2 serial 2 step 64, d0 unroll 2 step 16, d1 unroll 2 step 16, d2 dot 64, d0 rows 16, d1 vector 16)
func.func @behind(%a: tensor<64x126xi8>, %b: tensor<126x64xi8>) -> tensor<64x64xi32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 32], [1, 1, 32], [128]], stages = [inner, inner], vector = 16, unroll = 1, instruction = tdpbssd>} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<64x64xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<64x64xi32>) -> tensor<64x64xi32>
  %c = linalg.matmul ins(%a, %b : tensor<64x126xi8>, tensor<126x64xi8>) outs(%init : tensor<64x64xi32>) -> tensor<64x64xi32>
  return %c : tensor<64x64xi32>
}

// -----

// Sums of a window whose pixels are next to each other. An image without
// padding is read in place, tiles of 16 pixels at a distance of 8 bytes.
// CHECK-LABEL: func private @window_kernel
// CHECK-NOT:     pruner.stage "arg0
// CHECK:         pruner.compute update
// CHECK-SAME:      loops (d3 serial 3, d4 serial 1 step 24, d0 unroll 1, d1 unroll 1 step 16, d4 dot 24, d1 rows 16, d2 vector 16)
// CHECK-SAME:      by "tdpbusd" ins(%arg0, {{.*}} : memref<34x144xi8>
#image = affine_map<(y, x, f, i, k) -> (y + i, 8 * x + k)>
#filter = affine_map<(y, x, f, i, k) -> (i, k, f)>
#result = affine_map<(y, x, f, i, k) -> (y, x, f)>
func.func @window(%a: tensor<34x144xi8>, %b: tensor<3x24x16xi8>) -> tensor<32x16x16xi32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 1], [1, 1, 16], [1, 1, 16], [3], [24]], stages = [none, inner], vector = 16, unroll = 1, instruction = tdpbusd>} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<32x16x16xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<32x16x16xi32>) -> tensor<32x16x16xi32>
  %c = linalg.generic {indexing_maps = [#image, #filter, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%a, %b : tensor<34x144xi8>, tensor<3x24x16xi8>) outs(%init : tensor<32x16x16xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %p = arith.extui %x : i8 to i32
    %q = arith.extsi %y : i8 to i32
    %m = arith.muli %p, %q : i32
    %r = arith.addi %s, %m : i32
    linalg.yield %r : i32
  } -> tensor<32x16x16xi32>
  return %c : tensor<32x16x16xi32>
}
