// Each part violates one rule of Analysis/Legality.h on the machine of
// Inputs/gpu.json. Functions have the name of the rule.
// RUN: pruner-opt %s --pruner-tile=target=file:%S/Inputs/gpu.json -split-input-file -verify-diagnostics

func.func @S1_machine(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 4], [1, 2, 8], [8]],
      stages = [none, inner], vector = 8, unroll = 2>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R1: variant cpu_tile is for CPUs, the machine is a GPU}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @R3(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile, tiles = [[1, 4, 1, 2], [2, 4, 1, 2], [2]],
      stages = [inner, inner], vector = 2, unroll = 16>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R3: dimension 2 has 1 tile factors, simt_tile takes 2}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @R4(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile, tiles = [[1, 4, 1, 2], [2, 4, 1, 2], [2, 17]],
      stages = [inner, inner], vector = 2, unroll = 16>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R4: factor 17 at level 1 of dimension 2 runs past the end: extent 16 holds 16 tiles of 1}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @R9(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile, tiles = [[1, 4, 1, 2], [2, 4, 1, 2], [2, 2]],
      stages = [inner, inner], vector = 2, unroll = 32>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R9: unroll 32 is not one of 0, 16, 64, 512, 1024}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @R10(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile, tiles = [[1, 4, 1, 2], [2, 4, 1, 2], [2, 2]],
      stages = [inner, inner], vector = 2, unroll = 16, order = [0, 1]>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R10: an order of 2 dimensions, simt_tile takes none}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @R12(%a: tensor<64x64xf32>) -> tensor<64x64xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_map, tiles = [[1, 64], [1, 8]],
      stages = [none], vector = 1, unroll = 0>} {
  %e = tensor.empty() : tensor<64x64xf32>
  // expected-error @below {{illegal schedule: R12: register tile 64x8 unrolls to 512 elements, the limit is 256}}
  %c = linalg.exp ins(%a : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// -----

func.func @R13(%a: tensor<64x64xf32>) -> tensor<64x64xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_map, tiles = [[64, 1], [8, 1]],
      stages = [none], vector = 1, unroll = 0>} {
  %e = tensor.empty() : tensor<64x64xf32>
  // expected-error @below {{illegal schedule: R13: a block has 512 threads, the machine allows 256}}
  %c = linalg.exp ins(%a : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// -----

func.func @R14(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile, tiles = [[4, 1, 1, 2], [2, 4, 1, 2], [2, 2]],
      stages = [inner, inner], vector = 2, unroll = 16>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R14: a thread has 8 virtual threads, the machine allows 4}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @R15(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile, tiles = [[1, 8, 1, 8], [1, 8, 1, 8], [32, 1]],
      stages = [inner, inner], vector = 2, unroll = 16>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-error @below {{illegal schedule: R15: staged buffers take 16384 bytes of shared memory, a block has 8192}}
  %c = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// -----

func.func @R16(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile, tiles = [[1, 4, 4, 4], [1, 4, 4, 4], [1, 1]],
      stages = [inner, inner], vector = 2, unroll = 16>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-error @below {{illegal schedule: R16: register tile 4x4 needs 256 + 8 registers, a thread has 255}}
  %c = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// -----

func.func @S17_length(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile, tiles = [[1, 4, 1, 2], [2, 4, 1, 2], [2, 2]],
      stages = [inner, inner], vector = 3, unroll = 16>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R17: vector 3 is not one of 1, 2, 4, 8, 16}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @S17_bytes(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile, tiles = [[1, 4, 1, 2], [2, 4, 1, 2], [2, 2]],
      stages = [inner, inner], vector = 8, unroll = 16>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R17: copies of input 0 move 32 bytes at a time, the widest access is 16}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @R18(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile, tiles = [[1, 4, 1, 2], [2, 4, 1, 2], [2, 2]],
      stages = [inner, inner], vector = 2, unroll = 16, pad = 65>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R18: rows are padded by 65 elements, simt_tile allows 0 to 64}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @S18_negative(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile, tiles = [[1, 4, 1, 2], [2, 4, 1, 2], [2, 2]],
      stages = [inner, inner], vector = 2, unroll = 16, pad = -1>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R18: rows are padded by -1 elements, simt_tile allows 0 to 64}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @S21_threads(%x: tensor<8x100xf32>) -> tensor<8xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_row, tiles = [[1, 1], [24, 1]],
      stages = [none], vector = 1, unroll = 0>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  // expected-error @below {{illegal schedule: R21: 24 threads share a row, which is not a power of two}}
  %c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x100xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

func.func @S21_body(%x: tensor<8x100xf32>) -> tensor<8xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_row, tiles = [[1, 1], [32, 1]],
      stages = [none], vector = 1, unroll = 0>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  // expected-error @below {{illegal schedule: R21: 32 threads share a row, but statement 0 does not accumulate by one associative operation}}
  %c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x100xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.subf %a, %acc : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

func.func @S12_row(%x: tensor<8x1024xf32>) -> tensor<8xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_row, tiles = [[1, 8], [8, 16]],
      stages = [none], vector = 1, unroll = 0>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  // expected-error @below {{illegal schedule: R12: register tile 8x16 unrolls to 128 elements, the limit is 64}}
  %c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x1024xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

func.func @S12_computed(%x: tensor<8x16xf32>, %w: tensor<16x16xf32>) -> tensor<8x16xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_row, tiles = [[1, 1], [1, 8], [1, 1]],
      stages = [none, none], vector = 1, unroll = 0>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%a: f32, %out: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<8x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  // expected-error @below {{illegal schedule: R12: register tile 1x8x16 unrolls to 128 elements, the limit is 64}}
  %c = linalg.matmul ins(%p, %w : tensor<8x16xf32>, tensor<16x16xf32>) outs(%f : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %c : tensor<8x16xf32>
}

// -----

func.func @S1_padded(%x: tensor<8x14xf32>) -> tensor<8xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_row, tiles = [[1, 1], [8, 2]], stages = [none], vector = 1, unroll = 0>} {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<8x14xf32> to tensor<8x16xf32>
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  // expected-error @below {{illegal schedule: R1: variant simt_row stages nothing, input 0 is padded}}
  %c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%p : tensor<8x16xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

func.func @S1_windows(%x: tensor<23xf32>, %w: tensor<16xf32>) -> tensor<8xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_row, tiles = [[1, 1], [8, 2]], stages = [none, none], vector = 1, unroll = 0>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<23xf32>
  %p = linalg.exp ins(%x : tensor<23xf32>) outs(%e : tensor<23xf32>) -> tensor<23xf32>
  %r = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%z : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  // expected-error @below {{illegal schedule: R1: variant simt_row computes inputs element by element, input 0 is read by windows}}
  %c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i + j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%p, %w : tensor<23xf32>, tensor<16xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

func.func @R19(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile, tiles = [[1, 1, 4, 2], [1, 1, 4, 2], [4, 2]], stages = [inner, inner], vector = 1, unroll = 16, vector_dim = 1>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R19: vectors run along dimension 1, simt_tile has no vectors}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @R20(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile, tiles = [[1, 1, 4, 2], [1, 1, 4, 2], [4, 2]], stages = [inner, ahead], vector = 1, unroll = 16>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R20: input 1 is packed ahead of time, simt_tile cannot pack ahead of time}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @S22_rows(%x: tensor<8x16xf32>) -> tensor<8x16xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_row, tiles = [[1, 1], [4, 2]], stages = [none], vector = 1, unroll = 0, split = [2]>} {
  %z = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<8xf32>
  %all = tensor.empty() : tensor<8x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  // expected-error @below {{illegal schedule: R22: the reduction is split, simt_row along the rows of a chain leaves each to one block}}
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x16xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %t = arith.addf %acc, %a : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<8x16xf32>, tensor<8xf32>) outs(%all : tensor<8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %t = arith.divf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<8x16xf32>
  return %q : tensor<8x16xf32>
}

// -----

func.func @R23(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile, tiles = [[1, 1, 4, 2], [1, 1, 4, 2], [4, 2]], stages = [inner, inner], vector = 1, unroll = 16, prefetch = 1>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R23: inputs are prefetched 1 steps ahead, simt_tile allows 0 to 0}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @R26(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile, tiles = [[1, 4, 1, 2], [2, 4, 1, 2], [2, 2]],
      stages = [inner, inner], vector = 2, unroll = 16, pipeline = 6>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R26: copies run ahead with 6 buffers, expected 1 to 5}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @R26_staged(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile, tiles = [[1, 4, 1, 2], [2, 4, 1, 2], [2, 2]],
      stages = [outer, none], vector = 2, unroll = 16, pipeline = 2>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R26: copies run ahead with 2 buffers, but no input is staged inside the outer reduction}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @R26_steps(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile, tiles = [[1, 4, 1, 2], [2, 4, 1, 2], [2, 2]],
      stages = [inner, inner], vector = 2, unroll = 16, pipeline = 5>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R26: copies run ahead with 5 buffers, the reduction has 4 steps}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @R26_one_step(%a: tensor<8x4xf32>, %b: tensor<4x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile, tiles = [[1, 4, 1, 2], [2, 4, 1, 2], [2, 2]],
      stages = [inner, inner], vector = 2, unroll = 16, pipeline = 2>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R26: copies run ahead with 2 buffers, the reduction has 1 step}}
  %c = linalg.matmul ins(%a, %b : tensor<8x4xf32>, tensor<4x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @R26_registers(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile, tiles = [[1, 4, 1, 2], [2, 4, 1, 2], [2, 2]],
      stages = [inner, none], vector = 2, unroll = 16, pipeline = 3>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R26: copies run ahead with 3 buffers, copies through registers use 2}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @R26_row(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_row, tiles = [[1, 1], [32, 1], [1, 2]],
      stages = [none, none], vector = 1, unroll = 16, pipeline = 2>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R26: copies run ahead with 2 buffers, simt_row allows 1}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}
