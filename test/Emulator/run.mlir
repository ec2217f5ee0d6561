// RUN: pruner-emulate %s --kernel=reverse --grid=2 --block=4 --print=0,1 --poison=1 2>&1 | FileCheck %s --check-prefix=IOTA --match-full-lines
// IOTA-DAG: argument 0: 0 1 2 3 4 5 6 7
// IOTA-DAG: argument 1: 3 2 1 0 7 6 5 4
// IOTA-DAG: blocks 2, threads 8, barriers 8, shuffles 0, async copies 0, checked accesses: shared 16, global 0

// RUN: pruner-emulate %s --kernel=reverse --grid=1 --block=4 --print=1 --fill=ones --poison=1 --check-global 2>&1 | FileCheck %s --check-prefix=PART --match-full-lines
// Elements that no thread wrote are still poison.
// PART-DAG: argument 1: 1 1 1 1 nan nan nan nan
// PART-DAG: blocks 1, threads 4, barriers 4, shuffles 0, async copies 0, checked accesses: shared 8, global 8

// RUN: pruner-emulate %s --kernel=scaled --block=4 --print=0 --scalars=2.5,3 2>/dev/null | FileCheck %s --check-prefix=SCALARS --match-full-lines
// SCALARS: argument 0: 5.5 5.5 5.5 5.5

// A copy of no elements writes zeros and reads nothing, wherever it is. Threads
// 2 and 3 are behind the argument.
// RUN: pruner-emulate %s --kernel=no_elements --block=4 --print=1 --poison=1 2>/dev/null | FileCheck %s --check-prefix=EMPTY --match-full-lines
// EMPTY: argument 1: 0 1 2 3 4 5 6 7 0 0 0 0 0 0 0 0

#wg = #gpu.address_space<workgroup>
gpu.module @kernels {
  gpu.func @reverse(%in: memref<8xf32>, %out: memref<8xf32>)
      workgroup(%s: memref<4xf32, #wg>) kernel {
    %c3 = arith.constant 3 : index
    %t = gpu.thread_id x
    %g = gpu.global_id x
    %v = memref.load %in[%g] : memref<8xf32>
    memref.store %v, %s[%t] : memref<4xf32, #wg>
    gpu.barrier
    %r = arith.subi %c3, %t : index
    %w = memref.load %s[%r] : memref<4xf32, #wg>
    memref.store %w, %out[%g] : memref<8xf32>
    gpu.return
  }
  gpu.func @scaled(%out: memref<4xf16>, %a: f16, %b: i32) kernel {
    %t = gpu.thread_id x
    %f = arith.sitofp %b : i32 to f16
    %v = arith.addf %a, %f : f16
    memref.store %v, %out[%t] : memref<4xf16>
    gpu.return
  }
  gpu.func @no_elements(%in: memref<8xf32>, %out: memref<16xf32>)
      workgroup(%s: memref<16xf32, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %t = gpu.thread_id x
    %at = arith.muli %t, %c4 : index
    %inside = arith.cmpi ult, %t, %c2 : index
    %count = arith.select %inside, %c4, %c0 : index
    %k = nvgpu.device_async_copy %in[%at], %s[%at], 4, %count : memref<8xf32> to memref<16xf32, #wg>
    %g = nvgpu.device_async_create_group %k
    nvgpu.device_async_wait %g
    %v = vector.load %s[%at] : memref<16xf32, #wg>, vector<4xf32>
    vector.store %v, %out[%at] : memref<16xf32>, vector<4xf32>
    gpu.return
  }
}
