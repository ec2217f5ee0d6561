// RUN: pruner-opt %s --pruner-tile --convert-pruner-to-cpu | FileCheck %s

// Two copies of a step have separate accumulators, four rows each. The lanes of
// a maximum are combined by halves; LLVM chooses the order of a sum.
// CHECK-LABEL: func.func private @rows_kernel(
// CHECK: %[[MAX:.+]]:8 = scf.for {{.*}} = %[[NONE:[^,)]+]], %{{[^,)]+}} = %[[NONE]], %{{[^,)]+}} = %[[NONE]], %{{[^,)]+}} = %[[NONE]]) -> (vector<8xf32>
// CHECK-COUNT-8: arith.maximumf {{.*}} : vector<8xf32>
// CHECK: scf.yield
// CHECK: arith.maximumf %[[MAX]]#0, %[[MAX]]#4 : vector<8xf32>
// CHECK: arith.maximumf %[[MAX]]#1, %[[MAX]]#5 : vector<8xf32>
// CHECK: arith.maximumf %[[MAX]]#2, %[[MAX]]#6 : vector<8xf32>
// CHECK: arith.maximumf %[[MAX]]#3, %[[MAX]]#7 : vector<8xf32>
// CHECK-NOT: vector.reduction
// CHECK: arith.maximumf {{.*}} : vector<4xf32>
// CHECK: arith.maximumf {{.*}} : vector<2xf32>
// CHECK: arith.maximumf {{.*}} : vector<1xf32>
// CHECK: vector.extract {{.*}}[0] : f32 from vector<1xf32>
// CHECK-NEXT: arith.maximumf {{.*}} : f32
// CHECK: arith.addf {{.*}} : vector<8xf32>
// A sum of zeros below 0 is one: it starts from -0, not from 0 as by default.
// CHECK: %[[START:.+]] = arith.constant -0.000000e+00 : f32
// CHECK-NEXT: vector.reduction <add>, %{{.+}}, %[[START]] fastmath<reassoc> : vector<8xf32> into f32
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
func.func @rows(%arg0: tensor<16x64xf32>) -> tensor<16x64xf32> attributes {pruner.schedule = #pruner.schedule<cpu_row, tiles = [[1, 4], [16]], stages = [none], vector = 8, unroll = 2>, pruner.task = {bytes = 8192 : i64, flops = 5120 : i64, key = "1bb7e96ac241a6c27bf5ef7c98f176bb", weight = 1 : i64}} {
  %cst = arith.constant 0xFF800000 : f32
  %cst_0 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<16xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<16xf32>) -> tensor<16xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<16x64xf32>) outs(%1 : tensor<16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %10 = arith.maximumf %in, %out : f32
    linalg.yield %10 : f32
  } -> tensor<16xf32>
  %3 = tensor.empty() : tensor<16x64xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %2 : tensor<16x64xf32>, tensor<16xf32>) outs(%3 : tensor<16x64xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %10 = arith.subf %in, %in_1 : f32
    %11 = math.exp %10 : f32
    linalg.yield %11 : f32
  } -> tensor<16x64xf32>
  %5 = tensor.empty() : tensor<16xf32>
  %6 = linalg.fill ins(%cst_0 : f32) outs(%5 : tensor<16xf32>) -> tensor<16xf32>
  %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%4 : tensor<16x64xf32>) outs(%6 : tensor<16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %10 = arith.addf %in, %out : f32
    linalg.yield %10 : f32
  } -> tensor<16xf32>
  %8 = tensor.empty() : tensor<16x64xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %7 : tensor<16x64xf32>, tensor<16xf32>) outs(%8 : tensor<16x64xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %10 = arith.divf %in, %in_1 : f32
    linalg.yield %10 : f32
  } -> tensor<16x64xf32>
  return %9 : tensor<16x64xf32>
}
