// RUN: pruner-opt %s --pruner-raise-bias-inits --split-input-file | FileCheck %s

// A convolution's bias, as torch-mlir exports it: the broadcast is not copied,
// and the addition reads the bias through the broadcast's map.
// CHECK: #[[BIAS:.*]] = affine_map<(d0, d1, d2, d3) -> (d1)>
// CHECK-LABEL: @convolution
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<1x3x8x8xf32>, %[[W:[a-z0-9]+]]: tensor<4x3x3x3xf32>, %[[B:[a-z0-9]+]]: tensor<4xf32>
// CHECK: %[[ZERO:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<1x4x6x6xf32>)
// CHECK: %[[CONV:.*]] = linalg.conv_2d_nchw_fchw {{.*}}outs(%[[ZERO]] : tensor<1x4x6x6xf32>)
// CHECK: %[[SUM:.*]] = linalg.generic {indexing_maps = [#{{.*}}, #[[BIAS]], #{{.*}}]
// CHECK-SAME: ins(%[[CONV]], %[[B]] : tensor<1x4x6x6xf32>, tensor<4xf32>)
// CHECK: arith.addf
// CHECK: return %[[SUM]]
func.func @convolution(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> tensor<1x4x6x6xf32> {
  %e = tensor.empty() : tensor<1x4x6x6xf32>
  %i = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<1x4x6x6xf32>) dimensions = [0, 2, 3]
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %w : tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) outs(%i : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  return %r : tensor<1x4x6x6xf32>
}

// -----

// A matrix product of integers with a computed init, and a dynamic size.
// CHECK-LABEL: @scaled
// CHECK: %[[INIT:.*]] = linalg.generic {{.*}}outs
// CHECK: arith.muli
// CHECK: %[[DIM:.*]] = tensor.dim
// CHECK: %[[E:.*]] = tensor.empty(%[[DIM]]) : tensor<?x8xi32>
// CHECK: %[[ZERO:.*]] = linalg.fill ins(%{{.*}} : i32) outs(%[[E]] : tensor<?x8xi32>)
// CHECK: %[[MM:.*]] = linalg.matmul {{.*}}outs(%[[ZERO]] : tensor<?x8xi32>)
// CHECK: linalg.generic {{.*}}ins(%[[MM]], %[[INIT]] : tensor<?x8xi32>, tensor<?x8xi32>) outs(%[[E]]
// CHECK: arith.addi
func.func @scaled(%x: tensor<?x16xi8>, %w: tensor<16x8xi8>, %c: tensor<?x8xi32>, %e: tensor<?x8xi32>) -> tensor<?x8xi32> {
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%c : tensor<?x8xi32>) outs(%e : tensor<?x8xi32>) {
  ^bb0(%in: i32, %out: i32):
    %t = arith.muli %in, %in : i32
    linalg.yield %t : i32
  } -> tensor<?x8xi32>
  %r = linalg.matmul ins(%x, %w : tensor<?x16xi8>, tensor<16x8xi8>) outs(%s : tensor<?x8xi32>) -> tensor<?x8xi32>
  return %r : tensor<?x8xi32>
}

// -----

// Sums that start from zero, from an argument or from another sum do not
// change. A maximum is not a sum.
// CHECK-LABEL: @stays
// CHECK-NOT: linalg.generic
// CHECK: linalg.matmul {{.*}}outs(%{{.*}} : tensor<4x4xf32>)
// CHECK-NOT: linalg.generic
// CHECK: linalg.broadcast
// CHECK-NEXT: %[[POOL:.*]] = linalg.pooling_nchw_max
// CHECK-NEXT: return %{{.*}}, %{{.*}}, %[[POOL]]
func.func @stays(%a: tensor<4x4xf32>, %c: tensor<4x4xf32>, %x: tensor<1x4x8x8xf32>, %b: tensor<4xf32>)
    -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<1x4x7x7xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %k = tensor.empty() : tensor<2x2xf32>
  %f = tensor.empty() : tensor<1x4x7x7xf32>
  %i = linalg.broadcast ins(%b : tensor<4xf32>) outs(%f : tensor<1x4x7x7xf32>) dimensions = [0, 2, 3]
  %p = linalg.pooling_nchw_max ins(%x, %k : tensor<1x4x8x8xf32>, tensor<2x2xf32>) outs(%i : tensor<1x4x7x7xf32>) -> tensor<1x4x7x7xf32>
  return %1, %2, %p : tensor<4x4xf32>, tensor<4x4xf32>, tensor<1x4x7x7xf32>
}

// -----

// A window whose terms read the partial sum is not a sum, nor is one whose
// flags only hold for its own partial sums.
#in = affine_map<(i, k) -> (i + k)>
#window = affine_map<(i, k) -> (k)>
#out = affine_map<(i, k) -> (i)>
// CHECK-LABEL: @terms_of_the_sum
// CHECK-SAME: %{{.*}}: tensor<20xf32>, %{{.*}}: tensor<3xf32>, %[[B:[a-z0-9]+]]: tensor<1xf32>
// CHECK: %[[INIT:.*]] = linalg.generic
// CHECK-COUNT-4: outs(%[[INIT]] : tensor<18xf32>)
// CHECK-NOT: linalg.generic
func.func @terms_of_the_sum(%x: tensor<20xf32>, %w: tensor<3xf32>, %b: tensor<1xf32>)
    -> (tensor<18xf32>, tensor<18xf32>, tensor<18xf32>, tensor<18xf32>) {
  %e = tensor.empty() : tensor<18xf32>
  %bias = linalg.generic {indexing_maps = [affine_map<(i) -> (0)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%b : tensor<1xf32>) outs(%e : tensor<18xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %a, %a : f32
    linalg.yield %t : f32
  } -> tensor<18xf32>
  %0 = linalg.generic {indexing_maps = [#in, #window, #out], iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<20xf32>, tensor<3xf32>) outs(%bias : tensor<18xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.mulf %1, %o : f32
    %3 = arith.addf %2, %o : f32
    linalg.yield %3 : f32
  } -> tensor<18xf32>
  %1 = linalg.generic {indexing_maps = [#in, #window, #out], iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<20xf32>, tensor<3xf32>) outs(%bias : tensor<18xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %2 = arith.mulf %p, %o : f32
    %3 = arith.addf %2, %o : f32
    linalg.yield %3 : f32
  } -> tensor<18xf32>
  %2 = linalg.generic {indexing_maps = [#in, #window, #out], iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<20xf32>, tensor<3xf32>) outs(%bias : tensor<18xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %c = arith.cmpf ogt, %p, %q : f32
    %t = scf.if %c -> f32 {
      scf.yield %o : f32
    } else {
      scf.yield %p : f32
    }
    %3 = arith.addf %o, %t : f32
    linalg.yield %3 : f32
  } -> tensor<18xf32>
  %3 = linalg.generic {indexing_maps = [#in, #window, #out], iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<20xf32>, tensor<3xf32>) outs(%bias : tensor<18xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %t = arith.mulf %p, %q : f32
    %s = arith.addf %o, %t fastmath<ninf> : f32
    linalg.yield %s : f32
  } -> tensor<18xf32>
  return %0, %1, %2, %3 : tensor<18xf32>, tensor<18xf32>, tensor<18xf32>, tensor<18xf32>
}
