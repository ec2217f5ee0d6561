// RUN: split-file %s %t
// RUN: not pruner-translate %t/cpu.mlir --to=object --mcpu=z80 -o /dev/null 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: not pruner-translate %t/cpu.mlir --to=asm --mattr=+turbo 2>&1 | FileCheck %s --check-prefix=FEATURE
// RUN: not pruner-translate %t/cpu.mlir --to=asm --opt-level=7 2>&1 | FileCheck %s --check-prefix=LEVEL
// RUN: not pruner-translate %t/gpu.mlir --to=ptx --chip=sm_71 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not pruner-translate %t/gpu.mlir --to=ptx --chip=sm_35 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not pruner-translate %t/gpu.mlir --to=ptx --chip=sm_80 --ptx-version=60 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not pruner-translate %t/gpu.mlir --to=ptx --chip=sm_80 --ptx-version=59 2>&1 | FileCheck %s --check-prefix=VERSION
// RUN: not pruner-translate %t/extern.mlir --to=ptx 2>&1 | FileCheck %s --check-prefix=EXTERN
// RUN: not pruner-translate %t/several.mlir --to=ptx 2>&1 | FileCheck %s --check-prefix=SEVERAL
// RUN: pruner-translate %t/several.mlir --to=ptx --gpu-module=second | FileCheck %s --check-prefix=SECOND
// RUN: not pruner-translate %t/several.mlir --to=ptx --gpu-module=third 2>&1 | FileCheck %s --check-prefix=THIRD
// RUN: not pruner-translate %t/unlowered.mlir --to=object -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNLOWERED
// RUN: not pruner-translate %t/missing.mlir --to=object -o /dev/null 2>&1 | FileCheck %s --check-prefix=MISSING

// CPU: error: unknown CPU 'z80' for {{.*}}; known: {{.*}}znver3
// FEATURE: error: unknown CPU feature '+turbo' (expected +name or -name)
// LEVEL: error: optimisation level 7 is not in 0..3
// CHIP: error: unknown GPU chip '{{sm_71|sm_35}}'; known: sm_70, sm_72, sm_75, sm_80,{{.*}} sm_90, sm_90a
// OLD: error: sm_80 needs PTX version 7.0 or newer, but 6.0 is asked for
// VERSION: error: PTX version 5.9 is unknown to this LLVM
// EXTERN: error: the PTX needs functions that nothing defines: __nv_expf
// SEVERAL: error: there are 2 gpu.modules; choose one with --gpu-module
// SECOND: .entry k2
// THIRD: error: there is no gpu.module @third
// UNLOWERED: error: the input does not parse as a lowered module
// MISSING: error: {{.*}}No such file or directory

//--- cpu.mlir
llvm.func @k() {
  llvm.return
}

//--- gpu.mlir
gpu.module @m {
  llvm.func @k() attributes {gpu.kernel, nvvm.kernel} {
    llvm.return
  }
}

//--- extern.mlir
gpu.module @m {
  llvm.func @__nv_expf(f32) -> f32
  llvm.func @k(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %x = llvm.load %p : !llvm.ptr -> f32
    %y = llvm.call @__nv_expf(%x) : (f32) -> f32
    llvm.store %y, %p : f32, !llvm.ptr
    llvm.return
  }
}

//--- several.mlir
gpu.module @first {
  llvm.func @k1() attributes {gpu.kernel, nvvm.kernel} {
    llvm.return
  }
}
gpu.module @second {
  llvm.func @k2() attributes {gpu.kernel, nvvm.kernel} {
    llvm.return
  }
}

//--- unlowered.mlir
func.func @k() {
  return
}
