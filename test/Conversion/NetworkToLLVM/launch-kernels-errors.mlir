// RUN: pruner-opt %s --pruner-launch-kernels --verify-diagnostics

module attributes {gpu.container_module} {
  gpu.binary @kernels [#gpu.object<#nvvm.target, assembly = "">]
  func.func @main(%n: index, %bytes: i32) {
    // expected-error @below {{'gpu.launch_func' op expects a constant size of the dynamic shared memory}}
    gpu.launch_func @kernels::@first blocks in (%n, %n, %n) threads in (%n, %n, %n) dynamic_shared_memory_size %bytes
    return
  }
}
