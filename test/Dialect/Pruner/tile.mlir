// RUN: pruner-opt %s --pruner-tile=target=file:%S/Inputs/cpu.json | FileCheck %s
// The result survives printing, bytecode and a second run, which changes
// nothing.
// RUN: pruner-opt %s --pruner-tile=target=file:%S/Inputs/cpu.json -o %t.mlir
// RUN: pruner-opt %t.mlir --emit-bytecode | pruner-opt --pruner-tile | diff - %t.mlir

// The task keeps its signature and calls the kernel. Kernel and task have the
// key and the time; the kernel has the schedule. The reduction is in two pieces
// (16 / 8), so the accumulator holds a cache tile: 2x2 register tiles of 4x8.
// CHECK-DAG: #[[ACC:map[0-9]*]] = affine_map<(d0, d1) -> (d0 floordiv 4, d1 floordiv 8, d0 mod 4, d1 mod 8)>
// CHECK-DAG: #[[PANEL:map[0-9]*]] = affine_map<(d0, d1) -> (d1 floordiv 8, d0, d1 mod 8)>
// CHECK-LABEL: func.func @matmul(%arg0: tensor<8x16xf32>, %arg1: tensor<16x32xf32>) -> tensor<8x32xf32> attributes {pruner.seconds = 5.000000e-01 : f64, pruner.task = {key = "k"}}
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
// CHECK: call @matmul_kernel
// CHECK: func.func private @matmul_kernel(%[[A:.*]]: memref<8x16xf32>, %[[B:.*]]: memref<16x32xf32>, %[[C:.*]]: memref<8x32xf32>) attributes {pruner.schedule = #pruner.schedule<cpu_tile, {{.*}}>, pruner.seconds = 5.000000e-01 : f64, pruner.task = {key = "k"}}
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: pruner.kernel cpu domain (d0 = 8, d1 = 32, d2 = 16 reduction) {
// CHECK-NEXT: pruner.band core (%[[J:.*]] = d1 trips 2 step 16) {
// CHECK-NEXT: %[[T:.*]] = pruner.alloc "acc" at (%[[J]]) shape [8, 32] layout #[[ACC]] : memref<2x2x4x8xf32, #pruner.memory<local>>
// CHECK-NEXT: pruner.band serial (%[[I1:.*]] = d0 trips 2 step 4, %[[J1:.*]] = d1 trips 2 step 8) {
// CHECK-NEXT: pruner.compute init at (%[[J]], %[[I1]], %[[J1]]) loops (d0 unroll 4, d1 vector 8) ins() outs(%[[T]] :
// CHECK-NEXT: pruner.yield %[[ZERO]] : f32
// CHECK: pruner.band serial (%[[K:.*]] = d2 trips 2 step 8) {
// CHECK-NEXT: %[[P:.*]] = pruner.stage "arg1.packed" operand 1 at (%[[J]], %[[K]]) box [8, 16] of #{{.*}} shape [16, 32] layout #[[PANEL]] vector 8 threads 1 ins(%[[B]] :
// CHECK: pruner.band serial
// CHECK-NEXT: pruner.compute update {{.*}} loops (d2 serial 8, d0 unroll 4, d1 vector 8) unroll 2 ins(%[[A]], %[[P]] :
// CHECK: pruner.compute finish {{.*}} ins(%[[T]] : {{.*}}) outs(%[[C]] :
func.func @matmul(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.task = {key = "k"}, pruner.seconds = 0.5 : f64, pruner.schedule = #pruner.schedule<cpu_tile,
      tiles = [[1, 2, 4], [1, 2, 8], [8]], stages = [none, inner], vector = 8, unroll = 2>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// Both operands are transposed. The reduction is in one piece (16), so the
// accumulator is one register tile inside the loops over tiles; the column loop
// is outside. 7 rows do not divide by 4: the second tile reaches beyond the
// end.
// CHECK-LABEL: func.func private @transposed_kernel
// CHECK: pruner.kernel cpu domain (d0 = 7, d1 = 16, d2 = 16 reduction) {
// CHECK-NEXT: pruner.band serial (%[[J:.*]] = d1 trips 2 step 8, %[[I:.*]] = d0 trips 2 step 4) {
// CHECK-NEXT: pruner.alloc "acc" at (%[[J]], %[[I]]) shape [7, 16] layout #{{.*}} : memref<4x8xf32, #pruner.memory<local>>
// CHECK: pruner.compute update {{.*}} loops (d2 serial 16, d0 unroll 4, d1 vector 8) ins(%arg0, %arg1 : memref<16x7xf32>, memref<16x16xf32>)
func.func @transposed(%a: tensor<16x7xf32>, %b: tensor<16x16xf32>) -> tensor<7x16xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 4], [1, 2, 8], [16]],
      stages = [none, none], vector = 8, unroll = 1, order = [1, 0]>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<7x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<7x16xf32>) -> tensor<7x16xf32>
  %c = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<16x7xf32>, tensor<16x16xf32>) outs(%f : tensor<7x16xf32>) -> tensor<7x16xf32>
  return %c : tensor<7x16xf32>
}

