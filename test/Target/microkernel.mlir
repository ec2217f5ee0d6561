// A 2 x 32 f32 micro-kernel in the form that lowering emits: one vector per
// accumulator carried by the loop, broadcasts of A, loads of B.
//
// RUN: pruner-opt %s --pruner-to-llvm -o %t.mlir
// RUN: pruner-translate %t.mlir --to=facts --mcpu=znver3 | FileCheck %s --check-prefix=ZEN3
// RUN: pruner-translate %t.mlir --to=facts --mcpu=skylake-avx512 | FileCheck %s --check-prefix=SKX
// RUN: pruner-translate %t.mlir --to=asm --mcpu=skylake-avx512 | FileCheck %s --check-prefix=ASM
// RUN: pruner-translate %t.mlir --to=facts --mcpu=skylake-avx512 --prefer-vector-width=256 | FileCheck %s --check-prefix=NARROW

// Two rows of 32 columns: eight ymm or four zmm FMAs per step, no stack
// accesses.
// ZEN3: "hot_loop": {
// ZEN3: "calls": 0
// ZEN3: "fma_xmm": 0
// ZEN3-NEXT: "fma_ymm": 8
// ZEN3-NEXT: "fma_zmm": 0
// ZEN3: "scalar_fmas": 0
// ZEN3-NEXT: "stack_accesses": 0
// ZEN3: "innermost_loops": 1
// ZEN3: "name": "kernel"
// ZEN3: "stack_accesses_elsewhere": 0

// SKX: "hot_loop": {
// SKX: "fma_ymm": 0
// SKX-NEXT: "fma_zmm": 4
// SKX: "stack_accesses": 0
// SKX: "name": "kernel"

// ASM: vfmadd231ps {{.*}}%zmm

// The same CPU limited to 256 bits.
// NARROW: "hot_loop": {
// NARROW: "fma_ymm": 8
// NARROW-NEXT: "fma_zmm": 0

func.func @kernel(%a: memref<256x2xf32>, %b: memref<256x32xf32>, %c: memref<2x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c256 = arith.constant 256 : index
  %c00 = vector.load %c[%c0, %c0] : memref<2x32xf32>, vector<16xf32>
  %c01 = vector.load %c[%c0, %c16] : memref<2x32xf32>, vector<16xf32>
  %c10 = vector.load %c[%c1, %c0] : memref<2x32xf32>, vector<16xf32>
  %c11 = vector.load %c[%c1, %c16] : memref<2x32xf32>, vector<16xf32>
  %r:4 = scf.for %k = %c0 to %c256 step %c1
      iter_args(%s00 = %c00, %s01 = %c01, %s10 = %c10, %s11 = %c11)
      -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
    %b0 = vector.load %b[%k, %c0] : memref<256x32xf32>, vector<16xf32>
    %b1 = vector.load %b[%k, %c16] : memref<256x32xf32>, vector<16xf32>
    %a0 = memref.load %a[%k, %c0] : memref<256x2xf32>
    %a1 = memref.load %a[%k, %c1] : memref<256x2xf32>
    %v0 = vector.broadcast %a0 : f32 to vector<16xf32>
    %v1 = vector.broadcast %a1 : f32 to vector<16xf32>
    %n00 = vector.fma %v0, %b0, %s00 : vector<16xf32>
    // A multiplication and an addition with the flag contract are equivalent.
    %p01 = arith.mulf %v0, %b1 fastmath<contract> : vector<16xf32>
    %n01 = arith.addf %p01, %s01 fastmath<contract> : vector<16xf32>
    %n10 = vector.fma %v1, %b0, %s10 : vector<16xf32>
    %n11 = vector.fma %v1, %b1, %s11 : vector<16xf32>
    scf.yield %n00, %n01, %n10, %n11
        : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
  }
  vector.store %r#0, %c[%c0, %c0] : memref<2x32xf32>, vector<16xf32>
  vector.store %r#1, %c[%c0, %c16] : memref<2x32xf32>, vector<16xf32>
  vector.store %r#2, %c[%c1, %c0] : memref<2x32xf32>, vector<16xf32>
  vector.store %r#3, %c[%c1, %c16] : memref<2x32xf32>, vector<16xf32>
  return
}
