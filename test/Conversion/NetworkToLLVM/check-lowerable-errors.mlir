// RUN: pruner-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect --pruner-check-lowerable

func.func @winograd(%x: tensor<6x3x3x5xf32>) -> tensor<6x6x5x6xf32> {
  %e = tensor.empty() : tensor<6x6x5x6xf32>
  // expected-error @below {{'linalg.winograd_filter_transform' op cannot be lowered: Winograd transforms are not supported, expected the convolution}}
  %u = linalg.winograd_filter_transform fmr(F_4_3) ins(%x : tensor<6x3x3x5xf32>) outs(%e : tensor<6x6x5x6xf32>) -> tensor<6x6x5x6xf32>
  return %u : tensor<6x6x5x6xf32>
}

// -----

#id = affine_map<(i) -> (i)>
func.func @complex(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{'tensor.empty' op cannot be lowered: result 0 has type 'tensor<8xcomplex<f32>>', expected index, integers of at most 128 bits, f16, bf16, f32 or f64}}
  %e = tensor.empty() : tensor<8xcomplex<f32>>
  %f = tensor.empty() : tensor<8xf32>
  // expected-error @below {{'linalg.generic' op cannot be lowered: result 0 has type 'tensor<8xcomplex<f32>>', expected index, integers of at most 128 bits, f16, bf16, f32 or f64}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<8xcomplex<f32>>) {
  ^bb0(%a: f32, %o: complex<f32>):
    %c = complex.create %a, %a : complex<f32>
    linalg.yield %c : complex<f32>
  } -> tensor<8xcomplex<f32>>
  // expected-error @below {{'linalg.generic' op cannot be lowered: its region has an argument of type 'complex<f32>', expected index, integers of at most 128 bits, f16, bf16, f32 or f64}}
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%0 : tensor<8xcomplex<f32>>) outs(%f : tensor<8xf32>) {
  ^bb0(%a: complex<f32>, %o: f32):
    %r = complex.re %a : complex<f32>
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

func.func @complex_scalars(%x: tensor<f32>) -> tensor<f32> {
  %a = tensor.extract %x[] : tensor<f32>
  // expected-error @below {{'complex.create' op cannot be lowered: complex numbers are not supported, expected their real and imaginary parts as tensors of floats}}
  %c = complex.create %a, %a : complex<f32>
  // expected-error @below {{'complex.abs' op cannot be lowered: complex numbers are not supported, expected their real and imaginary parts as tensors of floats}}
  %r = complex.abs %c : complex<f32>
  // This kind was already reported.
  %d = complex.create %a, %r : complex<f32>
  %s = complex.abs %d : complex<f32>
  %t = tensor.from_elements %s : tensor<f32>
  return %t : tensor<f32>
}

// -----

// expected-error @below {{argument 0 of @signature has type 'tensor<8xf8E5M2>', expected index, integers of at most 128 bits, f16, bf16, f32 or f64}}
// expected-error @below {{argument 1 of @signature has type 'tensor<8xcomplex<f32>>', expected index, integers of at most 128 bits, f16, bf16, f32 or f64}}
// expected-error @below {{result 0 of @signature has type 'tensor<8xcomplex<f32>>', expected index, integers of at most 128 bits, f16, bf16, f32 or f64}}
func.func @signature(%x: tensor<8xf8E5M2>, %y: tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>> {
  return %y : tensor<8xcomplex<f32>>
}

// -----

#S = #sparse_tensor.encoding<{map = (d0) -> (d0 : compressed)}>
func.func @sparse(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{'sparse_tensor.convert' op cannot be lowered: expected ops of linalg and tensor, of arith, math and index on scalars, and of scf, cf and func}}
  %0 = sparse_tensor.convert %x : tensor<8xf32> to tensor<8xf32, #S>
  %1 = sparse_tensor.convert %0 : tensor<8xf32, #S> to tensor<8xf32>
  // expected-error @below {{'tensor.empty' op cannot be lowered: result 0 has type 'tensor<8xf32, #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>>', expected a tensor without encoding}}
  %e = tensor.empty() : tensor<8xf32, #S>
  return %1 : tensor<8xf32>
}

// -----

func.func @eight_bits(%x: tensor<f32>) -> tensor<f32> {
  %a = tensor.extract %x[] : tensor<f32>
  // expected-error @below {{'arith.truncf' op cannot be lowered: result 0 has type 'f8E4M3FN', expected index, integers of at most 128 bits, f16, bf16, f32 or f64}}
  %c = arith.truncf %a : f32 to f8E4M3FN
  %r = arith.extf %c : f8E4M3FN to f32
  %t = tensor.from_elements %r : tensor<f32>
  return %t : tensor<f32>
}

// -----

func.func @elements_of_vectors(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{'tensor.empty' op cannot be lowered: result 0 has type 'tensor<8xvector<4xf32>>', expected index, integers of at most 128 bits, f16, bf16, f32 or f64}}
  %e = tensor.empty() : tensor<8xvector<4xf32>>
  return %x : tensor<8xf32>
}

