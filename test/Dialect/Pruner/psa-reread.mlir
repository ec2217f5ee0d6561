// A softmax whose rows stay in registers. Only the first statement reads the
// argument from memory; the sum of exponentials reads none at all.
// RUN: pruner-opt %s --pruner-tile=target=nvidia:sm_80 \
// RUN:   | pruner-opt --pruner-psa=target=nvidia:sm_80 --mlir-print-op-on-diagnostic=false -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: update {{.*}}memory {{[1-9]}}
// CHECK: bytes = 2.09715e+06
// CHECK: remark: map {{.*}}memory 0,
// CHECK: bytes = 0
// CHECK: remark: update {{.*}}memory 0,
// CHECK: bytes = 0
// CHECK: remark: map {{.*}}memory {{[1-9]}}
// CHECK: bytes = 2.09715e+06

#full = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @softmax(%x: tensor<512x1024xf32>) -> tensor<512x1024xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_row, tiles = [[1, 1], [64, 4]], stages = [none], vector = 1, unroll = 0>} {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<512xf32>
  %e1 = tensor.empty() : tensor<512x1024xf32>
  %f0 = linalg.fill ins(%low : f32) outs(%e0 : tensor<512xf32>) -> tensor<512xf32>
  %most = linalg.generic {indexing_maps = [#full, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<512x1024xf32>) outs(%f0 : tensor<512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<512xf32>
  %powers = linalg.generic {indexing_maps = [#full, #row, #full], iterator_types = ["parallel", "parallel"]}
      ins(%x, %most : tensor<512x1024xf32>, tensor<512xf32>) outs(%e1 : tensor<512x1024xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %d = arith.subf %a, %m : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<512x1024xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<512xf32>) -> tensor<512xf32>
  %total = linalg.generic {indexing_maps = [#full, #row], iterator_types = ["parallel", "reduction"]}
      ins(%powers : tensor<512x1024xf32>) outs(%f1 : tensor<512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<512xf32>
  %y = linalg.generic {indexing_maps = [#full, #row, #full], iterator_types = ["parallel", "parallel"]}
      ins(%powers, %total : tensor<512x1024xf32>, tensor<512xf32>) outs(%e1 : tensor<512x1024xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %r = arith.divf %a, %s : f32
    linalg.yield %r : f32
  } -> tensor<512x1024xf32>
  return %y : tensor<512x1024xf32>
}
