// The instruction that the analytical model chooses for a product of bytes, on
// CPUs that this host need not be.
//
// RUN: sed 's/sapphirerapids/graniterapids/' %S/../Dialect/Pruner/Inputs/cpu-tiles.json > %t.tiles.json
// RUN: pruner-opt %s --pruner-draft='lower=false threads=1 population=64 target=file:%t.tiles.json' | FileCheck %s --check-prefix=TILES
// RUN: sed 's/sapphirerapids/znver4/' %S/../Dialect/Pruner/Inputs/cpu-tiles.json > %t.wide.json
// RUN: pruner-opt %s --pruner-draft='lower=false threads=1 population=64 target=file:%t.wide.json' | FileCheck %s --check-prefix=WIDE
// RUN: sed 's/sapphirerapids/sierraforest/; s/"vectorBytes": 64/"vectorBytes": 32/; s/"lanes": 16/"lanes": 8/; s/"vectorRegisters": 32/"vectorRegisters": 16/' %S/../Dialect/Pruner/Inputs/cpu-tiles.json > %t.narrow.json
// RUN: pruner-opt %s --pruner-draft='lower=false threads=1 population=64 target=file:%t.narrow.json' | FileCheck %s --check-prefix=NARROW
// A CPU without a unit that its architecture has.
// RUN: sed 's/"features": ""/"features": "+avx512f,+avx512bw,+avx512vl,+avx512vnni,-amx-tile,-amx-int8"/' %S/../Dialect/Pruner/Inputs/cpu-tiles.json > %t.hidden.json
// RUN: pruner-opt %s --pruner-draft='lower=false threads=1 population=64 target=file:%t.hidden.json' | FileCheck %s --check-prefix=WIDE

// Where no other instruction multiplies bytes, random schedules use `vpmaddwd`.
// RUN: sed 's/sapphirerapids/skylake-avx512/' %S/../Dialect/Pruner/Inputs/cpu-tiles.json > %t.pairs.json
// RUN: pruner-opt %s --pruner-sample='target=file:%t.pairs.json count=40 out=%t.pairs.jsonl' -o /dev/null
// RUN: FileCheck %s --check-prefix=PAIRS --input-file=%t.pairs.jsonl
// RUN: pruner-opt %s --pruner-sample='target=file:%t.wide.json count=40 out=%t.wide.jsonl' -o /dev/null
// RUN: not grep vpmaddwd %t.wide.jsonl

// TILES:  instruction = tdpbssd
// WIDE:   instruction = vpdpbusd
// PAIRS:  instruction = vpmaddwd_bytes
// NARROW: instruction = vpdpbssd
func.func @main(%a: tensor<128x250xi8>, %b: tensor<250x128xi8>) -> tensor<128x128xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<128x128xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<128x128xi32>) -> tensor<128x128xi32>
  %c = linalg.matmul ins(%a, %b : tensor<128x250xi8>, tensor<250x128xi8>) outs(%init : tensor<128x128xi32>) -> tensor<128x128xi32>
  return %c : tensor<128x128xi32>
}
