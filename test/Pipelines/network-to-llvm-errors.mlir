// Ops that no pass of the pipeline lowers are reported at their location.
// RUN: pruner-opt %s --pruner-network-to-llvm --split-input-file --verify-diagnostics --allow-unregistered-dialect

func.func @unknown(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{'other.op' op cannot be lowered: expected ops of linalg and tensor, of arith, math and index on scalars, and of scf, cf and func}}
  %y = "other.op"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// Tile sizes that are only known at run time.
func.func @pack(%x: tensor<8x16xf32>, %n: tensor<index>, %p: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %t = tensor.extract %n[] : tensor<index>
  %e = tensor.empty(%t, %t) : tensor<8x?x?xf32>
  // expected-error @below {{'linalg.pack' op cannot be lowered: inner tiles of dynamic size, expected constants}}
  %0 = linalg.pack %x inner_dims_pos = [1] inner_tiles = [%t] into %e : tensor<8x16xf32> -> tensor<8x?x?xf32>
  // expected-error @below {{'linalg.unpack' op cannot be lowered: inner tiles of dynamic size, expected constants}}
  %1 = linalg.unpack %0 inner_dims_pos = [1] inner_tiles = [%t] into %p : tensor<8x?x?xf32> -> tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}

// -----

func.func @complex(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %out: f32):
    // expected-error @below {{'complex.create' op cannot be lowered: complex numbers are not supported, expected their real and imaginary parts as tensors of floats}}
    %c = complex.create %a, %a : complex<f32>
    // expected-error @below {{'complex.abs' op cannot be lowered: complex numbers are not supported, expected their real and imaginary parts as tensors of floats}}
    %r = complex.abs %c : complex<f32>
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

func.func @eight_bit_floats(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %out: f32):
    // expected-error @below {{'arith.truncf' op cannot be lowered: result 0 has type 'f8E4M3FN', expected index, integers of at most 128 bits, f16, bf16, f32 or f64}}
    %c = arith.truncf %a : f32 to f8E4M3FN
    %r = arith.extf %c : f8E4M3FN to f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

func.func @device(%x: tensor<8xf32>) -> tensor<8xindex> {
  // expected-error @below {{'gpu.thread_id' op cannot be lowered: a library runs on a CPU and cannot contain GPU ops}}
  %t = gpu.thread_id x
  %y = tensor.splat %t : tensor<8xindex>
  return %y : tensor<8xindex>
}

// -----

// convert-pruner-to-cpu must lower tiled programs before.
func.func @network(%x: tensor<4xf32>) -> tensor<4xf32> {
  %b = bufferization.to_buffer %x : tensor<4xf32> to memref<4xf32>
  call @kernel(%b) : (memref<4xf32>) -> ()
  %y = bufferization.to_tensor %b restrict : memref<4xf32> to tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @kernel(%b: memref<4xf32>) {
  %z = arith.constant 0.0 : f32
  // expected-error @below {{failed to legalize operation 'pruner.kernel'}}
  pruner.kernel cpu domain (d0 = 4) {
    pruner.compute map at () loops (d0 unroll 4) ins() outs(%b : memref<4xf32>)
        maps [affine_map<(d0) -> (d0)>] {
      pruner.yield %z : f32
    }
  }
  return
}
