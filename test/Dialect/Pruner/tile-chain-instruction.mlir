// A matrix instruction computes both products of a chain. It reads the rows in
// place, and a copy packs the values for all rows.
//
// RUN: pruner-opt %s --pruner-tile=target=file:%S/Inputs/cpu-tiles.json | FileCheck %s
// RUN: pruner-opt %s --pruner-tile=target=file:%S/Inputs/cpu-tiles.json --convert-pruner-to-cpu | FileCheck %s --check-prefix=CPU

// The keys are input 1 of the first product. It does not read the values, so
// their copy has the number 2. Neighbors along both sums are innermost.
// CHECK-LABEL: func.func private @tiles_kernel(
// CHECK-SAME: %[[Q:.*]]: memref<64x64xbf16>, %[[K:.*]]: memref<96x64xbf16>, %[[V:.*]]: memref<96x32xbf16>,
// CHECK: pruner.band core (%[[I:.*]] = d0 trips 2 step 32) {
// CHECK: %[[KEYS:.*]] = pruner.stage "arg1.packed" operand 1 at (%[[I]]) box [96, 64]
// CHECK-SAME: -> memref<3x32x32x2xbf16
// CHECK: %[[VALUES:.*]] = pruner.stage "arg2.packed" operand 2 at (%[[I]]) box [96, 32]
// CHECK-SAME: -> memref<48x32x2xbf16
// CHECK: %[[P:.*]] = pruner.alloc {{.*}} memref<32x96xbf16
// CHECK: pruner.compute update {{.*}} loops (d2 serial 2 step 32, d0 unroll 2 step 16, d1 unroll 2 step 16, d2 dot 32, d0 rows 16, d1 vector 16)
// CHECK-SAME: by "tdpbf16ps" ins(%[[Q]], %[[KEYS]] :
// CHECK: pruner.compute update {{.*}} loops (d1 serial 3 step 32, d0 unroll 2 step 16, d3 unroll 2 step 16, d1 dot 32, d0 rows 16, d3 vector 16)
// CHECK-SAME: by "tdpbf16ps" ins(%[[P]], %[[VALUES]] :

// CPU-LABEL: func.func private @tiles_kernel(
// CPU: llvm.x86.tdpbf16ps.internal
// CPU: cvtneps2bf16
// CPU: llvm.x86.tdpbf16ps.internal
// CPU-LABEL: func.func private @vectors_kernel(
#ij = affine_map<(d0, d1) -> (d0, d1)>
func.func @tiles(%q: tensor<64x64xbf16>, %k: tensor<96x64xbf16>, %v: tensor<96x32xbf16>) -> tensor<64x32xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_chain, tiles = [[1, 1, 32], [3, 32], [], [32]],
      stages = [none, outer], vector = 16, unroll = 1, instruction = tdpbf16ps>} {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<64x96xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%wide : tensor<64x96xf32>) -> tensor<64x96xf32>
  %s = linalg.generic {
    indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%q, %k : tensor<64x64xbf16>, tensor<96x64xbf16>) outs(%s0 : tensor<64x96xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %x = arith.extf %a : bf16 to f32
    %y = arith.extf %b : bf16 to f32
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %c, %p : f32
    linalg.yield %t : f32
  } -> tensor<64x96xf32>
  %narrow = tensor.empty() : tensor<64x96xbf16>
  %w = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
    ins(%s : tensor<64x96xf32>) outs(%narrow : tensor<64x96xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %m = arith.maximumf %a, %zero : f32
    %t = arith.truncf %m : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<64x96xbf16>
  %out = tensor.empty() : tensor<64x32xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%out : tensor<64x32xf32>) -> tensor<64x32xf32>
  %o = linalg.matmul ins(%w, %v : tensor<64x96xbf16>, tensor<96x32xbf16>) outs(%o0 : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %o : tensor<64x32xf32>
}

// Dot products of bytes add up four terms. The values are stored transposed.

