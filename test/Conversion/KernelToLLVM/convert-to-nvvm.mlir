// RUN: pruner-opt %s --pass-pipeline='builtin.module(gpu.module(pruner-convert-to-nvvm{index-bitwidth=32 min-blocks-per-sm=3}))' | FileCheck %s
// RUN: pruner-opt %s --pass-pipeline='builtin.module(gpu.module(pruner-convert-to-nvvm))' | FileCheck %s --check-prefixes=WIDE,MARKED

// Bare pointers. Workgroup memory becomes a variable of the module. The size of
// a block and the required number of blocks become directives of the assembler.
// CHECK-LABEL: gpu.module @kernels
// CHECK: llvm.mlir.global internal @__wg_k_0() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<32 x f32>
// CHECK: llvm.func @k(%{{[^,]*}}: !llvm.ptr) attributes {
// CHECK-SAME: nvvm.kernel
// CHECK-SAME: nvvm.maxntid = array<i32: 32, 1, 1>
// CHECK-SAME: nvvm.minctasm = 3 : i32
// CHECK: %[[T:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK-NOT: sext
// CHECK: llvm.getelementptr {{.*}}[%[[T]]] : (!llvm.ptr, i32) -> !llvm.ptr, f32
// CHECK-NOT: sext
// CHECK: nvvm.barrier
// CHECK: llvm.return

// Kernels that are not marked have indices of 64 bits. No required number of blocks.
// WIDE: llvm.func @k(
// WIDE-NOT: nvvm.minctasm
// WIDE: %[[T:.*]] = nvvm.read.ptx.sreg.tid.x
// WIDE: %[[I:.*]] = llvm.sext %[[T]] : i32 to i64
// WIDE: llvm.getelementptr {{.*}}[%[[I]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
gpu.module @kernels {
  gpu.func @k(%p: memref<32xf32>) workgroup(%s: memref<32xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %x = memref.load %p[%t] : memref<32xf32>
    memref.store %x, %s[%t] : memref<32xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %y = memref.load %s[%t] : memref<32xf32, #gpu.address_space<workgroup>>
    memref.store %y, %p[%t] : memref<32xf32>
    gpu.return
  }

  // A function that kernels call has no blocks.
  // CHECK: llvm.func @helper(%{{.*}}: f32) -> f32 {
  func.func @helper(%x: f32) -> f32 {
    return %x : f32
  }
}

// Asynchronous copies have indices of the same width.
gpu.module @copies {
  // CHECK-LABEL: llvm.func @copies(
  // CHECK: %[[T:.*]] = nvvm.read.ptx.sreg.tid.x
  // CHECK-NOT: builtin.unrealized_conversion_cast
  // CHECK: llvm.getelementptr {{.*}}[%{{.*}}] : (!llvm.ptr, i32) -> !llvm.ptr, f32
  // CHECK: nvvm.cp.async.shared.global
  // CHECK: nvvm.cp.async.commit.group
  // CHECK: nvvm.cp.async.wait.group 0
  gpu.func @copies(%p: memref<32xf32>) workgroup(%s: memref<32xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %copy = nvgpu.device_async_copy %p[%t], %s[%t], 1 : memref<32xf32> to memref<32xf32, #gpu.address_space<workgroup>>
    %group = nvgpu.device_async_create_group %copy
    nvgpu.device_async_wait %group {numGroups = 0 : i32}
    gpu.return
  }
}

// Without a width, the attributes of the kernels decide. One that is not marked
// suffices for 64 bits.
gpu.module @narrow {
  // MARKED-LABEL: llvm.func @narrow(
  // MARKED: llvm.getelementptr {{.*}} : (!llvm.ptr, i32) -> !llvm.ptr, f32
  gpu.func @narrow(%p: memref<32xf32>) kernel attributes {pruner.narrow_indices} {
    %t = gpu.thread_id x
    %x = memref.load %p[%t] : memref<32xf32>
    memref.store %x, %p[%t] : memref<32xf32>
    gpu.return
  }
}
gpu.module @mixed {
  // MARKED-LABEL: llvm.func @marked(
  // MARKED: llvm.getelementptr {{.*}} : (!llvm.ptr, i64) -> !llvm.ptr, f32
  gpu.func @marked(%p: memref<32xf32>) kernel attributes {pruner.narrow_indices} {
    %t = gpu.thread_id x
    %x = memref.load %p[%t] : memref<32xf32>
    memref.store %x, %p[%t] : memref<32xf32>
    gpu.return
  }
  gpu.func @other(%p: memref<32xf32>) kernel {
    gpu.return
  }
}

// Host code does not change.
// CHECK: func.func @host(%{{.*}}: memref<?xf32>)
func.func @host(%p: memref<?xf32>) {
  return
}
