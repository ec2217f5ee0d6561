// RUN: pruner-opt %s --pruner-erase-unused-results | FileCheck %s

#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// The maximum of a softmax, exported with the position that nobody reads.
// CHECK-LABEL: @argmax
// CHECK: %[[MAX:.*]] = linalg.generic
// CHECK-SAME: outs(%{{.*}} : tensor<8xf32>)
// CHECK-NOT: linalg.index
// CHECK: arith.maximumf
// CHECK: return %[[MAX]]
func.func @argmax(%x: tensor<8x16xf32>, %lowest: tensor<8xf32>, %first: tensor<8xi64>) -> tensor<8xf32> {
  %m:2 = linalg.generic {indexing_maps = [#all, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x16xf32>) outs(%lowest, %first : tensor<8xf32>, tensor<8xi64>) {
  ^bb0(%in: f32, %max: f32, %at: i64):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i64
    %n = arith.maximumf %in, %max : f32
    %c = arith.cmpf ogt, %in, %max : f32
    %k = arith.select %c, %j, %at : i64
    linalg.yield %n, %k : f32, i64
  } -> (tensor<8xf32>, tensor<8xi64>)
  return %m#0 : tensor<8xf32>
}

// One tensor read twice through one map is one operand.
// CHECK-LABEL: @square
// CHECK: linalg.generic {{.*}} ins(%{{[a-z0-9]+}} : tensor<8x16xf32>) outs
// CHECK: ^bb0(%[[IN:.*]]: f32, %{{.*}}: f32):
// CHECK: arith.mulf %[[IN]], %[[IN]]
func.func @square(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %m = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %x : tensor<8x16xf32>, tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %n = arith.mulf %a, %b : f32
    linalg.yield %n : f32
  } -> tensor<8x16xf32>
  return %m : tensor<8x16xf32>
}

// A result that is read stays, with its index.
// CHECK-LABEL: @read
// CHECK: linalg.index
// CHECK: return %{{.*}}#1
func.func @read(%x: tensor<8x16xf32>, %lowest: tensor<8xf32>, %first: tensor<8xi64>) -> tensor<8xi64> {
  %m:2 = linalg.generic {indexing_maps = [#all, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x16xf32>) outs(%lowest, %first : tensor<8xf32>, tensor<8xi64>) {
  ^bb0(%in: f32, %max: f32, %at: i64):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i64
    %n = arith.maximumf %in, %max : f32
    %c = arith.cmpf ogt, %in, %max : f32
    %k = arith.select %c, %j, %at : i64
    linalg.yield %n, %k : f32, i64
  } -> (tensor<8xf32>, tensor<8xi64>)
  return %m#1 : tensor<8xi64>
}
