// RUN: pruner-opt %s --pruner-extract-tasks=elementwise=false --verify-diagnostics -o /dev/null

#id = affine_map<(d0, d1) -> (d0, d1)>

// Large enough, but elementwise tasks are disabled.
func.func @off(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  // expected-remark @below {{'linalg.generic' stays outside the tasks: elementwise tasks are disabled}}
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.exp %in : f32
    linalg.yield %v : f32
  } -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
