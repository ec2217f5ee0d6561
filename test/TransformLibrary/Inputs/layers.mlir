// Products and convolutions as exporters write them, small and with extents
// that tiles do not divide; all numbers are small integers, so every order of
// additions gives the same.

#id2 = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
#id4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
#point = affine_map<(d0, d1, d2, d3) -> ()>

// A linear layer: transposed weights, a bias spread over rows, a rectifier.
func.func @linear(%x: tensor<30x24xf32>, %w: tensor<40x24xf32>, %b: tensor<40xf32>) -> tensor<30x40xf32> {
  %zero = arith.constant 0.0 : f32
  %we = tensor.empty() : tensor<24x40xf32>
  %wt = linalg.transpose ins(%w : tensor<40x24xf32>) outs(%we : tensor<24x40xf32>) permutation = [1, 0]
  %e = tensor.empty() : tensor<30x40xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<30x40xf32>) -> tensor<30x40xf32>
  %m = linalg.matmul ins(%x, %wt : tensor<30x24xf32>, tensor<24x40xf32>) outs(%f : tensor<30x40xf32>) -> tensor<30x40xf32>
  %s = linalg.generic {indexing_maps = [#column, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<40xf32>) outs(%e : tensor<30x40xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<30x40xf32>
  %a = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%m, %s : tensor<30x40xf32>, tensor<30x40xf32>) outs(%e : tensor<30x40xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %0 = arith.addf %in, %bias : f32
    linalg.yield %0 : f32
  } -> tensor<30x40xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<30x40xf32>) outs(%e : tensor<30x40xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %zero : f32
    linalg.yield %0 : f32
  } -> tensor<30x40xf32>
  return %r : tensor<30x40xf32>
}

// Two products of equal extents; the sum may only be fused to one of them.
func.func @batches(%a: tensor<3x20x16xf32>, %b: tensor<3x16x20xf32>) -> tensor<3x20x20xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x20x20xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x20x20xf32>) -> tensor<3x20x20xf32>
  %p = linalg.batch_matmul ins(%a, %b : tensor<3x20x16xf32>, tensor<3x16x20xf32>) outs(%f : tensor<3x20x20xf32>) -> tensor<3x20x20xf32>
  return %p : tensor<3x20x20xf32>
}

// Scores of attention: the second operand is transposed, and edges are split off
// the product itself, which has no epilogue.
func.func @scores(%q: tensor<3x20x16xf32>, %k: tensor<3x22x16xf32>) -> tensor<3x20x22xf32> {
  %zero = arith.constant 0.0 : f32
  %te = tensor.empty() : tensor<3x16x22xf32>
  %t = linalg.transpose ins(%k : tensor<3x22x16xf32>) outs(%te : tensor<3x16x22xf32>) permutation = [0, 2, 1]
  %e = tensor.empty() : tensor<3x20x22xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x20x22xf32>) -> tensor<3x20x22xf32>
  %p = linalg.batch_matmul ins(%q, %t : tensor<3x20x16xf32>, tensor<3x16x22xf32>) outs(%f : tensor<3x20x22xf32>) -> tensor<3x20x22xf32>
  return %p : tensor<3x20x22xf32>
}

// A convolution with a window, by channels, then a pointwise one whose pixels
// are one dimension after normalization, and the sum of both.
func.func @block(%x: tensor<1x6x15x15xf32>, %w: tensor<10x6x3x3xf32>, %b: tensor<10x1x1xf32>,
                 %v: tensor<10x6x1x1xf32>) -> tensor<1x10x13x13xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x10x13x13xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x10x13x13xf32>) -> tensor<1x10x13x13xf32>
  %c = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %w : tensor<1x6x15x15xf32>, tensor<10x6x3x3xf32>) outs(%f : tensor<1x10x13x13xf32>) -> tensor<1x10x13x13xf32>
  %d = linalg.generic {indexing_maps = [#id4, #channel, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c, %b : tensor<1x10x13x13xf32>, tensor<10x1x1xf32>) outs(%e : tensor<1x10x13x13xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %0 = arith.addf %in, %bias : f32
    linalg.yield %0 : f32
  } -> tensor<1x10x13x13xf32>
  %s = tensor.extract_slice %x[0, 0, 1, 1] [1, 6, 13, 13] [1, 1, 1, 1] : tensor<1x6x15x15xf32> to tensor<1x6x13x13xf32>
  %p = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%s, %v : tensor<1x6x13x13xf32>, tensor<10x6x1x1xf32>) outs(%f : tensor<1x10x13x13xf32>) -> tensor<1x10x13x13xf32>
  %r = linalg.generic {indexing_maps = [#id4, #id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%d, %p : tensor<1x10x13x13xf32>, tensor<1x10x13x13xf32>) outs(%e : tensor<1x10x13x13xf32>) {
  ^bb0(%in: f32, %other: f32, %out: f32):
    %0 = arith.addf %in, %other : f32
    linalg.yield %0 : f32
  } -> tensor<1x10x13x13xf32>
  return %r : tensor<1x10x13x13xf32>
}

