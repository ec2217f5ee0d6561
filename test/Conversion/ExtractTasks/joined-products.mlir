// RUN: pruner-opt %s -split-input-file -pruner-extract-tasks="join-products=always min-elements=1" \
// RUN:   | FileCheck %s
// RUN: pruner-opt %s -split-input-file -pruner-extract-tasks=min-elements=1 \
// RUN:   | FileCheck %s --check-prefix=APART

// Attention with a scale, a mask and a softmax: one task with four arguments.
// Its body has the ops in the order of execution.

// CHECK-LABEL: func.func @attention(
// CHECK-SAME:    %[[Q:[^:]*]]: tensor<2x8x4xf32>, %[[K:[^:]*]]: tensor<2x16x4xf32>, %[[V:[^:]*]]: tensor<2x16x6xf32>, %[[M:[^:]*]]: tensor<8x16xi1>)
// CHECK-NEXT:    %[[R:.*]] = call @[[TASK:task_chain_2x8x6x16_[0-9a-f]*]](%[[Q]], %[[K]], %[[M]], %[[V]])
// CHECK-NEXT:    return %[[R]]
// CHECK:       func.func private @[[TASK]](
// CHECK:         iterator_types = ["parallel", "parallel", "parallel", "reduction"]
// CHECK:         iterator_types = ["parallel", "parallel", "parallel"]
// CHECK:           arith.mulf
// CHECK-NEXT:      arith.select
// CHECK:         iterator_types = ["parallel", "parallel", "reduction"]
// CHECK:           arith.maximumf
// CHECK:           math.exp
// CHECK:         iterator_types = ["parallel", "parallel", "reduction"]
// CHECK:           arith.addf
// CHECK:           arith.divf
// CHECK:         linalg.batch_matmul
// CHECK-NEXT:    return

