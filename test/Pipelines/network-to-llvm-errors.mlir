// What no pass of the pipeline lowers is named where it stands.
// RUN: pruner-opt %s --pruner-network-to-llvm --split-input-file --verify-diagnostics --allow-unregistered-dialect

func.func @unknown(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{op was not bufferized}}
  %y = "other.op"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// Of the operations that have no loops only softmax is decomposed.
func.func @pack(%x: tensor<8x16xf32>, %y: tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32> {
  // expected-error @below {{op was not bufferized}}
  %p = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %y : tensor<8x16xf32> -> tensor<1x2x8x8xf32>
  return %p : tensor<1x2x8x8xf32>
}

// -----

func.func @complex(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %out: f32):
    // expected-error @below {{failed to legalize operation 'complex.create'}}
    %c = complex.create %a, %a : complex<f32>
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
    // expected-error @below {{failed to legalize operation 'arith.truncf'}}
    %c = arith.truncf %a : f32 to f8E4M3FN
    %r = arith.extf %c : f8E4M3FN to f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

func.func @device(%x: tensor<8xf32>) -> tensor<8xindex> {
  // expected-error @below {{failed to legalize operation 'gpu.thread_id'}}
  %t = gpu.thread_id x
  %y = tensor.splat %t : tensor<8xindex>
  return %y : tensor<8xindex>
}

// -----

// A tiled program is lowered by convert-pruner-to-cpu, before.
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
