// The analytical model on GPUs, in the paper's form. The machine
// (Inputs/gpu.json): 10 SMs of 4 x 32 lanes at 1 GHz, 1 TFLOP/s, 100 GB/s,
// sectors of 32 bytes.
// RUN: pruner-opt %s --pruner-psa="target=file:%S/Inputs/gpu.json form=paper" -verify-diagnostics
// RUN: pruner-opt %s --pruner-psa="target=file:%S/Inputs/gpu.json form=released" 2>&1 | FileCheck %s --check-prefix=RELEASED

// The released code counts no memory time for a statement that computes; its
// time is S8 over 1 TFLOP/s * 0.571.
// RELEASED: remark: map arg2: 0.01792 us, compute 0.01792 + memory 0, limited by operand loads of the register tile: 57 % of the peak
// RELEASED: remark: 0.01792 us on nvidia:round, most of it in statement 0

// RUN: pruner-opt %s --pruner-psa="target=file:%S/Inputs/gpu.json" 2>&1 | FileCheck %s --check-prefix=CYCLES
// A thread adds 8 elements, and loads and stores them by four, with 3
// instructions each, and begins with 40: 8 + 3 * 6 + 40 for each of 4 warps on
// 4 schedulers; the 40 on 64 integer lanes. 4 * 8 additions of 32 elements take 20.48 cycles of 50 lanes (1 TFLOP/s). A load
// accesses 1024 bytes in 8 lines, a store 32 sectors, two passes each: 4 * (2 *
// 2 * 8 + 2 * 64). All loads of a thread are in flight together.
// CYCLES: remark: map arg2: 1.49499 us, compute 1.14006, memory 1.2288, limited by memory bandwidth: 1.229e+05 bytes
// CYCLES: note: issue = 66, multiply-adds = 20.48, integer = 80, load/store = 640, tensor = 0, wait = 500, blocks = 1, registers = 32, spilled = 0, lanes used = 1, waves used = {{[0-9.]+}}, bytes = 122880

func.func @add(%a: memref<10240xf32>, %b: memref<10240xf32>, %c: memref<10240xf32>) {
  // expected-remark @below {{1.896 us on nvidia:round, most of it in statement 0}}
  pruner.kernel gpu domain (d0 = 10240) {
    pruner.band block (%i = d0 trips 10 step 1024) {
      pruner.band thread (%j = d0 trips 128 step 8) {
        // S1: 8 registers for each of 3 operands. S2: 8 additions of a thread.
        // S4: 128 threads. S5: 3 * 10240 elements of 4 bytes. S6: 10 blocks.
        // S7: threads and elements together run over 1024 elements.
        //
        // P_l0,c: rho = 1 + 8 / 24, rho / (rho + 1) = 0.571. 4 warps on 4
        // schedulers and 10 blocks on 10 SMs leave nothing idle. Each access
        // takes a lane 1 ns: 3 * 10240 / (10 * 32 lanes) = 0.096 us, more than
        // the additions.
        // In flight: 10 blocks * 128 threads * 32 bytes = 40960 of the 60000
        // that 100 GB/s * 600 ns need. 122880 bytes / (100 GB/s * 0.683) = 1.8 us.
        // expected-remark @below {{map arg2: 1.896 us, compute 0.096 + memory 1.8, limited by too few bytes in flight: 68 % of what the bandwidth needs}}
        // expected-note @below {{S1 = 24, S2 = 8, S3 = 0, S4 = 128, S5 = 122880, S6 = 10, S7 = 4096, S8 = 10240}}
        // expected-note @below {{P_l0,m = 1, P_l0,c = 0.571429, P_l1,m = 1, P_l1,c = 1, P_l2,m = 1, P_l2,c = 1, concurrency = 0.682667}}
        pruner.compute map at (%i, %j) loops (d0 unroll 8)
            ins(%a, %b : memref<10240xf32>, memref<10240xf32>)
            outs(%c : memref<10240xf32>)
            maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>,
                  affine_map<(d0) -> (d0)>] {
        ^bb0(%x: f32, %y: f32):
          %0 = arith.addf %x, %y : f32
          pruner.yield %0 : f32
        }
      }
    }
  }
  return
}

