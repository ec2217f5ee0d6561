// Both forms of joined products: equal parts share their tasks, and weights
// count the calls in each form.
// RUN: pruner-opt %s --pruner-extract-tasks="join-products=measure min-elements=1" -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir

// RUN: pruner-opt %s --pruner-extract-tasks="join-products=never min-elements=1" > %t.never
// RUN: pruner-opt %t.mlir --pruner-choose-alternatives > %t.separate
// RUN: FileCheck %s --check-prefix=SEPARATE --input-file=%t.never
// RUN: FileCheck %s --check-prefix=SEPARATE --input-file=%t.separate
// RUN: pruner-opt %s --pruner-extract-tasks="join-products=always min-elements=1" > %t.always
// RUN: sed 's/pruner.alternatives/pruner.alternatives chosen "joined"/' %t.mlir | pruner-opt --pruner-choose-alternatives > %t.joined
// RUN: FileCheck %s --check-prefix=ALWAYS --input-file=%t.always
// RUN: FileCheck %s --check-prefix=ALWAYS --input-file=%t.joined

// Totals are those of the executed form.
// RUN: pruner-opt %t.mlir --pruner-list-tasks -o /dev/null 2>&1 | FileCheck %s --check-prefix=LIST

// CHECK-LABEL: func.func @mlp(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<8x4xf32>, %[[A:[^:]*]]: tensor<4x16xf32>, %[[B:[^:]*]]: tensor<16x4xf32>)
// CHECK-NEXT:    %[[P:.*]] = pruner.alternatives -> tensor<8x4xf32>
// CHECK-NEXT:      form "separate" {
// CHECK-NEXT:        %[[S:.*]] = func.call @[[FIRST:task_matmul_8x16x4_[0-9a-f]*]](%[[X]], %[[A]])
// CHECK-NEXT:        %[[R:.*]] = func.call @[[SECOND:task_matmul_8x4x16_[0-9a-f]*]](%[[S]], %[[B]])
// CHECK-NEXT:        pruner.results %[[R]]
// CHECK-NEXT:      }
// CHECK-NEXT:      form "joined" {
// CHECK-NEXT:        %[[R:.*]] = func.call @[[CHAIN:task_chain_8x4x16_[0-9a-f]*]](%[[X]], %[[A]], %[[B]])
// CHECK-NEXT:        pruner.results %[[R]]
// CHECK-NEXT:      }
// CHECK-NEXT:    %[[Q:.*]] = pruner.alternatives -> tensor<8x4xf32>
// CHECK:             func.call @[[FIRST]](%[[P]], %[[A]])
// CHECK:             func.call @[[CHAIN]](%[[P]], %[[A]], %[[B]])
// The single product is a task as without forms, and is one that a form calls.
// CHECK:         call @[[FIRST]](%[[Q]], %[[A]])
// CHECK:       func.func private @[[FIRST]]({{.*}}weight = 3
// CHECK:       func.func private @[[SECOND]]({{.*}}weight = 2
// CHECK:       func.func private @[[CHAIN]]({{.*}}weight = 2

// SEPARATE-COUNT-5: call @task_matmul
// SEPARATE:     return
// SEPARATE-DAG: func.func private @task_matmul_8x16x4_{{.*}}weight = 3
// SEPARATE-DAG: func.func private @task_matmul_8x4x16_{{.*}}weight = 2
// SEPARATE-NOT: func.func private

// ALWAYS-COUNT-2: call @task_chain
// ALWAYS:     call @task_matmul
// ALWAYS:     return
// ALWAYS-DAG: func.func private @task_chain_{{.*}}weight = 2
// ALWAYS-DAG: func.func private @task_matmul_8x16x4_{{.*}}weight = 1
// ALWAYS-NOT: func.func private

// LIST:     {{^task_matmul_8x16x4_[0-9a-f]+ +3 }}
// LIST-DAG: {{^task_matmul_8x4x16_[0-9a-f]+ +2 }}
// LIST-DAG: {{^task_chain_8x4x16_[0-9a-f]+ +- .* 0.00% }}
// LIST:     3 distinct tasks, 5 calls, 0.000005 GFLOP
func.func @mlp(%x: tensor<8x4xf32>, %a: tensor<4x16xf32>, %b: tensor<16x4xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<8x16xf32>
  %narrow = tensor.empty() : tensor<8x4xf32>
  %w = linalg.fill ins(%zero : f32) outs(%wide : tensor<8x16xf32>) -> tensor<8x16xf32>
  %n = linalg.fill ins(%zero : f32) outs(%narrow : tensor<8x4xf32>) -> tensor<8x4xf32>
  %0 = linalg.matmul ins(%x, %a : tensor<8x4xf32>, tensor<4x16xf32>) outs(%w : tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = linalg.matmul ins(%0, %b : tensor<8x16xf32>, tensor<16x4xf32>) outs(%n : tensor<8x4xf32>) -> tensor<8x4xf32>
  %2 = linalg.matmul ins(%1, %a : tensor<8x4xf32>, tensor<4x16xf32>) outs(%w : tensor<8x16xf32>) -> tensor<8x16xf32>
  %3 = linalg.matmul ins(%2, %b : tensor<8x16xf32>, tensor<16x4xf32>) outs(%n : tensor<8x4xf32>) -> tensor<8x4xf32>
  %4 = linalg.matmul ins(%3, %a : tensor<8x4xf32>, tensor<4x16xf32>) outs(%w : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %4 : tensor<8x16xf32>
}