// A register tile of one row among several has no coordinate for it.
// CHECK-LABEL: func.func private @one_row_kernel
// CHECK: pruner.alloc "acc" at () shape [8, 32] layout #{{.*}} : memref<8x4x8xf32, #pruner.memory<local>>
func.func @one_row(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile,
      tiles = [[1, 8, 1], [1, 4, 8], [8]], stages = [none, none], vector = 8, unroll = 1>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// CHECK-LABEL: func.func private @batch_kernel
// CHECK: pruner.kernel cpu domain (d0 = 3, d1 = 4, d2 = 8, d3 = 16 reduction) {
// CHECK-NEXT: pruner.band core (%[[B:.*]] = d0 trips 3 step 1) {
// CHECK: pruner.compute update at (%[[B]]) loops (d3 serial 16, d0 unroll 1, d1 unroll 4, d2 vector 8)
func.func @batch(%a: tensor<3x4x16xf32>, %b: tensor<3x16x8xf32>) -> tensor<3x4x8xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 1], [1, 1, 4], [1, 1, 8], [16]],
      stages = [none, none], vector = 8, unroll = 1>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x4x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<3x4x8xf32>) -> tensor<3x4x8xf32>
  %c = linalg.batch_matmul ins(%a, %b : tensor<3x4x16xf32>, tensor<3x16x8xf32>) outs(%f : tensor<3x4x8xf32>) -> tensor<3x4x8xf32>
  return %c : tensor<3x4x8xf32>
}

// The producer is computed while its operand is packed, and the consumer while
// the accumulator is written back. f16 in memory, f32 in the accumulator, which
// starts from an argument. The copy also extends the operand, so that the update
// only extends the other one.
// CHECK-LABEL: func.func private @fused_kernel
// CHECK-SAME: (%[[X:.*]]: memref<4x16xf16>, %[[W:.*]]: memref<16x8xf16>, %[[BIAS:.*]]: memref<4x8xf32>, %[[OUT:.*]]: memref<4x8xf16>)
// CHECK: pruner.stage "value{{[0-9]+}}.packed" operand 0 {{.*}} ins(%[[X]] : memref<4x16xf16>) {{.*}} -> memref<16x4xf32, #pruner.memory<local>> {
// CHECK: %[[E:.*]] = math.absf %{{.*}} : f16
// CHECK: %[[F:.*]] = arith.extf %[[E]] : f16 to f32
// CHECK: pruner.yield %[[F]] : f32
// CHECK: pruner.compute init {{.*}} ins(%[[BIAS]] : memref<4x8xf32>) outs(%[[ACC:.*]] : memref<4x8xf32, #pruner.memory<local>>)
// CHECK: pruner.compute update
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f16, %{{.*}}: f32):
// CHECK-NEXT: %[[W:.*]] = arith.extf %[[B]] : f16 to f32
// CHECK-NEXT: arith.mulf %[[A]], %[[W]] : f32
// CHECK: pruner.compute finish {{.*}} ins(%[[ACC]] : memref<4x8xf32, #pruner.memory<local>>) outs(%[[OUT]] : memref<4x8xf16>)
// CHECK: arith.truncf %{{.*}} : f32 to f16
func.func @fused(%x: tensor<4x16xf16>, %w: tensor<16x8xf16>, %bias: tensor<4x8xf32>) -> tensor<4x8xf16>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 4], [1, 1, 8], [16]],
      stages = [outer, none], vector = 8, unroll = 1>} {
  %p = tensor.empty() : tensor<4x16xf16>
  %a = linalg.abs ins(%x : tensor<4x16xf16>) outs(%p : tensor<4x16xf16>) -> tensor<4x16xf16>
  %c = linalg.matmul ins(%a, %w : tensor<4x16xf16>, tensor<16x8xf16>) outs(%bias : tensor<4x8xf32>) -> tensor<4x8xf32>
  %e = tensor.empty() : tensor<4x8xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]} ins(%c : tensor<4x8xf32>) outs(%e : tensor<4x8xf16>) {
  ^bb0(%v: f32, %o: f16):
    %h = arith.truncf %v : f32 to f16
    linalg.yield %h : f16
  } -> tensor<4x8xf16>
  return %r : tensor<4x8xf16>
}

