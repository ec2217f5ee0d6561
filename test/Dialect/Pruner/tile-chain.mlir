// RUN: pruner-opt %s --pruner-tile | FileCheck %s
// RUN: pruner-opt %s --pruner-tile --convert-pruner-to-cpu | FileCheck %s --check-prefix=CPU

// Blocks of two by four rows pass through both products and the softmax. The
// keys are packed once for all rows. The first product stores its scaled
// register tiles in the buffer of the block, in which the exponentials and the
// weights replace them. The second product then accumulates over all keys.

// CHECK-LABEL: func.func private @attention_kernel(
// CHECK-SAME: %[[Q:.*]]: memref<21x5xf32>, %[[K:.*]]: memref<37x5xf32>, %[[V:.*]]: memref<37x6xf32>, %[[OUT:.*]]: memref<21x6xf32>)
// CHECK: pruner.kernel cpu domain (d0 = 21, d1 = 37 reduction, d2 = 5 reduction, d3 = 6) {
// CHECK-NEXT: %[[PACKED:.*]] = pruner.stage "arg1.packed" operand 1 at ()
// CHECK: pruner.band serial (%[[I:.*]] = d0 trips 3 step 8) {
// CHECK-NEXT: %[[W:.*]] = pruner.alloc "{{.*}}" at (%[[I]]) shape [21, 37] layout {{.*}} memref<8x40xf32
// CHECK-NEXT: pruner.band serial (%[[J:.*]] = d1 trips 5 step 8) {
// CHECK-NEXT: pruner.band serial (%[[R:.*]] = d0 trips 2 step 4) {
// CHECK-NEXT: %[[ACC:.*]] = pruner.alloc "acc" at (%[[I]], %[[J]], %[[R]])
// CHECK-NEXT: pruner.compute init at (%[[I]], %[[J]], %[[R]]) loops (d0 unroll 4, d1 unroll 2 step 4, d1 vector 4)
// CHECK: pruner.compute update at (%[[I]], %[[J]], %[[R]]) loops (d2 serial 5, d0 unroll 4, d1 unroll 2 step 4, d1 vector 4) unroll 2 ins(%[[Q]], %[[PACKED]] :
// CHECK: pruner.compute finish at (%[[I]], %[[J]], %[[R]]) {{.*}} ins(%[[ACC]] : {{.*}} outs(%[[W]] :
// CHECK: arith.mulf
// CHECK: pruner.band serial (%[[R2:.*]] = d0 trips 2 step 4) {
// CHECK-NEXT: %[[MAX:.*]] = pruner.alloc {{.*}} memref<4xf32
// CHECK-NEXT: %[[SUM:.*]] = pruner.alloc {{.*}} memref<4xf32
// CHECK: pruner.compute update at (%[[I]], %[[R2]]) {{.*}} ins(%[[W]] : {{.*}} outs(%[[MAX]] :
// CHECK: pruner.compute map {{.*}} ins(%[[W]], %[[MAX]] : {{.*}} outs(%[[W]] :
// CHECK: math.exp
// CHECK: pruner.compute update {{.*}} ins(%[[W]] : {{.*}} outs(%[[SUM]] :
// CHECK: pruner.compute map {{.*}} ins(%[[W]], %[[SUM]] : {{.*}} outs(%[[W]] :
// CHECK: arith.divf
// CHECK: pruner.band serial (%[[C:.*]] = d3 trips 2 step 4) {
// CHECK-NEXT: pruner.band serial (%[[R3:.*]] = d0 trips 2 step 4) {
// CHECK: pruner.compute update at (%[[I]], %[[C]], %[[R3]]) loops (d1 serial 40, d0 unroll 4, d3 vector 4) unroll 2 ins(%[[W]], %[[V]] :
// CHECK: pruner.compute finish at (%[[I]], %[[C]], %[[R3]]) {{.*}} outs(%[[OUT]] :

