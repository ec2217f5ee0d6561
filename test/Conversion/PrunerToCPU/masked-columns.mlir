// RUN: pruner-opt %s --pruner-tile --convert-pruner-to-cpu | FileCheck %s

// The mask of causal attention hides the last keys of most queries. A block of
// 16 queries ends after the last 16 keys that one of them needs.

// CHECK-LABEL: func.func private @attention_kernel(

// Once for all queries: values are finite, and keys so small that scores are.
// CHECK: arith.constant dense<0x7F800000> : vector<16xf32>
// CHECK: %[[VALUES:.*]] = vector.reduction <and>
// CHECK: arith.constant dense<1.09951163E+12> : vector<16xf32>
// CHECK: %[[KEYS:.*]] = vector.reduction <and>
// CHECK: %[[BOTH:.*]] = arith.andi %[[VALUES]], %[[KEYS]] : i1

// For each block the same of its queries.
// CHECK: %[[QUERIES:.*]] = vector.reduction <and>
// CHECK-NEXT: %[[PASSED:.*]] = arith.andi %[[BOTH]], %[[QUERIES]] : i1
// CHECK-NEXT: %[[PARTS:.*]] = scf.if %[[PASSED]] -> (index) {
// CHECK-NEXT: %[[NEEDED:.*]] = scf.while (%[[COUNT:.*]] = %[[ALL:.*]]) : (index) -> index {
// CHECK-NEXT: %[[SEVERAL:.*]] = arith.cmpi sgt, %[[COUNT]]
// CHECK-NEXT: scf.if %[[SEVERAL]] -> (i1) {

// Scores of 16 keys, with zero for the product.
// CHECK: %[[ZERO:.*]] = arith.mulf
// CHECK-NEXT: %[[ZEROS:.*]] = vector.broadcast %[[ZERO]]
// CHECK-NEXT: arith.addf %[[ZEROS]], %{{.*}} : vector<16xf32>
// CHECK: arith.cmpf une, {{.*}} : vector<16xf32>
// CHECK: vector.reduction <or>
// CHECK: scf.yield %[[NEEDED]] : index
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[ALL]] : index
// CHECK: %[[MULTIPLE:.*]] = arith.muli %[[PARTS]], %[[C16:.*]] overflow
// CHECK-NEXT: %[[END:.*]] = arith.minsi %[[MULTIPLE]], %[[C128:.*]] :

// The first product, the maximum and the second product end there.
// CHECK: %[[TILES:.*]] = arith.minsi
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[TILES]] step
// CHECK: %[[VECTORS:.*]] = arith.minsi
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[VECTORS]] step
// CHECK: %[[EACH:.*]] = arith.minsi %[[END]], %[[C128]] : index
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[EACH]] step

// A mask that selects scores needs no small factors, only finite values.
// RUN: sed -e 's/%%u = arith.addf %%t, %%m/%%c = arith.cmpf oeq, %%m, %%half : f32\n%%u = arith.select %%c, %%t, %%least/' %s \
// RUN: | pruner-opt --pruner-tile --convert-pruner-to-cpu | FileCheck %s --check-prefix=SELECT
// SELECT-NOT: arith.constant dense<1.09951163E+12>
// SELECT: scf.while
// SELECT: arith.cmpf oeq
// SELECT: arith.select

// All columns are computed if a mask is finite; if a maximum ignores NaN; if
// weights are not zero where exponentials are; if a masked row that starts from
// another sum changes; if few rows use the keys; and if a tile has most columns.
// RUN: sed -e 's/%%u = arith.addf %%t, %%m/%%u = arith.addf %%t, %%half/' %s | pruner-opt --pruner-tile --convert-pruner-to-cpu | FileCheck %s --check-prefix=WHOLE
// RUN: sed -e 's/maximumf/maxnumf/' %s | pruner-opt --pruner-tile --convert-pruner-to-cpu | FileCheck %s --check-prefix=WHOLE
// RUN: sed -e 's/%%t = arith.divf %%a, %%b/%%n = arith.divf %%a, %%b : f32\n%%t = arith.addf %%n, %%half/' %s | pruner-opt --pruner-tile --convert-pruner-to-cpu | FileCheck %s --check-prefix=WHOLE
// RUN: sed -e 's/%%l0 = linalg.fill ins(%%zero/%%l0 = linalg.fill ins(%%half/' %s | pruner-opt --pruner-tile --convert-pruner-to-cpu | FileCheck %s --check-prefix=WHOLE
// RUN: sed -e 's/%%u = math.exp %%t/%%u = math.exp2 %%a/' %s | pruner-opt --pruner-tile --convert-pruner-to-cpu | FileCheck %s --check-prefix=WHOLE
// RUN: sed -e 's/tiles = .*, \[8, 16\]/tiles = [[16, 4, 2], [2, 64]/' %s | pruner-opt --pruner-tile --convert-pruner-to-cpu | FileCheck %s --check-prefix=WHOLE
// WHOLE: func.func private @attention_kernel(
// WHOLE-NOT: scf.while

#ij = affine_map<(d0, d1) -> (d0, d1)>
#i = affine_map<(d0, d1) -> (d0)>
func.func @attention(%q: tensor<128x16xf32>, %k: tensor<128x16xf32>, %mask: tensor<128x128xf32>, %v: tensor<128x32xf32>) -> tensor<128x32xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_chain, tiles = [[8, 4, 4], [8, 16], [], [16]],
      stages = [none, outer], vector = 8, unroll = 2>} {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %half = arith.constant 0.5 : f32
  %wide = tensor.empty() : tensor<128x128xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%wide : tensor<128x128xf32>) -> tensor<128x128xf32>
  %s = linalg.generic {
    indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%q, %k : tensor<128x16xf32>, tensor<128x16xf32>) outs(%s0 : tensor<128x128xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %c, %p : f32
    linalg.yield %t : f32
  } -> tensor<128x128xf32>
  %x = linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]}
    ins(%s, %mask : tensor<128x128xf32>, tensor<128x128xf32>) outs(%wide : tensor<128x128xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %t = arith.mulf %a, %half : f32
    %u = arith.addf %t, %m : f32
    linalg.yield %u : f32
  } -> tensor<128x128xf32>
  %row = tensor.empty() : tensor<128xf32>
  %m0 = linalg.fill ins(%least : f32) outs(%row : tensor<128xf32>) -> tensor<128xf32>
  %most = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<128x128xf32>) outs(%m0 : tensor<128xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.maximumf %o, %a : f32
    linalg.yield %t : f32
  } -> tensor<128xf32>
  %e = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
    ins(%x, %most : tensor<128x128xf32>, tensor<128xf32>) outs(%wide : tensor<128x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.subf %a, %b : f32
    %u = math.exp %t : f32
    linalg.yield %u : f32
  } -> tensor<128x128xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<128xf32>) -> tensor<128xf32>
  %sum = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
    ins(%e : tensor<128x128xf32>) outs(%l0 : tensor<128xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %o, %a : f32
    linalg.yield %t : f32
  } -> tensor<128xf32>
  %w = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
    ins(%e, %sum : tensor<128x128xf32>, tensor<128xf32>) outs(%wide : tensor<128x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.divf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<128x128xf32>
  %out = tensor.empty() : tensor<128x32xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%out : tensor<128x32xf32>) -> tensor<128x32xf32>
  %o = linalg.matmul ins(%w, %v : tensor<128x128xf32>, tensor<128x32xf32>) outs(%o0 : tensor<128x32xf32>) -> tensor<128x32xf32>
  return %o : tensor<128x32xf32>
}
