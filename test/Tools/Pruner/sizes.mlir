// A network with a dimension of several sizes gets functions for chosen sizes.
//
// RUN: rm -rf %t && mkdir %t
// RUN: pruner compile %s --trials=0 --threads=1 --header=%t/net.h -o %t/net.so 2>&1 | FileCheck %s --check-prefix=SIZES
// SIZES: remark: 'n' of @main, in pieces: {{.*}}; predicted time
// SIZES: pruner compile: wrote '{{.*}}net.so'
// RUN: FileCheck %s --check-prefix=HEADER --input-file=%t/net.h
// HEADER: float rows[n][64]
// HEADER: float scores[n][64]
//
// RUN: not pruner bench %t/net.so 2>&1 | FileCheck %s --check-prefix=BENCH
// BENCH: pruner bench: error: {{.*}}net.so: it has a dimension of several sizes, expected static shapes

func.func @main(%x: tensor<?x64xf32> {pruner.range = [#pruner.range<n, 1 to 16>], pruner.name = "rows"},
                %w: tensor<64x64xf32>) -> (tensor<?x64xf32> {pruner.name = "scores"}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x64xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
  %y = linalg.matmul ins(%x, %w : tensor<?x64xf32>, tensor<64x64xf32>) outs(%f : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}
