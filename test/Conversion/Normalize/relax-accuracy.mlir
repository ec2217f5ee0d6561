// RUN: pruner-opt %s --split-input-file --pruner-relax-accuracy='accuracy=wide-sums' \
// RUN:   | FileCheck %s --check-prefix=WIDE
// RUN: pruner-machine --json cpu | %python %S/Inputs/cpu_with.py +avx512f,+avx512bw,+amx-tile,+amx-bf16,+avx512bf16 4 > %t.amx.json
// RUN: pruner-opt %s --split-input-file \
// RUN:     --pruner-relax-accuracy='accuracy=bf16-products targets=file:%t.amx.json' \
// RUN:   | FileCheck %s --check-prefix=ROUND
// RUN: pruner-opt %s --split-input-file --pruner-relax-accuracy='accuracy=bf16-tensors targets=file:%t.amx.json' \
// RUN:   | FileCheck %s --check-prefix=STORE
// RUN: pruner-opt %s --split-input-file \
// RUN:     --pruner-relax-accuracy='accuracy=bf16-tensors,bf16-products targets=file:%t.amx.json' \
// RUN:   | FileCheck %s --check-prefix=BOTH
// Without an option, and without the attribute, nothing changes.
// RUN: pruner-opt %s --split-input-file > %t.mlir
// RUN: pruner-opt %s --split-input-file --pruner-relax-accuracy | diff %t.mlir -

// A sum of products keeps its name. Products are not rounded either.
// WIDE: module attributes {pruner.accuracy = ["wide-sums"]}
// WIDE-LABEL: func @product(
// WIDE-SAME:      %[[A:.*]]: tensor<8x16xf16>, %[[B:.*]]: tensor<16x4xf16>
// WIDE:         %[[Z:.*]] = arith.constant 0.000000e+00 : f32
// WIDE:         %[[I:.*]] = linalg.fill ins(%[[Z]] : f32)
// WIDE:         %[[R:.*]] = linalg.matmul ins(%[[A]], %[[B]] : tensor<8x16xf16>, tensor<16x4xf16>) outs(%[[I]] : tensor<8x4xf32>)
// WIDE:         %[[T:.*]] = linalg.generic {{.*}} ins(%[[R]] : tensor<8x4xf32>) outs(%{{.*}} : tensor<8x4xf16>)
// WIDE:           arith.truncf %{{.*}} : f32 to f16
// WIDE:         return %[[T]]

// ROUND: module attributes {pruner.accuracy = ["bf16-products"]}
// ROUND-LABEL: func @product(
// ROUND:         linalg.matmul {{.*}} outs(%{{.*}} : tensor<8x4xf16>)
func.func @product(%a: tensor<8x16xf16>, %b: tensor<16x4xf16>) -> tensor<8x4xf16> {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<8x4xf16>
  %z = linalg.fill ins(%zero : f16) outs(%e : tensor<8x4xf16>) -> tensor<8x4xf16>
  %r = linalg.matmul ins(%a, %b : tensor<8x16xf16>, tensor<16x4xf16>) outs(%z : tensor<8x4xf16>) -> tensor<8x4xf16>
  return %r : tensor<8x4xf16>
}

// -----

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>

// Terms that are not products are computed as before. An init that is not a
// constant is extended. A maximum is no sum.
// WIDE-LABEL: func @sum(
// WIDE-SAME:      %[[X:.*]]: tensor<8x16xbf16>, %[[INIT:.*]]: tensor<8xbf16>
// WIDE:         %[[I:.*]] = linalg.generic {{.*}} ins(%[[INIT]] : tensor<8xbf16>) outs(%{{.*}} : tensor<8xf32>)
// WIDE:           arith.extf
// WIDE:         %[[R:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<8x16xbf16>) outs(%[[I]] : tensor<8xf32>)
// WIDE-NEXT:    ^bb0(%[[E:.*]]: bf16, %[[ACC:.*]]: f32):
// WIDE-NEXT:      %[[ABS:.*]] = math.absf %[[E]] : bf16
// WIDE-NEXT:      %[[W:.*]] = arith.extf %[[ABS]] : bf16 to f32
// WIDE-NEXT:      arith.addf %[[W]], %[[ACC]] : f32
// WIDE:         %[[S:.*]] = linalg.generic {{.*}} ins(%[[R]] : tensor<8xf32>) outs(%{{.*}} : tensor<8xbf16>)
// WIDE:         %[[M:.*]] = linalg.generic {{.*}} outs(%[[INIT]] : tensor<8xbf16>)
// WIDE:           arith.maximumf
// WIDE:         return %[[S]], %[[M]]
func.func @sum(%x: tensor<8x16xbf16>, %init: tensor<8xbf16>) -> (tensor<8xbf16>, tensor<8xbf16>) {
  %s = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x16xbf16>) outs(%init : tensor<8xbf16>) {
  ^bb0(%e: bf16, %acc: bf16):
    %0 = math.absf %e : bf16
    %1 = arith.addf %0, %acc : bf16
    linalg.yield %1 : bf16
  } -> tensor<8xbf16>
  %m = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x16xbf16>) outs(%init : tensor<8xbf16>) {
  ^bb0(%e: bf16, %acc: bf16):
    %1 = arith.maximumf %e, %acc : bf16
    linalg.yield %1 : bf16
  } -> tensor<8xbf16>
  return %s, %m : tensor<8xbf16>, tensor<8xbf16>
}

