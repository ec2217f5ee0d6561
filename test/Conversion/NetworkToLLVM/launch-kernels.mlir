// RUN: pruner-opt %s --pruner-launch-kernels | FileCheck %s

// Kernels are numbered in the order of their first launch; each has the most
// dynamic shared memory of its launches. Constants have places at multiples of
// 256 bytes.
// CHECK: module attributes {
// CHECK-SAME: pruner.device = {constant_bytes = 768 : i64, constant_places = array<i64: 0, 256>, constants = [@table, @flags], kernels = ["first", "second"], shared = array<i64: 50000, 0>}
module attributes {gpu.container_module} {
  gpu.binary @kernels [#gpu.object<#nvvm.target, assembly = "">]
  memref.global "private" constant @table : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
  memref.global "private" constant @flags : memref<300xi1> = dense<true>

  // CHECK-LABEL: func.func @main(
  // CHECK-SAME: %[[X:[a-z0-9]+]]: memref<8x4xf32>, %[[Y:[a-z0-9]+]]: memref<8x4xf32>, %[[S:[a-z0-9]+]]: f32, %[[H:[a-z0-9]+]]: f16, %[[N:[a-z0-9]+]]: index)
  func.func @main(%x: memref<8x4xf32>, %y: memref<8x4xf32>, %s: f32, %h: f16, %n: index) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %shared = arith.constant 50000 : i32
    // Buffers are addresses, scalars their bits.
    // CHECK: %[[KERNEL:.*]] = arith.constant 0 : i32
    // CHECK-DAG: %[[GX:.*]] = arith.index_cast %c2 : index to i32
    // CHECK-DAG: %[[BX:.*]] = arith.index_cast %c64 : index to i32
    // CHECK: %[[DYNAMIC:.*]] = arith.constant 50000 : i32
    // CHECK: %[[LIST:.*]] = memref.alloca() : memref<4xi64>
    // CHECK: memref.extract_aligned_pointer_as_index %[[X]]
    // CHECK: memref.store {{.*}}, %[[LIST]]
    // CHECK: %[[BITS:.*]] = arith.bitcast %[[S]] : f32 to i32
    // CHECK: arith.extui %[[BITS]] : i32 to i64
    // CHECK: memref.store {{.*}}, %[[LIST]]
    // CHECK: arith.bitcast %[[H]] : f16 to i16
    // CHECK: arith.index_cast %[[N]] : index to i64
    // CHECK: %[[AT:.*]] = memref.extract_aligned_pointer_as_index %[[LIST]]
    // CHECK: %[[VALUES:.*]] = arith.index_cast %[[AT]] : index to i64
    // CHECK: %[[COUNT:.*]] = arith.constant 4 : i32
    // CHECK: call @pruner_network_launch(%[[KERNEL]], %[[GX]], %{{.*}}, %{{.*}}, %[[BX]], %{{.*}}, %{{.*}}, %[[DYNAMIC]], %[[VALUES]], %[[COUNT]])
    gpu.launch_func @kernels::@first blocks in (%c2, %c1, %c1) threads in (%c64, %c1, %c1) dynamic_shared_memory_size %shared args(%x : memref<8x4xf32>, %s : f32, %h : f16, %n : index)
    // CHECK: %[[KERNEL:.*]] = arith.constant 1 : i32
    // CHECK: memref.alloca() : memref<1xi64>
    // CHECK: %[[COUNT:.*]] = arith.constant 0 : i32
    // CHECK: call @pruner_network_launch(%[[KERNEL]], {{.*}}, %[[COUNT]])
    gpu.launch_func @kernels::@second blocks in (%c2, %c1, %c1) threads in (%c64, %c1, %c1)
    // CHECK: arith.constant 0 : i32
    // CHECK: call @pruner_network_launch
    gpu.launch_func @kernels::@first blocks in (%c2, %c1, %c1) threads in (%c64, %c1, %c1) args(%x : memref<8x4xf32>, %s : f32, %h : f16, %n : index)
    // A part begins where its offset says.
    // CHECK: %[[PART:.*]] = memref.subview %[[X]]
    // CHECK: %[[TO:.*]] = memref.subview %[[Y]]
    // CHECK: memref.extract_strided_metadata %[[TO]]
    // CHECK: memref.extract_strided_metadata %[[PART]]
    // CHECK: %[[BYTES:.*]] = arith.constant 32 : i64
    // CHECK: call @pruner_network_copy(%{{.*}}, %{{.*}}, %[[BYTES]])
    %part = memref.subview %x[%n, 0] [2, 4] [1, 1] : memref<8x4xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
    %to = memref.subview %y[0, 0] [2, 4] [1, 1] : memref<8x4xf32> to memref<2x4xf32, strided<[4, 1]>>
    memref.copy %part, %to : memref<2x4xf32, strided<[4, 1], offset: ?>> to memref<2x4xf32, strided<[4, 1]>>
    // CHECK-NOT: memref.get_global
    // CHECK: %[[MEMORY:.*]] = call @pruner_network_constant_memory() : () -> memref<768xi8>
    // CHECK: %[[PLACE:.*]] = arith.constant 0 : index
    // CHECK: memref.view %[[MEMORY]][%[[PLACE]]][] : memref<768xi8> to memref<4xf32>
    // CHECK: %[[MEMORY:.*]] = call @pruner_network_constant_memory()
    // CHECK: %[[PLACE:.*]] = arith.constant 256 : index
    // CHECK: memref.view %[[MEMORY]][%[[PLACE]]][] : memref<768xi8> to memref<300xi1>
    %table = memref.get_global @table : memref<4xf32>
    %flags = memref.get_global @flags : memref<300xi1>
    call @use(%table, %flags) : (memref<4xf32>, memref<300xi1>) -> ()
    return
  }
  func.func private @use(memref<4xf32>, memref<300xi1>)
}
