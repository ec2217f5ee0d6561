// RUN: pruner-opt %s --convert-pruner-to-gpu -split-input-file -verify-diagnostics

// The threads of a product are the lanes of warps, and its places those of their
// accumulators.
#map = affine_map<(d0, d1) -> (d0 floordiv 8, d1 floordiv 8, d1 mod 2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2) -> (d2, d1)>
func.func private @order(%arg0: memref<32x32xf16>, %arg1: memref<32x16xf16>, %arg2: memref<32x16xf32>) {
  %cst = arith.constant 0.000000e+00 : f32
  pruner.kernel gpu domain (d0 = 32, d1 = 16, d2 = 32 reduction) unroll_max 16 {
    pruner.band thread (%arg4 = d1 trips 4 step 2, %arg3 = d0 trips 8 step 1) {
      %0 = pruner.alloc "acc" at (%arg3, %arg4) shape [32, 16] layout #map : memref<4x2x2xf32, #pruner.memory<local>>
      pruner.band unroll (%arg5 = d0 trips 4 step 8, %arg6 = d1 trips 2 step 8) {
        pruner.compute init at (%arg3, %arg4, %arg5, %arg6) loops (d0 unroll 1, d1 unroll 2) ins() outs(%0 : memref<4x2x2xf32, #pruner.memory<local>>) maps [#map1] {
          pruner.yield %cst : f32
        }
      }
      pruner.band serial (%arg5 = d2 trips 2 step 16) {
        %1 = pruner.stage "arg0.shared" operand 0 at (%arg5) box [32, 16] of #map2 shape [32, 32] layout #map3 vector 8 threads 32 buffers 2 async ins(%arg0 : memref<32x32xf16>) maps [#map3] -> memref<32x24xf16, #pruner.memory<shared>> {
        ^bb0(%arg6: f16):
          pruner.yield %arg6 : f16
        }
        %2 = pruner.stage "arg1.shared" operand 1 at (%arg5) box [16, 16] of #map4 shape [32, 16] layout #map3 vector 8 threads 32 buffers 2 async ins(%arg1 : memref<32x16xf16>) maps [#map3] -> memref<16x24xf16, #pruner.memory<shared>> {
        ^bb0(%arg6: f16):
          pruner.yield %arg6 : f16
        }
        pruner.band unroll (%arg6 = d0 trips 4 step 8, %arg7 = d1 trips 2 step 8) {
          // expected-error @below {{uses 'mma_m16n8k16_f16'; expected the last two loops of the 'thread' band to be lanes: 8 with step 1 along rows and 4 with step 2 along columns}}
          pruner.compute update at (%arg3, %arg4, %arg5, %arg6, %arg7) loops (d2 serial 1 step 16, d0 unroll 1, d1 unroll 2, d2 dot 16) by "mma_m16n8k16_f16" ins(%1, %2 : memref<32x24xf16, #pruner.memory<shared>>, memref<16x24xf16, #pruner.memory<shared>>) outs(%0 : memref<4x2x2xf32, #pruner.memory<local>>) maps [#map2, #map4, #map1] {
          ^bb0(%arg8: f16, %arg9: f16, %arg10: f32):
            %3 = arith.extf %arg8 : f16 to f32
            %4 = arith.extf %arg9 : f16 to f32
            %5 = arith.mulf %3, %4 : f32
            %6 = arith.addf %arg10, %5 : f32
            pruner.yield %6 : f32
          }
        }
      }
      pruner.band unroll (%arg5 = d0 trips 4 step 8, %arg6 = d1 trips 2 step 8) {
        pruner.compute finish at (%arg3, %arg4, %arg5, %arg6) loops (d0 unroll 1, d1 unroll 2) ins(%0 : memref<4x2x2xf32, #pruner.memory<local>>) outs(%arg2 : memref<32x16xf32>) maps [#map1, #map1] {
        ^bb0(%arg7: f32):
          pruner.yield %arg7 : f32
        }
      }
    }
  }
  return
}

// -----

