// RUN: pruner-opt %s --pruner-sample=out=%t.jsonl --split-input-file --verify-diagnostics
// RUN: rm -f %t.zero
// RUN: not pruner-opt %S/../Tune/Inputs/two.mlir --pruner-sample='threads=100000 out=%t.zero' 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not ls %t.zero
// THREADS: error: pruner-sample: option 'threads': expected at most {{[0-9]+}}, the cores that this process may use, but got 100000

// Random schedules of a task that is none: nothing is written.
// expected-error @below {{a task function must return one tensor, not 2 values}}
func.func private @pair(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {pruner.task = {key = "0"}} {
  return %a, %a : tensor<4xf32>, tensor<4xf32>
}

// -----

// Duplicate tasks would be sampled twice under one key.
// expected-warning-re @below {{the task was changed after it was extracted: its key is {{[0-9a-f]+}}, not 0}}
func.func private @first(%a: tensor<8xf32>) -> tensor<8xf32> attributes {pruner.task = {key = "0"}} {
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
// expected-warning-re @below {{the task was changed after it was extracted: its key is {{[0-9a-f]+}}, not 1}}
// expected-error @below {{the task 'second' is the same as 'first'; call one of them in both places and remove the other}}
func.func private @second(%a: tensor<8xf32>) -> tensor<8xf32> attributes {pruner.task = {key = "1"}} {
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