// Blocks of 8 threads leave 24 lanes of a warp and 3 of 4 schedulers idle: 8 of
// 128. 1280 * 1024 additions at 1 TFLOP/s * 0.0625 * 0.999 are 20.992 us.
func.func @lanes(%c: memref<1280xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  // expected-remark @below {{21.596 us on nvidia:round, most of it in statement 1}}
  pruner.kernel gpu domain (d0 = 1280, d1 = 1024 reduction) {
    pruner.band block (%i = d0 trips 160 step 8) {
      pruner.band thread (%j = d0 trips 8 step 1) {
        %acc = pruner.alloc "acc" at (%i, %j) shape [1]
            layout affine_map<(d0) -> (d0)>
            : memref<1xf32, #pruner.memory<local>>
        // expected-remark @below {{init acc: 0 us, compute 0 + memory 0, limited by idle lanes and schedulers: 8 threads use 6 %}}
        // expected-note @below {{S1 = 1, S2 = 0, S3 = 0, S4 = 8, S5 = 0, S6 = 160, S7 = 0, S8 = 0}}
        // expected-note @below {{P_l0,m = 1, P_l0,c = 1, P_l1,m = 1, P_l1,c = 0.0625, P_l2,m = 1, P_l2,c = 1, concurrency = 1}}
        pruner.compute init at (%i, %j) loops (d0 unroll 1) ins()
            outs(%acc : memref<1xf32, #pruner.memory<local>>)
            maps [affine_map<(d0, d1) -> (d0)>] {
          pruner.yield %zero : f32
        }
        // expected-remark @below {{update acc: 20.992 us, compute 20.992 + memory 0, limited by idle lanes and schedulers: 8 threads use 6 %}}
        // expected-note @below {{S1 = 1, S2 = 1024, S3 = 0, S4 = 8, S5 = 0, S6 = 160, S7 = 0, S8 = 1.31072e+06}}
        // expected-note @below {{P_l0,m = 1, P_l0,c = 0.999025, P_l1,m = 1, P_l1,c = 0.0625, P_l2,m = 1, P_l2,c = 1, concurrency = 1}}
        pruner.compute update at (%i, %j) loops (d1 serial 1024, d0 unroll 1) ins()
            outs(%acc : memref<1xf32, #pruner.memory<local>>)
            maps [affine_map<(d0, d1) -> (d0)>] {
        ^bb0(%s: f32):
          %0 = arith.addf %s, %one : f32
          pruner.yield %0 : f32
        }
        // expected-remark @below {{finish arg0: 0.604 us, compute 0.004 + memory 0.6, limited by too few bytes in flight: 9 % of what the bandwidth needs}}
        // expected-note @below {{S1 = 2, S2 = 0, S3 = 0, S4 = 8, S5 = 5120, S6 = 160, S7 = 32, S8 = 0}}
        // expected-note @below {{P_l0,m = 1, P_l0,c = 1, P_l1,m = 1, P_l1,c = 0.0625, P_l2,m = 1, P_l2,c = 1, concurrency = 0.0853333}}
        pruner.compute finish at (%i, %j) loops (d0 unroll 1)
            ins(%acc : memref<1xf32, #pruner.memory<local>>)
            outs(%c : memref<1280xf32>)
            maps [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>] {
        ^bb0(%x: f32):
          pruner.yield %x : f32
        }
      }
    }
  }
  return
}

// Threads go down the columns: 4 bytes of each sector of 32 are used. 2 * 2^20
// elements of 4 bytes at 100 GB/s / 8 are 671.089 us; 2 * 2^20 accesses of 8
// passes on 10 * 32 lanes at 1 GHz are 52.429 us, in waves of blocks that are
// 0.994 full.
func.func @columns(%a: memref<1024x1024xf32>, %c: memref<1024x1024xf32>) {
  // expected-remark @below {{723.825 us on nvidia:round, most of it in statement 0}}
  pruner.kernel gpu domain (d0 = 1024, d1 = 1024) {
    pruner.band block (%i = d1 trips 1024 step 1) {
      pruner.band thread (%j = d0 trips 128 step 8) {
        // expected-remark @below {{map arg1: 723.825 us, compute 52.736 + memory 671.089, limited by memory transactions: runs of 4 bytes use 12 % of pieces of 32}}
        // expected-note @below {{S1 = 16, S2 = 8, S3 = 0, S4 = 128, S5 = 8.38861e+06, S6 = 1024, S7 = 4, S8 = 1.04858e+06}}
        // expected-note @below {{P_l0,m = 1, P_l0,c = 0.6, P_l1,m = 1, P_l1,c = 1, P_l2,m = 0.125, P_l2,c = 0.994175, concurrency = 1}}
        pruner.compute map at (%i, %j) loops (d0 unroll 8, d1 unroll 1)
            ins(%a : memref<1024x1024xf32>) outs(%c : memref<1024x1024xf32>)
            maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] {
        ^bb0(%x: f32):
          %0 = arith.addf %x, %x : f32
          pruner.yield %0 : f32
        }
      }
    }
  }
  return
}