// APART-LABEL: func.func @attention(
// APART:         call @task_batch_matmul
// APART:         call @task_rows
// APART:         call @task_batch_matmul
#ijk = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#ij = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @attention(%q: tensor<2x8x4xf32>, %k: tensor<2x16x4xf32>, %v: tensor<2x16x6xf32>, %m: tensor<8x16xi1>) -> tensor<2x8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %half = arith.constant 0.5 : f32
  %wide = tensor.empty() : tensor<2x8x16xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%wide : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %s = linalg.generic {
    indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>],
    iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%q, %k : tensor<2x8x4xf32>, tensor<2x16x4xf32>) outs(%s0 : tensor<2x8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %c, %p : f32
    linalg.yield %t : f32
  } -> tensor<2x8x16xf32>
  %x = linalg.generic {indexing_maps = [#ijk, affine_map<(d0, d1, d2) -> (d1, d2)>, #ijk], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s, %m : tensor<2x8x16xf32>, tensor<8x16xi1>) outs(%wide : tensor<2x8x16xf32>) {
  ^bb0(%a: f32, %b: i1, %o: f32):
    %t = arith.mulf %a, %half : f32
    %u = arith.select %b, %t, %least : f32
    linalg.yield %u : f32
  } -> tensor<2x8x16xf32>
  %row = tensor.empty() : tensor<2x8xf32>
  %m0 = linalg.fill ins(%least : f32) outs(%row : tensor<2x8xf32>) -> tensor<2x8xf32>
  %most = linalg.generic {indexing_maps = [#ijk, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x : tensor<2x8x16xf32>) outs(%m0 : tensor<2x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.maximumf %o, %a : f32
    linalg.yield %t : f32
  } -> tensor<2x8xf32>
  %e = linalg.generic {indexing_maps = [#ijk, #ij, #ijk], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%x, %most : tensor<2x8x16xf32>, tensor<2x8xf32>) outs(%wide : tensor<2x8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.subf %a, %b : f32
    %u = math.exp %t : f32
    linalg.yield %u : f32
  } -> tensor<2x8x16xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<2x8xf32>) -> tensor<2x8xf32>
  %sum = linalg.generic {indexing_maps = [#ijk, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%e : tensor<2x8x16xf32>) outs(%l0 : tensor<2x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %o, %a : f32
    linalg.yield %t : f32
  } -> tensor<2x8xf32>
  %w = linalg.generic {indexing_maps = [#ijk, #ij, #ijk], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%e, %sum : tensor<2x8x16xf32>, tensor<2x8xf32>) outs(%wide : tensor<2x8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.divf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<2x8x16xf32>
  %out = tensor.empty() : tensor<2x8x6xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%out : tensor<2x8x6xf32>) -> tensor<2x8x6xf32>
  %o = linalg.batch_matmul ins(%w, %v : tensor<2x8x16xf32>, tensor<2x16x6xf32>) outs(%o0 : tensor<2x8x6xf32>) -> tensor<2x8x6xf32>
  return %o : tensor<2x8x6xf32>
}

// -----

// The products of an MLP, whose weights stay constants. The bias and the
// activation are the epilogue of the first product.

// CHECK-LABEL: func.func @mlp(
// CHECK:         call @[[TASK:task_chain_9x5x32_[0-9a-f]*]](
// CHECK:       func.func private @[[TASK]](%{{.*}}: tensor<9x7xf32>, %{{.*}}: tensor<7x32xf32> {pruner.constant}, %{{.*}}: tensor<32x5xf32> {pruner.constant})
// CHECK:         linalg.matmul
// CHECK:         arith.maximumf
// CHECK:         linalg.matmul
func.func @mlp(%x: tensor<9x7xf32>, %a: tensor<7x32xf32> {pruner.constant}, %b: tensor<32x5xf32> {pruner.constant}) -> tensor<9x5xf32> {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<9x32xf32>
  %h0 = linalg.fill ins(%zero : f32) outs(%wide : tensor<9x32xf32>) -> tensor<9x32xf32>
  %h = linalg.matmul ins(%x, %a : tensor<9x7xf32>, tensor<7x32xf32>) outs(%h0 : tensor<9x32xf32>) -> tensor<9x32xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
    ins(%h : tensor<9x32xf32>) outs(%wide : tensor<9x32xf32>) {
  ^bb0(%e: f32, %o: f32):
    %t = arith.maximumf %e, %zero : f32
    linalg.yield %t : f32
  } -> tensor<9x32xf32>
  %out = tensor.empty() : tensor<9x5xf32>
  %y0 = linalg.fill ins(%zero : f32) outs(%out : tensor<9x5xf32>) -> tensor<9x5xf32>
  %y = linalg.matmul ins(%r, %b : tensor<9x32xf32>, tensor<32x5xf32>) outs(%y0 : tensor<9x5xf32>) -> tensor<9x5xf32>
  return %y : tensor<9x5xf32>
}

// -----

// The result of the first product has another reader.

// CHECK-LABEL: func.func @read_twice(
// CHECK:         call @task_matmul
// CHECK:         call @task_matmul
func.func @read_twice(%x: tensor<9x7xf32>, %a: tensor<7x32xf32>, %b: tensor<32x5xf32>) -> (tensor<9x32xf32>, tensor<9x5xf32>) {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<9x32xf32>
  %h0 = linalg.fill ins(%zero : f32) outs(%wide : tensor<9x32xf32>) -> tensor<9x32xf32>
  %h = linalg.matmul ins(%x, %a : tensor<9x7xf32>, tensor<7x32xf32>) outs(%h0 : tensor<9x32xf32>) -> tensor<9x32xf32>
  %out = tensor.empty() : tensor<9x5xf32>
  %y0 = linalg.fill ins(%zero : f32) outs(%out : tensor<9x5xf32>) -> tensor<9x5xf32>
  %y = linalg.matmul ins(%h, %b : tensor<9x32xf32>, tensor<32x5xf32>) outs(%y0 : tensor<9x5xf32>) -> tensor<9x5xf32>
  return %h, %y : tensor<9x32xf32>, tensor<9x5xf32>
}

// -----

// The second product may reduce either dimension; the other one is the rows.

// CHECK-LABEL: func.func @across(
// CHECK:         call @task_chain_32x5x9_
func.func @across(%x: tensor<9x7xf32>, %a: tensor<7x32xf32>, %b: tensor<9x5xf32>) -> tensor<32x5xf32> {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<9x32xf32>
  %h0 = linalg.fill ins(%zero : f32) outs(%wide : tensor<9x32xf32>) -> tensor<9x32xf32>
  %h = linalg.matmul ins(%x, %a : tensor<9x7xf32>, tensor<7x32xf32>) outs(%h0 : tensor<9x32xf32>) -> tensor<9x32xf32>
  %out = tensor.empty() : tensor<32x5xf32>
  %y0 = linalg.fill ins(%zero : f32) outs(%out : tensor<32x5xf32>) -> tensor<32x5xf32>
  %y = linalg.generic {
    indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%h, %b : tensor<9x32xf32>, tensor<9x5xf32>) outs(%y0 : tensor<32x5xf32>) {
  ^bb0(%e: f32, %f: f32, %o: f32):
    %p = arith.mulf %e, %f : f32
    %t = arith.addf %o, %p : f32
    linalg.yield %t : f32
  } -> tensor<32x5xf32>
  return %y : tensor<32x5xf32>
}

// -----

// The second product is one of a matrix and a vector, without columns.

// CHECK-LABEL: func.func @vector(
// CHECK:         call @task_matmul
// CHECK:         call @task_matvec
func.func @vector(%x: tensor<9x7xf32>, %a: tensor<7x32xf32>, %b: tensor<32xf32>) -> tensor<9xf32> {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<9x32xf32>
  %h0 = linalg.fill ins(%zero : f32) outs(%wide : tensor<9x32xf32>) -> tensor<9x32xf32>
  %h = linalg.matmul ins(%x, %a : tensor<9x7xf32>, tensor<7x32xf32>) outs(%h0 : tensor<9x32xf32>) -> tensor<9x32xf32>
  %out = tensor.empty() : tensor<9xf32>
  %y0 = linalg.fill ins(%zero : f32) outs(%out : tensor<9xf32>) -> tensor<9xf32>
  %y = linalg.matvec ins(%h, %b : tensor<9x32xf32>, tensor<32xf32>) outs(%y0 : tensor<9xf32>) -> tensor<9xf32>
  return %y : tensor<9xf32>
}

// -----

// What computes the other factor of the second product becomes a task of its
// own, and the products are still one.

// CHECK-LABEL: func.func @factor(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<8x4xf32>, %[[A:[^:]*]]: tensor<4x16xf32>, %[[B:[^:]*]]: tensor<16x4xf32>)
// CHECK-NEXT:    %[[S:.*]] = call @task_elementwise_16x4_{{.*}}(%[[B]])
// CHECK-NEXT:    %[[R:.*]] = call @task_chain_8x4x16_{{.*}}(%[[X]], %[[A]], %[[S]])
// CHECK-NEXT:    return %[[R]]
// APART-LABEL: func.func @factor(
// APART-NEXT:    call @task_matmul_8x16x4
// APART-NEXT:    call @task_matmul_8x4x16
// APART-NEXT:    return
func.func @factor(%x: tensor<8x4xf32>, %a: tensor<4x16xf32>, %b: tensor<16x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<16x4xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
    ins(%b : tensor<16x4xf32>) outs(%e : tensor<16x4xf32>) {
  ^bb0(%i: f32, %o: f32):
    %t = arith.mulf %i, %two : f32
    linalg.yield %t : f32
  } -> tensor<16x4xf32>
  %wide = tensor.empty() : tensor<8x16xf32>
  %h0 = linalg.fill ins(%zero : f32) outs(%wide : tensor<8x16xf32>) -> tensor<8x16xf32>
  %h = linalg.matmul ins(%x, %a : tensor<8x4xf32>, tensor<4x16xf32>) outs(%h0 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %out = tensor.empty() : tensor<8x4xf32>
  %y0 = linalg.fill ins(%zero : f32) outs(%out : tensor<8x4xf32>) -> tensor<8x4xf32>
  %y = linalg.matmul ins(%h, %s : tensor<8x16xf32>, tensor<16x4xf32>) outs(%y0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}
