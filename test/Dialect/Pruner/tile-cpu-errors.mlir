// Each part violates one rule of Analysis/Legality.h on the machine of
// Inputs/cpu.json. Functions have the name of the rule.
// RUN: pruner-opt %s --pruner-tile=target=file:%S/Inputs/cpu.json -split-input-file -verify-diagnostics

func.func @S1_map(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_map, tiles = [[1, 1], [1, 8], []],
      stages = [none, none], vector = 8, unroll = 1>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R1: variant cpu_map needs an anchor without reduction dimensions, but the task has some}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @S1_tile(%a: tensor<64x64xf32>) -> tensor<64x64xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 1], [1, 1, 8]],
      stages = [none], vector = 8, unroll = 2>} {
  %e = tensor.empty() : tensor<64x64xf32>
  // expected-error @below {{illegal schedule: R1: variant cpu_tile needs an anchor with reduction dimensions, but the task has none}}
  %c = linalg.exp ins(%a : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// -----

func.func @S1_machine(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile, tiles = [[1, 4, 1, 2], [2, 4, 1, 2], [2, 2]],
      stages = [inner, inner], vector = 2, unroll = 16>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R1: variant simt_tile is for GPUs, the machine is a CPU}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @R2(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 4], [1, 2, 8]],
      stages = [none, inner], vector = 8, unroll = 2>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R2: 2 lists of tile factors, the anchor has 3 dimensions}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @S2_none(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R2: 0 lists of tile factors, the anchor has 3 dimensions}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @S3_parallel(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2], [1, 2, 8], [8]],
      stages = [none, inner], vector = 8, unroll = 2>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R3: dimension 0 has 2 tile factors, cpu_tile takes 3}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @S3_reduction(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 4], [1, 2, 8], [2, 2, 2]],
      stages = [none, inner], vector = 8, unroll = 2>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R3: dimension 2 has 3 tile factors, cpu_tile takes 1}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @S3_zero(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 0, 4], [1, 2, 8], [8]],
      stages = [none, inner], vector = 8, unroll = 2>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R3: dimension 0 has the tile factor 0, the least is 1}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @S3_negative(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 4], [1, 2, 8], [-8]],
      stages = [none, inner], vector = 8, unroll = 2>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R3: dimension 2 has the tile factor -8, the least is 1}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @R4(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 3, 4], [1, 2, 8], [8]],
      stages = [none, inner], vector = 8, unroll = 2>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R4: factor 3 at level 1 of dimension 0 runs past the end: extent 8 holds 2 tiles of 4}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @S4_huge(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 4611686018427387904, 4], [1, 2, 8], [8]],
      stages = [none, inner], vector = 8, unroll = 2>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R4: factor 4611686018427387904 at level 1 of dimension 0 runs past the end: extent 8 holds 2 tiles of 4}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @S4_product(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[4611686018427387904, 4611686018427387904, 4611686018427387904], [1, 2, 8], [8]],
      stages = [none, inner], vector = 8, unroll = 2>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R4: factor 4611686018427387904 at level 2 of dimension 0 runs past the end: extent 8 holds 8 tiles of 1}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @R5(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 4], [1, 2, 8], [8]],
      stages = [none], vector = 8, unroll = 2>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R5: 1 stage levels, the anchor has 2 inputs}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @S5_map(%a: tensor<64x64xf32>) -> tensor<64x64xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_map, tiles = [[1, 1], [1, 8]],
      stages = [inner], vector = 8, unroll = 1>} {
  %e = tensor.empty() : tensor<64x64xf32>
  // expected-error @below {{illegal schedule: R5: input 0 is staged, cpu_map reads its inputs in place}}
  %c = linalg.exp ins(%a : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// -----

func.func @R6(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 4], [1, 2, 8], [8]],
      stages = [none, inner], vector = 8, unroll = 2>} {
  %z = arith.constant 0.0 : f32
  %x = tensor.empty() : tensor<8x16xf32>
  %p = linalg.abs ins(%a : tensor<8x16xf32>) outs(%x : tensor<8x16xf32>) -> tensor<8x16xf32>
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R6: input 0 is computed by statement 0 and must be staged, but it is read in place}}
  %c = linalg.matmul ins(%p, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @R7(%a: tensor<1024x1024xf32>, %b: tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 64, 4], [1, 64, 8], [256]],
      stages = [none, inner], vector = 8, unroll = 2>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x1024xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  // expected-error @below {{illegal schedule: R7: local buffers take 1048576 bytes, the outermost cache of a core has 262144}}
  %c = linalg.matmul ins(%a, %b : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%f : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %c : tensor<1024x1024xf32>
}

