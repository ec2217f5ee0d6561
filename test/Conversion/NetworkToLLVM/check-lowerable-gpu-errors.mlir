// RUN: pruner-opt %s --split-input-file --verify-diagnostics --pruner-extract-tasks=min-elements=1 --pruner-check-lowerable=target=gpu
// RUN: not pruner-opt %s --split-input-file --pruner-check-lowerable=target=nvidia 2>&1 | FileCheck %s
// CHECK: error: pruner-check-lowerable: option 'target': 'nvidia' is neither 'cpu' nor 'gpu'

// Of a GPU the kernels are lowered, so only what tasks hold is looked at. There
// are instructions, and expansions of functions of f32 and narrower.

#id = affine_map<(i) -> (i)>
func.func @main(%x: tensor<8xf64>, %y: tensor<8xf32>, %z: tensor<8xf16>) -> (tensor<8xf64>, tensor<8xf32>, tensor<8xf16>, tensor<8xf64>) {
  %e = tensor.empty() : tensor<8xf64>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf64>) outs(%e : tensor<8xf64>) {
  ^bb0(%a: f64, %o: f64):
    %s = math.sqrt %a : f64
    %r = math.rsqrt %s : f64
    // expected-error @below {{'math.exp' op cannot be lowered for a GPU: a GPU has no instruction for it on 'f64', and there is no expansion, expected f32 or a narrower float}}
    %v = math.exp %r : f64
    // Said once.
    %w = math.exp %v : f64
    // expected-error @below {{'math.powf' op cannot be lowered for a GPU: a GPU has no instruction for it on 'f64', and there is no expansion, expected f32 or a narrower float}}
    %p = math.powf %w, %v : f64
    linalg.yield %p : f64
  } -> tensor<8xf64>
  %f = tensor.empty() : tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%y : tensor<8xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = math.exp %a : f32
    %p = math.powf %v, %a : f32
    linalg.yield %p : f32
  } -> tensor<8xf32>
  %g = tensor.empty() : tensor<8xf16>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%z : tensor<8xf16>) outs(%g : tensor<8xf16>) {
  ^bb0(%a: f16, %o: f16):
    %v = math.tanh %a : f16
    linalg.yield %v : f16
  } -> tensor<8xf16>
  // No task: it reads its index.
  // expected-remark @below {{'linalg.generic' stays outside the tasks: the body reads its loop indices}}
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf64>) outs(%e : tensor<8xf64>) {
  ^bb0(%a: f64, %o: f64):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i64
    %b = arith.sitofp %n : i64 to f64
    %v = math.sin %b : f64
    linalg.yield %v : f64
  } -> tensor<8xf64>
  return %0, %1, %2, %3 : tensor<8xf64>, tensor<8xf32>, tensor<8xf16>, tensor<8xf64>
}

// -----

// A task that was written by hand may hold more.

#id = affine_map<(i) -> (i)>
func.func private @task_written(%x: tensor<8xf32>) -> tensor<8xf32>
    attributes {no_inline, pruner.task = {bytes = 64 : i64, flops = 8 : i64, key = "x", weight = 1 : i64}} {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    // expected-error @below {{'arith.remf' op cannot be lowered for a GPU: a GPU has no instruction for it on 'f32', and there is no expansion}}
    %v = arith.remf %a, %a : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
