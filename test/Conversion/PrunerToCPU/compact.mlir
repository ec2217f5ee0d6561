// Index arithmetic is emitted once, folded, and outside of loops that do not
// change it: a place of the register tile only adds a constant.
// RUN: pruner-opt %s --pruner-tile=target=file:%S/../../Dialect/Pruner/Inputs/cpu-avx512.json --convert-pruner-to-cpu > %t
// RUN: FileCheck %s --input-file=%t
// RUN: pruner-opt %t --print-op-stats=json 2>&1 | FileCheck %s --check-prefix=COUNT

// 25 columns of a matrix in vectors of 16 along its rows, in whole and in cut
// tiles: 800 elements are loaded one at a time, and 25 accumulators twice. The
// ops before and behind are separate loops.
// CHECK-LABEL: func.func private @columns_kernel
// CHECK-NOT: scf.for {{.*}} = %c0 to %c1 step
// COUNT-DAG: "arith.addi" : {{1?...}},
// COUNT-DAG: "arith.cmpi" : {{..?}},
// COUNT-DAG: "arith.constant" : {{...?}},
// COUNT-DAG: "arith.minsi" : {{..?}},
// COUNT-DAG: "arith.muli" : {{..?}},
// COUNT-DAG: "memref.load" : 853,
func.func @columns(%a: tensor<65x1024xf32>, %b: tensor<1024x1024xf32>, %c: tensor<65x1024xf32>) -> tensor<65x1024xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile,
      tiles = [[5, 1, 1], [3, 16, 25], [16]], stages = [none, none], vector = 16, vector_dim = 2, unroll = 2>} {
  %0 = linalg.matmul ins(%a, %b : tensor<65x1024xf32>, tensor<1024x1024xf32>)
                     outs(%c : tensor<65x1024xf32>) -> tensor<65x1024xf32>
  return %0 : tensor<65x1024xf32>
}
