// Products of f16 that are summed in f16. Each operation rounds, unless both
// allow contraction.
//
// RUN: pruner-opt %s --pruner-tile=target=file:%S/../../Dialect/Pruner/Inputs/cpu-tiles.json --convert-pruner-to-cpu -o %t.mlir
// RUN: pruner-opt %t.mlir --pruner-network-to-llvm=entry=rounded -o %t.rounded.mlir
// RUN: pruner-translate %t.rounded.mlir --to=asm --mcpu=sapphirerapids | FileCheck %s --check-prefix=ROUNDED
// RUN: pruner-opt %t.mlir --pruner-network-to-llvm=entry=contracted -o %t.contracted.mlir
// RUN: pruner-translate %t.contracted.mlir --to=asm --mcpu=sapphirerapids | FileCheck %s --check-prefix=CONTRACTED
// RUN: pruner-translate %t.rounded.mlir --to=asm --mcpu=znver4 | FileCheck %s --check-prefix=WITHOUT
// RUN: pruner-translate %t.contracted.mlir --to=asm --mcpu=znver4 | FileCheck %s --check-prefix=WITHOUT

// ROUNDED-NOT: vfmadd
// ROUNDED:     vmulph {{.*}}%zmm
// ROUNDED:     vaddph {{.*}}%zmm
// ROUNDED-NOT: vfmadd
// CONTRACTED:  vfmadd{{.*}}ph {{.*}}%zmm
// WITHOUT-NOT: vfmadd
// WITHOUT:     vmulps {{.*}}%zmm
// WITHOUT:     vcvtps2ph

#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>

func.func @rounded(%a: tensor<64x128xf16>, %b: tensor<128x64xf16>) -> tensor<64x64xf16>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 4], [1, 1, 64], [128]], stages = [none, inner],
                                                   vector = 32, unroll = 1>} {
  %zero = arith.constant 0.0 : f16
  %empty = tensor.empty() : tensor<64x64xf16>
  %init = linalg.fill ins(%zero : f16) outs(%empty : tensor<64x64xf16>) -> tensor<64x64xf16>
  %c = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<64x128xf16>, tensor<128x64xf16>) outs(%init : tensor<64x64xf16>) {
  ^bb0(%x: f16, %y: f16, %s: f16):
    %m = arith.mulf %x, %y : f16
    %r = arith.addf %s, %m : f16
    linalg.yield %r : f16
  } -> tensor<64x64xf16>
  return %c : tensor<64x64xf16>
}

func.func @contracted(%a: tensor<64x128xf16>, %b: tensor<128x64xf16>) -> tensor<64x64xf16>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 4], [1, 1, 64], [128]], stages = [none, inner],
                                                   vector = 32, unroll = 1>} {
  %zero = arith.constant 0.0 : f16
  %empty = tensor.empty() : tensor<64x64xf16>
  %init = linalg.fill ins(%zero : f16) outs(%empty : tensor<64x64xf16>) -> tensor<64x64xf16>
  %c = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<64x128xf16>, tensor<128x64xf16>) outs(%init : tensor<64x64xf16>) {
  ^bb0(%x: f16, %y: f16, %s: f16):
    %m = arith.mulf %x, %y fastmath<contract> : f16
    %r = arith.addf %s, %m fastmath<contract> : f16
    linalg.yield %r : f16
  } -> tensor<64x64xf16>
  return %c : tensor<64x64xf16>
}