// -----

func.func @S8_power(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 4], [1, 2, 8], [8]],
      stages = [none, inner], vector = 6, unroll = 2>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R8: vector 6 is not a power of two from 1 to 8, the elements of a register}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @S8_register(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 4], [1, 2, 16], [8]],
      stages = [none, inner], vector = 16, unroll = 2>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R8: vector 16 is not a power of two from 1 to 8, the elements of a register}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @S8_zero(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 4], [1, 2, 8], [8]],
      stages = [none, inner], vector = 0, unroll = 2>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R8: vector 0 is not a power of two from 1 to 8, the elements of a register}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @S8_divides(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 4], [1, 2, 12], [8]],
      stages = [none, inner], vector = 8, unroll = 2>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R8: vector 8 does not divide the register tile 12 of dimension 1}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @R9(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 4], [1, 2, 8], [8]],
      stages = [none, inner], vector = 8, unroll = 3>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R9: unroll 3 is not a power of two from 1 to 64}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @S10_length(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 4], [1, 2, 8], [8]],
      stages = [none, inner], vector = 8, unroll = 2, order = [0]>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R10: an order of 1 dimensions, the anchor has 2 parallel ones}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @S10_reduction(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 4], [1, 2, 8], [8]],
      stages = [none, inner], vector = 8, unroll = 2, order = [0, 2]>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R10: the order names dimension 2, which is not a parallel one of the 3}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @S10_twice(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 4], [1, 2, 8], [8]],
      stages = [none, inner], vector = 8, unroll = 2, order = [1, 1]>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R10: the order names dimension 1 2 times, once is allowed}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @S10_range(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 4], [1, 2, 8], [8]],
      stages = [none, inner], vector = 8, unroll = 2, order = [0, -7]>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R10: the order names dimension -7, which is not a parallel one of the 3}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @S10_map(%a: tensor<64x64xf32>) -> tensor<64x64xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_map, tiles = [[1, 1], [1, 8]],
      stages = [none], vector = 8, unroll = 1, order = [0, 1]>} {
  %e = tensor.empty() : tensor<64x64xf32>
  // expected-error @below {{illegal schedule: R10: an order of 2 dimensions, cpu_map takes none}}
  %c = linalg.exp ins(%a : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// -----

func.func @R11(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 8], [1, 2, 16], [8]],
      stages = [none, inner], vector = 8, unroll = 2>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R11: register tile 8x16 needs 16 + 3 vector registers, the machine has 16}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @R12(%a: tensor<64x64xf32>) -> tensor<64x64xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_map, tiles = [[1, 64], [1, 64]],
      stages = [none], vector = 8, unroll = 1>} {
  %e = tensor.empty() : tensor<64x64xf32>
  // expected-error @below {{illegal schedule: R12: register tile 64x64 unrolls to 10240 vector operations, the limit is 1024}}
  %c = linalg.exp ins(%a : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// -----

func.func @R18(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 4], [1, 2, 8], [8]],
      stages = [none, inner], vector = 8, unroll = 2, pad = 1>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R18: rows are padded by 1 elements, cpu_tile allows 0 to 0}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @S19_range(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 4], [1, 2, 8], [8]],
      stages = [none, inner], vector = 8, vector_dim = 3, unroll = 2>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R19: vectors run along dimension 3, the anchor has 3 dimensions}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @S8_reduction(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 4], [1, 2, 1], [4]],
      stages = [none, inner], vector = 8, vector_dim = 2, unroll = 2>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R8: vector 8 does not divide the inner reduction 4 of dimension 2}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

