// Matchers compare what the ops of a task compute, not only their names, shapes
// and maps: of the ops below all that are not like those in @main stay as they are.

// REQUIRES: upstream-tools

// RUN: rm -rf %t && mkdir %t
// RUN: split-file %s %t
// RUN: pruner-opt %t/network.mlir --pruner-normalize --pruner-extract-tasks=min-elements=100 | sed -e '/@task_matmul_128x256x512_.*attributes/s/attributes {/&pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 16], [2, 2, 16], [256]], stages = [none, none], vector = 16, unroll = 4, order = [1, 0]>, /' -e '/@task_matmul_128x256x64_.*attributes/s/attributes {/&pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 16], [2, 2, 16], [32]], stages = [none, none], vector = 16, unroll = 4, order = [1, 0]>, /' -e '/@task_matmul_128x256x32_.*attributes/s/attributes {/&pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 16], [2, 2, 16], [32]], stages = [none, none], vector = 16, unroll = 4, order = [1, 0]>, /' > %t/scheduled.mlir
// RUN: pruner-opt %t/network.mlir --pruner-export-transform=schedules=%t/scheduled.mlir -o %t/library.mlir 2> %t/remarks
// RUN: FileCheck %t/network.mlir --check-prefix=LIBRARY --input-file=%t/library.mlir
// RUN: FileCheck %t/network.mlir --check-prefix=REMARK --input-file=%t/remarks
// RUN: mlir-opt %t/network.mlir --pass-pipeline='builtin.module(transform-preload-library{transform-library-paths=%t/library.mlir},transform-interpreter)' | FileCheck %t/network.mlir --check-prefix=OWN
// RUN: mlir-opt %t/others.mlir --pass-pipeline='builtin.module(transform-preload-library{transform-library-paths=%t/library.mlir},transform-interpreter)' | FileCheck %t/others.mlir

//--- network.mlir

#id = affine_map<(d0, d1) -> (d0, d1)>
#left = affine_map<(d0, d1, d2) -> (d0, d2)>
#right = affine_map<(d0, d1, d2) -> (d2, d1)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>

// A sequence for each body, from the yield upwards: the op and no other is in the
// body, its operands are arguments of the block, and not the same one.

// LIBRARY:      transform.named_sequence @maker_of(
// LIBRARY:        transform.get_defining_op
// LIBRARY:      transform.named_sequence @[[ADDED:computes_[0-9]+]](%[[OP:.*]]: !transform.any_op {transform.readonly})
// LIBRARY-NEXT:   %[[ALL:.*]] = transform.structured.match in %[[OP]]
// LIBRARY-NEXT:   %[[COUNT:.*]] = transform.num_associations %[[ALL]]
// LIBRARY-NEXT:   %[[THREE:.*]] = transform.param.constant 3
// LIBRARY-NEXT:   transform.match.param.cmpi eq %[[COUNT]], %[[THREE]]
// LIBRARY-NEXT:   transform.structured.match ops{["linalg.generic"]} attributes {indexing_maps = [#map, #map, #map]
// LIBRARY:        %[[YIELD:.*]] = transform.structured.match ops{["linalg.yield"]} filter_operand_types = [f32] in %[[OP]]
// LIBRARY:        %[[SUM:.*]] = transform.get_producer_of_operand %[[YIELD]][0]
// LIBRARY-NEXT:   transform.structured.match ops{["arith.addf"]} attributes {fastmath = #arith.fastmath<none>} filter_result_type = f32 filter_operand_types = [f32, f32] in %[[SUM]]
// LIBRARY:        %[[A:.*]] = transform.get_operand %[[SUM]][0]
// LIBRARY-NEXT:   %[[MAKER:.*]] = transform.include @maker_of failures(suppress) (%[[A]])
// LIBRARY-NEXT:   transform.match.operation_empty %[[MAKER]]
// LIBRARY:        %[[B:.*]] = transform.get_operand %[[SUM]][1]
// LIBRARY:        %[[DIFFERENT:.*]] = transform.merge_handles deduplicate %[[A]], %[[B]]
// LIBRARY-NEXT:   %[[ARGUMENTS:.*]] = transform.num_associations %[[DIFFERENT]]
// LIBRARY-NEXT:   %[[TWO:.*]] = transform.param.constant 2
// LIBRARY-NEXT:   transform.match.param.cmpi eq %[[ARGUMENTS]], %[[TWO]]
// LIBRARY:      transform.named_sequence @is_{{.*}}(%[[OP:.*]]: !transform.any_op {transform.readonly})
// LIBRARY:        transform.include @[[ADDED]] failures(propagate) (%[[OP]])

