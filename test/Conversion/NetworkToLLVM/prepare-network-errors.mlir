// RUN: pruner-opt %s --split-input-file --verify-diagnostics --pruner-prepare-network
// RUN: not pruner-opt %s --split-input-file --pruner-prepare-network=entry=nowhere 2>&1 | FileCheck %s
// CHECK: error: expected a function @nowhere with a body

// expected-error @below {{expected a public function with a body}}
module {
  func.func private @f(%x: tensor<8xf32>) -> tensor<8xf32> {
    return %x : tensor<8xf32>
  }
}

// -----

func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}
// expected-error @below {{this is a second public function in addition to @f; choose one with 'entry'}}
func.func @g(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}

// -----

// expected-error @below {{argument 0 of @f has type 'tensor<?xf32>', expected a tensor of static shape with elements of 1, 8, 16, 32 or 64 bits}}
func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}

// -----

// expected-error @below {{result 0 of @f has type 'f32', expected a tensor of static shape with elements of 1, 8, 16, 32 or 64 bits}}
func.func @f(%x: tensor<f32>) -> f32 {
  %y = tensor.extract %x[] : tensor<f32>
  return %y : f32
}

// -----

// expected-error @below {{@f has no result}}
func.func @f(%x: tensor<f32>) {
  return
}

// -----

// expected-error @below {{argument 0 of @f has type 'tensor<4611686018427387904x4xf32>', which exceeds the limit of 1099511627776 bytes}}
func.func @f(%x: tensor<4611686018427387904x4xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  return %e : tensor<8xf32>
}

// -----

func.func @f(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %y = call @task(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}
// expected-error @below {{@task has a schedule that is not applied; run pruner-opt --pruner-tile --convert-pruner-to-cpu first}}
func.func private @task(%x: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {pruner.schedule = #pruner.schedule<cpu_map, tiles = [[1, 1], [8, 8]], vector = 8>} {
  return %x : tensor<8x8xf32>
}

// -----

// expected-error @below {{@f has a schedule that is not applied; run pruner-opt --pruner-tile --convert-pruner-to-gpu first}}
func.func @f(%x: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {pruner.schedule = #pruner.schedule<simt_map, tiles = [[8, 1], [8, 1]], vector = 1, unroll = 0>} {
  return %x : tensor<8x8xf32>
}

// -----

func.func private @g(tensor<8xf32>) -> tensor<8xf32>
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{calls @g, which has no body}}
  %y = call @g(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = call @g(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}
func.func private @g(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{calls @g recursively}}
  %y = call @g(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}
