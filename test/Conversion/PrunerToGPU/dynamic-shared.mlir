// RUN: pruner-opt %s --pruner-tile=target=nvidia:sm_80 --convert-pruner-to-gpu | FileCheck %s
// In PTX it is a declaration without a size.
// RUN: pruner-opt %s --pruner-tile=target=nvidia:sm_80 --convert-pruner-to-gpu --pruner-to-nvvm | pruner-translate - --to=ptx --chip=sm_80 | FileCheck %s --check-prefix=PTX
// PTX: .extern .shared .align 16 .b8 {{.*}}[];
// PTX: .visible .entry large_kernel(

// Buffers of more than 48 KiB are in dynamic shared memory, of which the launch
// states the size.
// CHECK-LABEL: func.func private @large_kernel(
// CHECK: %[[BYTES:.*]] = arith.constant 84480 : i32
// CHECK: gpu.launch_func {{.*}} dynamic_shared_memory_size %[[BYTES]]
// CHECK: gpu.func @large_kernel(
// CHECK-NOT: workgroup(
// CHECK-SAME: pruner.dynamic_shared_bytes = 84480
// CHECK-SAME: pruner.shared_bytes = 84480
// CHECK: %[[ALL:.*]] = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
// CHECK-DAG: memref.view %[[ALL]][%c0{{.*}}][] : {{.*}} to memref<12672xf32,
// CHECK-DAG: memref.view %[[ALL]][%c50688{{.*}}][] : {{.*}} to memref<8448xf32,
func.func @large(%A: tensor<128x128xf32>, %B: tensor<128x128xf32>) -> tensor<128x128xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
        tiles = [[2, 16, 1, 4], [2, 16, 1, 4], [32, 1]],
        stages = [inner, inner], vector = 4, unroll = 0, pad = 4, pipeline = 3>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x128xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<128x128xf32>) -> tensor<128x128xf32>
  %r = linalg.matmul ins(%A, %B : tensor<128x128xf32>, tensor<128x128xf32>)
                     outs(%f : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %r : tensor<128x128xf32>
}
