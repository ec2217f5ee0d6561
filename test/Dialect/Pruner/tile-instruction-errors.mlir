// RUN: pruner-opt %s --pruner-tile=target=file:%S/Inputs/cpu-tiles.json --split-input-file -verify-diagnostics

#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
func.func @signs(%a: tensor<64x128xi8>, %b: tensor<128x64xi8>) -> tensor<64x64xi32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 32], [1, 1, 32], [128]], stages = [none, inner], vector = 16, unroll = 1, instruction = tdpbssd>} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<64x64xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<64x64xi32>) -> tensor<64x64xi32>
  // expected-error @below {{illegal schedule: R27: the task is not a sum of products that tdpbssd computes with vectors along this dimension}}
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

#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
func.func @types(%a: tensor<64x128xi8>, %b: tensor<128x64xi8>) -> tensor<64x64xi32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 4], [1, 1, 32], [64]], stages = [none, inner], vector = 16, unroll = 1, instruction = vdpbf16ps>} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<64x64xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<64x64xi32>) -> tensor<64x64xi32>
  // expected-error @below {{illegal schedule: R27: the task is not a sum of products that vdpbf16ps computes with vectors along this dimension}}
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

#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
func.func @terms(%a: tensor<64x128xi8>, %b: tensor<128x64xi8>) -> tensor<64x64xi32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 4], [1, 1, 32], [6]], stages = [none, inner], vector = 16, unroll = 1, instruction = vpdpbusd>} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<64x64xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<64x64xi32>) -> tensor<64x64xi32>
  // expected-error @below {{illegal schedule: R27: the innermost factor 6 of dimension 2 is not a multiple of 4, the terms that vpdpbusd computes at once}}
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

#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
func.func @rows(%a: tensor<64x128xi8>, %b: tensor<128x64xi8>) -> tensor<64x64xi32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 24], [1, 1, 32], [128]], stages = [none, inner], vector = 16, unroll = 1, instruction = tdpbusd>} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<64x64xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<64x64xi32>) -> tensor<64x64xi32>
  // expected-error @below {{illegal schedule: R27: the innermost factor 24 of dimension 0 is not a multiple of 16, the rows that tdpbusd computes at once}}
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

#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
func.func @staged(%a: tensor<64x128xi8>, %b: tensor<128x64xi8>) -> tensor<64x64xi32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 4], [1, 1, 32], [64]], stages = [none, none], vector = 16, unroll = 1, instruction = vpdpbusd>} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<64x64xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<64x64xi32>) -> tensor<64x64xi32>
  // expected-error @below {{illegal schedule: R27: input 1 must be staged, because vpdpbusd reads 4 neighbors along dimension 2 for each lane}}
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

#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
func.func @width(%a: tensor<64x128xi8>, %b: tensor<128x64xi8>) -> tensor<64x64xi32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 4], [1, 1, 32], [64]], stages = [none, inner], vector = 2, unroll = 1, instruction = vpdpbusd>} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<64x64xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<64x64xi32>) -> tensor<64x64xi32>
  // expected-error @below {{illegal schedule: R27: vpdpbusd has no vectors of 2 accumulators}}
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

#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
func.func @tile_registers(%a: tensor<64x128xi8>, %b: tensor<128x64xi8>) -> tensor<64x64xi32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 64], [1, 1, 64], [128]], stages = [none, inner], vector = 16, unroll = 1, instruction = tdpbusd>} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<64x64xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<64x64xi32>) -> tensor<64x64xi32>
  // expected-error @below {{illegal schedule: R11: register tile 64x64 needs 21 tile registers, the machine has 8}}
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

// The factors of each element of a batch have tiles of their own.
#a = affine_map<(n, i, j, k) -> (n, i, k)>
#b = affine_map<(n, i, j, k) -> (n, k, j)>
#c = affine_map<(n, i, j, k) -> (n, i, j)>
func.func @batch(%a: tensor<4x16x128xi8>, %b: tensor<4x128x16xi8>) -> tensor<4x16x16xi32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 4], [1, 1, 16], [1, 1, 16], [128]], stages = [none, inner], vector = 16, unroll = 1, instruction = tdpbusd>} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<4x16x16xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<4x16x16xi32>) -> tensor<4x16x16xi32>
  // expected-error @below {{illegal schedule: R11: register tile 4x16x16 needs 9 tile registers, the machine has 8}}
  %c = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4x16x128xi8>, tensor<4x128x16xi8>) outs(%init : tensor<4x16x16xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %p = arith.extui %x : i8 to i32
    %q = arith.extsi %y : i8 to i32
    %m = arith.muli %p, %q : i32
    %r = arith.addi %s, %m : i32
    linalg.yield %r : i32
  } -> tensor<4x16x16xi32>
  return %c : tensor<4x16x16xi32>
}

