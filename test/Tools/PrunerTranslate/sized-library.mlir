// The header of a network with a dimension of several sizes.
// RUN: pruner-opt %s --pruner-specialize-shapes=sizes=4,8 -o %t.mlir
// RUN: pruner-translate %t.mlir --to=library -o %t.so --header=%t.h
// RUN: FileCheck %s --input-file=%t.h
// CHECK:      inputs[0]  float arg0[n][3]
// CHECK:      outputs[0]  float result0[n][3]
// CHECK:      int pruner_run(const void *const *inputs, void *const *outputs);
// CHECK:      /* The same for a call in which 'n' is `size`, at least 1; tuned for 1 to 20.
// CHECK-NEXT:  * pruner_run without a size fails. */
// CHECK-NEXT: int pruner_run_sized(int64_t size, const void *const *inputs,
// CHECK-NEXT:                      void *const *outputs);
// RUN: llvm-nm -D --defined-only %t.so | FileCheck %s --check-prefix=SYMBOLS
// SYMBOLS: pruner_run{{$}}
// SYMBOLS: pruner_run_sized
// A function of static shape alone is one as well.
// RUN: pruner-translate %t.mlir --to=library --entry=main_n4 -o %t.4.so --header=%t.4.h
// RUN: FileCheck %s --input-file=%t.4.h --check-prefix=STATIC
// STATIC: inputs[0]  float arg0[4][3]
// STATIC-NOT: pruner_run_sized
func.func @main(%x: tensor<?x3xf32> {pruner.range = [#pruner.range<n, 1 to 20>]}) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x3xf32>
  %e = tensor.empty(%n) : tensor<?x3xf32>
  %r = linalg.exp ins(%x : tensor<?x3xf32>) outs(%e : tensor<?x3xf32>) -> tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}
