// RUN: pruner-opt %s --pruner-list-sketches --split-input-file --verify-diagnostics
// RUN: not pruner-opt %S/list-sketches.mlir --pruner-list-sketches=target=tpu 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not pruner-opt %S/list-sketches.mlir --pruner-list-sketches=target=file:%t.none 2>&1 | FileCheck %s --check-prefix=FILE
// TARGET: error: pruner-list-sketches: option 'target': unknown target 'tpu'; allowed: cpu, file:<path>, nvidia:sm_120a,
// FILE: error: pruner-list-sketches: option 'target': {{.*}}.none: No such file or directory

// A function with the task attribute must have the form of a task.
// expected-error @below {{the function contains no linalg op to tune}}
func.func private @empty(%a: tensor<4xf32>) -> tensor<4xf32> attributes {pruner.task = {key = "0"}} {
  return %a : tensor<4xf32>
}

// -----

func.func private @foreign(%a: tensor<4xf32>) -> tensor<2x2xf32> attributes {pruner.task = {key = "0"}} {
  // expected-error @below {{'tensor.expand_shape' is not allowed in a task function}}
  %r = tensor.expand_shape %a [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// The key is not that of the text.
// expected-warning-re @below {{the task was changed after it was extracted: its key is {{[0-9a-f]+}}, not 0}}
func.func private @changed(%a: tensor<8xf32>) -> tensor<8xf32> attributes {pruner.task = {key = "0"}} {
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// The pass reports operations outside the tasks when it extracts tasks.
func.func @dynamic(%a: tensor<?x24xf32>, %b: tensor<24x40xf32>, %c: tensor<?x40xf32>) -> tensor<?x40xf32> {
  // expected-remark @below {{'linalg.matmul' stays outside the tasks: dynamic shape 'tensor<?x24xf32>' cannot be tuned}}
  %r = linalg.matmul ins(%a, %b : tensor<?x24xf32>, tensor<24x40xf32>) outs(%c : tensor<?x40xf32>) -> tensor<?x40xf32>
  return %r : tensor<?x40xf32>
}