// CHECK-LABEL: func.func private @vectors_kernel(
// CHECK: %[[VALUES:.*]] = pruner.stage "arg2.packed" operand 2 at () box [16, 48] of {{.*}} -> memref<12x16x4xi8
// CHECK: pruner.compute update {{.*}} loops (d2 serial 5 step 4, d0 unroll 4, d2 dot 4, d1 vector 16)
// CHECK-SAME: by "vpdpbusd"
// CHECK: pruner.compute update {{.*}} loops (d1 serial 12 step 4, d0 unroll 4, d1 dot 4, d3 vector 16)
// CHECK-SAME: by "vpdpbusd" ins(%{{.*}}, %[[VALUES]] :
// CPU: llvm.x86.avx512.vpdpbusd.512
// CPU: llvm.x86.avx512.vpdpbusd.512
func.func @vectors(%q: tensor<12x20xi8>, %k: tensor<36x20xi8>, %v: tensor<16x36xi8>) -> tensor<12x16xi32>
    attributes {pruner.schedule = #pruner.schedule<cpu_chain, tiles = [[3, 1, 4], [3, 16], [], [16]],
      stages = [none, outer], vector = 16, unroll = 1, instruction = vpdpbusd>} {
  %zero = arith.constant 0 : i32
  %least = arith.constant -128 : i32
  %most = arith.constant 127 : i32
  %wide = tensor.empty() : tensor<12x36xi32>
  %s0 = linalg.fill ins(%zero : i32) outs(%wide : tensor<12x36xi32>) -> tensor<12x36xi32>
  %s = linalg.generic {
    indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%q, %k : tensor<12x20xi8>, tensor<36x20xi8>) outs(%s0 : tensor<12x36xi32>) {
  ^bb0(%a: i8, %b: i8, %c: i32):
    %x = arith.extsi %a : i8 to i32
    %y = arith.extsi %b : i8 to i32
    %p = arith.muli %x, %y : i32
    %t = arith.addi %c, %p : i32
    linalg.yield %t : i32
  } -> tensor<12x36xi32>
  %narrow = tensor.empty() : tensor<12x36xi8>
  %w = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
    ins(%s : tensor<12x36xi32>) outs(%narrow : tensor<12x36xi8>) {
  ^bb0(%a: i32, %o: i8):
    %m = arith.maxsi %a, %least : i32
    %n = arith.minsi %m, %most : i32
    %t = arith.trunci %n : i32 to i8
    linalg.yield %t : i8
  } -> tensor<12x36xi8>
  %out = tensor.empty() : tensor<12x16xi32>
  %o0 = linalg.fill ins(%zero : i32) outs(%out : tensor<12x16xi32>) -> tensor<12x16xi32>
  %o = linalg.generic {
    indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%w, %v : tensor<12x36xi8>, tensor<16x36xi8>) outs(%o0 : tensor<12x16xi32>) {
  ^bb0(%a: i8, %b: i8, %c: i32):
    %x = arith.extsi %a : i8 to i32
    %y = arith.extsi %b : i8 to i32
    %p = arith.muli %x, %y : i32
    %t = arith.addi %c, %p : i32
    linalg.yield %t : i32
  } -> tensor<12x16xi32>
  return %o : tensor<12x16xi32>
}

// Both sums extend beyond their dimensions: two tiles of 32 terms cover 33 terms,
// and four cover 97. The queries are copied. The statement between the products
// writes zeros beyond the 97th element of a row.

// CHECK-LABEL: func.func private @zeros_kernel(
// CHECK: %[[Q:.*]] = pruner.stage "arg0.packed" operand 0 at {{.*}} box [16, 64] {{.*}} shape [64, 33]
// CHECK: %[[P:.*]] = pruner.alloc {{.*}} shape [64, 97] {{.*}} memref<16x32xbf16
// CHECK: pruner.compute update {{.*}} loops (d2 serial 2 step 32, d0 unroll 1 step 16, d1 unroll 2 step 16, d2 dot 32, d0 rows 16, d1 vector 16)
// CHECK-SAME: by "tdpbf16ps" ins(%[[Q]],
// CHECK: pruner.compute finish {{.*}} outs(%[[P]] :
// CHECK: pruner.compute update {{.*}} loops (d1 serial 1 step 32, d0 unroll 1 step 16, d3 unroll 2 step 16, d1 dot 32, d0 rows 16, d3 vector 16)
// CHECK-SAME: by "tdpbf16ps" ins(%[[P]],
// CPU-LABEL: func.func private @zeros_kernel(
// CPU: %[[ROUNDED:.*]] = llvm.call_intrinsic "llvm.x86.avx512bf16.cvtneps2bf16.512"
// CPU: %[[MASK:.*]] = vector.create_mask
// CPU: arith.select %[[MASK]], %[[ROUNDED]], %{{.*}} : vector<16xi1>, vector<16xbf16>
func.func @zeros(%q: tensor<64x33xbf16>, %k: tensor<97x33xbf16>, %v: tensor<97x32xbf16>) -> tensor<64x32xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_chain, tiles = [[1, 1, 16], [1, 32], [], [32]],
      stages = [inner, outer], vector = 16, unroll = 1, instruction = tdpbf16ps>} {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<64x97xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%wide : tensor<64x97xf32>) -> tensor<64x97xf32>
  %s = linalg.generic {
    indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%q, %k : tensor<64x33xbf16>, tensor<97x33xbf16>) outs(%s0 : tensor<64x97xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %x = arith.extf %a : bf16 to f32
    %y = arith.extf %b : bf16 to f32
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %c, %p : f32
    linalg.yield %t : f32
  } -> tensor<64x97xf32>
  %narrow = tensor.empty() : tensor<64x97xbf16>
  %w = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
    ins(%s : tensor<64x97xf32>) outs(%narrow : tensor<64x97xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %t = arith.truncf %a : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<64x97xbf16>
  %out = tensor.empty() : tensor<64x32xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%out : tensor<64x32xf32>) -> tensor<64x32xf32>
  %o = linalg.matmul ins(%w, %v : tensor<64x97xbf16>, tensor<97x32xbf16>) outs(%o0 : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %o : tensor<64x32xf32>
}
