// Applies recorded schedules without measuring.
// RUN: rm -rf %t && mkdir %t
// RUN: pruner-opt %s --pruner-tune='trials=1 threads=1 strategy=draft-only model=none db=%t/t.db runner="exec:%python %S/Inputs/fake_runner.py"' -o %t/tuned.mlir 2> %t/log
// RUN: pruner-opt %s --pruner-apply-best='threads=1 db=%t/t.db' -o %t/applied.mlir
// RUN: cmp %t/tuned.mlir %t/applied.mlir
// RUN: FileCheck %s --check-prefix=CODE --input-file=%t/applied.mlir
// RUN: pruner-opt %s --pruner-apply-best='threads=1 db=%t/t.db lower=false' -o %t/schedule.mlir
// RUN: FileCheck %s --check-prefix=SCHEDULE --input-file=%t/schedule.mlir
// Existing schedules are kept in agreement with the records, and other times
// are replaced.
// RUN: sed 's/pruner.seconds = [^ ]*/pruner.seconds = 5.0e-01/' %t/schedule.mlir > %t/slow.mlir
// RUN: pruner-opt %t/slow.mlir --pruner-apply-best='threads=1 db=%t/t.db lower=false' | cmp %t/schedule.mlir -
// RUN: pruner-opt %t/schedule.mlir --pruner-apply-best='threads=1 db=%t/t.db lower=false' | cmp %t/schedule.mlir -

// CODE-LABEL: func.func @main(
// CODE: call @task_matmul_32x40x24_
// CODE-NOT: linalg.matmul ins(%{{.*}} : tensor<32x24xf32>
// CODE: vector.

// SCHEDULE-LABEL: func.func @main(
// SCHEDULE: func.func private @task_matmul_32x40x24_{{.*}}pruner.schedule = #pruner.schedule<cpu_tile, tiles = {{.*}}pruner.seconds = {{1\.[0-9]+E-6}} : f64
// SCHEDULE: linalg.matmul
func.func @main(%a: tensor<32x24xf32>, %b: tensor<24x40xf32>) -> tensor<32x40xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32x40xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x40xf32>) -> tensor<32x40xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<32x24xf32>, tensor<24x40xf32>)
                     outs(%init : tensor<32x40xf32>) -> tensor<32x40xf32>
  return %0 : tensor<32x40xf32>
}
