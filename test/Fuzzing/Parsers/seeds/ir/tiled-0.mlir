#map = affine_map<(d0, d1) -> (d0 floordiv 4, d1 floordiv 8, d0 mod 4, d1 mod 8)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map3 = affine_map<(d0, d1) -> (d1 floordiv 8, d0, d1 mod 8)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d2, d0)>
#map7 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map8 = affine_map<(d0, d1) -> (d0, d1 floordiv 8, d1 mod 8)>
#map9 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
#map13 = affine_map<(d0, d1) -> (d1, d0)>
#map14 = affine_map<() -> ()>
#map15 = affine_map<(d0) -> ()>
#map16 = affine_map<(d0) -> (d0)>
module {
  func.func @matmul(%arg0: tensor<8x16xf32>, %arg1: tensor<16x32xf32>) -> tensor<8x32xf32> attributes {pruner.task = {key = "k"}} {
    %0 = bufferization.to_buffer %arg0 read_only : tensor<8x16xf32> to memref<8x16xf32>
    %1 = bufferization.to_buffer %arg1 read_only : tensor<16x32xf32> to memref<16x32xf32>
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    call @matmul_kernel(%0, %1, %alloc) : (memref<8x16xf32>, memref<16x32xf32>, memref<8x32xf32>) -> ()
    %2 = bufferization.to_tensor %alloc restrict writable : memref<8x32xf32> to tensor<8x32xf32>
    return %2 : tensor<8x32xf32>
  }
  func.func private @matmul_kernel(%arg0: memref<8x16xf32>, %arg1: memref<16x32xf32>, %arg2: memref<8x32xf32>) attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 4], [1, 2, 8], [8]], stages = [none, inner], vector = 8, unroll = 2>, pruner.task = {key = "k"}} {
    %cst = arith.constant 0.000000e+00 : f32
    pruner.kernel cpu domain (d0 = 8, d1 = 32, d2 = 16 reduction) {
      pruner.band core (%arg3 = d1 trips 2 step 16) {
        %0 = pruner.alloc "acc" at (%arg3) shape [8, 32] layout #map : memref<2x2x4x8xf32, #pruner.memory<local>>
        pruner.band serial (%arg4 = d0 trips 2 step 4, %arg5 = d1 trips 2 step 8) {
          pruner.compute init at (%arg3, %arg4, %arg5) loops (d0 unroll 4, d1 vector 8) ins() outs(%0 : memref<2x2x4x8xf32, #pruner.memory<local>>) maps [#map1] {
            pruner.yield %cst : f32
          }
        }
        pruner.band serial (%arg4 = d2 trips 2 step 8) {
          %1 = pruner.stage "arg1.packed" operand 1 at (%arg3, %arg4) box [8, 16] of #map2 shape [16, 32] layout #map3 vector 8 threads 1 ins(%arg1 : memref<16x32xf32>) maps [#map4] -> memref<2x8x8xf32, #pruner.memory<local>> {
          ^bb0(%arg5: f32):
            pruner.yield %arg5 : f32
          }
          pruner.band serial (%arg5 = d0 trips 2 step 4, %arg6 = d1 trips 2 step 8) {
            pruner.compute update at (%arg3, %arg4, %arg5, %arg6) loops (d2 serial 8, d0 unroll 4, d1 vector 8) unroll 2 ins(%arg0, %1 : memref<8x16xf32>, memref<2x8x8xf32, #pruner.memory<local>>) outs(%0 : memref<2x2x4x8xf32, #pruner.memory<local>>) maps [#map5, #map2, #map1] {
            ^bb0(%arg7: f32, %arg8: f32, %arg9: f32):
              %2 = arith.mulf %arg7, %arg8 : f32
              %3 = arith.addf %arg9, %2 : f32
              pruner.yield %3 : f32
            }
          }
        }
        pruner.band serial (%arg4 = d0 trips 2 step 4, %arg5 = d1 trips 2 step 8) {
          pruner.compute finish at (%arg3, %arg4, %arg5) loops (d0 unroll 4, d1 vector 8) ins(%0 : memref<2x2x4x8xf32, #pruner.memory<local>>) outs(%arg2 : memref<8x32xf32>) maps [#map1, #map1] {
          ^bb0(%arg6: f32):
            pruner.yield %arg6 : f32
          }
        }
      }
    }
    return
  }
  func.func @transposed(%arg0: tensor<16x7xf32>, %arg1: tensor<16x16xf32>) -> tensor<7x16xf32> {
    %0 = bufferization.to_buffer %arg0 read_only : tensor<16x7xf32> to memref<16x7xf32>
    %1 = bufferization.to_buffer %arg1 read_only : tensor<16x16xf32> to memref<16x16xf32>
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<7x16xf32>
    call @transposed_kernel(%0, %1, %alloc) : (memref<16x7xf32>, memref<16x16xf32>, memref<7x16xf32>) -> ()
    %2 = bufferization.to_tensor %alloc restrict writable : memref<7x16xf32> to tensor<7x16xf32>
    return %2 : tensor<7x16xf32>
  }
  func.func private @transposed_kernel(%arg0: memref<16x7xf32>, %arg1: memref<16x16xf32>, %arg2: memref<7x16xf32>) attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 4], [1, 2, 8], [16]], stages = [none, none], vector = 8, unroll = 1, order = [1, 0]>} {
    %cst = arith.constant 0.000000e+00 : f32
    pruner.kernel cpu domain (d0 = 7, d1 = 16, d2 = 16 reduction) {
      pruner.band serial (%arg3 = d1 trips 2 step 8, %arg4 = d0 trips 2 step 4) {
        %0 = pruner.alloc "acc" at (%arg3, %arg4) shape [7, 16] layout #map4 : memref<4x8xf32, #pruner.memory<local>>
        pruner.compute init at (%arg3, %arg4) loops (d0 unroll 4, d1 vector 8) ins() outs(%0 : memref<4x8xf32, #pruner.memory<local>>) maps [#map1] {
          pruner.yield %cst : f32
        }
        pruner.compute update at (%arg3, %arg4) loops (d2 serial 16, d0 unroll 4, d1 vector 8) ins(%arg0, %arg1 : memref<16x7xf32>, memref<16x16xf32>) outs(%0 : memref<4x8xf32, #pruner.memory<local>>) maps [#map6, #map7, #map1] {
        ^bb0(%arg5: f32, %arg6: f32, %arg7: f32):
          %1 = arith.mulf %arg5, %arg6 : f32
          %2 = arith.addf %arg7, %1 : f32
          pruner.yield %2 : f32
        }
        pruner.compute finish at (%arg3, %arg4) loops (d0 unroll 4, d1 vector 8) ins(%0 : memref<4x8xf32, #pruner.memory<local>>) outs(%arg2 : memref<7x16xf32>) maps [#map1, #map1] {
        ^bb0(%arg5: f32):
          pruner.yield %arg5 : f32
        }
      }
    }
    return
  }
  func.func @one_row(%arg0: tensor<8x16xf32>, %arg1: tensor<16x32xf32>) -> tensor<8x32xf32> {
    %0 = bufferization.to_buffer %arg0 read_only : tensor<8x16xf32> to memref<8x16xf32>
    %1 = bufferization.to_buffer %arg1 read_only : tensor<16x32xf32> to memref<16x32xf32>
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    call @one_row_kernel(%0, %1, %alloc) : (memref<8x16xf32>, memref<16x32xf32>, memref<8x32xf32>) -> ()
    %2 = bufferization.to_tensor %alloc restrict writable : memref<8x32xf32> to tensor<8x32xf32>
    return %2 : tensor<8x32xf32>
  }
  func.func private @one_row_kernel(%arg0: memref<8x16xf32>, %arg1: memref<16x32xf32>, %arg2: memref<8x32xf32>) attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 8, 1], [1, 4, 8], [8]], stages = [none, none], vector = 8, unroll = 1>} {
    %cst = arith.constant 0.000000e+00 : f32
    pruner.kernel cpu domain (d0 = 8, d1 = 32, d2 = 16 reduction) {
      %0 = pruner.alloc "acc" at () shape [8, 32] layout #map8 : memref<8x4x8xf32, #pruner.memory<local>>
      pruner.band serial (%arg3 = d0 trips 8 step 1, %arg4 = d1 trips 4 step 8) {
        pruner.compute init at (%arg3, %arg4) loops (d0 unroll 1, d1 vector 8) ins() outs(%0 : memref<8x4x8xf32, #pruner.memory<local>>) maps [#map1] {
          pruner.yield %cst : f32
        }
      }
      pruner.band serial (%arg3 = d2 trips 2 step 8) {
        pruner.band serial (%arg4 = d0 trips 8 step 1, %arg5 = d1 trips 4 step 8) {
          pruner.compute update at (%arg3, %arg4, %arg5) loops (d2 serial 8, d0 unroll 1, d1 vector 8) ins(%arg0, %arg1 : memref<8x16xf32>, memref<16x32xf32>) outs(%0 : memref<8x4x8xf32, #pruner.memory<local>>) maps [#map5, #map2, #map1] {
          ^bb0(%arg6: f32, %arg7: f32, %arg8: f32):
            %1 = arith.mulf %arg6, %arg7 : f32
            %2 = arith.addf %arg8, %1 : f32
            pruner.yield %2 : f32
          }
        }
      }
      pruner.band serial (%arg3 = d0 trips 8 step 1, %arg4 = d1 trips 4 step 8) {
        pruner.compute finish at (%arg3, %arg4) loops (d0 unroll 1, d1 vector 8) ins(%0 : memref<8x4x8xf32, #pruner.memory<local>>) outs(%arg2 : memref<8x32xf32>) maps [#map1, #map1] {
        ^bb0(%arg5: f32):
          pruner.yield %arg5 : f32
        }
      }
    }
    return
  }
  func.func @batch(%arg0: tensor<3x4x16xf32>, %arg1: tensor<3x16x8xf32>) -> tensor<3x4x8xf32> {
    %0 = bufferization.to_buffer %arg0 read_only : tensor<3x4x16xf32> to memref<3x4x16xf32>
    %1 = bufferization.to_buffer %arg1 read_only : tensor<3x16x8xf32> to memref<3x16x8xf32>
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<3x4x8xf32>
    call @batch_kernel(%0, %1, %alloc) : (memref<3x4x16xf32>, memref<3x16x8xf32>, memref<3x4x8xf32>) -> ()
    %2 = bufferization.to_tensor %alloc restrict writable : memref<3x4x8xf32> to tensor<3x4x8xf32>
    return %2 : tensor<3x4x8xf32>
  }
  func.func private @batch_kernel(%arg0: memref<3x4x16xf32>, %arg1: memref<3x16x8xf32>, %arg2: memref<3x4x8xf32>) attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 1], [1, 1, 4], [1, 1, 8], [16]], stages = [none, none], vector = 8, unroll = 1>} {
    %cst = arith.constant 0.000000e+00 : f32
    pruner.kernel cpu domain (d0 = 3, d1 = 4, d2 = 8, d3 = 16 reduction) {
      pruner.band core (%arg3 = d0 trips 3 step 1) {
        %0 = pruner.alloc "acc" at (%arg3) shape [3, 4, 8] layout #map9 : memref<1x4x8xf32, #pruner.memory<local>>
        pruner.compute init at (%arg3) loops (d0 unroll 1, d1 unroll 4, d2 vector 8) ins() outs(%0 : memref<1x4x8xf32, #pruner.memory<local>>) maps [#map10] {
          pruner.yield %cst : f32
        }
        pruner.compute update at (%arg3) loops (d3 serial 16, d0 unroll 1, d1 unroll 4, d2 vector 8) ins(%arg0, %arg1 : memref<3x4x16xf32>, memref<3x16x8xf32>) outs(%0 : memref<1x4x8xf32, #pruner.memory<local>>) maps [#map11, #map12, #map10] {
        ^bb0(%arg4: f32, %arg5: f32, %arg6: f32):
          %1 = arith.mulf %arg4, %arg5 : f32
          %2 = arith.addf %arg6, %1 : f32
          pruner.yield %2 : f32
        }
        pruner.compute finish at (%arg3) loops (d0 unroll 1, d1 unroll 4, d2 vector 8) ins(%0 : memref<1x4x8xf32, #pruner.memory<local>>) outs(%arg2 : memref<3x4x8xf32>) maps [#map10, #map10] {
        ^bb0(%arg4: f32):
          pruner.yield %arg4 : f32
        }
      }
    }
    return
  }
  func.func @fused(%arg0: tensor<4x16xf16>, %arg1: tensor<16x8xf16>, %arg2: tensor<4x8xf32>) -> tensor<4x8xf16> {
    %0 = bufferization.to_buffer %arg0 read_only : tensor<4x16xf16> to memref<4x16xf16>
    %1 = bufferization.to_buffer %arg1 read_only : tensor<16x8xf16> to memref<16x8xf16>
    %2 = bufferization.to_buffer %arg2 read_only : tensor<4x8xf32> to memref<4x8xf32>
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<4x8xf16>
    call @fused_kernel(%0, %1, %2, %alloc) : (memref<4x16xf16>, memref<16x8xf16>, memref<4x8xf32>, memref<4x8xf16>) -> ()
    %3 = bufferization.to_tensor %alloc restrict writable : memref<4x8xf16> to tensor<4x8xf16>
    return %3 : tensor<4x8xf16>
  }
  func.func private @fused_kernel(%arg0: memref<4x16xf16>, %arg1: memref<16x8xf16>, %arg2: memref<4x8xf32>, %arg3: memref<4x8xf16>) attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 4], [1, 1, 8], [16]], stages = [outer, none], vector = 8, unroll = 1>} {
    pruner.kernel cpu domain (d0 = 4, d1 = 8, d2 = 16 reduction) {
      %0 = pruner.stage "value5.packed" operand 0 at () box [4, 16] of #map5 shape [4, 16] layout #map13 vector 8 threads 1 ins(%arg0 : memref<4x16xf16>) maps [#map4] -> memref<16x4xf16, #pruner.memory<local>> {
      ^bb0(%arg4: f16):
        %2 = math.absf %arg4 : f16
        pruner.yield %2 : f16
      }
      %1 = pruner.alloc "acc" at () shape [4, 8] layout #map4 : memref<4x8xf32, #pruner.memory<local>>
      pruner.compute init at () loops (d0 unroll 4, d1 vector 8) ins(%arg2 : memref<4x8xf32>) outs(%1 : memref<4x8xf32, #pruner.memory<local>>) maps [#map1, #map1] {
      ^bb0(%arg4: f32):
        pruner.yield %arg4 : f32
      }
      pruner.compute update at () loops (d2 serial 16, d0 unroll 4, d1 vector 8) ins(%0, %arg1 : memref<16x4xf16, #pruner.memory<local>>, memref<16x8xf16>) outs(%1 : memref<4x8xf32, #pruner.memory<local>>) maps [#map5, #map2, #map1] {
      ^bb0(%arg4: f16, %arg5: f16, %arg6: f32):
        %2 = arith.extf %arg4 : f16 to f32
        %3 = arith.extf %arg5 : f16 to f32
        %4 = arith.mulf %2, %3 : f32
        %5 = arith.addf %arg6, %4 : f32
        pruner.yield %5 : f32
      }
      pruner.compute finish at () loops (d0 unroll 4, d1 vector 8) ins(%1 : memref<4x8xf32, #pruner.memory<local>>) outs(%arg3 : memref<4x8xf16>) maps [#map1, #map1] {
      ^bb0(%arg4: f32):
        %2 = arith.truncf %arg4 : f32 to f16
        pruner.yield %2 : f16
      }
    }
    return
  }
  func.func @map(%arg0: tensor<5x37xf32>) -> tensor<5x37xf32> {
    %0 = bufferization.to_buffer %arg0 read_only : tensor<5x37xf32> to memref<5x37xf32>
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<5x37xf32>
    call @map_kernel(%0, %alloc) : (memref<5x37xf32>, memref<5x37xf32>) -> ()
    %1 = bufferization.to_tensor %alloc restrict writable : memref<5x37xf32> to tensor<5x37xf32>
    return %1 : tensor<5x37xf32>
  }
  func.func private @map_kernel(%arg0: memref<5x37xf32>, %arg1: memref<5x37xf32>) attributes {pruner.schedule = #pruner.schedule<cpu_map, tiles = [[1, 1], [3, 16]], stages = [none], vector = 8, unroll = 1>} {
    pruner.kernel cpu domain (d0 = 5, d1 = 37) {
      pruner.band core (%arg2 = d0 trips 5 step 1) {
        pruner.band serial (%arg3 = d1 trips 3 step 16) {
          pruner.compute map at (%arg2, %arg3) loops (d0 unroll 1, d1 unroll 2 step 8, d1 vector 8) ins(%arg0 : memref<5x37xf32>) outs(%arg1 : memref<5x37xf32>) maps [#map4, #map4] {
          ^bb0(%arg4: f32):
            %0 = math.exp %arg4 : f32
            pruner.yield %0 : f32
          }
        }
      }
    }
    return
  }
  func.func @sum(%arg0: tensor<100xf32>) -> tensor<f32> {
    %0 = bufferization.to_buffer %arg0 read_only : tensor<100xf32> to memref<100xf32>
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<f32>
    call @sum_kernel(%0, %alloc) : (memref<100xf32>, memref<f32>) -> ()
    %1 = bufferization.to_tensor %alloc restrict writable : memref<f32> to tensor<f32>
    return %1 : tensor<f32>
  }
  func.func private @sum_kernel(%arg0: memref<100xf32>, %arg1: memref<f32>) attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[16]], stages = [none], vector = 1, unroll = 1>} {
    %cst = arith.constant 0.000000e+00 : f32
    pruner.kernel cpu domain (d0 = 100 reduction) {
      %0 = pruner.alloc "acc" at () shape [] layout #map14 : memref<f32, #pruner.memory<local>>
      pruner.compute init at () loops () ins() outs(%0 : memref<f32, #pruner.memory<local>>) maps [#map15] {
        pruner.yield %cst : f32
      }
      pruner.band serial (%arg2 = d0 trips 7 step 16) {
        pruner.compute update at (%arg2) loops (d0 serial 16) ins(%arg0 : memref<100xf32>) outs(%0 : memref<f32, #pruner.memory<local>>) maps [#map16, #map15] {
        ^bb0(%arg3: f32, %arg4: f32):
          %1 = arith.addf %arg4, %arg3 : f32
          pruner.yield %1 : f32
        }
      }
      pruner.compute finish at () loops () ins(%0 : memref<f32, #pruner.memory<local>>) outs(%arg1 : memref<f32>) maps [#map15, #map15] {
      ^bb0(%arg2: f32):
        pruner.yield %arg2 : f32
      }
    }
    return
  }
  func.func @unscheduled(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = tensor.empty() : tensor<4xf32>
    %1 = linalg.exp ins(%arg0 : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
