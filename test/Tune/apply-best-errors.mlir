// RUN: rm -f %t.db && pruner db import %t.db %pruner_src/test/Record/Inputs/records.jsonl
// RUN: pruner-opt %s --pruner-apply-best='threads=1 db=%t.db' --split-input-file --verify-diagnostics
// RUN: not pruner-opt %s --split-input-file --pruner-apply-best 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: pruner-apply-best: expected option 'db' to name a database

func.func private @scalar(%a: tensor<f32>) -> tensor<f32> attributes {pruner.task = {key = "0"}} {
  %e = tensor.empty() : tensor<f32>
  // expected-error @below {{an op without loops cannot be tuned}}
  %r = linalg.exp ins(%a : tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// A stale key must not find the records of the former task.
// expected-warning-re @below {{the task was changed after it was extracted: its key is {{[0-9a-f]+}}, not 0}}
// expected-remark-re @below {{'changed': there is no record for this machine with 'threads={{[0-9]+}}'; the task is left unchanged}}
func.func private @changed(%a: tensor<8xf32>) -> tensor<8xf32> attributes {pruner.task = {key = "0"}} {
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
