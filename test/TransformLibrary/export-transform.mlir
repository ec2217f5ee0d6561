// A library has a matcher, a mark and a sequence for each distinct op of a task,
// and an entry point.

// RUN: rm -rf %t && mkdir %t
// RUN: pruner-opt %s --pruner-normalize --pruner-extract-tasks | sed -e '/@task_matmul/s/attributes {/&pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 14], [2, 2, 32], [256]], stages = [none, inner], vector = 16, unroll = 4, order = [1, 0]>, /' > %t/scheduled.mlir
// RUN: pruner-opt %s --pruner-export-transform=schedules=%t/scheduled.mlir -o %t/library.mlir 2> %t/remarks
// RUN: FileCheck %s --input-file=%t/library.mlir
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t/remarks
// RUN: pruner-opt %s --pruner-export-transform=schedules=%t/scheduled.mlir -o %t/again.mlir 2> %t/ignored
// RUN: cmp %t/library.mlir %t/again.mlir

// The module with a library has no tasks, so its library is empty.

// RUN: pruner-opt %t/library.mlir --pruner-export-transform=schedules=%t/scheduled.mlir | FileCheck %s --check-prefix=EMPTY
// EMPTY:      module attributes {transform.with_named_sequence} {
// EMPTY-NEXT:   transform.named_sequence @__transform_main(%{{.*}}: !transform.any_op {transform.consumed}) {
// EMPTY-NEXT:     transform.yield
// EMPTY-NEXT:   }
// EMPTY-NEXT: }

#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>

