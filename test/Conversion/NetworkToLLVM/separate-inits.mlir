// RUN: pruner-opt %s --pass-pipeline='builtin.module(func.func(pruner-separate-inits{limit=3}))' | FileCheck %s
// RUN: pruner-opt %s --pass-pipeline='builtin.module(func.func(pruner-separate-inits{copy-limit=3}))' | FileCheck %s --check-prefix=COPY
// RUN: pruner-opt %s --pruner-separate-inits | FileCheck %s --check-prefix=SAME

// Two results next to the tensor that they start from; then the next group.
// CHECK-LABEL: func.func @shared(
// CHECK: %[[E:.*]] = tensor.empty()
// CHECK: outs(%[[E]] :
// CHECK: outs(%[[E]] :
// CHECK: %[[F:.*]] = tensor.empty()
// CHECK: outs(%[[F]] :
// CHECK: outs(%[[F]] :
// CHECK: %[[G:.*]] = tensor.empty()
// CHECK: outs(%[[G]] :
// SAME-LABEL: func.func @shared(
// SAME-COUNT-1: tensor.empty
// SAME-NOT: tensor.empty
// SAME: func.func @chain(
func.func @shared(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %1 = linalg.abs ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %2 = linalg.exp ins(%1 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %3 = linalg.abs ins(%2 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %4 = linalg.exp ins(%3 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %4 : tensor<8xf32>
}

// Each result starts from the previous one, including a view.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME: %[[X:.*]]: tensor<8xf32>)
// CHECK: %[[A:.*]] = linalg.exp {{.*}} outs(%[[X]] :
// CHECK: %[[V:.*]] = tensor.expand_shape %[[A]]
// CHECK: %[[F:.*]] = tensor.empty() : tensor<2x4xf32>
// CHECK: %[[B:.*]] = linalg.abs {{.*}} outs(%[[F]] :
// CHECK: linalg.exp {{.*}} outs(%[[B]] :
func.func @chain(%x: tensor<8xf32>) -> tensor<2x4xf32> {
  %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
  %v = tensor.expand_shape %0 [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
  %1 = linalg.abs ins(%v : tensor<2x4xf32>) outs(%v : tensor<2x4xf32>) -> tensor<2x4xf32>
  %2 = linalg.exp ins(%1 : tensor<2x4xf32>) outs(%1 : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}

// Inits that are read, or kept in part, stay.
// CHECK-LABEL: func.func @needed(
// CHECK-NOT: tensor.empty
// CHECK: return
func.func @needed(%x: tensor<4xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i * 2)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%y : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i * 2)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%0 : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<8xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i * 2)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%1 : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<8xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%y : tensor<8xf32>) outs(%2 : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %3 : tensor<8xf32>
}

// Loops, branches and selections pass a buffer on.
// COPY-LABEL: func.func @passed(
// COPY-SAME: %[[X:[a-z0-9]+]]: tensor<8xf32>,
// COPY: %[[L:.*]] = scf.for {{.*}} iter_args(%[[I:.*]] = %[[X]])
// COPY: %[[C:.*]] = bufferization.alloc_tensor() copy(%[[L]]) : tensor<8xf32>
// COPY: %[[M:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[C]])
// COPY: %[[IF:.*]] = scf.if
// COPY: %[[D:.*]] = bufferization.alloc_tensor() copy(%[[M]]) : tensor<8xf32>
// COPY: scf.yield %[[D]]
// COPY: scf.yield %{{.*}} : tensor<8xf32>
// COPY: %[[E:.*]] = bufferization.alloc_tensor() copy(%[[IF]]) : tensor<8xf32>
// COPY: arith.select %{{.*}}, %[[E]], %{{.*}} : tensor<8xf32>
// SAME-LABEL: func.func @passed(
// SAME-NOT: alloc_tensor
// SAME: return
func.func @passed(%x: tensor<8xf32>, %y: tensor<8xf32>, %c: i1) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %x) -> tensor<8xf32> {
    scf.yield %a : tensor<8xf32>
  }
  %1 = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %0) -> tensor<8xf32> {
    scf.yield %a : tensor<8xf32>
  }
  %2 = scf.if %c -> tensor<8xf32> {
    scf.yield %1 : tensor<8xf32>
  } else {
    scf.yield %y : tensor<8xf32>
  }
  %3 = arith.select %c, %2, %y : tensor<8xf32>
  return %3 : tensor<8xf32>
}

// Elements that are put into a tensor one after the other.
// COPY-LABEL: func.func @elements(
// COPY-SAME: %[[X:.*]]: tensor<8xf32>,
// COPY: %[[A:.*]] = tensor.insert %{{.*}} into %[[X]]
// COPY: %[[B:.*]] = tensor.insert %{{.*}} into %[[A]]
// COPY: %[[C:.*]] = bufferization.alloc_tensor() copy(%[[B]]) : tensor<8xf32>
// COPY: %[[D:.*]] = tensor.insert %{{.*}} into %[[C]]
// COPY: return %[[D]]
// SAME-LABEL: func.func @elements(
// SAME-NOT: alloc_tensor
func.func @elements(%x: tensor<8xf32>, %f: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = tensor.insert %f into %x[%c0] : tensor<8xf32>
  %1 = tensor.insert %f into %0[%c1] : tensor<8xf32>
  %2 = tensor.insert %f into %1[%c2] : tensor<8xf32>
  return %2 : tensor<8xf32>
}