#map = affine_map<(d0, d1) -> (d0 floordiv 8, d1 floordiv 8, d1 mod 2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2) -> (d2, d1)>
func.func private @steps(%arg0: memref<32x32xf16>, %arg1: memref<32x16xf16>, %arg2: memref<32x16xf32>) {
  %cst = arith.constant 0.000000e+00 : f32
  pruner.kernel gpu domain (d0 = 32, d1 = 16, d2 = 32 reduction) unroll_max 16 {
    pruner.band thread (%arg3 = d0 trips 8 step 4, %arg4 = d1 trips 4 step 2) {
      %0 = pruner.alloc "acc" at (%arg3, %arg4) shape [32, 16] layout #map : memref<4x2x2xf32, #pruner.memory<local>>
      pruner.band unroll (%arg5 = d0 trips 4 step 8, %arg6 = d1 trips 2 step 8) {
        pruner.compute init at (%arg3, %arg4, %arg5, %arg6) loops (d0 unroll 1, d1 unroll 2) ins() outs(%0 : memref<4x2x2xf32, #pruner.memory<local>>) maps [#map1] {
          pruner.yield %cst : f32
        }
      }
      pruner.band serial (%arg5 = d2 trips 2 step 16) {
        %1 = pruner.stage "arg0.shared" operand 0 at (%arg5) box [32, 16] of #map2 shape [32, 32] layout #map3 vector 8 threads 32 buffers 2 async ins(%arg0 : memref<32x32xf16>) maps [#map3] -> memref<32x24xf16, #pruner.memory<shared>> {
        ^bb0(%arg6: f16):
          pruner.yield %arg6 : f16
        }
        %2 = pruner.stage "arg1.shared" operand 1 at (%arg5) box [16, 16] of #map4 shape [32, 16] layout #map3 vector 8 threads 32 buffers 2 async ins(%arg1 : memref<32x16xf16>) maps [#map3] -> memref<16x24xf16, #pruner.memory<shared>> {
        ^bb0(%arg6: f16):
          pruner.yield %arg6 : f16
        }
        pruner.band unroll (%arg6 = d0 trips 4 step 8, %arg7 = d1 trips 2 step 8) {
          // expected-error @below {{uses 'mma_m16n8k16_f16'; expected the last two loops of the 'thread' band to be lanes: 8 with step 1 along rows and 4 with step 2 along columns}}
          pruner.compute update at (%arg3, %arg4, %arg5, %arg6, %arg7) loops (d2 serial 1 step 16, d0 unroll 1, d1 unroll 2, d2 dot 16) by "mma_m16n8k16_f16" ins(%1, %2 : memref<32x24xf16, #pruner.memory<shared>>, memref<16x24xf16, #pruner.memory<shared>>) outs(%0 : memref<4x2x2xf32, #pruner.memory<local>>) maps [#map2, #map4, #map1] {
          ^bb0(%arg8: f16, %arg9: f16, %arg10: f32):
            %3 = arith.extf %arg8 : f16 to f32
            %4 = arith.extf %arg9 : f16 to f32
            %5 = arith.mulf %3, %4 : f32
            %6 = arith.addf %arg10, %5 : f32
            pruner.yield %6 : f32
          }
        }
      }
      pruner.band unroll (%arg5 = d0 trips 4 step 8, %arg6 = d1 trips 2 step 8) {
        pruner.compute finish at (%arg3, %arg4, %arg5, %arg6) loops (d0 unroll 1, d1 unroll 2) ins(%0 : memref<4x2x2xf32, #pruner.memory<local>>) outs(%arg2 : memref<32x16xf32>) maps [#map1, #map1] {
        ^bb0(%arg7: f32):
          pruner.yield %arg7 : f32
        }
      }
    }
  }
  return
}

// -----

#map = affine_map<(d0, d1) -> (d0 floordiv 8, d1 floordiv 8, d1 mod 2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2) -> (d2, d1)>
func.func private @odd(%arg0: memref<32x32xf16>, %arg1: memref<32x16xf16>, %arg2: memref<32x16xf32>) {
  %cst = arith.constant 0.000000e+00 : f32
  pruner.kernel gpu domain (d0 = 32, d1 = 16, d2 = 32 reduction) unroll_max 16 {
    pruner.band thread (%arg3 = d0 trips 8 step 1, %arg4 = d1 trips 4 step 2) {
      %0 = pruner.alloc "acc" at (%arg3, %arg4) shape [32, 16] layout #map : memref<3x2x2xf32, #pruner.memory<local>>
      pruner.band unroll (%arg5 = d0 trips 3 step 8, %arg6 = d1 trips 2 step 8) {
        pruner.compute init at (%arg3, %arg4, %arg5, %arg6) loops (d0 unroll 1, d1 unroll 2) ins() outs(%0 : memref<3x2x2xf32, #pruner.memory<local>>) maps [#map1] {
          pruner.yield %cst : f32
        }
      }
      pruner.band serial (%arg5 = d2 trips 2 step 16) {
        %1 = pruner.stage "arg0.shared" operand 0 at (%arg5) box [32, 16] of #map2 shape [32, 32] layout #map3 vector 8 threads 32 buffers 2 async ins(%arg0 : memref<32x32xf16>) maps [#map3] -> memref<32x24xf16, #pruner.memory<shared>> {
        ^bb0(%arg6: f16):
          pruner.yield %arg6 : f16
        }
        %2 = pruner.stage "arg1.shared" operand 1 at (%arg5) box [16, 16] of #map4 shape [32, 16] layout #map3 vector 8 threads 32 buffers 2 async ins(%arg1 : memref<32x16xf16>) maps [#map3] -> memref<16x24xf16, #pruner.memory<shared>> {
        ^bb0(%arg6: f16):
          pruner.yield %arg6 : f16
        }
        pruner.band unroll (%arg6 = d0 trips 3 step 8, %arg7 = d1 trips 2 step 8) {
          // expected-error @below {{uses 'mma_m16n8k16_f16' for a tile of 3 x 4 elements of a lane; expected an even number of rows, and pairs of neighboring columns}}
          pruner.compute update at (%arg3, %arg4, %arg5, %arg6, %arg7) loops (d2 serial 1 step 16, d0 unroll 1, d1 unroll 2, d2 dot 16) by "mma_m16n8k16_f16" ins(%1, %2 : memref<32x24xf16, #pruner.memory<shared>>, memref<16x24xf16, #pruner.memory<shared>>) outs(%0 : memref<3x2x2xf32, #pruner.memory<local>>) maps [#map2, #map4, #map1] {
          ^bb0(%arg8: f16, %arg9: f16, %arg10: f32):
            %3 = arith.extf %arg8 : f16 to f32
            %4 = arith.extf %arg9 : f16 to f32
            %5 = arith.mulf %3, %4 : f32
            %6 = arith.addf %arg10, %5 : f32
            pruner.yield %6 : f32
          }
        }
      }
      pruner.band unroll (%arg5 = d0 trips 3 step 8, %arg6 = d1 trips 2 step 8) {
        pruner.compute finish at (%arg3, %arg4, %arg5, %arg6) loops (d0 unroll 1, d1 unroll 2) ins(%0 : memref<3x2x2xf32, #pruner.memory<local>>) outs(%arg2 : memref<32x16xf32>) maps [#map1, #map1] {
        ^bb0(%arg7: f32):
          pruner.yield %arg7 : f32
        }
      }
    }
  }
  return
}

