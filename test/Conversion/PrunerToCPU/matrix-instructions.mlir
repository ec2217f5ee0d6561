// Updates by dot products of vectors and by products of tile registers.
//
// RUN: pruner-opt %s --pruner-tile=target=file:%S/../../Dialect/Pruner/Inputs/cpu-tiles.json --convert-pruner-to-cpu --canonicalize --cse -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: pruner-opt %t.mlir --pruner-network-to-llvm=entry=signed_bytes -o %t.bytes.mlir
// RUN: pruner-translate %t.bytes.mlir --to=asm --mcpu=sapphirerapids | FileCheck %s --check-prefix=DOTS
// RUN: pruner-opt %t.mlir --pruner-network-to-llvm=entry=brain_floats -o %t.floats.mlir
// RUN: pruner-translate %t.floats.mlir --to=asm --mcpu=sapphirerapids | FileCheck %s --check-prefix=TILES
// RUN: not pruner-translate %t.floats.mlir --to=asm --mcpu=znver4 2>&1 | FileCheck %s --check-prefix=ABSENT

#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>

// Bytes with signs: 128 is added to a by its sign bits, and the sums of b times
// 128 are subtracted at the end.
// CHECK-LABEL: func private @signed_bytes_kernel
// CHECK-DAG:     %[[HALF:.*]] = arith.constant dense<-128> : vector<64xi8>
// CHECK:         scf.for
// CHECK:           %[[WORD:.*]] = vector.bitcast %{{.*}} : vector<4xi8> to vector<1xi32>
// CHECK:           %[[ALL:.*]] = vector.broadcast %{{.*}} : i32 to vector<16xi32>
// CHECK:           %[[BYTES:.*]] = vector.bitcast %[[ALL]] : vector<16xi32> to vector<64xi8>
// CHECK:           %[[A:.*]] = arith.xori %[[BYTES]], %[[HALF]] : vector<64xi8>
// CHECK:           %[[B:.*]] = vector.load {{.*}} vector<64xi8>
// CHECK:           llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%{{.*}}, %[[HALF]], %[[B]])
// CHECK:           llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%{{.*}}, %[[A]], %[[B]])
// CHECK:         arith.subi
// DOTS:          vpdpbusd {{.*}}%zmm
func.func @signed_bytes(%a: tensor<16x64xi8>, %b: tensor<64x32xi8>) -> tensor<16x32xi32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 4], [1, 1, 32], [64]], stages = [none, inner],
                                                   vector = 16, unroll = 1, instruction = vpdpbusd>} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<16x32xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<16x32xi32>) -> tensor<16x32xi32>
  %c = linalg.matmul ins(%a, %b : tensor<16x64xi8>, tensor<64x32xi8>) outs(%init : tensor<16x32xi32>) -> tensor<16x32xi32>
  return %c : tensor<16x32xi32>
}

// Two tiles of a are loaded first, and each tile of b before its two products. The
// tiles of the result are cleared, and stored where the result belongs.
// CHECK-LABEL: func private @brain_floats_kernel
// CHECK-NOT:     vector.store {{.*}}xf32>
// CHECK-COUNT-4: "llvm.x86.tilezero.internal"
// CHECK:         scf.for {{.*}} -> (!llvm.x86_amx, !llvm.x86_amx, !llvm.x86_amx, !llvm.x86_amx)
// CHECK-COUNT-2:   "llvm.x86.tileloadd64.internal"
// CHECK-NOT:       "llvm.x86.tileloadd64.internal"
// CHECK:           %[[B0:.*]] = llvm.call_intrinsic "llvm.x86.tileloadd64.internal"
// CHECK-COUNT-2:   "llvm.x86.tdpbf16ps.internal"({{.*}}, %[[B0]])
// CHECK:           %[[B1:.*]] = llvm.call_intrinsic "llvm.x86.tileloadd64.internal"
// CHECK-COUNT-2:   "llvm.x86.tdpbf16ps.internal"({{.*}}, %[[B1]])
// CHECK:         scf.yield
// CHECK-COUNT-4: "llvm.x86.tilestored64.internal"
// CHECK-NOT:     vector.store {{.*}}xf32>
// CHECK:         return
// No tile is spilled: the four of the result are stored once.
// TILES:        ldtilecfg
// TILES-COUNT-4: tdpbf16ps
// TILES-COUNT-4: tilestored
// TILES-NOT:    tilestored
// TILES:        tilerelease
func.func @brain_floats(%a: tensor<64x128xbf16>, %b: tensor<128x64xbf16>) -> tensor<64x64xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 32], [1, 1, 32], [128]], stages = [none, inner],
                                                   vector = 16, unroll = 1, instruction = tdpbf16ps>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %c = linalg.matmul ins(%a, %b : tensor<64x128xbf16>, tensor<128x64xbf16>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// With four tiles of a for one of b, that of b is loaded first. Six registers
// suffice.
// CHECK-LABEL: func private @tall_kernel
// CHECK:         scf.for
// CHECK:           %[[B:.*]] = llvm.call_intrinsic "llvm.x86.tileloadd64.internal"
// CHECK:           %[[A0:.*]] = llvm.call_intrinsic "llvm.x86.tileloadd64.internal"
// CHECK:           "llvm.x86.tdpbf16ps.internal"({{.*}}, %[[A0]], %[[B]])
// CHECK:           %[[A1:.*]] = llvm.call_intrinsic "llvm.x86.tileloadd64.internal"
// CHECK:           "llvm.x86.tdpbf16ps.internal"({{.*}}, %[[A1]], %[[B]])
// CHECK-COUNT-2:   "llvm.x86.tileloadd64.internal"
// CHECK-NOT:       "llvm.x86.tileloadd64.internal"
// CHECK:         return
func.func @tall(%a: tensor<64x128xbf16>, %b: tensor<128x64xbf16>) -> tensor<64x64xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 64], [1, 1, 16], [128]], stages = [none, inner],
                                                   vector = 16, unroll = 1, instruction = tdpbf16ps>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %c = linalg.matmul ins(%a, %b : tensor<64x128xbf16>, tensor<128x64xbf16>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// Accumulators that start from an argument are loaded, and an epilogue reads them
// from memory.
// CHECK-LABEL: func private @epilogue_kernel
// CHECK-NOT:     "llvm.x86.tilezero.internal"
// CHECK:         vector.store
// CHECK-COUNT-4: "llvm.x86.tileloadd64.internal"
// CHECK-COUNT-4: "llvm.x86.tilestored64.internal"
// The rounding to bf16 may take subnormal numbers as zero, as the products do.
// CHECK:         llvm.call_intrinsic "llvm.x86.avx512bf16.cvtneps2bf16.512"
// CHECK-NOT:     arith.truncf
// CHECK:         vector.store
func.func @epilogue(%a: tensor<64x128xbf16>, %b: tensor<128x64xbf16>, %init: tensor<64x64xf32>) -> tensor<64x64xbf16>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 32], [1, 1, 32], [128]], stages = [none, inner],
                                                   vector = 16, unroll = 1, instruction = tdpbf16ps>} {
  %empty = tensor.empty() : tensor<64x64xbf16>
  %c = linalg.matmul ins(%a, %b : tensor<64x128xbf16>, tensor<128x64xbf16>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]} ins(%c : tensor<64x64xf32>) outs(%empty : tensor<64x64xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<64x64xbf16>
  return %r : tensor<64x64xbf16>
}

// ABSENT: cannot compile the intrinsic 'llvm.x86.
