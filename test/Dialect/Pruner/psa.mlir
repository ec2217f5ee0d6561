// The analytical model on CPUs. The machine (Inputs/cpu.json) has round
// numbers: 4 cores at 1 GHz, one FMA of 8 lanes per cycle, 16 GB/s, 32 KiB of
// L1, 256 KiB of L2, lines of 64 bytes.
// RUN: pruner-opt %s --pruner-psa=target=file:%S/Inputs/cpu.json -verify-diagnostics
// RUN: pruner-opt %s --pruner-psa="target=file:%S/Inputs/cpu.json format=json" -o %t.mlir 2>&1 | FileCheck %s --check-prefix=JSON
// RUN: pruner-opt %s --pruner-psa="target=file:%S/Inputs/cpu.json format=json output=%t.json"
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// The IR does not change, or is annotated.
// RUN: pruner-opt %s -o %t.plain.mlir && diff %t.plain.mlir %t.mlir
// RUN: pruner-opt %s --pruner-psa="target=file:%S/Inputs/cpu.json annotate format=json output=%t.json" | FileCheck %s --check-prefix=IR

// JSON: "kernels": [
// JSON: "form": "cpu"
// JSON: "machine": "cpu:round"
// JSON: "name": "add"
// JSON: "seconds": 1.53
// JSON: "slowest": 0
// JSON: "limit": "memory bandwidth: 6.554e+04 bytes"
// JSON: "symbols": {
// JSON-NEXT: "S1": 0,
// JSON-NEXT: "S2": 1024,
// JSON-NEXT: "S3": 768,
// JSON-NEXT: "S4": 8,
// JSON-NEXT: "S5": 65536,
// JSON-NEXT: "S6": 4,
// JSON-NEXT: "S7": 256,
// JSON-NEXT: "S8": 4096
// JSON: "name": "matmul"
// JSON: "slowest": 1
// JSON: "kind": "init"
// JSON: "kind": "update"
// JSON: "l2_compute": 0.25,
// JSON: "S8": 4096
// JSON: "kind": "finish"

// IR: pruner.compute map
// IR-SAME: attributes {pruner.psa = {limit = "memory bandwidth: 6.554e+04 bytes", seconds = 1.53{{.*}}E-6 : f64}}
// IR: pruner.kernel cpu domain (d0 = 4, d1 = 8, d2 = 64 reduction) attributes {pruner.psa = {machine = "cpu:round", seconds = {{.*}} : f64}} {

