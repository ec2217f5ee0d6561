// RUN: pruner-opt %s --pruner-extract-tasks | FileCheck %s
// RUN: pruner-opt %s --pruner-extract-tasks=elementwise=false | FileCheck %s --check-prefix=OFF
// RUN: pruner-opt %s --pruner-extract-tasks=min-elements=64 | FileCheck %s --check-prefix=SMALL

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#channel = affine_map<(d0, d1, d2) -> (d0)>
#id1 = affine_map<(d0) -> (d0)>

// A batch norm as exported: one task, which reads the reciprocal root of the
// variance per channel. It must not be computed per pixel.
// CHECK-LABEL: func.func @batch_norm
// CHECK: %[[R:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]
// CHECK: arith.addf
// CHECK: math.rsqrt
// CHECK: call @[[TASK:task_elementwise_64x56x56_[0-9a-f]+]](%{{.*}}, %{{.*}}, %[[R]], %{{.*}}, %{{.*}})
// CHECK: func.func private @[[TASK]]
// CHECK-NOT: math.rsqrt
// CHECK: arith.subf
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: arith.addf
// CHECK-NEXT: arith.cmpf
// CHECK-NEXT: arith.select
// CHECK-NEXT: linalg.yield

// OFF-LABEL: func.func @batch_norm
// OFF-NOT: call
// OFF-NOT: pruner.task

// SMALL-LABEL: func.func @batch_norm
// SMALL-NOT: linalg.generic
// SMALL: call @task_elementwise_64_
// SMALL: call @task_elementwise_64x56x56_
// SMALL: math.rsqrt
func.func @batch_norm(%x: tensor<64x56x56xf32>, %mean: tensor<64xf32>, %var: tensor<64xf32>,
                      %gamma: tensor<64xf32>, %beta: tensor<64xf32>) -> tensor<64x56x56xf32> {
  %zero = arith.constant 0.0 : f32
  %eps = arith.constant 9.99999974E-6 : f32
  %e1 = tensor.empty() : tensor<64xf32>
  %v = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]}
      ins(%var : tensor<64xf32>) outs(%e1 : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.addf %in, %eps : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  %r = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]}
      ins(%v : tensor<64xf32>) outs(%e1 : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = math.rsqrt %in : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  %e = tensor.empty() : tensor<64x56x56xf32>
  %a = linalg.generic {indexing_maps = [#id, #channel, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %mean : tensor<64x56x56xf32>, tensor<64xf32>) outs(%e : tensor<64x56x56xf32>) {
  ^bb0(%in: f32, %c: f32, %out: f32):
    %t = arith.subf %in, %c : f32
    linalg.yield %t : f32
  } -> tensor<64x56x56xf32>
  %b = linalg.generic {indexing_maps = [#id, #channel, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a, %r : tensor<64x56x56xf32>, tensor<64xf32>) outs(%e : tensor<64x56x56xf32>) {
  ^bb0(%in: f32, %c: f32, %out: f32):
    %t = arith.mulf %in, %c : f32
    linalg.yield %t : f32
  } -> tensor<64x56x56xf32>
  %c = linalg.generic {indexing_maps = [#id, #channel, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%b, %gamma : tensor<64x56x56xf32>, tensor<64xf32>) outs(%e : tensor<64x56x56xf32>) {
  ^bb0(%in: f32, %c: f32, %out: f32):
    %t = arith.mulf %in, %c : f32
    linalg.yield %t : f32
  } -> tensor<64x56x56xf32>
  %d = linalg.generic {indexing_maps = [#id, #channel, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%c, %beta : tensor<64x56x56xf32>, tensor<64xf32>) outs(%e : tensor<64x56x56xf32>) {
  ^bb0(%in: f32, %c2: f32, %out: f32):
    %t = arith.addf %in, %c2 : f32
    linalg.yield %t : f32
  } -> tensor<64x56x56xf32>
  %o = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%d : tensor<64x56x56xf32>) outs(%e : tensor<64x56x56xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.cmpf ugt, %in, %zero : f32
    %s = arith.select %t, %in, %zero : f32
    linalg.yield %s : f32
  } -> tensor<64x56x56xf32>
  return %o : tensor<64x56x56xf32>
}
