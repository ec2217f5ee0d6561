// Each part violates one rule of Analysis/Legality.h with a chain between two
// products on the machine of Inputs/cpu.json. Functions have the name of the
// rule.
// RUN: pruner-opt %s --pruner-tile=target=file:%S/Inputs/cpu.json -split-input-file -verify-diagnostics

func.func @R1_row(%x: tensor<21x5xf32>, %a: tensor<5x37xf32>, %b: tensor<37x6xf32>) -> tensor<21x6xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_row, tiles = [[1, 4], [8], [8], [8]],
      stages = [none, none], vector = 8, unroll = 1>} {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<21x37xf32>
  %h0 = linalg.fill ins(%zero : f32) outs(%wide : tensor<21x37xf32>) -> tensor<21x37xf32>
  // expected-error @below {{illegal schedule: R1: variant cpu_row has no products, but the task is a chain between products}}
  %h = linalg.matmul ins(%x, %a : tensor<21x5xf32>, tensor<5x37xf32>) outs(%h0 : tensor<21x37xf32>) -> tensor<21x37xf32>
  %out = tensor.empty() : tensor<21x6xf32>
  %y0 = linalg.fill ins(%zero : f32) outs(%out : tensor<21x6xf32>) -> tensor<21x6xf32>
  %y = linalg.matmul ins(%h, %b : tensor<21x37xf32>, tensor<37x6xf32>) outs(%y0 : tensor<21x6xf32>) -> tensor<21x6xf32>
  return %y : tensor<21x6xf32>
}

// -----

func.func @R1_tile(%x: tensor<21x5xf32>, %a: tensor<5x37xf32>, %b: tensor<37x6xf32>) -> tensor<21x6xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 4], [1], [1], [8]],
      stages = [none, none], vector = 8, unroll = 1>} {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<21x37xf32>
  %h0 = linalg.fill ins(%zero : f32) outs(%wide : tensor<21x37xf32>) -> tensor<21x37xf32>
  // expected-error @below {{illegal schedule: R1: variant cpu_tile is not for chains over rows, but the task is one}}
  %h = linalg.matmul ins(%x, %a : tensor<21x5xf32>, tensor<5x37xf32>) outs(%h0 : tensor<21x37xf32>) -> tensor<21x37xf32>
  %out = tensor.empty() : tensor<21x6xf32>
  %y0 = linalg.fill ins(%zero : f32) outs(%out : tensor<21x6xf32>) -> tensor<21x6xf32>
  %y = linalg.matmul ins(%h, %b : tensor<21x37xf32>, tensor<37x6xf32>) outs(%y0 : tensor<21x6xf32>) -> tensor<21x6xf32>
  return %y : tensor<21x6xf32>
}

// -----

func.func @R2(%x: tensor<21x5xf32>, %a: tensor<5x37xf32>, %b: tensor<37x6xf32>) -> tensor<21x6xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_chain, tiles = [[1, 1, 4], [1, 8], []],
      stages = [none, none], vector = 8, unroll = 1>} {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<21x37xf32>
  %h0 = linalg.fill ins(%zero : f32) outs(%wide : tensor<21x37xf32>) -> tensor<21x37xf32>
  // expected-error @below {{illegal schedule: R2: 3 lists of tile factors, the task has 4 dimensions}}
  %h = linalg.matmul ins(%x, %a : tensor<21x5xf32>, tensor<5x37xf32>) outs(%h0 : tensor<21x37xf32>) -> tensor<21x37xf32>
  %out = tensor.empty() : tensor<21x6xf32>
  %y0 = linalg.fill ins(%zero : f32) outs(%out : tensor<21x6xf32>) -> tensor<21x6xf32>
  %y = linalg.matmul ins(%h, %b : tensor<21x37xf32>, tensor<37x6xf32>) outs(%y0 : tensor<21x6xf32>) -> tensor<21x6xf32>
  return %y : tensor<21x6xf32>
}

// -----

func.func @R3(%x: tensor<21x5xf32>, %a: tensor<5x37xf32>, %b: tensor<37x6xf32>) -> tensor<21x6xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_chain, tiles = [[1, 1, 4], [1, 8], [1], [8]],
      stages = [none, none], vector = 8, unroll = 1>} {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<21x37xf32>
  %h0 = linalg.fill ins(%zero : f32) outs(%wide : tensor<21x37xf32>) -> tensor<21x37xf32>
  // expected-error @below {{illegal schedule: R3: dimension 2 has 1 tile factors, cpu_chain takes 0}}
  %h = linalg.matmul ins(%x, %a : tensor<21x5xf32>, tensor<5x37xf32>) outs(%h0 : tensor<21x37xf32>) -> tensor<21x37xf32>
  %out = tensor.empty() : tensor<21x6xf32>
  %y0 = linalg.fill ins(%zero : f32) outs(%out : tensor<21x6xf32>) -> tensor<21x6xf32>
  %y = linalg.matmul ins(%h, %b : tensor<21x37xf32>, tensor<37x6xf32>) outs(%y0 : tensor<21x6xf32>) -> tensor<21x6xf32>
  return %y : tensor<21x6xf32>
}

