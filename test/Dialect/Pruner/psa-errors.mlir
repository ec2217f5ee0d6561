// RUN: pruner-opt %s --pruner-psa=target=file:%S/Inputs/cpu.json -split-input-file -verify-diagnostics
// RUN: not pruner-opt %S/psa.mlir --pruner-psa="target=file:%S/Inputs/cpu.json format=json output=%t/none/x" 2>&1 | FileCheck %s --check-prefix=OUTPUT
// RUN: not pruner-opt %S/psa.mlir --pruner-psa="format=xml" 2>&1 | FileCheck %s --check-prefix=FORMAT
// OUTPUT: error: '{{.*}}none/x': cannot write: No such file or directory
// FORMAT: Cannot find option named 'xml'!

func.func @machine() {
  // expected-error @below {{the kernel is for gpu, but the machine cpu:round is a CPU}}
  pruner.kernel gpu domain (d0 = 4) {
  }
  return
}

// -----

func.func @argument(%x: memref<?xf32>) {
  // expected-error @below {{argument #0 of type 'memref<?xf32>' is not a plain memref of static shape}}
  pruner.kernel cpu domain (d0 = 4) {
  }
  return
}

// -----

// Rows far apart are in other cache lines than consecutive rows.
func.func @strided(%x: memref<4x4xf32, strided<[1024, 1]>>) {
  // expected-error @below {{argument #0 of type 'memref<4x4xf32, strided<[1024, 1]>>' is not a plain memref of static shape}}
  pruner.kernel cpu domain (d0 = 4, d1 = 4) {
    pruner.compute map at () loops (d0 serial 4, d1 vector 4) ins()
        outs(%x : memref<4x4xf32, strided<[1024, 1]>>)
        maps [affine_map<(d0, d1) -> (d0, d1)>] {
      %0 = arith.constant 0.0 : f32
      pruner.yield %0 : f32
    }
  }
  return
}

// -----

func.func @element(%x: memref<4xcomplex<f32>>) {
  // expected-error @below {{element type 'complex<f32>' is not supported}}
  pruner.kernel cpu domain (d0 = 4) {
  }
  return
}

// -----

func.func @operand() {
  %x = memref.alloc() : memref<4xf32>
  pruner.kernel cpu domain (d0 = 4) {
    // expected-error @below {{operand is neither an argument of the function nor a buffer of the kernel}}
    pruner.compute map at () loops (d0 vector 4) ins() outs(%x : memref<4xf32>)
        maps [affine_map<(d0) -> (d0)>] {
      %0 = arith.constant 0.0 : f32
      pruner.yield %0 : f32
    }
  }
  return
}
