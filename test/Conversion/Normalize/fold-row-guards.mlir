// RUN: pruner-opt %s --pruner-fold-row-guards --canonicalize --split-input-file | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: @masked_rows
// CHECK: %[[MAX:.*]] = linalg.generic
// CHECK: arith.maximumf
// CHECK-NOT: tensor<8x16xi1>
// CHECK: %[[ALL:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[MAX]] : tensor<8xf32>) outs(%{{.*}} : tensor<8xi1>)
// CHECK: arith.cmpf oeq, %{{.*}}, %{{.*}} : f32
// CHECK-NOT: arith.andi
// CHECK: return %[[MAX]], %[[ALL]]
func.func @masked_rows(%x: tensor<8x16xf32>) -> (tensor<8xf32>, tensor<8xi1>) {
  %lowest = arith.constant 0xFF800000 : f32
  %true = arith.constant true
  %0 = tensor.empty() : tensor<8xf32>
  %1 = linalg.fill ins(%lowest : f32) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x16xf32>) outs(%1 : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.maximumf %in, %out : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  %2 = tensor.empty() : tensor<8x16xi1>
  %e = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x16xf32>) outs(%2 : tensor<8x16xi1>) {
  ^bb0(%in: f32, %out: i1):
    %t = arith.cmpf oeq, %in, %lowest : f32
    linalg.yield %t : i1
  } -> tensor<8x16xi1>
  %3 = tensor.empty() : tensor<8xi1>
  %4 = linalg.fill ins(%true : i1) outs(%3 : tensor<8xi1>) -> tensor<8xi1>
  %a = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<8x16xi1>) outs(%4 : tensor<8xi1>) {
  ^bb0(%in: i1, %out: i1):
    %t = arith.andi %in, %out : i1
    linalg.yield %t : i1
  } -> tensor<8xi1>
  return %m, %a : tensor<8xf32>, tensor<8xi1>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>

// The maximum of columns does not imply anything about rows.
// CHECK-LABEL: @columns
// CHECK: arith.andi
func.func @columns(%x: tensor<8x16xf32>) -> (tensor<16xf32>, tensor<8xi1>) {
  %lowest = arith.constant 0xFF800000 : f32
  %true = arith.constant true
  %0 = tensor.empty() : tensor<16xf32>
  %1 = linalg.fill ins(%lowest : f32) outs(%0 : tensor<16xf32>) -> tensor<16xf32>
  %m = linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<8x16xf32>) outs(%1 : tensor<16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.maximumf %in, %out : f32
    linalg.yield %t : f32
  } -> tensor<16xf32>
  %2 = tensor.empty() : tensor<8x16xi1>
  %e = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x16xf32>) outs(%2 : tensor<8x16xi1>) {
  ^bb0(%in: f32, %out: i1):
    %t = arith.cmpf oeq, %in, %lowest : f32
    linalg.yield %t : i1
  } -> tensor<8x16xi1>
  %3 = tensor.empty() : tensor<8xi1>
  %4 = linalg.fill ins(%true : i1) outs(%3 : tensor<8xi1>) -> tensor<8xi1>
  %a = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<8x16xi1>) outs(%4 : tensor<8xi1>) {
  ^bb0(%in: i1, %out: i1):
    %t = arith.andi %in, %out : i1
    linalg.yield %t : i1
  } -> tensor<8xi1>
  return %m, %a : tensor<16xf32>, tensor<8xi1>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// A maximum that starts from zero is not the row's, and ueq is true for NaN.
// CHECK-LABEL: @others
// CHECK: arith.andi
func.func @others(%x: tensor<8x16xf32>) -> (tensor<8xf32>, tensor<8xi1>) {
  %lowest = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %true = arith.constant true
  %0 = tensor.empty() : tensor<8xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x16xf32>) outs(%1 : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.maximumf %in, %out : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  %2 = tensor.empty() : tensor<8x16xi1>
  %e = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x16xf32>) outs(%2 : tensor<8x16xi1>) {
  ^bb0(%in: f32, %out: i1):
    %t = arith.cmpf oeq, %in, %lowest : f32
    linalg.yield %t : i1
  } -> tensor<8x16xi1>
  %3 = tensor.empty() : tensor<8xi1>
  %4 = linalg.fill ins(%true : i1) outs(%3 : tensor<8xi1>) -> tensor<8xi1>
  %a = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<8x16xi1>) outs(%4 : tensor<8xi1>) {
  ^bb0(%in: i1, %out: i1):
    %t = arith.andi %in, %out : i1
    linalg.yield %t : i1
  } -> tensor<8xi1>
  return %m, %a : tensor<8xf32>, tensor<8xi1>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// A maximum whose flags exclude infinities may return anything for them.
// CHECK-LABEL: @no_infinities
// CHECK: arith.andi
func.func @no_infinities(%x: tensor<8x16xf32>) -> (tensor<8xf32>, tensor<8xi1>) {
  %lowest = arith.constant 0xFF800000 : f32
  %true = arith.constant true
  %0 = tensor.empty() : tensor<8xf32>
  %1 = linalg.fill ins(%lowest : f32) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x16xf32>) outs(%1 : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.maximumf %in, %out fastmath<ninf> : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  %2 = tensor.empty() : tensor<8x16xi1>
  %e = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x16xf32>) outs(%2 : tensor<8x16xi1>) {
  ^bb0(%in: f32, %out: i1):
    %t = arith.cmpf oeq, %in, %lowest : f32
    linalg.yield %t : i1
  } -> tensor<8x16xi1>
  %3 = tensor.empty() : tensor<8xi1>
  %4 = linalg.fill ins(%true : i1) outs(%3 : tensor<8xi1>) -> tensor<8xi1>
  %a = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<8x16xi1>) outs(%4 : tensor<8xi1>) {
  ^bb0(%in: i1, %out: i1):
    %t = arith.andi %in, %out : i1
    linalg.yield %t : i1
  } -> tensor<8xi1>
  return %m, %a : tensor<8xf32>, tensor<8xi1>
}