// -----

#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
func.func @odd(%a: tensor<64x126xi8>, %b: tensor<126x64xi8>) -> tensor<64x64xi32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 4], [1, 1, 32], [64]], stages = [none, inner], vector = 16, unroll = 1, instruction = vpdpbusd>} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<64x64xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<64x64xi32>) -> tensor<64x64xi32>
  // expected-error @below {{illegal schedule: R27: input 0 must be staged, because vpdpbusd reads 4 neighbors along dimension 2}}
  %c = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<64x126xi8>, tensor<126x64xi8>) outs(%init : tensor<64x64xi32>) {
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

// The second product adds up 32 elements of a row.
func.func @chain_terms(%q: tensor<64x64xbf16>, %k: tensor<96x64xbf16>, %v: tensor<96x48xbf16>) -> tensor<64x48xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_chain, tiles = [[1, 1, 16], [1, 16], [], [16]], stages = [none, outer], vector = 16, unroll = 1, instruction = tdpbf16ps>} {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<64x96xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%wide : tensor<64x96xf32>) -> tensor<64x96xf32>
  // expected-error @below {{illegal schedule: R27: the innermost factor 16 of dimension 1 is not a multiple of 32, the terms that tdpbf16ps computes at once}}
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
  %w = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
    ins(%s : tensor<64x96xf32>) outs(%narrow : tensor<64x96xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %t = arith.truncf %a : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<64x96xbf16>
  %out = tensor.empty() : tensor<64x48xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%out : tensor<64x48xf32>) -> tensor<64x48xf32>
  %o = linalg.matmul ins(%w, %v : tensor<64x96xbf16>, tensor<96x48xbf16>) outs(%o0 : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %o : tensor<64x48xf32>
}

// -----

// Two by two and two by three tiles of equal shapes.
func.func @chain_registers(%q: tensor<64x64xbf16>, %k: tensor<96x64xbf16>, %v: tensor<96x48xbf16>) -> tensor<64x48xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_chain, tiles = [[1, 1, 32], [1, 32], [], [48]], stages = [none, outer], vector = 16, unroll = 1, instruction = tdpbf16ps>} {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<64x96xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%wide : tensor<64x96xf32>) -> tensor<64x96xf32>
  // expected-error @below {{illegal schedule: R11: register tile 32x32x48 needs 9 tile registers, the machine has 8}}
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
  %w = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
    ins(%s : tensor<64x96xf32>) outs(%narrow : tensor<64x96xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %t = arith.truncf %a : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<64x96xbf16>
  %out = tensor.empty() : tensor<64x48xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%out : tensor<64x48xf32>) -> tensor<64x48xf32>
  %o = linalg.matmul ins(%w, %v : tensor<64x96xbf16>, tensor<96x48xbf16>) outs(%o0 : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %o : tensor<64x48xf32>
}

// -----

// The tiles of 20 terms of the first product have registers of their own.
func.func @chain_shapes(%q: tensor<64x20xbf16>, %k: tensor<96x20xbf16>, %v: tensor<96x48xbf16>) -> tensor<64x48xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_chain, tiles = [[1, 1, 32], [1, 32], [], [32]], stages = [none, outer], vector = 16, unroll = 1, instruction = tdpbf16ps>} {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<64x96xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%wide : tensor<64x96xf32>) -> tensor<64x96xf32>
  // expected-error @below {{illegal schedule: R11: register tile 32x32x32 needs 10 tile registers, the machine has 8}}
  %s = linalg.generic {
    indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%q, %k : tensor<64x20xbf16>, tensor<96x20xbf16>) outs(%s0 : tensor<64x96xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %x = arith.extf %a : bf16 to f32
    %y = arith.extf %b : bf16 to f32
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %c, %p : f32
    linalg.yield %t : f32
  } -> tensor<64x96xf32>
  %narrow = tensor.empty() : tensor<64x96xbf16>
  %w = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
    ins(%s : tensor<64x96xf32>) outs(%narrow : tensor<64x96xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %t = arith.truncf %a : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<64x96xbf16>
  %out = tensor.empty() : tensor<64x48xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%out : tensor<64x48xf32>) -> tensor<64x48xf32>
  %o = linalg.matmul ins(%w, %v : tensor<64x96xbf16>, tensor<96x48xbf16>) outs(%o0 : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %o : tensor<64x48xf32>
}
