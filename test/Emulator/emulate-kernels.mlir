// RUN: pruner-opt %s --pruner-emulate-kernels='check-races=false check-bounds=false' | FileCheck %s --check-prefix=PLAIN
// RUN: pruner-opt %s --pruner-emulate-kernels | FileCheck %s --check-prefix=CHECKED
// RUN: pruner-opt %s --pruner-emulate-kernels='check-bounds=false check-global' | FileCheck %s --check-prefix=GLOBAL

// PLAIN-LABEL: module @copy
// PLAIN: func.func private @pruner_emulator_barrier(i32)
// The arguments, the buffer of the block, and 12 indices: block, thread, block
// extent, grid extent. Memory spaces are removed.
// PLAIN: func.func @pruner_emulated(%[[X:[a-z0-9]+]]: memref<8xf32>, %[[S:[a-z0-9]+]]: memref<8xf32>,
// PLAIN-SAME: %{{[a-z0-9]+}}: index, %{{[a-z0-9]+}}: index, %{{[a-z0-9]+}}: index, %[[TX:[a-z0-9]+]]: index,
// PLAIN-NEXT: %[[V:.*]] = memref.load %[[X]][%[[TX]]] : memref<8xf32>
// PLAIN-NEXT: memref.store %[[V]], %[[S]][%[[TX]]] : memref<8xf32>
// PLAIN-NEXT: %[[SITE:.*]] = arith.constant 0 : i32
// PLAIN-NEXT: call @pruner_emulator_barrier(%[[SITE]])
// PLAIN-NEXT: return

// Both accesses are checked for bounds, the one to workgroup memory for races.
// CHECKED-LABEL: func.func @pruner_emulated
// CHECKED: call @pruner_emulator_check_bounds
// CHECKED-NOT: call @pruner_emulator_access
// CHECKED: memref.load
// CHECKED: call @pruner_emulator_check_bounds
// CHECKED: call @pruner_emulator_access
// CHECKED-NEXT: memref.store
// CHECKED: call @pruner_emulator_barrier

// GLOBAL-LABEL: func.func @pruner_emulated
// GLOBAL-NOT: scf.if
// GLOBAL: call @pruner_emulator_access
// GLOBAL-NEXT: memref.load
// GLOBAL: call @pruner_emulator_access
// GLOBAL-NEXT: memref.store

#wg = #gpu.address_space<workgroup>
gpu.module @kernels {
  gpu.func @copy(%x: memref<8xf32>) workgroup(%s: memref<8xf32, #wg>) kernel {
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<8xf32>
    memref.store %v, %s[%t] : memref<8xf32, #wg>
    gpu.barrier
    gpu.return
  }
}
