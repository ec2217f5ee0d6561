// RUN: pruner-opt %s --pruner-erase-unused-results | FileCheck %s

#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// The maximum of a softmax, exported with an unused position.
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

// The init keeps the elements that the op skips; an init that is added to twice
// stays.
// CHECK-LABEL: @kept
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<8xf32>, %[[C:.*]]: tensor<4x3xf32>, %[[W:.*]]: tensor<4x2xf32>)
// CHECK-NOT: tensor.empty
// CHECK: linalg.generic {{.*}} ins(%[[X]] : tensor<4xf32>) outs(%[[Y]] : tensor<8xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[X]] : tensor<4xf32>) outs(%[[C]] : tensor<4x3xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[W]] : tensor<4x2xf32>) outs(%[[X]] : tensor<4xf32>)
func.func @kept(%x: tensor<4xf32>, %y: tensor<8xf32>, %c: tensor<4x3xf32>, %w: tensor<4x2xf32>) -> (tensor<8xf32>, tensor<4x3xf32>, tensor<4xf32>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i * 2)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%y : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i, 1)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%c : tensor<4x3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<4x3xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<4x2xf32>) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0, %1, %2 : tensor<8xf32>, tensor<4x3xf32>, tensor<4xf32>
}

// Two inits that are read, behind one input.
// CHECK-LABEL: @moved
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>, %[[Z:.*]]: tensor<4xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[Y]], %[[Z]] : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xf32>)
// CHECK: ^bb0(%[[A:.*]]: f32, %[[P:.*]]: f32, %[[Q:.*]]: f32, %{{.*}}: f32, %{{.*}}: f32):
// CHECK: %[[S:.*]] = arith.subf %[[A]], %[[P]] : f32
// CHECK: %[[T:.*]] = arith.divf %[[A]], %[[Q]] : f32
// CHECK: linalg.yield %[[S]], %[[T]] : f32, f32
func.func @moved(%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%y, %z : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%a: f32, %p: f32, %q: f32):
    %s = arith.subf %a, %p : f32
    %t = arith.divf %a, %q : f32
    linalg.yield %s, %t : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}
