// Extraction checks groups of ops with the reader of task functions. Groups
// that are not a task do not change.
// RUN: pruner-opt %s --pruner-extract-tasks --split-input-file --verify-diagnostics | FileCheck %s

// The epilogue also reads the padded tensor, which only the product may do.
// CHECK-LABEL: func.func @padded_epilogue
// CHECK-NOT: call
// CHECK: %[[P:.*]] = tensor.pad %arg0
// CHECK: %[[M:.*]] = linalg.matmul ins(%[[P]], %arg1
// CHECK: linalg.generic {{.*}} ins(%[[M]], %[[P]]
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @padded_epilogue(%x: tensor<62x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %z = arith.constant 0.0 : f32
  // expected-remark @below {{'tensor.pad' stays outside the tasks: operand #1 is padded, but only inputs of a reduction may be padded}}
  %p = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<62x64xf32> to tensor<64x64xf32>
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-remark @below {{'linalg.matmul' stays outside the tasks: operand #1 is padded, but only inputs of a reduction may be padded}}
  %m = linalg.matmul ins(%p, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-remark @below {{'linalg.generic' stays outside the tasks: operand #1 is padded, but only inputs of a reduction may be padded}}
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m, %p : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.addf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----

// Both factors are the same padded tensor: one argument and one pad.
// CHECK-LABEL: func.func @both_factors
// CHECK-NEXT: call @[[TASK:task_matmul_64x64x64_[0-9a-f]+]](%arg0)
// CHECK-NEXT: return
// CHECK: func.func private @[[TASK]](%arg0: tensor<62x64xf32>)
// CHECK: %[[P:.*]] = tensor.pad %arg0
// CHECK-NOT: tensor.pad
// CHECK: linalg.matmul ins(%[[P]], %[[P]]
func.func @both_factors(%x: tensor<62x64xf32>) -> tensor<64x64xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<62x64xf32> to tensor<64x64xf32>
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %m = linalg.matmul ins(%p, %p : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %m : tensor<64x64xf32>
}

// -----

// The sums of these rows start from a value of the caller, which a chain over
// rows does not support: the reduction is a task of its own, and so is the
// difference.
// CHECK-LABEL: func.func @given_start
// CHECK: %[[S:.*]] = call @task_reduce_sum_64x64_{{[0-9a-f]+}}(%arg0, %arg1)
// CHECK: call @task_elementwise_64x64_{{[0-9a-f]+}}(%arg0, %[[S]])
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @given_start(%a: tensor<64x64xf32>, %start: tensor<64xf32>) -> tensor<64x64xf32> {
  %s = linalg.reduce {arith.addf} ins(%a : tensor<64x64xf32>) outs(%start : tensor<64xf32>) dimensions = [1]
  %e = tensor.empty() : tensor<64x64xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %s : tensor<64x64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %t = arith.subf %x, %y : f32
    linalg.yield %t : f32
  } -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
