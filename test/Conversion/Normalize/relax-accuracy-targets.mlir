// The products that are rounded depend on the instructions of the targets and on
// their costs: tiles, a dot product as fast as a multiply-add, one that is four
// times as slow, no instruction, and a GPU. All targets must profit.
//
// RUN: pruner-machine --json cpu > %t.cpu.json
// RUN: %python %S/Inputs/cpu_with.py +avx512f,+avx512bw,+amx-tile,+amx-bf16,+avx512bf16 4 < %t.cpu.json > %t.amx.json
// RUN: %python %S/Inputs/cpu_with.py +avx512f,+avx512bw,+avx512bf16 1 < %t.cpu.json > %t.fast.json
// RUN: %python %S/Inputs/cpu_with.py +avx512f,+avx512bw,+avx512bf16 4 < %t.cpu.json > %t.slow.json
// RUN: %python %S/Inputs/cpu_with.py +avx512f,+avx512bw 1 < %t.cpu.json > %t.none.json
//
// RUN: pruner-opt %s --pruner-relax-accuracy='accuracy=bf16-products targets=file:%t.amx.json' | FileCheck %s --check-prefixes=CHECK,TILES
// RUN: pruner-opt %s --pruner-relax-accuracy='accuracy=bf16-products targets=file:%t.fast.json' | FileCheck %s --check-prefixes=CHECK,DOTS
// RUN: pruner-opt %s --pruner-relax-accuracy='accuracy=bf16-products targets=file:%t.slow.json' | FileCheck %s --check-prefixes=CHECK,NONE
// RUN: pruner-opt %s --pruner-relax-accuracy='accuracy=bf16-products targets=file:%t.none.json' | FileCheck %s --check-prefixes=CHECK,NONE
// RUN: pruner-opt %s --pruner-relax-accuracy='accuracy=bf16-products targets=nvidia:sm_80' | FileCheck %s --check-prefixes=CHECK,NONE
// RUN: pruner-opt %s --pruner-relax-accuracy='accuracy=bf16-products targets=file:%t.amx.json,file:%t.fast.json' | FileCheck %s --check-prefixes=CHECK,BOTH

// The weights are constant, so only the activation costs a conversion.
// CHECK-LABEL: func @main(
// TILES:         linalg.matmul ins({{.*}} : tensor<256x512xbf16>, tensor<512x512xbf16>)
// TILES:         linalg.matmul ins({{.*}} : tensor<1x512xf32>, tensor<512x512xf32>)
// DOTS:          linalg.matmul ins({{.*}} : tensor<256x512xbf16>, tensor<512x512xbf16>)
// DOTS:          linalg.matmul ins({{.*}} : tensor<1x512xbf16>, tensor<512x512xbf16>)
// NONE:          linalg.matmul ins({{.*}} : tensor<256x512xf32>, tensor<512x512xf32>)
// NONE:          linalg.matmul ins({{.*}} : tensor<1x512xf32>, tensor<512x512xf32>)
// BOTH:          linalg.matmul ins({{.*}} : tensor<256x512xbf16>, tensor<512x512xbf16>)
// BOTH:          linalg.matmul ins({{.*}} : tensor<1x512xf32>, tensor<512x512xf32>)
func.func @main(%x: tensor<256x512xf32>, %v: tensor<1x512xf32>, %w: tensor<512x512xf32> {pruner.constant},
                %z: tensor<256x512xf32>, %y: tensor<1x512xf32>) -> (tensor<256x512xf32>, tensor<1x512xf32>) {
  %0 = linalg.matmul ins(%x, %w : tensor<256x512xf32>, tensor<512x512xf32>) outs(%z : tensor<256x512xf32>) -> tensor<256x512xf32>
  %1 = linalg.matmul ins(%v, %w : tensor<1x512xf32>, tensor<512x512xf32>) outs(%y : tensor<1x512xf32>) -> tensor<1x512xf32>
  return %0, %1 : tensor<256x512xf32>, tensor<1x512xf32>
}