// -----

func.func @assembly(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{'llvm.inline_asm' op cannot be lowered: expected ops of linalg and tensor, of arith, math and index on scalars, and of scf, cf and func}}
  llvm.inline_asm has_side_effects "nop", "" : () -> ()
  return %x : tensor<2xf32>
}

// -----

// Functions on buffers are checked as well.
func.func @inside(%x: tensor<2xf32>) -> tensor<2xf32> {
  %b = bufferization.to_buffer %x : tensor<2xf32> to memref<2xf32>
  func.call @kernel(%b) : (memref<2xf32>) -> ()
  return %x : tensor<2xf32>
}
func.func private @kernel(%b: memref<2xf32>) {
  // expected-error @below {{'llvm.inline_asm' op cannot be lowered: expected ops of linalg and tensor, of arith, math and index on scalars, and of scf, cf and func}}
  llvm.inline_asm has_side_effects "nop", "" : () -> ()
  return
}

// -----

func.func @other_dialects(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{'tosa.exp' op cannot be lowered: expected linalg; lower it with tosa-to-linalg-named, tosa-to-linalg, tosa-to-arith and tosa-to-tensor}}
  %0 = tosa.exp %x : (tensor<8xf32>) -> tensor<8xf32>
  // expected-error @below {{'quant.qcast' op cannot be lowered: quantized types are not supported, expected arithmetic on integers}}
  %1 = quant.qcast %x : tensor<8xf32> to tensor<8x!quant.uniform<i8:f32, 0.5>>
  // expected-error @below {{'gpu.thread_id' op cannot be lowered: a library runs on a CPU and cannot contain GPU ops}}
  %2 = gpu.thread_id x
  // expected-error @below {{'other.op' op cannot be lowered: expected ops of linalg and tensor, of arith, math and index on scalars, and of scf, cf and func}}
  %3 = "other.op"(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %3 : tensor<8xf32>
}

// -----

func.func @on_tensors(%x: tensor<8xf32>, %c: tensor<8xi1>) -> tensor<8xf32> {
  // expected-error @below {{'arith.addf' op cannot be lowered: expected scalars in the body of a linalg op; convert it with convert-elementwise-to-linalg}}
  %0 = arith.addf %x, %x : tensor<8xf32>
  // expected-error @below {{'math.exp' op cannot be lowered: expected scalars in the body of a linalg op; convert it with convert-elementwise-to-linalg}}
  %1 = math.exp %0 : tensor<8xf32>
  // expected-error @below {{'arith.select' op cannot be lowered: expected scalars in the body of a linalg op; convert it with convert-elementwise-to-linalg}}
  %2 = arith.select %c, %0, %1 : tensor<8xi1>, tensor<8xf32>
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  // expected-error @below {{'vector.transfer_read' op cannot be lowered: expected buffers or scalars, not tensors}}
  %v = vector.transfer_read %2[%c0], %z : tensor<8xf32>, vector<8xf32>
  // expected-error @below {{'vector.print' op cannot be lowered: expected ops of linalg and tensor, of arith, math and index on scalars, and of scf, cf and func}}
  vector.print %v : vector<8xf32>
  return %2 : tensor<8xf32>
}

