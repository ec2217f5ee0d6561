// RUN: pruner-opt %s --pruner-outline-operations --pruner-annotate-callees | FileCheck %s

// Equal operations share a function whatever the names of their buffers.
// Another constant, another type or another number of distinct buffers makes
// another function.
// CHECK-LABEL: func.func @main(
// CHECK: call @op_fill_0(%[[A:.*]]) :
// CHECK: call @op_fill_0(%[[B:.*]]) :
// CHECK: call @op_fill_1(%{{.*}}) :
// CHECK: call @op_add_2(%[[A]], %[[B]], %{{.*}}) :
// CHECK: call @op_add_3(%[[A]], %[[B]]) :
// CHECK: call @op_generic_4(%{{.*}}, %arg1, %arg0) :
// A copy between layouts becomes a loop; a contiguous copy stays.
// CHECK: call @op_copy_5(
// CHECK-NEXT: memref.copy
// An operation at a dynamic offset stays.
// CHECK: linalg.fill

// CHECK: func.func private @op_fill_0(%arg0: memref<8xf32> {llvm.align = 64 : i64, llvm.noalias, llvm.nonnull}) attributes {no_inline, pruner.work = {bytes = 32 : i64, flops = 0 : i64, loops = "8"}} {
// CHECK:   %[[ZERO:.*]] = arith.constant 0.0
// CHECK:   linalg.fill ins(%[[ZERO]] : f32) outs(%arg0
// CHECK: func.func private @op_fill_1
// CHECK:   arith.constant 1.0
// CHECK: func.func private @op_add_2(%arg0: memref<8xf32> {llvm.align = 64 : i64, llvm.noalias, llvm.nonnull}, %arg1: memref<8xf32> {llvm.align = 64 : i64, llvm.noalias, llvm.nonnull}, %arg2: memref<8xf32> {llvm.align = 64 : i64, llvm.noalias, llvm.nonnull}) attributes {no_inline, pruner.work = {bytes = 96 : i64, flops = 8 : i64, loops = "8"}}
// CHECK: func.func private @op_add_3(%arg0: memref<8xf32> {{.*}}, %arg1: memref<8xf32> {{.*}})
// CHECK:   linalg.add ins(%arg0, %arg1 : {{.*}}) outs(%arg0 :
// An input and an output are views of one buffer.
// CHECK: func.func private @op_generic_4(%arg0: memref<2x4xf32> {llvm.align = 64 : i64, llvm.nonnull}, %arg1: memref<8xf32> {llvm.align = 64 : i64, llvm.nonnull}, %arg2: index) attributes {no_inline, pruner.work = {bytes = 32 : i64, flops = 8 : i64, loops = "2x4"}}
// An address in the middle of a buffer has no known alignment.
// CHECK: func.func private @op_copy_5(%arg0: memref<4xf32, strided<[1], offset: 4>> {llvm.nonnull}, %arg1: memref<4xf32, strided<[2]>> {{.*}})
func.func @main(%n: index, %c: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<8xf32>)
  linalg.fill ins(%zero : f32) outs(%b : memref<8xf32>)
  linalg.fill ins(%one : f32) outs(%c : memref<8xf32>)
  linalg.add ins(%a, %b : memref<8xf32>, memref<8xf32>) outs(%c : memref<8xf32>)
  linalg.add ins(%a, %b : memref<8xf32>, memref<8xf32>) outs(%a : memref<8xf32>)
  // Reads %c and writes a view of it.
  %view = memref.expand_shape %c [[0, 1]] output_shape [2, 4] : memref<8xf32> into memref<2x4xf32>
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      outs(%view : memref<2x4xf32>) {
  ^bb0(%out: f32):
    %x = memref.load %c[%n] : memref<8xf32>
    %s = arith.addf %out, %x : f32
    linalg.yield %s : f32
  }
  %half = memref.subview %a[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  %even = memref.subview %a[0] [4] [2] : memref<8xf32> to memref<4xf32, strided<[2]>>
  memref.copy %half, %even : memref<4xf32, strided<[1], offset: 4>> to memref<4xf32, strided<[2]>>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  %somewhere = memref.subview %a[%n] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
  linalg.fill ins(%zero : f32) outs(%somewhere : memref<4xf32, strided<[1], offset: ?>>)
  return
}
