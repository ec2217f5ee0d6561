// Operations without a schedule round to tf32 as well, in the bits of f32.
//
// RUN: pruner-opt %s --pruner-network-to-llvm=entry=main | FileCheck %s --implicit-check-not=tf32
// RUN: pruner-opt %s --pruner-network-to-device=entry=main | FileCheck %s --implicit-check-not=tf32

// CHECK-DAG: llvm.mlir.constant(4096 : i32) : i32
// CHECK-DAG: llvm.mlir.constant(-8192 : i32) : i32
#id = affine_map<(i) -> (i)>
func.func @main(%x: tensor<160xf32>) -> tensor<160xf32> {
  %e = tensor.empty() : tensor<160xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<160xf32>) outs(%e : tensor<160xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.truncf %a to_nearest_away : f32 to tf32
    %s = arith.extf %r : tf32 to f32
    linalg.yield %s : f32
  } -> tensor<160xf32>
  return %y : tensor<160xf32>
}
