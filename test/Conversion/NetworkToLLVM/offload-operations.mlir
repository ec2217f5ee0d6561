// RUN: pruner-opt %s --split-input-file --pruner-offload-operations | FileCheck %s

// One thread per element, in the order of the result: consecutive threads
// compute consecutive elements. Promises about arguments hold for the kernel.
// CHECK: module attributes {gpu.container_module, pruner.checks = []}
// CHECK-LABEL: func.func private @op_generic_0(
// CHECK-DAG: %[[GRID:.*]] = arith.constant 3 : index
// CHECK-DAG: %[[BLOCK:.*]] = arith.constant 256 : index
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
// CHECK: gpu.launch_func @operation_kernels::@op_generic_0
// CHECK-SAME: blocks in (%[[GRID]], %[[ONE]], %[[ONE]])
// CHECK-SAME: threads in (%[[BLOCK]], %[[ONE]], %[[ONE]])
// CHECK-NEXT: return
// CHECK-LABEL: gpu.module @operation_kernels
// CHECK: gpu.func @op_generic_0(
// CHECK-SAME: %[[X:.*]]: memref<30x20xf32, strided<[40, 2]>> {llvm.noalias}, %[[Y:.*]]: memref<20x30xf32>) kernel
// CHECK-SAME: known_block_size = array<i32: 256, 1, 1>, pruner.work = {bytes = 4800 : i64}
// CHECK: %[[B:.*]] = gpu.block_id x
// CHECK: %[[T:.*]] = gpu.thread_id x
// CHECK: %[[N:.*]] = arith.addi
// CHECK: %[[C600:.*]] = arith.constant 600 : i32
// CHECK: %[[WORKS:.*]] = arith.cmpi ult, %[[N]], %[[C600]] : i32
// CHECK: scf.if %[[WORKS]]
// The result is written in rows of 30.
// CHECK: %[[C30:.*]] = arith.constant 30 : i32
// CHECK: %[[I32:.*]] = arith.remui %[[N]], %[[C30]] : i32
// CHECK: %[[J32:.*]] = arith.divui %[[N]], %[[C30]] : i32
// CHECK: %[[I:.*]] = arith.index_cast %[[I32]] : i32 to index
// CHECK: %[[J:.*]] = arith.index_cast %[[J32]] : i32 to index
#ij = affine_map<(i, j) -> (i, j)>
#ji = affine_map<(i, j) -> (j, i)>
func.func private @op_generic_0(%x: memref<30x20xf32, strided<[40, 2]>> {llvm.noalias}, %y: memref<20x30xf32>) attributes {pruner.work = {bytes = 4800 : i64}} {
  linalg.generic {indexing_maps = [#ij, #ji], iterator_types = ["parallel", "parallel"]} ins(%x : memref<30x20xf32, strided<[40, 2]>>) outs(%y : memref<20x30xf32>) {
  ^bb0(%a: f32, %o: f32):
    %k = linalg.index 0 : index
    %i = arith.index_cast %k : index to i32
    %f = arith.sitofp %i : i32 to f32
    %r = arith.addf %a, %f : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// A reduction is a loop of each thread, and its result stays in a register. The
// block is as small as whole warps allow.
// CHECK-LABEL: gpu.func @op_matmul_0(
// CHECK-SAME: %[[A:.*]]: memref<4x8xf32>, %[[B:.*]]: memref<8x16xf32>, %[[C:.*]]: memref<4x16xf32>) kernel
// CHECK-SAME: known_block_size = array<i32: 64, 1, 1>
// CHECK: %[[INIT:.*]] = memref.load %[[C]][
// CHECK: %[[SUM:.*]] = scf.for %[[K:.*]] = {{.*}} iter_args(%[[S:.*]] = %[[INIT]]) -> (f32)
// CHECK-DAG: memref.load %[[A]]
// CHECK-DAG: memref.load %[[B]]
// CHECK: arith.mulf
// CHECK: %[[NEXT:.*]] = arith.addf %[[S]]
// CHECK: scf.yield %[[NEXT]]
// CHECK: memref.store %[[SUM]], %[[C]][
func.func private @op_matmul_0(%a: memref<4x8xf32>, %b: memref<8x16xf32>, %c: memref<4x16xf32>) attributes {pruner.work = {}} {
  linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<8x16xf32>) outs(%c : memref<4x16xf32>)
  return
}

// -----

// Two nested reductions, and two results.
// CHECK-LABEL: gpu.func @op_generic_0(
// CHECK: %[[OUTER:.*]]:2 = scf.for {{.*}} -> (f32, i32)
// CHECK: %[[INNER:.*]]:2 = scf.for {{.*}} -> (f32, i32)
// CHECK: scf.yield {{.*}} : f32, i32
// CHECK: scf.yield %[[INNER]]#0, %[[INNER]]#1 : f32, i32
// CHECK: memref.store %[[OUTER]]#0
// CHECK: memref.store %[[OUTER]]#1
#in = affine_map<(i, j, k) -> (i, j, k)>
#out = affine_map<(i, j, k) -> (i)>
func.func private @op_generic_0(%x: memref<3x4x5xf32>, %y: memref<3xf32>, %z: memref<3xi32>) attributes {pruner.work = {}} {
  linalg.generic {indexing_maps = [#in, #out, #out], iterator_types = ["parallel", "reduction", "reduction"]} ins(%x : memref<3x4x5xf32>) outs(%y, %z : memref<3xf32>, memref<3xi32>) {
  ^bb0(%a: f32, %s: f32, %n: i32):
    %t = arith.addf %a, %s : f32
    %one = arith.constant 1 : i32
    %m = arith.addi %n, %one : i32
    linalg.yield %t, %m : f32, i32
  }
  return
}

// -----

// A result at computed places is updated in memory, by one thread.
// CHECK-LABEL: gpu.func @op_generic_0(
// CHECK-SAME: %[[X:.*]]: memref<3x3xf32>, %[[Y:.*]]: memref<5xf32>) kernel
// CHECK: scf.for
// CHECK: scf.for
// CHECK: memref.load %[[Y]]
// CHECK: memref.store {{.*}}, %[[Y]]
#sum = affine_map<(i, j) -> (i + j)>
#ij = affine_map<(i, j) -> (i, j)>
func.func private @op_generic_0(%x: memref<3x3xf32>, %y: memref<5xf32>) attributes {pruner.work = {}} {
  linalg.generic {indexing_maps = [#ij, #sum], iterator_types = ["reduction", "reduction"]} ins(%x : memref<3x3xf32>) outs(%y : memref<5xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// Scalars are arguments; constants move into the kernel; buffers that the body
// reads are arguments as well. A failed check ends the thread.
// CHECK: module attributes {gpu.container_module, pruner.checks = ["out of range", "negative"]}
// CHECK: func.func private @pruner_network_status_memory() -> memref<1xi32>
// CHECK-LABEL: func.func private @op_generic_0(
// CHECK: %[[STATUS:.*]] = call @pruner_network_status_memory() : () -> memref<1xi32>
// CHECK: gpu.launch_func @operation_kernels::@op_generic_0 {{.*}} args(%{{.*}} : memref<8xi64>, %{{.*}} : memref<64xf32>, %{{.*}} : f32, %{{.*}} : memref<8xf32>, %[[STATUS]] : memref<1xi32>)
// CHECK-LABEL: gpu.func @op_generic_0(
// CHECK-SAME: %[[AT:.*]]: memref<8xi64>, %[[TABLE:.*]]: memref<64xf32>, %[[S:.*]]: f32, %{{.*}}: memref<8xf32>, %[[OWN:.*]]: memref<1xi32>) kernel
// CHECK: scf.if
// CHECK: scf.if
// CHECK: %[[FIRST:.*]] = arith.constant 1 : i32
// CHECK: memref.store %[[FIRST]], %[[OWN]]
// CHECK-NEXT: nvvm.exit
// CHECK: scf.if
// CHECK: %[[SECOND:.*]] = arith.constant 2 : i32
// CHECK: memref.store %[[SECOND]], %[[OWN]]
// CHECK-NEXT: nvvm.exit
// CHECK: memref.load %[[TABLE]]
#id = affine_map<(i) -> (i)>
func.func private @op_generic_0(%at: memref<8xi64>, %table: memref<64xf32>, %s: f32, %y: memref<8xf32>) attributes {pruner.work = {}} {
  %c64 = arith.constant 64 : i64
  %c0 = arith.constant 0 : i64
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%at : memref<8xi64>) outs(%y : memref<8xf32>) {
  ^bb0(%n: i64, %o: f32):
    %in = arith.cmpi slt, %n, %c64 : i64
    cf.assert %in, "out of range"
    %positive = arith.cmpi sge, %n, %c0 : i64
    cf.assert %positive, "negative"
    %k = arith.index_cast %n : i64 to index
    %v = memref.load %table[%k] : memref<64xf32>
    %r = arith.mulf %v, %s : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// Nothing to compute.
// CHECK: module attributes {pruner.checks = []}
// CHECK-LABEL: func.func private @op_fill_0(
// CHECK-NOT: gpu.launch_func
// CHECK: return
func.func private @op_fill_0(%y: memref<0x4xf32>) attributes {pruner.work = {}} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<0x4xf32>)
  return
}

// -----

// Too many elements for indices of 32 bits.
// CHECK-LABEL: gpu.func @op_fill_0(
// CHECK: arith.constant 4294967296 : index
// CHECK: arith.cmpi ult, {{.*}} : index
func.func private @op_fill_0(%y: memref<65536x65536xi8>) attributes {pruner.work = {}} {
  %zero = arith.constant 0 : i8
  linalg.fill ins(%zero : i8) outs(%y : memref<65536x65536xi8>)
  return
}
