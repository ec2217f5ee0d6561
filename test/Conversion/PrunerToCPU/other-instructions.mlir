// The instructions of CPUs that these tests seldom run on: code for each, by its
// assembly.
//
// RUN: pruner-opt %s --pruner-tile=target=file:%S/../../Dialect/Pruner/Inputs/cpu-later.json --convert-pruner-to-cpu -o %t.mlir
// RUN: pruner-opt %t.mlir --pruner-network-to-llvm=entry=signed_bytes -o %t.one.mlir
// RUN: pruner-translate %t.one.mlir --to=asm --mcpu=sierraforest | FileCheck %s --check-prefix=SIGNED-BYTES
// RUN: pruner-opt %t.mlir --pruner-network-to-llvm=entry=signed_by_unsigned -o %t.one.mlir
// RUN: pruner-translate %t.one.mlir --to=asm --mcpu=arrowlake | FileCheck %s --check-prefix=SIGNED-BY-UNSIGNED
// RUN: pruner-opt %t.mlir --pruner-network-to-llvm=entry=unsigned_by_signed -o %t.one.mlir
// RUN: pruner-translate %t.one.mlir --to=asm --mcpu=arrowlake | FileCheck %s --check-prefix=UNSIGNED-BY-SIGNED
// RUN: pruner-opt %t.mlir --pruner-network-to-llvm=entry=unsigned_bytes -o %t.one.mlir
// RUN: pruner-translate %t.one.mlir --to=asm --mcpu=sierraforest | FileCheck %s --check-prefix=UNSIGNED-BYTES
// RUN: pruner-opt %t.mlir --pruner-network-to-llvm=entry=wide_bytes -o %t.one.mlir
// RUN: pruner-translate %t.one.mlir --to=asm --mcpu=diamondrapids | FileCheck %s --check-prefix=WIDE-BYTES
// RUN: pruner-opt %t.mlir --pruner-network-to-llvm=entry=half_tiles -o %t.one.mlir
// RUN: pruner-translate %t.one.mlir --to=asm --mcpu=graniterapids | FileCheck %s --check-prefix=HALF-TILES
// RUN: pruner-opt %t.mlir --pruner-network-to-llvm=entry=words -o %t.one.mlir
// RUN: pruner-translate %t.one.mlir --to=asm --mcpu=haswell | FileCheck %s --check-prefix=WORDS
// RUN: pruner-opt %t.mlir --pruner-network-to-llvm=entry=wide_words -o %t.one.mlir
// RUN: pruner-translate %t.one.mlir --to=asm --mcpu=skylake-avx512 | FileCheck %s --check-prefix=WIDE-WORDS
// RUN: pruner-opt %t.mlir --pruner-network-to-llvm=entry=extended_bytes -o %t.one.mlir
// RUN: pruner-translate %t.one.mlir --to=asm --mcpu=haswell | FileCheck %s --check-prefix=EXTENDED-BYTES
// RUN: not pruner-translate %t.one.mlir --to=asm --mcpu=x86-64 2>&1 | FileCheck %s --check-prefix=ABSENT

#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>

// SIGNED-BYTES: vpdpbssd {{.*}}%ymm
func.func @signed_bytes(%a: tensor<64x64xi8>, %b: tensor<64x64xi8>) -> tensor<64x64xi32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 4], [1, 1, 16], [64]], stages = [none, inner],
                                                   vector = 8, unroll = 1, instruction = vpdpbssd>} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<64x64xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<64x64xi32>) -> tensor<64x64xi32>
  %c = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<64x64xi8>, tensor<64x64xi8>) outs(%init : tensor<64x64xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %p = arith.extsi %x : i8 to i32
    %q = arith.extsi %y : i8 to i32
    %m = arith.muli %p, %q : i32
    %r = arith.addi %s, %m : i32
    linalg.yield %r : i32
  } -> tensor<64x64xi32>
  return %c : tensor<64x64xi32>
}

// SIGNED-BY-UNSIGNED: vpdpbsud {{.*}}%ymm
func.func @signed_by_unsigned(%a: tensor<64x64xi8>, %b: tensor<64x64xi8>) -> tensor<64x64xi32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 4], [1, 1, 16], [64]], stages = [none, inner],
                                                   vector = 8, unroll = 1, instruction = vpdpbsud>} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<64x64xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<64x64xi32>) -> tensor<64x64xi32>
  %c = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<64x64xi8>, tensor<64x64xi8>) outs(%init : tensor<64x64xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %p = arith.extsi %x : i8 to i32
    %q = arith.extui %y : i8 to i32
    %m = arith.muli %p, %q : i32
    %r = arith.addi %s, %m : i32
    linalg.yield %r : i32
  } -> tensor<64x64xi32>
  return %c : tensor<64x64xi32>
}

// UNSIGNED-BY-SIGNED: vpdpbsud {{.*}}%xmm
func.func @unsigned_by_signed(%a: tensor<64x64xi8>, %b: tensor<64x64xi8>) -> tensor<64x64xi32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 4], [1, 1, 16], [64]], stages = [none, inner],
                                                   vector = 4, unroll = 1, instruction = vpdpbsud>} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<64x64xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<64x64xi32>) -> tensor<64x64xi32>
  %c = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<64x64xi8>, tensor<64x64xi8>) outs(%init : tensor<64x64xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %p = arith.extui %x : i8 to i32
    %q = arith.extsi %y : i8 to i32
    %m = arith.muli %p, %q : i32
    %r = arith.addi %s, %m : i32
    linalg.yield %r : i32
  } -> tensor<64x64xi32>
  return %c : tensor<64x64xi32>
}