// What a body cannot be compared by stays out of the chain.

// REMARK: remark: the schedule of 'matmul_128x256x64_{{.*}}' is exported without the elementwise op after it: its body reads an argument from outside of it, which upstream's matchers cannot compare

func.func @main(%x: tensor<128x512xf32>, %w: tensor<512x256xf32>, %b: tensor<128x256xf32>,
                %i: tensor<128x32xi8>, %j: tensor<32x256xi8>,
                %u: tensor<128x64xf32>, %v: tensor<64x256xf32>, %s: f32)
    -> (tensor<128x256xf32>, tensor<128x256xi32>, tensor<128x256xf32>) {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : i32
  %e = tensor.empty() : tensor<128x256xf32>
  %ei = tensor.empty() : tensor<128x256xi32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x256xf32>) -> tensor<128x256xf32>
  %fi = linalg.fill ins(%none : i32) outs(%ei : tensor<128x256xi32>) -> tensor<128x256xi32>
  %m = linalg.matmul ins(%x, %w : tensor<128x512xf32>, tensor<512x256xf32>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  %a = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m, %b : tensor<128x256xf32>, tensor<128x256xf32>) outs(%e : tensor<128x256xf32>) {
  ^bb0(%in: f32, %bias: f32, %o: f32):
    %0 = arith.addf %in, %bias : f32
    linalg.yield %0 : f32
  } -> tensor<128x256xf32>
  %p = linalg.generic {indexing_maps = [#left, #right, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%i, %j : tensor<128x32xi8>, tensor<32x256xi8>) outs(%fi : tensor<128x256xi32>) {
  ^bb0(%l: i8, %r: i8, %o: i32):
    %0 = arith.extsi %l : i8 to i32
    %1 = arith.extsi %r : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %o, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<128x256xi32>
  %n = linalg.matmul ins(%u, %v : tensor<128x64xf32>, tensor<64x256xf32>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%n : tensor<128x256xf32>) outs(%e : tensor<128x256xf32>) {
  ^bb0(%in: f32, %o: f32):
    %0 = arith.mulf %in, %s : f32
    linalg.yield %0 : f32
  } -> tensor<128x256xf32>
  return %a, %p, %c : tensor<128x256xf32>, tensor<128x256xi32>, tensor<128x256xf32>
}

// OWN-LABEL:   @main
// OWN-COUNT-3:   scf.forall

//--- others.mlir

#id = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>
#left = affine_map<(d0, d1, d2) -> (d0, d2)>
#right = affine_map<(d0, d1, d2) -> (d2, d1)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>

// CHECK-LABEL: @same
// CHECK:         scf.forall
func.func @same(%m: tensor<128x256xf32>, %b: tensor<128x256xf32>, %x: tensor<128x512xf32>, %w: tensor<512x256xf32>) -> tensor<128x256xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x256xf32>) -> tensor<128x256xf32>
  %p = linalg.matmul ins(%x, %w : tensor<128x512xf32>, tensor<512x256xf32>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  %a = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %b : tensor<128x256xf32>, tensor<128x256xf32>) outs(%e : tensor<128x256xf32>) {
  ^bb0(%in: f32, %bias: f32, %o: f32):
    %0 = arith.addf %in, %bias : f32
    linalg.yield %0 : f32
  } -> tensor<128x256xf32>
  return %a : tensor<128x256xf32>
}

// Another operation, a fast sum, the same argument twice, one operation more, a
// number in place of an argument, other maps.