// -----

#map = affine_map<(d0, d1) -> (d0 floordiv 8, d1 floordiv 8, d1 mod 2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2) -> (d2, d1)>
func.func private @roles(%arg0: memref<32x32xf16>, %arg1: memref<32x16xf16>, %arg2: memref<32x16xf32>) {
  %cst = arith.constant 0.000000e+00 : f32
  pruner.kernel gpu domain (d0 = 32, d1 = 16, d2 = 32 reduction) unroll_max 16 {
    pruner.band thread (%arg4 = d1 trips 8 step 1, %arg3 = d0 trips 4 step 2) {
      %0 = pruner.alloc "acc" at (%arg3, %arg4) shape [32, 16] layout #map : memref<4x2x2xf32, #pruner.memory<local>>
      pruner.band unroll (%arg5 = d0 trips 4 step 8, %arg6 = d1 trips 2 step 8) {
        pruner.compute init at (%arg3, %arg4, %arg5, %arg6) loops (d0 unroll 1, d1 unroll 2) ins() outs(%0 : memref<4x2x2xf32, #pruner.memory<local>>) maps [#map1] {
          pruner.yield %cst : f32
        }
      }
      pruner.band serial (%arg5 = d2 trips 2 step 16) {
        %1 = pruner.stage "arg0.shared" operand 0 at (%arg5) box [32, 16] of #map2 shape [32, 32] layout #map3 vector 8 threads 32 buffers 2 async ins(%arg0 : memref<32x32xf16>) maps [#map3] -> memref<32x24xf16, #pruner.memory<shared>> {
        ^bb0(%arg6: f16):
          pruner.yield %arg6 : f16
        }
        %2 = pruner.stage "arg1.shared" operand 1 at (%arg5) box [16, 16] of #map4 shape [32, 16] layout #map3 vector 8 threads 32 buffers 2 async ins(%arg1 : memref<32x16xf16>) maps [#map3] -> memref<16x24xf16, #pruner.memory<shared>> {
        ^bb0(%arg6: f16):
          pruner.yield %arg6 : f16
        }
        pruner.band unroll (%arg6 = d0 trips 4 step 8, %arg7 = d1 trips 2 step 8) {
          // expected-error @below {{uses 'mma_m16n8k16_f16' for a tile of 4 x 4 elements of a lane; expected an even number of rows, and pairs of neighboring columns}}
          pruner.compute update at (%arg3, %arg4, %arg5, %arg6, %arg7) loops (d2 serial 1 step 16, d0 unroll 1, d1 unroll 2, d2 dot 16) by "mma_m16n8k16_f16" ins(%1, %2 : memref<32x24xf16, #pruner.memory<shared>>, memref<16x24xf16, #pruner.memory<shared>>) outs(%0 : memref<4x2x2xf32, #pruner.memory<local>>) maps [#map2, #map4, #map1] {
          ^bb0(%arg8: f16, %arg9: f16, %arg10: f32):
            %3 = arith.extf %arg8 : f16 to f32
            %4 = arith.extf %arg9 : f16 to f32
            %5 = arith.mulf %3, %4 : f32
            %6 = arith.addf %arg10, %5 : f32
            pruner.yield %6 : f32
          }
        }
      }
      pruner.band unroll (%arg5 = d0 trips 4 step 8, %arg6 = d1 trips 2 step 8) {
        pruner.compute finish at (%arg3, %arg4, %arg5, %arg6) loops (d0 unroll 1, d1 unroll 2) ins(%0 : memref<4x2x2xf32, #pruner.memory<local>>) outs(%arg2 : memref<32x16xf32>) maps [#map1, #map1] {
        ^bb0(%arg7: f32):
          pruner.yield %arg7 : f32
        }
      }
    }
  }
  return
}