// -----

func.func @R4(%x: tensor<21x5xf32>, %a: tensor<5x37xf32>, %b: tensor<37x6xf32>) -> tensor<21x6xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_chain, tiles = [[1, 1, 4], [1, 48], [], [8]],
      stages = [none, none], vector = 8, unroll = 1>} {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<21x37xf32>
  %h0 = linalg.fill ins(%zero : f32) outs(%wide : tensor<21x37xf32>) -> tensor<21x37xf32>
  // expected-error @below {{illegal schedule: R4: factor 48 at level 1 of dimension 1 runs past the end: extent 37 holds 40 tiles of 1}}
  %h = linalg.matmul ins(%x, %a : tensor<21x5xf32>, tensor<5x37xf32>) outs(%h0 : tensor<21x37xf32>) -> tensor<21x37xf32>
  %out = tensor.empty() : tensor<21x6xf32>
  %y0 = linalg.fill ins(%zero : f32) outs(%out : tensor<21x6xf32>) -> tensor<21x6xf32>
  %y = linalg.matmul ins(%h, %b : tensor<21x37xf32>, tensor<37x6xf32>) outs(%y0 : tensor<21x6xf32>) -> tensor<21x6xf32>
  return %y : tensor<21x6xf32>
}

// -----

func.func @R5(%x: tensor<21x5xf32>, %a: tensor<5x37xf32>, %b: tensor<37x6xf32>) -> tensor<21x6xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_chain, tiles = [[1, 1, 4], [1, 8], [], [8]],
      stages = [none], vector = 8, unroll = 1>} {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<21x37xf32>
  %h0 = linalg.fill ins(%zero : f32) outs(%wide : tensor<21x37xf32>) -> tensor<21x37xf32>
  // expected-error @below {{illegal schedule: R5: 1 stage levels, the anchor has 2 inputs}}
  %h = linalg.matmul ins(%x, %a : tensor<21x5xf32>, tensor<5x37xf32>) outs(%h0 : tensor<21x37xf32>) -> tensor<21x37xf32>
  %out = tensor.empty() : tensor<21x6xf32>
  %y0 = linalg.fill ins(%zero : f32) outs(%out : tensor<21x6xf32>) -> tensor<21x6xf32>
  %y = linalg.matmul ins(%h, %b : tensor<21x37xf32>, tensor<37x6xf32>) outs(%y0 : tensor<21x6xf32>) -> tensor<21x6xf32>
  return %y : tensor<21x6xf32>
}

// -----

func.func @R8(%x: tensor<21x5xf32>, %a: tensor<5x37xf32>, %b: tensor<37x6xf32>) -> tensor<21x6xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_chain, tiles = [[1, 1, 4], [1, 8], [], [4]],
      stages = [none, none], vector = 8, unroll = 1>} {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<21x37xf32>
  %h0 = linalg.fill ins(%zero : f32) outs(%wide : tensor<21x37xf32>) -> tensor<21x37xf32>
  // expected-error @below {{illegal schedule: R8: vector 8 does not divide the register tile 4 of dimension 3}}
  %h = linalg.matmul ins(%x, %a : tensor<21x5xf32>, tensor<5x37xf32>) outs(%h0 : tensor<21x37xf32>) -> tensor<21x37xf32>
  %out = tensor.empty() : tensor<21x6xf32>
  %y0 = linalg.fill ins(%zero : f32) outs(%out : tensor<21x6xf32>) -> tensor<21x6xf32>
  %y = linalg.matmul ins(%h, %b : tensor<21x37xf32>, tensor<37x6xf32>) outs(%y0 : tensor<21x6xf32>) -> tensor<21x6xf32>
  return %y : tensor<21x6xf32>
}

// -----

func.func @R10(%x: tensor<21x5xf32>, %a: tensor<5x37xf32>, %b: tensor<37x6xf32>) -> tensor<21x6xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_chain, tiles = [[1, 1, 4], [1, 8], [], [8]],
      stages = [none, none], vector = 8, unroll = 1, order = [0]>} {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<21x37xf32>
  %h0 = linalg.fill ins(%zero : f32) outs(%wide : tensor<21x37xf32>) -> tensor<21x37xf32>
  // expected-error @below {{illegal schedule: R10: an order of 1 dimensions, cpu_chain takes none}}
  %h = linalg.matmul ins(%x, %a : tensor<21x5xf32>, tensor<5x37xf32>) outs(%h0 : tensor<21x37xf32>) -> tensor<21x37xf32>
  %out = tensor.empty() : tensor<21x6xf32>
  %y0 = linalg.fill ins(%zero : f32) outs(%out : tensor<21x6xf32>) -> tensor<21x6xf32>
  %y = linalg.matmul ins(%h, %b : tensor<21x37xf32>, tensor<37x6xf32>) outs(%y0 : tensor<21x6xf32>) -> tensor<21x6xf32>
  return %y : tensor<21x6xf32>
}

// -----

