// The draft model on GPUs, in the paper's form. The machine (Inputs/gpu.json):
// 10 SMs of 4 x 32 lanes at 1 GHz, 1 TFLOP/s, 100 GB/s, sectors of 32 bytes.
// RUN: pruner-opt %s --pruner-psa=target=file:%S/Inputs/gpu.json -verify-diagnostics
// RUN: pruner-opt %s --pruner-psa="target=file:%S/Inputs/gpu.json form=released" 2>&1 | FileCheck %s --check-prefix=RELEASED

// The released code counts no memory time for a statement that computes; its
// time is S8 over 1 TFLOP/s * 0.571.
// RELEASED: remark: map arg2: 0.01792 us, compute 0.01792 + memory 0, limited by operand loads of the register tile: 57 % of the peak
// RELEASED: remark: 0.01792 us on nvidia:round, most of it in statement 0

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
