// The analytical model decides which sizes need functions of their own.
// RUN: pruner-opt %s --pruner-choose-sizes='target=file:%S/../Dialect/Pruner/Inputs/cpu.json threads=1 population=16 candidates=1,8,16,64,256,512' -o %t 2> %t.says
// RUN: FileCheck %s --input-file=%t.says --check-prefix=SAYS
// RUN: FileCheck %s --input-file=%t
// RUN: pruner-opt %t --pruner-specialize-shapes | FileCheck %s --check-prefix=PLAN

// The time of a large enough product is proportional to its number of rows.
// SAYS: remark: 'n' of @main, in pieces: {{(1, )?.*[0-9]}}; predicted time relative to code for the exact size: 1.{{[0-9]+}} on average, {{[0-9.]+}} at most (for size {{[0-9]+}})
// CHECK: pruner.representatives = {seconds = array<f64: {{.*}}>, sizes = array<i64: {{.*}}>}
// PLAN: #pruner.plan<n, independent, sizes = [
func.func @main(%x: tensor<?x128xf32> {pruner.range = [#pruner.range<n, 1 to 512>]}, %w: tensor<128x64xf32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x128xf32>
  %e = tensor.empty(%n) : tensor<?x64xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
  %c = linalg.matmul ins(%x, %w : tensor<?x128xf32>, tensor<128x64xf32>) outs(%i : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %c : tensor<?x64xf32>
}
