// Different operations stay separate even if the printer shortens their text.
// RUN: pruner-opt %s --pruner-outline-operations --mlir-elide-elementsattrs-if-larger=1 | FileCheck %s
// RUN: pruner-opt %s --pruner-outline-operations --mlir-print-skip-regions --emit-bytecode -o %t.mlirbc
// RUN: pruner-opt %t.mlirbc | FileCheck %s
// CHECK: call @op_generic_0(
// CHECK: call @op_generic_1(
func.func @main(%a: memref<8xf32>) {
  %c = arith.constant dense<[1.0, 2.0]> : vector<2xf32>
  %d = arith.constant dense<[1.0, 3.0]> : vector<2xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%a : memref<8xf32>) {
  ^bb0(%x: f32):
    %e = vector.extract %c[1] : f32 from vector<2xf32>
    %s = arith.addf %x, %e : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%a : memref<8xf32>) {
  ^bb0(%x: f32):
    %e = vector.extract %d[1] : f32 from vector<2xf32>
    %s = arith.addf %x, %e : f32
    linalg.yield %s : f32
  }
  return
}
