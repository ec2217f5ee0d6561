// Winograd's algorithm multiplies the roundings of its steps, so nothing is
// rounded to bf16 between them, whatever else is allowed.
//
// RUN: pruner-machine --json cpu | %python %S/Inputs/cpu_rates.py 128 16 > %t.json
// RUN: %python %S/Inputs/cpu_with.py +avx512f,+avx512bw,+amx-tile,+amx-bf16,+avx512bf16 4 < %t.json > %t.amx.json
// RUN: %python %S/Inputs/cpu_with.py +avx512f 4 < %t.json > %t.none.json
// RUN: pruner-opt %s --pruner-relax-accuracy='accuracy=winograd,bf16-products,bf16-tensors targets=file:%t.amx.json' \
// RUN:   | FileCheck %s --check-prefix=ROUND
// RUN: pruner-opt %s --pruner-relax-accuracy='accuracy=winograd,bf16-products,bf16-tensors targets=file:%t.none.json' \
// RUN:   | FileCheck %s --check-prefix=TILE

// ROUND: module attributes {pruner.accuracy = ["bf16-products", "bf16-tensors", "winograd"]}
// ROUND-LABEL: func @chain(
// ROUND-NOT:     linalg.batch_matmul
// ROUND-COUNT-2: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<1x64x{{5[68]}}x{{5[68]}}xbf16>, tensor<64x64x3x3xbf16>)

// The second convolution reads an image of bf16.
// TILE-LABEL: func @chain(
// TILE:         linalg.batch_matmul ins(%{{.*}}, %{{.*}} : tensor<36x196x64xf32>, tensor<36x64x64xf32>)
// TILE:         %[[STORED:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1x64x56x56xbf16>)
// TILE:         %[[PADDED:.*]] = tensor.pad %[[STORED]]
// TILE:         linalg.generic {{.*}} ins(%{{.*}}, %[[PADDED]] : tensor<36x6x6xf32>, tensor<1x64x58x58xbf16>) outs(%{{.*}} : tensor<36x1x14x14x64xf32>)
// TILE-NEXT:    ^bb0(%[[M:.*]]: f32, %[[D:.*]]: bf16, %[[SUM:.*]]: f32):
// TILE-NEXT:      %[[E:.*]] = arith.extf %[[D]] : bf16 to f32
// TILE-NEXT:      %[[P:.*]] = arith.mulf %[[M]], %[[E]] : f32
// TILE-NEXT:      arith.addf %[[SUM]], %[[P]] : f32
// TILE-NOT:     bf16
// TILE:         linalg.batch_matmul ins(%{{.*}}, %{{.*}} : tensor<36x196x64xf32>, tensor<36x64x64xf32>)
// TILE-NOT:     bf16
// TILE:         return
#image = affine_map<(n, f, h, w, c, i, j) -> (n, c, h + i, w + j)>
#filter = affine_map<(n, f, h, w, c, i, j) -> (f, c, i, j)>
#result = affine_map<(n, f, h, w, c, i, j) -> (n, f, h, w)>
#conv = {indexing_maps = [#image, #filter, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
func.func @chain(%x: tensor<1x64x58x58xf32>, %w: tensor<64x64x3x3xf32> {pruner.constant}) -> tensor<1x64x54x54xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<1x64x56x56xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  %0 = linalg.generic #conv ins(%x, %w : tensor<1x64x58x58xf32>, tensor<64x64x3x3xf32>) outs(%z0 : tensor<1x64x56x56xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x64x56x56xf32>
  %e1 = tensor.empty() : tensor<1x64x54x54xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %1 = linalg.generic #conv ins(%0, %w : tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) outs(%z1 : tensor<1x64x54x54xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x64x54x54xf32>
  return %1 : tensor<1x64x54x54xf32>
}