func.func @R11(%x: tensor<21x5xf32>, %a: tensor<5x37xf32>, %b: tensor<37x6xf32>) -> tensor<21x6xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_chain, tiles = [[1, 1, 8], [1, 16], [], [8]],
      stages = [none, none], vector = 8, unroll = 1>} {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<21x37xf32>
  %h0 = linalg.fill ins(%zero : f32) outs(%wide : tensor<21x37xf32>) -> tensor<21x37xf32>
  // expected-error @below {{illegal schedule: R11: register tile 8x16x8 needs 16 + 3 vector registers, the machine has 16}}
  %h = linalg.matmul ins(%x, %a : tensor<21x5xf32>, tensor<5x37xf32>) outs(%h0 : tensor<21x37xf32>) -> tensor<21x37xf32>
  %out = tensor.empty() : tensor<21x6xf32>
  %y0 = linalg.fill ins(%zero : f32) outs(%out : tensor<21x6xf32>) -> tensor<21x6xf32>
  %y = linalg.matmul ins(%h, %b : tensor<21x37xf32>, tensor<37x6xf32>) outs(%y0 : tensor<21x6xf32>) -> tensor<21x6xf32>
  return %y : tensor<21x6xf32>
}

// -----

func.func @R19(%x: tensor<21x5xf32>, %a: tensor<5x37xf32>, %b: tensor<37x6xf32>) -> tensor<21x6xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_chain, tiles = [[1, 1, 8], [1, 8], [], [8]],
      stages = [none, none], vector = 8, vector_dim = 0, unroll = 1>} {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<21x37xf32>
  %h0 = linalg.fill ins(%zero : f32) outs(%wide : tensor<21x37xf32>) -> tensor<21x37xf32>
  // expected-error @below {{illegal schedule: R19: vectors run along dimension 0 across the rows, but those of cpu_chain run along rows}}
  %h = linalg.matmul ins(%x, %a : tensor<21x5xf32>, tensor<5x37xf32>) outs(%h0 : tensor<21x37xf32>) -> tensor<21x37xf32>
  %out = tensor.empty() : tensor<21x6xf32>
  %y0 = linalg.fill ins(%zero : f32) outs(%out : tensor<21x6xf32>) -> tensor<21x6xf32>
  %y = linalg.matmul ins(%h, %b : tensor<21x37xf32>, tensor<37x6xf32>) outs(%y0 : tensor<21x6xf32>) -> tensor<21x6xf32>
  return %y : tensor<21x6xf32>
}

// -----

func.func @R23(%x: tensor<21x5xf32>, %a: tensor<5x37xf32>, %b: tensor<37x6xf32>) -> tensor<21x6xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_chain, tiles = [[1, 1, 4], [1, 8], [], [8]],
      stages = [none, none], vector = 8, unroll = 1, prefetch = 1>} {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<21x37xf32>
  %h0 = linalg.fill ins(%zero : f32) outs(%wide : tensor<21x37xf32>) -> tensor<21x37xf32>
  // expected-error @below {{illegal schedule: R23: inputs are prefetched 1 steps ahead, cpu_chain allows 0 to 0}}
  %h = linalg.matmul ins(%x, %a : tensor<21x5xf32>, tensor<5x37xf32>) outs(%h0 : tensor<21x37xf32>) -> tensor<21x37xf32>
  %out = tensor.empty() : tensor<21x6xf32>
  %y0 = linalg.fill ins(%zero : f32) outs(%out : tensor<21x6xf32>) -> tensor<21x6xf32>
  %y = linalg.matmul ins(%h, %b : tensor<21x37xf32>, tensor<37x6xf32>) outs(%y0 : tensor<21x6xf32>) -> tensor<21x6xf32>
  return %y : tensor<21x6xf32>
}

// -----

func.func @R24(%x: tensor<21x5xf32>, %a: tensor<5x37xf32>, %b: tensor<37x6xf32>) -> tensor<21x6xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_chain, tiles = [[1, 1, 4], [1, 8], [], [8]],
      stages = [none, none], vector = 8, unroll = 1, raster = 3>} {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<21x37xf32>
  %h0 = linalg.fill ins(%zero : f32) outs(%wide : tensor<21x37xf32>) -> tensor<21x37xf32>
  // expected-error @below {{illegal schedule: R24: tiles follow one another along dimension 3, cpu_chain takes a parallel one}}
  %h = linalg.matmul ins(%x, %a : tensor<21x5xf32>, tensor<5x37xf32>) outs(%h0 : tensor<21x37xf32>) -> tensor<21x37xf32>
  %out = tensor.empty() : tensor<21x6xf32>
  %y0 = linalg.fill ins(%zero : f32) outs(%out : tensor<21x6xf32>) -> tensor<21x6xf32>
  %y = linalg.matmul ins(%h, %b : tensor<21x37xf32>, tensor<37x6xf32>) outs(%y0 : tensor<21x6xf32>) -> tensor<21x6xf32>
  return %y : tensor<21x6xf32>
}

// -----

func.func @R1_chain(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_chain, tiles = [[1, 1, 4], [1, 1, 8], [1, 8]],
      stages = [none, none], vector = 8, unroll = 1>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-error @below {{illegal schedule: R1: variant cpu_chain is only for chains between products, but the task is not one}}
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}
