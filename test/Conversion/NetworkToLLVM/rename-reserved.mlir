// Functions with names of the library, of its callees, or of functions that
// LLVM treats as those of the C library are renamed with all their uses.
// Others, including declarations, keep their names.
// RUN: pruner-opt %s --pruner-rename-reserved -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: pruner-opt %t.mlir --pruner-rename-reserved | diff %t.mlir -
// The entry keeps its name for users.
// RUN: pruner-opt %s --pruner-network-to-llvm=entry=pruner_metadata | FileCheck %s --check-prefix=NAME

// CHECK-LABEL: func.func private @network.malloc_(
// CHECK:       call @network.malloc(
// CHECK:       call @cosine(
// CHECK:       call @expf(
func.func private @malloc(%x: f32) -> f32 {
  %0 = call @network.malloc(%x) : (f32) -> f32
  %1 = call @cosine(%0) : (f32) -> f32
  %2 = call @expf(%1) : (f32) -> f32
  return %2 : f32
}

// A name that a renamed function would get.
// CHECK: func.func private @network.malloc(
func.func private @network.malloc(%x: f32) -> f32 {
  return %x : f32
}

// CHECK: func.func private @cosine(
func.func private @cosine(%x: f32) -> f32 {
  return %x : f32
}

// CHECK: func.func private @expf(f32) -> f32
func.func private @expf(f32) -> f32

// CHECK: memref.global "private" constant @network._data
memref.global "private" constant @_data : memref<1xf32> = dense<1.0>

// CHECK: func.func @network.pruner_metadata(
// CHECK:   call @network.malloc_(
// CHECK:   memref.get_global @network._data
// NAME: pruner.interface = {{.*}}entry = "network.pruner_metadata"{{.*}}name = "pruner_metadata"
func.func @pruner_metadata(%t: tensor<1xf32>) -> tensor<1xf32> {
  %c0 = arith.constant 0 : index
  %x = tensor.extract %t[%c0] : tensor<1xf32>
  %y = call @malloc(%x) : (f32) -> f32
  %g = memref.get_global @_data : memref<1xf32>
  %z = memref.load %g[%c0] : memref<1xf32>
  %s = arith.addf %y, %z : f32
  %r = tensor.from_elements %s : tensor<1xf32>
  return %r : tensor<1xf32>
}

// LLVM has no function with an empty name.
// CHECK: func.func private @network.unnamed(
func.func private @""(%x: f32) -> f32 {
  return %x : f32
}