// By channels, and with strides, which upstream does not vectorize.
func.func @depthwise(%x: tensor<1x8x18x18xf32>, %w: tensor<8x3x3xf32>, %v: tensor<4x8x3x3xf32>) -> tensor<1x4x7x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x16x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x16x16xf32>) -> tensor<1x8x16x16xf32>
  %c = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %w : tensor<1x8x18x18xf32>, tensor<8x3x3xf32>) outs(%f : tensor<1x8x16x16xf32>) -> tensor<1x8x16x16xf32>
  %six = arith.constant 6.0 : f32
  %d = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c : tensor<1x8x16x16xf32>) outs(%e : tensor<1x8x16x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.minimumf %in, %six : f32
    linalg.yield %0 : f32
  } -> tensor<1x8x16x16xf32>
  %ge = tensor.empty() : tensor<1x4x7x7xf32>
  %gf = linalg.fill ins(%zero : f32) outs(%ge : tensor<1x4x7x7xf32>) -> tensor<1x4x7x7xf32>
  %g = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
      ins(%d, %v : tensor<1x8x16x16xf32>, tensor<4x8x3x3xf32>) outs(%gf : tensor<1x4x7x7xf32>) -> tensor<1x4x7x7xf32>
  return %g : tensor<1x4x7x7xf32>
}

// `main` calls them all and prints what they return.
func.func private @printMemrefF32(tensor<*xf32>)

// -3 to 3, in an order that depends on the seed.
func.func private @number(%at: index, %seed: index) -> f32 {
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %c31 = arith.constant 31 : index
  %0 = arith.muli %at, %c31 : index
  %1 = arith.addi %0, %seed : index
  %2 = arith.muli %1, %1 : index
  %3 = arith.addi %2, %at : index
  %4 = arith.remui %3, %c7 : index
  %5 = arith.subi %4, %c3 : index
  %6 = arith.index_cast %5 : index to i32
  %7 = arith.sitofp %6 : i32 to f32
  return %7 : f32
}

