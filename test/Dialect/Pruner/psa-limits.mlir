// Limits of a statement on a CPU other than memory and full vectors, which
// psa.mlir tests on the same machine.
// RUN: pruner-opt %s --pruner-psa=target=file:%S/Inputs/cpu.json -verify-diagnostics

// One lane of 8. Three products and three sums are three instructions at one
// per cycle: 1024 elements of a chunk take 3072 cycles.
func.func @lanes(%a: memref<4096xf32>, %c: memref<4096xf32>) {
  // expected-remark @below {{3.84 us on cpu:round, most of it in statement 0}}
  pruner.kernel cpu domain (d0 = 4096) {
    pruner.band core (%i = d0 trips 4 step 1024) {
      // expected-remark @below {{map arg1: 3.84 us, compute 3.072 + memory 0.768, limited by arithmetic ports: 80 % of the time, with 12 % of the vector lanes}}
      // expected-note @below {{S1 = 0, S2 = 6144, S3 = 8192, S4 = 1, S5 = 49152, S6 = 4, S7 = 4096, S8 = 24576}}
      // expected-note @below {{P_l0,m = 1, P_l0,c = 1, P_l1,m = 1, P_l1,c = 0.125, P_l2,m = 1, P_l2,c = 1, concurrency = 1}}
      // expected-note @below {{arithmetic = 3.072, loads = 0.512, stores = 1.024, issue = 1.19467, l2 = 0.384, memory = 0.512, write-allocate = 0.256}}
      pruner.compute map at (%i) loops (d0 serial 1024)
          ins(%a : memref<4096xf32>) outs(%c : memref<4096xf32>)
          maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
      ^bb0(%x: f32):
        %0 = arith.addf %x, %x : f32
        %1 = arith.mulf %0, %x : f32
        %2 = arith.addf %1, %x : f32
        %3 = arith.mulf %2, %x : f32
        %4 = arith.addf %3, %x : f32
        %5 = arith.mulf %4, %x : f32
        pruner.yield %5 : f32
      }
    }
  }
  return
}

// A chunk passes 64 times over two ranges of 32 KiB, and L1 holds one of them.
// Each time 3 * 32768 bytes (one range is read, one is read and written) come
// from L2 at 32 per cycle: 64 * 3072 cycles. They come from memory once.
func.func @caches(%a: memref<32768xf32>, %c: memref<32768xf32>) {
  // expected-remark @below {{202.806 us on cpu:round, most of it in statement 0}}
  pruner.kernel cpu domain (d0 = 32768, d1 = 64 reduction) {
    pruner.band core (%i = d0 trips 4 step 8192) {
      pruner.band serial (%k = d1 trips 64 step 1) {
        // expected-remark @below {{update arg1: 202.806 us, compute 196.662 + memory 6.144, limited by traffic between L1 and L2: the inner loops access 6.554e+04 bytes, L1 has 3.277e+04}}
        // expected-note @below {{S1 = 128, S2 = 524288, S3 = 65536, S4 = 8, S5 = 393216, S6 = 4, S7 = 32768, S8 = 2.09715e+06}}
        // expected-note @below {{P_l0,m = 1, P_l0,c = 1, P_l1,m = 0.5, P_l1,c = 1, P_l2,m = 1, P_l2,c = 1, concurrency = 1}}
        // expected-note @below {{arithmetic = 65.536, latency = 32.768, loads = 33.024, stores = 0.512, issue = 24.7467, loop-ends = 1.28, accumulators = 0.768, l2 = 196.608, memory = 6.144}}
        pruner.compute update at (%i, %k) loops (d0 serial 128 step 64, d0 unroll 8 step 8, d0 vector 8)
            ins(%a : memref<32768xf32>) outs(%c : memref<32768xf32>)
            maps [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>] {
        ^bb0(%x: f32, %s: f32):
          %0 = arith.addf %s, %x : f32
          pruner.yield %0 : f32
        }
      }
    }
  }
  return
}