// CHECK-LABEL: @other
// CHECK-NOT:     scf.forall
// CHECK-COUNT-6: linalg.matmul
func.func @other(%b: tensor<128x256xf32>, %bt: tensor<256x128xf32>, %x: tensor<128x512xf32>, %w: tensor<512x256xf32>)
    -> (tensor<128x256xf32>, tensor<128x256xf32>, tensor<128x256xf32>, tensor<128x256xf32>, tensor<128x256xf32>, tensor<128x256xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x256xf32>) -> tensor<128x256xf32>
  %p0 = linalg.matmul ins(%x, %w : tensor<128x512xf32>, tensor<512x256xf32>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  %a0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p0, %b : tensor<128x256xf32>, tensor<128x256xf32>) outs(%e : tensor<128x256xf32>) {
  ^bb0(%in: f32, %bias: f32, %o: f32):
    %0 = arith.divf %in, %bias : f32
    linalg.yield %0 : f32
  } -> tensor<128x256xf32>
  %p1 = linalg.matmul ins(%x, %w : tensor<128x512xf32>, tensor<512x256xf32>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  %a1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p1, %b : tensor<128x256xf32>, tensor<128x256xf32>) outs(%e : tensor<128x256xf32>) {
  ^bb0(%in: f32, %bias: f32, %o: f32):
    %0 = arith.addf %in, %bias fastmath<reassoc> : f32
    linalg.yield %0 : f32
  } -> tensor<128x256xf32>
  %p2 = linalg.matmul ins(%x, %w : tensor<128x512xf32>, tensor<512x256xf32>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  %a2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p2, %b : tensor<128x256xf32>, tensor<128x256xf32>) outs(%e : tensor<128x256xf32>) {
  ^bb0(%in: f32, %bias: f32, %o: f32):
    %0 = arith.addf %in, %in : f32
    linalg.yield %0 : f32
  } -> tensor<128x256xf32>
  %p3 = linalg.matmul ins(%x, %w : tensor<128x512xf32>, tensor<512x256xf32>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  %a3 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p3, %b : tensor<128x256xf32>, tensor<128x256xf32>) outs(%e : tensor<128x256xf32>) {
  ^bb0(%in: f32, %bias: f32, %o: f32):
    %0 = arith.addf %in, %bias : f32
    %1 = math.tanh %0 : f32
    linalg.yield %1 : f32
  } -> tensor<128x256xf32>
  %p4 = linalg.matmul ins(%x, %w : tensor<128x512xf32>, tensor<512x256xf32>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  %a4 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p4, %b : tensor<128x256xf32>, tensor<128x256xf32>) outs(%e : tensor<128x256xf32>) {
  ^bb0(%in: f32, %bias: f32, %o: f32):
    %0 = arith.addf %in, %zero : f32
    linalg.yield %0 : f32
  } -> tensor<128x256xf32>
  %p5 = linalg.matmul ins(%x, %w : tensor<128x512xf32>, tensor<512x256xf32>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  %a5 = linalg.generic {indexing_maps = [#id, #turned, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p5, %bt : tensor<128x256xf32>, tensor<256x128xf32>) outs(%e : tensor<128x256xf32>) {
  ^bb0(%in: f32, %bias: f32, %o: f32):
    %0 = arith.addf %in, %bias : f32
    linalg.yield %0 : f32
  } -> tensor<128x256xf32>
  return %a0, %a1, %a2, %a3, %a4, %a5 : tensor<128x256xf32>, tensor<128x256xf32>, tensor<128x256xf32>, tensor<128x256xf32>, tensor<128x256xf32>, tensor<128x256xf32>
}

// Upstream's test for contractions looks through casts, whatever they are.

// CHECK-LABEL: @without_sign
// CHECK-NOT:     scf.forall
// CHECK:         linalg.generic
func.func @without_sign(%i: tensor<128x32xi8>, %j: tensor<32x256xi8>, %f: tensor<128x256xi32>) -> tensor<128x256xi32> {
  %p = linalg.generic {indexing_maps = [#left, #right, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%i, %j : tensor<128x32xi8>, tensor<32x256xi8>) outs(%f : tensor<128x256xi32>) {
  ^bb0(%l: i8, %r: i8, %o: i32):
    %0 = arith.extui %l : i8 to i32
    %1 = arith.extui %r : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %o, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<128x256xi32>
  return %p : tensor<128x256xi32>
}
