// A network with everything that exporters leave between the kernels becomes a
// library that depends on the C library only, and computes the same as NumPy.

// REQUIRES: numpy
// RUN: rm -rf %t && mkdir %t
// RUN: pruner-translate %s --to=library -o %t/net.so --header=%t/net.h --names=%S/Inputs/kinds.json --stage-times 2>&1 | FileCheck %s --check-prefix=TIMES
// TIMES: lower {{[0-9]+}} ms, 0 kernels 0 ms, {{[1-9][0-9]*}} other functions {{[0-9]+}} ms, link {{[0-9]+}} ms
// RUN: llvm-readobj --needed-libs %t/net.so | FileCheck %s --check-prefix=NEEDED
// NEEDED:     NeededLibraries [
// NEEDED-NOT: {{omp|LLVM|MLIR|stdc|gomp}}
// NEEDED:     ]
// RUN: llvm-nm -D --defined-only %t/net.so | FileCheck %s --check-prefix=EXPORTS
// EXPORTS:      T pruner_error
// EXPORTS-NEXT: R pruner_metadata
// EXPORTS-NEXT: T pruner_profile
// EXPORTS-NEXT: T pruner_profile_read
// EXPORTS-NEXT: T pruner_run
// EXPORTS-NEXT: T pruner_set_threads
// EXPORTS-NEXT: T pruner_threads
// EXPORTS-NEXT: T pruner_use_openmp
// EXPORTS-NOT:  {{.}}
// RUN: FileCheck %s --check-prefix=HEADER --input-file=%t/net.h
// HEADER: inputs[0]  int64_t ids[4]
// HEADER: inputs[2]  uint8_t mask[4]  (0 or 1)
// HEADER: inputs[5]  uint16_t brief[4]  (the bits of bf16)
// HEADER: outputs[0]  float rows[6][4]
// HEADER: #define PRUNER_NUM_INPUTS 7
// RUN: %numpy %S/Inputs/kinds.py %t/net.so

// Lowering in a separate step gives the same code.
// RUN: pruner-opt %s --pruner-network-to-llvm -o %t/lowered.mlir
// RUN: pruner-translate %t/lowered.mlir --to=library -o %t/again.so --names=%S/Inputs/kinds.json
// RUN: cmp %t/net.so %t/again.so

#id = affine_map<(d0) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

func.func @main(%ids: tensor<4xi64>, %table: tensor<10x4xf32>, %mask: tensor<4xi1>, %wide: tensor<4xf64>,
                %half: tensor<4xf16>, %brief: tensor<4xbf16>, %unused: tensor<3xi32>)
    -> (tensor<6x4xf32>, tensor<4xf64>, tensor<8x2xf16>, tensor<4xbf16>, tensor<4xi64>, tensor<3xi32>, tensor<4xi1>, tensor<4xf64>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : i64
  %c10 = arith.constant 10 : i64
  // Rows of a table by id, checked, zero where the mask says so.
  %e0 = tensor.empty() : tensor<4x4xf32>
  %rows = linalg.generic {indexing_maps = [#row, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%ids, %mask : tensor<4xi64>, tensor<4xi1>) outs(%e0 : tensor<4x4xf32>) {
  ^bb0(%id: i64, %m: i1, %out: f32):
    %low = arith.cmpi sge, %id, %c0 : i64
    cf.assert %low, "id must not be negative"
    %high = arith.cmpi slt, %id, %c10 : i64
    cf.assert %high, "id must be smaller than 10"
    %i = arith.index_cast %id : i64 to index
    %j = linalg.index 1 : index
    %x = tensor.extract %table[%i, %j] : tensor<10x4xf32>
    %y = arith.select %m, %x, %zero : f32
    linalg.yield %y : f32
  } -> tensor<4x4xf32>
  %padded = tensor.pad %rows low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x4xf32> to tensor<6x4xf32>
  // f64 functions of the C library.
  %e1 = tensor.empty() : tensor<4xf64>
  %erf = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%wide : tensor<4xf64>) outs(%e1 : tensor<4xf64>) {
  ^bb0(%in: f64, %out: f64):
    %x = math.erf %in : f64
    %y = math.exp %x : f64
    linalg.yield %y : f64
  } -> tensor<4xf64>
  // Pieces put together and reshaped.
  %piece = tensor.extract_slice %half[1] [3] [1] : tensor<4xf16> to tensor<3xf16>
  %joined = tensor.concat dim(0) %half, %piece, %half, %piece : (tensor<4xf16>, tensor<3xf16>, tensor<4xf16>, tensor<3xf16>) -> tensor<14xf16>
  %first = tensor.extract_slice %half[0] [2] [1] : tensor<4xf16> to tensor<2xf16>
  %joined16 = tensor.concat dim(0) %joined, %first : (tensor<14xf16>, tensor<2xf16>) -> tensor<16xf16>
  %shaped = tensor.expand_shape %joined16 [[0, 1]] output_shape [8, 2] : tensor<16xf16> into tensor<8x2xf16>
  %e2 = tensor.empty() : tensor<4xbf16>
  %gelu = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%brief : tensor<4xbf16>) outs(%e2 : tensor<4xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %x = math.tanh %in : bf16
    %y = arith.addf %x, %in : bf16
    linalg.yield %y : bf16
  } -> tensor<4xbf16>
  %c7 = arith.constant dense<[7, -7, 70, 700]> : tensor<4xi64>
  %e3 = tensor.empty() : tensor<4xi64>
  %sum = linalg.add ins(%ids, %c7 : tensor<4xi64>, tensor<4xi64>) outs(%e3 : tensor<4xi64>) -> tensor<4xi64>
  %e4 = tensor.empty() : tensor<4xi1>
  %less = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%ids, %c7 : tensor<4xi64>, tensor<4xi64>) outs(%e4 : tensor<4xi1>) {
  ^bb0(%a: i64, %b: i64, %out: i1):
    %x = arith.cmpi slt, %a, %b : i64
    linalg.yield %x : i1
  } -> tensor<4xi1>
  // An argument as a result, and one result twice.
  return %padded, %erf, %shaped, %gelu, %sum, %unused, %less, %erf
      : tensor<6x4xf32>, tensor<4xf64>, tensor<8x2xf16>, tensor<4xbf16>, tensor<4xi64>, tensor<3xi32>, tensor<4xi1>, tensor<4xf64>
}