func.func @add(%a: memref<4096xf32>, %b: memref<4096xf32>, %c: memref<4096xf32>) {
  // expected-remark @below {{1.53602 us on cpu:round, most of it in statement 0}}
  pruner.kernel cpu domain (d0 = 4096) {
    pruner.band core (%i = d0 trips 4 step 1024) {
      pruner.band serial (%j = d0 trips 16 step 64) {
        // S1: no accumulator. S2: 16 * 64 additions of one chunk. S3: 64
        // elements of 4 bytes in each of 3 tensors. S4: 8 lanes. S5: everything
        // fits L2, 2 tensors of 16384 bytes are read once and one is read and
        // written. S6: 4 chunks. S7: runs of 64 elements. S8: 4096 additions.
        //
        // A body of 8 vectors has 16 loads at 2 a cycle, 8 stores and 8
        // additions at 1: 8 cycles, 64 bodies, 512 cycles on 4 cores: 0.128 us.
        // One chunk (12288 bytes) fits L1, so L1 and L2 exchange S5 at 32
        // bytes a cycle: 2048 cycles on 4 cores: 0.512 us, which hides the bodies but for
        // 0.00002 us (the sixth root of 0.512^6 + 0.128^6). Memory moves S5 at
        // 16 GB/s for each of 4 cores: 4.096 / 4 us.
        // expected-remark @below {{map arg2: 1.53602 us, compute 0.512021 + memory 1.024, limited by memory bandwidth: 6.554e+04 bytes}}
        // expected-note @below {{S1 = 0, S2 = 1024, S3 = 768, S4 = 8, S5 = 65536, S6 = 4, S7 = 256, S8 = 4096}}
        // expected-note @below {{P_l0,m = 1, P_l0,c = 1, P_l1,m = 1, P_l1,c = 1, P_l2,m = 1, P_l2,c = 1, concurrency = 1}}
        // expected-note @below {{arithmetic = 0.128, loads = 0.128, stores = 0.128, issue = 0.0906667, l2 = 0.512, memory = 0.768, write-allocate = 0.256}}
        pruner.compute map at (%i, %j) loops (d0 unroll 8 step 8, d0 vector 8)
            ins(%a, %b : memref<4096xf32>, memref<4096xf32>)
            outs(%c : memref<4096xf32>)
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

func.func @matmul(%A: memref<4x64xf32>, %B: memref<64x8xf32>, %C: memref<4x8xf32>) {
  %zero = arith.constant 0.0 : f32
  // 0.004 + 0.466 + 0.026.
  // expected-remark @below {{0.496046 us on cpu:round, most of it in statement 1}}
  pruner.kernel cpu domain (d0 = 4, d1 = 8, d2 = 64 reduction) {
    %acc = pruner.alloc "acc" at () shape [4, 8]
        layout affine_map<(d0, d1) -> (d0, d1)>
        : memref<4x8xf32, #pruner.memory<local>>
    // 4 stores of a vector, one a cycle. One chunk keeps 1 of 4 cores busy:
    // P_l2,c = 0.25 in all three statements.
    // expected-remark @below {{init acc: 0.004 us, compute 0.004 + memory 0, limited by store port: 100 % of the time}}
    // expected-note @below {{S1 = 0, S2 = 0, S3 = 128, S4 = 8, S5 = 0, S6 = 1, S7 = 0, S8 = 0}}
    // expected-note @below {{P_l0,m = 1, P_l0,c = 1, P_l1,m = 1, P_l1,c = 1, P_l2,m = 1, P_l2,c = 0.25, concurrency = 1}}
    // expected-note @below {{stores = 0.004, issue = 0.001, balance = 0.003}}
    pruner.compute init at () loops (d0 unroll 4, d1 vector 8) ins()
        outs(%acc : memref<4x8xf32, #pruner.memory<local>>)
        maps [affine_map<(d0, d1, d2) -> (d0, d1)>] {
      pruner.yield %zero : f32
    }
    // S1: 4*8 accumulators, the row of B (8), one broadcast register (8). S2 =
    // S8: 2 * 4*8*64. S3: A 4*64, B 64*8 and the accumulator 4*8, of 4 bytes.
    // S5: A (1024) and B (2048) once. S7: A as a whole is one run.
    //
    // One step of the reduction has 4 FMAs, 1 a cycle, which is also their
    // latency: 64 * 4 cycles. That the loop ends after so few steps is foreseen;
    // loading the four accumulators takes 2 and storing them 4: 0.262 us on one
    // core. Everything fits in L1. 3072 bytes at 16 GB/s: 0.192 us, if they were
    // walked along in pieces of 4096. The four rows of A, side by side, are 256
    // bytes each (4 halvings of 1024 bytes), B is 2048 (1 of 2048): 2 on
    // average, 3 % each.
    // expected-remark @below {{update acc: 0.465626 us, compute 0.262106 + memory 0.20352, limited by cores without work in the last wave: 1 chunks on 4 cores use 25 %}}
    // expected-note @below {{S1 = 48, S2 = 4096, S3 = 3200, S4 = 8, S5 = 3072, S6 = 1, S7 = 1024, S8 = 4096}}
    // expected-note @below {{P_l0,m = 1, P_l0,c = 1, P_l1,m = 1, P_l1,c = 1, P_l2,m = 1, P_l2,c = 0.25, concurrency = 1}}
    // expected-note @below {{arithmetic = 0.256, latency = 0.256, loads = 0.162, stores = 0.004, issue = 0.118667, accumulators = 0.006, balance = 0.349219, l2 = 0.096, memory = 0.20352, memory-runs = 0.01152}}
    pruner.compute update at () loops (d2 serial 64, d0 unroll 4, d1 vector 8)
        ins(%A, %B : memref<4x64xf32>, memref<64x8xf32>)
        outs(%acc : memref<4x8xf32, #pruner.memory<local>>)
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>,
              affine_map<(d0, d1, d2) -> (d2, d1)>,
              affine_map<(d0, d1, d2) -> (d0, d1)>] {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %0 = arith.mulf %x, %y : f32
      %1 = arith.addf %z, %0 : f32
      pruner.yield %1 : f32
    }
    // S3: 128 bytes each of the accumulator and of C. S5: C is read and
    // written. 256 bytes at 32 GB/s between the caches (0.008 us) take longer
    // than 4 stores, and 0.016 us from memory, for a run of 128 bytes (5 halvings)
    // 15 % longer.
    // expected-remark @below {{finish arg2: 0.0264207 us, compute 0.0080207 + memory 0.0184, limited by cores without work in the last wave: 1 chunks on 4 cores use 25 %}}
    // expected-note @below {{S1 = 0, S2 = 0, S3 = 256, S4 = 8, S5 = 256, S6 = 1, S7 = 128, S8 = 0}}
    // expected-note @below {{P_l0,m = 1, P_l0,c = 1, P_l1,m = 1, P_l1,c = 1, P_l2,m = 1, P_l2,c = 0.25, concurrency = 1}}
    // expected-note @below {{loads = 0.002, stores = 0.004, issue = 0.00166667, balance = 0.0198155, l2 = 0.008, memory = 0.0092, write-allocate = 0.0092, memory-runs = 0.0024}}
    pruner.compute finish at () loops (d0 unroll 4, d1 vector 8)
        ins(%acc : memref<4x8xf32, #pruner.memory<local>>)
        outs(%C : memref<4x8xf32>)
        maps [affine_map<(d0, d1, d2) -> (d0, d1)>,
              affine_map<(d0, d1, d2) -> (d0, d1)>] {
    ^bb0(%x: f32):
      pruner.yield %x : f32
    }
  }
  return
}