// -----

func.func @functions_of_numbers(%x: tensor<f32>, %y: tensor<i32>) -> tensor<f32> {
  %a = tensor.extract %x[] : tensor<f32>
  %b = tensor.extract %y[] : tensor<i32>
  // expected-error @below {{'math.ipowi' op cannot be lowered: expected ops of linalg and tensor, of arith, math and index on scalars, and of scf, cf and func}}
  %0 = math.ipowi %b, %b : i32
  return %x : tensor<f32>
}

// -----

func.func @parallel(%x: tensor<8xf32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant 0.0 : f32
  // expected-error @below {{'scf.parallel' op cannot be lowered: a parallel loop with results, expected scf.for or a linalg op with a reduction}}
  %r = scf.parallel (%i) = (%c0) to (%c8) step (%c1) init (%z) -> f32 {
    %v = tensor.extract %x[%i] : tensor<8xf32>
    scf.reduce(%v : f32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      scf.reduce.return %s : f32
    }
  }
  %t = tensor.from_elements %r : tensor<f32>
  return %t : tensor<f32>
}

// -----

func.func private @outside(tensor<8xf32>) -> tensor<8xf32>
func.func private @no_such_function_of_c(f32) -> f32
func.func @calls(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{'func.call' op cannot be lowered: calls @outside, which has no body, expected a function of this module}}
  %0 = call @outside(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %c0 = arith.constant 0 : index
  %a = tensor.extract %0[%c0] : tensor<8xf32>
  // expected-error @below {{'func.call' op cannot be lowered: calls @no_such_function_of_c, which has no body, expected a function of this module}}
  %b = call @no_such_function_of_c(%a) : (f32) -> f32
  return %0 : tensor<8xf32>
}

// -----