// Bytes that are extended without signs, with a padding that is extended in the
// same way. What is packed ahead of time keeps its type.
// CHECK-LABEL: func.func private @extended_padding_kernel
// CHECK: pruner.stage "arg0.packed" operand 0 {{.*}} padding 200 : i32 {{.*}} ins(%{{.*}} : memref<2x6xi8>) {{.*}} -> memref<{{.*}}xi32, #pruner.memory<local>> {
// CHECK: arith.extui %{{.*}} : i8 to i32
// CHECK: pruner.compute update
// CHECK-NEXT: ^bb0(%[[A:.*]]: i32, %[[B:.*]]: i8, %{{.*}}: i32):
// CHECK-NEXT: %[[W:.*]] = arith.extsi %[[B]] : i8 to i32
// CHECK-NEXT: arith.muli %[[A]], %[[W]] : i32
func.func @extended_padding(%image: tensor<2x6xi8>, %filter: tensor<4x2x3xi8> {pruner.constant}) -> tensor<4x6xi32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 4], [1, 1, 6], [2], [3]],
      stages = [outer, ahead], vector = 4, vector_dim = 0, unroll = 1>} {
  %pad = arith.constant -56 : i8
  %z = arith.constant 0 : i32
  %padded = tensor.pad %image low[0, 1] high[0, 1] {
  ^bb0(%c: index, %x: index):
    tensor.yield %pad : i8
  } : tensor<2x6xi8> to tensor<2x8xi8>
  %e = tensor.empty() : tensor<4x6xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<4x6xi32>) -> tensor<4x6xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(f, x, c, k) -> (c, x + k)>, affine_map<(f, x, c, k) -> (f, c, k)>,
      affine_map<(f, x, c, k) -> (f, x)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%padded, %filter : tensor<2x8xi8>, tensor<4x2x3xi8>) outs(%f : tensor<4x6xi32>) {
  ^bb0(%p: i8, %q: i8, %acc: i32):
    %a = arith.extui %p : i8 to i32
    %b = arith.extsi %q : i8 to i32
    %m = arith.muli %a, %b : i32
    %s = arith.addi %acc, %m : i32
    linalg.yield %s : i32
  } -> tensor<4x6xi32>
  return %r : tensor<4x6xi32>
}

// 37 columns in vectors of 8: the last one reaches beyond the tensor.
// CHECK-LABEL: func.func private @map_kernel
// CHECK: pruner.kernel cpu domain (d0 = 5, d1 = 37) {
// CHECK-NEXT: pruner.band core (%[[I:.*]] = d0 trips 5 step 1) {
// CHECK-NEXT: pruner.band serial (%[[J:.*]] = d1 trips 3 step 16) {
// CHECK-NEXT: pruner.compute map at (%[[I]], %[[J]]) loops (d0 unroll 1, d1 unroll 2 step 8, d1 vector 8) ins(%arg0 : memref<5x37xf32>) outs(%arg1 : memref<5x37xf32>)
// CHECK: math.exp
func.func @map(%a: tensor<5x37xf32>) -> tensor<5x37xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_map, tiles = [[1, 1], [3, 16]],
      stages = [none], vector = 8, unroll = 1>} {
  %e = tensor.empty() : tensor<5x37xf32>
  %r = linalg.exp ins(%a : tensor<5x37xf32>) outs(%e : tensor<5x37xf32>) -> tensor<5x37xf32>
  return %r : tensor<5x37xf32>
}

// An output without coordinates.
// CHECK-LABEL: func.func private @sum_kernel(%arg0: memref<100xf32>, %arg1: memref<f32>)
// CHECK: pruner.kernel cpu domain (d0 = 100 reduction) {
// CHECK: pruner.band serial (%[[K:.*]] = d0 trips 7 step 16) {
// CHECK-NEXT: pruner.compute update at (%[[K]]) loops (d0 serial 16) ins(%arg0 : memref<100xf32>) outs(%{{.*}} : memref<f32, #pruner.memory<local>>)
func.func @sum(%a: tensor<100xf32>) -> tensor<f32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[16]], stages = [none], vector = 1, unroll = 1>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce {arith.addf} ins(%a : tensor<100xf32>) outs(%f : tensor<f32>) dimensions = [0]
  return %r : tensor<f32>
}

// A function without a schedule does not change.
// CHECK-LABEL: func.func @unscheduled
// CHECK-NEXT: tensor.empty
// CHECK-NOT: @unscheduled_kernel
func.func @unscheduled(%a: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
