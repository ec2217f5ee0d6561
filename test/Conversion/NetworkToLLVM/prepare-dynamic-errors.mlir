// RUN: pruner-opt %s --split-input-file --verify-diagnostics --pruner-prepare-dynamic

// expected-error @below {{expected a function @main with a body}}
module {
  func.func private @main(tensor<?xf32>) -> tensor<?xf32>
}

// -----

// expected-error @below {{@main has arguments or results that are not ranked tensors}}
func.func @main(%x: f32) -> f32 {
  return %x : f32
}

// -----

func.func private @other(tensor<?xf32>) -> tensor<?xf32>
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{calls are not supported in a network of dynamic shape}}
  %y = call @other(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