// -----

// Both readers of %x share its conversion, which is in front of the reshape. The
// constant is rounded here: 1.01 becomes 1.0078125. An activation that was
// extended from bf16 is not rounded again.
// ROUND-LABEL: func @products(
// ROUND-SAME:      %[[X:.*]]: tensor<64x64xf32>, %[[W:.*]]: tensor<64x64xf32>, %[[N:.*]]: tensor<64x64xbf16>
// ROUND:         %[[WN:.*]] = linalg.generic {{.*}} ins(%[[W]] : tensor<64x64xf32>) outs(%{{.*}} : tensor<64x64xbf16>)
// ROUND:           arith.truncf
// ROUND:         %[[XN:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<64x64xf32>) outs(%{{.*}} : tensor<64x64xbf16>)
// ROUND:           arith.truncf
// ROUND-NOT:     arith.truncf
// ROUND:         %[[C:.*]] = arith.constant dense<1.007810e+00> : tensor<64x64xbf16>
// ROUND:         linalg.matmul ins(%[[XN]], %[[WN]] : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%{{.*}} : tensor<64x64xf32>)
// ROUND:         %[[V:.*]] = tensor.expand_shape %[[XN]] {{.*}} : tensor<64x64xbf16> into tensor<2x32x64xbf16>
// ROUND:         linalg.generic {{.*}} ins(%[[V]], %[[C]] : tensor<2x32x64xbf16>, tensor<64x64xbf16>)
// ROUND-NEXT:    ^bb0(%[[A:.*]]: bf16, %[[B:.*]]: bf16, %{{.*}}: f32):
// ROUND-NEXT:      %[[F:.*]] = arith.extf %[[A]] : bf16 to f32
// ROUND-NEXT:      %[[G:.*]] = arith.extf %[[B]] : bf16 to f32
// ROUND-NEXT:      arith.mulf %[[F]], %[[G]] : f32
// ROUND:         linalg.matmul ins(%[[N]], %[[WN]] : tensor<64x64xbf16>, tensor<64x64xbf16>)
func.func @products(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>, %n: tensor<64x64xbf16>, %z: tensor<64x64xf32>,
                    %u: tensor<2x32x64xf32>) -> (tensor<64x64xf32>, tensor<2x32x64xf32>, tensor<64x64xf32>) {
  %c = arith.constant dense<1.01> : tensor<64x64xf32>
  %e = tensor.empty() : tensor<64x64xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%z : tensor<64x64xf32>) -> tensor<64x64xf32>
  %v = tensor.expand_shape %x [[0, 1], [2]] output_shape [2, 32, 64] : tensor<64x64xf32> into tensor<2x32x64xf32>
  %1 = linalg.generic {
      indexing_maps = [affine_map<(b, i, j, k) -> (b, i, k)>, affine_map<(b, i, j, k) -> (k, j)>,
                       affine_map<(b, i, j, k) -> (b, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%v, %c : tensor<2x32x64xf32>, tensor<64x64xf32>) outs(%u : tensor<2x32x64xf32>) {
  ^bb0(%l: f32, %m: f32, %o: f32):
    %3 = arith.mulf %l, %m : f32
    %4 = arith.addf %o, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<2x32x64xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%n : tensor<64x64xbf16>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%p: bf16, %o: f32):
    %3 = arith.extf %p : bf16 to f32
    linalg.yield %3 : f32
  } -> tensor<64x64xf32>
  %2 = linalg.matmul ins(%g, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%z : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0, %1, %2 : tensor<64x64xf32>, tensor<2x32x64xf32>, tensor<64x64xf32>
}

// -----

// Too few points; a product of a vector, for which tiles have no rows; and a
// task, whose key belongs to its text.
// ROUND-LABEL: func @stay(
// ROUND-NOT:     bf16
// ROUND:         return
func.func @stay(%x: tensor<16x16xf32>, %v: tensor<1x512xf32>, %w: tensor<512x512xf32>, %z: tensor<16x16xf32>,
                %y: tensor<1x512xf32>) -> (tensor<16x16xf32>, tensor<1x512xf32>) {
  %0 = linalg.matmul ins(%x, %x : tensor<16x16xf32>, tensor<16x16xf32>) outs(%z : tensor<16x16xf32>) -> tensor<16x16xf32>
  %1 = linalg.matmul ins(%v, %w : tensor<1x512xf32>, tensor<512x512xf32>) outs(%y : tensor<1x512xf32>) -> tensor<1x512xf32>
  return %0, %1 : tensor<16x16xf32>, tensor<1x512xf32>
}
// ROUND-LABEL: func @task(
// ROUND-NOT:     bf16
// ROUND:         return
func.func @task(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>, %z: tensor<64x64xf32>) -> tensor<64x64xf32>
    attributes {pruner.task = {key = "0"}} {
  %0 = linalg.matmul ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%z : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----

// What is padded has a dynamic shape, so the padded tensor is rounded.
// ROUND-LABEL: func @dynamic(
// ROUND:         %[[P:.*]] = tensor.pad %arg0 low
// ROUND:         linalg.generic {{.*}} ins(%[[P]] : tensor<64x64xf32>) outs(%{{.*}} : tensor<64x64xbf16>)
// ROUND:         linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<64x64xbf16>, tensor<64x64xbf16>)
func.func @dynamic(%x: tensor<?x64xf32>, %high: index, %w: tensor<64x64xf32>, %z: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0] high[%high, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x64xf32> to tensor<64x64xf32>
  %r = linalg.matmul ins(%p, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%z : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----

#cell = affine_map<(i, j) -> (i, j)>

// The result of the first product is rounded once for all that read it: a
// product, behind a reshape, and the addition behind it. The sum stays in f32,
// because the function returns it, and so do small results.
// STORE-LABEL: func @residual(
// STORE-SAME:      %[[X:[^:]*]]: tensor<128x64xf32>, %[[V:[^:]*]]: tensor<64x64xf32> {pruner.constant}, %[[W:[^:]*]]: tensor<64x64xf32>
// STORE:         %[[FIRST:.*]] = linalg.matmul ins(%[[X]], %[[V]]
// STORE:         %[[STORED:.*]] = linalg.generic {{.*}} ins(%[[FIRST]] : tensor<128x64xf32>) outs(%{{.*}} : tensor<128x64xbf16>)
// STORE:           arith.truncf
// STORE:         %[[SECOND:.*]] = linalg.matmul ins(%[[STORED]], %[[W]] : tensor<128x64xbf16>, tensor<64x64xf32>)
// STORE:         %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[SECOND]], %[[STORED]] : tensor<128x64xf32>, tensor<128x64xbf16>) outs(%{{.*}} : tensor<128x64xf32>)
// STORE-NEXT:    ^bb0(%[[A:.*]]: f32, %[[B:.*]]: bf16, %{{.*}}: f32):
// STORE-NEXT:      %[[E:.*]] = arith.extf %[[B]] : bf16 to f32
// STORE-NEXT:      arith.addf %[[A]], %[[E]] : f32
// STORE:         %[[SMALL:.*]] = linalg.matmul {{.*}} -> tensor<16x16xf32>
// STORE:         linalg.matmul ins(%[[SMALL]], %{{.*}} : tensor<16x16xf32>, tensor<16x16xf32>)
// STORE:         return %[[SUM]]

// The product of this size has rounded factors as well.
// BOTH-LABEL: func @residual(
// BOTH:         linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<128x64xbf16>, tensor<64x64xbf16>)
// BOTH:         %[[SECOND:.*]] = linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<128x64xbf16>, tensor<64x64xbf16>)
// BOTH:         linalg.generic {{.*}} ins(%[[SECOND]], %{{.*}} : tensor<128x64xf32>, tensor<128x64xbf16>)
func.func @residual(%x: tensor<128x64xf32>, %v: tensor<64x64xf32> {pruner.constant}, %w: tensor<64x64xf32> {pruner.constant},
                    %s: tensor<16x16xf32>, %z: tensor<128x64xf32>, %y: tensor<16x16xf32>)
    -> (tensor<128x64xf32>, tensor<16x16xf32>) {
  %0 = linalg.matmul ins(%x, %v : tensor<128x64xf32>, tensor<64x64xf32>) outs(%z : tensor<128x64xf32>) -> tensor<128x64xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<128x64xf32>, tensor<64x64xf32>) outs(%z : tensor<128x64xf32>) -> tensor<128x64xf32>
  %e = tensor.empty() : tensor<128x64xf32>
  %2 = linalg.generic {indexing_maps = [#cell, #cell, #cell], iterator_types = ["parallel", "parallel"]}
      ins(%1, %0 : tensor<128x64xf32>, tensor<128x64xf32>) outs(%e : tensor<128x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.addf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<128x64xf32>
  %3 = linalg.matmul ins(%s, %s : tensor<16x16xf32>, tensor<16x16xf32>) outs(%y : tensor<16x16xf32>) -> tensor<16x16xf32>
  %4 = linalg.matmul ins(%3, %s : tensor<16x16xf32>, tensor<16x16xf32>) outs(%y : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %2, %4 : tensor<128x64xf32>, tensor<16x16xf32>
}

// -----

#all = affine_map<(i, j) -> (i, j)>

// Readers that extend to f64 extend to f32 first.
// STORE-LABEL: func @wide_reader(
// STORE:         %[[STORED:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<64x64xbf16>)
// STORE:         linalg.matmul ins(%[[STORED]],
// STORE:         linalg.generic {{.*}} ins(%[[STORED]] : tensor<64x64xbf16>) outs(%{{.*}} : tensor<64x64xf64>)
// STORE-NEXT:    ^bb0(%[[B:.*]]: bf16, %{{.*}}: f64):
// STORE-NEXT:      %[[E:.*]] = arith.extf %[[B]] : bf16 to f32
// STORE-NEXT:      %[[F:.*]] = arith.extf %[[E]] : f32 to f64
// STORE-NEXT:      %[[D:.*]] = arith.addf %[[E]], %[[E]] : f32
// STORE-NEXT:      %[[G:.*]] = arith.extf %[[D]] : f32 to f64
// STORE-NEXT:      arith.mulf %[[G]], %[[F]] : f64
// STORE:         linalg.generic {{.*}} ins(%[[STORED]] : tensor<64x64xbf16>) outs(%{{.*}} : tensor<64x64xf64>)
// STORE-NEXT:    ^bb0(%[[B:.*]]: bf16, %{{.*}}: f64):
// STORE-NEXT:      %[[E:.*]] = arith.extf %[[B]] : bf16 to f32
// STORE-NEXT:      %[[F:.*]] = arith.extf %[[E]] : f32 to f64
// STORE-NEXT:      linalg.yield %[[F]]
func.func @wide_reader(%x: tensor<64x64xf32>, %z: tensor<64x64xf32>)
    -> (tensor<64x64xf32>, tensor<64x64xf64>, tensor<64x64xf64>) {
  %0 = linalg.matmul ins(%x, %x : tensor<64x64xf32>, tensor<64x64xf32>) outs(%z : tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = linalg.matmul ins(%0, %x : tensor<64x64xf32>, tensor<64x64xf32>) outs(%z : tensor<64x64xf32>) -> tensor<64x64xf32>
  %e = tensor.empty() : tensor<64x64xf64>
  %2 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<64x64xf32>) outs(%e : tensor<64x64xf64>) {
  ^bb0(%a: f32, %o: f64):
    %w = arith.extf %a : f32 to f64
    %s = arith.addf %a, %a : f32
    %t = arith.extf %s : f32 to f64
    %p = arith.mulf %t, %w : f64
    linalg.yield %p : f64
  } -> tensor<64x64xf64>
  %3 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<64x64xf32>) outs(%e : tensor<64x64xf64>) {
  ^bb0(%a: f32, %o: f64):
    %w = arith.extf %a : f32 to f64
    linalg.yield %w : f64
  } -> tensor<64x64xf64>
  return %1, %2, %3 : tensor<64x64xf32>, tensor<64x64xf64>, tensor<64x64xf64>
}
