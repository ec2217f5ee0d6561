// REQUIRES: ptxas
// RUN: pruner-opt %S/gpu-sgemm.mlir --pruner-to-nvvm -o %t.mlir
// RUN: pruner-translate %t.mlir --to=cubin --chip=sm_80 -o %t.cubin 2>&1 | FileCheck %s
// RUN: pruner-translate %t.mlir --to=cubin --chip=sm_90a -o %t.cubin 2>&1 | FileCheck %s
// 8 blocks of 256 threads leave 32 registers per thread.
// RUN: pruner-opt %S/gpu-sgemm.mlir --pruner-to-nvvm='min-blocks-per-sm=8' -o %t.mlir
// RUN: pruner-translate %t.mlir --to=cubin --chip=sm_80 -o %t.cubin 2>&1 | FileCheck %s --check-prefix=FEW

// CHECK: sgemm: {{[0-9]+}} registers, 8192 bytes shared, 0 bytes spill stores, 0 bytes spill loads, 0 bytes stack
// FEW: sgemm: 32 registers, 8192 bytes shared, {{[1-9][0-9]*}} bytes spill stores