// No buffer holds all scores. The two columns behind the sixth are masked.
// CPU-LABEL: func.func private @attention_kernel(
// CPU-NOT: memref<21x37xf32
// CPU: memref.alloca() {{.*}} : memref<8x40xf32>
// CPU-NOT: memref<21x37xf32
// CPU: vector.maskedstore
// CPU-LABEL: func.func private @mlp_kernel(
#ij = affine_map<(d0, d1) -> (d0, d1)>
#i = affine_map<(d0, d1) -> (d0)>
func.func @attention(%q: tensor<21x5xf32>, %k: tensor<37x5xf32>, %v: tensor<37x6xf32>) -> tensor<21x6xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_chain, tiles = [[3, 2, 4], [5, 8], [], [4]],
      stages = [none, outer], vector = 4, unroll = 2>} {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %half = arith.constant 0.5 : f32
  %wide = tensor.empty() : tensor<21x37xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%wide : tensor<21x37xf32>) -> tensor<21x37xf32>
  %s = linalg.generic {
    indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%q, %k : tensor<21x5xf32>, tensor<37x5xf32>) outs(%s0 : tensor<21x37xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %c, %p : f32
    linalg.yield %t : f32
  } -> tensor<21x37xf32>
  %x = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
    ins(%s : tensor<21x37xf32>) outs(%wide : tensor<21x37xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.mulf %a, %half : f32
    linalg.yield %t : f32
  } -> tensor<21x37xf32>
  %row = tensor.empty() : tensor<21xf32>
  %m0 = linalg.fill ins(%least : f32) outs(%row : tensor<21xf32>) -> tensor<21xf32>
  %most = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<21x37xf32>) outs(%m0 : tensor<21xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.maximumf %o, %a : f32
    linalg.yield %t : f32
  } -> tensor<21xf32>
  %e = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
    ins(%x, %most : tensor<21x37xf32>, tensor<21xf32>) outs(%wide : tensor<21x37xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.subf %a, %b : f32
    %u = math.exp %t : f32
    linalg.yield %u : f32
  } -> tensor<21x37xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<21xf32>) -> tensor<21xf32>
  %sum = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
    ins(%e : tensor<21x37xf32>) outs(%l0 : tensor<21xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %o, %a : f32
    linalg.yield %t : f32
  } -> tensor<21xf32>
  %w = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
    ins(%e, %sum : tensor<21x37xf32>, tensor<21xf32>) outs(%wide : tensor<21x37xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.divf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<21x37xf32>
  %out = tensor.empty() : tensor<21x6xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%out : tensor<21x6xf32>) -> tensor<21x6xf32>
  %o = linalg.matmul ins(%w, %v : tensor<21x37xf32>, tensor<37x6xf32>) outs(%o0 : tensor<21x6xf32>) -> tensor<21x6xf32>
  return %o : tensor<21x6xf32>
}

// Without reductions of rows, parts of 8 elements of the rows pass through both
// products, and the accumulators of the second hold the block in between.

// CHECK-LABEL: func.func private @mlp_kernel(
// CHECK: pruner.kernel cpu domain (d0 = 21, d1 = 37 reduction, d2 = 5 reduction, d3 = 6) {
// CHECK: %[[ACC:.*]] = pruner.alloc "acc" at (%[[I:.*]]) shape [21, 6] {{.*}} memref<2x2x4x4xf32
// CHECK: pruner.compute init {{.*}} outs(%[[ACC]] :
// CHECK: pruner.band serial (%[[J:.*]] = d1 trips 5 step 8) {
// CHECK-NEXT: %[[H:.*]] = pruner.alloc "{{.*}}" at (%[[I]], %[[J]]) {{.*}} memref<8x8xf32
// CHECK: pruner.compute finish {{.*}} outs(%[[H]] :
// CHECK: arith.maximumf
// CHECK: pruner.compute update {{.*}} loops (d1 serial 8, d0 unroll 4, d3 vector 4) ins(%[[H]], %{{.*}} : {{.*}} outs(%[[ACC]] :
// CHECK: pruner.compute finish {{.*}} ins(%[[ACC]] :
func.func @mlp(%x: tensor<21x5xf32>, %a: tensor<5x37xf32>, %b: tensor<37x6xf32>) -> tensor<21x6xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_chain, tiles = [[1, 2, 4], [2, 4], [], [4]],
      stages = [none, none], vector = 4, unroll = 1>} {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<21x37xf32>
  %h0 = linalg.fill ins(%zero : f32) outs(%wide : tensor<21x37xf32>) -> tensor<21x37xf32>
  %h = linalg.matmul ins(%x, %a : tensor<21x5xf32>, tensor<5x37xf32>) outs(%h0 : tensor<21x37xf32>) -> tensor<21x37xf32>
  %r = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
    ins(%h : tensor<21x37xf32>) outs(%wide : tensor<21x37xf32>) {
  ^bb0(%e: f32, %o: f32):
    %t = arith.maximumf %e, %zero : f32
    linalg.yield %t : f32
  } -> tensor<21x37xf32>
  %out = tensor.empty() : tensor<21x6xf32>
  %y0 = linalg.fill ins(%zero : f32) outs(%out : tensor<21x6xf32>) -> tensor<21x6xf32>
  %y = linalg.matmul ins(%r, %b : tensor<21x37xf32>, tensor<37x6xf32>) outs(%y0 : tensor<21x6xf32>) -> tensor<21x6xf32>
  return %y : tensor<21x6xf32>
}