func.func @again(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{'func.call' op cannot be lowered: calls @again recursively, expected loops}}
  %0 = call @again(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func private @callee(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
func.func @main(%x: tensor<?xf32> {pruner.range = [#pruner.range<s, 1 to 8>]}) -> tensor<?xf32>
    attributes {pruner.plan = #pruner.plan<s, sizes = [], functions = [], from = [], to = [], use = []>} {
  // expected-error @below {{'func.call' op cannot be lowered: calls are not supported in a network of dynamic shape, expected the callee inlined}}
  %0 = call @callee(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// Ops on whole tensors that are not decomposed.
func.func @aggregates(%x: tensor<2x8xi32>, %n: index, %p: tensor<2x?xi32>) -> tensor<2x8xi32> {
  // expected-error @below {{'linalg.softmax' op cannot be lowered: elements of type 'i32', expected floats}}
  %0 = linalg.softmax dimension(1) ins(%x : tensor<2x8xi32>) outs(%x : tensor<2x8xi32>) -> tensor<2x8xi32>
  %e = tensor.empty(%n, %n) : tensor<2x?x?xi32>
  // expected-error @below {{'linalg.pack' op cannot be lowered: inner tiles of dynamic size, expected constants}}
  %1 = linalg.pack %x inner_dims_pos = [1] inner_tiles = [%n] into %e : tensor<2x8xi32> -> tensor<2x?x?xi32>
  // expected-error @below {{'linalg.unpack' op cannot be lowered: inner tiles of dynamic size, expected constants}}
  %2 = linalg.unpack %1 inner_dims_pos = [1] inner_tiles = [%n] into %x : tensor<2x?x?xi32> -> tensor<2x8xi32>
  %z = arith.constant 0 : i32
  %f = tensor.empty(%n) : tensor<2x?x4xi32>
  // expected-error @below {{'linalg.pack' op cannot be lowered: a packed dimension of dynamic extent, expected a static one}}
  %3 = linalg.pack %p padding_value(%z : i32) inner_dims_pos = [1] inner_tiles = [4] into %f : tensor<2x?xi32> -> tensor<2x?x4xi32>
  return %2 : tensor<2x8xi32>
}

// -----

func.func @numbers(%x: tensor<f32>, %y: tensor<i128>, %n: index) -> tensor<f32> {
  %a = tensor.extract %x[] : tensor<f32>
  %w = arith.extf %a : f32 to f80
  // expected-error @below {{'math.erf' op cannot be lowered: type 'f80', expected f64 or a narrower type}}
  %0 = math.erf %w : f80
  // expected-error @below {{'math.acosh' op cannot be lowered: type 'f80', expected f64 or a narrower type}}
  %1 = math.acosh %w : f80
  %2 = math.exp %w : f80
  // expected-error @below {{'arith.truncf' op cannot be lowered: from type 'f80' to type 'bf16', expected a conversion to f32 first}}
  %3 = arith.truncf %2 : f80 to bf16
  %b = tensor.extract %y[] : tensor<i128>
  // expected-error @below {{'arith.uitofp' op cannot be lowered: from type 'i128' to type 'f16', expected a conversion to f32 first}}
  %4 = arith.uitofp %b : i128 to f16
  // expected-error @below {{'arith.sitofp' op cannot be lowered: from type 'i128' to type 'f16', expected a conversion to f32 first}}
  %10 = arith.sitofp %b : i128 to f16
  %5 = arith.uitofp %b : i128 to f32
  // expected-error @below {{'arith.addui_extended' op cannot be lowered: type 'index', expected an integer of fixed width}}
  %6, %7 = arith.addui_extended %n, %n : index, i1
  // expected-error @below {{'vector.vscale' op cannot be lowered: expected ops of linalg and tensor, of arith, math and index on scalars, and of scf, cf and func}}
  %8 = vector.vscale
  // expected-error @below {{'vector.broadcast' op cannot be lowered: result 0 has type 'vector<16385xf32>', expected a vector of at most 16384 elements}}
  %9 = vector.broadcast %a : f32 to vector<16385xf32>
  return %x : tensor<f32>
}

// -----

func.func @memory(%x: tensor<8xf32>, %i: index, %n: tensor<1xindex>) -> tensor<8xf32> {
  // expected-error @below {{'memref.alloc' op cannot be lowered: a buffer in another memory space, expected the default one}}
  %0 = memref.alloc() : memref<8xf32, 3>
  // expected-error @below {{'bufferization.alloc_tensor' op cannot be lowered: a buffer in another memory space, expected the default one}}
  %1 = bufferization.alloc_tensor() {memory_space = 3 : i64} : tensor<8xf32>
  // expected-error @below {{'memref.alloc' op cannot be lowered: result 0 has type 'memref<8x8xf32, affine_map<(d0, d1) -> (d0 floordiv 4, d1, d0 mod 4)>>', expected a layout of strides}}
  %2 = memref.alloc() : memref<8x8xf32, affine_map<(i, j) -> (i floordiv 4, j, i mod 4)>>
  %f = memref.alloc() : memref<8xf32>
  %k = memref.alloc() : memref<8xi24>
  %c = arith.constant 1.0 : f32
  %d = arith.constant 1 : i24
  // expected-error @below {{'memref.atomic_rmw' op cannot be lowered: an atomic product, expected memref.generic_atomic_rmw}}
  %3 = memref.atomic_rmw mulf %c, %f[%i] : (f32, memref<8xf32>) -> f32
  // expected-error @below {{'memref.atomic_rmw' op cannot be lowered: type 'i24', expected a number of 8, 16, 32 or 64 bits}}
  %4 = memref.atomic_rmw addi %d, %k[%i] : (i24, memref<8xi24>) -> i24
  // expected-error @below {{'memref.generic_atomic_rmw' op cannot be lowered: type 'f32', expected an integer of 8, 16, 32 or 64 bits}}
  %5 = memref.generic_atomic_rmw %f[%i] : memref<8xf32> {
  ^bb0(%v: f32):
    memref.atomic_yield %v : f32
  }
  %u = memref.cast %f : memref<8xf32> to memref<*xf32>
  // expected-error @below {{'memref.copy' op cannot be lowered: type 'memref<*xf32>', expected a ranked memref}}
  memref.copy %u, %f : memref<*xf32> to memref<8xf32>
  // expected-error @below {{'tensor.reshape' op cannot be lowered: type 'tensor<*xf32>', expected a ranked tensor}}
  %6 = tensor.reshape %x(%n) : (tensor<8xf32>, tensor<1xindex>) -> tensor<*xf32>
  return %x : tensor<8xf32>
}

// -----

func.func @threads(%x: tensor<8xf32>, %i: index, %n: i32) -> tensor<8xf32> {
  // expected-error @below {{'omp.parallel' op cannot be lowered: expected no clause with a value}}
  omp.parallel num_threads(%n : i32) {
    omp.terminator
  }
  omp.parallel {
    // expected-error @below {{'omp.wsloop' op cannot be lowered: expected a static schedule}}
    omp.wsloop schedule(dynamic) {
      omp.loop_nest (%j) : index = (%i) to (%i) step (%i) {
        omp.yield
      }
    }
    omp.barrier
    // expected-error @below {{'omp.taskwait' op cannot be lowered: the threads of a library run omp.parallel with omp.wsloop and omp.barrier only}}
    omp.taskwait
    omp.terminator
  }
  return %x : tensor<8xf32>
}

// -----

// expected-error @below {{@endless never returns}}
func.func @endless(%x: tensor<8xf32>) -> tensor<8xf32> {
  cf.br ^bb1
^bb1:
  cf.br ^bb1
}

// -----

// A type with dynamic sizes cannot hide that sizes differ.
func.func @cast(%x: tensor<4x2xf32>) -> tensor<8x2xf32> {
  %0 = tensor.cast %x : tensor<4x2xf32> to tensor<?x?xf32>
  // expected-error @below {{'tensor.cast' op cannot be lowered: dimension 0 of its source has 4 elements, expected 8}}
  %1 = tensor.cast %0 : tensor<?x?xf32> to tensor<8x2xf32>
  return %1 : tensor<8x2xf32>
}

// -----

func.func @cast_of_filled() -> tensor<6xf32> {
  %zero = arith.constant 0.0 : f32
  %five = arith.constant 5 : index
  %empty = tensor.empty(%five) : tensor<?xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
  // expected-error @below {{'tensor.cast' op cannot be lowered: dimension 0 of its source has 5 elements, expected 6}}
  %1 = tensor.cast %0 : tensor<?xf32> to tensor<6xf32>
  return %1 : tensor<6xf32>
}

// -----

func.func @operands(%x: tensor<4x2xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = tensor.cast %x : tensor<4x2xf32> to tensor<4x?xf32>
  // expected-error @below {{'linalg.exp' op cannot be lowered: dimension 1 of operand 1 has 8 elements, expected 2}}
  %1 = linalg.exp ins(%0 : tensor<4x?xf32>) outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// -----

func.func @resources() -> (tensor<4xf32>, tensor<4xf32>, tensor<8xi4>) {
  // expected-error @below {{'arith.constant' op cannot be lowered: its resource 'gone' has no data in this module}}
  %0 = arith.constant dense_resource<gone> : tensor<4xf32>
  // expected-error @below {{'arith.constant' op cannot be lowered: its resource 'short' has 8 bytes, expected 16}}
  %1 = arith.constant dense_resource<short> : tensor<4xf32>
  // expected-error @below {{'arith.constant' op cannot be lowered: its resource 'packed' has 4 bytes, expected 8}}
  %2 = arith.constant dense_resource<packed> : tensor<8xi4>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<8xi4>
}

{-#
  dialect_resources: {
    builtin: {
      short: "0x040000000000803F00000040",
      packed: "0x0400000001020304"
    }
  }
#-}