// The accumulator is used twice, so lanes could not be combined.
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @S19_associative(%a: tensor<8x16xf32>) -> tensor<8xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 4], [16]],
      stages = [none], vector = 8, vector_dim = 1, unroll = 2>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  // expected-error @below {{illegal schedule: R19: vectors run along the reduction dimension 1, but the anchor does not accumulate by one associative operation}}
  %c = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<8x16xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %s = arith.addf %acc, %acc : f32
    %r = arith.addf %s, %x : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

func.func @R20(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 4], [1, 2, 8], [16]],
      stages = [none, ahead], vector = 8, unroll = 2>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R20: input 1 is packed ahead of time, arg1 is not constant}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @S20_twice(%a: tensor<16x16xf32> {pruner.constant}) -> tensor<16x16xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 4], [1, 2, 8], [16]],
      stages = [none, ahead], vector = 8, unroll = 2>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  // expected-error @below {{illegal schedule: R20: input 1 is packed ahead of time, but the anchor must read it once, unfused, with single dimensions as coordinates}}
  %c = linalg.matmul ins(%a, %a : tensor<16x16xf32>, tensor<16x16xf32>) outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %c : tensor<16x16xf32>
}

// -----

func.func @S19_rows(%x: tensor<8x16xf32>) -> tensor<8x16xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_row, tiles = [[1, 2], [8]], stages = [none], vector = 8, unroll = 2, vector_dim = 0>} {
  %z = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<8xf32>
  %all = tensor.empty() : tensor<8x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  // expected-error @below {{illegal schedule: R19: vectors run along dimension 0 across the rows, but those of cpu_row run along rows}}
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

func.func @R22(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 4], [1, 2, 8], [16]], stages = [none, none], vector = 8, unroll = 2, split = [2]>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R22: dimension 2 is split into 2 parts, it has 1 step}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @S22_cores(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 4], [1, 2, 8], [8]], stages = [none, none], vector = 8, unroll = 2, split = [2]>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R22: the reduction is split, cpu_tile leaves each to one core}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @S22_count(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 4], [1, 2, 8], [16]], stages = [none, none], vector = 8, unroll = 2, split = [1, 1]>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R22: the reduction is split along 2 dimensions, the anchor has 1 to reduce}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @R23(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 4], [1, 2, 8], [16]], stages = [none, none], vector = 8, unroll = 2, prefetch = 2>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R23: inputs are prefetched 2 steps ahead, cpu_tile allows 0 to 1}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @R23_panels(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 4], [1, 2, 8], [16]], stages = [none, none], vector = 8, unroll = 2, prefetch = 1>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R23: panels are prefetched, but no input is packed in panels}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// -----

func.func @S23_rows(%x: tensor<8x16xf32>) -> tensor<8x16xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_row, tiles = [[1, 2], [8]], stages = [none], vector = 8, unroll = 2, prefetch = 9>} {
  %z = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<8xf32>
  %all = tensor.empty() : tensor<8x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  // expected-error @below {{illegal schedule: R23: inputs are prefetched 9 steps ahead, cpu_row allows 0 to 8}}
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

func.func @S1_rows(%x: tensor<8x16xf32>) -> tensor<8x16xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 4], [1, 2, 8], [16]], stages = [none], vector = 8, unroll = 2>} {
  %z = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<8xf32>
  %all = tensor.empty() : tensor<8x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  // expected-error @below {{illegal schedule: R1: variant cpu_tile is not for chains over rows, but the task is one}}
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

func.func @R25_value(%a: tensor<64x64xf32>) -> tensor<64x64xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_map, tiles = [[1, 1], [1, 8]], stages = [none], vector = 8, unroll = 1, stream = 2>} {
  %e = tensor.empty() : tensor<64x64xf32>
  // expected-error @below {{illegal schedule: R25: stream is 2, cpu_map allows 0 and 1}}
  %c = linalg.exp ins(%a : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// -----

func.func @R25_machine(%a: tensor<64x64xf32>) -> tensor<64x64xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_map, tiles = [[1, 1], [1, 8]], stages = [none], vector = 8, unroll = 1, stream = 1>} {
  %e = tensor.empty() : tensor<64x64xf32>
  // expected-error @below {{illegal schedule: R25: stream is 1, but 'generic' is not an x86-64 CPU}}
  %c = linalg.exp ins(%a : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}
