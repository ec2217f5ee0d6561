// Broken kernels: each must be caught, with the ops, threads and places named.

// RUN: not pruner-emulate %s --kernel=missing_barrier --block=8 2>&1 | FileCheck %s --check-prefix=RAW --match-full-lines
// RAW: error: data race on element [1] of workgroup buffer 0 (memref<8xf32>): memref.load at "use" by thread (0, 0, 0) of block (0, 0, 0) and memref.store at "fill" by thread (1, 0, 0) of block (0, 0, 0) with no gpu.barrier between them
// RUN: not pruner-emulate %s --kernel=missing_second_barrier --block=8 2>&1 | FileCheck %s --check-prefix=WAR --match-full-lines
// WAR: error: data race on element [1] of workgroup buffer 0 (memref<8xf32>): memref.load at "use" by thread (0, 0, 0) of block (0, 0, 0) and memref.store at "refill" by thread (1, 0, 0) of block (0, 0, 0) with no gpu.barrier between them
// RUN: not pruner-emulate %s --kernel=write_write --block=8 2>&1 | FileCheck %s --check-prefix=WAW --match-full-lines
// WAW: error: data race on element [0, 0] of workgroup buffer 0 (memref<2x2xf32>): memref.store at "pair" by thread (0, 0, 0) of block (0, 0, 0) and memref.store at "pair" by thread (1, 0, 0) of block (0, 0, 0) with no gpu.barrier between them
// RUN: not pruner-emulate %s --kernel=divergent_end --block=8 2>&1 | FileCheck %s --check-prefix=END --match-full-lines
// END: error: threads of block (0, 0, 0) diverge at a barrier: 3 at gpu.barrier at "inner", first thread (0, 0, 0); 5 at the end, first thread (3, 0, 0)
// RUN: not pruner-emulate %s --kernel=divergent_sites --block=4,2 2>&1 | FileCheck %s --check-prefix=SITES --match-full-lines
// SITES: error: threads of block (0, 0, 0) diverge at a barrier: 4 at gpu.barrier at "then", first thread (0, 0, 0); 4 at gpu.barrier at "else", first thread (0, 1, 0)
// RUN: not pruner-emulate %s --kernel=divergent_shuffle --block=64 2>&1 | FileCheck %s --check-prefix=SHUFFLE --match-full-lines
// SHUFFLE: error: threads of block (0, 0, 0) diverge at a warp-wide op: 16 at gpu.shuffle at "half", first thread (0, 0, 0); 48 at the end, first thread (16, 0, 0)
// RUN: not pruner-emulate %s --kernel=shuffle_widths --block=32 2>&1 | FileCheck %s --check-prefix=WIDTHS --match-full-lines
// WIDTHS: error: gpu.shuffle at "uneven" by thread (8, 0, 0) of block (0, 0, 0) has width 16, but 32 in thread (0, 0, 0)
// RUN: not pruner-emulate %s --kernel=shared_overrun --block=8 2>&1 | FileCheck %s --check-prefix=SHARED --match-full-lines
// SHARED: error: memref.store at "over" by thread (4, 0, 0) of block (0, 0, 0): index 8 is out of bounds for dimension 1 of extent 8
// RUN: not pruner-emulate %s --kernel=shared_overread --block=8 2>&1 | FileCheck %s --check-prefix=OVERREAD --match-full-lines
// OVERREAD: error: memref.load at "over" by thread (7, 0, 0) of block (0, 0, 0): index 8 is out of bounds for dimension 0 of extent 8
// RUN: not pruner-emulate %s --kernel=async_overread --block=4 2>&1 | FileCheck %s --check-prefix=ASYNCSRC --match-full-lines
// ASYNCSRC: error: nvgpu.device_async_copy at "copy" by thread (3, 0, 0) of block (0, 0, 0): range 12 to 15 is out of bounds for dimension 0 of extent 14
// RUN: not pruner-emulate %s --kernel=async_overrun --block=4 2>&1 | FileCheck %s --check-prefix=ASYNCDST --match-full-lines
// ASYNCDST: error: nvgpu.device_async_copy at "copy" by thread (2, 0, 0) of block (0, 0, 0): range 8 to 11 is out of bounds for dimension 0 of extent 8
// RUN: not pruner-emulate %s --kernel=uneven_loop --block=4 2>&1 | FileCheck %s --check-prefix=LOOP --match-full-lines
// LOOP: error: threads of block (0, 0, 0) diverge at a barrier: 1 at the end, first thread (0, 0, 0); 3 at gpu.barrier at "turn", first thread (1, 0, 0)
// RUN: not pruner-emulate %s --kernel=global_overrun --grid=3 --block=8 2>&1 | FileCheck %s --check-prefix=GLOBAL --match-full-lines
// GLOBAL: error: vector.load at "over" by thread (5, 0, 0) of block (1, 0, 0): range 26 to 29 is out of bounds for dimension 0 of extent 28
// RUN: not pruner-emulate %s --kernel=masked_overrun --block=8 2>&1 | FileCheck %s --check-prefix=MASKED --match-full-lines
// MASKED: error: vector.maskedstore at "over" by thread (3, 0, 0) of block (0, 0, 0): range 12 to 14 is out of bounds for dimension 0 of extent 14
// RUN: not pruner-emulate %s --kernel=async_no_wait --block=8 2>&1 | FileCheck %s --check-prefix=ASYNC --match-full-lines
// ASYNC: error: memref.load at "use" by thread (0, 0, 0) of block (0, 0, 0) touches element [1] of workgroup buffer 0 (memref<8xf32>) before nvgpu.device_async_copy at "copy" by thread (1, 0, 0) of block (0, 0, 0) was waited for
// RUN: not pruner-emulate %s --kernel=async_no_barrier --block=8 2>&1 | FileCheck %s --check-prefix=ASYNCBAR --match-full-lines
// ASYNCBAR: error: data race on element [0] of workgroup buffer 0 (memref<8xf32>): nvgpu.device_async_copy at "copy" by thread (0, 0, 0) of block (0, 0, 0) and memref.load at "use" by thread (7, 0, 0) of block (0, 0, 0) with no gpu.barrier between them
// RUN: not pruner-emulate %s --kernel=async_misaligned --block=2 2>&1 | FileCheck %s --check-prefix=ALIGN --match-full-lines
// ALIGN: error: nvgpu.device_async_copy at "copy" by thread (1, 0, 0) of block (0, 0, 0) reads from byte 4 of argument 0 (memref<16xf32>), which is not a multiple of 16 bytes
// RUN: not pruner-emulate %s --kernel=misaligned --block=2 2>&1 | FileCheck %s --check-prefix=VALIGN --match-full-lines
// VALIGN: error: vector.load at "wide" by thread (1, 0, 0) of block (0, 0, 0) is at byte 4 of argument 0 (memref<16xf32>), which is not a multiple of 16 bytes
// RUN: not pruner-emulate %s --kernel=blocks_collide --grid=2 --block=4 --check-global 2>&1 | FileCheck %s --check-prefix=BLOCKS --match-full-lines
// BLOCKS: error: data race on element [0] of argument 0 (memref<8xf32>): memref.store at "out" by thread (0, 0, 0) of block (0, 0, 0) and memref.store at "out" by thread (0, 0, 0) of block (1, 0, 0); nothing orders two blocks
// RUN: not pruner-emulate %s --kernel=blocks_read --grid=2 --block=4 --check-global 2>&1 | FileCheck %s --check-prefix=READ --match-full-lines
// READ: error: data race on element [0] of argument 0 (memref<8xf32>): memref.load at "in" by thread (0, 0, 0) of block (0, 0, 0) and memref.store at "out" by thread (0, 0, 0) of block (1, 0, 0); nothing orders two blocks

