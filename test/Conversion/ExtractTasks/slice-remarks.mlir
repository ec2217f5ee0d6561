// RUN: pruner-opt %s --pruner-extract-tasks --verify-diagnostics -o /dev/null

#id = affine_map<(d0, d1) -> (d0, d1)>

// A prefix is no work, nor is a slice that is read in place. Tasks and callers
// need whole tensors.
func.func @slices(%a: tensor<64x180xf32>, %n: index) -> (tensor<16x180xf32>, tensor<64x90xf32>, tensor<32x32xf32>, tensor<64x70xf32>, tensor<64x70xf32>, tensor<64x90xf32>) {
  %p = tensor.extract_slice %a[0, 0] [16, 180] [1, 1] : tensor<64x180xf32> to tensor<16x180xf32>
  // expected-remark @below {{'tensor.extract_slice' stays outside the tasks: the op copies 64x90 of 64x180; 'func.return' cannot read in place}}
  %r = tensor.extract_slice %a[0, 90] [64, 90] [1, 1] : tensor<64x180xf32> to tensor<64x90xf32>
  %q = tensor.extract_slice %a[0, 32] [32, 32] [1, 1] : tensor<64x180xf32> to tensor<32x32xf32>
  // expected-remark @below {{'tensor.extract_slice' stays outside the tasks: the op copies 64x70 of 64x180; the 70 of 180 elements along dimension #1 are not one of several equal blocks}}
  %s = tensor.extract_slice %a[0, 0] [64, 70] [1, 1] : tensor<64x180xf32> to tensor<64x70xf32>
  // expected-remark @below {{'tensor.extract_slice' stays outside the tasks: the op copies 64x70 of 64x180; the bounds of the slice are not constant}}
  %t = tensor.extract_slice %a[0, %n] [64, 70] [1, 1] : tensor<64x180xf32> to tensor<64x70xf32>
  // expected-remark @below {{'tensor.extract_slice' stays outside the tasks: the op copies 64x90 of 64x180; run pruner-normalize first, so that the readers read in place}}
  %u = tensor.extract_slice %a[0, 90] [64, 90] [1, 1] : tensor<64x180xf32> to tensor<64x90xf32>
  %d = tensor.empty() : tensor<32x32xf32>
  %e = tensor.empty() : tensor<64x70xf32>
  %f = tensor.empty() : tensor<64x90xf32>
  // expected-remark @below {{'linalg.generic' stays outside the tasks: the op has 1024 points, fewer than min-elements (4096)}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%q : tensor<32x32xf32>) outs(%d : tensor<32x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = arith.negf %in : f32
    linalg.yield %v : f32
  } -> tensor<32x32xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<64x70xf32>) outs(%e : tensor<64x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = arith.negf %in : f32
    linalg.yield %v : f32
  } -> tensor<64x70xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%t : tensor<64x70xf32>) outs(%e : tensor<64x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = arith.negf %in : f32
    linalg.yield %v : f32
  } -> tensor<64x70xf32>
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%u : tensor<64x90xf32>) outs(%f : tensor<64x90xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = arith.negf %in : f32
    linalg.yield %v : f32
  } -> tensor<64x90xf32>
  return %p, %r, %0, %1, %2, %3 : tensor<16x180xf32>, tensor<64x90xf32>, tensor<32x32xf32>, tensor<64x70xf32>, tensor<64x70xf32>, tensor<64x90xf32>
}