func.func @main() {
  %s1 = arith.constant 1 : index
  %s2 = arith.constant 2 : index
  %s3 = arith.constant 3 : index
  %s4 = arith.constant 4 : index
  %s5 = arith.constant 5 : index
  %s6 = arith.constant 6 : index
  %s7 = arith.constant 7 : index
  %s8 = arith.constant 8 : index
  %s9 = arith.constant 9 : index
  %s10 = arith.constant 10 : index
  %s11 = arith.constant 11 : index
  %s12 = arith.constant 12 : index
  %linear0 = tensor.generate {
  ^bb0(%i0: index, %i1: index):
    %e1 = arith.constant 24 : index
    %m1 = arith.muli %i0, %e1 : index
    %a1 = arith.addi %m1, %i1 : index
    %v = func.call @number(%a1, %s1) : (index, index) -> f32
    tensor.yield %v : f32
  } : tensor<30x24xf32>
  %linear1 = tensor.generate {
  ^bb0(%i0: index, %i1: index):
    %e1 = arith.constant 24 : index
    %m1 = arith.muli %i0, %e1 : index
    %a1 = arith.addi %m1, %i1 : index
    %v = func.call @number(%a1, %s2) : (index, index) -> f32
    tensor.yield %v : f32
  } : tensor<40x24xf32>
  %linear2 = tensor.generate {
  ^bb0(%i0: index):
    %v = func.call @number(%i0, %s3) : (index, index) -> f32
    tensor.yield %v : f32
  } : tensor<40xf32>
  %linear = call @linear(%linear0, %linear1, %linear2) : (tensor<30x24xf32>, tensor<40x24xf32>, tensor<40xf32>) -> tensor<30x40xf32>
  %linearu = tensor.cast %linear : tensor<30x40xf32> to tensor<*xf32>
  call @printMemrefF32(%linearu) : (tensor<*xf32>) -> ()
  %batches0 = tensor.generate {
  ^bb0(%i0: index, %i1: index, %i2: index):
    %e1 = arith.constant 20 : index
    %m1 = arith.muli %i0, %e1 : index
    %a1 = arith.addi %m1, %i1 : index
    %e2 = arith.constant 16 : index
    %m2 = arith.muli %a1, %e2 : index
    %a2 = arith.addi %m2, %i2 : index
    %v = func.call @number(%a2, %s4) : (index, index) -> f32
    tensor.yield %v : f32
  } : tensor<3x20x16xf32>
  %batches1 = tensor.generate {
  ^bb0(%i0: index, %i1: index, %i2: index):
    %e1 = arith.constant 16 : index
    %m1 = arith.muli %i0, %e1 : index
    %a1 = arith.addi %m1, %i1 : index
    %e2 = arith.constant 20 : index
    %m2 = arith.muli %a1, %e2 : index
    %a2 = arith.addi %m2, %i2 : index
    %v = func.call @number(%a2, %s5) : (index, index) -> f32
    tensor.yield %v : f32
  } : tensor<3x16x20xf32>
  %batches = call @batches(%batches0, %batches1) : (tensor<3x20x16xf32>, tensor<3x16x20xf32>) -> tensor<3x20x20xf32>
  %batchesu = tensor.cast %batches : tensor<3x20x20xf32> to tensor<*xf32>
  call @printMemrefF32(%batchesu) : (tensor<*xf32>) -> ()
  %scores1 = tensor.generate {
  ^bb0(%i0: index, %i1: index, %i2: index):
    %e1 = arith.constant 22 : index
    %m1 = arith.muli %i0, %e1 : index
    %a1 = arith.addi %m1, %i1 : index
    %e2 = arith.constant 16 : index
    %m2 = arith.muli %a1, %e2 : index
    %a2 = arith.addi %m2, %i2 : index
    %v = func.call @number(%a2, %s5) : (index, index) -> f32
    tensor.yield %v : f32
  } : tensor<3x22x16xf32>
  %scores = call @scores(%batches0, %scores1) : (tensor<3x20x16xf32>, tensor<3x22x16xf32>) -> tensor<3x20x22xf32>
  %scoresu = tensor.cast %scores : tensor<3x20x22xf32> to tensor<*xf32>
  call @printMemrefF32(%scoresu) : (tensor<*xf32>) -> ()
  %block0 = tensor.generate {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    %e1 = arith.constant 6 : index
    %m1 = arith.muli %i0, %e1 : index
    %a1 = arith.addi %m1, %i1 : index
    %e2 = arith.constant 15 : index
    %m2 = arith.muli %a1, %e2 : index
    %a2 = arith.addi %m2, %i2 : index
    %e3 = arith.constant 15 : index
    %m3 = arith.muli %a2, %e3 : index
    %a3 = arith.addi %m3, %i3 : index
    %v = func.call @number(%a3, %s6) : (index, index) -> f32
    tensor.yield %v : f32
  } : tensor<1x6x15x15xf32>
  %block1 = tensor.generate {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    %e1 = arith.constant 6 : index
    %m1 = arith.muli %i0, %e1 : index
    %a1 = arith.addi %m1, %i1 : index
    %e2 = arith.constant 3 : index
    %m2 = arith.muli %a1, %e2 : index
    %a2 = arith.addi %m2, %i2 : index
    %e3 = arith.constant 3 : index
    %m3 = arith.muli %a2, %e3 : index
    %a3 = arith.addi %m3, %i3 : index
    %v = func.call @number(%a3, %s7) : (index, index) -> f32
    tensor.yield %v : f32
  } : tensor<10x6x3x3xf32>
  %block2 = tensor.generate {
  ^bb0(%i0: index, %i1: index, %i2: index):
    %e1 = arith.constant 1 : index
    %m1 = arith.muli %i0, %e1 : index
    %a1 = arith.addi %m1, %i1 : index
    %e2 = arith.constant 1 : index
    %m2 = arith.muli %a1, %e2 : index
    %a2 = arith.addi %m2, %i2 : index
    %v = func.call @number(%a2, %s8) : (index, index) -> f32
    tensor.yield %v : f32
  } : tensor<10x1x1xf32>
  %block3 = tensor.generate {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    %e1 = arith.constant 6 : index
    %m1 = arith.muli %i0, %e1 : index
    %a1 = arith.addi %m1, %i1 : index
    %e2 = arith.constant 1 : index
    %m2 = arith.muli %a1, %e2 : index
    %a2 = arith.addi %m2, %i2 : index
    %e3 = arith.constant 1 : index
    %m3 = arith.muli %a2, %e3 : index
    %a3 = arith.addi %m3, %i3 : index
    %v = func.call @number(%a3, %s9) : (index, index) -> f32
    tensor.yield %v : f32
  } : tensor<10x6x1x1xf32>
  %block = call @block(%block0, %block1, %block2, %block3) : (tensor<1x6x15x15xf32>, tensor<10x6x3x3xf32>, tensor<10x1x1xf32>, tensor<10x6x1x1xf32>) -> tensor<1x10x13x13xf32>
  %blocku = tensor.cast %block : tensor<1x10x13x13xf32> to tensor<*xf32>
  call @printMemrefF32(%blocku) : (tensor<*xf32>) -> ()
  %depthwise0 = tensor.generate {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    %e1 = arith.constant 8 : index
    %m1 = arith.muli %i0, %e1 : index
    %a1 = arith.addi %m1, %i1 : index
    %e2 = arith.constant 18 : index
    %m2 = arith.muli %a1, %e2 : index
    %a2 = arith.addi %m2, %i2 : index
    %e3 = arith.constant 18 : index
    %m3 = arith.muli %a2, %e3 : index
    %a3 = arith.addi %m3, %i3 : index
    %v = func.call @number(%a3, %s10) : (index, index) -> f32
    tensor.yield %v : f32
  } : tensor<1x8x18x18xf32>
  %depthwise1 = tensor.generate {
  ^bb0(%i0: index, %i1: index, %i2: index):
    %e1 = arith.constant 3 : index
    %m1 = arith.muli %i0, %e1 : index
    %a1 = arith.addi %m1, %i1 : index
    %e2 = arith.constant 3 : index
    %m2 = arith.muli %a1, %e2 : index
    %a2 = arith.addi %m2, %i2 : index
    %v = func.call @number(%a2, %s11) : (index, index) -> f32
    tensor.yield %v : f32
  } : tensor<8x3x3xf32>
  %depthwise2 = tensor.generate {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    %e1 = arith.constant 8 : index
    %m1 = arith.muli %i0, %e1 : index
    %a1 = arith.addi %m1, %i1 : index
    %e2 = arith.constant 3 : index
    %m2 = arith.muli %a1, %e2 : index
    %a2 = arith.addi %m2, %i2 : index
    %e3 = arith.constant 3 : index
    %m3 = arith.muli %a2, %e3 : index
    %a3 = arith.addi %m3, %i3 : index
    %v = func.call @number(%a3, %s12) : (index, index) -> f32
    tensor.yield %v : f32
  } : tensor<4x8x3x3xf32>
  %depthwise = call @depthwise(%depthwise0, %depthwise1, %depthwise2) : (tensor<1x8x18x18xf32>, tensor<8x3x3xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x7x7xf32>
  %depthwiseu = tensor.cast %depthwise : tensor<1x4x7x7xf32> to tensor<*xf32>
  call @printMemrefF32(%depthwiseu) : (tensor<*xf32>) -> ()
  return
}