func.func @main(%x: tensor<128x512xf32>, %w: tensor<256x512xf32>, %v: tensor<256x512xf32>, %b: tensor<256xf32>)
    -> (tensor<128x256xf32>, tensor<128x256xf32>) {
  %zero = arith.constant 0.0 : f32
  %we = tensor.empty() : tensor<512x256xf32>
  %e = tensor.empty() : tensor<128x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x256xf32>) -> tensor<128x256xf32>
  %s = linalg.generic {indexing_maps = [#column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<256xf32>) outs(%e : tensor<128x256xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<128x256xf32>
  %wt = linalg.transpose ins(%w : tensor<256x512xf32>) outs(%we : tensor<512x256xf32>) permutation = [1, 0]
  %m = linalg.matmul ins(%x, %wt : tensor<128x512xf32>, tensor<512x256xf32>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  %a = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m, %s : tensor<128x256xf32>, tensor<128x256xf32>) outs(%e : tensor<128x256xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %0 = arith.addf %in, %bias : f32
    linalg.yield %0 : f32
  } -> tensor<128x256xf32>
  %vt = linalg.transpose ins(%v : tensor<256x512xf32>) outs(%we : tensor<512x256xf32>) permutation = [1, 0]
  %n = linalg.matmul ins(%x, %vt : tensor<128x512xf32>, tensor<512x256xf32>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %a, %n : tensor<128x256xf32>, tensor<128x256xf32>
}

// The product with a bias: the matcher begins at the sum and follows its first
// operand to the product.

// CHECK:       module attributes {transform.with_named_sequence}
// CHECK:       transform.named_sequence @is_[[ADDED:matmul_128x256x512_[0-9a-f]+]](%[[SUM:.*]]: !transform.any_op {transform.readonly})
// CHECK-SAME:      -> (!transform.any_op, !transform.any_op)
// CHECK:         transform.match.operation_name %[[SUM]] ["linalg.generic"]
// CHECK:         %[[READ:.*]]:2 = transform.match.structured failures(propagate) %[[SUM]]
// CHECK:           %[[FOUND:.*]] = transform.match.structured.dim %{{.*}}[all]
// CHECK-NEXT:      %[[M:.*]] = transform.param.constant 128 : i64
// CHECK-NEXT:      %[[N:.*]] = transform.param.constant 256 : i64
// CHECK-NEXT:      %[[WANTED:.*]] = transform.merge_handles %[[M]], %[[N]]
// CHECK-NEXT:      transform.match.param.cmpi eq %[[FOUND]], %[[WANTED]]
// CHECK-NEXT:      transform.match.structured.dim %{{.*}}[0, 1] {parallel}
// CHECK:           transform.match.structured.elemental_bitwidth
// CHECK:           transform.match.structured.body %{{.*}} {elementwise}
// CHECK:           transform.match.structured.input %{{.*}}[0]
// CHECK:         transform.match.operation_name %[[READ]]#1 ["linalg.generic"]
// CHECK:         transform.match.operation_name %[[READ]]#0 ["linalg.matmul"]
// CHECK:           transform.match.structured.dim %{{.*}}[2] {reduction}
// CHECK:           transform.match.structured.body %{{.*}} {contraction = ["arith.mulf", "arith.addf"]}
// CHECK:         transform.match.operation_name %{{.*}} ["linalg.transpose"]
// CHECK:         transform.yield %[[READ]]#0, %[[SUM]]

// CHECK:       transform.named_sequence @mark_[[ADDED]](%[[ANCHOR:.*]]: !transform.any_op {transform.readonly}, %[[LINK:.*]]: !transform.any_op {transform.readonly})
// CHECK:         transform.annotate %[[LINK]] "pruner_task"
// CHECK:         transform.annotate %[[ANCHOR]] "pruner_task"

// Rows that do not divide are a separate part, which is computed first. In each
// part the weights' copy is whole (several parts read it), and the sum, the
// product and the broadcast bias have the same tiles.

// CHECK:       transform.named_sequence @tune_[[ADDED]](%[[ANCHOR:.*]]: !transform.any_op {transform.consumed})
// CHECK:         %[[OP:.*]] = transform.structured.generalize %[[ANCHOR]]
// CHECK:         %[[ROOT:.*]] = transform.get_consumers_of_result %[[OP]][0]
// CHECK:         %[[COPY:.*]] = transform.get_producer_of_operand %[[OP]][1]
// CHECK:         %[[PARTS:.*]] = transform.structured.split %[[ROOT]] after 126 {dimension = 0 : i64}
// CHECK:         %[[PART:.*]]:2 = transform.split_handle %[[PARTS]]
// CHECK:         transform.structured.tile_using_for %[[COPY]] tile_sizes [8, 8]
// CHECK:         transform.get_producer_of_operand %[[PART]]#1[0]
// CHECK:         transform.apply_dce
// CHECK:         transform.get_producer_of_operand %[[PART]]#0[0]
// CHECK:         %[[CORE:.*]] = transform.tune.knob<"core d1"> = 128 : i64 from options = [64, 128]
// CHECK:         transform.structured.tile_using_forall %[[PART]]#0 tile_sizes [42, %[[CORE]]]
// CHECK-COUNT-2: transform.structured.fuse_into_containing_op
// CHECK:         %[[BLOCK:.*]] = transform.tune.knob<"block d1"> = 64
// CHECK:         transform.structured.tile_using_for %{{.*}} tile_sizes [0, %[[BLOCK]]]
// CHECK-COUNT-2: transform.structured.fuse_into_containing_op
// CHECK:         %[[ROWS:.*]] = transform.tune.knob<"register d0"> = 14
// CHECK:         %[[COLUMNS:.*]] = transform.tune.knob<"register d1"> = 32
// CHECK:         transform.structured.tile_using_for %{{.*}} tile_sizes [%[[ROWS]], %[[COLUMNS]]] interchange = [1, 0]
// CHECK-COUNT-2: transform.structured.fuse_into_containing_op
// CHECK:         transform.structured.tile_using_for %{{.*}} tile_sizes [0, 0, 1]
// CHECK-COUNT-2: transform.structured.vectorize
// CHECK:         transform.loop.hoist_loop_invariant_subsets
// CHECK:         transform.loop.unroll %{{.*}} {factor = 4 : i64}

// The product without a bias is another site of another task.

// CHECK:       transform.named_sequence @is_[[ALONE:matmul_128x256x512_[0-9a-f]+]](%{{.*}}) -> !transform.any_op
// CHECK:       transform.named_sequence @tune_[[ALONE]]

// Longer chains are matched first.

// CHECK:       transform.named_sequence @__transform_main
// CHECK:         transform.foreach_match in %{{.*}}
// CHECK-NEXT:        @is_[[ADDED]] -> @mark_[[ADDED]],
// CHECK-NEXT:        @is_[[ALONE]] -> @mark_[[ALONE]]
// CHECK:         %[[OPS:.*]] = transform.structured.match attributes {pruner_task = "[[ADDED]]"}
// CHECK-NEXT:    transform.foreach %[[OPS]]
// CHECK:           transform.include @tune_[[ADDED]]

// REMARK: remark: the schedule of 'matmul_128x256x512_{{.*}}' is exported without slices of the reduction d2; register tiles run over all of it
