

func.func @all(%A: memref<128x512xf32>, %B: memref<512x128xf32>, %C: memref<128x128xf32>) {
  %zero = arith.constant 0.0 : f32
  pruner.kernel cpu domain (d0 = 128, d1 = 128, d2 = 512 reduction) {
    pruner.band core (%i = d0 trips 6 step 24, %j = d1 trips 2 step 64) {
      %acc = pruner.alloc "acc" at (%i, %j) shape [128, 128]
          layout affine_map<(d0, d1) -> (d0 floordiv 6, d1, d0 mod 6)>
          : memref<4x64x6xf32, #pruner.memory<local>>
      pruner.compute init at (%i, %j)
          loops (d0 unroll 24, d1 unroll 8 step 8, d1 vector 8) ins()
          outs(%acc : memref<4x64x6xf32, #pruner.memory<local>>)
          maps [affine_map<(d0, d1, d2) -> (d0, d1)>] {
        pruner.yield %zero : f32
      }
      pruner.band serial (%k = d2 trips 2 step 256) {
        %b = pruner.stage "B.packed" operand 1 at (%j, %k) box [256, 64]
            of affine_map<(d0, d1, d2) -> (d2, d1)> shape [512, 128]
            layout affine_map<(d0, d1) -> (d1 floordiv 16, d0, d1 mod 16)>
            vector 1 threads 1 ins(%B : memref<512x128xf32>)
            maps [affine_map<(d0, d1) -> (d0, d1)>]
            -> memref<4x256x16xf32, #pruner.memory<local>> {
        ^bb0(%e: f32):
          pruner.yield %e : f32
        }
        pruner.compute update at (%i, %j, %k)
            loops (d2 serial 256, d0 unroll 24, d1 unroll 8 step 8, d1 vector 8)
            unroll 4
            ins(%A, %b : memref<128x512xf32>, memref<4x256x16xf32, #pruner.memory<local>>)
            outs(%acc : memref<4x64x6xf32, #pruner.memory<local>>)
            maps [affine_map<(d0, d1, d2) -> (d0, d2)>,
                  affine_map<(d0, d1, d2) -> (d2, d1)>,
                  affine_map<(d0, d1, d2) -> (d0, d1)>] {
        ^bb0(%x: f32, %y: f32, %z: f32):
          %0 = arith.mulf %x, %y : f32
          %1 = arith.addf %z, %0 : f32
          pruner.yield %1 : f32
        }
      }
      pruner.compute finish at (%i, %j) loops (d0 unroll 24, d1 unroll 64)
          ins(%acc : memref<4x64x6xf32, #pruner.memory<local>>)
          outs(%C : memref<128x128xf32>)
          maps [affine_map<(d0, d1, d2) -> (d0, d1)>,
                affine_map<(d0, d1, d2) -> (d0, d1)>] {
      ^bb0(%x: f32):
        pruner.yield %x : f32
      }
    }
  }
  return
}

func.func @gpu(%x: memref<64xf16>, %y: memref<64xf16>) {
  pruner.kernel gpu domain (d0 = 64) unroll_max 512 attributes {note = "n"} {
    pruner.band block (%b = d0 trips 2 step 32) attributes {here} {
      pruner.band thread (%t = d0 trips 8 step 4) {
        pruner.band vthread (%v = d0 trips 2 step 2) {
          pruner.band unroll (%u = d0 trips 2 step 1) {
            %s = pruner.alloc "tile" at (%b) shape [64]
                layout affine_map<(d0) -> (d0)> {pad}
                : memref<34xf16, #pruner.memory<shared>>
            pruner.compute map at (%b, %t, %v, %u) loops (d0 unroll 1)
                ins(%x : memref<64xf16>) outs(%y : memref<64xf16>)
                maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>]
                attributes {note} {
            ^bb0(%e: f16):
              pruner.yield %e : f16
            }
          }
        }
      }
    }
  }
  return
}

func.func @empty() {
  pruner.kernel cpu domain (d0 = 1) {
    pruner.band serial () {
    }
  }
  pruner.kernel cpu domain (d0 = 1) {
  }
  return
}