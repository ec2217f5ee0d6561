// A 64 x 64 block of C = A * B in 16 steps of k, 256 threads with 4 x 4
// accumulators each, both operands staged in shared memory.
//
// RUN: pruner-opt %s --pruner-to-nvvm='min-blocks-per-sm=2' -o %t.mlir
// RUN: FileCheck %s --check-prefix=NVVM --input-file=%t.mlir
// RUN: pruner-translate %t.mlir --to=ptx --chip=sm_70 | FileCheck %s --check-prefixes=PTX,SM70
// RUN: pruner-translate %t.mlir --to=ptx --chip=sm_80 | FileCheck %s --check-prefixes=PTX,SM80
// RUN: pruner-translate %t.mlir --to=ptx --chip=sm_90a | FileCheck %s --check-prefixes=PTX,SM90
// RUN: pruner-translate %t.mlir --to=ptx --chip=sm_80 --ptx-version=78 | FileCheck %s --check-prefix=NEWER

// NVVM: llvm.mlir.global internal @{{.*}}() {addr_space = 3 : i32, alignment = 128 : i64}
// NVVM: llvm.func @sgemm(%{{.*}}: !llvm.ptr {llvm.align = 16 : i64, llvm.noalias, llvm.nonnull}
// NVVM-SAME: nvvm.kernel
// NVVM-SAME: nvvm.maxntid = array<i32: 16, 16, 1>
// NVVM-SAME: nvvm.minctasm = 2
// NVVM: nvvm.barrier
// NVVM-NOT: unrealized_conversion_cast

// SM70: .version 6.0
// SM70: .target sm_70
// SM80: .version 7.0
// SM80: .target sm_80
// SM90: .version 8.0
// SM90: .target sm_90a
// NEWER: .version 7.8
// PTX-NOT: .extern
// PTX: .visible .entry sgemm(
// PTX: .maxntid 16, 16, 1
// PTX: .minnctapersm 2
// PTX: ld.global{{.*}}.v4
// PTX: st.shared.v4
// PTX: bar.sync
// PTX: ld.shared.v4
// PTX: fma.rn.f32
// PTX: st.global{{.*}}.v4

gpu.module @kernels {
  gpu.func @sgemm(%a: memref<256x256xf32>, %b: memref<256x256xf32>, %c: memref<256x256xf32>)
      workgroup(%sa : memref<16x64xf32, #gpu.address_space<workgroup>>,
                %sb : memref<16x64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 16, 16, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %row0 = arith.muli %by, %c64 : index
    %column0 = arith.muli %bx, %c64 : index
    %tx4 = arith.muli %tx, %c4 : index
    %ty4 = arith.muli %ty, %c4 : index
    %aColumn = arith.addi %row0, %tx4 : index
    %bColumn = arith.addi %column0, %tx4 : index
    // A is read as A^T here: k rows of 64 values, like B.
    %r:4 = scf.for %k0 = %c0 to %c256 step %c16
        iter_args(%i0 = %zero, %i1 = %zero, %i2 = %zero, %i3 = %zero)
        -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>) {
      %k = arith.addi %k0, %ty : index
      %va = vector.load %a[%k, %aColumn] {alignment = 16} : memref<256x256xf32>, vector<4xf32>
      %vb = vector.load %b[%k, %bColumn] {alignment = 16} : memref<256x256xf32>, vector<4xf32>
      vector.store %va, %sa[%ty, %tx4] {alignment = 16} : memref<16x64xf32, #gpu.address_space<workgroup>>, vector<4xf32>
      vector.store %vb, %sb[%ty, %tx4] {alignment = 16} : memref<16x64xf32, #gpu.address_space<workgroup>>, vector<4xf32>
      gpu.barrier
      %s:4 = scf.for %kk = %c0 to %c16 step %c1
          iter_args(%j0 = %i0, %j1 = %i1, %j2 = %i2, %j3 = %i3)
          -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>) {
        %x = vector.load %sa[%kk, %ty4] {alignment = 16} : memref<16x64xf32, #gpu.address_space<workgroup>>, vector<4xf32>
        %y = vector.load %sb[%kk, %tx4] {alignment = 16} : memref<16x64xf32, #gpu.address_space<workgroup>>, vector<4xf32>
        %x0 = vector.extract %x[0] : f32 from vector<4xf32>
        %x1 = vector.extract %x[1] : f32 from vector<4xf32>
        %x2 = vector.extract %x[2] : f32 from vector<4xf32>
        %x3 = vector.extract %x[3] : f32 from vector<4xf32>
        %b0 = vector.broadcast %x0 : f32 to vector<4xf32>
        %b1 = vector.broadcast %x1 : f32 to vector<4xf32>
        %b2 = vector.broadcast %x2 : f32 to vector<4xf32>
        %b3 = vector.broadcast %x3 : f32 to vector<4xf32>
        %n0 = vector.fma %b0, %y, %j0 : vector<4xf32>
        %n1 = vector.fma %b1, %y, %j1 : vector<4xf32>
        %n2 = vector.fma %b2, %y, %j2 : vector<4xf32>
        %n3 = vector.fma %b3, %y, %j3 : vector<4xf32>
        scf.yield %n0, %n1, %n2, %n3 : vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>
      }
      gpu.barrier
      scf.yield %s#0, %s#1, %s#2, %s#3 : vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>
    }
    %row = arith.addi %row0, %ty4 : index
    %row1 = arith.addi %row, %c1 : index
    %row2 = arith.addi %row, %c2 : index
    %row3 = arith.addi %row, %c3 : index
    vector.store %r#0, %c[%row, %bColumn] {alignment = 16} : memref<256x256xf32>, vector<4xf32>
    vector.store %r#1, %c[%row1, %bColumn] {alignment = 16} : memref<256x256xf32>, vector<4xf32>
    vector.store %r#2, %c[%row2, %bColumn] {alignment = 16} : memref<256x256xf32>, vector<4xf32>
    vector.store %r#3, %c[%row3, %bColumn] {alignment = 16} : memref<256x256xf32>, vector<4xf32>
    gpu.return
  }
}
