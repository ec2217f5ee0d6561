// The cost of a vector: the loops below load, compute and store one vector
// each. AVX-512 has registers for all constants, so the counts are those of the
// arithmetic (see pruner-expand-math), a load, a store and the loop. erf has
// one constant too many.
//
// RUN: pruner-opt %s --pruner-to-llvm -o %t.mlir
// RUN: pruner-translate %t.mlir --to=facts --mcpu=skylake-avx512 | FileCheck %s
// RUN: pruner-translate %t.mlir --to=asm --mcpu=znver3 | FileCheck %s --check-prefix=ZEN3

// CHECK: "hot_loop": {
// CHECK: "divides": 0
// CHECK: "fma_zmm": 9
// CHECK: "instructions": 24
// CHECK: "loads": 1
// CHECK: "stack_accesses": 0
// CHECK: "name": "exp"
func.func @exp(%x: memref<4096xf32>, %y: memref<4096xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %n = arith.constant 4096 : index
  scf.for %i = %c0 to %n step %c16 {
    %v = vector.load %x[%i] : memref<4096xf32>, vector<16xf32>
    %r = math.exp %v : vector<16xf32>
    vector.store %r, %y[%i] : memref<4096xf32>, vector<16xf32>
  }
  return
}

// CHECK: "hot_loop": {
// CHECK: "divides": 0
// CHECK: "fma_zmm": 6
// CHECK: "instructions": 22
// CHECK: "loads": 1
// CHECK: "stack_accesses": 0
// CHECK: "name": "exp2"
func.func @exp2(%x: memref<4096xf32>, %y: memref<4096xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %n = arith.constant 4096 : index
  scf.for %i = %c0 to %n step %c16 {
    %v = vector.load %x[%i] : memref<4096xf32>, vector<16xf32>
    %r = math.exp2 %v : vector<16xf32>
    vector.store %r, %y[%i] : memref<4096xf32>, vector<16xf32>
  }
  return
}

// CHECK: "hot_loop": {
// CHECK: "divides": 0
// CHECK: "fma_zmm": 21
// CHECK: "instructions": 36
// CHECK: "loads": 2
// CHECK: "stack_accesses": 0
// CHECK: "name": "erf"
func.func @erf(%x: memref<4096xf32>, %y: memref<4096xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %n = arith.constant 4096 : index
  scf.for %i = %c0 to %n step %c16 {
    %v = vector.load %x[%i] : memref<4096xf32>, vector<16xf32>
    %r = math.erf %v : vector<16xf32>
    vector.store %r, %y[%i] : memref<4096xf32>, vector<16xf32>
  }
  return
}

// CHECK: "hot_loop": {
// CHECK: "divides": 1
// CHECK: "fma_zmm": 17
// CHECK: "instructions": 36
// CHECK: "loads": 1
// CHECK: "stack_accesses": 0
// CHECK: "name": "tanh"
func.func @tanh(%x: memref<4096xf32>, %y: memref<4096xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %n = arith.constant 4096 : index
  scf.for %i = %c0 to %n step %c16 {
    %v = vector.load %x[%i] : memref<4096xf32>, vector<16xf32>
    %r = math.tanh %v : vector<16xf32>
    vector.store %r, %y[%i] : memref<4096xf32>, vector<16xf32>
  }
  return
}

// NaN is the second operand, and zeros may have either sign.
// ZEN3-LABEL: relu:
// ZEN3: vmaxps
// ZEN3-NOT: vcmp
// ZEN3-NOT: vblend
// ZEN3: retq
func.func @relu(%x: memref<8xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : vector<8xf32>
  %v = vector.load %x[%c0] : memref<8xf32>, vector<8xf32>
  %r = arith.maximumf %v, %zero : vector<8xf32>
  vector.store %r, %y[%c0] : memref<8xf32>, vector<8xf32>
  return
}

// ZEN3-LABEL: maximum:
// ZEN3-NOT: vblend
// ZEN3: vmaxps
// ZEN3-NEXT: vcmpunordps
// ZEN3-NEXT: vblendvps
// ZEN3-NOT: vblend
// ZEN3: retq
func.func @maximum(%x: memref<8xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %v = vector.load %x[%c0] : memref<8xf32>, vector<8xf32>
  %w = vector.load %y[%c0] : memref<8xf32>, vector<8xf32>
  %r = arith.maximumf %v, %w : vector<8xf32>
  vector.store %r, %y[%c0] : memref<8xf32>, vector<8xf32>
  return
}