// RUN: not pruner-emulate %s --kernel=unsupported --block=4 2>&1 | FileCheck %s --check-prefix=OP --match-full-lines
// OP: error: loc("say"): 'gpu.printf' op is not supported by the emulator
// RUN: not pruner-emulate %s --kernel=nothing 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: no kernel named 'nothing' in
// RUN: not pruner-emulate %s --kernel=blocks_read --block=64,32 2>&1 | FileCheck %s --check-prefix=LARGE --match-full-lines
// LARGE: error: a block of 2048 threads is larger than 1024

// With the checks off a missing barrier shows only in the result.
// RUN: pruner-emulate %s --kernel=missing_barrier --block=8 --check-races=false --print=0 2>/dev/null | FileCheck %s --check-prefix=OFF --match-full-lines
// OFF: argument 0: nan nan nan nan nan nan nan 0

#wg = #gpu.address_space<workgroup>
gpu.module @kernels {
  gpu.func @missing_barrier(%x: memref<8xf32>) workgroup(%s: memref<8xf32, #wg>) kernel {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<8xf32>
    memref.store %v, %s[%t] : memref<8xf32, #wg> loc("fill")
    %n = arith.addi %t, %c1 : index
    %m = arith.remui %n, %c8 : index
    %w = memref.load %s[%m] : memref<8xf32, #wg> loc("use")
    memref.store %w, %x[%t] : memref<8xf32>
    gpu.return
  }
  gpu.func @missing_second_barrier(%x: memref<8xf32>) workgroup(%s: memref<8xf32, #wg>) kernel {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<8xf32>
    memref.store %v, %s[%t] : memref<8xf32, #wg> loc("fill")
    gpu.barrier
    %n = arith.addi %t, %c1 : index
    %m = arith.remui %n, %c8 : index
    %w = memref.load %s[%m] : memref<8xf32, #wg> loc("use")
    memref.store %w, %s[%t] : memref<8xf32, #wg> loc("refill")
    gpu.return
  }
  gpu.func @write_write(%x: memref<8xf32>) workgroup(%s: memref<2x2xf32, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<8xf32>
    %h = arith.divui %t, %c2 : index
    %r = arith.remui %h, %c2 : index
    memref.store %v, %s[%c0, %r] : memref<2x2xf32, #wg> loc("pair")
    gpu.return
  }
  gpu.func @divergent_end() kernel {
    %c3 = arith.constant 3 : index
    %t = gpu.thread_id x
    %p = arith.cmpi ult, %t, %c3 : index
    scf.if %p {
      gpu.barrier loc("inner")
    }
    gpu.return
  }
  gpu.func @divergent_sites() kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id y
    %p = arith.cmpi eq, %t, %c0 : index
    scf.if %p {
      gpu.barrier loc("then")
    } else {
      gpu.barrier loc("else")
    }
    gpu.return
  }
  gpu.func @divergent_shuffle(%x: memref<64xi32>) kernel {
    %c16 = arith.constant 16 : index
    %one = arith.constant 1 : i32
    %w = arith.constant 32 : i32
    %t = gpu.thread_id x
    %p = arith.cmpi ult, %t, %c16 : index
    scf.if %p {
      %v, %ok = gpu.shuffle xor %one, %one, %w : i32 loc("half")
      memref.store %v, %x[%t] : memref<64xi32>
    }
    gpu.return
  }
  gpu.func @shuffle_widths(%x: memref<32xi32>) kernel {
    %c8 = arith.constant 8 : index
    %one = arith.constant 1 : i32
    %w16 = arith.constant 16 : i32
    %w32 = arith.constant 32 : i32
    %t = gpu.thread_id x
    %p = arith.cmpi ult, %t, %c8 : index
    %w = arith.select %p, %w32, %w16 : i32
    %v, %ok = gpu.shuffle xor %one, %one, %w : i32 loc("uneven")
    memref.store %v, %x[%t] : memref<32xi32>
    gpu.return
  }
  gpu.func @shared_overrun(%x: memref<8xf32>) workgroup(%s: memref<1x8xf32, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<8xf32>
    %n = arith.muli %t, %c2 : index
    memref.store %v, %s[%c0, %n] : memref<1x8xf32, #wg> loc("over")
    gpu.return
  }
  gpu.func @shared_overread(%x: memref<8xf32>) workgroup(%s: memref<8xf32, #wg>) kernel {
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<8xf32>
    memref.store %v, %s[%t] : memref<8xf32, #wg>
    gpu.barrier
    %n = arith.addi %t, %c1 : index
    %w = memref.load %s[%n] : memref<8xf32, #wg> loc("over")
    memref.store %w, %x[%t] : memref<8xf32>
    gpu.return
  }
  gpu.func @async_overread(%x: memref<14xf32>) workgroup(%s: memref<16xf32, #wg>) kernel {
    %c4 = arith.constant 4 : index
    %t = gpu.thread_id x
    %at = arith.muli %t, %c4 : index
    %k = nvgpu.device_async_copy %x[%at], %s[%at], 4 : memref<14xf32> to memref<16xf32, #wg> loc("copy")
    gpu.return
  }
  gpu.func @async_overrun(%x: memref<16xf32>) workgroup(%s: memref<8xf32, #wg>) kernel {
    %c4 = arith.constant 4 : index
    %t = gpu.thread_id x
    %at = arith.muli %t, %c4 : index
    %k = nvgpu.device_async_copy %x[%at], %s[%at], 4 : memref<16xf32> to memref<8xf32, #wg> loc("copy")
    gpu.return
  }
  // Thread t goes round t + 1 times, with a barrier each time.
  gpu.func @uneven_loop() kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %n = arith.addi %t, %c1 : index
    scf.for %i = %c0 to %n step %c1 {
      gpu.barrier loc("turn")
    }
    gpu.return
  }
  gpu.func @global_overrun(%x: memref<28xf32>) kernel {
    %c2 = arith.constant 2 : index
    %d = gpu.block_dim x
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %bd = arith.muli %b, %d : index
    %g = arith.addi %bd, %t : index
    %n = arith.muli %g, %c2 : index
    %v = vector.load %x[%n] : memref<28xf32>, vector<4xf32> loc("over")
    vector.store %v, %x[%n] : memref<28xf32>, vector<4xf32>
    gpu.return
  }
  gpu.func @masked_overrun(%x: memref<14xf32>) kernel {
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %m = vector.create_mask %c3 : vector<4xi1>
    %t = gpu.thread_id x
    %n = arith.muli %t, %c4 : index
    vector.maskedstore %x[%n], %m, %zero : memref<14xf32>, vector<4xi1>, vector<4xf32> loc("over")
    gpu.return
  }
  gpu.func @async_no_wait(%x: memref<8xf32>) workgroup(%s: memref<8xf32, #wg>) kernel {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %t = gpu.thread_id x
    %a = nvgpu.device_async_copy %x[%t], %s[%t], 1 : memref<8xf32> to memref<8xf32, #wg> loc("copy")
    %g = nvgpu.device_async_create_group %a
    gpu.barrier
    %n = arith.addi %t, %c1 : index
    %m = arith.remui %n, %c8 : index
    %w = memref.load %s[%m] : memref<8xf32, #wg> loc("use")
    memref.store %w, %x[%t] : memref<8xf32>
    gpu.return
  }
  gpu.func @async_no_barrier(%x: memref<8xf32>) workgroup(%s: memref<8xf32, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %c7 = arith.constant 7 : index
    %t = gpu.thread_id x
    %a = nvgpu.device_async_copy %x[%t], %s[%t], 1 : memref<8xf32> to memref<8xf32, #wg> loc("copy")
    %g = nvgpu.device_async_create_group %a
    nvgpu.device_async_wait %g
    %p = arith.cmpi eq, %t, %c7 : index
    scf.if %p {
      %w = memref.load %s[%c0] : memref<8xf32, #wg> loc("use")
      memref.store %w, %x[%t] : memref<8xf32>
    }
    gpu.return
  }
  gpu.func @async_misaligned(%x: memref<16xf32>) workgroup(%s: memref<16xf32, #wg>) kernel {
    %c8 = arith.constant 8 : index
    %t = gpu.thread_id x
    %n = arith.muli %t, %c8 : index
    %a = nvgpu.device_async_copy %x[%t], %s[%n], 4 : memref<16xf32> to memref<16xf32, #wg> loc("copy")
    gpu.return
  }
  gpu.func @misaligned(%x: memref<16xf32>) kernel {
    %t = gpu.thread_id x
    %v = vector.load %x[%t] {alignment = 16} : memref<16xf32>, vector<4xf32> loc("wide")
    vector.store %v, %x[%t] : memref<16xf32>, vector<4xf32>
    gpu.return
  }
  gpu.func @blocks_collide(%x: memref<8xf32>) kernel {
    %zero = arith.constant 0.0 : f32
    %t = gpu.thread_id x
    memref.store %zero, %x[%t] : memref<8xf32> loc("out")
    gpu.return
  }
  gpu.func @blocks_read(%x: memref<8xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %v = memref.load %x[%c0] : memref<8xf32> loc("in")
    %one = arith.constant 1 : index
    %p = arith.cmpi eq, %b, %one : index
    scf.if %p {
      memref.store %v, %x[%t] : memref<8xf32> loc("out")
    }
    gpu.return
  }
  gpu.func @unsupported() kernel {
    gpu.printf "no" loc("say")
    gpu.return
  }
}
