// Up to four rows are too small for a task. They run in the function for five.
// RUN: pruner-opt %s --pruner-choose-sizes='entry=rows target=file:%S/../Dialect/Pruner/Inputs/cpu.json threads=1 population=16' -o %t 2> %t.says
// RUN: FileCheck %s --input-file=%t.says --check-prefix=ROWS
// RUN: pruner-opt %t --pruner-specialize-shapes=entry=rows | FileCheck %s --check-prefix=PLAN
// ROWS: remark: 'n' of @rows, in pieces: 5, {{[0-9, ]+}}; predicted time relative to code for the exact size: {{[0-9.]+}} on average, {{[0-9.]+}} at most (for size {{[0-9]+}})
// PLAN: #pruner.plan<n, independent, sizes = [5, {{[0-9, ]+}}], {{.*}} from = [1, 6, {{.*}} to = [5, 6, {{.*}} use = [0, 1, {{.*}}]>

// Without any task, there is nothing to choose.
// RUN: pruner-opt %s --pruner-choose-sizes='entry=same target=file:%S/../Dialect/Pruner/Inputs/cpu.json threads=1 population=16' 2>&1 | FileCheck %s --check-prefix=SAME
// SAME: remark: the function for n = 8 has no task whose time could be predicted; it is used for all sizes
// SAME: remark: 'n' of @same, in pieces: 8; predicted time relative to code for the exact size: 1.00 on average, 1.00 at most
// SAME: sizes = array<i64: 8>
func.func @rows(%x: tensor<?x1000xf32> {pruner.range = [#pruner.range<n, 1 to 64>]}) -> tensor<?x1000xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x1000xf32>
  %e = tensor.empty(%n) : tensor<?x1000xf32>
  %0 = linalg.exp ins(%x : tensor<?x1000xf32>) outs(%e : tensor<?x1000xf32>) -> tensor<?x1000xf32>
  return %0 : tensor<?x1000xf32>
}
func.func @same(%x: tensor<?xf32> {pruner.range = [#pruner.range<n, 1 to 8>]}) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
