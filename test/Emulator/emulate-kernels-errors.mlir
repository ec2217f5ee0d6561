// RUN: pruner-opt %s --pruner-emulate-kernels --split-input-file --verify-diagnostics

gpu.module @kernels {
  gpu.func @alloca() kernel {
    // expected-error @below {{'memref.alloca' op is not supported by the emulator in workgroup memory: use a workgroup attribution of the function}}
    %0 = memref.alloca() : memref<4xf32, #gpu.address_space<workgroup>>
    %c0 = arith.constant 0 : index
    %f0 = arith.constant 0.0 : f32
    memref.store %f0, %0[%c0] : memref<4xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @dynamic(%n: index) kernel {
    // expected-error @below {{'memref.alloca' op is not supported by the emulator for 'memref<?xf32>': the shape is not static}}
    %0 = memref.alloca(%n) : memref<?xf32>
    %c0 = arith.constant 0 : index
    %f0 = arith.constant 0.0 : f32
    memref.store %f0, %0[%c0] : memref<?xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{'gpu.func' op has argument 1 of type 'memref<?x4xf32>', whose shape is not static}}
  gpu.func @argument(%a: f32, %b: memref<?x4xf32>) kernel {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @region(%a: memref<1xi32>) kernel {
    %c0 = arith.constant 0 : index
    %v = memref.load %a[%c0] : memref<1xi32>
    // expected-error @below {{'gpu.all_reduce' op is not supported by the emulator with a region: name the operation}}
    %sum = gpu.all_reduce %v {
    ^bb(%lhs : i32, %rhs : i32):
      %x = arith.xori %lhs, %rhs : i32
      "gpu.yield"(%x) : (i32) -> ()
    } : (i32) -> (i32)
    memref.store %sum, %a[%c0] : memref<1xi32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @rank(%a: memref<4x4xf32>) kernel {
    %c0 = arith.constant 0 : index
    // expected-error @below {{'vector.load' op is not supported by the emulator for 'vector<2x4xf32>': only vectors of rank 0 and 1 are}}
    %0 = vector.load %a[%c0, %c0] : memref<4x4xf32>, vector<2x4xf32>
    vector.store %0, %a[%c0, %c0] : memref<4x4xf32>, vector<2x4xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @copy(%a: memref<4xf32>, %b: memref<4xf32>) kernel {
    // expected-error @below {{'memref.copy' op is not supported by the emulator}}
    memref.copy %a, %b : memref<4xf32> to memref<4xf32>
    gpu.return
  }
}

// -----

module attributes {gpu.container_module} {
  func.func @host() {
    %c1 = arith.constant 1 : index
    // expected-error @below {{'gpu.launch_func' op refers to a kernel that becomes a host function; erase the launch first}}
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
  gpu.module @kernels {
    gpu.func @k() kernel {
      gpu.return
    }
  }
}

// -----

gpu.module @kernels {
  gpu.func @bits(%a: memref<8xi1>) kernel {
    %c0 = arith.constant 0 : index
    // expected-error @below {{'vector.load' op is not supported by the emulator for 'vector<8xi1>': elements share bytes}}
    %0 = vector.load %a[%c0] : memref<8xi1>, vector<8xi1>
    vector.store %0, %a[%c0] : memref<8xi1>, vector<8xi1>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @copied_bits(%a: memref<8xi12>, %b: memref<8xi12, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    // expected-error @below {{'nvgpu.device_async_copy' op is not supported by the emulator for 'memref<8xi12, #gpu.address_space<workgroup>>': elements share bytes}}
    %0 = nvgpu.device_async_copy %a[%c0], %b[%c0], 3 : memref<8xi12> to memref<8xi12, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @lanes(%a: memref<128xf32>, %m: i1) kernel {
    %c0 = arith.constant 0 : index
    %mask = vector.broadcast %m : i1 to vector<128xi1>
    %z = arith.constant dense<0.0> : vector<128xf32>
    // expected-error @below {{'vector.maskedload' op is not supported by the emulator for 'vector<128xf32>': masks have at most 64 lanes}}
    %0 = vector.maskedload %a[%c0], %mask, %z : memref<128xf32>, vector<128xi1>, vector<128xf32> into vector<128xf32>
    vector.store %0, %a[%c0] : memref<128xf32>, vector<128xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{'gpu.func' op has argument 0 of type 'vector<4xf32>'; the emulator passes memrefs of static shape and scalars}}
  gpu.func @vector(%a: vector<4xf32>) kernel {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @vectors(%a: memref<4xvector<4xf32>>, %b: memref<4xf32>) kernel {
    %c0 = arith.constant 0 : index
    // expected-error @below {{'vector.load' op is not supported by the emulator for 'memref<4xvector<4xf32>>'}}
    %0 = vector.load %a[%c0] : memref<4xvector<4xf32>>, vector<4xf32>
    vector.store %0, %b[%c0] : memref<4xf32>, vector<4xf32>
    gpu.return
  }
}