// UNSIGNED-BYTES: vpdpbuud {{.*}}%ymm
func.func @unsigned_bytes(%a: tensor<64x64xi8>, %b: tensor<64x64xi8>) -> tensor<64x64xi32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 4], [1, 1, 16], [64]], stages = [none, inner],
                                                   vector = 8, unroll = 1, instruction = vpdpbuud>} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<64x64xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<64x64xi32>) -> tensor<64x64xi32>
  %c = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<64x64xi8>, tensor<64x64xi8>) outs(%init : tensor<64x64xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %p = arith.extui %x : i8 to i32
    %q = arith.extui %y : i8 to i32
    %m = arith.muli %p, %q : i32
    %r = arith.addi %s, %m : i32
    linalg.yield %r : i32
  } -> tensor<64x64xi32>
  return %c : tensor<64x64xi32>
}

// WIDE-BYTES: vpdpbssd {{.*}}%zmm
func.func @wide_bytes(%a: tensor<64x64xi8>, %b: tensor<64x64xi8>) -> tensor<64x64xi32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 4], [1, 1, 16], [64]], stages = [none, inner],
                                                   vector = 16, unroll = 1, instruction = vpdpbssd>} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<64x64xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<64x64xi32>) -> tensor<64x64xi32>
  %c = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<64x64xi8>, tensor<64x64xi8>) outs(%init : tensor<64x64xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %p = arith.extsi %x : i8 to i32
    %q = arith.extsi %y : i8 to i32
    %m = arith.muli %p, %q : i32
    %r = arith.addi %s, %m : i32
    linalg.yield %r : i32
  } -> tensor<64x64xi32>
  return %c : tensor<64x64xi32>
}

// HALF-TILES: tdpfp16ps
func.func @half_tiles(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>) -> tensor<64x64xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 16], [1, 1, 16], [64]], stages = [none, inner],
                                                   vector = 16, unroll = 1, instruction = tdpfp16ps>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %c = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%init : tensor<64x64xf32>) {
  ^bb0(%x: f16, %y: f16, %s: f32):
    %p = arith.extf %x : f16 to f32
    %q = arith.extf %y : f16 to f32
    %m = arith.mulf %p, %q : f32
    %r = arith.addf %s, %m : f32
    linalg.yield %r : f32
  } -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// WORDS: vpmaddwd {{.*}}%ymm
func.func @words(%a: tensor<64x64xi16>, %b: tensor<64x64xi16>) -> tensor<64x64xi32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 4], [1, 1, 16], [64]], stages = [none, inner],
                                                   vector = 8, unroll = 1, instruction = vpmaddwd>} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<64x64xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<64x64xi32>) -> tensor<64x64xi32>
  %c = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<64x64xi16>, tensor<64x64xi16>) outs(%init : tensor<64x64xi32>) {
  ^bb0(%x: i16, %y: i16, %s: i32):
    %p = arith.extsi %x : i16 to i32
    %q = arith.extsi %y : i16 to i32
    %m = arith.muli %p, %q : i32
    %r = arith.addi %s, %m : i32
    linalg.yield %r : i32
  } -> tensor<64x64xi32>
  return %c : tensor<64x64xi32>
}

// WIDE-WORDS: vpmaddwd {{.*}}%zmm
func.func @wide_words(%a: tensor<64x64xi16>, %b: tensor<64x64xi16>) -> tensor<64x64xi32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 4], [1, 1, 16], [64]], stages = [none, inner],
                                                   vector = 16, unroll = 1, instruction = vpmaddwd>} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<64x64xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<64x64xi32>) -> tensor<64x64xi32>
  %c = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<64x64xi16>, tensor<64x64xi16>) outs(%init : tensor<64x64xi32>) {
  ^bb0(%x: i16, %y: i16, %s: i32):
    %p = arith.extsi %x : i16 to i32
    %q = arith.extsi %y : i16 to i32
    %m = arith.muli %p, %q : i32
    %r = arith.addi %s, %m : i32
    linalg.yield %r : i32
  } -> tensor<64x64xi32>
  return %c : tensor<64x64xi32>
}

// Bytes are extended by their own signs, those of b for all rows at once.
// EXTENDED-BYTES-DAG: vpmovzxbw
// EXTENDED-BYTES-DAG: vpmovsxbw
// EXTENDED-BYTES: vpmaddwd {{.*}}%ymm
// EXTENDED-BYTES: vpaddd {{.*}}%ymm
func.func @extended_bytes(%a: tensor<64x64xi8>, %b: tensor<64x64xi8>) -> tensor<64x64xi32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 4], [1, 1, 16], [64]], stages = [none, inner],
                                                   vector = 8, unroll = 1, instruction = vpmaddwd_bytes>} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<64x64xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<64x64xi32>) -> tensor<64x64xi32>
  %c = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<64x64xi8>, tensor<64x64xi8>) outs(%init : tensor<64x64xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %p = arith.extui %x : i8 to i32
    %q = arith.extsi %y : i8 to i32
    %m = arith.muli %p, %q : i32
    %r = arith.addi %s, %m : i32
    linalg.yield %r : i32
  } -> tensor<64x64xi32>
  return %c : tensor<64x64xi32>
}

// ABSENT: cannot compile the intrinsic 'llvm.x86.avx2.pmadd.wd'
